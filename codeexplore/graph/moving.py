"""The graph of a repository in which lines moved: the same edges, at their new places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codeexplore.graph.columns import Columns
from codeexplore.graph.congruence import Moved
from codeexplore.graph.edge_table import EdgeTable
from codeexplore.graph.leftover_tables import ExternalTable, UnresolvedTable
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.rank import keep_importance
from codeexplore.graph.tables import Resolution
from codeexplore.index.catalog import Catalog

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
    old = np.frombuffer(changed["site"], np.int64) if len(changed["site"]) else np.zeros(0, np.int64)
    sites, held = old, changed["site"]
    spoken = _Spoken(changed)
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
            if sites is old:
                held = held[:]
                sites = np.frombuffer(held, np.int64)
            sites[rows] = file << 32 | became[lines]
        if not all(spoken.move(name, rows.tolist(), moved) for name in texts):
            return None
    changed["site"] = held
    return changed


class _Spoken:
    """The texts of a table, some of which hold places; only what moves is written anew."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns
        self._words: list[str] = columns["words"]
        self._own: set[str] = set()
        self._number: dict[str, int] = {}

    def move(self, name: str, rows: Sequence[int], moved: Moved) -> bool:
        """Move the places in a column's texts; False when one is not known."""
        for row in rows:
            text = self._words[self._columns[name][row]]
            new = moved.text(text) if "%" in text or "<" in text else text
            if new is None:
                return False
            if new != text:
                self._write(name, row, new)
        return True

    def _write(self, name: str, row: int, text: str) -> None:
        if name not in self._own:
            self._own.add(name)
            self._columns[name] = self._columns[name][:]
        if not self._number:
            self._words = list(self._words)
            self._columns["words"] = self._words
            self._number = {word: index for index, word in enumerate(self._words)}
        number = self._number.get(text)
        if number is None:
            number = self._number[text] = len(self._words)
            self._words.append(text)
        self._columns[name][row] = number
