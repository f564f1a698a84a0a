"""Explanation of a missing path: why no chain of calls leads from one symbol to another.

Two sets decide: the symbols that the source reaches, and those that lead to the target. Unresolved calls, names that
are computed or written as strings, functions that are handed on, and calls that syntax or libraries make may connect
them. The verdicts are those of `absence`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.paths import distances, leads_back
from codeexplore.graph.tables import ExternalUse
from codeexplore.graph.traversal import MAX_POSSIBLE, inside
from codeexplore.graph.usage.absence import DECLARED, NAMED, at_places, many, overriders
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import (
    VALUE_KINDS,
    NameUses,
    begins_inside,
    finds_private,
    is_read,
)
from codeexplore.graph.usage.places import in_documentation
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import STUBS, is_external, shown_name
from codeexplore.languages.registry import record_of, rules_of
from codeexplore.names.mentions import Built
from codeexplore.resolution.access_paths import last_name
from codeexplore.text.enumeration import shortened
from codeexplore.types import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    CallPath,
    EdgeKind,
    PathsFound,
    PossibleUse,
    Site,
    Symbol,
    Unresolved,
    Verdict,
    VerdictKind,
)
from codeexplore.types.certainty import CERTAIN, LIKELY

_MOST_REGISTERED = 100  # symbols that lead to a target whose decorators are looked up
_MOST_LEADING = 300  # symbols that lead to a target whose names are searched in the texts

_SETTING = re.compile(r"(\w+)\s*(?:[+?|]{0,2}=(?![=>])|:(?![:=]))")
_RUNNING = frozenset({"Invoke", "InvokeAsync", "DynamicInvoke", "invoke", "call"})
"""Methods that call the function that an object is."""


def apart(
    graph: CodeGraph,
    sources: Sequence[str],
    targets: Sequence[str],
    lead: Mapping[int, int],
    beside: PathsFound,
    kinds: Sequence[EdgeKind],
    tests: bool,
    usage_evidence: UsageEvidenceTable | None,
) -> PathsFound:
    """Return the verdict on ends that no edges connect: unresolved calls may, or nothing does.

    `lead` has the symbols that lead to a target, with their distances. `beside` are paths against the arrows or over
    other edges. They are kept only if no call may connect the ends.
    """
    names = path_names(graph.catalog, sources, targets)
    starts = [*map(graph.vertex, sources), *overriders(graph, sources)]
    reached = distances(graph, starts, "out", kinds, 0.0, tests)
    certain, nested = len(reached), [vertex for vertex in inside(graph, starts) if vertex not in reached]
    reached = distances(graph, (*starts, *nested), "out", kinds, 0.0, tests)  # code may call what is defined in them
    joining = partial(_joining, graph, reached, kinds=kinds, tests=tests, usage_evidence=usage_evidence)
    calls, handed = joining(lead), _handed_on(graph, sources, lead, kinds, tests, usage_evidence)
    outside = ""
    if over := next((vertex for vertex in starts[len(sources) :] if vertex in lead), None):
        outside = f"calls of it may run {graph.symbol(over).fqn}, which overrides it and leads there"
    if within := next((graph.symbol(vertex) for vertex in nested if vertex in lead), None):
        outside = outside or f"{shown_name(within.fqn)} is defined in it and leads there"
    outside = outside or _inside_lambdas(graph, reached, lead, kinds)
    if usage_evidence is not None:
        calls = calls or _calls_by_name(graph, reached, lead, usage_evidence, tests)
        nearest = map(graph.symbol, sorted(lead, key=lead.__getitem__)[:_MOST_REGISTERED])
        touched = _touched(graph, reached, usage_evidence)
        able = (each for each in nearest if each.kind == "method" or each.id in targets)
        unnamed = (_from_outside(graph, reached, touched, each, usage_evidence) for each in able)
        outside = outside or _run_by_library(graph, reached, lead, usage_evidence) or next(filter(None, unnamed), "")
    if not calls:  # then over further unresolved calls: they lead far
        calls = _further_calls(graph, reached, lead, joining, kinds, tests, usage_evidence)
    if calls or handed or outside:
        clauses = [outside] if outside else []
        strings = [use for use in calls if use.form == "string"]
        calls = tuple(use for use in calls if use.form != "string")
        if strings:
            be = "is" if len(strings) == 1 else "are"
            clauses.append(f"{many(strings, 'string')} {be} exactly the name of what leads there{at_places(strings)}")
        if calls:
            number = "at least " if len(calls) >= MAX_POSSIBLE else ""
            clauses.append(f"{number}{many(calls, 'unresolved call')} may connect them{at_places(calls)}")
        if handed:
            verb = "hands" if len(handed) == 1 else "hand"
            clauses.append(f"{many(handed, 'place')} {verb} on a function that leads there{at_places(handed)}")
        places = (*calls, *strings, *handed)
        verdict = of_paths("possible", f"No certain path from {names}", "; ".join(clauses), mentions=places)
        return replace(beside, paths=(), verdict=verdict)
    if all(graph.catalog.symbol(each).path.endswith(STUBS) for each in sources):
        return replace(beside, paths=(), verdict=of_paths("unknown", f"No known path from {names}", DECLARED))
    said = f"No calls lead from {names}"
    if beside.paths:
        where = "in the opposite direction" if leads_back(beside.paths[0], kinds) else "over other edges"
        said += f"; {many(beside.paths, 'path')} {where}"
    after, before = certain - len(starts), len(lead) - len(targets)
    leads = f"{before:,} lead" if before > 1 else "1 leads" if before else "none leads"
    more = f"{many(range(after), 'symbol')} can be reached from the first, {leads} to the second"
    why = f"{more}, and no unresolved call connects them"
    return replace(beside, verdict=of_paths("none", said, why))


def _further_calls(
    graph: CodeGraph,
    reached: dict[int, int],
    lead: Mapping[int, int],
    joining: Callable[[Mapping[int, int]], tuple[PossibleUse, ...]],
    kinds: Sequence[EdgeKind],
    tests: bool,
    usage_evidence: UsageEvidenceTable | None,
) -> tuple[PossibleUse, ...]:
    """Return the calls that may connect the reached symbols with those that lead to `lead` over unresolved calls."""
    across, built = _across_languages(graph, tests), () if usage_evidence is None else usage_evidence.mentions.built
    wide = _leading_by_names(graph, lead, built, kinds, tests, across)
    calls = joining(wide) or _calls_by_built_names(graph, reached, wide, built)
    if not calls:
        names = {graph.symbol(vertex).name for vertex in wide}
        used = [use for name in names & across.keys() for use in across[name] if use.source in reached]
        sites = ((reached[use.source], graph.externals.site(use)) for use in used)
        calls = _nearest_first((distance, PossibleUse(site, "call", True, "")) for distance, site in sites)
    return calls


def _inside_lambdas(
    graph: CodeGraph, reached: Iterable[int], leading: Mapping[int, int], kinds: Sequence[EdgeKind]
) -> str:
    """Return a clause if code inside a reached lambda leads to the target; "" otherwise.

    In some languages what a lambda calls counts for the function around it.
    """
    for symbol in (each for each in map(graph.symbol, reached) if each.kind == "lambda"):
        around = graph.catalog.function_around(symbol)
        rows = () if around is None else graph.incident(graph.vertex(around.id), "out", kinds)
        for row in (row for row in rows if graph.edges.target[row] in leading):
            lines = [site.line for site in graph.edge(row).sites if site.path == symbol.path]
            if any(symbol.span.start_line <= line <= symbol.span.end_line for line in lines):
                return f"a function without a name that it reaches may lead there ({symbol.path}:{symbol.line})"
    return ""


def _touched(graph: CodeGraph, reached: Iterable[int], usage_evidence: UsageEvidenceTable) -> set[str]:
    """Return the ids of the types that reached symbols use or belong to, and of their supertypes."""
    owners = {symbol.parent: symbol for symbol in map(graph.symbol, reached) if symbol.kind == "method"}
    used = {graph.edges.target[row] for each in reached for row in graph.incident(each, "out", ("USES",))}
    found = {graph.symbol(each).id for each in used}
    return found.union(*map(usage_evidence.types_around, owners.values()))


def _from_outside(
    graph: CodeGraph,
    reached: Mapping[int, int],
    touched: Collection[str],
    symbol: Symbol,
    usage_evidence: UsageEvidenceTable,
) -> str:
    """Return a clause if a symbol that leads to the target may be called without an edge from reached symbols.

    It may be called without its name in the source: by syntax or a name that is computed, because it is registered,
    has the form of a hook, or a library calls methods of its name. A method needs an object, so the reached symbols
    must also touch its type or a supertype.
    """
    if is_external(symbol.id) or (graph.catalog.is_test(symbol) and not usage_evidence.implicit(symbol)):
        return ""  # a runner calls it
    if symbol.kind == "method" and usage_evidence.types_around(symbol).isdisjoint(touched):
        return ""
    protocol = usage_evidence.by_protocol(symbol)
    if special := usage_evidence.implicit(symbol) or protocol or usage_evidence.by_type(symbol):
        return f"{symbol.fqn} may be called without its name: {special}"
    by_syntax = symbol.kind == "method" and not record_of(symbol.language).implicit_interfaces  # value[key]
    if not by_syntax and not graph.externals.used_by(reached):
        return ""
    uncalled = not graph.incident(graph.vertex(symbol.id), "in", ("CALLS",))  # perhaps by its name in a string
    by_name = uncalled and finds_private(symbol) and graph.catalog.is_of_file(symbol)
    evidence = usage_evidence.of(symbol, None if by_name else ())
    named = ("", usage_evidence.required(symbol))  # it is called by its name
    clauses = [clause for clause in (evidence.registered, *evidence.dynamic) if clause not in named]
    return f"{symbol.fqn} may be called without its name, since {'; '.join(clauses)}" if clauses else ""


def _run_by_library(
    graph: CodeGraph, reached: Mapping[int, int], leading: Mapping[int, int], usage_evidence: UsageEvidenceTable
) -> str:
    """Return a clause if a decorator of a library that reached symbols use registers a symbol in `leading`."""
    packages = {name.partition(".")[0] for name in graph.externals.used_by(reached)}
    for vertex in sorted(leading, key=leading.__getitem__)[:_MOST_REGISTERED]:
        symbol = graph.symbol(vertex)
        by_runner = graph.catalog.is_test(symbol)
        file = usage_evidence.files.get(symbol.path) if symbol.decorators and not by_runner else None
        names = {re.split(r"\W", mark, maxsplit=1)[0] for mark in symbol.decorators}
        imported = {row.module.partition(".")[0] for row in file.facts.imports if row.name in names} if file else set()
        if imported & packages and (registered := usage_evidence.of(symbol, ()).registered):
            return f"a library may call {symbol.fqn}, since {registered}"
    return ""


def _calls_by_name(
    graph: CodeGraph,
    reached: Mapping[int, int],
    leading: Mapping[int, int],
    usage_evidence: UsageEvidenceTable,
    tests: bool,
) -> tuple[PossibleUse, ...]:
    """Return the calls and strings in reached symbols with the name of a symbol in `leading`, by the texts.

    An edge to another symbol removes such a place only if it is at least likely.
    """
    symbols = [graph.symbol(vertex) for vertex in sorted(leading, key=leading.__getitem__)[:_MOST_LEADING]]
    named = (*CALLABLE_KINDS, *VALUE_KINDS)
    symbols = [each for each in symbols if each.kind in named and each.kind != "lambda" and each.path]
    if not usage_evidence.has_texts or not symbols:
        return ()
    sites = usage_evidence.mentions.index({symbol.name for symbol in symbols})
    finder, found = NameUses(graph, usage_evidence.mentions, tests, LIKELY), list[tuple[int, PossibleUse]]()
    text = usage_evidence.mentions.line
    for symbol in symbols:
        properties = (PossibleUse(at, "call", True, text(at)) for at in usage_evidence.as_property(symbol))
        for use in (*finder.of(symbol, sites.get(symbol.name, ())), *properties):
            reads = use.form == "name" and (symbol.kind in VALUE_KINDS or is_read(symbol)) and not use.targets
            leads = use.form in ("call", "string") or reads
            around = graph.catalog.at(use.site.path, use.site.line) if leads else None
            while around is not None and around.kind == "lambda" and around.parent is not None:
                around = graph.catalog.symbol(around.parent)
            if around is not None and graph.vertex(around.id) in reached and not in_documentation(use, graph.catalog):
                found.append((reached[graph.vertex(around.id)], use))
    return _nearest_first(found)


def _leading_by_names(
    graph: CodeGraph,
    leading: Mapping[int, int],
    built: Sequence[Built],
    kinds: Sequence[EdgeKind],
    tests: bool,
    across: Mapping[str, Sequence[ExternalUse]],
) -> dict[int, int]:
    """Return `leading` with the symbols that lead there over unresolved references, built names or handed functions."""
    found, waiting = dict(leading), list(leading)
    while waiting:
        symbols = {each.name: each for each in map(graph.symbol, waiting) if each.kind in CALLABLE_KINDS}
        references = (each for name in symbols for each in graph.unresolved.named(name))
        users = {
            graph.vertex(each.source) for each in references if tests or not graph.catalog.is_test_line(*each.site)
        }
        users |= {use.source for name in symbols for use in across.get(name, ())}
        methods = {each.name for each in map(graph.symbol, waiting) if each.kind == "method"}
        sites = [each.site for each in built if any(map(each.fits, methods if each.of_members else symbols))]
        handing = (
            row for v in waiting if graph.symbol(v).kind in CALLABLE_KINDS for row in graph.incident(v, "in", ("USES",))
        )
        users |= {graph.edges.source[row] for row in handing if tests or not graph.edges.in_test[row]}
        users |= {graph.vertex(around.id) for site in sites if (around := graph.catalog.at(*site)) is not None}
        before = distances(graph, users - found.keys(), "in", kinds, 0.0, tests)
        waiting = [vertex for vertex in before if vertex not in found]
        found |= {vertex: len(found) for vertex in waiting}
    return found


def _across_languages(graph: CodeGraph, tests: bool) -> Mapping[str, list[ExternalUse]]:
    """Return last name → uses of outside names that may be of this repository, in another language of the platform."""
    found, languages = defaultdict[str, list[ExternalUse]](list), {each.language for each in graph.catalog.symbols}
    platforms = Counter(filter(None, (record_of(each).platform for each in languages)))
    inside = cache(partial(begins_inside, graph))
    for use in graph.externals if max(platforms.values(), default=0) > 1 else ():
        user = graph.symbol(use.source)
        shared = platforms[record_of(user.language).platform] > 1 and (tests or not graph.catalog.is_test(user))
        if shared and inside(use.name):
            found[last_name(use.name)[0]].append(use)
    return found


def _calls_by_built_names(
    graph: CodeGraph, reached: Mapping[int, int], leading: Mapping[int, int], built_names: Sequence[Built]
) -> tuple[PossibleUse, ...]:
    """Return the places in reached symbols that build the name of a symbol in `leading`."""
    found, symbols = list[tuple[int, PossibleUse]](), [graph.symbol(vertex) for vertex in leading]
    for built in built_names:
        around = graph.catalog.at(*built.site)
        if around is not None and graph.vertex(around.id) in reached:
            meant = (s for s in symbols if s.kind in (("method",) if built.of_members else CALLABLE_KINDS))
            if named := tuple(symbol.fqn for symbol in meant if built.fits(symbol.name))[:NAMED]:
                found.append((reached[graph.vertex(around.id)], PossibleUse(built.site, "call", True, "", named)))
    return _nearest_first(found)


def _handed_on(
    graph: CodeGraph,
    sources: Sequence[str],
    leading: Mapping[int, int],
    kinds: Sequence[EdgeKind],
    tests: bool,
    usage_evidence: UsageEvidenceTable | None,
) -> tuple[PossibleUse, ...]:
    """Return the sites at which the sources, or what they call or use, name a function in `leading` without a call.

    A function that is handed on as a value may be called by any code that gets it, and what code stores in a field by
    any code that reads the field.
    """
    wide = distances(graph, map(graph.vertex, sources), "out", (*kinds, "USES"), 0.0, tests)
    named: dict[int, list[tuple[int, Site]]] = {}  # symbol → the functions in `leading` that it names, with the sites
    for target in leading:
        for row in graph.incident(target, "in", ("USES",)) if graph.symbol(target).kind in CALLABLE_KINDS else ():
            if tests or not graph.edges.in_test[row]:
                named.setdefault(graph.edges.source[row], []).extend((target, each) for each in graph.edge(row).sites)
    written = defaultdict[str, list[tuple[int, Site]]](list)  # name of a value → what a line hands on and stores there
    for each in (row for rows in named.values() for row in rows):
        for name in () if usage_evidence is None or not usage_evidence.has_texts else _stored(usage_evidence, each[1]):
            written[name].append(each)
    found: list[tuple[int, PossibleUse]] = []
    for vertex, distance in wide.items():
        symbol, handed = graph.symbol(vertex), named.get(vertex, [])
        if symbol.kind in VALUE_KINDS:  # what is in the value of a constant is used by the code around it
            lines = {Site(symbol.path, line) for line in range(symbol.span.start_line, symbol.span.end_line + 1)}
            around = named.get(graph.vertex(symbol.parent), ()) if symbol.parent is not None else handed
            handed = [each for each in around if each[1] in lines] + written[symbol.name]
            for row in graph.incident(vertex, "in", ("USES",)):
                if graph.edges.source[row] in named:
                    stored = {*graph.edge(row).sites}
                    handed += [each for each in named[graph.edges.source[row]] if each[1] in stored]
        uses = (PossibleUse(site, "name", False, "", (graph.symbol(target).fqn,)) for target, site in handed)
        found += [(distance, use) for use in uses]
    return _nearest_first(found)


def _stored(usage_evidence: UsageEvidenceTable, site: Site) -> list[str]:
    """Return the names of the variables and members that a line sets, or the line above if it goes on in this one."""
    above = usage_evidence.mentions.line(Site(site.path, site.line - 1)) if site.line > 1 else ""
    before = above.rstrip() if above.rstrip().endswith(("=", "(", ",")) else ""
    return _SETTING.findall(f"{before} {usage_evidence.mentions.line(site)}")


def of_paths(kind: VerdictKind, said: str, why: str, **more: Any) -> Verdict:
    return Verdict(kind, f"{said}: {why}.", headline=said, **more)


def path_names(catalog: Catalog, sources: Sequence[str], targets: Sequence[str]) -> str:
    """Return ``app.main to app.run``, the ends of paths."""
    ends = (dict.fromkeys(catalog.symbol(each).fqn for each in ids) for ids in (sources, targets))
    return " to ".join(shortened(list(each), NAMED) for each in ends)


def _joining(
    graph: CodeGraph,
    reached: dict[int, int],
    leading: Mapping[int, int],
    kinds: Sequence[EdgeKind],
    tests: bool,
    usage_evidence: UsageEvidenceTable | None,
) -> tuple[PossibleUse, ...]:
    """Return the sites in symbols that the source reaches that may use a symbol that leads to the target.

    An unresolved call of a variable or member may run any function that is used as a value.
    """
    handed = any(_is_value(graph, vertex) for vertex in leading)
    names = {graph.symbol(vertex).name for vertex in leading}
    methods = {graph.symbol(vertex).name for vertex in leading if graph.symbol(vertex).kind == "method"}
    found: list[tuple[int, PossibleUse]] = []
    for reference in graph.unresolved.within(reached):
        called = handed and reference.kind == "call"
        value = called and any(symbol.kind in VALUE_KINDS for symbol in graph.catalog.named(reference.name))
        value |= called and bool(reference.receiver) and reference.name in _RUNNING
        bare = called and not reference.receiver and _may_be_variable(graph, reference, usage_evidence)
        may = reference.name in names or value or bare
        if may and (tests or not graph.catalog.is_test_line(*reference.site)):
            distance = reached[graph.vertex(reference.source)]
            found.append((distance, PossibleUse(reference.site, "call", bool(reference.receiver), "")))
    confidence, target, in_test = graph.edges.confidence, graph.edges.target, graph.edges.in_test
    able = {
        vertex: symbol
        for vertex, symbol in ((vertex, graph.symbol(vertex)) for vertex in reached)
        if (symbol.kind == "method" and symbol.name in methods) or (handed and symbol.kind in VALUE_KINDS)
    }
    for vertex, distance in reached.items():
        for row in graph.incident(vertex, "out", kinds):
            met = able.get(target[row]) if tests or not in_test[row] else None
            if met and (confidence[row] < CERTAIN if met.kind == "method" else graph.edge(row).kind == "CALLS"):
                uses = (PossibleUse(site, "call", True, "", (met.fqn,)) for site in graph.edge(row).sites)
                found += [(distance, use) for use in uses]
    return _nearest_first(found)


def _may_be_variable(graph: CodeGraph, call: Unresolved, usage_evidence: UsageEvidenceTable | None) -> bool:
    """Return True if the bare name of a call may be that of a variable: it is bound there, or no function's or type's.

    In most languages, a bare name means no method.
    """
    user = graph.catalog.symbol(call.source)
    if usage_evidence is not None and call.name in usage_evidence.names_in(user)[1]:
        return True
    rules = rules_of(user.language)
    apart = () if rules is None or rules.scopes.members_visible else ("method",)
    kinds = (each.kind for each in graph.catalog.named(call.name) if each.kind not in apart)
    return not any(kind in CALLABLE_KINDS or kind in TYPE_KINDS for kind in kinds)


def _is_value(graph: CodeGraph, vertex: int) -> bool:
    """Return True for a function that code hands on, or that is a member of an object in a constant."""
    symbol = graph.symbol(vertex)
    around = graph.catalog.symbol(symbol.parent) if symbol.parent is not None else symbol
    used = around.kind in VALUE_KINDS or graph.incident(vertex, "in", ("USES",))
    return symbol.kind in CALLABLE_KINDS and bool(used)


def weak_steps(graph: CodeGraph, path: CallPath, minimum: float) -> tuple[PossibleUse, ...]:
    """Return the first site of each edge on `path` whose confidence is below `minimum`."""
    weak = [edge for edge in path.edges if edge.confidence < minimum - 1e-6]
    named = ((edge.sites[0], graph.catalog.symbol(edge.target).fqn) for edge in weak if edge.sites)
    return tuple(PossibleUse(site, "call", False, "", (name,)) for site, name in named)


def _nearest_first(found: Iterable[tuple[int, PossibleUse]]) -> tuple[PossibleUse, ...]:
    kept: dict[Site, PossibleUse] = {}
    for _, use in sorted(found, key=lambda item: (item[0], item[1].site)):
        kept.setdefault(use.site, use)
    return tuple(kept.values())[:MAX_POSSIBLE]
