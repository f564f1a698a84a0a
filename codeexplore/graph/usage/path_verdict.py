"""Paths between two symbols, with the verdict on them: found, possible, or none, and why there is none.

The walk for a missing path goes back from the target. Of each symbol that leads there it asks what `absence` asks of
callers: which places may call it, may code run it without its name, and is it handed on as a value. The functions
around these places lead there, too. No path leads from a source that this walk does not meet.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import cut_short
from codeexplore.graph.traversal import (
    MAX_PATH_SYMBOLS,
    MAX_POSSIBLE,
    RELATING,
    PathSearch,
    decorators_of,
    inside,
    is_constructor,
    leads_back,
    seeds_of,
)
from codeexplore.graph.usage.absence import CALLS, DECLARED, NAMED, at_places, many, overriders, unnamed_below
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import (
    NameUses,
    finds_private,
    in_documentation,
    knows_types,
    means_local,
    overridden,
)
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import STUBS, is_external, shown_name
from codeexplore.languages.registry import record_of, rules_of
from codeexplore.names.mentions import in_string
from codeexplore.text.enumeration import shortened
from codeexplore.types import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    VALUE_KINDS,
    CallPath,
    EdgeKind,
    PathsFound,
    PossibleUse,
    Site,
    Symbol,
    Verdict,
    VerdictKind,
)
from codeexplore.types.certainty import CERTAINTIES, LIKELY, certainty, counted
from codeexplore.types.graph import UseForm
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_MOST_ENDS: Final = 20  # symbols of each end, of those that edges connect, between which paths are looked for
_MOST_ASKED: Final = 400  # symbols that lead to a target whose callers are looked for
_HANDING: Final = frozenset({"read", "argument", "callback", "return", "decorator"})  # of a type as a value


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
        said = f"No {'short' if certain else 'certain'} path from {_path_names(graph.catalog, sources, targets)}"
        which = "path" if certain else "path over uncertain calls"
        far = f"a {which} has more than {longest} symbols, and such paths are not listed"
        return PathsFound(*linked[0], (), _of_paths("possible", said, far))
    beside = (PathsFound(*pair, search.paths_beside(*pair, limit)) for pair in ends[:NAMED])
    found_beside = next((found for found in beside if found.paths), PathsFound(*ends[0]))
    return _apart(weaker, sources, targets, lead, found_beside, usage_evidence or UsageEvidenceTable(graph))


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
    said += f" from {_path_names(graph.catalog, (found.source,), (found.target,))}"
    said += "" if alone else f" ({counted(words)})"
    names = " → ".join(graph.catalog.symbol(symbol_id).name for symbol_id in first.symbol_ids)
    calls = many(first.edges, "step" if any(edge.kind != "CALLS" for edge in first.edges) else "call")
    why = f"{'it' if number == 1 else 'the shortest'} has {calls}, {names}"
    why += f"; uncertain{at_places(weak, 3)}" if weak else ""
    least = round(_least(found.paths), 6) if weak else None
    kind: VerdictKind = "possible" if weak else "found"
    verdict = _of_paths(kind, said, why, mentions=weak, min_confidence=least, counts=counts, whole=number)
    return replace(found, verdict=verdict)


def _weak_steps(graph: CodeGraph, path: CallPath, minimum: float) -> tuple[PossibleUse, ...]:
    """Return the first site of each edge on `path` whose confidence is below `minimum`."""
    weak = [edge for edge in path.edges if edge.confidence < minimum - 1e-6]
    named = ((edge.sites[0], graph.catalog.symbol(edge.target).fqn) for edge in weak if edge.sites)
    return tuple(PossibleUse(site, "call", False, "", (name,)) for site, name in named)


# --------------------------------------------------------------------------- no path


def _apart(
    search: PathSearch,
    sources: Sequence[str],
    targets: Sequence[str],
    lead: Mapping[int, int],
    beside: PathsFound,
    usage_evidence: UsageEvidenceTable,
) -> PathsFound:
    """Return the verdict on ends that no edges connect: places in the source may, or nothing does.

    `search` follows edges of any confidence. `lead` has the symbols that lead to a target, with their distances.
    `beside` are paths against the arrows or over edges of other relations. They are kept only if nothing may connect
    the ends.
    """
    catalog = search.graph.catalog
    names = _path_names(catalog, sources, targets)
    walk = _Back(search, sources, lead, usage_evidence)
    if clauses := walk.clauses():
        said, places = f"No certain path from {names}", walk.places()
        return replace(beside, paths=(), verdict=_of_paths("possible", said, "; ".join(clauses), mentions=places))
    if all(catalog.symbol(each).path.endswith(STUBS) for each in sources):
        return replace(beside, paths=(), verdict=_of_paths("unknown", f"No known path from {names}", DECLARED))
    after, before = walk.certain, len(lead) - len(targets)
    leads = f"{before:,} lead" if before > 1 else "1 leads" if before else "none leads"
    more = f"calls from the first reach {many(range(after), 'symbol')}, {leads} to the second"
    why = f"{more}, and no unresolved call connects them"
    if beside.paths:
        where = "in the opposite direction" if leads_back(beside.paths[0], search.kinds) else "over other relations"
        why += f". {many(beside.paths, 'path')} {'leads' if len(beside.paths) == 1 else 'lead'} {where}"
    return replace(beside, verdict=_of_paths("none", f"No calls lead from {names}", why))


class _Back:
    """Walk from the targets back to everything that may call them, until it meets what the sources reach.

    `leading` has the symbols that may lead to a target. `found` has the places in reached symbols from which the walk
    came: calls, strings that are exactly a name, and values that are handed on. `outside` is a clause on code that
    runs what leads there without a place that is known.
    """

    def __init__(
        self, search: PathSearch, sources: Sequence[str], lead: Mapping[int, int], evidence: UsageEvidenceTable
    ) -> None:
        graph = search.graph
        self.search, self.graph, self.tests, self.evidence = search, graph, search.tests, evidence
        starts = [*map(graph.vertex, sources), *overriders(graph, sources)]
        around = inside(graph, [each for one in starts for each in decorators_of(graph, one)])  # they run with it
        further = [vertex for vertex in (*inside(graph, starts), *around) if vertex not in starts]
        self.certain = len(search.distances(starts, "out")) - len(starts)
        self.reached = search.distances((*starts, *further), "out")
        self._parts = self._lines_of_lambdas()
        self.leading = dict(lead)
        self.found: dict[UseForm, list[tuple[int, PossibleUse]]] = {"call": [], "string": [], "name": []}
        self.cut = self.handed = self.closed = False
        self._sites: dict[str, Sequence[Site]] = {}  # name of a symbol that was asked about → where it occurs
        self._around, self._values = cache(self._symbol_around), cache(self._values_used)
        self._lambdas = cache(lambda one: [v for v in inside(graph, [one]) if graph.symbol(v).kind == "lambda"])
        self._finder = NameUses(graph, evidence.mentions, self.tests, LIKELY, evidence.files)
        own = dict.fromkeys(starts[len(sources) :], "overrides it")
        own |= dict.fromkeys(further, "is defined in it") | dict.fromkeys(around, "decorates it")
        first = next((vertex for vertex in own if vertex in lead), None)
        self.outside = (
            "" if first is None else f"{shown_name(graph.symbol(first).fqn)}, which {own[first]}, leads there"
        )
        self._walk()

    def _walk(self) -> None:
        waiting, asked = sorted(self.leading, key=self.leading.__getitem__), 0
        while waiting and not (self.outside or any(self.found.values())):
            following, asking = list[int](), waiting[: _MOST_ASKED - asked]
            if self.evidence.mentions.has_texts:
                named = {symbol.name for symbol in map(self.graph.symbol, asking) if _is_named(symbol)}
                self._sites |= self.evidence.mentions.index(named)
            for vertex in asking:
                following += self._before(vertex)
            asked += len(waiting)
            self.cut = asked > _MOST_ASKED
            new = [] if self.cut else [each for each in following if each not in self.leading]
            before = self.search.distances(new, "in")
            waiting = [vertex for vertex in before if vertex not in self.leading]
            self.leading |= dict.fromkeys(waiting, len(self.leading))
        if not (self.outside or any(self.found.values())):
            self._note_evaluated()

    def _note_evaluated(self) -> None:
        """Note the reached code that runs a text, which may call anything of its language."""
        languages = {self.graph.symbol(vertex).language for vertex in self.leading}
        reached = {symbol.path: symbol.language for symbol in map(self.graph.symbol, self.reached)}
        files = sorted(path for path, language in reached.items() if language in languages)
        for site in (site for path in files for site in self.evidence.mentions.computed(path, "texts")):
            around = self._around(site)
            step = self._distance(self.graph.vertex(around.id), site) if around is not None else None
            if step is not None:
                self.found["call"].append((step, PossibleUse(site, "call", True, "")))

    def _lines_of_lambdas(self) -> Mapping[int, dict[tuple[str, int], int]]:
        """Return the lines of reached lambdas with their distances, by the function for which counts what they call."""
        found = defaultdict[int, dict[tuple[str, int], int]](dict)
        for vertex, distance in self.reached.items():
            symbol = self.graph.symbol(vertex)
            if symbol.kind == "lambda":
                lines = symbol.span.lines
                known = found[self.graph.vertex(self.graph.catalog.named_around(symbol).id)]
                known.update({(symbol.path, line): distance for line in lines if (symbol.path, line) not in known})
        return found

    def _distance(self, source: int, site: Site) -> int | None:
        """Return how far the code of `source` at a place is from the sources; None if they do not reach it."""
        return self.reached.get(source, self._parts.get(source, {}).get(site))

    @cached_property
    def _value_calls(self) -> list[tuple[int, PossibleUse]]:
        """The calls in reached symbols of what a variable, member or element holds, which is not known for sure."""
        graph, calls = self.graph, self.evidence.indirect.of_values
        steps = ((self._distance(graph.vertex(each.source), each.site), each) for each in calls)
        found = [
            (step, PossibleUse(each.site, "call", bool(each.receiver), ""))
            for step, each in steps
            if step is not None and not (step and each.name == "yield")  # what a reached caller gives has edges
        ]
        confidence, target = graph.edges.confidence, graph.edges.target
        for vertex, distance in self.reached.items():
            for row in graph.incident(vertex, "out", ("CALLS",)):
                if confidence[row] < LIKELY or graph.symbol(target[row]).kind in VALUE_KINDS:
                    found += [(distance, PossibleUse(site, "call", True, "")) for site in graph.edge(row).sites]
        return found

    @cached_property
    def _outer(self) -> bool:
        """True if reached code uses what is not in the repository, or calls what is not known."""
        unknown = ((self.graph.vertex(each.source), each.site) for each in self.graph.unresolved.within(self._parts))
        known = self.graph.unresolved.within(self.reached) or any(self._distance(*each) is not None for each in unknown)
        return bool(self._outside_names or known)

    @cached_property
    def _outside_names(self) -> set[str]:
        externals = self.graph.externals
        of_lambdas = (
            name for source, name, site in externals.within(self._parts) if self._distance(source, site) is not None
        )
        return {*externals.used_by(self.reached), *of_lambdas}

    @cached_property
    def _reached_packages(self) -> set[str]:
        return _packages(self._outside_names)

    def _before(self, vertex: int) -> Iterator[int]:
        """Yield the symbols that may call the symbol `vertex`, and note the places of those that are reached."""
        graph, symbol = self.graph, self.graph.symbol(vertex)
        if is_external(symbol.id):
            return
        for above in overridden(graph, symbol) if symbol.kind == "method" else ():
            if above in self.reached and not self.outside:
                self.outside = f"calls of {graph.symbol(above).fqn} may run {symbol.fqn}, which leads there"
            yield above
        # what a lambda calls may count for the code around it
        for row in graph.incident(vertex, "in", self.search.kinds):
            for each in self._lambdas(graph.edges.source[row]):
                inner = graph.symbol(each)
                lines = inner.span.lines
                if any(site.path == inner.path and site.line in lines for site in graph.edge(row).sites):
                    if each in self.reached and not self.outside:
                        place = f"{inner.path}:{inner.line}"
                        self.outside = f"a function without a name that it reaches may lead there ({place})"
                    yield each
        self._note_callers(symbol)
        for use in self._places(symbol):
            around = self._around(use.site)
            documents = bool(use.text) and in_documentation(use, graph.catalog)
            documents = documents or (use.form == "name" and _is_prose(use.text, symbol.name))
            if around is not None and not documents and (self.tests or not graph.catalog.is_test_line(*use.site)):
                user = graph.vertex(around.id)
                self._note_made(symbol, around, use.site)
                reflected = use.form == "string" and self._outer and finds_private(symbol)
                step = self._distance(user, use.site)
                if step is not None or (reflected and graph.catalog.is_of_file(symbol)):
                    self.found[use.form].append((len(self.reached) if step is None else step, use))
                yield user
        yield from self._handing(vertex)
        self.outside = self.outside or (self._of_interface(symbol) if symbol.kind == "lambda" else "")
        self.outside = self.outside or self._without_name(symbol)

    def _note_callers(self, called: Symbol) -> None:
        """Note the macros around the calls of a symbol, and the functions without a name that are no symbols."""
        graph = self.graph
        for row in graph.incident(graph.vertex(called.id), "in", ("CALLS",)):
            user, sites = graph.symbol(graph.edges.source[row]), graph.edge(row).sites
            self._note_made(called, user, sites[0])
            if not (self.closed or self.handed) and any(self.evidence.starts.in_closure(user, site) for site in sites):
                # a variable that is called may be this function, and any other
                calls = (use for use in self._value_calls if use[1].receiver or self._names_value(use[1].site))
                self.closed, self.found["call"] = True, [*self.found["call"], *calls]

    def _names_value(self, site: Site) -> bool:
        """Return True if a line calls a variable, field or block, and not only functions of other code: ``print()``."""
        called = re.findall(r"\b(?:yield|eval)\b|([$\w]+)\s*[({]", self.evidence.mentions.line(site))
        around = self._around(site)
        bound = self.evidence.names_in(around)[1] if around is not None else ()
        values = (s.kind in VALUE_KINDS for name in called for s in self.graph.catalog.named(name))
        return any(name[:1] in ("", "$") or name in bound for name in called) or any(values)

    def _note_made(self, macro: Symbol, user: Symbol, site: Site) -> None:
        """Note a macro that is expanded outside of functions: what it makes runs by undefined names, and for traits."""
        inside = user.kind in (*CALLABLE_KINDS, *VALUE_KINDS) or record_of(user.language).macro_blocks is None
        if inside or self.outside:
            return
        traits = self.evidence.implemented(macro)
        above = {self.graph.catalog.symbol(each.parent).name for each in self._members if traits and each.parent}
        if not above.isdisjoint(traits) or self.graph.unresolved.within(self.reached):
            self.outside = f"what a macro makes at {site.path}:{site.line} may lead there"

    def _symbol_around(self, site: Site) -> Symbol | None:
        """Return the symbol at a place; what a lambda calls counts for the symbol around it."""
        around = self.graph.catalog.at(*site)
        return None if around is None else self.graph.catalog.named_around(around)

    def _places(self, symbol: Symbol) -> Iterator[PossibleUse]:
        """Yield the places that may call a symbol: by its name, by syntax, or by a name that is computed.

        An edge to another symbol removes the place of a name only if it is at least likely.
        """
        for each in self.graph.unresolved.named(symbol.name):
            yield PossibleUse(each.site, "call", bool(each.receiver), "")
        evidence = self.evidence
        if not (evidence.mentions.has_texts and _is_named(symbol)):
            return
        sites = [*evidence.outside.as_property(symbol), *(evidence.indirect.of_special(symbol) or ())]
        sites += evidence.indirect.makers(symbol)
        if not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            sites += [site for _, found in evidence.indirect.lookups(symbol) for site in found]
        yield from (PossibleUse(site, "call", True, "") for site in sites)
        for use in self._finder.of(symbol, self._sites.get(symbol.name, ())):
            if use.form in ("call", "string") or not (
                use.targets or (use.form == "name" and means_local(use, symbol, evidence))
            ):
                yield use

    def _handing(self, vertex: int) -> Iterator[int]:
        """Yield the symbols that hand a function or type on as a value, which any code may call that gets it."""
        graph, symbol = self.graph, self.graph.symbol(vertex)
        naming = graph.incident(vertex, "in", ("USES",), RESOLVED_CONFIDENCE)
        rows = naming if symbol.kind in CALLABLE_KINDS else []
        if symbol.parent is not None and is_constructor(graph, vertex) and not knows_types(symbol.language):
            naming = graph.incident(graph.vertex(symbol.parent), "in", ("USES",))
            rows = [*rows, *(row for row in naming if graph.edges.manner(row) in _HANDING)]
        hands = [(graph.edges.source[row], graph.edge(row).sites) for row in rows]
        if symbol.kind == "lambda" and not rows and not graph.incident(vertex, "in", ("CALLS",), RESOLVED_CONFIDENCE):
            around = graph.vertex(self.graph.catalog.named_around(symbol).id)  # it is returned, or an item of a literal
            hands = [(around, (Site(symbol.path, symbol.line),))]
        rules = rules_of(symbol.language)  # a container or a promise runs what it gets where it gets it
        plain = frozenset[str]() if rules is None else rules.builtins.types.keys()
        for user, sites in hands:
            if not self.tests and all(graph.catalog.is_test_line(*site) for site in sites):
                continue
            for site in sites:
                step = self._distance(user, site)
                if step is not None or not self._stored(user, site).isdisjoint(self._used):
                    at = len(self.reached) if step is None else step
                    self.found["name"].append((at, PossibleUse(site, "name", False, "", (symbol.fqn,))))
            if not self.handed:  # what is called may be this function, and any other
                self.handed, self.found["call"] = True, self.found["call"] + self._value_calls
            if shared := (_packages(graph.externals.used_by([user])) & self._reached_packages) - plain:
                passed = f"{graph.symbol(user).fqn} passes {symbol.fqn} on as a value"
                package = f"`{min(shared)}`, a package that both ends use"
                self.outside = self.outside or f"{passed}, and {package}, may call it"
            yield user

    @cached_property
    def _used(self) -> set[int]:
        graph = self.graph
        found = {used for each in self.reached for used in graph.neighbours(each, "out", ("USES",))}
        for source in self._parts:
            edges = map(graph.edge, graph.incident(source, "out", ("USES",)))
            reached = (edge for edge in edges if any(self._distance(source, site) is not None for site in edge.sites))
            found.update(graph.vertex(edge.target) for edge in reached)
        return found

    def _of_interface(self, symbol: Symbol) -> str:
        """Return a clause if a reached call of the only method of an interface may run a lambda; "" otherwise.

        The interface is named beside the lambda, or by a parameter of what the function around the lambda calls.
        """
        graph, around = self.graph, self.graph.catalog.function_around(symbol)
        called = () if around is None else graph.neighbours(graph.vertex(around.id), "out", ("CALLS",))
        before = Site(symbol.path, max(1, symbol.line - 1))
        texts = [self.evidence.mentions.line(before, 2), *(graph.symbol(each).signature for each in {*called})]
        near = set(re.findall(r"\w+", " ".join(texts)))
        for type_, method in self._interfaces.items():
            if type_ in near:
                place = f"{symbol.path}:{symbol.line}"
                return f"calls of {method} may run a function without a name that leads there ({place})"
        return ""

    @cached_property
    def _members(self) -> list[Symbol]:
        return [symbol for symbol in map(self.graph.symbol, self.reached) if symbol.kind == "method"]

    @cached_property
    def _interfaces(self) -> dict[str, str]:
        """The names of the interfaces that a function may implement, with their methods that are reached."""
        owners = ((self.graph.catalog.symbol(each.parent), each) for each in self._members if each.parent is not None)
        return {
            owner.name: each.fqn
            for owner, each in owners
            if self.graph.catalog.is_required(each) and unnamed_below(self.graph, owner)
        }

    def _stored(self, user: int, site: Site) -> set[int]:
        """Return the constants and fields that a symbol uses in the line of a place, or in the line above it."""
        near = {site, site._replace(line=site.line - 1)}
        return {value for value, sites in self._values(user) if not near.isdisjoint(sites)}

    def _values_used(self, user: int) -> list[tuple[int, tuple[Site, ...]]]:
        graph, targets = self.graph, self.graph.edges.target
        rows = (row for row in graph.incident(user, "out", ("USES",)) if graph.symbol(targets[row]).kind in VALUE_KINDS)
        return [(targets[row], graph.edge(row).sites) for row in rows]

    def _without_name(self, symbol: Symbol) -> str:
        """Return a clause if code may run a symbol at a place that is not known; "" otherwise.

        If a compiler knows the types of receivers, the language runs a special method only where reached symbols use
        or belong to its type or a supertype.
        """
        graph, evidence = self.graph, self.evidence
        making = is_constructor(graph, graph.vertex(symbol.id))  # where its type is named
        if making or symbol.kind not in CALLABLE_KINDS:
            return ""
        special = evidence.starts.implicit(symbol)
        if evidence.indirect.of_special(symbol) is not None:  # its places are known, but not those in outside code
            special = special if self._outer and evidence.indirect.functions_running(symbol) else ""
        elif knows_types(symbol.language) and symbol.kind == "method" and not self._touches(symbol):
            special = ""
        reasons = [special] if special else []
        able = self._outer or (symbol.kind == "method" and self._touches(symbol))
        if able and not graph.catalog.is_test(symbol):  # a runner calls a test
            registered = evidence.starts.registered(symbol)
            reasons += [*filter(None, (registered,)), *evidence.unnamed(symbol)]
        return f"{symbol.fqn} may be called without its name, since {'; '.join(reasons)}" if reasons else ""

    def _touches(self, method: Symbol) -> bool:
        around = self.evidence.types_around(method)
        return not around.isdisjoint(self._touched) and not record_of(method.language).implicit_interfaces

    @cached_property
    def _touched(self) -> Collection[str]:
        """The ids of the types that reached symbols use or belong to, and of their supertypes."""
        graph = self.graph
        owners = {symbol.parent: symbol for symbol in self._members}
        used = {graph.symbol(each).id for each in self._used}
        return used.union(*map(self.evidence.types_around, owners.values()))

    def clauses(self) -> list[str]:
        """Return what may connect the ends, in words; [] if nothing may."""
        calls, strings, handed = (_nearest_first(self.found[form]) for form in ("call", "string", "name"))
        said = [self.outside] if self.outside else []
        if strings:
            be = "is" if len(strings) == 1 else "are"
            said.append(f"{many(strings, 'string')} {be} exactly the name of what leads there{at_places(strings)}")
        if calls:
            number = "at least " if len(calls) >= MAX_POSSIBLE else ""
            said.append(f"{number}{many(calls, 'unresolved call')} may connect them{at_places(calls)}")
        if handed:
            verb = "names" if len(handed) == 1 else "name"
            said.append(f"{many(handed, 'place')} {verb} a function that leads there as a value{at_places(handed)}")
        if self.cut and not said:
            said.append(
                f"more than {_MOST_ASKED} symbols lead to the second, and the callers of some were not looked for"
            )
        return said[:2] or [*filter(None, (cut_short(self.graph.notes),))]

    def places(self) -> tuple[PossibleUse, ...]:
        return tuple(use for found in self.found.values() for use in _nearest_first(found))


def _is_named(symbol: Symbol) -> bool:
    """Return True for a function or value that code calls or hands on by its name."""
    return symbol.kind in (*CALLABLE_KINDS, *VALUE_KINDS) and symbol.kind != "lambda"


def _is_prose(text: str, name: str) -> bool:
    """Return True if a name is only a word of sentences in the strings of a line: ``puts("-G generate a key")``."""
    words = [*re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return bool(words) and all(
        in_string(text, word.start()) and " " in text[max(0, word.start() - 1) : word.end() + 1] for word in words
    )


def _packages(names: Iterable[str]) -> set[str]:
    """Return the packages or types of outside names: ``net/http`` of ``net/http.Handler``; no built-in types."""
    cut = (re.sub(r"(?<!/)\.[^/]*$", "", name) if "/" in name else name.rpartition(".")[0] for name in names)
    return {each for each in cut if each and each.partition(".")[0] != "builtins"}


def _of_paths(kind: VerdictKind, said: str, why: str, **more: Any) -> Verdict:
    return Verdict(kind, f"{said}: {why}.", headline=said, **more)


def _path_names(catalog: Catalog, sources: Sequence[str], targets: Sequence[str]) -> str:
    """Return ``app.main to app.run``, the ends of paths."""
    ends = (dict.fromkeys(catalog.symbol(each).fqn for each in ids) for ids in (sources, targets))
    return " to ".join(shortened(list(each), NAMED) for each in ends)


def _nearest_first(found: Iterable[tuple[int, PossibleUse]]) -> tuple[PossibleUse, ...]:
    kept: dict[Site, PossibleUse] = {}
    for _, use in sorted(found, key=lambda item: (item[0], item[1].site)):
        kept.setdefault(use.site, use)
    return tuple(kept.values())[:MAX_POSSIBLE]
