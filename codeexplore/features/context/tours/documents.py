"""Names of code in documentation: the symbols that the README, guides and package documentation show in examples.

Documents are read in the order in which a newcomer reads them: the README, then the quickstart, then the other guides.
Only code counts: fenced, indented and interactive examples, listings of AsciiDoc and Org, and names in backquotes. A
name is followed from the imports and assignments of the example to its definition, so ``app.route`` is found after
``app = Flask(__name__)``. A member of an unknown object counts only if its owner is one of the types that the document
has used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from keyword import kwlist
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from codeexplore.graph.traversal import is_constructor, members, related
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import PathRoles
from codeexplore.languages.text import DOCUMENTS
from codeexplore.types import TYPE_KINDS, SourceFile, Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph

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
_NOT_READ: Final = frozenset({"test", "vendored", "generated", "benchmark", "compat"})

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
        self._types: dict[str, list[str]] = {}
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

    def _types_of(self, symbol: Symbol) -> list[str]:
        """Return the types, with supertypes, whose members a use of `symbol` may mean, the most probable last."""
        if symbol.id in self._types:
            return self._types[symbol.id]
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
        self._types[symbol.id] = list(reversed(found))
        return self._types[symbol.id]

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
