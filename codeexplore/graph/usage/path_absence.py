"""Explanation of a missing path: why no chain of calls leads from one symbol to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from codeexplore.errors import AmbiguousSymbol
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.paths import MAX_PATH_SYMBOLS, weaker_paths
from codeexplore.graph.traversal import MAX_POSSIBLE
from codeexplore.languages.file_roles import is_test_path
from codeexplore.text.enumeration import shortened
from codeexplore.types import Absence, CallPath, Direction, EdgeKind, NextStep, PossibleUse, Site

_CERTAIN: Final = 1.0 - 1e-6
_MOST_PATHS: Final = 10  # maximal number of uncertain paths that are counted


def leads_along(path: CallPath, kinds: Iterable[EdgeKind]) -> bool:
    """Return True if every step of `path` is an edge of one of `kinds` from a symbol to the next symbol."""
    steps = zip(path.edges, path.symbol_ids, strict=False)
    return all(edge.kind in kinds and edge.source == symbol_id for edge, symbol_id in steps)


def leads_back(path: CallPath, kinds: Iterable[EdgeKind]) -> bool:
    """Return True if every step of `path` is an edge of one of `kinds` from a symbol to the previous symbol."""
    return leads_along(CallPath(path.symbol_ids[::-1], path.edges[::-1]), kinds)


def path_absence(
    graph: CodeGraph,
    source: str,
    target: str,
    *,
    kinds: Sequence[EdgeKind],
    minimum: float,
    tests: bool,
    longest: int = MAX_PATH_SYMBOLS,
) -> Absence:
    """Return the verdict on a missing path over edges of `kinds` from source to target, with its explanation.

    The verdict "none" means that no call can connect the two symbols. Two sets of symbols decide: the symbols that the
    source reaches over edges of any confidence, and the symbols that lead to the target. The verdict has two
    conditions. No unresolved call in the first set has the name of a symbol in the second set. No uncertain call in the
    first set calls a method with the name of a method in the second set. If there are such calls, the answer lists
    their sites, nearest to the source first.

    If edges below `minimum` form paths of at most `longest` symbols, the text reports the number of paths and their
    confidence. The next step is the call that lists them.
    """
    if source == target:
        return Absence("none", "Both names mean this one symbol.")
    first, last = graph.catalog.symbol(source).fqn, graph.catalog.symbol(target).fqn
    weaker = weaker_paths(graph, source, target, _MOST_PATHS, longest=longest, kinds=kinds, tests=tests)
    reached = _closure(graph, graph.vertex(source), "out", kinds, minimum, tests)
    if graph.vertex(target) in reached:
        far = f"{first} leads to {last} only over more than {longest} symbols; such paths are not listed"
        return _uncertain(graph, f"{far}.", weaker, minimum, kinds, tests) if weaker else Absence("possible", f"{far}.")
    reached = _closure(graph, graph.vertex(source), "out", kinds, 0.0, tests)
    if weaker:
        said = f"No path of certain calls was found from {first} to {last}."
        return _uncertain(graph, said, weaker, minimum, kinds, tests)
    if graph.vertex(target) in reached:
        far = f"a path over uncertain edges has more than {longest} symbols"
        return Absence("possible", f"No path of certain calls was found from {first} to {last}; {far}.")
    leading = _closure(graph, graph.vertex(target), "in", kinds, 0.0, tests)
    uses = _joining(graph, reached, leading, kinds, tests)
    if uses:
        number = f"at least {len(uses)}" if len(uses) >= MAX_POSSIBLE else str(len(uses))
        calls = "call may connect" if len(uses) == 1 else "calls may connect"
        said = f"No path of calls was found from {first} to {last}, but {number} uncertain {calls} them."
        return Absence("possible", said, uses)
    extent = f"{first} reaches {len(reached) - 1:,} symbols, {len(leading) - 1:,} symbols lead to {last}"
    return Absence("none", f"No calls lead from {first} to {last}: {extent}, and no unresolved call connects them.")


def _closure(
    graph: CodeGraph, start: int, direction: Direction, kinds: Sequence[EdgeKind], minimum: float, tests: bool
) -> dict[int, int]:
    """Return every vertex that can be reached from `start`, with its distance in edges, nearest first."""
    found, frontier, in_test = {start: 0}, [start], graph.edges.in_test
    while frontier:
        following = []
        for vertex in frontier:
            for row in graph.incident(vertex, direction, kinds, minimum):
                other = graph.other(row, vertex)
                if other not in found and (tests or not in_test[row]):
                    found[other] = found[vertex] + 1
                    following.append(other)
        frontier = following
    return found


def _joining(
    graph: CodeGraph, reached: dict[int, int], leading: dict[int, int], kinds: Sequence[EdgeKind], tests: bool
) -> tuple[PossibleUse, ...]:
    """Return the sites in symbols of `reached` that may use a symbol of `leading`.

    `reached` are the symbols that the source reaches. `leading` are the symbols from which the target can be reached.
    """
    names = {graph.symbol(vertex).name for vertex in leading}
    methods = {graph.symbol(vertex).name for vertex in leading if graph.symbol(vertex).kind == "method"}
    found: list[tuple[int, PossibleUse]] = []
    for reference in graph.unresolved.within(reached):
        if reference.name in names and (tests or not is_test_path(reference.site.path)):
            distance = reached[graph.vertex(reference.source)]
            found.append((distance, PossibleUse(reference.site, "call", bool(reference.receiver), "")))
    confidence, target, in_test = graph.edges.confidence, graph.edges.target, graph.edges.in_test
    namesakes = {
        vertex: symbol.fqn
        for vertex in reached
        if (symbol := graph.symbol(vertex)).kind == "method" and symbol.name in methods
    }
    for vertex, distance in reached.items():
        for row in graph.incident(vertex, "out", kinds):
            if confidence[row] < _CERTAIN and target[row] in namesakes and (tests or not in_test[row]):
                targets = (namesakes[target[row]],)
                found += [(distance, PossibleUse(site, "call", True, "", targets)) for site in graph.edge(row).sites]
    return _nearest_first(found)


def _uncertain(
    graph: CodeGraph, said: str, weaker: Sequence[CallPath], minimum: float, kinds: Sequence[EdgeKind], tests: bool
) -> Absence:
    """Return the answer about paths over uncertain edges. Its next step lists these paths."""
    least = round(min(edge.confidence for path in weaker for edge in path.edges), 6)
    weak = _weak_steps(graph, weaker[0], minimum)
    calls = "1 call" if len(weaker[0].edges) == 1 else f"{len(weaker[0].edges)} calls"
    sure = f"{calls} of confidence {least:g} or higher"
    if len(weaker) == 1:
        found = f"1 path follows uncertain calls{_at(weak)}, {sure}."
    else:
        more = "or more " if len(weaker) == _MOST_PATHS else ""
        found = f"{len(weaker)} {more}paths follow uncertain calls{_at(weak)}; the shortest has {sure}."
    options: list[tuple[str, object]] = [("min_confidence", least)]
    options += [("kinds", tuple(kinds))] if tuple(kinds) != ("CALLS",) else []
    options += [] if tests else [("tests", False)]
    ends = (_name(graph, weaker[0].symbol_ids[0]), _name(graph, weaker[0].symbol_ids[-1]))
    step = NextStep("paths", "lists it" if len(weaker) == 1 else "lists them", ends, tuple(options))
    return Absence("possible", f"{said} {found}", weak, least, (step,))


def _name(graph: CodeGraph, symbol_id: str) -> str:
    """Return the qualified name of a symbol, or its id if the qualified name is ambiguous."""
    name = graph.catalog.symbol(symbol_id).fqn
    try:
        return name if graph.catalog.resolve(name).id == symbol_id else symbol_id
    except AmbiguousSymbol:
        return symbol_id


def _weak_steps(graph: CodeGraph, path: CallPath, minimum: float) -> tuple[PossibleUse, ...]:
    """Return the first site of each edge on `path` whose confidence is below `minimum`."""
    weak = [edge for edge in path.edges if edge.confidence < minimum - 1e-6]
    return tuple(
        PossibleUse(edge.sites[0], "call", False, "", (graph.catalog.symbol(edge.target).fqn,))
        for edge in weak if edge.sites
    )  # fmt: skip


def _at(uses: Sequence[PossibleUse]) -> str:
    return f" ({shortened([f'{use.site.path}:{use.site.line}' for use in uses], 3)})" if uses else ""


def _nearest_first(found: Iterable[tuple[int, PossibleUse]]) -> tuple[PossibleUse, ...]:
    kept: dict[Site, PossibleUse] = {}
    for _, use in sorted(found, key=lambda item: (item[0], item[1].site)):
        kept.setdefault(use.site, use)
    return tuple(kept.values())[:MAX_POSSIBLE]
