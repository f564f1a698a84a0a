"""Material of the map: the graph, the evidence of use and the files, with the lookups that several sections share."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Final, Literal, TypeAlias

from codeexplore.answers.wording import cut, first_sentence, one_line
from codeexplore.features.context.tours.evidence import TourEvidence
from codeexplore.features.context.tours.tour import TourPlanner
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import members
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.languages.file_roles import PathRole
from codeexplore.languages.registry import record_of
from codeexplore.languages.resources import DOCUMENTS
from codeexplore.source.filters import generated
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TEXT_KINDS, TYPE_KINDS, EdgeKind, SourceFile, Symbol
from codeexplore.types.certainty import LIKELY
from codeexplore.types.rows import grouped

FileRole: TypeAlias = Literal["library", "command", "tests", "examples", "benchmarks", "generated", "vendored", "tool"]
_OF_PATH: Final[Mapping[PathRole, FileRole]] = {
    "test": "tests",
    "example": "examples",
    "benchmark": "benchmarks",
    "generated": "generated",
    "vendored": "vendored",
}
_HEAD_CHARS: Final = 4_096  # a mark below a licence is found too
_FRAMEWORKS: Final = re.compile(
    r"(?:testing|pytest|unittest|nose|vitest|jest|mocha|chai|junit|@jest/|node:test|org[./]junit|org[./]testng|"
    r"org[./]mockito|github\.com/stretchr/testify)(?![\w-])"
)
_TESTS: Final = re.compile(r"tests?(?:[-_](?:d|helpers?|utils?|support|lib|data))?")  # a file or a folder in the root
_TOOL_FOLDERS: Final = re.compile(
    r"(?:scripts?|tools?|fuzz(?:ing|ers?)?|hack|dev|dev[_-]?tools|build[_-]?(?:tools|scripts?)|\.?ci|\.github)"
)
_TOOL_FILES: Final = re.compile(
    r"(?:setup|noxfile|tasks|fabfile|conf)\.py|(?:gulpfile|gruntfile|[\w.-]+\.config)\.[cm]?[jt]s|build\.rs|magefile\.go",
    re.IGNORECASE,
)
_BUILD_TAG: Final = re.compile(r"^//(?:go:build|\s*\+build)\s.*\b(?:(?P<test>\w*tests?)|ignore|tools?)\b", re.MULTILINE)
_SHELLS: Final = frozenset({"bash", "script"})
_DOCS: Final = frozenset({"docs", "documentation", "website"})  # "doc" may be a package


PRODUCT: Final[tuple[FileRole, ...]] = ("library", "command")


class Material:
    """The graph, the evidence of use besides edges, the files, and the measures that sections of the map share."""

    def __init__(self, graph: CodeGraph, evidence: UsageEvidenceTable, sources: Mapping[str, SourceFile]) -> None:
        self.graph, self.evidence, self.sources = graph, evidence, sources
        self._lines = cache(lambda path: sources[path].text.split("\n"))

    @cached_property
    def code_files(self) -> frozenset[str]:
        """The paths of all files that define or document something in a programming language, tests included."""
        return frozenset(
            symbol.path
            for symbol in self.graph.catalog.symbols
            if symbol.kind not in TEXT_KINDS
            and (symbol.kind != "module" or symbol.doc)
            and self.sources[symbol.path].language not in DOCUMENTS
        )

    @cached_property
    def files(self) -> frozenset[str]:
        return self.graph.catalog.roles.own_files(self.code_files, "source", "compat")

    @cached_property
    def roles(self) -> Mapping[str, FileRole]:
        return {path: self._role(path) for path in self.code_files}

    def _role(self, path: str) -> FileRole:
        """Return the role of a file. For a source file, the path alone does not decide."""
        if path not in self.files:
            return _OF_PATH.get(self.graph.catalog.roles.of(path), "library")
        if generated(path, self.sources[path].text[:_HEAD_CHARS].encode(errors="replace")):
            return "generated"
        if path in self._testing or posixpath.dirname(path) in self._testing_folders:
            return "tests"
        if (tag := _BUILD_TAG.search(self.sources[path].text[:_HEAD_CHARS])) is not None and path.endswith(".go"):
            return "tests" if tag["test"] else "tool"
        first, inside, _ = path.partition("/")
        if _TESTS.fullmatch(first.partition(".")[0]):
            return "tests"
        if (inside and _TOOL_FOLDERS.fullmatch(first)) or _TOOL_FILES.fullmatch(posixpath.basename(path)):
            return "tool"
        if inside and first in _DOCS:
            return "examples"
        if self.sources[path].language in _SHELLS and self._main_language not in _SHELLS:
            return "tool"
        return "command" if path in self._started else "library"

    @cached_property
    def _main_language(self) -> str:
        counted = Counter(self.sources[path].language for path in self.files)
        return max(counted, key=lambda language: (counted[language], language), default="")

    @cached_property
    def _testing(self) -> frozenset[str]:
        """The source files that import a test framework when they are loaded."""
        symbols = self.graph.catalog.symbols
        return self.files.intersection(
            symbols[use.source].path
            for use in self.graph.externals
            if use.kind == "IMPORTS" and _FRAMEWORKS.match(use.name) and symbols[use.source].kind == "module"
        )

    @cached_property
    def _testing_folders(self) -> frozenset[str]:
        """Folders, except the root, where a third of the files import a test framework; others there are helpers."""
        return frozenset(
            folder
            for folder, paths in grouped((posixpath.dirname(path), path) for path in self.files).items()
            if folder and 3 * sum(path in self._testing for path in paths) >= len(paths)
        )

    @cached_property
    def _started(self) -> frozenset[str]:
        found = set()
        for entry in entry_points(self.graph, self.evidence, ("main", "script", "module")):
            symbol = self.graph.catalog.symbol(entry.symbol_id)
            named = symbol.name == "main" or posixpath.basename(symbol.path) == "__main__.py"
            loaded = entry.reason.endswith((" as main", " as module"))  # what users of a package import
            # others run when a type or package is loaded, or on request
            if named or (entry.kind == "script" and not loaded):
                found.add(symbol.path)
        return frozenset(found)

    @cached_property
    def product(self) -> frozenset[str]:
        return frozenset(path for path in self.files if self.roles[path] in PRODUCT) or self.files

    @cached_property
    def tour(self) -> TourEvidence:
        return TourEvidence(self.graph, self.evidence, self.sources, self.product)

    @cached_property
    def planner(self) -> TourPlanner:
        return TourPlanner(self.graph, self.tour)

    def said(self, symbol: Symbol) -> str:
        """Return the first sentence of a symbol's documentation, else its edges in words; "" if it has neither."""
        return first_sentence(symbol.doc) or self.planner.edges_in_words(symbol)

    def text(self, path: str, first: int, last: int) -> str:
        """Return some lines of a file; both numbers are 1-based and inclusive."""
        return "\n".join(self._lines(path)[first - 1 : last])

    def is_top(self, symbol: Symbol) -> bool:
        return symbol.parent is not None and self.graph.catalog.symbol(symbol.parent).kind == "module"

    def by_importance(self, symbol: Symbol) -> tuple[float, str]:
        return -self.graph.ranks[self.graph.vertex(symbol.id)], symbol.id

    @cached_property
    def top(self) -> Sequence[Symbol]:
        """The outermost definitions of the product, file by file."""
        members = (each for path in sorted(self.product) for each in self.members_by_path.get(path, ()))
        return list(filter(self.is_top, members))

    @cached_property
    def product_types(self) -> Sequence[Symbol]:
        return [symbol for symbol in self.top if symbol.kind in TYPE_KINDS]

    @cached_property
    def owner(self) -> Sequence[int]:
        """Vertex → vertex of the outermost type around it, or of the function if it is in no type."""
        symbols, found = self.graph.catalog.symbols, list[int]()
        place = {symbol.id: vertex for vertex, symbol in enumerate(symbols)}
        for vertex, symbol in enumerate(symbols):
            own, above = vertex, symbol.parent
            while above is not None and (around := symbols[place[above]]).kind in TYPE_KINDS | CALLABLE_KINDS:
                own, above = place[above], around.parent
            found.append(own)
        return found

    def members(self, symbol: Symbol) -> list[Symbol]:
        return [self.graph.symbol(vertex) for vertex in members(self.graph, self.graph.vertex(symbol.id))]

    @cached_property
    def members_by_path(self) -> Mapping[str, list[Symbol]]:
        """The symbols of each source file, sections of texts left out."""
        symbols = self.graph.catalog.symbols
        return grouped((s.path, s) for s in symbols if s.kind != "section" and s.path in self.files)

    def sources_of(self, symbol: Symbol, kinds: Sequence[EdgeKind]) -> Iterator[tuple[Symbol, int]]:
        """Yield (symbol, row) for each certain edge of some kinds into a symbol."""
        for each in self.graph.incident(self.graph.vertex(symbol.id), "in", kinds, LIKELY):
            yield self.graph.symbol(self.graph.edges.source[each]), each

    def users(self, symbol: Symbol, *kinds: EdgeKind) -> int:
        """Return the number of symbols with a certain edge of some kinds into a symbol."""
        return len({user.id for user, _ in self.sources_of(symbol, kinds)})

    @cached_property
    def tests(self) -> Mapping[int, int]:
        """Vertex → vertex of the test, for each test and each function inside of one.

        In JavaScript and TypeScript, each function without a name in a test file is a test, as it is passed to ``it``.
        """
        found, in_tests = dict[int, int](), self.graph.catalog.roles.is_test_symbol
        for vertex, symbol in enumerate(self.graph.catalog.symbols):
            above = -1 if symbol.parent is None else found.get(self.graph.vertex(symbol.parent), -1)
            passed = symbol.kind == "lambda" and record_of(symbol.language).object_literals and in_tests(symbol)
            if passed or (above < 0 and self.graph.catalog.is_test(symbol)):
                found[vertex] = vertex
            elif above >= 0:
                found[vertex] = above
        return found


MOST_ROWS: Final = 100  # of a section that are considered
NAMED: Final = 5  # dependencies, tests or members that one row names
MOST_NAMES: Final = 12  # methods or fields of a type, variables of a module, members of a cycle that one row names
_ROW_CHARS: Final = 600


Detail: TypeAlias = tuple[str, ...]
"""A row of a section: its texts at each level of detail, shortest first."""


def row(*texts: str) -> Detail:
    """Return a row with different texts, shortest first. Each is one line of limited length."""
    return tuple(dict.fromkeys(cut(one_line(text), _ROW_CHARS) for text in texts))


def symbol_row(symbol: Symbol, said: str, *, name: str = "") -> Detail:
    brief = f"{symbol.path}:{symbol.line} {name or symbol.fqn}"
    return row(brief, f"{brief} — {said}") if said else row(brief)


def counted(numbers: Mapping[str, int], most: int = NAMED) -> str:
    """Return names with their numbers, largest first: ``a.py 3, b.py 1 and 2 more``."""
    order = sorted(numbers, key=lambda name: (-numbers[name], name))
    return shortened([f"{name} {numbers[name]:,}" for name in order], most)
