"""The graph of a repository in which lines moved: the same edges, at their new places."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from codeexplore.catalog import Catalog
from codeexplore.graph.congruence import Moved
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.rank import keep_importance
from codeexplore.graph.tables import Columns, EdgeTable, ExternalTable, Resolution, UnresolvedTable

_LINE = 0xFFFFFFFF


def moved_graph(graph: CodeGraph, catalog: Catalog, moves: Mapping[int, Moved]) -> CodeGraph | None:
    """The old graph over a new catalog; None when a use stands on a line of which nobody knows where it went.

    Parameters
    ----------
    graph
        Of the old state.
    catalog
        Of the new one: the same files, and in each as many symbols in the same order.
    moves
        File number → how its lines moved; those of other files stay.
    """
    ids, paths = catalog.symbol_ids(), graph.edges.paths
    tables: list[Any] = []
    for table, texts in ((graph.edges, ()), (graph.unresolved, ("name", "receiver")), (graph.externals, ("name",))):
        columns = _moved(table.columns(), texts, moves)
        if columns is None:
            return None
        tables.append(columns)
    made = Resolution(
        EdgeTable.of_columns(ids, paths, tables[0]),
        UnresolvedTable.of_columns(ids, paths, tables[1]),
        ExternalTable.of_columns(ids, paths, tables[2]),
        graph.notes,
    )
    new = CodeGraph(catalog, made)
    keep_importance(new, graph)
    new.keep_structure(graph)
    return new


def _moved(columns: Columns, texts: tuple[str, ...], moves: Mapping[int, Moved]) -> dict[str, Any] | None:
    import numpy as np

    changed: dict[str, Any] = dict(columns)
    old = np.frombuffer(columns["site"], np.int64) if len(columns["site"]) else np.zeros(0, np.int64)  # type: ignore[arg-type]
    sites = old
    words: list[str] = list(columns["words"])  # type: ignore[arg-type]
    number: dict[str, int] = {}
    for file, moved in moves.items():
        rows = np.flatnonzero((old >= file << 32) & (old < (file + 1) << 32))
        if not len(rows):
            continue
        became = np.full(max(moved.lines, default=0) + 1, -1, np.int64)
        became[list(moved.lines)] = list(moved.lines.values())
        lines = old[rows] & _LINE
        if int(lines.max()) >= len(became) or int(became[lines].min()) < 0:
            return None
        if not np.array_equal(became[lines], lines):
            sites = sites.copy() if sites is old else sites
            sites[rows] = file << 32 | became[lines]
        for name in texts:
            for row in rows.tolist():
                text = words[columns[name][row]]  # type: ignore[call-overload]
                if "%" not in text and "<" not in text:
                    continue
                new = moved.text(text)
                if new is None:
                    return None
                if new == text:
                    continue
                if not number:
                    number = {word: index for index, word in enumerate(words)}
                if changed[name] is columns[name]:
                    changed[name] = columns[name][:]
                changed[name][row] = number.setdefault(new, len(number))
    if sites is not old:
        changed["site"] = array("q", sites.tobytes())
    if number:
        changed["words"] = list(number)
    return changed
