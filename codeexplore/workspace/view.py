"""A view of one snapshot, made for one call of a `Workspace` method, and the symbols that targets of questions mean.

The call reads only this view. A target is a name, a Symbol, a hit, ``path:line`` or a live object. A live Python object
is only inspected, never called. If it has code, its symbol is found by the file and line of the code, otherwise by its
module and qualified name. `complete` returns the names that begin with a prefix, for completion by Tab.
"""

from __future__ import annotations

import bisect
import functools
import posixpath
import re
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, TypeAlias

from codeexplore.index.qualified_names import PLACE, is_place, name_parts
from codeexplore.languages import registry
from codeexplore.source import skip_reasons
from codeexplore.source.safe_io import read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.text.tokens import fold, stem
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Chunk, NextStep, Skipped, Symbol
from codeexplore.types.errors import SourceNotIncluded, SymbolNotFound

if TYPE_CHECKING:
    from codeexplore.answers.graph import EdgeMarks, Marker
    from codeexplore.answers.source import SourceText
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Direction, SourceFile, Verdict
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.snapshot_holder import SnapshotHolder


_MAX_WRAPPERS = 50  # of a decorated function; a longer chain is a cycle

_COMPILED = (
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)


def resolve_live(catalog: Catalog, root: Path, target: object) -> Symbol:
    """Return the symbol that defines a live object: a function, class, method, property, partial or module.

    Raises SymbolNotFound, which says where else the object was defined, and AmbiguousSymbol.
    """
    subject = unwrapped(target)
    code = subject.__code__ if isinstance(subject, types.FunctionType) else None
    path = None if code is None else _inside(root, code.co_filename)
    if code is not None and path is not None and catalog.in_file(path):
        found = _at_code(catalog, path, code)
        if found is not None:
            return found
    name = _qualified_name(subject)
    if name is None:
        raise SymbolNotFound(_no_definition(target))
    candidates = catalog.meant(name) or catalog.meant(name.removeprefix(f"{root.name}."))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        return catalog.resolve(name)
    raise _not_here(subject, name, code, catalog, root)


def unwrapped(target: object) -> object:
    """Return the function inside partials, bound methods, properties and decorators that set ``__wrapped__``."""
    for _ in range(_MAX_WRAPPERS):
        if isinstance(
            target,
            functools.partial | functools.partialmethod | functools.cached_property | functools.singledispatchmethod,
        ):
            target = target.func
        elif isinstance(target, property) and target.fget is not None:
            target = target.fget
        elif isinstance(target, staticmethod | classmethod | types.MethodType):
            target = target.__func__
        elif not isinstance(target, type | types.ModuleType) and "__wrapped__" in (own := _own_attributes(target)):
            target = own["__wrapped__"]
        else:
            return target
    return target


def _own_attributes(target: object) -> Mapping[str, object]:
    """Return the own attributes of `target`, read by Python's own lookup.

    The ordinary lookup could run code, because a class may compute its attributes.
    """
    try:
        found: Mapping[str, object] = object.__getattribute__(target, "__dict__")
    except AttributeError:  # it has slots
        return {}
    return found


def _inside(root: Path, file: str) -> str | None:
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return None


def _at_code(catalog: Catalog, path: str, code: types.CodeType) -> Symbol | None:
    """Return the symbol of a code object, which begins on the line of the first decorator; None without one."""
    name = code.co_name
    named = [s for s in catalog.in_file(path) if s.name == name or (name == "<lambda>" and s.kind == "lambda")]
    covering = [s for s in named if code.co_firstlineno in s.span.lines]
    return max(covering, key=lambda s: s.span.start_line, default=None)


def _qualified_name(subject: object) -> str | None:
    if isinstance(subject, types.ModuleType):
        return subject.__name__
    if not isinstance(subject, type) and "__qualname__" not in vars(type(subject)):
        return None  # reading an attribute of an instance might run its code
    name = getattr(subject, "__qualname__", None)
    module = getattr(subject, "__module__", None)
    if not isinstance(name, str):
        return None
    name = name.replace(".<locals>", "")
    return f"{module}.{name}" if isinstance(module, str) else name


# --------------------------------------------------------------------------- messages for objects without a symbol


def _no_definition(target: object) -> str:
    kind = type(target)
    refused = f"an object of type {kind.__name__} is not a function, class or module; "
    if kind.__module__ == "builtins":
        return f"{refused}give one of these, or a name, or path:line"
    return f"{refused}type(…) of it asks about {kind.__qualname__}, or give a name or path:line"


