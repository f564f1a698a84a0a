"""Places in the source that may use a symbol: references without a target, and names in the texts.

They are what an absence names, and what may be more beside the resolved edges.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import MAX_POSSIBLE, Relating, inside, is_constructor, members
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import MAX_LINE, VALUE_KINDS, NameUses, hidden_from, is_read, may_be
from codeexplore.graph.usage.type_uses import IMPORTING
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import is_external, name_parts
from codeexplore.languages.registry import can_use, record_of, rules_of
from codeexplore.names.mentions import PAGES
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, PossibleUse, Site, Symbol, Unresolved
from codeexplore.types.settings import RESOLVED_CONFIDENCE

USING = frozenset({"callers", "uses", "callers or users"})
MOST_NAMES = 20  # maximal number of symbols whose names are searched in the texts


@dataclass(frozen=True, slots=True)
class Question:
    """A query about a set of symbols, and its findings.

    If `tests` is False, test files do not count.
    """

    graph: CodeGraph
    relation: str
    relating: Relating
    symbols: tuple[Symbol, ...]
    usage_evidence: UsageEvidenceTable
    minimum: float  # confidence that is requested
    tests: bool
    possible: tuple[Edge, ...] = ()  # below the requested confidence
    unresolved: tuple[Unresolved, ...] = ()  # references that have the name of a start symbol

    @property
    def own(self) -> list[Symbol]:
        """The symbols of the repository."""
        return [symbol for symbol in self.symbols if not is_external(symbol.id)]

    @property
    def values(self) -> list[Symbol]:
        """The constants and fields of the repository."""
        return [symbol for symbol in self.own if symbol.kind in VALUE_KINDS]


def in_order(
    found: Mapping[Site, PossibleUse], catalog: Catalog, first: Collection[str] = ()
) -> tuple[PossibleUse, ...]:
    """Return the uses by place: those in the files `first`, then those in the program, then in tests and others."""

    def key(site: Site) -> tuple[bool, bool, Site]:
        return site.path not in first, catalog.roles.of(site.path) != "source", site

    return tuple(found[site] for site in sorted(found, key=key))


def weaker_uses(question: Question) -> Iterator[PossibleUse]:
    """Yield the references without a target, and the sites of edges below the requested confidence."""
    asked = question.symbols if question.relating.direction == "in" else ()
    hidden = [hidden_from(question.graph, symbol) for symbol in asked if not is_external(symbol.id)]
    for reference in question.unresolved:
        if len(hidden) < len(asked) or not hidden or not all(each(reference.site.path) for each in hidden):
            yield call_at(question, reference.site, bool(reference.receiver))
    for edge in question.possible:
        receiver = question.graph.catalog.symbol(edge.target).kind == "method"
        uses = (call_at(question, site, receiver) for site in edge.sites)
        reads = edge.kind != "CALLS"
        yield from (use._replace(form="name") if reads and use.form == "call" else use for use in uses)


def call_at(question: Question, site: Site, receiver: bool) -> PossibleUse:
    evidence = question.usage_evidence
    text = evidence.mentions.line(site).strip()[:MAX_LINE]
    asked, graph = question.symbols if text and question.relating.direction == "in" else (), question.graph
    inside = [s for s in asked if not is_external(s.id) and not re.search(rf"(?<!\w){re.escape(s.name)}(?!\w)", text)]
    implicit = [
        s
        for s in inside
        if s.kind in VALUE_KINDS or evidence.starts.implicit(s) or is_constructor(graph, graph.vertex(s.id))
    ]
    return PossibleUse(site, "implicit" if implicit and len(implicit) == len(asked) else "call", receiver, text)


def in_documentation(use: PossibleUse, catalog: Catalog) -> bool:
    """Return True if the line is part of the documentation of the symbol around it."""
    around = catalog.at(use.site.path, use.site.line)
    return around is not None and use.text.strip("\"' ") in around.doc


def mentions_of(question: Question, symbols: Sequence[Symbol], enough: float = 2.0) -> dict[Site, PossibleUse]:
    """Return the names in the texts that may mean one of the symbols, without the sites of resolved edges.

    `enough` is the confidence of an edge to another symbol at which a place is none; see `NameUses`.
    """
    found: dict[Site, PossibleUse] = {}
    usage_evidence = question.usage_evidence
    used = sites_of_edges(question, symbols)
    finder = NameUses(question.graph, usage_evidence.mentions, question.tests, enough, usage_evidence.files)
    for symbol in symbols[:MOST_NAMES] if usage_evidence.mentions.has_texts else ():
        if symbol.kind != "lambda":
            converting = list(_converting(question, symbol))
            found |= {use.site: use for use in converting}
            for use in finder.of(symbol):
                if converting and use.form != "call" and not use.receiver:
                    continue  # an attribute or text
                exported = use.form == "string" and usage_evidence.is_listed(use.site, symbol.name)
                language = usage_evidence.mentions.language(use.site.path)
                making = symbol.kind in TYPE_KINDS and _makes(question, use, symbol)
                fits = _fits(use, symbol, question.relating.noun, language, making=making)
                if (use.site in used and not making) or exported or not fits or _of_own(use, symbol, question):
                    continue
                if use.form == "call" or not means_local(use, symbol, usage_evidence):
                    found.setdefault(use.site, use)
    return found


def _converting(question: Question, symbol: Symbol) -> Iterator[PossibleUse]:
    """Yield the places that may run a conversion by another name, `from` by ``x.into()``, near one of its two types."""
    evidence, graph = question.usage_evidence, question.graph
    name = record_of(symbol.language).conversions.get(symbol.name, "") if symbol.parent is not None else ""
    if not name or question.relating.noun not in USING or not evidence.outside.from_above(symbol):
        return
    used = graph.neighbours(graph.vertex(symbol.id), "out", ("USES",))
    types = {each for each in used if graph.symbol(each).kind in TYPE_KINDS}
    types.add(graph.vertex(symbol.parent or ""))
    users = {user for each in types for user in graph.neighbours(each, "in", ("USES", "CALLS"))}
    users |= {member for each in types for member in members(graph, each)}
    called = re.compile(rf"\.\s*{name}\s*(?:::<[^()\n]*>\s*)?\(")
    for site in evidence.mentions.words(name):
        around = graph.catalog.at(*site)
        if around is None or graph.vertex(around.id) not in users or not called.search(evidence.mentions.line(site)):
            continue
        if can_use(around.language, symbol) and (question.tests or not graph.catalog.is_test_line(*site)):
            yield PossibleUse(site, "implicit", True, evidence.mentions.line(site).strip()[:MAX_LINE])


def means_local(use: PossibleUse, value: Symbol, usage_evidence: UsageEvidenceTable) -> bool:
    """Return True if a name without a receiver is a local of a function around it, and not the symbol `value`."""
    member = use.receiver or f"@{value.name}" in use.text  # an instance variable of Ruby
    if value.kind == "field" and record_of(value.language).shorthand_fields:  # { low } = found; return { low }
        form = rf"\{{(?:[^{{}}();]*,)?\s*{value.name}\s*(?:[,}}=]|$)|^\s*{value.name}\s*(?:[,}}]|$)"
        member = member or re.search(form, use.text) is not None
    if member or use.form == "string":
        return False
    binding = usage_evidence.binding(use.site.path).get(value.name, ())
    return any(s.id != value.parent and use.site.line in s.span.lines for s in binding)  # a constant is bound there


def _makes(question: Question, use: PossibleUse, symbol: Symbol) -> bool:
    """Return True if a call may make a subtype of a type at a place: on its line, or from two lines before it on."""
    evidence, text, line = question.usage_evidence, _STRING.sub("", use.text), use.site.line
    for before in (line - 1, line - 2):
        earlier = evidence.mentions.line(Site(use.site.path, before)) if before > 0 else ""
        if not earlier.rstrip().endswith(("(", ",", "[")):
            break
        text = f"{_STRING.sub('', earlier).strip()} {text}"
    around = question.graph.catalog.at(*use.site) if "impl" in text else None
    in_macro = around is not None and symbol.name in evidence.implemented(around)
    return in_macro or re.search(_MAKING.format(re.escape(symbol.name)), text) is not None


def _fits(use: PossibleUse, symbol: Symbol, noun: str, language: str, *, making: bool) -> bool:
    """Return True if a place with the symbol's name, in a file of `language`, may be the relation named `noun`."""
    if noun in USING:
        return True
    if noun == "imports":
        return IMPORTING.search(_STRING.sub("", use.text)) is not None
    if (
        symbol.kind not in TYPE_KINDS
        or use.form not in ("name", "call" if language != symbol.language else "")
        or (record_of(language).structure is not None and language not in PAGES)  # data declare no types
        or {*use.targets} - {symbol.fqn}
    ):  # or a twin
        return False
    form, text = _SUBTYPING if use.form == "name" else _EXTENDING, _STRING.sub("", use.text)
    flags, name = re.IGNORECASE if record_of(language).folds_case else re.NOFLAG, re.escape(symbol.name)
    found = re.search(name, text, flags) is not None and re.search(form.format(name), text, flags) is not None
    return found or (making and use.form == "name")


