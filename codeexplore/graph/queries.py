"""Graph queries. Each answer is a record.

The queries are callers, callees, implementors, subtypes, uses and imports of symbols, the impact of a change, and paths
between symbols. Every answer separates resolved edges from edges that are only possible by name. If an answer is empty,
it explains why.

The symbols from which a query starts are its *seeds*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import MAX_POSSIBLE, RELATING, Walk, relation_of, seeds_of
from codeexplore.graph.traversal import walk as traverse
from codeexplore.graph.usage.absence import NAMED, notes
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import Question
from codeexplore.graph.usage.verdict import Found, verdict
from codeexplore.index.catalog import Catalog
from codeexplore.languages.registry import record_of
from codeexplore.text.enumeration import shortened
from codeexplore.types import (
    TYPE_KINDS,
    Direction,
    Edge,
    EdgeKind,
    Reached,
    Site,
    StoryStep,
    Subgraph,
    Symbol,
    Unresolved,
    settings,
)
from codeexplore.types.errors import QuestionError


def walk(
    graph: CodeGraph,
    relation: str,
    seeds: Sequence[str],
    *,
    depth: int | None = None,
    direction: Direction | None = None,
    minimum: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
    limit: int = settings.MAX_GRAPH_VERTICES,
    kinds: Sequence[EdgeKind] | None = None,
    usage_evidence: UsageEvidenceTable | None = None,
    listed: bool = True,
) -> Subgraph:
    """Return the symbols that have the given relation to the seeds, as the answer to a query.

    `relation` is one of callers, callees, implementors, subclasses, overrides, uses, imports, impact, around, and the
    `seeds` are symbol ids. `depth`, `direction` and `kinds` replace those of the relation: with "out", imports finds
    the modules that a module imports. Edges below the confidence `minimum` are not followed, but listed as possible;
    without `tests`, nor are those from test files. At most `limit` symbols are listed, and further ones counted.
    The verdict says what is not listed, unless something else than the result is `listed`.
    Without `usage_evidence`, only names and decorators tell, for `notes`, what code outside the repository may use.

    Raises QuestionError if the relation is unknown, or the depth is below 1.
    """
    if relation not in RELATING:
        raise QuestionError(f"unknown relation {relation!r:.80}; known relations are {', '.join(RELATING)}")
    if depth is not None and depth < 1:
        raise QuestionError(f"depth must be at least 1, not {depth}; leave it out for the default")
    relating = relation_of(graph, relation, seeds)
    relating = replace(relating, kinds=tuple(kinds or relating.kinds), direction=direction or relating.direction)
    starts = seeds_of(graph, seeds, relating)
    levels = depth if depth is not None else relating.depth
    follow = partial(traverse, graph, relating=relating, tests=tests)
    walked = follow(starts, depth=levels, minimum=minimum, limit=limit)
    known = usage_evidence or UsageEvidenceTable(graph)
    symbols = tuple(graph.catalog.symbol(seed) for seed in seeds)
    asked = Question(graph, relation, relating, symbols, known, minimum, tests)
    asked = replace(asked, possible=_possible(asked, walked), unresolved=_unresolved(asked))
    inward = relation == "impact" and relating.direction == "in"
    _tell_constructors(asked, walked)
    reached = _reached(graph, walked, seeds)
    whole, everything = walked, len(graph.catalog.symbols) + 1
    if walked.cut or relation == "impact" or (depth or 1) > 1:
        whole = follow(starts, depth=None, minimum=minimum, limit=everything)
        _tell_constructors(asked, whole)
    wide = whole if levels == 1 else follow(whole.seeds, depth=levels, minimum=0.0, limit=everything)
    more = [v for v, level in wide.depth.items() if level > 1 and v not in whole.depth]  # not those that are listed
    own = {graph.vertex(seed) for seed in seeds} | walked.seeds.keys()
    near = (vertex for vertex in whole.confidence if levels is None or whole.depth[vertex] <= levels)
    sure_of = [whole.confidence[vertex] for vertex in near if vertex not in own]
    left_out = len(sure_of) - len(reached) + len({*seeds})
    among = _among(asked)
    further = len(whole.depth) - len(whole.seeds)
    found = Found(sure_of + among, further, levels, left_out if listed else 0, len(among), listed)
    said = verdict(asked, found)
    others = (note for note in notes(asked) if note[1:] not in said.text)  # its clauses
    beyond = (_not_followed(asked, wide, more),) if more else ()
    told = (*beyond, *others, *(_ends(graph, walked, known) if inward else ()))
    edges, tested = tuple(map(graph.edge, walked.rows)), relation == "impact" and tests
    return Subgraph(
        relation,
        tuple(seeds),
        reached,
        edges,
        asked.possible,
        asked.unresolved,
        said,
        left_out,
        relating.direction,
        told,
        _tests(graph, whole) if tested else (),
        len(_tests(graph, wide if more else whole)) if tested else 0,
    )


def in_order(
    callees: Subgraph, catalog: Catalog, line_of: Callable[[Site], str], limit: int = 200
) -> tuple[StoryStep, ...]:
    """Return the calls of a walk to callees in the order of the lines, each symbol's own calls after it, once a start.

    `line_of` returns the text of a line, whose calls come in the order in which they run: arguments first. Calls that
    wait until their function ends come last, the last one first.
    Where a call reaches implementations, the declaration without a body that they implement is left out.
    A story that begins in the program does not lead to the doubles of its tests. A function without a name is left out,
    unless nothing else is called; what it calls stands in its place.
    """
    calls: dict[str, list[Edge]] = {}
    named = {each for pair in callees.edges for each in (pair.source, pair.target)}
    tested = {each for each in named if catalog.roles.is_test_symbol(catalog.symbol(each))}
    tested = set() if tested.intersection(callees.seeds) else tested
    turns = [_turn(edge, catalog, line_of) for edge in callees.edges if edge.target not in tested]
    edges, late = [edge for edge, _ in turns], {edge for edge, waits in turns if waits}
    names = {edge.target: _called_name(catalog, catalog.symbol(edge.target)) for edge in edges}
    unnamed = all(catalog.symbol(each).kind == "lambda" for each in names)
    ends = {e: [(*at, _end_of_call(line_of(at), names[e.target])) for at in e.sites[:1]] for e in edges}
    ordered = sorted(edges, key=ends.__getitem__)
    for edge in (
        *(each for each in ordered if each not in late),
        *(each for each in reversed(ordered) if each in late),
    ):
        calls.setdefault(edge.source, []).append(edge)
    found, seeds = list[StoryStep](), map(catalog.symbol, callees.seeds)
    for seed in (each.id for each in sorted(seeds, key=lambda each: (each.path, each.line))):
        depth = {seed: 0}
        for each in (nearest := [seed]):
            further = [edge.target for edge in calls.get(each, ()) if edge.target not in depth]
            depth |= dict.fromkeys(further, depth[each] + 1)
            nearest += dict.fromkeys(() if each in callees.seeds and each != seed else further)
        told, waiting = {seed}, [(1, edge) for edge in reversed(calls.get(seed, ()))]
        while waiting and len(found) < limit:
            level, edge = waiting.pop()
            implemented = edge.rule != _IMPLEMENTING and edge.target not in calls
            stub = implemented and any(e.rule == _IMPLEMENTING and e.sites == edge.sites for e in calls[edge.source])
            if edge.target in told or stub or level > depth[edge.target]:  # it stands where the shortest way leads
                continue
            told.add(edge.target)
            if shown := unnamed or catalog.symbol(edge.target).kind != "lambda":
                found.append(StoryStep(level, edge.target, edge, seed))
            own = calls.get(edge.target, ()) if edge.target not in callees.seeds else ()  # it has its own story
            waiting += [(level + shown, each) for each in reversed(own)]
    return tuple(found)


def _turn(edge: Edge, catalog: Catalog, line_of: Callable[[Site], str]) -> tuple[Edge, bool]:
    """Return a call with the places last that wait until the function around them ends, and True if all of them do."""
    form = record_of(catalog.symbol(edge.source).language).late_calls
    if form is None:
        return edge, False
    around = {at: catalog.at(*at) for at in edge.sites}
    begins = {at: at if s is None or s.kind != "lambda" else Site(s.path, s.line) for at, s in around.items()}
    late = tuple(at for at in edge.sites if form.match(line_of(at)) or form.match(line_of(begins[at])))
    prompt = tuple(at for at in edge.sites if at not in late)
    return replace(edge, sites=(*prompt, *late)), bool(late) and not prompt


def _called_name(catalog: Catalog, symbol: Symbol) -> str:
    """Return the name in a call of a symbol: that of its type for a constructor."""
    made = symbol.parent is not None and symbol.name in record_of(symbol.language).constructors
    return catalog.symbol(symbol.parent or "").name if made else symbol.name


_LONGEST_CALL: Final = 2_000  # characters


def _end_of_call(line: str, name: str) -> int:
    """Return where the first call of `name` in a line ends; the end of the line if it does not end there."""
    called = re.search(rf"(?<!\w){re.escape(name)}\s*(?=\()", line)
    depth = 0
    for place in range(called.end(), min(len(line), called.end() + _LONGEST_CALL)) if called is not None else ():
        depth += (line[place] == "(") - (line[place] == ")")
        if not depth:
            return place
    return len(line)


_IMPLEMENTING: Final = "override"  # rule of a call of a method without a body


def _among(asked: Question) -> list[float]:
    """Return the confidences of the seeds that have the relation to another seed, such as one ``run`` to another."""
    graph, relating = asked.graph, asked.relating
    vertices = {graph.vertex(symbol.id) for symbol in asked.symbols}
    if len(vertices) < 2 or relating.direction == "both":
        return []
    ends = graph.edges.source if relating.direction == "in" else graph.edges.target
    found: dict[int, float] = {}
    for vertex in vertices:
        for row in graph.incident(vertex, relating.direction, relating.kinds, asked.minimum, asked.tests):
            if (end := int(ends[row])) in vertices - {vertex}:
                found[end] = max(found.get(end, 0.0), graph.edge(row).confidence)
    return list(found.values())


# --------------------------------------------------------------------------- contents of an answer


def _tell_constructors(asked: Question, walked: Walk) -> None:
    """List members that use the type around them, which is asked about, as reached, although the walk started there.

    Of the members from which the walk of `impact` starts, only those that make the type are listed.
    """
    relation, edges = asked.relation, asked.graph.edges
    named = {asked.graph.vertex(symbol.id) for symbol in asked.symbols}
    for row in walked.rows if relation in ("uses", "impact") and asked.relating.direction == "in" else ():
        member, made = edges.source[row], edges.target[row]
        listed = relation == "uses" or edges.manner(row) == "new"
        if listed and made in named and member not in named and member in walked.seeds:
            del walked.seeds[member]
            walked.depth[member], walked.via[member], walked.row[member] = 1, made, row
            walked.confidence[member] = edges.confidence[row]


def _reached(graph: CodeGraph, walked: Walk, seeds: Sequence[str]) -> tuple[Reached, ...]:
    """Return the seeds (no constructors or members), then the rest by depth, confidence and importance."""
    order = sorted(
        (v for v in walked.depth if v not in walked.seeds),
        key=lambda v: (walked.depth[v], -round(walked.confidence[v], 6), -graph.ranks[v], v),
    )
    named = {graph.vertex(seed) for seed in seeds}
    fallback = graph.vertex(seeds[0]) if seeds else -1

    def via_of(vertex: int) -> str:
        via = walked.via[vertex]
        if via in walked.seeds and via not in named:  # a constructor added for its type: name the type
            parent = graph.symbol(via).parent
            via = graph.vertex(parent) if parent is not None and graph.vertex(parent) in named else fallback
        return graph.symbol(via).id

    first = [Reached(seed, 0, None, 1.0) for seed in dict.fromkeys(seeds)]
    rest = [Reached(graph.symbol(v).id, walked.depth[v], via_of(v), round(walked.confidence[v], 3)) for v in order]
    return (*first, *rest)


def _possible(asked: Question, walked: Walk) -> tuple[Edge, ...]:
    """Return the edges at the seeds with a confidence below the requested one, highest confidence first."""
    graph, kinds, direction = asked.graph, asked.relating.kinds, asked.relating.direction
    confidence = graph.edges.confidence
    rows = (row for vertex in walked.seeds for row in graph.incident(vertex, direction, kinds, tests=asked.tests))
    weak = dict.fromkeys(row for row in rows if confidence[row] < asked.minimum - 1e-6)
    ordered = sorted(weak, key=lambda row: (-confidence[row], row))
    return tuple(graph.edge(row) for row in ordered[:MAX_POSSIBLE])


def _not_followed(asked: Question, wide: Walk, more: Sequence[int]) -> str:
    """Return a sentence on the symbols `more`, to which only `wide` leads: it also follows uncertain edges."""
    weakest = min(wide.confidence[vertex] for vertex in more)  # of all steps that lead to one
    symbols, them = ("1 more symbol", "it") if len(more) == 1 else (f"{len(more):,} more symbols", "them")
    return (
        f"{symbols} may be reached by less certain steps, which were not followed: {asked.relation} with "
        f"min_confidence={round(weakest, 6):g} (--min-confidence {round(weakest, 6):g}) includes {them}."
    )


def _ends(graph: CodeGraph, walked: Walk, known: UsageEvidenceTable) -> tuple[str, ...]:
    """Return a sentence on the last members that a walk reached whose callers are code of outside supertypes."""
    led = set(walked.via.values())
    last = (graph.symbol(vertex) for vertex in walked.depth if vertex not in led and vertex not in walked.seeds)
    methods = (symbol for symbol in islice(last, MAX_POSSIBLE) if symbol.kind == "method")
    said = list(dict.fromkeys(symbol.fqn for symbol in methods if known.outside.from_above(symbol)))
    macros = (symbol for symbol in map(graph.symbol, walked.depth) if symbol.kind == "function")
    made = {symbol.fqn: traits for symbol in islice(macros, MAX_POSSIBLE) if (traits := known.implemented(symbol))}
    found = [f"The steps end at {shortened(said, NAMED)}, which a supertype outside this repository may call."]
    return (
        *(found if said else ()),
        *(f"Calls of methods of {shortened(t, NAMED)} may run what the macro {n} writes." for n, t in made.items()),
    )


def _unresolved(asked: Question) -> tuple[Unresolved, ...]:
    """Return the references that have the name of a symbol asked about and that no rule could resolve."""
    if asked.relation not in ("callers", "uses", "impact") or asked.relating.direction == "out":
        return ()
    found: list[Unresolved] = []
    catalog = asked.graph.catalog
    for name in dict.fromkeys(symbol.name for symbol in asked.own):
        files = {symbol.path if catalog.is_of_file(symbol) else "" for symbol in asked.own if symbol.name == name}
        found.extend(
            each
            for each in asked.graph.unresolved.named(name)
            if ("" in files or each.site.path in files) and (asked.tests or not catalog.is_test_line(*each.site))
        )
    return tuple(found[:MAX_POSSIBLE])


def _tests(graph: CodeGraph, everything: Walk) -> tuple[str, ...]:
    """Return the tests that a walk without limits has reached: functions, or files for code outside of them."""
    catalog = graph.catalog
    found, kinds = dict[str, None](), ("lambda", "module", *TYPE_KINDS)
    for vertex in sorted(everything.depth):
        symbol = graph.symbol(vertex)
        if vertex in everything.seeds:
            continue
        around = catalog.function_around(symbol)  # of a lambda
        if around is not None and catalog.is_test(around):
            found[around.id] = None
        elif around is None and symbol.kind in kinds and catalog.is_test_file(symbol.path):
            found[catalog.in_file(symbol.path)[0].id] = None  # a callback of describe(), or code at the top of a script
    return tuple(found)