def _not_here(subject: object, name: str, code: types.CodeType | None, catalog: Catalog, root: Path) -> SymbolNotFound:
    nearest = catalog.nearest(name)
    short = name.rpartition(".")[2]
    if name.startswith("__main__.") and (code is None or not Path(code.co_filename).is_file()):
        alike = catalog.meant(short)
        hint = (
            f"the repository has {alike[0].fqn}: give that name"
            if alike
            else "give a function that it calls there, or load the folder in which it is saved"
        )
        said = f"{short} is defined in this session, in a cell or at a prompt, not in {root}; {hint}"
        return SymbolNotFound(said, nearest)
    if isinstance(subject, _COMPILED):
        uses = NextStep("search", "finds its uses", (short,))
        return SymbolNotFound(f"{name} is compiled, so no Python source here defines it", nearest, next_steps=(uses,))
    where = f" (from {code.co_filename})" if code is not None else ""
    package = NextStep("Workspace.from_package", "explores an installed package")
    return SymbolNotFound(f"{name}{where} is not defined in {root}", nearest, next_steps=(package,))


_MOST_OWNERS = 20  # of one name: a prefix like "get." would offer the members of every get
_LAST_JOINT = re.compile(r"(?s)(?P<head>.+)(?P<joint>::|[.#])(?P<stem>[^.:#]*)")
_JOINT = re.compile(r"::|[.#]")
_AFTER_ALL = "\U0010ffff"


def complete(catalog: Catalog, prefix: str, limit: int = 50) -> tuple[str, ...]:
    """Return at most `limit` completions of `prefix`, sorted.

    - ``ses`` gives names of symbols that begin with it. Names with the same case come first.
    - ``Session.ge`` gives members of all symbols called Session.
    - ``app.ses`` gives qualified names up to their next part.
    """
    match = _LAST_JOINT.fullmatch(prefix)
    if match is None:
        found = dict.fromkeys(catalog.names_with_prefix(prefix, limit))
        if len(found) < limit:
            found |= dict.fromkeys(_folded(catalog, prefix, limit))
    else:
        found = dict.fromkeys(_members(catalog, match["head"], match["joint"], match["stem"]))
    shown = (name for name in found if name.isprintable() and " " not in name)
    return tuple(shown)[:limit]


def _folded(catalog: Catalog, prefix: str, limit: int) -> list[str]:
    """Return names that begin with `prefix` if case is ignored."""
    wanted, pairs = prefix.casefold(), catalog.folded_names
    start = bisect.bisect_left(pairs, (wanted, ""))
    near = pairs[start : start + limit]
    return [name for folded, name in near if folded.startswith(wanted)]


def _members(catalog: Catalog, head: str, joint: str, stem: str) -> list[str]:
    """Return the members of `head` that begin with `stem`.

    `head` may be the start or the end of a qualified name, or a public name.
    """
    fqns = catalog.sorted_fqns
    found = list(_next_parts(fqns, head + joint, stem))
    if catalog.public_names is not None:
        offered = catalog.public_names.offered(head)
        private = stem.startswith("_")
        found += [head + joint + name for name in offered if name.startswith(stem) and (private or name[0] != "_")]
    for owner in catalog.find(head)[:_MOST_OWNERS]:
        if owner.fqn != head:
            found += [head + name[len(owner.fqn) :] for name in _next_parts(fqns, owner.fqn + joint, stem)]
    return sorted(set(found))


def _next_parts(fqns: Sequence[str], owner: str, stem: str) -> Iterator[str]:
    """Yield the beginnings of the qualified names that start with `owner` + `stem`, each cut after the next part.

    For the owner ``shop.`` and the stem ``ca``, the name ``shop.cart.Cart.add`` gives ``shop.cart``. `owner` includes
    the separator at its end.
    """
    beginning = owner + stem
    position = bisect.bisect_left(fqns, beginning)
    while position < len(fqns) and fqns[position].startswith(beginning):
        joint = _JOINT.search(fqns[position], len(beginning))
        name = fqns[position][: joint.start()] if joint else fqns[position]
        if len(name) > len(owner):
            yield name
        position = bisect.bisect_left(fqns, name + (joint[0] if joint else "") + _AFTER_ALL * bool(joint), position + 1)


Target: TypeAlias = Any
"""str (name, fqn, id or ``path:line``), Symbol, Chunk, a hit, or a live Python object."""


