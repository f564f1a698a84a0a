"""The graph of a repository in which lines moved: the same edges, at their new places."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from codeexplore.catalog import Catalog
from codeexplore.graph.congruence import Moved
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.rank import importance_of, remember_importance
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
    remember_importance(new, importance_of(graph))
    new.keep_structure(graph)
    return new


def _moved(columns: Columns, texts: tuple[str, ...], moves: Mapping[int, Moved]) -> dict[str, Any] | None:
    import numpy as np

    changed: dict[str, Any] = dict(columns)
    sites = np.array(columns["site"], np.int64)
    files = sites >> 32
    words: list[str] = list(columns["words"])  # type: ignore[arg-type]
    number = {word: index for index, word in enumerate(words)}
    for file, moved in moves.items():
        rows = np.flatnonzero(files == file)
        for row in rows.tolist():
            line = moved.lines.get(int(sites[row]) & _LINE)
            if line is None:
                return None
            sites[row] = file << 32 | line
        for name in texts:
            if changed[name] is columns[name]:
                changed[name] = columns[name][:]
            for row in rows.tolist():
                text = words[changed[name][row]]
                if "%" in text or "<" in text:
                    new = moved.text(text)
                    if new is None:
                        return None
                    changed[name][row] = number.setdefault(new, len(number))
    changed["site"] = array("q", sites.tobytes())
    changed["words"] = list(number)
    return changed
