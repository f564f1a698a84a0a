"""Explanation of how one symbol uses another (`explain`). If it does not, the explanation lists the known facts.

`wrapped` finds calls that happen because a function is decorated: a wrapper runs around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from codeexplore.graph.build.rules import RULES, basis_of
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.records import Because, Finding, SourceLine, Why
from codeexplore.graph.traversal import RELATING, PathSearch, decorators_of, inside, seeds_of
from codeexplore.graph.usage.name_uses import MAX_LINE
from codeexplore.languages.registry import family_of
from codeexplore.types import EDGE_VERBS, TYPE_KINDS, CallPath, Edge, EdgeKind, PossibleUse, Site
from codeexplore.types.settings import RESOLVED_CONFIDENCE


def wrapped(graph: CodeGraph, source: int, ends: Collection[int]) -> tuple[CallPath, ...]:
    """Return call paths from the decorated symbol `source` over one of its decorators to a vertex in `ends`.

    Each path has three symbols: the decorated symbol, the wrapper function, and the end. The first edge is the
    wrapper's call of the decorated symbol. If the decorator has no wrapper function that calls the decorated symbol,
    the decorator itself is in the middle, because it runs where the symbol is defined; the first edge is then the call
    of the decorator.
    """
    found: dict[CallPath, None] = {}
    for decorator, row in decorators_of(graph, source).items():
        for between in inside(graph, [decorator], modules=True):
            calls = graph.incident(between, "out", ("CALLS",))
            back = next((each for each in calls if graph.edges.target[each] == source), -1)
            if between in ends or (back < 0 and (between != decorator or graph.symbol(between).kind in TYPE_KINDS)):
                continue
            for call in graph.incident(between, "out", ("CALLS",), RESOLVED_CONFIDENCE):
                if graph.edges.target[call] in ends:
                    ids = tuple(graph.symbol(each).id for each in (source, between, graph.edges.target[call]))
                    found[CallPath(ids, (graph.edge(back if back >= 0 else row), graph.edge(call)))] = None
    return tuple(found)


MAX_LINES = 8
"""Maximal number of source lines shown for one edge. `edge.sites` has all of its sites."""

_USING: tuple[EdgeKind, ...] = ("CALLS", "USES")
_OVER: tuple[EdgeKind, ...] = ("OVERRIDES", "IMPLEMENTS")
_ORDER = tuple(EDGE_VERBS)


def explain(
    graph: CodeGraph,
    source: str,
    target: str,
    text_of: Callable[[str], str],
    overloads: tuple[Iterable[str], Iterable[str]] = ((), ()),
) -> Why:
    """Return the known facts about how the symbol `source` uses the symbol `target`.

    If the target is a type, uses of its members count as uses of the type. If the source is a type or function,
    uses inside its nested definitions count as uses by the source. `overloads` are further symbols that the name of the
    source, and that of the target, means. `text_of` returns the text of an indexed file.
    """
    sources, targets = (source, *overloads[0]), (target, *overloads[1])
    starts, named = _as_source(graph, sources), [*map(graph.vertex, targets)]
    ends = [end for end in _as_target(graph, targets) if end in named or end not in starts]
    backs = _as_source(graph, targets), _as_target(graph, sources)
    links = _because(_between(graph, starts, ends), text_of)
    back = _because(_between(graph, *backs), text_of)
    known = [b for b in links if b.edge.confidence >= RESOLVED_CONFIDENCE - 1e-6]
    through = () if known else _through(graph, starts, ends)
    around = () if known or through else tuple(w for each in sources for w in wrapped(graph, graph.vertex(each), ends))
    name = graph.catalog.symbol(target).name
    unresolved = tuple(each for each in graph.unresolved.within(starts) if each.name == name)
    path, reverse, weak = None, False, False
    if not known and not through and not around and source != target:
        path = _chain(graph, starts, ends, RESOLVED_CONFIDENCE)
        if path is None and not back:
            path = _chain(graph, *backs, RESOLVED_CONFIDENCE)
            reverse = path is not None
            path = path and CallPath(path.symbol_ids[::-1], path.edges[::-1])
        if path is None and not back:
            path = _chain(graph, starts, ends, 0.0)
            weak = path is not None
    explained = bool(known or through or around) or source == target
    mentions = () if explained else _mentions(graph, starts, sources, target, text_of)
    holding: tuple[tuple[Finding, bool], ...] = (
        ("same", source == target and not links),
        ("edge", bool(known)),
        ("override", bool(through)),
        ("wrapped", bool(around)),
        ("possible", bool(links or unresolved)),
        ("path", path is not None and not reverse and not weak),
        ("possible", bool(mentions) or weak),
        ("back", bool(back) or reverse),
    )
    verdict: Finding = next((each for each, holds in holding if holds), "absent")
    why = Why(source, target, verdict, "", tuple(links), tuple(back), through or around, path, unresolved, mentions)
    return replace(why, summary=_summary(graph, why))


# --------------------------------------------------------------------------- connections


def _as_source(graph: CodeGraph, symbol_ids: Iterable[str]) -> list[int]:
    return list(inside(graph, map(graph.vertex, symbol_ids)))


def _as_target(graph: CodeGraph, symbol_ids: Sequence[str]) -> list[int]:
    """Return the vertices of the symbols and, for types and modules, of their members: what uses these uses them."""
    made = seeds_of(graph, symbol_ids, RELATING["callers"])
    holders = [vertex for vertex in made if graph.symbol(vertex).kind in (*TYPE_KINDS, "module")]
    return list(dict.fromkeys((*made, *inside(graph, holders, modules=True))))


def _chain(graph: CodeGraph, starts: Sequence[int], ends: Sequence[int], minimum: float) -> CallPath | None:
    """Return a shortest chain of calls from a vertex in `starts` to a vertex in `ends`; None if there is none."""
    search = PathSearch(graph, minimum=minimum)
    reached = search.distances(starts, "out")
    end = min((end for end in ends if end in reached and end not in starts), key=reached.__getitem__, default=None)
    if end is None:
        return None
    left = search.distances((end,), "in")
    start = min((start for start in starts if start in left), key=left.__getitem__)
    search = replace(search, longest=reached[end] + 1)
    return next(iter(search.paths(graph.symbol(start).id, graph.symbol(end).id, 1)), None)


def _between(graph: CodeGraph, starts: Sequence[int], ends: Sequence[int]) -> list[Edge]:
    """Return the edges from a vertex in `starts` to a vertex in `ends`: calls first, then by kind and confidence."""
    wanted = frozenset(ends)
    rows = (row for start in starts for row in graph.incident(start, "out") if graph.edges.target[row] in wanted)
    edges = [graph.edge(row) for row in dict.fromkeys(rows)]
    return sorted(edges, key=lambda edge: (_ORDER.index(edge.kind), -edge.confidence))


def _because(edges: Iterable[Edge], text_of: Callable[[str], str]) -> list[Because]:
    parts = (part for edge in edges for part in edge.by_rule)
    return [Because(part, RULES[part.rule].words, _lines(part.sites, text_of)) for part in parts]


def _lines(sites: Sequence[Site], text_of: Callable[[str], str]) -> tuple[SourceLine, ...]:
    found, texts = [], dict[str, list[str]]()
    for site in dict.fromkeys(sites[:MAX_LINES]):
        lines = texts.setdefault(site.path, text_of(site.path).split("\n") if site.path not in texts else [])
        text = lines[site.line - 1].rstrip("\r") if 0 < site.line <= len(lines) else ""
        found.append(SourceLine(site.path, site.line, text))
    return tuple(found)


def _through(graph: CodeGraph, starts: Sequence[int], ends: Sequence[int]) -> tuple[CallPath, ...]:
    """Return paths to a target in `ends` over a method that the source calls and that is related to the target.

    The called method overrides the target, or the target overrides or implements the called method.
    """
    around = {graph.other(row, end): row for end in ends for row in graph.incident(end, "both", _OVER)}
    found = []
    for start in starts:
        for row in graph.incident(start, "out", ("CALLS",), RESOLVED_CONFIDENCE):
            between = graph.edges.target[row]
            if between in around and between not in ends:
                over = graph.edge(around[between])
                last = over.source if over.target == graph.symbol(between).id else over.target
                ids = (graph.symbol(start).id, graph.symbol(between).id, last)
                found.append(CallPath(ids, (graph.edge(row), over)))
    return tuple(found)


def _mentions(
    graph: CodeGraph, starts: Sequence[int], sources: Iterable[str], target: str, text_of: Callable[[str], str]
) -> tuple[PossibleUse, ...]:
    """Return the lines in the source symbols with the target's name, and the symbols that each line uses."""
    wanted = graph.catalog.symbol(target)
    if wanted.kind == "lambda" or not wanted.name:
        return ()
    there: dict[Site, dict[str, None]] = {}
    for row in (row for start in starts for row in graph.incident(start, "out", _USING)):
        for site in graph.edge(row).sites:
            there.setdefault(site, {})[graph.symbol(graph.edges.target[row]).fqn] = None
    word = re.compile(rf"(?<!\w){re.escape(wanted.name)}(?!\w)")
    found = []
    for symbol in map(graph.catalog.symbol, sources):
        if not symbol.path or (symbol.kind == "module" and family_of(symbol.language)):
            continue  # the imports of a module of code have edges, so that other mentions in it say little
        lines = text_of(symbol.path).split("\n")
        for number in range(symbol.span.start_line, min(symbol.span.end_line, len(lines)) + 1):
            text = lines[number - 1].strip()
            if word.search(text.partition(symbol.name)[2] if number == symbol.line else text):  # not its own name
                site = Site(symbol.path, number)
                found.append(PossibleUse(site, "name", False, text[:MAX_LINE], tuple(there.get(site, ()))))
    return tuple(found[:MAX_LINES])


