"""Explanation of an empty answer, and of a missing path: why no chain of calls leads from one symbol to another.

Each explanation has a verdict: "none" if there is certainly no result, "possible" if there may be results, and
"unknown" if the index cannot decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.paths import MAX_PATH_SYMBOLS, distances, weaker_paths
from codeexplore.graph.tables import cut_short
from codeexplore.graph.traversal import MAX_POSSIBLE, RELATING, Relating, inside
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import VALUE_KINDS, NameUses
from codeexplore.index.qualified_names import is_external, name_parts
from codeexplore.languages.file_roles import is_test_path
from codeexplore.languages.registry import record_of
from codeexplore.text.enumeration import shortened
from codeexplore.types import (
    CALLABLE_KINDS,
    TEXT_KINDS,
    TYPE_KINDS,
    Absence,
    CallPath,
    Edge,
    EdgeKind,
    NextStep,
    PossibleUse,
    Site,
    Symbol,
    Unresolved,
)
from codeexplore.types.errors import AmbiguousSymbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_NOT_CALLED = frozenset({"module", "constant", "field"}) | TEXT_KINDS
_OF_TYPES = frozenset({"implementors", "subclasses"})
_USING = frozenset({"callers", "uses", "callers or users"})
_MOST_SEEDS = 3  # with more seeds, evidence about single seeds is not reported
_MOST_NAMES = 20  # maximal number of symbols whose names are searched in the texts
_IMPORTING = re.compile(r"\b(?:import|from|require|use|using|include|mod|extern|export)\b")
_NAMED = 3  # maximal number of definitions, or of outside names, that a text lists


@dataclass(frozen=True, slots=True)
class Question:
    """A query with an empty answer, and findings that may explain it.

    `possible` are edges below the requested confidence. `unresolved` are references that have the name of a start
    symbol. If `tests` is False, test files do not count.
    """

    graph: CodeGraph
    relating: Relating
    symbols: tuple[Symbol, ...]
    possible: Sequence[Edge]
    unresolved: Sequence[Unresolved]
    usage_evidence: UsageEvidenceTable
    tests: bool = True


def absence(question: Question) -> Absence:
    """Return the verdict on the empty answer to `question`, with its explanation.

    The verdict "none" has two conditions. First, the names of the symbols occur nowhere in the code except in their own
    definitions and at places that certainly mean something else. Second, no decorator, string, name built at run time
    or supertype outside the repository may lead to the symbols.
    """
    asked, symbols = question.relating, question.symbols
    noun = asked.noun
    if not symbols:
        return Absence("none", "There is no symbol to start from.")
    if wrong := _not_applicable(asked, symbols):
        if noun == "callers" and (calls := _calls_of_values(question)):
            return Absence("possible", f"No callers found; {'; '.join(_said_of(calls, symbols))}.", calls)
        return Absence("none", wrong)
    if asked.direction == "out":
        return _nothing_out(question)
    if all(is_external(symbol.id) for symbol in symbols):
        return _outside(question)
    if noun == "imports" and all(symbol.kind not in ("module", *CALLABLE_KINDS, *TYPE_KINDS) for symbol in symbols):
        return Absence("none", f"No imports in this repository: {_kinds(symbols)}s are imported with their module.")
    return _nothing_in(question)


def mentions(question: Question) -> tuple[PossibleUse, ...]:
    """Return the places with the names of constants and fields that no edge covers, for an answer about their uses.

    Places in the files of the symbols come first.
    """
    values = _values(question)
    if question.relating.noun not in _USING or question.relating.direction == "out" or not values:
        return ()
    found, own = _mentions(question, values), {symbol.path for symbol in values}
    return tuple(found[site] for site in sorted(found, key=lambda site: (site.path not in own, site)))


def _calls_of_values(question: Question) -> tuple[PossibleUse, ...]:
    """Return the calls with the names of constants and fields, whose values may be functions that are not known."""
    found = _mentions(question, _values(question))
    return tuple(use for _, use in sorted(found.items()) if use.form == "call" and not use.targets)


def _values(question: Question) -> list[Symbol]:
    return [s for s in question.symbols if s.kind in VALUE_KINDS and not is_external(s.id)]


def notes(
    graph: CodeGraph, relating: Relating, seeds: Sequence[str], usage_evidence: UsageEvidenceTable
) -> tuple[str, ...]:
    """Return sentences on why code outside the repository, or code that is not visible, may use the symbols `seeds`.

    The reasons are exports, registration by a decorator, a start by name, and names in strings.
    """
    if relating.direction == "out" or len(seeds) > _MOST_SEEDS or relating.noun not in _USING:
        return ()
    symbols = [graph.catalog.symbol(seed) for seed in seeds if not is_external(seed)]
    found = [note for symbol in symbols for note in usage_evidence.of(symbol).notes]
    return tuple(dict.fromkeys(found))


def _not_applicable(relating: Relating, symbols: Sequence[Symbol]) -> str:
    """Return the reason why symbols of these kinds cannot have the relation `relating`; "" if they can."""
    noun, kinds = relating.noun, _kinds(symbols)
    if noun in ("callers", "callees") and all(symbol.kind in _NOT_CALLED for symbol in symbols):
        if kinds == "module":
            called = noun == "callers"
            return "A module is not called; ask what imports it." if called else "Its top level calls nothing."
        return f"A {kinds} is not called and calls nothing; ask for its uses."
    if noun in _OF_TYPES and relating.direction == "in" and not any(_may_have_subtypes(symbol) for symbol in symbols):
        return f"A {kinds} has no {noun}; ask for the {noun} of a type, or for the overrides of a method."
    return ""


def _kinds(symbols: Sequence[Symbol]) -> str:
    return " or ".join(dict.fromkeys(symbol.kind for symbol in symbols))


def _may_have_subtypes(symbol: Symbol) -> bool:
    return symbol.kind in TYPE_KINDS or symbol.kind in ("method", "external")


# --------------------------------------------------------------------------- no incoming edges


def _nothing_in(question: Question) -> Absence:
    noun = question.relating.noun
    where = "this repository" if question.tests else "this repository outside its tests"
    recursive = any(_recursive(question, symbol) for symbol in question.symbols)
    itself = " but itself: it is recursive" if recursive else ""
    named = [s for s in question.symbols if not is_external(s.id)]
    uses = _possible_uses(question, named)
    related, steps = _other_relations(question)
    if clauses := _said_of(uses, named) + related:
        return Absence("possible", f"No {noun} found{itself}; {'; '.join(clauses)}.", uses, next_steps=tuple(steps))
    if not question.usage_evidence.has_texts:
        why = "the texts of the files are not available, so the name was not searched in them"
        return Absence("unknown", f"No {noun} found{itself}. There may be some: {why}.")
    if len(named) > _MOST_NAMES:
        why = f"the names of {len(named)} symbols were not searched in the texts"
        return Absence("unknown", f"No {noun} found{itself}. There may be some: {why}.")
    if why := cut_short(question.graph.notes):
        return Absence("unknown", f"No {noun} found{itself}. There may be some: {why}.")
    if any(symbol.kind == "lambda" for symbol in named):
        why = "a function without a name cannot be searched by its name"
        return Absence("unknown", f"No {noun} found{itself}. There may be some: {why}.")
    other = [clause for symbol in named for clause in _other_ways(question, symbol)]
    if other:
        return Absence("possible", f"No {noun} found{itself}, but {'; '.join(dict.fromkeys(other))}.")
    return Absence("none", f"No {noun} in {where}{itself or f': {_nowhere(question.graph, named)}'}.")


def _nowhere(graph: CodeGraph, symbols: Sequence[Symbol]) -> str:
    if len(symbols) > 1:
        return "these names occur nowhere else in its code, or certainly mean something else"
    name = symbols[0].name
    if sum(1 for each in graph.catalog.find(name) if each.name == name) > 1 or graph.externals.users(name):
        return f"everywhere else the name `{name}` certainly means something else"
    declared = " except in declarations" if record_of(symbols[0].language).declaring is not None else ""
    return f"the name `{name}` occurs nowhere else in its code{declared}"


def _recursive(question: Question, symbol: Symbol) -> bool:
    """Return True if `symbol` has the relation to itself, to which a walk never returns."""
    graph, vertex = question.graph, question.graph.vertex(symbol.id)
    rows = graph.incident(vertex, "out", question.relating.kinds, RESOLVED_CONFIDENCE)
    return any(graph.edges.target[row] == vertex for row in rows)


def _possible_uses(question: Question, symbols: Sequence[Symbol]) -> tuple[PossibleUse, ...]:
    """Return every possible use: edges found by name alone, references without a target, and names in the texts."""
    found = _mentions(question, symbols)
    known = [(reference.site, bool(reference.receiver)) for reference in question.unresolved]
    known += [
        (site, question.graph.catalog.symbol(edge.target).kind == "method")
        for edge in question.possible
        for site in edge.sites
    ]
    for site, receiver in known:
        found.setdefault(site, PossibleUse(site, "call", receiver, ""))
    return tuple(found[site] for site in sorted(found))


def _mentions(question: Question, symbols: Sequence[Symbol]) -> dict[Site, PossibleUse]:
    """Return the names in the texts that may mean one of the symbols, without the sites of resolved edges."""
    found: dict[Site, PossibleUse] = {}
    usage_evidence = question.usage_evidence
    used = _places_of_edges(question, symbols)
    for symbol in symbols[:_MOST_NAMES] if usage_evidence.has_texts else ():
        if symbol.kind != "lambda":
            for use in NameUses(question.graph, usage_evidence.mentions, question.tests).of(symbol):
                exported = use.form == "string" and usage_evidence.is_listed(use.site, symbol.name)
                if use.site not in used and not exported and _fits(use, symbol, question.relating.noun):
                    found.setdefault(use.site, use)
    return found


def _fits(use: PossibleUse, symbol: Symbol, noun: str) -> bool:
    """Return True if a place with the symbol's name may be the relation named `noun`."""
    if noun in _USING:
        return True
    if noun == "imports":
        return _IMPORTING.search(use.text) is not None
    return symbol.kind in TYPE_KINDS and use.form == "name" and not use.targets