_STRING: Final = re.compile(r"([\"'])(?:\\.|(?!\1).)*\1")

_SUBTYPING: Final = (
    r"(?<![:.])\b(?:class|struct|union|interface|trait|enum|object|record|protocol|extension|actor|impl|extends|implements"
    r"|include|extend|prepend|with|derive|mixin|typedef|type)\b(?!\s+{0}\s*;)|^[\s,:&(|+]*(?:\w+(?:\.|::|\\))*{0}\b[^.;=()]*$"
)
"""A line that may declare a subtype of the type {0}: it declares another, or is a line of a list of supertypes."""

_MAKING: Final = r"\b(?:type|new_class|Class\.new|inherits)\(.*\b{0}\b"
"""Lines that make subtypes of the type {0} by a call."""

_EXTENDING: Final = (
    r"(?:\b(?:class|object)\b[^;={{}}\"']*|^[^;={{}}(]*\)[^;={{}}()]*)[:,]\s*(?:\w+\.)*{0}\s*[(<]"
    r"|\b(?:extends|with)\s+(?:\w+\.)*{0}\s*[(\[]|\bnew\s+(?:\w+\.)*{0}\s*(?:<[^()]*>)?\([^;]*\)\s*\{{"
)
"""A line that declares a subtype of the type {0} and calls its constructor."""


