"""Explanation of an empty answer.

Each explanation has a verdict: "none" if there is certainly no result, "possible" if there may be results, and
"unknown" if the index cannot decide. `verdict` has the verdicts on all answers, and `path_verdict` those on paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import cut_short
from codeexplore.graph.traversal import RELATING, inside, is_constructor, members
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import (
    MAX_LINE,
    MOST_NAMES,
    USING,
    Question,
    in_order,
    knows_types,
    mentions_of,
    named_inside,
    of_supertypes,
    overridden,
    weaker_uses,
)
from codeexplore.index.qualified_names import STUBS, is_external, name_parts
from codeexplore.languages.file_roles import marks
from codeexplore.languages.registry import follows_names, record_of, rules_of
from codeexplore.text.enumeration import places, shortened
from codeexplore.types import (
    CALLABLE_KINDS,
    TEXT_KINDS,
    TYPE_KINDS,
    VALUE_KINDS,
    EdgeKind,
    NextStep,
    PossibleUse,
    Symbol,
    Verdict,
)
from codeexplore.types.certainty import LIKELY
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_NOT_CALLED = frozenset({"module", "constant", "field"}) | TEXT_KINDS
_OF_TYPES = frozenset({"implementors", "subclasses"})
_MOST_SEEDS = 3  # with more seeds, evidence about single seeds is not reported
NAMED = 3  # maximal number of definitions, or of outside names, that a text lists
CALLS: Final[tuple[EdgeKind, ...]] = ("CALLS",)
DECLARED: Final = "it is only declared here, and its body is elsewhere"


def absence(question: Question) -> Verdict:
    """Return the verdict on the empty answer to `question`, with its explanation.

    The verdict "none" has two conditions. First, the names of the symbols occur nowhere in the code except in their own
    definitions and at places that certainly mean something else. Second, no decorator, string, name built at run time
    or supertype outside the repository may lead to the symbols.
    """
    asked, symbols = question.relating, question.symbols
    noun = asked.noun
    if not symbols:
        return Verdict("none", "There is no symbol to start from.")
    if wrong := _not_applicable(question):
        if noun == "callers" and (calls := _calls_of_values(question)):
            return Verdict("possible", f"No callers found; {'; '.join(_said_of(calls, symbols))}.", calls)
        return Verdict("none", wrong)
    if asked.direction == "out":
        return _nothing_out(question)
    if all(is_external(symbol.id) for symbol in symbols):
        return _outside(question)
    if noun == "imports" and all(symbol.kind not in ("module", *CALLABLE_KINDS, *TYPE_KINDS) for symbol in symbols):
        return Verdict("none", f"No imports in this repository: {_kinds(symbols)}s are imported with their module.")
    return _nothing_in(question)


def _calls_of_values(question: Question) -> tuple[PossibleUse, ...]:
    """Return the calls with the names of constants and fields, whose values may be functions that are not known."""
    values = question.values
    names, found = {symbol.name for symbol in values}, mentions_of(question, values)
    elements = tuple(f"<{name}" for name in names)  # of JSX
    calls = [u for _, u in sorted(found.items()) if u.form == "call" or any(each in u.text for each in elements)]
    return tuple(use for use in calls if not any(name_parts(target)[-1] in names for target in use.targets))


def notes(question: Question) -> tuple[str, ...]:
    """Return sentences on why code outside the repository, or code that is not visible, may use the symbols.

    The reasons are exports, registration by a decorator, a start by name, and names in strings.
    """
    asked, own = question.relating, question.own
    if asked.direction == "out" or len(question.symbols) > _MOST_SEEDS or asked.noun not in USING:
        return ()
    found = {f"{each.path}:{each.line}": question.usage_evidence.of(each).notes for each in own}
    of_all = set(next(iter(found.values()), ())).intersection(*found.values())
    alike = len({each.fqn for each in own}) == 1  # overloads: what is said of one of them has its place
    said = [f"{n} ({at})" if alike and n not in of_all else n for at, notes in found.items() for n in notes]
    return tuple(dict.fromkeys(said))


def _not_applicable(question: Question) -> str:
    """Return the reason why symbols of these kinds cannot have the relation asked for; "" if they can."""
    relating, symbols = question.relating, question.symbols
    noun, kinds = relating.noun, _kinds(symbols)
    if noun in ("callers", "callees") and all(symbol.kind in _NOT_CALLED for symbol in symbols):
        if kinds == "module":
            return "A module is not called; ask what imports it." if noun == "callers" else _top_level(question)
        said = (
            "has no callers of its own: a call of its value is one of its uses"
            if noun == "callers"
            else "calls nothing"
        )
        return f"A {kinds} {said}; ask for its uses."
    above = any(_may_be_above(symbol) for symbol in symbols)
    if noun in _OF_TYPES and relating.direction == "in" and not above:
        return f"A {kinds} has no {noun}; ask for the {noun} of a type, or for the overrides of a method."
    return ""


def _may_be_above(symbol: Symbol) -> bool:
    """Return True for a type, a method, an outside symbol, and a module that types can include."""
    rules = rules_of(symbol.language) if symbol.kind == "module" and symbol.parent is not None else None
    included = rules is not None and rules.classes.mixins
    return included or symbol.kind in TYPE_KINDS or symbol.kind in ("method", "external")


def _top_level(question: Question) -> str:
    """Return what runs instead of the top level of modules, which calls nothing; "" if it may call something."""
    graph, symbols, files = question.graph, question.symbols, question.usage_evidence.files
    if graph.unresolved.within([graph.vertex(symbol.id) for symbol in symbols]):
        return ""
    inside = (symbol for each in symbols for symbol in graph.catalog.in_file(each.path))
    starts = [f"{s.name} ({s.path}:{s.line})" for s in inside if s.name in record_of(s.language).start_names]
    facts = (files[symbol.path].facts for symbol in symbols if symbol.path in files)
    modules = list(dict.fromkeys(row.module for each in facts for row in each.imports if row.module))
    run = f", but {shortened(starts, NAMED)} may start it; ask what that calls" if starts else ""
    loads = f" It imports {shortened(modules, NAMED)}." if modules else ""
    return f"Its top level calls nothing{run}.{loads}"


def _kinds(symbols: Sequence[Symbol]) -> str:
    words = [{*symbol.signature.partition(symbol.name)[0].split()} for symbol in symbols if symbol.kind == "constant"]
    variable = "variable" if words and all(each & {"var", "mut"} for each in words) else "constant"
    return " or ".join(dict.fromkeys(variable if s.kind == "constant" else s.kind for s in symbols))


# --------------------------------------------------------------------------- no incoming edges


def _nothing_in(question: Question) -> Verdict:
    noun = question.relating.noun
    where = "this repository" if question.tests else "this repository outside its tests"
    itself = _but_itself(question)
    named = question.own
    checked = all(knows_types(symbol.language) for symbol in named)
    weaker = list(weaker_uses(question))
    found = {use.site: use for use in weaker}
    found |= mentions_of(question, named, LIKELY if checked else 2.0)  # a compiler knows the types of receivers
    found |= {use.site: use for use in weaker if use.form == "name"}
    uses = in_order(found, question.graph.catalog)
    related, steps = _other_relations(question)
    through = _through(question, named)
    left = [use for use in uses if not set(use.targets) & through.keys()]
    methods = [each for each in named if each.kind == "method"]
    below = (*_members_below(question, named), *_of_outside(question, named))
    below = (*below, *perhaps_below(question, methods), *_embedding(question, named))
    if clauses := [*through.values(), *below, *_said_of(_with_lines(question, left), named), *related]:
        started = map(question.usage_evidence.starts.reason, named) if noun in USING else ()
        clauses = [*dict.fromkeys(filter(None, started)), *clauses]  # a launcher needs none of these places
        values = question.values if noun in USING and left else []
        read = bool(values) and len(values) == len(named) and not any(follows_names(s.language) for s in values)
        said = "Reads by the bare name are not followed" if read else f"No {noun} found{itself}"
        return Verdict("possible", f"{said}; {'; '.join(clauses)}.", uses, next_steps=tuple(steps))
    why = cut_short(question.graph.notes)
    if not question.usage_evidence.mentions.has_texts:
        why = "the texts of the files are not available, so the name was not searched in them"
    elif (number := len({symbol.fqn for symbol in named})) > MOST_NAMES:
        why = f"the names of {number} symbols were not searched in the texts"
    elif any(symbol.kind == "lambda" for symbol in named):
        why = why or "a function without a name cannot be searched by its name"
    elif noun in (*_OF_TYPES, "overrides"):
        types = _types_of(question.graph, named)
        why = why or next(filter(None, (unnamed_below(question.graph, each) for each in types)), "")
    if why:
        return Verdict("unknown", f"No {noun} found{itself}. There may be some: {why}.")
    known = [question.usage_evidence.of(symbol, ()) for symbol in named] if noun in USING else []
    other = [clause for e in known for clause in (e.started, e.registered, *e.dynamic) if clause]  # not from outside
    if other:
        return Verdict("possible", f"No {noun} found{itself}, but {'; '.join(dict.fromkeys(other))}.")
    return Verdict("none", f"No {noun} in {where}{itself or f': {_nowhere(question, named)}'}.")


def _with_lines(question: Question, uses: Iterable[PossibleUse]) -> list[PossibleUse]:
    """Return the uses with the line of a target that has the qualified name of a symbol asked about: an overload."""
    graph, asked = question.graph, {*question.symbols}
    twins = {each for name in {symbol.fqn for symbol in asked} for each in graph.catalog.find(name) if each.fqn == name}
    rows = [(s, graph.edge(row).sites) for s in twins - asked for row in graph.incident(graph.vertex(s.id), "in")]
    lines = {(s.fqn, site): f"{s.fqn} at {s.path}:{s.line}" for s, sites in rows for site in sites}
    return [use._replace(targets=tuple(lines.get((each, use.site), each) for each in use.targets)) for use in uses]


def _types_of(graph: CodeGraph, symbols: Iterable[Symbol]) -> dict[Symbol, None]:
    """Return the types among the symbols, and those around the methods among them."""
    around = ((graph.catalog.around(s) if s.kind == "method" else None) or s for s in symbols)
    return dict.fromkeys(each for each in around if each.kind in TYPE_KINDS)


def unnamed_below(graph: CodeGraph, type_: Symbol) -> str:
    """Return a clause if objects or functions may be of a type without naming it; "" if they cannot."""
    record = record_of(type_.language)
    if type_.kind == "type" and "(" in type_.signature:
        return f"`{type_.name}` is a type of functions, and a function with its parameters need not name it"
    if record.shapes is not None and record.shapes.search(type_.signature):
        fitting = "a value that fits" if type_.kind == "type" else "an object with the members of"
        return f"{fitting} `{type_.name}` need not name it"
    if record.functional is not None and record.functional.search(type_.signature):
        inside = [graph.symbol(each) for each in members(graph, graph.vertex(type_.id))]
        words = [{*each.signature.split()} for each in inside if each.kind == "method"]
        if sum(not {"default", "static"} & each for each in words) == 1:
            return f"a lambda or a reference to a method may implement `{type_.name}`, which has one method"
    return ""


def _through(question: Question, symbols: Sequence[Symbol]) -> dict[str, str]:
    """Return qualified name of a method → a clause on its callers, for those that one of the methods overrides."""
    graph, found = question.graph, dict[str, str]()
    for symbol in symbols if question.relating.noun in USING else ():
        for each in overridden(graph, symbol):
            rows = graph.incident(each, "in", CALLS, RESOLVED_CONFIDENCE, question.tests)
            if callers := {graph.edges.source[row] for row in rows}:
                name, names = graph.symbol(each).fqn, sorted({graph.symbol(caller).fqn for caller in callers})
                said = f"{many(names, 'caller')} ({shortened(names, NAMED)})"
                found[name] = f"it may be called through {name}, which has {said}"
    return found


def _of_outside(question: Question, symbols: Sequence[Symbol]) -> Iterator[str]:
    """Yield a clause on methods of the name asked for that override a member of an outside type, as toString does."""
    evidence = question.usage_evidence
    found = [
        each.fqn
        for each in symbols
        if question.relating.noun == "overrides" and not overridden(question.graph, each)
        if {"Override", "override"} & {*marks(each), *each.signature.split()}
        or (
            _is_below_outside(evidence, each) and (evidence.starts.implicit(each) or evidence.outside.by_protocol(each))
        )
        or (record_of(each.language).impl_blocks and evidence.outside.from_above(each))
    ]
    if len(symbols) > 1 and found:
        verb = "overrides" if len(found) == 1 else "override"
        yield f"{many(found, 'method')} of this name {verb} a member of an outside type ({shortened(found, NAMED)})"
    elif found:
        yield f"{found[0]} itself overrides a member of an outside type"


def _is_below_outside(evidence: UsageEvidenceTable, member: Symbol) -> bool:
    around = evidence.graph.catalog.around(member)
    return around is not None and around.kind in TYPE_KINDS and bool(evidence.supertypes.outside(around.id))


def perhaps_below(question: Question, symbols: Iterable[Symbol], across: bool = False) -> Iterator[str]:
    """Yield a clause on the places that may declare subtypes of types, or of those around methods, which are asked for.

    With `across`, only places in other languages count, from which no edges lead.
    """
    relation = question.relating.noun in (*_OF_TYPES, "overrides")
    types = [*_types_of(question.graph, symbols if relation else ())]
    asked = replace(question, relating=RELATING["subclasses"], symbols=tuple(types))
    uses = in_order(mentions_of(asked, types), question.graph.catalog)
    language, own = question.usage_evidence.mentions.language, {each.language for each in types}
    if uses := tuple(use for use in uses if not across or language(use.site.path) not in own):
        yield from clauses_on({"name": uses}, {"name": ("place", "perhaps declare{s} a subtype of {name}")}, types)


def _members_below(question: Question, symbols: Sequence[Symbol]) -> Iterator[str]:
    """Yield a clause for each field or constructor whose overrides are asked for and that a subtype has, too."""
    for symbol in symbols if question.relating.noun == "overrides" else ():
        graph, vertex = question.graph, question.graph.vertex(symbol.id)
        alike = graph.catalog.named(symbol.name) if symbol.kind in VALUE_KINDS or is_constructor(graph, vertex) else ()
        if below := [each.fqn for each in alike if vertex in of_supertypes(graph, each)]:
            verb = "has" if len(below) == 1 else "have"
            yield f"{many(below, symbol.kind)} of its subtypes {verb} its name ({shortened(below, NAMED)})"


def _embedding(question: Question, symbols: Sequence[Symbol]) -> Iterator[str]:
    """Yield a clause on types that may implement an interface, or a method of it, by an outside type in them.

    Those that are known to implement the interface of a method are more likely than others. An outside type has no
    private methods of an interface.
    """
    graph, evidence = question.graph, question.usage_evidence
    for symbol in symbols if question.relating.noun in (*_OF_TYPES, "overrides") else ():
        owner = graph.vertex(symbol.id if symbol.kind == "interface" else symbol.parent or symbol.id)
        inside = [symbol] if symbol.kind == "method" else [*map(graph.symbol, members(graph, owner))]
        asks = graph.symbol(owner).kind == "interface" and record_of(symbol.language).implicit_interfaces
        if not asks or not inside or any(each.name[:1].islower() for each in inside if each.kind == "method"):
            continue
        below = {graph.symbol(each).id for each in graph.neighbours(owner, "in", ("IMPLEMENTS",))}
        known = rules.classes.outside_methods if (rules := rules_of(symbol.language)) is not None else ()
        able = [(each, by) for each, by in evidence.supertypes.embedding.items() if each in below]
        able = able or [(each, by) for each, by in evidence.supertypes.embedding.items() if by not in known]
        if named := [f"{graph.catalog.symbol(each).fqn} embeds {by}" for each, by in able]:
            yield f"a type may have methods of an outside type that it embeds ({shortened(named, NAMED)})"


def _nowhere(question: Question, symbols: Sequence[Symbol]) -> str:
    if question.relating.noun not in USING:
        named = f"has the name {quoted_name(symbols)}" if len(symbols) == 1 else "has one of these names"
        return f"every place in its code that {named} is something else"
    if len(symbols) > 1:
        return "these names occur nowhere else in its code, or certainly mean something else"
    name, path, span = symbols[0].name, symbols[0].path, symbols[0].span
    own = span.lines
    declared = " except in declarations" if record_of(symbols[0].language).declaring is not None else ""
    same = [each for each in question.graph.catalog.find(name) if each.name == name]
    sites = () if declared else question.usage_evidence.mentions.words(name)
    if not question.tests:
        sites = tuple(site for site in sites if not question.graph.catalog.is_test_line(*site))
    if len(same) > 1 or any(site.path != path or site.line not in own for site in sites):
        return f"everywhere else the name `{name}` certainly means something else"
    return f"the name `{name}` occurs nowhere else in its code{declared}"


def _but_itself(question: Question) -> str:
    """Return the end of "no callers found", if only the symbols have the relation to themselves."""
    certain = recursive(question, LIKELY)
    return " but itself: it is recursive" if certain else " except perhaps itself" if recursive(question) else ""


def recursive(question: Question, minimum: float = RESOLVED_CONFIDENCE) -> list[str]:
    """Return the names of the symbols that have the relation to themselves, to which a walk never returns."""
    graph, kinds, found = question.graph, question.relating.kinds, dict[str, None]()
    for symbol in question.symbols:
        vertex = graph.vertex(symbol.id)
        if vertex in graph.neighbours(vertex, "out", kinds, minimum):
            found[symbol.fqn] = None
    return list(found)


def quoted_name(symbols: Sequence[Symbol]) -> str:
    return f"`{symbols[0].name}`" if len({symbol.name for symbol in symbols}) == 1 else "these names"


OF_FORMS: Final = {
    "member": ("call", "of {member} on receivers of unknown type may mean it"),
    "unnamed": ("call", "without its name may run it"),
    "implicit": ("place", "may {use} {name} without naming it"),
    "call": ("call", "of {name} may mean it"),
    "elsewhere": ("use", "of {name} resolve{s} to {targets}"),
    "name": ("other place", "mention{s} {name}"),
    "string": ("string", "{be} exactly {name}"),
}
"""Form of possible uses → noun, and the words after it."""


def _said_of(uses: Sequence[PossibleUse], symbols: Sequence[Symbol]) -> list[str]:
    """Return clauses that describe the possible uses, grouped by the form of the use."""
    groups: dict[str, list[PossibleUse]] = {}
    for use in uses:
        if use.targets and not use.doubtful:
            key = "elsewhere"
        elif is_unnamed(use, symbols):
            key = "unnamed"
        elif use.form == "call" or (use.doubtful and symbols[0].kind in CALLABLE_KINDS):
            key = "member" if use.receiver else "call"
        else:
            key = use.form
        groups.setdefault(key, []).append(use)
    return clauses_on(groups, OF_FORMS, symbols)


def clauses_on(
    groups: Mapping[str, Sequence[PossibleUse]], words: Mapping[str, tuple[str, str]], symbols: Sequence[Symbol]
) -> list[str]:
    """Return a clause for each group of possible uses, in the order of `words`, which has a noun and a text for each.

    The text has fields, such as the name of the symbols, and the ending and the verb of its subject.
    """
    said, name = list[str](), quoted_name(symbols)
    member = f"`.{symbols[0].name}`" if name[0] == "`" else name
    verb = "use" if symbols[0].kind in VALUE_KINDS else "run"
    for form, (noun, text) in words.items():
        if some := groups.get(form):
            ending, be = ("s", "is") if len(some) == 1 else ("", "are")
            targets = shortened(list(dict.fromkeys(target for use in some for target in use.targets)), NAMED)
            after = text.format(name=name, member=member, use=verb, targets=targets, s=ending, be=be)
            said.append(f"{many(some, noun)} {after}{at_places(some)}")
    return said


def is_unnamed(use: PossibleUse, symbols: Sequence[Symbol]) -> bool:
    """Return True for a call in whose line the name of no symbol stands, such as ``action()`` for what it holds."""
    names = [symbol.name.rstrip("=?!") for symbol in symbols]
    whole = 0 < len(use.text) < MAX_LINE
    return use.form == "call" and whole and not any(name in use.text or not name.isidentifier() for name in names)


def many(items: Sequence[object], noun: str) -> str:
    return f"{len(items):,} {noun}{'' if len(items) == 1 else 's'}"


def at_places(uses: Sequence[PossibleUse], named: int = 2) -> str:
    return f" ({places([use.site for use in uses], named)})" if uses else ""


def _other_relations(question: Question) -> tuple[list[str], list[NextStep]]:
    """Return clauses on resolved uses of the symbols in relations that were not requested, and calls that list them."""
    graph, asked = question.graph, question.relating
    said, steps = list[str](), list[NextStep]()
    if asked.noun not in USING:
        return said, steps
    vertices = {graph.vertex(symbol.id) for symbol in question.symbols}
    within = set(inside(graph, vertices)) - vertices if all(s.kind in TYPE_KINDS for s in question.symbols) else set()
    members = [row for v in within for row in graph.incident(v, "in", RELATING["uses"].kinds, RESOLVED_CONFIDENCE)]
    if users := {graph.edges.source[row] for row in members} - within - vertices:
        said.append(f"{len(users):,} {'symbol uses' if len(users) == 1 else 'symbols use'} its members")
    for relation, kinds, one, more in (
        ("uses", RELATING["uses"].kinds, "symbol uses it without a call", "symbols use it without a call"),
        ("imports", RELATING["imports"].kinds, "module imports it", "modules import it"),
    ):
        other = tuple(set(kinds) - set(asked.kinds))
        least = RESOLVED_CONFIDENCE, question.tests
        rows = [row for v in vertices for row in graph.incident(v, "in", other, *least)] if other else []
        if sources := {graph.edges.source[row] for row in rows} - vertices:
            said.append(f"{len(sources):,} {one if len(sources) == 1 else more}")
            steps.append(NextStep(relation, f"lists what {relation} it"))
    return said, steps


def _outside(question: Question) -> Verdict:
    """Explain an empty answer about outside names, which the repository uses in another relation."""
    graph = question.graph
    vertices = (graph.vertex(symbol.id) for symbol in question.symbols)
    rows = (row for vertex in vertices for row in graph.incident(vertex, "in", tests=question.tests))
    sites = sorted({site for row in rows for site in graph.edge(row).sites})
    noun = question.relating.noun
    if not sites:
        return Verdict("none", f"No {noun} in this repository.")
    uses = tuple(PossibleUse(site, "name", False, "") for site in sites)
    said = f"{many(sites, 'place')} {'uses' if len(sites) == 1 else 'use'} this outside name in another way"
    return Verdict("possible", f"No {noun} found; {said}{at_places(uses)}.", uses)


# --------------------------------------------------------------------------- no outgoing edges


def _nothing_out(question: Question) -> Verdict:
    """Explain an empty answer about outgoing edges: unresolved references, or outside names only."""
    graph, noun = question.graph, question.relating.noun
    if noun in _OF_TYPES:
        return _no_supertypes(question)
    vertices = inside(graph, (graph.vertex(symbol.id) for symbol in question.symbols))
    outside = graph.externals.used_by(vertices)
    said, steps = "", tuple[NextStep, ...]()
    if outside:
        said = f"; outside names used: {shortened(outside, NAMED)}"
        steps = (NextStep("", "shows them", options=(("include_externals", True),)),)
    left = graph.unresolved.within(vertices) if noun in ("callees", "uses") else ()
    uses = tuple(PossibleUse(u.site, "call", bool(u.receiver), "") for u in left)
    if not left and not question.possible and noun in ("callees", "uses"):
        uses = named_inside(question)
    clauses = []
    if uses or question.possible:
        number = len(uses) + len(question.possible)
        clauses = [f"{many(range(number), 'reference')} could not be resolved for certain{at_places(uses)}"]
    abstract = [
        symbol.id for symbol in question.symbols if symbol.kind == "method" and graph.catalog.is_required(symbol)
    ]
    if runs := overriders(graph, abstract if noun in ("callees", "uses") else ()):
        named = shortened([graph.symbol(vertex).fqn for vertex in runs], NAMED)
        clauses.append(f"calls of it run what overrides it ({named})")
    if clauses := clauses + called_inside(question):
        text = f"No {noun} found in this repository; {'; '.join(clauses)}{said}."
        return Verdict("possible", text, uses, next_steps=steps)
    why = cut_short(graph.notes)
    if all(symbol.path.endswith(STUBS) for symbol in question.symbols):
        why = DECLARED
    elif any(
        record_of(each.language).bases_construct and is_constructor(graph, graph.vertex(each.id))
        for each in question.symbols
    ):
        why = "a constructor runs those of its bases and fields, and a destructor theirs"
    if why:
        return Verdict("unknown", f"No {noun} found{said}. There may be some: {why}.", next_steps=steps)
    itself = _but_itself(question)
    return Verdict("none", f"No {noun} in this repository{itself}{said}.", next_steps=steps)


def overriders(graph: CodeGraph, methods: Iterable[str]) -> list[int]:
    """Return the vertices of the methods that override one of `methods`."""
    below = (graph.neighbours(graph.vertex(each), "in", ("OVERRIDES",)) for each in methods)
    return list(dict.fromkeys(chain.from_iterable(below)))


def called_inside(question: Question) -> list[str]:
    """Return a clause on the symbols that only functions without a name inside the symbols call; [] for none."""
    graph, own = question.graph, {question.graph.vertex(symbol.id) for symbol in question.symbols}
    around = set(own)
    for vertex in inside(graph, own):
        symbol = graph.symbol(vertex)
        if symbol.kind == "lambda" and symbol.parent is not None and graph.vertex(symbol.parent) in around:
            around.add(vertex)
    called = {each for one in around - own for each in graph.neighbours(one, "out", CALLS, RESOLVED_CONFIDENCE)}
    known = {each for one in own for each in graph.neighbours(one, "out", CALLS)}
    number = len(called - known - around)
    return [f"functions without a name in it call {many(range(number), 'symbol')}"] if number else []


def _no_supertypes(question: Question) -> Verdict:
    """Return the explanation of an empty answer about supertypes: what the source names, without being resolved."""
    named = [base for each in question.own for base in question.usage_evidence.supertypes.outside(each.id)]
    if not named:
        return Verdict("none", "No supertypes in this repository.")
    listed = shortened(list(dict.fromkeys(named)), NAMED)
    twins = [s for base in named for s in question.graph.catalog.find(name_parts(base)[-1]) if s.kind in TYPE_KINDS]
    if twins:
        said = f"No supertypes found in this repository; {listed} could not be resolved for certain."
        return Verdict("possible", said)
    return Verdict("none", f"No supertypes in this repository; from outside: {listed}.")