def _places_of_edges(question: Question, symbols: Sequence[Symbol]) -> frozenset[Site]:
    """Return the sites of resolved edges: they are in other relations than the requested one."""
    graph = question.graph
    rows = [row for s in symbols for row in graph.incident(graph.vertex(s.id), "in", None, RESOLVED_CONFIDENCE)]
    return frozenset(site for row in rows for site in graph.edge(row).sites)


def _said_of(uses: Sequence[PossibleUse], symbols: Sequence[Symbol]) -> list[str]:
    """Return clauses that describe the possible uses, grouped by the form of the use."""
    name = f"`{symbols[0].name}`" if len(symbols) == 1 else "these names"
    member = f"`.{symbols[0].name}`" if len(symbols) == 1 else name
    groups: dict[str, list[PossibleUse]] = {}
    for use in uses:
        if use.targets:
            key = "elsewhere"
        elif use.form == "call":
            key = "member" if use.receiver else "call"
        else:
            key = use.form
        groups.setdefault(key, []).append(use)
    said = []
    if some := groups.get("member"):
        said.append(f"{_many(some, 'call')} of {member} on receivers of unknown type may mean it{_at(some)}")
    if some := groups.get("call"):
        said.append(f"{_many(some, 'call')} of {name} may mean it{_at(some)}")
    if some := groups.get("elsewhere"):
        targets = list(dict.fromkeys(target for use in some for target in use.targets))
        verb = "resolves" if len(some) == 1 else "resolve"
        said.append(f"{_many(some, 'use')} of {name} {verb} to {shortened(targets, _NAMED)}{_at(some)}")
    if some := groups.get("name"):
        verb = "mentions" if len(some) == 1 else "mention"
        said.append(f"{_many(some, 'other place')} {verb} {name}{_at(some)}")
    if some := groups.get("string"):
        verb = "is" if len(some) == 1 else "are"
        said.append(f"{_many(some, 'string')} {verb} exactly {name}{_at(some)}")
    return said


