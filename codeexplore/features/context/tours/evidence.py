"""Evidence of what matters in a repository, from which a tour is made: first of all, the code that documents show.

Documents are read in the order in which a newcomer reads them: the README, then the quickstart, then the other guides.
Only code counts: fenced, indented and interactive examples, listings of AsciiDoc and Org, and names in backquotes. A
name is followed from the imports and assignments of the example to its definition, so ``app.route`` is found after
``app = Flask(__name__)``. A member of an unknown object counts only if its owner is one of the types that the document
has used.

Each piece of evidence is a ranking of symbols. In the order of their authority they are: each document, which ranks the
symbols that its examples show in their order; what manifests and the language start; the number of test files and
examples that use a symbol; the examples in the documentation of modules; and PageRank. The rankings are fused by
reciprocal rank (Cormack, Clarke and Büttcher 2009), as the lanes of a search are; the n-th one counts 1/n².
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, combinations, pairwise
from keyword import kwlist
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from codeexplore.graph.traversal import is_constructor, members, related
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import PACKAGE_FILES, PathRoles
from codeexplore.languages.resources import DOCUMENTS
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, EdgeKind, SourceFile, Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE, RRF_K

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable

_MOST_DOCUMENTS: Final = 30
_MOST_LINES: Final = 2_000  # of one document that are read
_MOST_CHARS: Final = 300  # of one line: a longer one is no example
_FIRST: Final = (  # names of documents, in the order in which a newcomer reads them
    re.compile(r"^readme", re.IGNORECASE),
    re.compile(r"quick.?start|getting.?started|first.?steps|crash.?course|tutorial|basics|hello", re.IGNORECASE),
    re.compile(r"intro|overview|usage|guide|tour|example|cookbook|recipe|how.?to|^doc$|^index$", re.IGNORECASE),
)
_NEVER: Final = re.compile(
    r"change|history|news|release|licen[cs]e|copying|notice|contribut|conduct|security|authors|credits|upgrad|migrat|"
    r"todo|roadmap|requirements|install|thanks|sponsor|\bwhatsnew",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(r"(?<=/)v?(\d{1,9})(?=[./_-])", re.IGNORECASE)  # ``docs/v2/``
_NOT_READ: Final = frozenset({"test", "vendored", "generated", "benchmark", "migration", "compat"})

_FENCE: Final = re.compile(  # of Markdown, and of Org
    r"\s*(?:`{3,}|~{3,}|#\+(?:begin|end)_src\b)\s*\{?\.?(?P<language>[\w-]*)", re.IGNORECASE
)
_LISTING: Final = re.compile(r"\[(?:source|listing)?[%\w]*,\s*(?P<language>[\w-]*).*\]$")  # of AsciiDoc: `----` follows
_OPENS_BLOCK: Final = re.compile(
    r"^(?P<indent>\s*)(?:\.\. +(?:code-block|code|sourcecode|testcode|ipython)::\s*(?P<language>[\w-]*).*|.*::\s*)$"
)
_NO_CODE: Final = re.compile(  # languages of blocks with drawings, commands, data and pages, which use no symbols
    r"mermaid|dot|graphviz|plantuml|(?:ba|z)?sh|shell|console|shell-session|bat|powershell|json|ya?ml|toml|ini|xml|html|"
    r"css|diff|http",
    re.IGNORECASE,
)
_INTERACTIVE: Final = re.compile(r"^\s*(?:>>>|\.\.\.|In \[\d+\]:)\s?(?P<code>.*)$")
_QUOTED: Final = re.compile(r"(?P<ticks>`{1,2})(?P<code>[^`\n]+)(?P=ticks)")
_STRING: Final = re.compile(r"(?P<mark>\"\"\"|'''|\"|')(?:\\.|(?!(?P=mark)).)*(?P=mark)")
_COMMENT: Final = re.compile(r"(?:^|\s)(?:#(?!\w*\()|//).*$")
_CHAIN: Final = re.compile(
    r"(?P<before>[.@]?\s*)\b(?P<name>[A-Za-z_]\w*(?:\s*(?:\.|::|->)\s*[A-Za-z_]\w*)*)(?P<call>\s*(?:[(\[]|!(?=[(\[{])|))"
)
_JOINT: Final = re.compile(r"\s*(?:\.|::|->)\s*")
_DEFINED: Final = re.compile(
    r"^\s*(?:(?:export|default|public|pub|async|abstract|static)\s+)*(?:class|def|func|fn|function|struct|interface|type)"
    r"\s+(?P<name>[A-Za-z_]\w*)"
)
_FROM: Final = re.compile(r"^\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>[\w, \t().*]+)")
_IMPORT: Final = re.compile(r"^\s*import\s+(?P<module>[\w.]+)(?:\s+as\s+(?P<alias>\w+))?\s*;?$")
_NAMED_IMPORT: Final = re.compile(
    r"(?:import|const|let|var)\s+(?:type\s+)?(?:(?P<whole>\w+)|\*\s+as\s+(?P<star>\w+))?\s*,?\s*(?:\{(?P<names>[^}]*)\})?\s*"
    r"(?:from\s+|=\s*(?:await\s+import|require)\s*\(\s*)[\"'](?P<module>[^\"']+)[\"']"
)
_SCRIPT: Final = re.compile(r"\.[cm]?[jt]sx?$")  # the end of an imported file of JavaScript or TypeScript
_DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts", ".pyi")  # say again what other files define
_EXPORTED: Final = re.compile(r"module\.exports\s*=|export\s+default\b")
_PATH_IMPORT: Final = re.compile(r"^\s*(?:import\s+)?(?:(?P<alias>\w+)\s+)?\"(?P<module>[\w./-]+)\"\s*$")
_ASSIGNED: Final = re.compile(
    r"^\s*(?:const|let|var|auto|final|val|await|with|async|for)?\s*(?:\w+\s+)??(?P<name>[A-Za-z_]\w*)(?:,\s*\w+)*\s*"
    r"(?::=|=(?!=)|\bin\b)\s*(?:await\s+|new\s+|&)?(?P<value>[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*)"
)
_STAR: Final = "*"  # of ``from module import *``: stands for the module
_NO_NAMES: Final = frozenset({*kwlist, "func", "fn", "function", "struct", "interface", "new"})  # are never assigned
_AS: Final = re.compile(r"\bwith\s+(?:await\s+)?(?P<value>[A-Za-z_][\w.]*).*?\bas\s+(?P<name>\w+)")
_TYPED: Final = re.compile(r"\b(?P<name>[a-z_]\w*)\s*:?\s+[*&]?(?P<value>[A-Za-z_]\w*(?:\.[A-Z]\w*)|[A-Z]\w+)\b")
_GAP: Final = 4  # lines without code, such as the output of an interactive example, that belong to a block
_Manner: TypeAlias = Literal["import", "example", "text"]


class Mention(NamedTuple):
    """The first place in a document that shows a symbol in code, and how the document shows it."""

    symbol_id: str
    path: str
    line: int  # 1-based
    manner: _Manner  # by a name that an example imports, in an example, only in sentences


def documents_of(sources: Mapping[str, SourceFile], roles: PathRoles) -> list[str]:
    """Return the paths of the first documents in reading order. Changelogs, licences and the like are left out."""
    found = []
    for path, file in sources.items():
        stem = path.rpartition("/")[2].partition(".")[0]
        if file.language in DOCUMENTS and roles.of(path) not in _NOT_READ and not _NEVER.search(stem):
            place = next((n for n, pattern in enumerate(_FIRST) if pattern.search(stem)), len(_FIRST))
            if place == 0 and "/" in path:
                place = 2  # the README of a part
            version = tuple(-int(number) for number in _VERSION.findall(path))  # of several versions the latest first
            found.append((place, path.count("/"), version, path))
    return [path for *_, path in sorted(found)][:_MOST_DOCUMENTS]


def code_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the code in a document as (line number, code, True if it is an example and not a name in a sentence)."""
    fenced, listing, block, coded, title = False, False, -1, True, ""  # `block`: indentation of what opened it, or -1
    comment = False  # within one of several lines
    for number, whole in enumerate(text.split("\n")[:_MOST_LINES], 1):
        line = whole[:_MOST_CHARS]
        before, title = title, line.rstrip()
        underline = not fenced and len(set(title)) == 1 and 0 < len(before) <= len(title)  # of reStructuredText
        hyphens = len(title) >= 4 and not title.strip("-")
        opened = _LISTING.match(before) if hyphens and not fenced else None
        fence = opened or (None if underline or listing else _FENCE.match(line))
        if fence is not None or (listing and hyphens):
            fenced, listing, block, comment = not fenced, opened is not None, -1, False
            coded = fence is not None and _NO_CODE.fullmatch(fence["language"]) is None
            continue
        indent = len(line) - len(line.lstrip())
        if block >= 0 and line.strip() and indent <= block:
            block = -1
        if interactive := _INTERACTIVE.match(line):
            yield number, interactive["code"], True
        elif fenced or (block >= 0 and line.strip() and not line.lstrip().startswith(":")):
            comment = comment or line.lstrip().startswith("/*")
            if coded and not comment:
                yield number, line, True
            comment = comment and "*/" not in line
        else:
            for match in _QUOTED.finditer(line):
                yield number, match["code"].lstrip("~@").split(" <")[0], False
            if (begun := _OPENS_BLOCK.match(line)) is not None and block < 0:
                block, coded = len(begun["indent"]), _NO_CODE.fullmatch(begun["language"] or "") is None


