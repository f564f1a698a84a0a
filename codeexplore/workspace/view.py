"""A view of one snapshot, made for one call of a `Workspace` method. The call reads only this view."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import TYPE_CHECKING

from codeexplore.languages import registry
from codeexplore.source import skip_reasons
from codeexplore.source.safe_io import read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.text.tokens import fold, stem
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Skipped, Symbol
from codeexplore.types.errors import SourceNotIncluded, SymbolNotFound
from codeexplore.workspace.targets import Target, is_place, only_path, resolve_target
from codeexplore.workspace.walks import Surveys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codeexplore.answers.marks import EdgeMarks, Marker
    from codeexplore.answers.source import SourceText
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Direction, SourceFile, Verdict
    from codeexplore.workspace.snapshot import Index

_PLACES = 3  # where a name without a definition is used
_MOST_PLACES = 1_000  # places of a name among which those in a type are searched


@dataclass(frozen=True, slots=True)
class SnapshotView(Surveys):
    """One index, with the lookups that answers need. It stays the same if another thread refreshes the workspace."""

    index: Index
    marker: Marker | None = None  # what marks edges in answers, such as an attached run

    def view(self) -> SnapshotView:
        return self

    def marks(self) -> EdgeMarks | None:
        """Return the marks on the edges of the graph; None without a marker."""
        return None if self.marker is None else self.marker.marks(self)

    @property
    def catalog(self) -> Catalog:
        return self.index.catalog

    @property
    def graph(self) -> CodeGraph:
        return self.index.graph

    @property
    def evidence(self) -> UsageEvidenceTable:
        return self.index.evidence

    @property
    def sources(self) -> Mapping[str, SourceFile]:
        """The files by path. Raises SourceNotIncluded if the index was saved without their texts."""
        if not self.index.has_texts:
            raise SourceNotIncluded(
                f"this index was saved without its sources (sources=False); load the repository itself, "
                f"{self.index.root}"
            )
        return self.index.sources

    def symbol(self, target: Target) -> Symbol:
        """Return the one symbol that `target` means. Raises SymbolNotFound and AmbiguousSymbol."""
        found = resolve_target(self.index.catalog, self.index.root, target)
        place = isinstance(target, str) and is_place(target) and self.index.has_texts
        return self._declared(found, int(target.rpartition(":")[2])) if place else found

    def _declared(self, around: Symbol, line: int) -> Symbol:
        """Return the function that a line in `around` declares and another place defines; `around` for none or many."""
        form, outer = registry.record_of(around.language).declaring, self.catalog.around(around)
        if form is None or around.kind not in ("module", *(TYPE_KINDS if around.line < line else ())):
            return around
        text = (self.index.sources[around.path].text.split("\n")[line - 1 :] or [""])[0]
        for word in _DECLARED.finditer(text):
            if word[1].lstrip("~") == around.name or form.fullmatch(text, 0, word.start()) is not None:
                named = [each for each in self.catalog.named(word[1]) if each.kind in CALLABLE_KINDS]
                free = [s for s in named if outer is None and s.kind == "function" and not self.catalog.is_of_file(s)]
                named = [s for s in named if s.fqn == f"{around.fqn}::{word[1]}"] or free
                heads = [_squashed(s.signature.partition("(")[2].partition(")")[0]) for s in named]
                fits = [s for s, head in zip(named, heads, strict=True) if head == _squashed(word[2])]
                found = fits if len(named) > 1 else named
                return found[0] if len(found) == 1 else around
        return around

    def undefined(self, error: SymbolNotFound, target: Target) -> SymbolNotFound:
        """Return the error for a name without a definition. It lists the places where the repository uses the name.

        Such names are of attributes and local variables, are made by macros, or are defined by generated code or other
        packages.
        """
        from codeexplore.index.qualified_names import name_parts
        from codeexplore.search.seeds import MEMBER, NO_SYMBOL

        *_, around, last = ("", "", *name_parts(target)) if isinstance(target, str) else ("", "")
        if not last.isidentifier() or not self.index.has_texts:
            return error
        mentions, missing = self.evidence.mentions, NO_SYMBOL
        sites = mentions.words(last, _MOST_PLACES)
        member = re.compile(MEMBER.format(re.escape(around), re.escape(last)))
        if own := tuple(site for site in sites if around and member.search(mentions.line(site))):
            sites = own
        elif self.catalog.named(last):  # elsewhere; it may be an attribute of the type that the target names
            types = {symbol.path: symbol.span for symbol in self.catalog.named(around) if symbol.kind in TYPE_KINDS}
            lines = {path: span.lines for path, span in types.items()}
            sites = tuple(site for site in sites if site.line in lines.get(site.path, ()))
            missing = NO_SYMBOL.replace("no symbol", f"no symbol of {around}")
        if not sites:
            return error
        shown = ", ".join(f"{site.path}:{site.line}" for site in sites[:_PLACES]) + (" …" * (len(sites) > _PLACES))
        said = f"{error.message} `{last}` is used at {shown}, {missing}."
        return SymbolNotFound(said, error.nearest, next_steps=error.next_steps)

    def path(self, path: str) -> str:
        """Return the indexed path that equals `path` or ends in it. Raises SymbolNotFound."""
        skipped = () if self.catalog.find_paths(path) else self.index.summary.skipped_files
        if (why := next((each for each in skipped if each.path == path), None)) is not None:
            said = f"no indexed file has the path {path!r}; it was skipped: {why.reason} {why.detail}"
            raise SymbolNotFound(said.rstrip())
        return only_path(self.catalog, path)

    def file(self, path: str) -> SourceFile:
        """Return one file with its text. Raises the exceptions of `source`."""
        return self.sources[self.path(path)]

    def source(self, target: Target) -> SourceText:
        """Return the source text of a symbol or file. Raises SymbolNotFound, AmbiguousSymbol and SourceNotIncluded."""
        from codeexplore.answers.source import SourceText, SourceView

        if isinstance(target, str) and len(self.catalog.find_paths(target)) == 1:
            file = self.file(target)
            return SourceText.of(SourceView(file.path, 1, file.text, file.language))
        symbol = self.symbol(target)
        data = self.sources[symbol.path].text.encode("utf-8", "replace")
        start, line = symbol.span.start_byte, data.rfind(b"\n", 0, symbol.span.start_byte) + 1
        own = data[start if data[line:start].strip() else line : symbol.span.end_byte]  # with its indentation
        text = dedent(own.decode("utf-8", "replace"))
        return SourceText.of(SourceView(symbol.path, symbol.span.start_line, text, symbol.language, symbol))

    # ----------------------------------------------------------------- limits of the graph

    @property
    def graph_note(self) -> str:
        """The note that answers show while edges are outdated or missing; "" if the graph is complete."""
        from codeexplore.graph.tables import cut_short

        pending = self.index.pending
        if pending is None:
            return cut_short(self.index.graph.notes)
        return "" if pending.not_built else pending.note

    @property
    def graph_notes(self) -> tuple[str, ...]:
        """The text of `graph_note` as a tuple of notes, which may be empty."""
        note = self.graph_note
        return (note,) if note else ()

    def as_far_as_known(self, absence: Verdict, unread: str) -> Verdict:
        """Return `absence`, less certain if the graph is outdated or if `unread` says which files may have a use."""
        if absence.kind != "none":
            return absence
        if self.graph_note:
            return replace(absence, kind="unknown", text=f"{absence.text} The call graph is not up to date yet.")
        return replace(absence, kind="unknown", text=f"{absence.text} But {unread}.") if unread else absence

    def unread_uses(self, symbols: Collection[Symbol], direction: Direction = "in") -> str:
        """Return a clause about files that were not read and may use the symbols; "" for none, and for what these use.

        Without symbols, they may use any.
        """
        from codeexplore.graph.traversal import is_constructor, members

        reachable = [symbol for symbol in symbols if not self.catalog.is_of_file(symbol)]
        if direction == "out" or (symbols and not reachable):
            return ""
        graph, names = self.index.graph, [symbol.name for symbol in symbols]
        inside = [symbol for symbol in symbols if symbol.kind != "external"]
        for symbol in inside:
            if symbol.kind == "interface" and registry.record_of(symbol.language).implicit_interfaces:
                names += [graph.symbol(each).name for each in members(graph, graph.vertex(symbol.id))]
        by_type = any(is_constructor(graph, graph.vertex(symbol.id)) for symbol in inside)  # code names its type
        if by_type or not all(name.isidentifier() and name[:2] != "__" for name in names):
            names = []
        return self._said_of_unread(_unread_files(self.index.summary.skipped_files, symbols), names, "use it")

    def unread_mentions(self, words: Collection[str], question: str) -> tuple[str, ...]:
        """Return notices on unread files: those with one of `words`, which no other file has, and those asked about."""
        skipped = self.index.summary.skipped_files
        said = self._said_of_unread(
            _unread_files(skipped, ()) if words else (), list(map(stem, map(fold, words))), "mention them", bytes.lower
        )
        named = {each.rstrip(".") for each in _FILE_NAME.findall(question) if not each.isalpha()}
        asked = [each for each in skipped if posixpath.basename(each.path) in named][:_MOST_TOLD]
        told = [f"{each.path} was not read: {each.detail or each.reason}." for each in asked]
        return (*([f"{said}."] if said else []), *told)

    def _said_of_unread(
        self, unread: Iterable[Skipped], names: Iterable[str], what: str, form: Callable[[bytes], bytes] = bytes
    ) -> str:
        """Return a clause about the files whose text has one of the names, or may have any name; "" for none.

        A text is searched up to a limit, if the file is there and there are names.
        """
        found, left, wanted = list[str](), _MOST_SEARCHED, [name.encode("utf-8", "replace") for name in names]
        for file in unread:
            data: bytes | None = None
            if wanted and left > 0:
                with suppress(OSError):  # then the file may use the symbols, as before it was searched
                    data = form(read_regular(self.index.root / file.path, left, within=self.index.root))
                left -= len(data or b"")
            if data is None or left <= 0 or any(name in data for name in wanted):
                found.append(f"{file.path} ({file.reason})")
        files = "1 file was not read" if len(found) == 1 else f"{len(found)} files were not read"
        return f"{files}, which may {what}: {shortened(found, 2)}" if found else ""


_DECLARED = re.compile(r"(?<![\w~])(operator[ \t]*[^\w\s(]+|~?[A-Za-z_]\w*)[ \t]*\(([^()]*)")  # a name, what it takes


def _squashed(parameters: str) -> str:
    return "".join(re.sub(r"=[^,]*", "", parameters).split())


_FILE_NAME, _MOST_TOLD = re.compile(r"[\w.-]+"), 3
_MOST_SEARCHED = 1 << 26  # bytes of files without an index that are searched for one answer
_NOT_READ = frozenset(
    {
        skip_reasons.TOO_LARGE,
        skip_reasons.MINIFIED,
        skip_reasons.GENERATED,
        skip_reasons.NAME,
        skip_reasons.NO_PERMISSION,
        skip_reasons.UNREADABLE,
        skip_reasons.VANISHED,
        skip_reasons.NOTEBOOK,
    }
)
"""Reasons for which code of the repository is left out; ignored files and installed packages are not part of it."""


def _unread_files(skipped: Iterable[Skipped], symbols: Collection[Symbol]) -> tuple[Skipped, ...]:
    """Return the skipped source files in languages whose code can use the symbols, in the order of discovery."""
    families = {registry.family_of(symbol.language) for symbol in symbols if symbol.kind != "external"}
    found = []
    for file in skipped:
        language = registry.by_path(file.path) if file.reason in _NOT_READ else None
        if (
            language is not None
            and language.level != "text"
            and (not families or registry.family_of(language.name) in families)
        ):
            found.append(file)
    return tuple(found)
