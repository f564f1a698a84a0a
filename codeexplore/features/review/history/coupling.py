"""Items that changed together beside the graph: connected by a path, or coupled without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.features.review.history.records import Target, Together
from codeexplore.languages import registry
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.features.review.history.view import HistoryView
    from codeexplore.graph.model import CodeGraph
    from codeexplore.types import Direction


def reached_both_ways(graph: CodeGraph, target: Target) -> frozenset[str]:
    """Return the ids of the symbols that depend on a target, or on which it depends, over any number of edges."""
    from codeexplore.graph.traversal import RELATING, seeds_of, walk

    catalog = graph.catalog
    ids = [target.id] if isinstance(target, Symbol) else [symbol.id for symbol in catalog.in_file(target)]
    ids = [each for each in ids if catalog.has_symbol(each)]  # a refresh may have replaced the graph
    found: set[str] = set(ids)
    impact = RELATING["impact"]
    directions: tuple[Direction, ...] = ("in", "out")
    for direction in directions:
        way = replace(impact, kinds=(*impact.kinds, "IMPORTS"), direction=direction)
        walked = walk(graph, seeds_of(graph, ids, way), way, depth=None, minimum=0.0, limit=len(catalog.symbols) + 1)
        found.update(graph.symbol(vertex).id for vertex in walked.depth)
    return frozenset(found)


def with_connections(graph: CodeGraph, target: Target, found: Sequence[Together]) -> tuple[Together, ...]:
    """Return the items, each with True or False in `connected`; None for a file without code."""
    reached = reached_both_ways(graph, target)
    paths = {graph.catalog.symbol(each).path for each in reached}

    def connected(item: Target) -> bool | None:
        if not reached:
            return None  # the target is not code
        if isinstance(item, Symbol):
            return item.id in reached
        language = registry.by_path(item)
        if language is None or registry.is_text(language.name) or not graph.catalog.in_file(item):
            return None
        return item in paths

    return tuple(each._replace(connected=connected(each.item)) for each in found)


def hidden_coupling(reader: HistoryView, targets: Sequence[Target]) -> tuple[Together, ...]:
    """Return the code that often changed together with one of the targets and has no path to it, strongest first.

    Raises GitError and LoadCancelled.
    """
    from codeexplore.features.review.history.answers import is_hidden, name_of

    found: dict[Target, Together] = {}
    for target in targets:
        for item in with_connections(reader.graph(), target, reader.together(target)[0]):
            if is_hidden(item) and item.item not in targets:
                found.setdefault(item.item, item._replace(target=name_of(target) if len(targets) > 1 else ""))
    return tuple(sorted(found.values(), key=lambda item: -item.weight))
