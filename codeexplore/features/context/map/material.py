"""Material of the map: the graph, the evidence of use and the files, with the lookups that several sections share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import first_sentence
from codeexplore.features.context.map.roles import FileRole, FileRoles
from codeexplore.features.context.tours.evidence import TourEvidence
from codeexplore.features.context.tours.planner import TourPlanner
from codeexplore.graph.importance import importance_of
from codeexplore.graph.traversal import members
from codeexplore.languages.file_roles import is_test_symbol, own_files
from codeexplore.languages.registry import record_of
from codeexplore.languages.text import DOCUMENTS
from codeexplore.types import CALLABLE_KINDS, TEXT_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.types import EdgeKind, SourceFile, Symbol

CERTAIN: Final = 0.8  # as for `Workspace.cycles`: less certain edges lead through wrappers and to overrides
PRODUCT: Final[tuple[FileRole, ...]] = ("library", "command")


class Material:
    """The graph, the files and the measures from which the sections of the map are made.

    Parameters
    ----------
    graph
        Symbols and edges.
    evidence
        Evidence of use besides edges, for entry points and the public interface.
    sources
        The files by path.
    """

    def __init__(self, graph: CodeGraph, evidence: UsageEvidenceTable, sources: Mapping[str, SourceFile]) -> None:
        self.graph, self.evidence, self.sources = graph, evidence, sources

    @cached_property
    def code_files(self) -> frozenset[str]:
        """The paths of all files that define or document something in a programming language, tests included."""
        return frozenset(
            symbol.path
            for symbol in self.graph.catalog.symbols
            if symbol.kind not in TEXT_KINDS and (symbol.kind != "module" or symbol.doc)
            and self.sources[symbol.path].language not in DOCUMENTS
        )  # fmt: skip

    @cached_property
    def files(self) -> frozenset[str]:
        """The paths of the source files: those of the modules of the map."""
        return own_files(self.code_files, "source", "compat")

    @cached_property
    def roles(self) -> Mapping[str, FileRole]:
        """The role of each code file by path."""
        return FileRoles(self.graph, self.evidence, self.sources, self.files).of(self.code_files)

    @cached_property
    def product(self) -> frozenset[str]:
        """The source files of libraries and commands. They are all source files if there are no such files."""
        return frozenset(path for path in self.files if self.roles[path] in PRODUCT) or self.files

    @cached_property
    def tour(self) -> TourEvidence:
        """The symbols that documents, tests and examples show."""
        return TourEvidence(self.graph, self.evidence, self.sources, self.product)

    @cached_property
    def _planner(self) -> TourPlanner:
        return TourPlanner(self.graph, self.tour)

    def said(self, symbol: Symbol) -> str:
        """Return the first sentence of a symbol's documentation, else its edges in words; "" if it has neither."""
        return first_sentence(symbol.doc) or self._planner.edges_in_words(symbol)

    # ----------------------------------------------------------------- symbols

    def is_top(self, symbol: Symbol) -> bool:
        """Return True for a definition that is in no other definition."""
        return symbol.parent is not None and self.graph.catalog.symbol(symbol.parent).kind == "module"

    def by_importance(self, symbol: Symbol) -> tuple[float, str]:
        """Return a key that sorts symbols by PageRank, highest first."""
        return -importance_of(self.graph)[self.graph.vertex(symbol.id)], symbol.id

    @cached_property
    def product_types(self) -> Sequence[Symbol]:
        """The outermost types of the product."""
        return [
            s for s in self.graph.catalog.symbols if s.kind in TYPE_KINDS and s.path in self.product and self.is_top(s)
        ]

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
        """Return what is defined directly inside a symbol, in the order of the source."""
        return [self.graph.symbol(vertex) for vertex in members(self.graph, self.graph.vertex(symbol.id))]

    @cached_property
    def members_by_path(self) -> Mapping[str, list[Symbol]]:
        """The symbols of each source file, sections of texts left out."""
        found: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in self.graph.catalog.symbols:
            if symbol.kind != "section" and symbol.path in self.files:
                found[symbol.path].append(symbol)
        return found

    # ----------------------------------------------------------------- uses

    def sources_of(self, symbol: Symbol, kinds: Sequence[EdgeKind]) -> Iterator[tuple[Symbol, int]]:
        """Yield (symbol, row) for each certain edge of some kinds into a symbol."""
        for each in self.graph.incident(self.graph.vertex(symbol.id), "in", kinds, CERTAIN):
            yield self.graph.symbol(self.graph.edges.source[each]), each

    @cached_property
    def tests(self) -> Mapping[int, int]:
        """Vertex → vertex of the test, for each test and each function inside of one.

        In JavaScript and TypeScript, each function without a name in a test file is a test, as it is passed to ``it``.
        """
        found: dict[int, int] = {}
        for vertex, symbol in enumerate(self.graph.catalog.symbols):
            above = -1 if symbol.parent is None else found.get(self.graph.vertex(symbol.parent), -1)
            passed = symbol.kind == "lambda" and record_of(symbol.language).object_literals and is_test_symbol(symbol)
            if passed or (above < 0 and self.evidence.is_test(symbol)):
                found[vertex] = vertex
            elif above >= 0:
                found[vertex] = above
        return found
