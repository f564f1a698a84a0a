"""Views of entry points and of dead code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.graph.records import DeadCandidate, DeadKind, Entry, EntryKind
from codeexplore.types import Symbol
from codeexplore.views.dicts import symbol_dict
from codeexplore.views.listing import Listing, Row, place_of
from codeexplore.views.network import Network, vertex_of
from codeexplore.views.text import plural

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog

# in "12 with no sign of use"
_SAID: dict[DeadKind, str] = {
    "unused": "with no sign of use",
    "dynamic": "that dynamic code may reach",
    "registered": "that a decorator may register",
    "exported": "that code outside this repository may use",
    "mentioned": "whose name is used somewhere",
}


@dataclass(frozen=True, slots=True, repr=False)
class DeadCodeAnswer(Listing[DeadCandidate]):
    """Candidates for dead code, each with its reasons; only those of the kind ``unused`` have no sign of use at all."""

    items: tuple[DeadCandidate, ...]
    catalog: Catalog = field(repr=False, compare=False)
    pending: str = ""

    @property
    def headline(self) -> str:
        """``3 symbols without a known use: 1 with no sign of use, 2 that code outside this repository may use``."""
        counted = Counter(item.kind for item in self.items)
        parts = [f"{counted[kind]} {said}" for kind, said in _SAID.items() if counted[kind]]
        noun = plural(len(self.items), "symbol")
        return f"{noun} without a known use: {', '.join(parts)}" if parts else "No unused symbol was found"

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings."""
        return "status", "symbol", "kind", "where", "lines"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The candidates' symbols, in order."""
        return tuple(self.catalog.symbol(item.symbol_id) for item in self.items)

    def only(self, *kinds: DeadKind) -> DeadCodeAnswer:
        """The candidates of some kinds: ``answer.only("unused")``."""
        return DeadCodeAnswer(tuple(item for item in self.items if item.kind in kinds), self.catalog, self.pending)

    def row(self, item: DeadCandidate, number: int) -> Row:  # noqa: ARG002 - they are grouped, not numbered
        """A candidate with its reasons below."""
        symbol = self.catalog.symbol(item.symbol_id)
        return Row((item.kind, symbol, symbol.kind, place_of(symbol), str(item.lines)), item.reasons)

    def record(self, item: DeadCandidate) -> dict[str, object]:
        """A candidate as plain data."""
        symbol = symbol_dict(self.catalog.symbol(item.symbol_id))
        return {**symbol, "status": item.kind, "lines": item.lines, "reasons": list(item.reasons)}

    def network(self) -> Network:
        """The candidates, grouped by status."""
        vertices = (vertex_of(self.catalog.symbol(item.symbol_id), group=item.kind) for item in self.items)
        return Network(self.headline, tuple(vertices), ())


@dataclass(frozen=True, slots=True, repr=False)
class EntryPointsAnswer(Listing[Entry]):
    """Where a program is entered, and what says so."""

    items: tuple[Entry, ...]
    catalog: Catalog = field(repr=False, compare=False)
    pending: str = ""

    @property
    def headline(self) -> str:
        """``4 entry points: main 1, module 3``."""
        counted = Counter(item.kind for item in self.items)
        said = ", ".join(f"{kind} {count}" for kind, count in counted.items())
        return f"{plural(len(self.items), 'entry point')}: {said}" if self.items else "No entry point was found"

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings."""
        return "entry", "symbol", "kind", "where"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols, in order."""
        return tuple(self.catalog.symbol(item.symbol_id) for item in self.items)

    def only(self, *kinds: EntryKind) -> EntryPointsAnswer:
        """The entries of some kinds: ``answer.only("script", "main")``."""
        return EntryPointsAnswer(tuple(item for item in self.items if item.kind in kinds), self.catalog, self.pending)

    def row(self, item: Entry, number: int) -> Row:  # noqa: ARG002 - they are grouped, not numbered
        """An entry point with its reason below."""
        symbol = self.catalog.symbol(item.symbol_id)
        return Row((item.kind, symbol, symbol.kind, place_of(symbol)), (item.reason,))

    def record(self, item: Entry) -> dict[str, object]:
        """An entry point as plain data."""
        return {**symbol_dict(self.catalog.symbol(item.symbol_id)), "entry": item.kind, "reason": item.reason}

    def network(self) -> Network:
        """The entry points, grouped by kind."""
        vertices = (vertex_of(self.catalog.symbol(item.symbol_id), group=item.kind) for item in self.items)
        return Network(self.headline, tuple(vertices), ())