# --------------------------------------------------------------------------- in words


def _summary(graph: CodeGraph, why: Why) -> str:
    source, target = graph.catalog.symbol(why.source).fqn, graph.catalog.symbol(why.target).fqn
    if why.verdict == "same":
        return f"both names mean {source}, which does not use itself"
    if why.verdict == "edge":
        best = why.links[0].edge
        same = [link.edge for link in why.links if link.edge.kind == best.kind]
        number = len({site for edge in same if edge.certainty == best.certainty for site in edge.sites})
        weaker = len({site for edge in same for site in edge.sites}) - number
        places = f"{number} place{'' if number == 1 else 's'}{f' and may at {weaker} more' if weaker else ''}"
        return f"{source} {best.verb} {target} at {places}"
    if why.verdict == "override":
        between = graph.catalog.symbol(why.through[0].symbol_ids[1]).fqn
        over = why.through[0].edges[1]
        above = over.target == why.through[0].symbol_ids[1]
        joined = f"which {target} overrides" if above else f"which overrides {target}"
        return f"{source} calls {between}, {joined}; no edge leads to {target} itself"
    if why.verdict == "wrapped":
        between = graph.catalog.symbol(why.through[0].symbol_ids[1]).fqn
        if why.through[0].edges[0].source == why.through[0].symbol_ids[1]:
            runs = f"runs inside {between}, its decorator's wrapper, which calls {target}"
            return f"{source} does not call {target} itself, but {runs}"
        return f"{source} does not call {target} itself; its decorator {between} calls it when {source} is defined"
    if why.verdict in ("possible", "path"):
        return _of_possible(graph, why)
    if why.verdict == "back" and not why.back and why.path is not None:
        return f"{source} does not use {target}; {target} {_reaching(why.path, source)}"
    if why.verdict == "back":
        return f"{source} does not use {target}; {target} {EDGE_VERBS[why.back[0].edge.kind]} {source}"
    looked = "no use of the second in the first, no line with its name, and no chain of calls"
    return f"No connection from {source} to {target} is known: there is {looked}"


