"""Records of the changes between two states of a repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from codeexplore.types import Edge, Skipped, Symbol

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.files import FileFactsStore, SourceTexts, StoredSources

ChangeKind: TypeAlias = Literal["added", "removed", "changed", "renamed", "moved"]
CHANGE_KINDS: tuple[ChangeKind, ...] = ("removed", "renamed", "moved", "changed", "added")

Aspect: TypeAlias = Literal[
    "signature", "types only", "body", "imports", "documentation", "attributes", "inherited members"
]
"""Parts of a symbol that differ. A constant's value is its body, and decorators belong to the signature. "types only"
are types that do nothing when the code runs: annotations in Python, stubs of ``@overload``. "attributes" and
"inherited members" are what a class offers: its own lines are the same, but not those of its methods or supertypes."""

Certainty: TypeAlias = Literal["certain", "likely", "possible", "by import"]
CERTAINTIES: tuple[Certainty, ...] = ("certain", "likely", "possible", "by import")
"""How a symbol is reached: the word for the least sure edge (`types.certainty`), "possible" also through the body of a
type; or its file only imports a changed file, directly or through others."""


@dataclass(frozen=True)
class Side:
    """One of the two states. `graph` is computed when it is first needed."""

    label: str  # for displays: "HEAD", "the working tree"
    sources: SourceTexts | StoredSources
    files: FileFactsStore
    catalog: Catalog
    contents: Mapping[str, str]  # path of each file → digest of its bytes
    make_graph: Callable[[], CodeGraph] = field(repr=False, compare=False)
    skipped: tuple[Skipped, ...] = ()  # files that were not analysed

    @cached_property
    def graph(self) -> CodeGraph:
        return self.make_graph()

    def source(self, symbol: Symbol) -> str:
        """Return the source of a symbol."""
        data = bytes(self.sources.data(symbol.path))
        return data[symbol.span.start_byte : symbol.span.end_byte].decode("utf-8", "replace")


class SymbolChange(NamedTuple):
    """A symbol that differs between the two states."""

    kind: ChangeKind
    old: Symbol | None  # None for an added symbol
    new: Symbol | None  # None for a removed one
    aspects: tuple[Aspect, ...] = ()  # what differs, for symbols that exist in both states
    evidence: str = ""  # why two symbols count as one that was renamed or moved
    similarity: float = 1.0  # of their code, 0 to 1, for those that were renamed or moved
    breaking: tuple[str, ...] = ()  # why code outside may break, one clause each
    inside: bool = False  # the symbol around it was added, removed, renamed or moved too, and counts for both

    @property
    def symbol(self) -> Symbol:
        """The symbol after the change, or the removed one."""
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def is_code(self) -> bool:
        """False if only documentation or imports differ, or if the symbol is a section of a text."""
        if self.symbol.kind == "section":
            return False
        parts = {"signature", "body", "types only"}
        return self.kind in ("added", "removed", "renamed", "moved") or not parts.isdisjoint(self.aspects)

    @property
    def runs_as_before(self) -> bool:
        """True if the types alone differ, which do nothing when the code runs."""
        return "types only" in self.aspects and {"signature", "body"}.isdisjoint(self.aspects)


class FileChange(NamedTuple):
    """A changed file that has no symbols to compare: data, binary files, submodules, unknown languages."""

    path: str
    kind: Literal["added", "removed", "changed", "moved"]
    note: str = ""


class Comparison(NamedTuple):
    """The two states, and what differs."""

    old: Side
    new: Side
    symbols: tuple[SymbolChange, ...]
    counterpart: Mapping[str, str]  # old id → new id of each symbol in changed and renamed files that still exists
    files: tuple[FileChange, ...]
    notes: tuple[str, ...]
    build_files: Mapping[str, str] = {}  # texts of package.json, pytest.ini … in the root, for the test runners
    reference: str = ""  # as given: "main...feature"; "" for a patch or a folder

    def labels(self) -> dict[str, str]:
        """Return the labels of both states as plain data for JSON."""
        return {"base": self.old.label, "target": self.new.label}


class ReachedSymbol(NamedTuple):
    """A symbol that a change may affect."""

    symbol: Symbol
    certainty: Certainty
    depth: int
    confidence: float  # the lowest on the way, 0 to 1; 1.0 for imports
    way: tuple[Symbol, ...]  # from the changed symbol to it
    edges: tuple[Edge, ...]  # between the symbols of the way
    before: bool = False  # the edges are from the graph before the change


class SelectedTest(NamedTuple):
    """A test to run. `id` is its name in the form that the test runner accepts."""

    id: str  # for the command line: "tests/test_a.py::TestA::test_b"
    path: str
    certainty: Certainty
    reason: str
    symbol: Symbol | None  # None for a whole file
    confidence: float = 1.0
    direct: bool = False  # at most one use on the way runs under a condition