def _many(items: Sequence[object], noun: str) -> str:
    return f"{len(items):,} {noun}{'' if len(items) == 1 else 's'}"


def _at(uses: Sequence[PossibleUse], named: int = 2) -> str:
    return f" ({shortened([f'{use.site.path}:{use.site.line}' for use in uses], named)})" if uses else ""


def _other_relations(question: Question) -> tuple[list[str], list[NextStep]]:
    """Return clauses on resolved uses of the symbols in relations that were not requested, and calls that list them."""
    graph, asked = question.graph, question.relating
    said, steps = list[str](), list[NextStep]()
    if asked.noun not in _USING:
        return said, steps
    vertices = {graph.vertex(symbol.id) for symbol in question.symbols}
    for relation, kinds, one, more in (
        (
            "uses",
            tuple(set(RELATING["uses"].kinds) - set(asked.kinds)),
            "symbol uses it in another way",
            "symbols use it in other ways",
        ),
        ("imports", RELATING["imports"].kinds, "module imports it", "modules import it"),
    ):
        rows = [row for v in vertices for row in graph.incident(v, "in", kinds, RESOLVED_CONFIDENCE)] if kinds else []
        sources = {graph.edges.source[row] for row in rows if question.tests or not graph.edges.in_test[row]} - vertices
        if sources:
            said.append(f"{len(sources):,} {one if len(sources) == 1 else more}")
            steps.append(NextStep(relation, f"lists what {relation} it"))
    return said, steps