def _reaching(path: CallPath, end: str) -> str:
    """Return ``may reach b through 2 calls`` for a chain of calls, which is as sure as its least sure call."""
    weakest = min(path.edges, key=lambda edge: edge.confidence)
    verb = {"certain": "reaches", "likely": "likely reaches", "possible": "may reach"}[weakest.certainty]
    return f"{verb} {end} through {len(path.edges)} calls"


def _of_possible(graph: CodeGraph, why: Why) -> str:
    source, target = graph.catalog.symbol(why.source).fqn, graph.catalog.symbol(why.target).fqn
    if why.links:
        return f"{source} {why.links[0].edge.verb} {target}{basis_of(why.links[0].edge.rule)}"
    name, number = graph.catalog.symbol(why.target).name, len(why.unresolved)
    if number:
        calls = "1 call" if number == 1 else f"{number} calls"
        return f"{source} may use {target}: {calls} of `{name}` in it could not be resolved"
    if why.path is not None and (why.verdict == "path" or not why.mentions):
        return f"{source} does not use {target} itself, but {_reaching(why.path, 'it')}"
    use = why.mentions[0]
    leads = f", which resolves to {use.targets[0]}" if use.targets else ""
    return f"No edge from {source} to {target}, but `{name}` occurs at {use.site.path}:{use.site.line}{leads}"
