"""Evidence that a symbol is in use although nothing in the repository calls it.

Evidence comes from decorators, annotations, supertypes outside the repository, scripts, exports and names in strings.
Known decorators and supertypes are listed in the records of the languages.

Evidence is written as *clauses*: texts without a capital letter and final stop, such as "its name is public".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import related
from codeexplore.graph.usage.indirect_uses import IndirectUses
from codeexplore.graph.usage.outside_code import OutsideCode
from codeexplore.graph.usage.starts import Starts
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.visibility import Visibility, owner_of
from codeexplore.languages.registry import follows_names, record_of
from codeexplore.names.mentions import Mentions, word_of
from codeexplore.resolution.access_paths import last_name
from codeexplore.text.enumeration import places
from codeexplore.types import CALLABLE_KINDS, LOCAL_MARK, TYPE_KINDS, FileIndex, Site, SourceFile, Symbol
from codeexplore.types.facts import binds
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_OPENING = re.compile(r"(?:an?|code|compiled|its?|members|names|source|the|types|what)\b")
"""First word of a clause that does not begin with a name."""

_IMPLEMENTED = re.compile(r"\bimpl\b[^{};]{0,200}?(\w+)\s*(?:<[^{};]{0,200}>\s*)?\bfor\b")


@dataclass(frozen=True, slots=True)
class UsageEvidence:
    """Evidence, besides edges, that a symbol is used.

    Each field is a clause, or several clauses, from one source of evidence; "" or () is no evidence.
    """

    started: str = ""  # started by the language, a script or a test runner
    exported: str = ""
    registered: str = ""  # a decorator may register or call it
    dynamic: tuple[str, ...] = ()  # names in strings, names built at run time, supertypes outside the repository

    @property
    def notes(self) -> tuple[str, ...]:
        """All clauses as sentences, in the order of the fields. A name at the beginning is kept as it is."""
        exported = f"Code outside this repository may use it: {self.exported}" if self.exported else ""
        clauses = (self.started, exported, self.registered, *self.dynamic)
        return tuple(c[:1].upper() + c[1:] if _OPENING.match(c) else c for c in clauses if c)


class UsageEvidenceTable:
    """Evidence of use for every symbol of a snapshot.

    `files` are the facts of the files, by path. Without them, only names and decorators are evidence. `root` is the
    folder with the manifests that declare scripts. `sources` are the source files by path; None takes them from
    `files`, which is slow: it reads the facts from a stored index.
    """

    def __init__(
        self,
        graph: CodeGraph,
        files: Mapping[str, FileIndex] | None = None,
        root: Path | None = None,
        sources: Mapping[str, SourceFile] | None = None,
    ) -> None:
        self.graph = graph
        self.files: Mapping[str, FileIndex] = files if files is not None else {}
        texts = {path: file.file for path, file in self.files.items()} if sources is None else sources
        self.mentions = Mentions(texts)
        self.supertypes = Supertypes(graph, self.files)
        self.visibility = Visibility(graph, self.files, texts, self.mentions)
        self.starts = Starts(graph, self.mentions, root)
        self.outside = OutsideCode(graph, self.files, self.mentions, self.supertypes)
        self.indirect = IndirectUses(graph, self.files, self.supertypes, self.starts, self._bound_in)
        self._has_errors = cache(lambda path: path in self.files and self.files[path].facts.errors > 0)
        self.binding = lru_cache(maxsize=1_000)(self._find_binding)

    def of(self, symbol: Symbol, mentions: Sequence[Site] | None = None) -> UsageEvidence:
        """Return the evidence that `symbol` is used.

        `mentions` are the sites where its name occurs, if they are known. Then only strings at these sites are
        searched. None searches every file.
        """
        exported, registered = self.visibility.reason(symbol), self.starts.registered(symbol)
        return UsageEvidence(self.starts.reason(symbol), exported, registered, self._dynamic(symbol, mentions))

    def _as_type(self, symbol: Symbol) -> set[Site]:
        """Return the sites of annotations with a type: a string in one is no other use."""
        rows = self.graph.incident(self.graph.vertex(symbol.id), "in", ("USES",), RESOLVED_CONFIDENCE)
        typed = (self.graph.edge(row) for row in rows if self.graph.edges.manner(row) == "type")
        return {site for edge in typed for site in edge.sites}

    def _dynamic(self, symbol: Symbol, mentions: Sequence[Site] | None) -> tuple[str, ...]:
        found = [*self.unnamed(symbol), self.indirect.required(symbol)]
        if symbol.kind in (*CALLABLE_KINDS, *TYPE_KINDS, "constant") and symbol.kind != "lambda":
            quoted = self.mentions.quoted(symbol.name, mentions)
            types = self._as_type(symbol)
            sites = [site for site in quoted if site not in types and not self.is_listed(site, symbol.name)]
            if sites:
                found.append(f"its name is in strings: {places(sites)}")
        examples = record_of(symbol.language).examples
        start = examples.search(symbol.doc) if examples is not None else None
        if start is not None and word_of(symbol.name).search(symbol.doc, start.end()) is not None:
            found.append("an example in its documentation has its name, and tests may run it")
        if symbol.kind == "constant" and symbol.parent is not None and record_of(symbol.language).types_are_constants:
            found.append(self.indirect.by_computed_name(self.graph.vertex(symbol.parent), "constants"))
        if symbol.kind in TYPE_KINDS:
            found.append(self.indirect.by_computed_name(self.graph.vertex(symbol.id), "types"))
            found += [self.indirect.by_scan(symbol), self.indirect.by_members(symbol)]
            if where := self.visibility.added_to(symbol):
                found.append(f"it is declared into {where}, where it may add to another declaration")
        found += [f"{clause} at {places(sites)}" for clause, sites in self.indirect.lookups(symbol)]
        return tuple(filter(None, found))

    def unnamed(self, symbol: Symbol) -> Iterator[str]:
        """Yield a clause for each way in which code that is not known may use the symbol without its name."""
        outside, indirect = self.outside, self.indirect
        ways = (
            outside.from_above,
            indirect.of_literal,
            indirect.of_expression,
            outside.by_compiled,
            outside.by_interface,
            indirect.by_definition,
            outside.by_protocol,
            self._misread,
            outside.by_property,
            indirect.by_type,
            outside.by_generated,
            indirect.by_mixing,
            indirect.by_type_of_value,
            indirect.by_place,
            indirect.by_position,
            outside.by_default,
            outside.by_variant,
            indirect.by_making,
            outside.by_other_part,
            outside.by_reopening,
            outside.by_mark,
            outside.by_included,
            outside.by_handing,
        )
        return filter(None, (way(symbol) for way in ways))

    def implemented(self, macro: Symbol) -> list[str]:
        """Return the traits that the body of a macro implements, for types that are known where it is expanded."""
        return _IMPLEMENTED.findall(self.mentions.text(macro)) if macro.signature.startswith("macro_rules!") else []

    def names_in(self, symbol: Symbol) -> tuple[frozenset[str], frozenset[str]]:
        """Return the names that the lines of a symbol call, and the names that they bind, by the facts."""
        file, lines = self.files.get(symbol.path), symbol.span.lines
        if file is None:
            return frozenset(), frozenset()
        called = (r.path for r in file.facts.references if r.line in lines and r.kind in ("call", "new"))
        rows = filter(binds, file.facts.bindings)
        bound = (row.name for row in rows if row.line in lines and row.manner != "field")
        return frozenset(last_name(path)[0] for path in called), frozenset(bound)

    def _bound_in(self, symbol: Symbol) -> frozenset[str]:
        return self.names_in(symbol)[1]

    def _find_binding(self, path: str) -> Mapping[str, list[Symbol]]:
        """Return the functions of a file that bind a name, by name; nothing if names are not followed there."""
        file, found = self.files.get(path), defaultdict[str, list[Symbol]](list)
        if file is None or not follows_names(file.facts.language):
            return found
        rows = filter(binds, file.facts.bindings)
        for name, scope in dict.fromkeys((row.name.partition(LOCAL_MARK)[0], row.scope) for row in rows):
            symbol = file.facts.symbols[scope]
            if symbol.kind in CALLABLE_KINDS:
                found[name].append(symbol)
        return found

    def types_around(self, symbol: Symbol) -> frozenset[str]:
        """Return the ids of the type of a member and of its supertypes."""
        owner = owner_of(self.graph.catalog, symbol)
        own = [self.graph.vertex(owner.id)] if owner is not None and owner.kind in TYPE_KINDS else []
        return frozenset(self.graph.symbol(vertex).id for vertex in related(self.graph, own, "out"))

    def _misread(self, symbol: Symbol) -> str:
        """Return a clause if code beside syntax errors may use the symbol: what is defined there is uncertain."""
        if not self._has_errors(symbol.path):
            return ""
        declaring, inside = record_of(symbol.language).declaring, symbol.span.lines
        around = (s for s in self.mentions.words(symbol.name) if s.path == symbol.path and s.line != symbol.line)
        before = {site: self.mentions.line(site).partition(symbol.name)[0] for site in around}
        several = any(
            site.line in inside or declaring is None or declaring.fullmatch(text) is None
            for site, text in before.items()
        )
        return f"{symbol.path} could not be parsed everywhere, which may hide uses" if several else ""

    def is_listed(self, site: Site, name: str) -> bool:
        """Return True if the string at `site` may be `name` in ``__all__``. It exports the name."""
        return name in self.visibility.listed.get(site.path, ())