def _other_ways(question: Question, symbol: Symbol) -> tuple[str, ...]:
    """Return clauses on how `symbol` may be used without its name. Use by code outside the repository is left out."""
    if question.relating.noun not in _USING:
        return ()
    found = question.usage_evidence.of(symbol, ())
    return tuple(clause for clause in (found.started, found.registered, *found.dynamic) if clause)


def _outside(question: Question) -> Absence:
    """Explain an empty answer about outside names, which the repository uses in another relation."""
    graph = question.graph
    rows = [row for symbol in question.symbols for row in graph.incident(graph.vertex(symbol.id), "in")]
    sites = sorted({site for row in rows for site in graph.edge(row).sites})
    sites = [site for site in sites if question.tests or not is_test_path(site.path)]
    noun = question.relating.noun
    if not sites:
        return Absence("none", f"No {noun} in this repository.")
    uses = tuple(PossibleUse(site, "name", False, "") for site in sites)
    said = f"{_many(sites, 'place')} {'uses' if len(sites) == 1 else 'use'} this outside name in another way"
    return Absence("possible", f"No {noun} found; {said}{_at(uses)}.", uses)


# --------------------------------------------------------------------------- no outgoing edges


def _nothing_out(question: Question) -> Absence:
    """Explain an empty answer about outgoing edges: unresolved references, or outside names only."""
    graph, noun = question.graph, question.relating.noun
    if noun in _OF_TYPES:
        return _no_supertypes(question)
    vertices = inside(graph, (graph.vertex(symbol.id) for symbol in question.symbols))
    outside = graph.externals.used_by(vertices)
    said, steps = "", tuple[NextStep, ...]()
    if outside:
        said = f"; outside names used: {shortened(outside, _NAMED)}"
        steps = (NextStep("", "shows them", options=(("include_externals", True),)),)
    left = graph.unresolved.within(vertices) if noun in ("callees", "uses") else ()
    if left or question.possible:
        uses = tuple(PossibleUse(u.site, "call", bool(u.receiver), "") for u in left)
        number = len(left) + len(question.possible)
        calls = f"{number:,} reference{'' if number == 1 else 's'} could not be resolved for certain"
        where = _at(uses)
        return Absence("possible", f"No {noun} found in this repository; {calls}{where}{said}.", uses, next_steps=steps)
    if why := cut_short(graph.notes):
        return Absence("unknown", f"No {noun} found{said}. There may be some: {why}.", next_steps=steps)
    return Absence("none", f"No {noun} in this repository{said}.", next_steps=steps)


