"""What runs beside a function because a decorator stands over it."""

from __future__ import annotations

from collections.abc import Collection

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traverse import members
from codeexplore.settings import RESOLVED_CONFIDENCE
from codeexplore.types import TYPE_KINDS, CallPath


def wrapped(graph: CodeGraph, source: int, ends: Collection[int]) -> tuple[CallPath, ...]:
    """Ways from a decorated symbol over its decorators to one of `ends`.

    Each has three symbols: the one decorated; the wrapper that calls it, or the decorator itself, which runs where it
    is defined; the end. Its first edge is the wrapper's call of the one decorated, or the call of the decorator.
    """
    found: dict[CallPath, None] = {}
    for decorator, row in _decorators(graph, source).items():
        for between in _within(graph, decorator):
            calls = graph.incident(between, "out", ("CALLS",))
            back = next((each for each in calls if graph.edges.target[each] == source), -1)
            if between in ends or (back < 0 and (between != decorator or graph.symbol(between).kind in TYPE_KINDS)):
                continue
            for call in graph.incident(between, "out", ("CALLS",), RESOLVED_CONFIDENCE):
                if graph.edges.target[call] in ends:
                    ids = tuple(graph.symbol(each).id for each in (source, between, graph.edges.target[call]))
                    found[CallPath(ids, (graph.edge(back if back >= 0 else row), graph.edge(call)))] = None
    return tuple(found)


def _decorators(graph: CodeGraph, source: int) -> dict[int, int]:
    """What the decorators of a symbol call, each with the row of that call: edges that start on their lines."""
    symbol = graph.symbol(source)
    if not symbol.decorators or symbol.parent is None:
        return {}
    lines = range(symbol.span.start_line, symbol.line)
    found = {}
    for row in graph.incident(graph.vertex(symbol.parent), "out", ("CALLS", "USES"), RESOLVED_CONFIDENCE):
        if any(site.path == symbol.path and site.line in lines for site in graph.edge(row).sites):
            found[graph.edges.target[row]] = row
    return found


def _within(graph: CodeGraph, vertex: int) -> list[int]:
    """A symbol and everything defined inside it."""
    found = [vertex]
    for each in found:
        found.extend(inner for inner in members(graph, each) if inner not in found)
    return found
