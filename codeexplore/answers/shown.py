"""Base classes of answers: `Shown` has text and Markdown, `ShownRows` is also a sequence, `Listing` also a table.

A listing whose items are edges is a graph, too, by `exports.Exports`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar, overload

from codeexplore.answers.blocks import Block, Heading, Row, Table, notes
from codeexplore.answers.data import Frame, PlainData, frame
from codeexplore.answers.markdown import markdown
from codeexplore.answers.terminal import written
from codeexplore.types import SCHEMA_VERSION, Site, Symbol
from codeexplore.types.displayed import Displayed

T = TypeVar("T")


class Shown(Displayed, ABC):
    """An answer that has blocks. Its displays are made from them."""

    __slots__ = ()

    @abstractmethod
    def blocks(self) -> list[Block]:
        """Return the parts of the answer, for every display."""

    def to_markdown(self) -> str:
        """Return the answer as Markdown."""
        return markdown(self.blocks())

    def __repr__(self) -> str:
        return written(self.blocks())


class Blocks(Shown):
    """An answer that is its blocks, for a call without data of its own."""

    __slots__ = ("_blocks",)

    def __init__(self, *blocks: Block) -> None:
        self._blocks = blocks

    def blocks(self) -> list[Block]:
        return list(self._blocks)

    def to_dict(self) -> dict[str, object]:
        return {"schema": SCHEMA_VERSION, "kind": "blocks", "text": repr(self)}


class ShownRows(Shown, PlainData, Sequence[T]):
    """An answer that is a sequence of its records."""

    __slots__ = ()
    _records_in: ClassVar[str] = "items"  # the attribute that has the records

    items: tuple[T, ...]

    @property
    def _records(self) -> Sequence[T]:
        found: Sequence[T] = getattr(self, self._records_in)
        return found

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._records[index])
        try:
            return self._records[index]
        except IndexError:
            count, what = len(self), self._records_in.removesuffix("s")
            counted = f"{count} {what}{'' if count == 1 else 's'}"
            hint = f"; the last is [{count - 1}]. A larger top_k may give more" if count else ""
            raise IndexError(f"there is no {what} [{index}]: the answer has {counted}{hint}") from None

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[T]:
        return iter(self._records)


class Listing(ShownRows[T]):
    """A sequence of records with a headline.

    Subclasses are frozen records with a field `items`. Those about a graph whose edges may be updated have a field
    `pending`, too: a notice that is shown meanwhile.
    """

    __slots__ = ()

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

    def record(self, item: T) -> dict[str, object]:
        """Return one item as plain data: by default, the fields of a named tuple."""
        fields: dict[str, object] = item._asdict()  # type: ignore[attr-defined]
        return fields

    def rows(self) -> list[Row]:
        """Return every item as a row of cells."""
        return [self.row(item, number) for number, item in enumerate(self.items, start=1)]

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        kind = type(self).__name__.removesuffix("Answer").lower()
        items = [self.record(item) for item in self.items]
        answer = {"headline": self.headline, "items": items, "notes": list(self.notes)}
        return {"schema": SCHEMA_VERSION, "kind": kind, **answer}

    def to_frame(self) -> Frame:
        """Return one row for each item, with the fields of its record. Raises ImportError without pandas."""
        records = [self.record(item) for item in self.items]
        return frame(tuple(records[0]) if records else self.columns, records)

    def blocks(self) -> list[Block]:
        """Return the headline, a table of the items, and the notes."""
        return [Heading(self.headline), Table("", self.columns, self.rows()), *notes(self.notes)]


def place_of(symbol: Symbol) -> Site:
    return Site(symbol.path, symbol.line)
