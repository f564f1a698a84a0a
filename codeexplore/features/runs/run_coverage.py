"""The coverage of a run: the share of its static callees that each function called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers.blocks import Row
from codeexplore.answers.data import symbol_dict
from codeexplore.answers.network import Network, vertex_of
from codeexplore.answers.shown import Listing, place_of
from codeexplore.answers.wording import plural
from codeexplore.text.enumeration import shortened

if TYPE_CHECKING:
    from codeexplore.features.runs.comparison import ComparedEdge
    from codeexplore.index.catalog import Catalog

_MOST_NAMED = 5


class FunctionCoverage(NamedTuple):
    """A function that ran: the ids of its static callees, those that it called and those that it did not."""

    source: str
    called: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def share(self) -> float:
        """Share of the static callees that were called."""
        return len(self.called) / (len(self.called) + len(self.missed))


@dataclass(frozen=True, slots=True, repr=False)
class CoverageAnswer(Listing[FunctionCoverage]):
    """For each function that ran, the share of its static callees that it called. The lowest share comes first."""

    items: tuple[FunctionCoverage, ...]
    catalog: Catalog = field(repr=False, compare=False)

    @classmethod
    def of(cls, edges: Iterable[ComparedEdge], catalog: Catalog) -> CoverageAnswer:
        """Return the coverage of the compared calls of a run."""
        reached: dict[str, list[ComparedEdge]] = defaultdict(list)
        for edge in edges:
            if edge.status in ("observed", "caller ran"):
                reached[edge.source].append(edge)
        items = (
            FunctionCoverage(source, tuple(e.target for e in some if e.status == "observed"),
                    tuple(e.target for e in some if e.status == "caller ran"))
            for source, some in reached.items()
        )  # fmt: skip
        return cls(tuple(sorted(items, key=lambda item: (item.share, -len(item.missed), item.source))), catalog)

    @property
    def share(self) -> float:
        """Share of the static calls of all functions that ran; 0 if there are none."""
        called = sum(len(item.called) for item in self.items)
        total = called + sum(len(item.missed) for item in self.items)
        return called / total if total else 0.0

    @property
    def headline(self) -> str:
        """The share of all static calls that ran."""
        return f"{self.share:.0%} of the static calls of {plural(len(self.items), 'function')} that ran were observed"

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings of the columns."""
        return "called", "function", "where"

    def row(self, item: FunctionCoverage, number: int) -> Row:  # noqa: ARG002 - the rows are ordered, not numbered
        """Return a function as a row, with the callees that it did not call below."""
        symbol = self.catalog.symbol(item.source)
        missed = [self.catalog.symbol(each).name for each in item.missed]
        below = (f"did not call {shortened(missed, _MOST_NAMED)}",) if missed else ()
        return Row((f"{len(item.called)} of {len(item.called) + len(item.missed)}", symbol, place_of(symbol)), below)

    def record(self, item: FunctionCoverage) -> dict[str, object]:
        """Return a function as plain data."""
        symbol = symbol_dict(self.catalog.symbol(item.source))
        return {**symbol, "share": item.share, "called": list(item.called), "missed": list(item.missed)}

    def network(self) -> Network:
        """Return the functions as vertices."""
        vertices = (vertex_of(self.catalog.symbol(item.source)) for item in self.items)
        return Network(self.headline, tuple(vertices), ())
