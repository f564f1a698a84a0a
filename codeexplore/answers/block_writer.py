"""Base class of the writers for terminals, Markdown and HTML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar, assert_never

from codeexplore.answers.blocks import (
    Block,
    Copy,
    Drawing,
    Fold,
    Heading,
    Hit,
    Items,
    Legend,
    Own,
    Plain,
    Quote,
    Source,
    Steps,
    Table,
    Text,
)

Output = TypeVar("Output")
"""The form of a written block, such as a list of lines."""


class BlockWriter(ABC, Generic[Output]):
    """Writer with one method for each kind of block.

    A type checker reports a kind of block without a case here, and a writer without a method for it.
    """

    def write(self, block: Block) -> Output:  # noqa: C901 - one case for each kind
        match block:
            case Heading():
                return self._heading(block)
            case Text():
                return self._text(block)
            case Items():
                return self._items(block)
            case Steps():
                return self._steps(block)
            case Source():
                return self._source(block)
            case Plain():
                return self._plain(block)
            case Quote():
                return self._quote(block)
            case Hit():
                return self._hit(block)
            case Drawing() | Copy() | Legend():
                return self._picture(block)
            case Table():
                return self._table(block)
            case Fold():
                return self._fold(block)
            case Own():
                return self._own(block)
            case _:
                assert_never(block)

    @abstractmethod
    def _heading(self, block: Heading) -> Output: ...

    @abstractmethod
    def _text(self, block: Text) -> Output: ...

    @abstractmethod
    def _items(self, block: Items) -> Output: ...

    @abstractmethod
    def _steps(self, block: Steps) -> Output: ...

    @abstractmethod
    def _source(self, block: Source) -> Output: ...

    @abstractmethod
    def _plain(self, block: Plain) -> Output: ...

    @abstractmethod
    def _quote(self, block: Quote) -> Output: ...

    @abstractmethod
    def _hit(self, block: Hit) -> Output: ...

    @abstractmethod
    def _picture(self, block: Drawing | Copy | Legend) -> Output: ...

    @abstractmethod
    def _table(self, block: Table) -> Output: ...

    @abstractmethod
    def _fold(self, block: Fold) -> Output: ...

    @abstractmethod
    def _own(self, block: Own) -> Output: ...