def _of_own(use: PossibleUse, symbol: Symbol, question: Question) -> bool:
    """Return True if a place that may be a subtype names the type as that of its own methods: a receiver or an impl."""
    if question.relating.noun in USING or symbol.kind not in TYPE_KINDS:
        return False
    around = question.graph.catalog.at(*use.site)
    own = around is not None and around.kind == "method" and around.fqn == f"{symbol.fqn}.{around.name}"
    block = record_of(symbol.language).impl_blocks and re.match(r"(?:unsafe\s+)?impl\b", use.text)
    return own or (bool(block) and re.search(rf"\b{re.escape(symbol.name)}\b.*\bfor\b", use.text) is None)


def sites_of_edges(question: Question, symbols: Sequence[Symbol]) -> frozenset[Site]:
    """Return the sites of resolved edges: they are in other relations than the requested one."""
    graph = question.graph
    rows = [row for s in symbols for row in graph.incident(graph.vertex(s.id), "in", None, RESOLVED_CONFIDENCE)]
    edges = (graph.edge(row) for row in rows)
    return frozenset(site for edge in edges if edge.kind != "CONTAINS" for site in edge.sites)


def named_inside(question: Question, listed: bool = False) -> tuple[PossibleUse, ...]:
    """Return the places in the symbols that name a function of the repository, and no known one from outside.

    With `listed`, the calls that the facts contain are left out: the list has what they mean.
    """
    graph, evidence, found = question.graph, question.usage_evidence, dict[Site, PossibleUse]()
    names_in = cache(evidence.names_in)
    for symbol in question.own if evidence.mentions.has_texts else ():
        within = inside(graph, (graph.vertex(symbol.id),))
        defined = {(graph.symbol(vertex).line, graph.symbol(vertex).name) for vertex in within}
        known = set[tuple[Site, str]]()
        for edge in (graph.edge(row) for vertex in within for row in graph.incident(vertex, "out")):
            target = graph.catalog.symbol(edge.target)
            if edge.kind == "CALLS" or target.kind not in CALLABLE_KINDS or not is_read(target):
                known.update((at, target.name) for at in edge.sites)
        types = evidence.types_around(symbol)
        for name, site, form in evidence.mentions.members(symbol, graph.catalog.named):
            same = [each for each in graph.catalog.named(name) if each.name == name]
            meant = [each for each in same if _may_name(graph.catalog, symbol, each, form, types)]
            if not meant or (site.line, name) in defined:
                continue
            outside = [full for _, full, at in graph.externals.users(name) if at == site]
            line = evidence.mentions.line(site)
            if (site, name) in known and (not outside or line.count(name) == 1):
                continue
            called, bound = names_in(symbol)
            if name == symbol.name and name not in called:
                continue  # the head of a further clause
            if outside:
                may = any(
                    all(may_be(full, each, line) or _inherits(evidence, each, full) for full in outside)
                    for each in meant
                )
            elif form == "call":
                may = not listed or name not in called
            else:
                may = name not in called and (form == "member" or name not in bound)
            if may:
                use = PossibleUse(site, "call", True, line.strip()[:MAX_LINE])
                found |= {} if in_documentation(use, graph.catalog) else {site: use}
    return tuple(found.values())[:MAX_POSSIBLE]


def _inherits(evidence: UsageEvidenceTable, symbol: Symbol, outside: str) -> bool:
    """Return True if a member of an outside type may be `symbol`, whose type has a supertype from outside."""
    owner = name_parts(outside)[-2:-1]
    return bool(owner) and owner[0][:1].isupper() and bool(evidence.outside.from_above(symbol))


def _may_name(catalog: Catalog, user: Symbol, other: Symbol, form: str, types: Collection[str]) -> bool:
    """Return True if code in `user` may run the function `other` by its name: it calls it, or reads a property.

    A bare name reads properties outside of types. Where it means members, it also reads those of the types around
    `user`, which `types` has with supertypes.
    """
    if other.kind not in CALLABLE_KINDS or other.id == user.id or not can_use(user.language, other):
        return False
    rules = rules_of(user.language)
    inherits = other.parent in types and (rules is None or rules.scopes.members_visible)
    bare = form == "" and (other.kind == "function" or inherits)
    if form != "call" and not (is_read(other) and (bare or (form == "member" and other.kind == "method"))):
        return False
    around = catalog.around(other)
    near = other.path == user.path
    macro = record_of(other.language).implicit_owners
    inner = around is not None and around.kind in CALLABLE_KINDS and not (macro and macro.search(around.signature))
    local = catalog.is_of_file(other) or inner
    tested = catalog.roles.is_test_symbol(other) and not catalog.roles.is_test_symbol(user)
    return near or not (local or tested)