def first_examples(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the blocks of code of a document in order: the first line of each, and the names that it uses.

    Names are those that it imports (with their modules), calls, decorates with or reads as an attribute, and those with
    a capital, without those that the block defines or assigns. A member has in front what it is a member of, unless
    that is a variable of the block: ``os.Args``, ``Pot.new``; for a parameter its type: ``http.ResponseWriter.Write``.
    """
    block: list[tuple[int, str]] = []
    lines = [(number, code) for number, code, example in code_lines(text) if example]
    for number, code in (*lines, (0, "")):
        if block and not block[-1][0] < number <= block[-1][0] + _GAP:
            made = (found for _, each in block for found in (_DEFINED.match(each), *_ASSIGNED.finditer(each)))
            own = {found["name"] for found in made if found is not None}
            typed = {found["name"]: found["value"] for _, each in block for found in _TYPED.finditer(each)}
            typed = {name: value for name, value in typed.items() if "." in value and name not in own}
            known = typed | {name: chain for _, each in block for name, chain in _imported(each).items()}
            yield block[0][0], tuple(dict.fromkeys(name for _, each in block for name in _used(each, own, known)))
            block = []
        block.append((number, code))


def _used(line: str, own: Collection[str], known: Mapping[str, str]) -> Iterator[str]:
    if names := _imported(line):
        yield from names.values()
    code = _COMMENT.sub("", _STRING.sub('""', line))
    for match in _CHAIN.finditer(code):
        parts = _JOINT.split(match["name"])
        sure = match["before"].strip() in (".", "@") or match["call"].strip() in ("(", "!")
        first = (parts[0][:1].isupper() or (sure and len(parts) == 1)) and parts[0] not in own
        yield from parts[: first and 1]
        chain = "" if match["before"].strip() == "." or parts[0] in own else known.get(parts[0], parts[0])
        for above, part in pairwise(parts):
            chain = chain or (above if above[:1].isupper() else "")
            yield f"{chain}.{part}" if chain else part
            chain = f"{chain}.{part}" if chain else ""


class DocumentReader:
    """Finds the symbols, among those with the `wanted` ids, that a document names in code."""

    def __init__(self, graph: CodeGraph, wanted: Iterable[str]) -> None:
        self._graph, self._catalog, self._wanted = graph, graph.catalog, frozenset(wanted)
        self._names = frozenset(self._catalog.symbol(each).name for each in self._wanted)
        self._types_of = cache(self._possible_types)
        symbols = map(self._catalog.symbol, sorted(self._wanted))
        self._exported = [symbol for symbol in symbols if _EXPORTED.match(symbol.signature)]

    def mentions(self, path: str, text: str) -> list[Mention]:
        found: dict[str, Mention] = {}
        known: dict[str, str] = {}  # variable or import → the chain of names that it stands for
        imported, own = set[str](), set[str]()  # names that examples import, and that they define themselves
        owners: dict[str, None] = {}  # ids of types, members of which may be meant, the latest last
        for number, line, example in code_lines(text):
            if example and (names := _imported(line)):
                known |= names
                imported |= names.keys()
            elif example:
                self._assign(line, known)
                if imported and (defined := _DEFINED.match(line)) is not None:
                    own.add(defined["name"])
            code = _COMMENT.sub("", _STRING.sub('""', line))
            for match in _CHAIN.finditer(code):
                first = _JOINT.split(match["name"])[0]
                if first in own and match["before"].strip() != ".":
                    continue
                for symbol in self._meant(match, known, owners, alone=not example and match[0].strip() == code.strip()):
                    manner: _Manner = "import" if first in imported else "example" if example else "text"
                    before = found.setdefault(symbol.id, Mention(symbol.id, path, number, manner))
                    if before.manner == "text":  # an example shows it after a sentence
                        found[symbol.id] = before._replace(manner=manner)
                    self._own(symbol, owners)
        return list(found.values())

    def _assign(self, line: str, known: dict[str, str]) -> None:
        for match in (*_ASSIGNED.finditer(line), *_AS.finditer(line), *_TYPED.finditer(line)):
            value = self._expanded(match["value"], known)
            name = match["name"]
            if name not in known and name not in _NO_NAMES and value != name and self._found(value):
                known[name] = value

    def _expanded(self, chain: str, known: Mapping[str, str]) -> str:
        first, *rest = _JOINT.split(chain)
        if first not in known and _STAR in known and self._found(f"{known[_STAR]}.{first}"):
            first = f"{known[_STAR]}.{first}"
        return ".".join((known.get(first, first), *rest))

    def _found(self, name: str) -> list[Symbol]:
        """Return the symbols that a name means: by their public names, or because their qualified names end in it.

        A constructor stands for its type. A member is only meant with its owner: in Go, ``string`` is a type, even if
        some type has a method of this name.
        """
        parts = name_parts(name)
        if not parts:
            return []
        if len(parts) == 1 and (whole := self._whole(name)) is not None:
            return [whole]
        names = self._catalog.public_names if len(parts) > 1 else None
        meant = () if names is None else names.find(name)
        if not meant and parts[-1] in self._names:
            meant = tuple(s for s in self._catalog.named(parts[-1]) if name_parts(s.fqn)[-len(parts) :] == parts)
        found = [symbol for symbol in dict.fromkeys(map(self._type_of, meant)) if symbol.id in self._wanted]
        found = [symbol for symbol in found if not symbol.path.endswith(_DECLARATIONS)] or found
        return found if len(parts) > 1 else [symbol for symbol in found if not self._is_member(symbol)]

    def _whole(self, package: str) -> Symbol | None:
        """Return what a package of JavaScript exports as a whole, if the definition says so and has another name."""
        names = self._catalog.public_names
        if names is None:
            return None
        exported = (each for each in self._exported if each.name != package)
        return next((each for each in exported if each in names.find(f"{package}.{each.name}")), None)

    def _meant(
        self, match: re.Match[str], known: Mapping[str, str], owners: Mapping[str, None], *, alone: bool
    ) -> Iterator[Symbol]:
        """Yield the symbols that a chain of names means, first names first."""
        parts = _JOINT.split(match["name"])
        before, called = match["before"].strip(), match["call"].strip() != ""
        if before == ".":
            yield from self._members(parts, owners)
            return
        nearest = {} if parts[0] in known else owners  # a member of an imported name is never guessed
        for length in range(1, len(parts) + 1):
            chain = ".".join(parts[:length])
            sure = length > 1 or parts[0] in known or called or alone or before == "@" or parts[0][:1].isupper()
            found = self._found(self._expanded(chain, known)) if sure else []
            if len(found) != 1 and length > 1:
                found = list(self._members(parts[length - 1 : length], nearest))
            if len(found) == 1:
                nearest = dict.fromkeys(self._types_of(found[0]))
                named = (parts[0], known.get(parts[0], parts[0]).split(".")[-1])
                if length > 1 or parts[0] not in known or found[0].name in named or found[0] in self._exported:
                    yield found[0]

    def _members(self, parts: Iterable[str], owners: Mapping[str, None]) -> Iterator[Symbol]:
        """Yield the members that are called `parts` of the types that the document has used, the latest type first."""
        for part in parts:
            named = {s.parent: s for s in self._catalog.named(part) if s.id in self._wanted and self._is_member(s)}
            owner = next((each for each in reversed(list(owners)) if each in named), None)
            if owner is not None:
                yield named[owner]

    def _is_member(self, symbol: Symbol) -> bool:
        return symbol.parent is not None and self._catalog.symbol(symbol.parent).kind in TYPE_KINDS

    def _possible_types(self, symbol: Symbol) -> list[str]:
        """Return the types, with supertypes, whose members a use of `symbol` may mean, the most probable last."""
        graph, catalog = self._graph, self._catalog
        vertex = graph.vertex(symbol.id)
        users = [vertex, *(members(graph, vertex) if symbol.kind in TYPE_KINDS else ())]
        ends = (graph.neighbours(user, "out", ("CALLS", "USES"), RESOLVED_CONFIDENCE) for user in users)
        used = [self._type_of(graph.symbol(end)) for end in chain.from_iterable(ends)]
        if self._is_member(symbol) and symbol.parent is not None:
            used.append(catalog.symbol(symbol.parent))
        types = [each for each in (*used, symbol) if each.kind in TYPE_KINDS]
        above = (related(graph, [graph.vertex(one.id)], "out", minimum=RESOLVED_CONFIDENCE) for one in reversed(types))
        found = dict.fromkeys(graph.symbol(each).id for vertices in above for each in vertices)
        return list(reversed(found))

    def _own(self, symbol: Symbol, owners: dict[str, None]) -> None:
        for each in self._types_of(symbol):
            if symbol.kind in TYPE_KINDS:
                owners.pop(each, None)
            owners.setdefault(each)

    def _type_of(self, symbol: Symbol) -> Symbol:
        made = symbol.parent is not None and is_constructor(self._graph, self._graph.vertex(symbol.id))
        return self._catalog.symbol(symbol.parent) if made and symbol.parent is not None else symbol


def _imported(line: str) -> dict[str, str]:
    """Return the names that a line of an example imports, with the chain of names that each stands for."""
    found: dict[str, str] = {}
    if (match := _FROM.match(line)) is not None:
        for part in match["names"].strip("() \t").split(","):
            name, _, alias = part.strip().partition(" as ")
            found[alias.strip() or name] = match["module"] if name == _STAR else f"{match['module']}.{name}"
    elif (match := _IMPORT.match(line)) is not None:
        first = match["module"].partition(".")[0]
        found[match["alias"] or first] = match["module"] if match["alias"] else first
    elif (match := _NAMED_IMPORT.search(line)) is not None:
        module = _SCRIPT.sub("", match["module"].rpartition("/")[2]) or match["module"]
        found |= dict.fromkeys(filter(None, (match["whole"], match["star"])), module)
        for part in filter(None, (match["names"] or "").split(",")):
            name, _, alias = part.strip().replace(":", " as ").partition(" as ")
            found[alias.strip() or name.strip()] = f"{module}.{name.strip()}"
    elif (match := _PATH_IMPORT.match(line)) is not None:
        module = match["module"].rpartition("/")[2]
        found[match["alias"] or module] = module
    return found


_MOST_RANKINGS: Final = 12
_DOCUMENT_K: Final = 20  # in place of RRF_K: what a document shows first counts more. Chosen with 1/n² on 11 libraries
_READABLE: Final = (CALLABLE_KINDS | TYPE_KINDS) - {"lambda"}
LEADING: Final[tuple[EdgeKind, ...]] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS")
"""Kinds of edges by which one symbol builds on another."""
_USING: Final = frozenset(map(EDGE_KINDS.index, LEADING))


class TourEvidence:
    """Evidence about the symbols of `files`, which are without tests, examples and tools. `sources` are all files."""

    def __init__(
        self, graph: CodeGraph, usage: UsageEvidenceTable, sources: Mapping[str, SourceFile], files: Collection[str]
    ) -> None:
        self._graph, self._usage, self._sources, self._files = graph, usage, sources, files

    @cached_property
    def candidates(self) -> Mapping[str, Symbol]:
        """The functions, methods and types of the files, by id, without functions inside of functions."""
        graph = self._graph
        found: dict[str, Symbol] = {}
        for vertex, symbol in enumerate(graph.catalog.symbols):
            if symbol.path not in self._files or symbol.kind not in _READABLE or not self.is_last(symbol):
                continue
            inside = symbol.parent is not None and graph.catalog.symbol(symbol.parent).kind in CALLABLE_KINDS
            if not inside and not is_constructor(graph, vertex) and not graph.catalog.roles.is_test_symbol(symbol):
                found[symbol.id] = symbol
        return found

    def is_last(self, symbol: Symbol) -> bool:
        return self._last[symbol.path, symbol.fqn] == symbol.id

    @cached_property
    def _last(self) -> Mapping[tuple[str, str], str]:
        """Path and qualified name → id of the last definition. In Python, it implements the overloads before it."""
        return {(symbol.path, symbol.fqn): symbol.id for symbol in self._graph.catalog.symbols}

    @cached_property
    def public(self) -> Mapping[str, str]:
        """The candidates that code outside the repository may use: id → reason."""
        reason = self._usage.visibility.reason
        return {each: said for each, symbol in self.candidates.items() if (said := reason(symbol))}

    @cached_property
    def documents(self) -> Sequence[Sequence[Mention]]:
        """The symbols that each document shows, in reading order: text files, then the main files of packages."""
        paths = documents_of(self._sources, self._graph.catalog.roles)
        read = (self._reader.mentions(path, self._sources[path].text) for path in paths)
        found = [mentions for mentions in read if mentions]
        return [*found, *self._module_documents(main=True)][:_MOST_RANKINGS]

    @cached_property
    def _reader(self) -> DocumentReader:
        return DocumentReader(self._graph, self.candidates)

    def _module_documents(self, *, main: bool) -> list[list[Mention]]:
        """Return the symbols that the documentation of modules shows, modules nearest to the root first."""
        modules = [s for s in self._graph.catalog.symbols if s.kind == "module" and s.doc and s.path in self._files]
        modules = [s for s in modules if (posixpath.basename(s.path).partition(".")[0] in PACKAGE_FILES) == main]
        modules.sort(key=lambda module: (module.path.count("/"), module.path))
        read = (self._reader.mentions(module.path, module.doc) for module in modules[:_MOST_RANKINGS])
        lines = {module.path: module.line for module in modules}
        return [[mention._replace(line=lines[mention.path]) for mention in found] for found in read if found]

    @cached_property
    def shown(self) -> Mapping[str, Mention]:
        found: dict[str, Mention] = {}
        for mentions in self.documents:
            for mention in mentions:
                found.setdefault(mention.symbol_id, mention)
        return found

    @cached_property
    def exemplified(self) -> Sequence[Sequence[str]]:
        """The ids that the examples of each document show, in its order. Names in sentences are left out."""
        return [ids for each in self.documents if (ids := [m.symbol_id for m in each if m.manner != "text"])]

    @cached_property
    def is_library(self) -> bool:
        """True if users import the repository, and do not only start it.

        An example imports something of it, or the ``__init__.py`` of an outermost package exports what other files
        define.
        """
        if any(mention.manner == "import" for mentions in self.documents for mention in mentions):
            return True
        graph = self._graph
        users = (user for each in self.public for user in graph.neighbours(graph.vertex(each), "in", ("IMPORTS",)))
        return any(self._is_outermost(graph.symbol(user).path) for user in users)

    def _is_outermost(self, path: str) -> bool:
        folder, name = posixpath.split(path)
        above = posixpath.join(posixpath.dirname(folder), name)
        return name == "__init__.py" and path in self._files and (not folder or above not in self._sources)

    @cached_property
    def sequences(self) -> Mapping[str, Sequence[str]]:
        """Id of an outermost test or example → the candidates that it uses, in the order of their first lines."""
        graph, edges = self._graph, self._graph.edges
        symbols, roles = graph.catalog.symbols, graph.catalog.roles
        around: dict[str, str] = {}
        user: list[str] = []
        for symbol in symbols:
            outer = around.get(symbol.parent or "", "")
            shows = roles.is_test_symbol(symbol) or roles.of(symbol.path) == "example"
            user.append((outer or symbol.id) if shows else "")
            around[symbol.id] = outer or (symbol.id if symbol.kind in CALLABLE_KINDS else "")
        found: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        rows = zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True)
        for row, (source, target, kind, confidence) in enumerate(rows):
            if not user[source] or kind not in _USING or confidence < RESOLVED_CONFIDENCE - 1e-6:
                continue
            standing = self.standing_for(symbols[target])
            if standing is not None:
                line = min((site.line for site in graph.edge(row).sites), default=0)
                used = found[user[source]]
                used[standing.id] = min((line, standing.id), used.get(standing.id, (line, standing.id)))
        return {each: sorted(used, key=lambda a: used[a]) for each, used in found.items()}

    def standing_for(self, symbol: Symbol) -> Symbol | None:
        """Return the candidate for a symbol: the type of a constructor, the last of several definitions, or None."""
        if symbol.parent is not None and is_constructor(self._graph, self._graph.vertex(symbol.id)):
            symbol = self._graph.catalog.symbol(symbol.parent)
        return self.candidates.get(self._last.get((symbol.path, symbol.fqn), symbol.id))

    @cached_property
    def users(self) -> Mapping[str, int]:
        """Id → number of tests and examples that use it."""
        return Counter(each for sequence in self.sequences.values() for each in sequence)

    @cached_property
    def spread(self) -> Mapping[str, int]:
        """Id → number of files of tests and examples that use it."""
        path = {user: self._graph.catalog.symbol(user).path for user in self.sequences}
        return Counter(each for each, _ in {(a, path[user]) for user, used in self.sequences.items() for a in used})

    @cached_property
    def importance(self) -> Mapping[str, float]:
        """Id → PageRank of the candidates. That of a constructor counts for its type."""
        found: dict[str, float] = defaultdict(float)
        for symbol, rank in zip(self._graph.catalog.symbols, self._graph.ranks, strict=True):
            if (standing := self.standing_for(symbol)) is not None:
                found[standing.id] += rank
        return found

    @cached_property
    def entries(self) -> Mapping[str, str]:
        """Id → reason, for the functions that a manifest or the language starts."""
        scripts = {parts[-1] for script in self._usage.starts.scripts if (parts := name_parts(script.name))}
        named = [s for s in self.candidates.values() if s.kind in CALLABLE_KINDS and s.name in scripts | {"main"}]
        return {symbol.id: said for symbol in named if (said := self._usage.starts.reason(symbol))}

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Id → fused score of the symbols that users meet: public and started ones, and those that examples show.

        The n-th ranking counts 1/n², so that the first documents decide. Other evidence decides where there are none.
        """
        met = {*self.public, *self.entries, *(each for shown in self.exemplified for each in shown)}
        documents = ([m.symbol_id for m in mentions if m.symbol_id in met] for mentions in self.documents)
        rankings = [(ids, _DOCUMENT_K) for ids in documents]
        rankings.append((sorted(self.entries, key=lambda each: (-self.importance[each], each)), RRF_K))
        used = [each for each in self.users if each in met]
        rankings.append((sorted(used, key=lambda each: (-self.spread[each], -self.users[each], each)), RRF_K))
        rankings += [([m.symbol_id for m in mentions], RRF_K) for mentions in self._module_documents(main=False)]
        rankings.append((sorted(met, key=lambda each: (-self.importance[each], each)), RRF_K))
        fused: dict[str, float] = defaultdict(float)
        for n, (ranking, k) in enumerate((row for row in rankings if row[0]), 1):
            for place, each in enumerate(ranking, 1):
                fused[each] += (k + 1) / (k + place) / n**2
        return fused

    def preferences(self, ids: Collection[str]) -> dict[tuple[str, str], float]:
        """Return (a, b) → how much of the evidence shows a before b, 0 to 1, for the pairs of some symbols.

        The first document that shows both symbols decides: the n-th one counts 1/n. If there is none, the symbol of an
        earlier document comes first, and n is the later document. For other pairs, it is the share of the tests and
        examples with both that use a first, and counts as one more document.
        """
        found: dict[tuple[str, str], float] = {}
        document: dict[str, int] = {}  # id → number of the first document that shows it
        for n, mentions in enumerate(self.documents, 1):
            document |= {mention.symbol_id: document.get(mention.symbol_id, n) for mention in mentions}
            shown = [mention.symbol_id for mention in mentions if mention.symbol_id in ids]
            for pair in combinations(shown, 2):
                if pair[::-1] not in found:
                    found.setdefault(pair, 1 / n)
        for a, b in combinations([each for each in document if each in ids], 2):
            if document[a] < document[b] and (b, a) not in found:
                found.setdefault((a, b), 1 / document[b])
        counted: Counter[tuple[str, str]] = Counter()
        for sequence in self.sequences.values():
            counted.update(combinations([each for each in sequence if each in ids], 2))
        decided = set(found)
        for (a, b), count in counted.items():
            if (a, b) not in decided and (b, a) not in decided:
                found[a, b] = count / (count + counted[b, a]) / (len(self.documents) + 1)
        return found
