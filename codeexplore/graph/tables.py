"""What resolution hands on: the table of edges, those of what became none, and notes on what was cut short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codeexplore.graph.edge_table import EdgeTable
from codeexplore.graph.leftover_tables import ExternalTable, UnresolvedTable


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the references of a repository mean."""

    edges: EdgeTable
    unresolved: UnresolvedTable
    externals: ExternalTable
    notes: tuple[str, ...] = ()  # what was cut short, in words


def nothing_resolved(ids: Sequence[str], paths: Sequence[str]) -> Resolution:
    """What is known over some symbols (`ids` by row) and files before any reference was resolved."""
    edges = EdgeTable(ids, paths)
    edges.finish()
    return Resolution(edges, UnresolvedTable(ids, paths), ExternalTable(ids, paths))
