"""Paths between two symbols, with the verdict on them: found, possible, or none.

`missing_paths` explains why there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.paths import MAX_PATH_SYMBOLS, PathSearch
from codeexplore.graph.traversal import RELATING, seeds_of
from codeexplore.graph.usage.absence import CALLS, NAMED, at_places, many
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.missing_paths import apart, of_paths, path_names
from codeexplore.types import TYPE_KINDS, CallPath, EdgeKind, PathsFound, PossibleUse, Verdict, VerdictKind
from codeexplore.types.certainty import CERTAINTIES, certainty, counted
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_MOST_ENDS: Final = 20  # symbols of each end, of those that edges connect, between which paths are looked for


def _to_made_types(
    search: PathSearch, sources: Sequence[str], targets: Sequence[str], reached: Mapping[int, int], limit: int
) -> list[CallPath]:
    """Return the paths to code that makes an object of a target, whose constructor is that of a supertype."""
    graph, found = search.graph, list[CallPath]()
    for target in (each for each in targets if graph.catalog.symbol(each).kind in TYPE_KINDS):
        rows = graph.incident(graph.vertex(target), "in", ("USES",), RESOLVED_CONFIDENCE)
        for row in (row for row in rows if graph.edges.manner(row) == "new" and graph.edges.source[row] in reached):
            maker, edge = graph.symbol(graph.edges.source[row]).id, graph.edge(row)
            for one in sources:
                before = [CallPath((one,), ())] if one == maker else search.paths(one, maker, limit)
                found += [CallPath((*path.symbol_ids, target), (*path.edges, edge)) for path in before]
    return sorted(found, key=lambda path: len(path.edges))


def paths_between(
    graph: CodeGraph,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    limit: int = 10,
    kinds: Sequence[EdgeKind] = CALLS,
    minimum: float = RESOLVED_CONFIDENCE,
    tests: bool = True,
    longest: int = MAX_PATH_SYMBOLS,
    usage_evidence: UsageEvidenceTable | None = None,
) -> PathsFound:
    """Return the paths from one of `sources` to one of `targets`, with the verdict on them.

    The ends of an ambiguous name are all tried with one kind of evidence before the next kind: edges of at least the
    confidence `minimum`, edges of any confidence, and unresolved calls. The verdict "none" means that no call can
    connect the ends. Two sets decide: the symbols that a source reaches over edges of any confidence, and those that
    lead to a target, also over unresolved calls and names built at run time. No unresolved call in the first set may
    have the name of a symbol in the second set, and no uncertain one that of a method there; the answer lists such
    calls, nearest to the source first. With `usage_evidence`, the names are also searched in the texts, and code
    outside the repository may connect the ends.

    Only with the verdict "none", the paths lead in the opposite direction or over other relations.
    """
    vertex, search = graph.vertex, PathSearch(graph, tuple(kinds), minimum, tests, longest)
    weaker = replace(search, minimum=0.0)
    made = seeds_of(graph, targets, RELATING["callers"])  # with the constructors of types
    targets = [graph.symbol(each).id for each in made]
    lead = weaker.distances(made, "in")
    leading = [one for one in sources if vertex(one) in lead][:_MOST_ENDS] or sources[:_MOST_ENDS]
    reached = weaker.distances(map(vertex, leading), "out")
    tried = [other for other in targets if vertex(other) in reached][:_MOST_ENDS] or targets[:_MOST_ENDS]
    ends = [(one, other) for one in leading for other in tried if one != other]
    if not ends:
        return PathsFound(sources[0], targets[0], (), Verdict("none", "Both names mean this one symbol."))
    before = {other: weaker.distances((vertex(other),), "in") for other in tried}
    linked = [(one, other) for one, other in ends if vertex(one) in before[other]]
    linked.sort(key=lambda pair: before[pair[1]][vertex(pair[0])])
    found: list[CallPath] = []  # of all pairs, such as overloads; a path through another end contains that end's path
    for one, other in linked:
        if len(found) >= limit and before[other][vertex(one)] > len(found[limit - 1].edges):
            break
        new = search.paths(one, other, limit)
        found += [path for path in new if {*path.symbol_ids[1:-1]}.isdisjoint((*leading, *tried))]
        found.sort(key=lambda path: len(path.edges))
    found = found or _to_made_types(search, leading, targets, reached, limit)
    if found:
        first = found[0].symbol_ids
        return _with_verdict(graph, PathsFound(first[0], first[-1], tuple(found[:limit])), limit)
    best: PathsFound | None = None
    for one, other in linked[:_MOST_ENDS]:
        uncertain = search.weaker_paths(one, other, limit)
        if uncertain and (best is None or _least(uncertain) > _least(best.paths)):
            best = PathsFound(one, other, uncertain)
    if best is not None:
        return _with_verdict(graph, best, limit, minimum)
    if linked:
        sure = search.distances(map(vertex, leading), "out")
        certain = any(vertex(one) in sure for _, one in linked)
        said = f"No {'short' if certain else 'certain'} path from {path_names(graph.catalog, sources, targets)}"
        which = "path" if certain else "path over uncertain calls"
        far = f"a {which} has more than {longest} symbols, and such paths are not listed"
        return PathsFound(*linked[0], (), of_paths("possible", said, far))
    beside = (PathsFound(*pair, search.paths_beside(*pair, limit)) for pair in ends[:NAMED])
    found_beside = next((found for found in beside if found.paths), PathsFound(*ends[0]))
    return apart(weaker, sources, targets, lead, found_beside, usage_evidence or UsageEvidenceTable(graph))


def _least(found: Sequence[CallPath]) -> float:
    return min(edge.confidence for path in found for edge in path.edges)


def _with_verdict(graph: CodeGraph, found: PathsFound, limit: int, minimum: float = 0.0) -> PathsFound:
    """Return the paths with their verdict. Paths over edges below `minimum` are only possible."""
    words = Counter(certainty(_least([path])) for path in found.paths)
    number, first = len(found.paths), found.paths[0]
    weak = _weak_steps(graph, first, minimum)
    counts = (0, 0, number) if weak else (words["certain"], words["likely"], words["possible"])
    alone = next((word for word, count in zip(CERTAINTIES, counts, strict=True) if count == number), "")
    more = " or more" if number == limit > 1 else ""
    adjective = "" if alone in ("", "certain") else f"{alone} "
    said = f"{number}{more} {adjective}path{'' if number == 1 else 's'}"
    said += f" from {path_names(graph.catalog, (found.source,), (found.target,))}"
    said += "" if alone else f" ({counted(words)})"
    names = " → ".join(graph.catalog.symbol(symbol_id).name for symbol_id in first.symbol_ids)
    calls = many(first.edges, "step" if any(edge.kind != "CALLS" for edge in first.edges) else "call")
    why = f"{'it' if number == 1 else 'the shortest'} has {calls}, {names}"
    why += f"; uncertain{at_places(weak, 3)}" if weak else ""
    least = round(_least(found.paths), 6) if weak else None
    kind: VerdictKind = "possible" if weak else "found"
    verdict = of_paths(kind, said, why, mentions=weak, min_confidence=least, counts=counts, whole=number)
    return replace(found, verdict=verdict)


def _weak_steps(graph: CodeGraph, path: CallPath, minimum: float) -> tuple[PossibleUse, ...]:
    """Return the first site of each edge on `path` whose confidence is below `minimum`."""
    weak = [edge for edge in path.edges if edge.confidence < minimum - 1e-6]
    named = ((edge.sites[0], graph.catalog.symbol(edge.target).fqn) for edge in weak if edge.sites)
    return tuple(PossibleUse(site, "call", False, "", (name,)) for site, name in named)
