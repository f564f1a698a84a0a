"""Base classes of answers: `Shown` gives text and Markdown, `ShownRows` is also a sequence of records; `Blocks`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar, overload

from codeexplore.answers.blocks import Block
from codeexplore.answers.data import PlainData, at
from codeexplore.answers.markdown import markdown
from codeexplore.answers.terminal import written
from codeexplore.types import SCHEMA_VERSION

T = TypeVar("T")


class Shown(ABC):
    """An answer that has blocks. Its text and its Markdown are made from them."""

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
        """Return the blocks."""
        return list(self._blocks)

    def to_dict(self) -> dict[str, object]:
        """Return the text of the blocks as plain data."""
        return {"schema": SCHEMA_VERSION, "kind": "blocks", "text": repr(self)}


class ShownRows(Shown, PlainData, Sequence[T]):
    """An answer that is a sequence of its records."""

    __slots__ = ()
    _called: ClassVar[str] = "entry"  # a record, in the message for an index that is out of range

    @property
    @abstractmethod
    def _records(self) -> Sequence[T]: ...

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return at(self._records, index, self._called)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[T]:
        return iter(self._records)
