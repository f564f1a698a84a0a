"""Uses of files, symbols and configuration keys that a text names, also from one language to another.

The texts are searched as they are, without a grammar, after references are resolved. These are uses:

- a string in code, or a word in a file that is not code, that is the path of a file, or the end of its path;
- a dotted name in a file that is not code, if it is the whole name of a symbol (``shop.cli:main``);
- a name in code that the Protocol Buffers compiler generates from a service (``RegisterShopServer``);
- a string in brackets, or in a call of ``get`` or ``env``, that is a configuration key;
- a name in the tags of a template in another language (``app.js.erb``) that only one function of their language has.

The only evidence is a name. Therefore every such edge has a modest confidence, and an edge with several targets is only
possible.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from codeexplore.graph.merge import EdgeBlock, joined, picked, piece_of
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.embedded import CODE_OF, template_view
from codeexplore.languages.file_roles import PathRole
from codeexplore.languages.registry import by_path, family_of, is_made, is_text
from codeexplore.languages.resources import OTHER
from codeexplore.types import CALLABLE_KINDS, TEXT_KINDS, EdgeKind

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog

FILE_RULES: Final = frozenset({"file-path", "file-name", "text", "service", "key", "tag"})
"""Rules of the edges that this module makes; no other module uses them."""

_MOST_TARGETS: Final = 3  # files that one text may mean; of more, none is likely enough
_MOST_CHARS: Final = 200  # of a path
_PLAIN = re.compile(rb"[\w@./+-]+")
_WORD = re.compile(rb"(?<![\w@+./-])[\w@+-]*(?:[./]{1,6}[\w@+-]+)+(?::[\w.]+)?")
_NAME = re.compile(rb"(?<![\w.:@$\"'])[a-z_]\w{2,}")
_CALLED: Final = CALLABLE_KINDS - {"lambda"}
_STUB = re.compile(
    rb"\b(?:Unimplemented|Unsafe|Register|New)?([A-Z]\w*?)(?:Server|Client|Servicer|Stub|ImplBase|Grpc)\b"
)
_READ = re.compile(rb"(?:\[|(?:[gG]et\w{0,12}|[eE]nv|String|Int|Bool)\()\s{0,4}[\"']([\w.-]{4,60})[\"']\s{0,4}[\]),]")
_READ_MARKS: Final = (b'"]', b"']", b'et("', b"et('", b'nv("', b"nv('", b'String("', b'Int("', b'Bool("')
_MANIFESTS: Final = re.compile(
    r"(?:^|/)(?:package|composer|tsconfig[^/]*|jsconfig|bower|deno|turbo|lerna|pyproject|Cargo|Pipfile)\.(?:json|toml)$"
    r"|(?:^|/)\.[^/]+(?:/|$)|(?:^|/)[^/]+rc\.[^/]+$"
)
"""Files whose keys are read by tools and not by the code: manifests, and what begins with a dot."""


class Texts(Protocol):
    """Interface to the files of an index: their paths, texts and languages. `SourceTexts` implements it."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths of all files, in their order."""

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8."""

    def language(self, path: str) -> str:
        """Return the language of a file."""


class FileUse(NamedTuple):
    """One use: rows of the source and target symbols, rule, site (number of the file << 32, plus the line)."""

    source: int
    target: int
    rule: str
    site: int


def file_uses(catalog: Catalog, texts: Texts) -> list[FileUse]:
    """Return the uses that the texts of a repository name, in the order of source, target, rule and site."""
    paths = texts.paths
    others = [path for path in paths if _may_name_code(catalog.roles.of(path), texts.language(path))]
    if not others and not any(map(is_made, paths)):
        return []
    return sorted(set(_Finder(catalog, texts, others).uses()))


def _may_name_code(role: PathRole, language: str) -> bool:
    """Return True for a file that tools read; a text of no known format beside the code may be a manifest."""
    return (role == "resource" and is_text(language)) or (role == "source" and language == OTHER.name)


def with_file_uses(graph: CodeGraph, uses: Sequence[FileUse]) -> CodeGraph:
    """Return a graph with the given uses as its only edges by `FILE_RULES`; the same graph if it has these already."""
    whole = piece_of(graph)
    columns, words = whole.tables["edges"], whole.words["edges"]
    ours = [number for number, word in enumerate(words) if word in FILE_RULES]
    if not uses and not ours:
        return graph
    import numpy as np

    ids, paths = graph.edges.ids, graph.edges.paths
    old = np.flatnonzero(np.isin(columns["rule"], ours)) if len(columns["rule"]) else np.zeros(0, np.int64)
    table = EdgeTable(ids, paths)
    kind: EdgeKind = "USES"
    for use in uses:
        test = graph.catalog.roles.is_test_symbol(graph.catalog.symbols[use.source])
        table.add(use.source, use.target, kind, "text", use.rule, use.site, test)
    table.finish()
    if len(old) == len(table) and [graph.edges[int(row)] for row in old] == list(table):
        return graph
    kept = np.setdiff1d(np.arange(len(columns["rule"])), old, assume_unique=True)
    before = EdgeBlock({**whole.tables, "edges": picked(columns, kept)}, whole.words)
    added = piece_of(Resolution(table, UnresolvedTable(ids, paths), ExternalTable(ids, paths), ()))
    return CodeGraph(graph.catalog, joined([before, added], ids, paths, graph.notes))


class _Finder:
    """Searches the texts of a repository for uses. `others` are the paths of the files that are not code."""

    def __init__(self, catalog: Catalog, texts: Texts, others: Sequence[str]) -> None:
        self._catalog, self._texts, self._others = catalog, texts, frozenset(others)
        self._number = {path: number for number, path in enumerate(texts.paths)}
        self._by_name: dict[str, list[str]] = defaultdict(list)  # name of a file that is not code → its paths
        for path in texts.paths:
            if path in self._others or is_text(texts.language(path)):
                self._by_name[posixpath.basename(path)].append(path)
        suffixes = {re.escape(name.rpartition(".")[2]) for name in self._by_name if "." in name}
        ends = "|".join(sorted(each for each in suffixes if len(each) <= 12))
        self._named = re.compile(rf"\.(?:{ends})[\"'`]".encode()) if ends else None
        self._services, self._keys = self._declared()
        self._symbol = cache(self._find_symbol)

    def uses(self) -> Iterator[FileUse]:
        """Yield all uses, in no particular order."""
        for path in self._texts.paths:
            language = self._texts.language(path)
            if is_text(language) and path not in self._others:
                continue  # documents name files without using them
            data = bytes(self._texts.data(path))
            found = list(self._in_other(path, data) if path in self._others else self._in_code(data))
            found += self._strings(path, data)
            found += self._in_tags(path, data) if is_made(path) else ()
            if found:
                yield from self._placed(path, data, found)

    def _placed(self, path: str, data: bytes, found: Iterable[tuple[int, int, str]]) -> Iterator[FileUse]:
        """Yield the uses in a file, given as (offset, row of the target, rule)."""
        number, line, counted = self._number[path] << 32, 1, 0
        for offset, target, rule in sorted(found):
            line += data.count(b"\n", counted, offset)
            counted = offset
            source = self._source(path, line)
            if source >= 0 and source != target:
                yield FileUse(source, target, rule, number | line)

    def _source(self, path: str, line: int) -> int:
        symbol = self._catalog.at(path, line)
        return -1 if symbol is None else self._catalog.symbol_row(self._catalog.named_around(symbol).id)

    # ----------------------------------------------------------------- files

    def _strings(self, path: str, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield the strings that name a file that is not code."""
        for match in self._named.finditer(data) if self._named is not None else ():
            end = match.end() - 1
            start = data.rfind(data[end : end + 1], max(0, end - _MOST_CHARS), end) + 1
            if start and _PLAIN.fullmatch(data, start, end):
                written = data[start:end].decode("utf-8", "replace")
                targets = self._files(path, written)
                sure = len(targets) == 1 and "/" in written
                for target in targets:
                    yield start, self._module(target), "file-path" if sure else "file-name"

    def _files(self, path: str, written: str) -> list[str]:
        """Return the files that a string may mean; none if there are too many."""
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
        named = self._by_name.get(posixpath.basename(written), ())
        if near in named and near != path:
            return [near]
        end = "/" + posixpath.normpath(written).lstrip("./")
        found = [each for each in named if ("/" + each).endswith(end) and each != path]
        return found if len(found) <= _MOST_TARGETS else []

    def _module(self, path: str) -> int:
        return self._catalog.symbol_rows_in(path)[0]

    def _in_other(self, path: str, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield the words of a file that is not code which are paths of files, or whole names of symbols."""
        folder = posixpath.dirname(path)
        for match in _WORD.finditer(data):
            if match.end() - match.start() > _MOST_CHARS:
                continue
            written = match.group().decode("utf-8", "replace")
            if "/" in written or written.count(".") == 1:
                near = posixpath.normpath(posixpath.join(folder, written.lstrip("/")))
                if near in self._number and near != path:
                    yield match.start(), self._module(near), "file-path"
                    continue
            if "/" not in written and (row := self._symbol(written)) >= 0:
                yield match.start(), row, "text"

    def _in_tags(self, path: str, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield the names of functions in the tags of a template that makes a file of another language."""
        template = by_path(f"page{path[path.rfind('.') :]}")
        if template is None or template.name not in CODE_OF:
            return
        family = family_of(template.name)
        for match in _NAME.finditer(template_view(template.name, data)):
            named = self._catalog.named(match.group().decode())
            found = [each for each in named if each.kind in _CALLED and family_of(each.language) == family]
            if len(found) == 1:
                yield match.start(), self._catalog.symbol_row(found[0].id), "tag"

    def _find_symbol(self, written: str) -> int:
        """Return the row of the code that has a dotted name; -1 if there is none, or more than one."""
        parts = name_parts(written.replace(":", "."))
        found = self._catalog.exactly(parts) if len(parts) > 1 else ()
        found = tuple(symbol for symbol in found if symbol.kind not in TEXT_KINDS and not is_text(symbol.language))
        return self._catalog.symbol_row(found[0].id) if len(found) == 1 else -1

    # ----------------------------------------------------------------- services and keys

    def _declared(self) -> tuple[Mapping[bytes, int], Mapping[bytes, int]]:
        """Return the services and the configuration keys that only one file declares: name → row."""
        services: dict[bytes, int] = {}
        keys: dict[bytes, int] = {}
        for path in sorted(self._others):
            for row in self._catalog.symbol_rows_in(path):
                symbol = self._catalog.symbols[row]
                if symbol.kind == "service":
                    services[symbol.name.encode()] = -1 if symbol.name.encode() in services else row
                elif symbol.kind == "key" and not self._catalog.roles.is_test(path) and _MANIFESTS.search(path) is None:
                    dotted = symbol.fqn[len(path) + 1 :].replace("#", ".")
                    for name in dict.fromkeys((symbol.name.encode(), dotted.encode())):
                        keys[name] = -1 if name in keys else row
        services, keys = ({name: row for name, row in each.items() if row >= 0} for each in (services, keys))
        return services, keys

    def _in_code(self, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield the uses of services and configuration keys in a file with code."""
        if any(name in data for name in self._services):
            for match in _STUB.finditer(data):
                if (row := self._services.get(match[1], -1)) >= 0:
                    yield match.start(), row, "service"
        if self._keys and any(mark in data for mark in _READ_MARKS):
            for match in _READ.finditer(data):
                if (row := self._keys.get(match[1], -1)) >= 0:
                    yield match.start(1), row, "key"