def resolve_target(catalog: Catalog, root: Path, target: Target) -> Symbol:
    """Return the symbol that `target` means.

    Raises SymbolNotFound and AmbiguousSymbol. Their messages list the most similar names, or all symbols with the name.
    """
    if isinstance(target, Symbol):
        return _own(catalog, target.id)
    if isinstance(target, Chunk):
        return _of_chunk(catalog, target)
    if isinstance(target, str):
        return _by_text(catalog, target)
    if type(target).__module__.startswith("codeexplore."):  # of others no attribute is read: that may run code
        inner, chunk = getattr(target, "symbol", None), getattr(target, "chunk", None)
        if isinstance(inner, Symbol):  # a search hit
            return _own(catalog, inner.id)
        if isinstance(chunk, Chunk):
            return _of_chunk(catalog, chunk)
    return resolve_live(catalog, root, target)


def _own(catalog: Catalog, symbol_id: str) -> Symbol:
    if not catalog.has_symbol(symbol_id):
        raise SymbolNotFound(f"the symbol {symbol_id!r} comes from another workspace, or was removed by a refresh")
    return catalog.symbol(symbol_id)


def _of_chunk(catalog: Catalog, chunk: Chunk) -> Symbol:
    if chunk.symbol is None:
        raise SymbolNotFound(f"the chunk {chunk.path}:{chunk.start_line} belongs to no symbol; give its path:line")
    return _own(catalog, chunk.symbol)


def _by_text(catalog: Catalog, text: str) -> Symbol:
    place = PLACE.fullmatch(text.strip())
    if place is not None and not catalog.find(text):
        return _at(catalog, only_path(catalog, place["path"]), int(place["line"]))
    if _is_path(text) and not catalog.find(text):
        raise no_file(text)
    return catalog.resolve(text)


def _is_path(text: str) -> bool:
    """Return True if `text` looks like the path of a file: ``store/cart.py``, ``cart.py``."""
    from codeexplore.languages.registry import by_path

    return by_path(text) is not None and ("/" in text or text.count(".") == 1)


def only_path(catalog: Catalog, path: str) -> str:
    """Return the one indexed path that equals `path` or ends in it. Raises SymbolNotFound."""
    found = catalog.find_paths(path)
    if len(found) > 1:
        shown = ", ".join(found[:8])
        raise SymbolNotFound(f"{path!r} may mean {len(found)} files: {shown}; give a longer path", found)
    if not found:
        raise no_file(path)
    return found[0]


def no_file(path: str) -> SymbolNotFound:
    """Return the error for a path that is not that of an indexed file."""
    files = NextStep("files", "lists the indexed files", None)
    return SymbolNotFound(f"no indexed file has the path {path!r:.80}", next_steps=(files,))


def _at(catalog: Catalog, path: str, line: int) -> Symbol:
    symbol = catalog.at(path, line)
    if symbol is None:
        last = catalog.in_file(path)[0].span.end_line
        raise SymbolNotFound(f"{path} has no line {line}; it ends at line {last}")
    while (around := catalog.around(symbol)) is not None and around.kind in TYPE_KINDS and around.line == line:
        symbol = around  # of a type on one line, the type is meant and not its last member
    return symbol


_Text: TypeAlias = bytes | frozenset[bytes]  # of a file, or its words
_Texts: TypeAlias = Callable[[str], _Text | None]
_WORDS = re.compile(rb"[\w\x80-\xff]+")


_WITH_SCRIPTS = re.compile(rb"<script|\{[{%]|<%|<\?(?!xml)")
_BETWEEN_TAGS = re.compile(rb">([^<>]*)<")


def _without_prose(between: re.Match[bytes]) -> bytes:
    return b"><" if len(between[1].split()) > 1 else between[0]


def _words_of(data: bytes) -> frozenset[bytes]:
    """Return the words of a text; those in sentences of XML mean no code."""
    is_xml = data[:100].lstrip(b"\xef\xbb\xbf\r\n\t ")[:1] == b"<" and _WITH_SCRIPTS.search(data) is None
    return frozenset(_WORDS.findall(_BETWEEN_TAGS.sub(_without_prose, data) if is_xml else data))


