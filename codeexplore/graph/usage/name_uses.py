"""Places in the source that may use a symbol: references without a target, and names in the texts.

They are checked before a symbol is reported as not called, and are what may be more beside the resolved edges.

A *receiver* is the expression before the dot of a member: ``pool`` in ``pool.get()``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import MAX_POSSIBLE, Relating, inside, is_constructor, members, related
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.indirect_uses import IMPORTING
from codeexplore.graph.usage.visibility import owner_of
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import STUBS, is_external, name_parts
from codeexplore.languages.registry import can_use, is_made, record_of, rules_of
from codeexplore.names.mentions import PAGES, Mentions, in_string, word_of
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    VALUE_KINDS,
    Direction,
    Edge,
    FileIndex,
    PossibleUse,
    Site,
    Symbol,
    Unresolved,
)
from codeexplore.types.certainty import CERTAIN, LIKELY
from codeexplore.types.graph import UseForm
from codeexplore.types.settings import RESOLVED_CONFIDENCE

MAX_LINE: Final = 200
"""Maximal number of characters of the source line in a possible use."""

_BEFORE: Final = re.compile(r"(?:\.|::|->|#)\s*$")
"""Separator between a receiver and the name of its member, at the end of the text before the name."""

_OF_VALUE: Final = re.compile(r"(?:\.|->|#)\s*$")
"""Separator after a receiver that is a value, whose type may be another at run time."""

_CALL: Final = re.compile(r"\s*(?:\?\.|!)?\s*(?:<[^<>()\n]*>\s*|::<[^<>()\n]*>\s*)?\(")
"""Start of the arguments after a called name. Type arguments, optional calls and macros are included."""

_OF_FIELD: Final = re.compile(r"(?:\b[A-Z]\w*|\))\.[a-z_]\w*\.\w")
"""Member of the value of a field, in the name of an outside type: ``Container.logger.info``."""

_QUOTES: Final = ("'", '"', "`")


class _Known(NamedTuple):
    """Symbols and outside names that a name means at one site, according to edges and outside uses.

    They are other symbols than the one in question.
    """

    targets: dict[str, float]  # qualified names, with the confidence of the surest edge to each
    certain: bool  # at least one edge is guaranteed by the language
    confidence: float  # of the surest edge
    by_self: bool  # the receiver is ``self`` (or ``this``), whose methods are known
    outside: int = 0  # outside names among the targets, one for each call in ``out.add(x).add(y)``


class _Written(NamedTuple):
    """Last names of the references of a file, by (line, name)."""

    whole: bool  # the file was parsed without errors, and references are all that its code says
    calls: Counter[tuple[int, str]]
    names: frozenset[tuple[int, str]]


class NameUses:
    """Finder of possible uses of symbols by their names.

    A place where the name occurs is a possible use with four exceptions: the place defines the name, it declares the
    name, it is inside the symbol, or the name certainly means another definition there. A line may have more than a
    definition: ``def f(x) = x; xs.map(f)``. Certainty needs a bare name that scopes and imports resolve to the other
    definition, or a member of ``self``. A member of any other receiver is always a possible use; the result then names
    the definition to which it resolves. So is a member of ``self`` that the symbol overrides. The accessors of a
    property are one definition. An edge to the value of a constant, such as a function, does not say that the name
    means no constant there.

    Without `tests`, places in tests are left out. `enough` is the confidence of an edge to another definition from
    which a place with one such name is no possible use, even if the name is a member; without it, only certainty
    counts. `files` are the facts of the files: of several calls by the name in one line, each may be known to be
    another. Without them, such a line is a possible use.
    """

    def __init__(
        self,
        graph: CodeGraph,
        mentions: Mentions,
        tests: bool = True,
        enough: float = 2.0,
        files: Mapping[str, FileIndex] | None = None,
    ) -> None:
        self._graph, self._mentions, self._files = graph, mentions, files or {}
        self._tests, self._enough = tests, enough
        self._unresolved = cache(lambda name: {each.site for each in graph.unresolved.named(name)})
        # a name with several meanings needs these once for each of them
        self._words, self._line, self._language = cache(mentions.words), mentions.line, mentions.language
        self._places, self._outside = cache(mentions.places), cache(graph.externals.users)
        self._names = cache(self._names_of)  # reading the facts of a file takes long
        self._edges_to = cache(
            lambda vertex: [edge for edge in map(graph.edge, graph.incident(vertex, "in")) if edge.kind != "CONTAINS"]
        )

    def of(
        self, symbol: Symbol, sites: Iterable[Site] | None = None, same: Sequence[Symbol] | None = None
    ) -> tuple[PossibleUse, ...]:
        """Return the places that may use `symbol`, in the order of files and lines.

        `sites` are the sites where its name occurs, if they are known (None searches every file), and `same` all
        symbols with its name (None looks them up).
        """
        if sites is None:
            sites = self._words(symbol.name)
        if same is None:
            same = [s for s in self._graph.catalog.find(symbol.name) if s.name == symbol.name and not is_external(s.id)]
        known = self._elsewhere(symbol, same)
        defined = frozenset(Site(each.path, line) for each in same for line in (each.line, each.span.start_line))
        pattern = record_of(symbol.language).declaring if symbol.kind in CALLABLE_KINDS else None
        declaring = pattern.fullmatch if pattern is not None else None
        last = symbol.span.end_line if record_of(symbol.language).structure is None else symbol.line  # of a pattern
        own, hidden = range(symbol.span.start_line, last + 1), hidden_from(self._graph, symbol)
        of_value = symbol.kind == "method" and record_of(symbol.language).implicit_interfaces  # no bare name means it
        reflected = finds_private(symbol)
        held = symbol.kind == "method" and any(e.kind == "field" and e.parent == symbol.parent for e in same)
        found = []
        for site in sites:
            inside = site.path == symbol.path and site.line in own
            unseen = hidden(site.path)
            if (inside and own[0] < site.line < own[-1]) or (unseen and not reflected):
                continue
            if not self._tests and self._graph.catalog.is_test_line(*site):
                continue
            line = self._line(site)
            places = self._places(symbol.name, site, symbol.kind in VALUE_KINDS)
            if unseen:
                places = [(a, b) for a, b in places if a and line[a - 1] in _QUOTES and line[a - 1] == line[b : b + 1]]
            if not (is_made(site.path) or can_use(self._language(site.path), symbol)):  # but as text, through a bridge
                free = site not in defined and (site not in known or not known[site].confidence)
                places = [each for each in places if in_string(line, each[0]) or (free and _CALL.match(line, each[1]))]
            if declaring is not None:  # not the names of prototypes
                places = [each for each in places if not (_CALL.match(line, each[1]) and declaring(line, 0, each[0]))]
            places = self._with_receiver(site, line, places) if of_value else places
            defining = int(site in defined)  # the first place is the name that is defined
            places = self._mentions.outside(symbol, site, places) if inside else places[defining:]
            if not places:
                continue
            there = known.get(site) if not (held and f"::{symbol.name}" in line) else None  # field = this::field
            sure = there if there is not None and there.confidence >= self._enough - 1e-6 else None
            several = len(places) > 1 and sure is not None and len(places) > sure.outside
            another = sure is not None and not (several and not self._are_resolved(symbol.name, site, len(places)))
            if not another and not _certainly_another(there, line, places):
                text = self._is_text(symbol.name, site, line, places)
                found.append(_use(site, line, places, {} if there is None else there.targets, text))
        return tuple(found)

    def _with_receiver(self, site: Site, line: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the places with a dot before them, which may end the line above, and those in strings."""
        above = self._line(Site(site.path, site.line - 1)) if site.line > 1 else ""
        before = {place: line[: place[0]].strip() or above.strip() for place in places}
        return [place for place in before if in_string(line, place[0]) or _BEFORE.search(before[place])]

    def _elsewhere(self, symbol: Symbol, same: Iterable[Symbol]) -> Mapping[Site, _Known]:
        """Return the sites where the name of `symbol` means other symbols or outside names, each with these targets."""
        graph = self._graph
        found: dict[Site, _Known] = defaultdict(lambda: _Known({}, False, 0.0, False))
        conditional = record_of(symbol.language).conditional  # then an edge may lead to another definition of it
        is_value = symbol.kind in VALUE_KINDS
        related = overridden(graph, symbol) | overridden(graph, symbol, "in")
        above, shapes = graph.catalog.around(symbol), record_of(symbol.language).shapes
        # an object with the members of an interface need not name it
        shaped = above is not None and shapes is not None and shapes.search(above.signature) is not None
        overrides = frozenset(graph.symbol(vertex).id for vertex in related)
        for other in same:
            beside = other.parent == symbol.parent is not None and (is_accessor(symbol) or is_accessor(other))
            if other.id == symbol.id or beside:  # ``x.size += 1`` uses both accessors, with an edge to one of them
                continue
            parts = other.fqn == symbol.fqn and (symbol.kind in TYPE_KINDS or symbol.path.endswith(STUBS))  # one thing
            values = VALUE_KINDS if symbol.kind == "constant" else (*VALUE_KINDS, *TYPE_KINDS)
            another = not parts and other.id not in overrides and (not is_value or other.kind in values)
            another = another and not self._implements_across(other, symbol) and not _is_type_of(other, symbol)
            another = another and not self._is_assigned(other, symbol) and not shaped
            for edge in self._edges_to(graph.vertex(other.id)):
                _note(
                    found, edge, other.fqn, not another or (conditional and self._place(other) == self._place(symbol))
                )
        extends = above is not None and above.kind in ("trait", "interface")  # perhaps outside types
        extends |= knows_types(symbol.language) and _is_extension(symbol)
        is_type = above is not None and above.kind in TYPE_KINDS
        extends |= record_of(symbol.language).impl_blocks and _is_of_unknown(graph, symbol)
        own = graph.externals.used_by([graph.vertex(symbol.parent or "")]) if is_type else ()
        based = {name.partition(".")[0] for name in own}  # an inherited method may return the own object
        for _, full, site in self._outside(symbol.name):
            if symbol.fqn.endswith(f".{full}"):
                continue  # imported by a script that adds a folder of the repository to the path
            known = found[site]
            returned = "()" in full and full.partition(".")[0] in based
            across = self._crosses(full, site, symbol)
            another = not (is_value or extends or returned or across or may_be(full, symbol, self._line(site)))
            opaque = "()" in full.rpartition(".")[0]
            confidence = max(known.confidence, float(another and not opaque))  # a result may be of any type
            targets, number = known.targets | {full: 1.0}, known.outside + (another and full not in known.targets)
            found[site] = _Known(targets, known.certain or another, confidence, known.by_self, number)
        return found

    def _crosses(self, outside: str, site: Site, symbol: Symbol) -> bool:
        """Return True if a name from outside begins with one of this repository, in another language of the platform.

        Edges do not lead from one language to another. The name may be that of a subtype, an object or a file:
        ``p.HelpersKt.help``.
        """
        language, record = self._language(site.path), record_of(symbol.language)
        if language == symbol.language or not record.platform or record.platform != record_of(language).platform:
            return False
        parts = name_parts(outside)
        return any(self._graph.catalog.exactly(parts[:end]) for end in range(1, len(parts)))

    def _implements_across(self, method: Symbol, required: Symbol) -> bool:
        """Return True if the type of a method names that of a method of another language: Java implements Kotlin's.

        Edges do not lead from one language to another, so no edge says which of them overrides the other.
        """
        if method.language == required.language or method.parent is None or required.parent is None:
            return False
        head, owner = self._graph.catalog.symbol(method.parent).signature, self._graph.catalog.symbol(required.parent)
        return owner.kind in TYPE_KINDS and word_of(owner.name).search(head) is not None

    def _is_assigned(self, other: Symbol, symbol: Symbol) -> bool:
        """Return True for a function that is assigned to a name of its file, which may be the one of `symbol`.

        Example: ``let stop = () => {}; function start() { stop(); stop = () => end(); }``.
        """
        if not record_of(other.language).object_literals or (other.path, other.kind) != (symbol.path, "function"):
            return False
        line = self._line(Site(other.path, other.line))
        return re.match(rf"\s*{re.escape(other.name)}\s*=(?!=)", line) is not None

    def _place(self, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
        """Return the name of the type whose member `symbol` is, "" for none, and the module around its module.

        Definitions of which one is compiled have these in common.
        """
        above = self._graph.catalog.around(symbol)
        of_type = above is not None and above.kind in TYPE_KINDS
        return above.name if above is not None and of_type else "", tuple(name_parts(symbol.fqn)[: -2 - of_type])

    def _is_text(self, name: str, site: Site, line: str, places: Iterable[tuple[int, int]]) -> bool:
        """Return True if a name looks called in a line of code, but only in string literals, and no code uses it."""
        called = any(_CALL.match(line, end) for _, end in places)
        quoted = called and all(in_string(line, at) for at, _ in places)
        written = self._names(site.path) if quoted else None
        return written is not None and written.whole and (site.line, name) not in written.names

    def _are_resolved(self, name: str, site: Site, number: int) -> bool:
        """Return True if all calls by a name in a line have edges, and no more than these calls have the name."""
        written = self._names(site.path) if site not in self._unresolved(name) else None
        return written is not None and written.calls[site.line, name] >= number

    def _names_of(self, path: str) -> _Written | None:
        if (file := self._files.get(path)) is None:
            return None
        facts = file.facts
        rows = [(row.line, last_name(row.path)[0], row.kind in ("call", "new")) for row in facts.references]
        calls = Counter((line, name) for line, name, called in rows if called)
        whole = not facts.errors and record_of(facts.language).structure is None
        return _Written(whole, calls, frozenset((line, name) for line, name, _ in rows))


def hidden_from(graph: CodeGraph, symbol: Symbol) -> Callable[[str], bool]:
    """Return a test of paths: True for a file whose code cannot name a symbol, which is of another file or package.

    Other packages only use objects that a program passes to them, and no other program does. The traits of a type use
    its private members.
    """
    catalog = graph.catalog
    language, folder = record_of(symbol.language), symbol.path.rpartition("/")[0]
    capitals, of_file = language.visibility == "capitals", catalog.is_of_file(symbol)
    of_package = capitals and not symbol.name[:1].isupper()

    is_program = partial(catalog.starts_in, name=language.program if capitals else "")
    types = [graph.vertex(symbol.parent)] if of_file and symbol.parent is not None else ()
    above = map(graph.symbol, related(graph, types, "out", ("IMPLEMENTS",)))
    files = {symbol.path, *(each.path for each in above if each.kind == "trait")}

    @cache
    def hidden(path: str) -> bool:
        other = path.rpartition("/")[0]
        if of_file or other == folder:
            return of_file and path not in files
        return of_package or (is_program(folder) and (symbol.kind != "method" or is_program(other)))

    return hidden


def _is_type_of(other: Symbol, symbol: Symbol) -> bool:
    """Return True for the type of a property that has the name of its type: ``Color.Red`` may mean either."""
    name = re.escape(symbol.name)
    named = other.kind in TYPE_KINDS and symbol.kind not in TYPE_KINDS and other.id != symbol.parent
    return (
        named
        and re.search(rf"\b{name}\??(?:\s+{name}\b(?!\s*[(<])|\s*:\s*(?:\w+\.)*{name}\b)", symbol.signature) is not None
    )


def _is_of_unknown(graph: CodeGraph, symbol: Symbol) -> bool:
    """Return True for a method of a type that is not found: code may call it on objects of types that are."""
    owner = owner_of(graph.catalog, symbol)
    return symbol.kind == "method" and (owner is None or owner.kind not in TYPE_KINDS)


def finds_private(symbol: Symbol) -> bool:
    """Return True for a member that reflection finds by its name in a string, also in a file that cannot use it.

    That of Go finds exported members.
    """
    record, member = record_of(symbol.language), symbol.kind in ("method", "field")
    exported = record.visibility != "capitals" or symbol.name[:1].isupper()
    return member and exported and record.reflection is not None


def knows_types(language: str) -> bool:
    """Return True if a compiler of the language knows the type of every receiver by its name."""
    record = record_of(language)
    return record.checked_types and record.shapes is None


def overridden(graph: CodeGraph, symbol: Symbol, direction: Direction = "out") -> dict[int, None]:
    """Return the vertices of the methods that a method overrides, or of the fields that a field does, nearest first.

    With the direction "in", they are the methods that override it.
    """
    reads = direction == "out" and (symbol.kind in VALUE_KINDS or is_read(symbol))  # a getter may override a field
    values = of_supertypes(graph, symbol) if reads else {}
    if symbol.kind in VALUE_KINDS:
        return values
    known = symbol.kind == "method" and graph.catalog.has_symbol(symbol.id)  # a deleted one has none
    starts = [graph.vertex(symbol.id)] if known else []
    return values | dict.fromkeys(related(graph, starts, direction, ("OVERRIDES",), len(graph.catalog.symbols))[1:])


def of_supertypes(graph: CodeGraph, symbol: Symbol) -> dict[int, None]:
    """Return the vertices of the members of supertypes that have the name of a member, nearest first."""
    known = symbol.parent is not None and graph.catalog.has_symbol(symbol.id)
    types = related(graph, [graph.vertex(symbol.parent)] if symbol.parent is not None and known else (), "out")
    inside = (member for above in types[1:] for member in members(graph, above))
    return dict.fromkeys(each for each in inside if graph.symbol(each).name == symbol.name)


def may_be(outside: str, symbol: Symbol, line: str) -> bool:
    """Return True if a name from outside may be the symbol's: its module has the name of a part of the symbol's path.

    Then the code in the line may have another root, such as a folder that a build adds to the path, or its module was
    taken for a variable of the same name. The value of a field of an outside object may be any object.
    """
    if symbol.kind == "method" and _OF_FIELD.search(outside) is not None:
        return True
    written = re.findall(rf"(\w+)(?:::|\.|\\){re.escape(symbol.name)}(?!\w)", line)
    return not {*re.split(r"\W+", outside)[-2:-1], *written}.isdisjoint(_parts(symbol.path, symbol.fqn))


@lru_cache(maxsize=100)
def _parts(path: str, name: str) -> frozenset[str]:
    return frozenset(re.split(r"\W+", f"{path} {name}"))


def _is_extension(symbol: Symbol) -> bool:
    """Return True if the type that a member extends is written before its name: ``fun Flow.test()``, ``val A.b``."""
    return re.search(rf"\.{re.escape(symbol.name)}(?=\s*[(:=]|\s+(?:by|get)\b|\s*$)", symbol.signature) is not None


def is_accessor(symbol: Symbol) -> bool:
    """Return True for a setter or deleter of a property, and for a getter that is marked as one."""
    marks = (mark.partition("(")[0] for mark in symbol.decorators)
    return any(mark.endswith((".setter", ".deleter", ".getter")) for mark in marks) or (
        symbol.kind in CALLABLE_KINDS and symbol.signature.startswith(("get ", "set "))
    )


def is_read(symbol: Symbol) -> bool:
    """Return True if reading the name of a function calls it: a property, or a function without parentheses."""
    return is_accessor(symbol) or "property" in symbol.decorators or "(" not in symbol.signature


def _note(found: dict[Site, _Known], edge: Edge, target: str, uncertain: bool) -> None:
    for part in edge.by_rule:
        own = part.rule.startswith("self")  # the method, or one that overrides it
        certain = (own or part.confidence >= CERTAIN) and not uncertain
        for site in part.sites:
            known = found[site]
            best = max(part.confidence, known.targets.get(target, 0.0))
            by_self = known.by_self or (certain and own)
            confidence = known.confidence if uncertain else max(known.confidence, part.confidence)
            found[site] = _Known(known.targets | {target: best}, known.certain or certain, confidence, by_self)


def _certainly_another(known: _Known | None, line: str, places: Sequence[tuple[int, int]]) -> bool:
    if known is None or not known.certain:
        return False
    received = any(_OF_VALUE.search(line, 0, start) for start, _ in places)
    return (known.by_self and len(places) == 1) or not received


def _use(
    site: Site, line: str, places: Sequence[tuple[int, int]], targets: Mapping[str, float], text: bool
) -> PossibleUse:
    called = [] if text else [(start, end) for start, end in places if _CALL.match(line, end)]
    quoted = all(line[start - 1 : start] in _QUOTES and line[end : end + 1] == line[start - 1] for start, end in places)
    form: UseForm = "call" if called else "string" if quoted else "name"
    receiver = any(_BEFORE.search(line, 0, start) for start, _ in called or places)  # flavour = m.flavour
    doubtful = max(targets.values(), default=1.0) < LIKELY - 1e-6
    return PossibleUse(site, form, receiver, line.strip()[:MAX_LINE], tuple(targets), doubtful)


# --------------------------------------------------------------------------- the places that a question is about

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