def _no_supertypes(question: Question) -> Absence:
    """Return the explanation of an empty answer about supertypes: what the source names, without being resolved."""
    named = [
        base for s in question.symbols if not is_external(s.id) for base in question.usage_evidence.outer_bases(s.id)
    ]
    if not named:
        return Absence("none", "No supertypes in this repository.")
    listed = shortened(list(dict.fromkeys(named)), _NAMED)
    twins = [s for base in named for s in question.graph.catalog.find(name_parts(base)[-1]) if s.kind in TYPE_KINDS]
    if twins:
        return Absence(
            "possible", f"No supertypes found in this repository; {listed} could not be resolved for certain."
        )
    return Absence("none", f"No supertypes in this repository; from outside: {listed}.")


_CERTAIN: Final = 1.0 - 1e-6
_MOST_PATHS: Final = 10  # maximal number of uncertain paths that are counted


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
    reached = distances(graph, graph.vertex(source), "out", kinds, minimum, tests)
    if graph.vertex(target) in reached:
        far = f"{first} leads to {last} only over more than {longest} symbols; such paths are not listed"
        return _uncertain(graph, f"{far}.", weaker, minimum, kinds, tests) if weaker else Absence("possible", f"{far}.")
    reached = distances(graph, graph.vertex(source), "out", kinds, 0.0, tests)
    if weaker:
        said = f"No path of certain calls was found from {first} to {last}."
        return _uncertain(graph, said, weaker, minimum, kinds, tests)
    if graph.vertex(target) in reached:
        far = f"a path over uncertain edges has more than {longest} symbols"
        return Absence("possible", f"No path of certain calls was found from {first} to {last}; {far}.")
    leading = distances(graph, graph.vertex(target), "in", kinds, 0.0, tests)
    uses = _joining(graph, reached, leading, kinds, tests)
    if uses:
        number = f"at least {len(uses)}" if len(uses) >= MAX_POSSIBLE else str(len(uses))
        calls = "call may connect" if len(uses) == 1 else "calls may connect"
        said = f"No path of calls was found from {first} to {last}, but {number} uncertain {calls} them."
        return Absence("possible", said, uses)
    extent = f"{first} reaches {len(reached) - 1:,} symbols, {len(leading) - 1:,} symbols lead to {last}"
    return Absence("none", f"No calls lead from {first} to {last}: {extent}, and no unresolved call connects them.")


def _joining(
    graph: CodeGraph, reached: dict[int, int], leading: dict[int, int], kinds: Sequence[EdgeKind], tests: bool
) -> tuple[PossibleUse, ...]:
    """Return the sites in symbols that the source reaches that may use a symbol that leads to the target."""
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
    """Return the answer about paths over uncertain edges, which its next step lists."""
    least = round(min(edge.confidence for path in weaker for edge in path.edges), 6)
    weak = _weak_steps(graph, weaker[0], minimum)
    calls = "1 call" if len(weaker[0].edges) == 1 else f"{len(weaker[0].edges)} calls"
    sure = f"{calls} of confidence {least:g} or higher"
    if len(weaker) == 1:
        found = f"1 path follows uncertain calls{_at(weak, 3)}, {sure}."
    else:
        more = "or more " if len(weaker) == _MOST_PATHS else ""
        found = f"{len(weaker)} {more}paths follow uncertain calls{_at(weak, 3)}; the shortest has {sure}."
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
        for edge in weak
        if edge.sites
    )


def _nearest_first(found: Iterable[tuple[int, PossibleUse]]) -> tuple[PossibleUse, ...]:
    kept: dict[Site, PossibleUse] = {}
    for _, use in sorted(found, key=lambda item: (item[0], item[1].site)):
        kept.setdefault(use.site, use)
    return tuple(kept.values())[:MAX_POSSIBLE]