_PLACES = 3  # where a name without a definition is used
_MOST_PLACES = 1_000  # places of a name among which those in a type are searched


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """One index, with the lookups that answers need. It stays the same if another thread refreshes the workspace."""

    index: Index
    marker: Marker | None = None  # what marks edges in answers, such as an attached run

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

    def unread_uses(self, symbols: Collection[Symbol], direction: Direction = "in", texts: _Texts | None = None) -> str:
        """Return a clause about files that were not read and may use the symbols; "" for none, and for what these use.

        Without symbols, they may use any. `texts` are words of files that several questions share.
        """
        from codeexplore.graph.traversal import is_constructor, members

        if direction == "out":
            return ""
        reachable = [symbol for symbol in symbols if not self.catalog.is_of_file(symbol)]
        graph, names, skipped = self.index.graph, [s.name for s in symbols], self.index.summary.skipped_files
        inside = [symbol for symbol in symbols if symbol.kind != "external"]
        for symbol in inside:
            if symbol.kind == "interface" and registry.record_of(symbol.language).implicit_interfaces:
                names += [graph.symbol(each).name for each in members(graph, graph.vertex(symbol.id))]
        by_type = any(is_constructor(graph, graph.vertex(symbol.id)) for symbol in inside)  # code names its type
        if by_type or not all(name.isidentifier() and name[:2] != "__" for name in names):
            names = []
        pages = _unread_pages(skipped) if names else ()
        unread = (*_unread_files(skipped, reachable), *pages) if reachable or not symbols else pages
        return self._said_of_unread(unread, names, "use it", texts or self.unread_texts())

    def unread_mentions(self, words: Collection[str], question: str) -> tuple[str, ...]:
        """Return notices on unread files: those with one of `words`, which no other file has, and those asked about."""
        skipped = self.index.summary.skipped_files
        said = self._said_of_unread(
            _unread_files(skipped, ()) if words else (),
            map(stem, map(fold, words)),
            "mention them",
            self.unread_texts(bytes.lower),
        )
        named = {each.rstrip(".") for each in _FILE_NAME.findall(question) if not each.isalpha()}
        asked = [each for each in skipped if posixpath.basename(each.path) in named][:_MOST_TOLD]
        told = [f"{each.path} was not read: {each.detail or each.reason}." for each in asked]
        return (*([f"{said}."] if said else []), *told)

    def unread_texts(self, form: Callable[[bytes], _Text] = _words_of) -> _Texts:
        """Return a function that reads an unread file once, up to a limit for all, and returns its words or its text.

        It returns None for a file that cannot be read so.
        """
        left = _MOST_SEARCHED

        @functools.cache
        def text(path: str) -> _Text | None:
            nonlocal left
            data: bytes | None = None
            if left > 0:
                with suppress(OSError):  # then the file may use the symbols, as before it was searched
                    data = read_regular(self.index.root / path, left, within=self.index.root)
            left -= len(data or b"")
            return None if data is None or left <= 0 else form(data)

        return text

    def _said_of_unread(self, unread: Iterable[Skipped], names: Iterable[str], what: str, texts: _Texts) -> str:
        """Return a clause about the files whose text has one of the names, or may have any name; "" for none."""
        found, wanted = list[str](), [name.encode("utf-8", "replace") for name in names]
        for file in unread:
            text = texts(file.path) if wanted else None
            if text is None or any(name in text for name in wanted):
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


def _unread_pages(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    """Return the skipped templates, XML and other texts whose names may mean code, in the order of discovery."""
    from codeexplore.names.mentions import KEYED, WITHOUT_CODE

    found = []
    for file in (each for each in skipped if each.reason in _NOT_READ):
        language = registry.by_path(file.path) or registry.by_default(file.path)
        if language is not None and registry.is_text(language.name) and language.name not in WITHOUT_CODE | KEYED:
            found.append(file)
    return tuple(found)


class Viewed:
    """A holder of snapshots, of which each question gets a view."""

    _holder: SnapshotHolder
    _marker: Marker | None = None

    def view(self, *, graph: bool = True) -> SnapshotView:
        """Return the snapshot from which one answer of a feature is made.

        With `graph`, wait for the graph. Raises GraphUnresolved.
        """
        index = self._holder.with_graph() if graph else self._holder.current
        return SnapshotView(index, self._marker)

    @property
    def _view(self) -> SnapshotView:
        """Return a view of the current snapshot. Each call of a public method uses one view."""
        return self.view(graph=False)

    def _searched(self, wait: bool) -> SnapshotView:
        """Return the snapshot for a question. With `wait`, its graph is up to date. Raises GraphUnresolved."""
        return SnapshotView(self._holder.complete(), self._marker) if wait else self._view

    def mark(self, marker: Marker | None) -> None:
        """Mark edges in later answers, such as those that a run observed; None removes the marks.

        ``ws.search(…, observed=True)`` then searches only the symbols that the marker names.
        """
        self._marker = marker
