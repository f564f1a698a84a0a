"""Candidates for dead code: symbols that nothing in the repository uses, as far as the source shows.

A symbol is a candidate under two conditions. First, no edge of any confidence leads from outside the symbol to it or to
a definition inside it. Second, no unresolved reference has its name.

The kind of a candidate depends on the texts. If its name is called on some receiver, or occurs at a place that may use
it, its kind is "mentioned". Such candidates are only listed on request. The other kinds follow from decorators,
strings, supertypes outside the repository and visibility; `records.DeadCandidate` lists the kinds.

A symbol is also a candidate if it is used by unused symbols only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS, DeadCandidate, DeadKind
from codeexplore.graph.tables import cut_short
from codeexplore.graph.traversal import inside
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.graph.usage.name_uses import NameUses, is_accessor, knows_types
from codeexplore.index.qualified_names import STUBS
from codeexplore.languages.file_roles import PathRole
from codeexplore.languages.registry import record_of
from codeexplore.text.enumeration import places
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, PossibleUse, Site, Symbol
from codeexplore.types.certainty import LIKELY

_USING: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "IMPORTS")
_CALLS: tuple[EdgeKind, ...] = ("CALLS",)
_ABOVE: tuple[EdgeKind, ...] = ("OVERRIDES",)
_MOST_SITES = 3
_MOST_ACCESSORS = 8  # maximal number of accessors of one property
_OTHERS: dict[PathRole, str] = {
    "test": "tests",
    "vendored": "vendored code",
    "generated": "generated code",
    "docs": "documentation",
}


class DeadCode:
    """Finder of the dead-code candidates of one snapshot.

    `usage_evidence` must have been made with the facts of the files. If `tests` is False, symbols that only tests use
    are candidates too. Tests themselves are never candidates. `unread` returns a clause on files that are not in the
    snapshot and may use a symbol; "" for none.
    """

    def __init__(
        self,
        graph: CodeGraph,
        usage_evidence: UsageEvidenceTable,
        tests: bool = True,
        unread: Callable[[Symbol], str] = lambda _: "",
    ) -> None:
        self.graph, self.usage_evidence, self.tests, self._unread = graph, usage_evidence, tests, unread
        self.left_out: set[str] = set()  # kinds of files whose definitions are no candidates
        self._accessors = _accessors(graph)
        self._finder = cache(partial(NameUses, graph, usage_evidence.mentions, tests, files=usage_evidence.files))
        self._mentions: Mapping[str, tuple[Site, ...]] = {}
        self._same: dict[str, list[Symbol]] = {}

    def found(self, kinds: Collection[str] = CANDIDATE_KINDS) -> tuple[DeadCandidate, ...]:
        """Return the candidates of the given kinds, ordered by kind, then by their number of lines, longest first."""
        if cut_short(self.graph.notes):
            return ()  # resolution was cut short: edges may be missing
        able = [symbol for symbol in self.graph.catalog.symbols if self._able(symbol)]
        for symbol in self.graph.catalog.symbols:
            self._same.setdefault(symbol.name, []).append(symbol)
        lonely = [symbol for symbol in able if not self._users(symbol) and not self._unresolved(symbol)]
        self._mentions = self.usage_evidence.mentions.index({symbol.name for symbol in lonely})
        candidates = {symbol.id: self._candidate(symbol) for symbol in lonely}
        self._follow(able, candidates)
        covered = {each for each in candidates if self._inside_another(each, candidates)}
        listed = [c for c in candidates.values() if c.kind in kinds and c.symbol_id not in covered]
        return tuple(sorted(listed, key=lambda c: (DEAD_KINDS.index(c.kind), -c.lines, c.symbol_id)))

    # ----------------------------------------------------------------- symbols without users

    def _able(self, symbol: Symbol) -> bool:
        if symbol.kind not in (*CALLABLE_KINDS, *TYPE_KINDS) or symbol.kind == "lambda" or symbol.name.startswith("<"):
            return False
        if (role := self.graph.catalog.roles.of(symbol.path)) in _OTHERS or symbol.path.endswith(STUBS):
            self.left_out |= {_OTHERS[role]} if role in _OTHERS else set()
            return False
        aliased = self.graph.catalog.alias_around(symbol) is not None  # then the alias may be unused
        return not (aliased or self.usage_evidence.indirect.is_value(symbol) or symbol.id in self._started)

    @cached_property
    def _started(self) -> frozenset[str]:
        """Ids of the symbols that the language, a script or a test runner starts, and of the definitions around them.

        A constructor that forbids instances keeps no type alive.
        """
        found = set[str]()
        for symbol in self.graph.catalog.symbols:
            if not self.usage_evidence.starts.reason(symbol):
                continue
            found.add(symbol.id)
            if not self.usage_evidence.starts.implicit(symbol):
                found.update(each.id for each in self.graph.catalog.all_around(symbol))
        return frozenset(found)

    def _users(self, symbol: Symbol) -> list[int]:
        """Return the vertices outside `symbol` that use it: an edge of any confidence leads from them to it or into it.

        An edge leads into a symbol if its target is defined inside the symbol. A method also counts as used if a method
        is called that overrides it or that it overrides.
        """
        graph, source = self.graph, self.graph.edges.source
        own = inside(graph, (graph.vertex(symbol.id),), modules=True)
        found = []
        for vertex in own:
            ends = [(each, _USING) for each in (vertex, *self._accessors.get(vertex, ()))]
            ends += [(each, _CALLS) for each in graph.neighbours(vertex, "both", _ABOVE)]
            rows = (row for each, kinds in ends for row in graph.incident(each, "in", kinds, tests=self.tests))
            found += [source[row] for row in rows if source[row] not in own]
        return found

    def _unresolved(self, symbol: Symbol) -> bool:
        catalog = self.graph.catalog
        own = symbol.path if catalog.is_of_file(symbol) else ""
        sites = (reference.site for reference in self.graph.unresolved.named(symbol.name))
        return any(own in ("", site.path) and (self.tests or not catalog.is_test_line(*site)) for site in sites)

    def _inside_another(self, symbol_id: str, candidates: Mapping[str, DeadCandidate]) -> bool:
        """Return True if an outer symbol is a candidate of the same kind, which is reported instead."""
        around = self.graph.catalog.all_around(self.graph.catalog.symbol(symbol_id))
        outer = (candidates[each.id].kind for each in around if each.id in candidates)
        return candidates[symbol_id].kind in outer

    # ----------------------------------------------------------------- evidence for one symbol

    def _candidate(self, symbol: Symbol) -> DeadCandidate:
        mentions, same = self._mentions.get(symbol.name, ()), self._same.get(symbol.name, ())
        evidence = self.usage_evidence.of(symbol, mentions)
        uses = [use for use in self._uses(symbol, mentions, same) if use.form != "string"]
        reasons: list[str] = []
        kind: DeadKind = "unused"
        if evidence.dynamic:
            reasons += evidence.dynamic
            kind = "dynamic"
        if evidence.registered:
            reasons.append(evidence.registered)
            kind = "registered"
        if evidence.exported:
            reasons.append(f"code outside this repository may use it: {evidence.exported}")
            kind = "exported"
        if uses:
            may = [use for use in uses if use.doubtful or not use.targets]
            shown = places([use.site for use in may or uses], _MOST_SITES)
            meant = "which may mean it" if may else "where it most likely means another symbol"
            reasons.append(f"its name is used at {shown}, {meant}")
            kind = "mentioned"
        if kind == "unused" and (kept := self._kept(symbol)):
            reasons.append(kept)
            kind = "registered"
        if kind == "unused" and (unread := self._unread(symbol)):
            reasons.append(unread)
            kind = "mentioned"
        if kind == "unused":
            reasons.append(self._nowhere(symbol))
        return DeadCandidate(symbol.id, kind, tuple(reasons), len(symbol.span.lines))

    def _uses(self, symbol: Symbol, sites: Sequence[Site], same: Sequence[Symbol]) -> tuple[PossibleUse, ...]:
        """Return the places that may use a symbol. A compiler knows the types of receivers, as for an empty answer."""
        enough = LIKELY if knows_types(symbol.language) else 2.0
        return self._finder(enough=enough).of(symbol, sites, same)

    def _kept(self, symbol: Symbol) -> str:
        """Return a clause if a decorator may register a member of a type, which then needs no use; "" otherwise."""
        own = (self.graph.vertex(symbol.id),) if symbol.kind in TYPE_KINDS else ()
        for vertex in inside(self.graph, own):
            member = self.graph.symbol(vertex)
            if member.id != symbol.id and (registered := self.usage_evidence.starts.registered(member)):
                return f"it contains {member.name}: {registered}"
        return ""

    def _nowhere(self, symbol: Symbol) -> str:
        same = self._same.get(symbol.name, ())  # a class and its constructor are one
        others = sum(symbol.id not in (each.id, each.parent) and symbol.parent != each.id for each in same)
        tests = "" if self.tests else " outside tests"
        if not others:
            declared = " except in declarations" if record_of(symbol.language).declaring is not None else ""
            return f"nothing uses it, and its name occurs nowhere else{declared}{tests}"
        meant = "the other definition" if others == 1 else f"one of {others} other definitions"
        return f"nothing uses it; elsewhere its name only occurs as that of {meant}{tests}"

    # ----------------------------------------------------------------- symbols used by dead code only

    def _follow(self, able: Iterable[Symbol], candidates: dict[str, DeadCandidate]) -> None:
        """Add the symbols to `candidates` that only unused symbols use, and repeat this until none is added.

        `able` are the symbols that can become candidates. Each use is checked once.
        """
        left = {s.id: s for s in able if s.id not in candidates and not self._unresolved(s)}
        users = {symbol_id: frozenset(self._users(symbol)) for symbol_id, symbol in left.items()}
        alive = {symbol_id: len(found) for symbol_id, found in users.items()}  # number of users not known to be dead
        uses: dict[int, list[str]] = {}
        for symbol_id, found in users.items():
            for user in found:
                uses.setdefault(user, []).append(symbol_id)
        dead: set[int] = set()
        unused = [c.symbol_id for c in candidates.values() if c.kind == "unused"]
        while unused:
            gone = inside(self.graph, (self.graph.vertex(unused.pop()),), modules=True).keys() - dead
            dead |= gone
            for symbol_id in (each for vertex in gone for each in uses.get(vertex, ())):
                alive[symbol_id] -= 1
                if not alive[symbol_id] and (only := self._only_used_by(left[symbol_id], users[symbol_id])) is not None:
                    candidates[symbol_id] = only
                    unused.append(symbol_id)

    def _only_used_by(self, symbol: Symbol, users: Collection[int]) -> DeadCandidate | None:
        mentions = self.usage_evidence.mentions.words(symbol.name)
        evidence = self.usage_evidence.of(symbol, mentions)
        if evidence.notes or not users or self._unread(symbol):
            return None
        rows = self.graph.incident(self.graph.vertex(symbol.id), "in", _USING)
        known = {site for row in rows for site in self.graph.edge(row).sites}
        uses = self._uses(symbol, mentions, self._same.get(symbol.name, ()))
        if any(use.site not in known for use in uses):
            return None  # a place that may use it, beside the unused symbols
        names = ", ".join(self.graph.symbol(user).fqn for user in sorted(users)[:_MOST_SITES])
        more = " and others" if len(users) > _MOST_SITES else ""
        use, are = ("uses", "it is") if len(users) == 1 else ("use", "they are")
        said = f"only {names}{more} {use} it, and {are} unused too"
        return DeadCandidate(symbol.id, "unused", (said,), len(symbol.span.lines))


def _accessors(graph: CodeGraph) -> dict[int, list[int]]:
    """Return vertex of a property's accessor → vertices of all accessors of that property.

    The accessors belong together, because an assignment to the property runs its setter.
    """
    groups: dict[tuple[str | None, str], list[int]] = {}
    paired = set()
    for vertex, symbol in enumerate(graph.catalog.symbols):
        if symbol.kind == "method" and symbol.decorators:
            groups.setdefault((symbol.parent, symbol.name), []).append(vertex)
            if is_accessor(symbol):
                paired.add((symbol.parent, symbol.name))
    return {vertex: groups[key][:_MOST_ACCESSORS] for key in paired for vertex in groups[key]}
