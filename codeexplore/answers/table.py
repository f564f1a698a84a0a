"""Listings: the common form of answers about the whole graph, with rows of cells and records of plain data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from codeexplore.answers.blocks import Block, Heading, Row, Table, notes
from codeexplore.answers.exports import Exports
from codeexplore.answers.shown import ShownRows
from codeexplore.types import SCHEMA_VERSION, Site, Symbol

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")


class Listing(ShownRows[T], Exports):
    """A sequence of records with a headline.

    Subclasses are frozen records with a field `items`. Those about a graph whose edges may be updated have a field
    `pending`, too: a notice that is shown meanwhile.
    """

    __slots__ = ()

    items: tuple[T, ...]
    pending: str = ""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The answer in one line."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The headings of the columns in `rows`."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notices about the answer, as sentences."""
        return (self.pending,) if self.pending else ()

    @abstractmethod
    def row(self, item: T, number: int) -> Row:
        """Return one item as a row of cells. `number` is its position, from 1."""

    @abstractmethod
    def record(self, item: T) -> dict[str, object]:
        """Return one item as plain data."""

    def rows(self) -> list[Row]:
        """Return every item as a row of cells."""
        return [self.row(item, number) for number, item in enumerate(self.items, start=1)]

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        kind = type(self).__name__.removesuffix("Answer").lower()
        items = [self.record(item) for item in self.items]
        answer = {"headline": self.headline, "items": items, "notes": list(self.notes)}
        return {"schema": SCHEMA_VERSION, "kind": kind, **answer}

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each item, with the fields of its record. Raises ImportError without pandas."""
        from codeexplore.answers.frames import frame

        records = [self.record(item) for item in self.items]
        return frame(tuple(records[0]) if records else self.columns, records)

    def blocks(self) -> list[Block]:
        """Return the headline, a table of the items, and the notes."""
        return [Heading(self.headline), Table("", self.columns, self.rows()), *notes(self.notes)]

    @property
    def _records(self) -> Sequence[T]:
        return self.items


def place_of(symbol: Symbol) -> Site:
    """Return the place of a symbol's name."""
    return Site(symbol.path, symbol.line)


AnyListing: TypeAlias = "Listing[Any]"
