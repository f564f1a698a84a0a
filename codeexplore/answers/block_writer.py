"""Base class of the writers for terminals, Markdown and HTML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar, assert_never

from codeexplore.answers import blocks as b

Output = TypeVar("Output")
"""The form of a written block, such as a list of lines."""


class BlockWriter(ABC, Generic[Output]):
    """Writer with one method for each kind of block.

    A type checker reports a kind of block without a case here, and a writer without a method for it.
    """

    def write(self, block: b.Block) -> Output:  # noqa: C901 - one case for each kind
        match block:
            case b.Heading():
                return self._heading(block)
            case b.Text():
                return self._text(block)
            case b.Items():
                return self._items(block)
            case b.Steps():
                return self._steps(block)
            case b.Source():
                return self._source(block)
            case b.Plain():
                return self._plain(block)
            case b.Quote():
                return self._quote(block)
            case b.Hit():
                return self._hit(block)
            case b.Drawing() | b.Copy() | b.Legend():
                return self._picture(block)
            case b.Table():
                return self._table(block)
            case b.Fold():
                return self._fold(block)
            case b.Own():
                return self._own(block)
            case _:
                assert_never(block)

    @abstractmethod
    def _heading(self, block: b.Heading) -> Output: ...

    @abstractmethod
    def _text(self, block: b.Text) -> Output: ...

    @abstractmethod
    def _items(self, block: b.Items) -> Output: ...

    @abstractmethod
    def _steps(self, block: b.Steps) -> Output: ...

    @abstractmethod
    def _source(self, block: b.Source) -> Output: ...

    @abstractmethod
    def _plain(self, block: b.Plain) -> Output: ...

    @abstractmethod
    def _quote(self, block: b.Quote) -> Output: ...

    @abstractmethod
    def _hit(self, block: b.Hit) -> Output: ...

    @abstractmethod
    def _picture(self, block: b.Drawing | b.Copy | b.Legend) -> Output: ...

    @abstractmethod
    def _table(self, block: b.Table) -> Output: ...

    @abstractmethod
    def _fold(self, block: b.Fold) -> Output: ...

    @abstractmethod
    def _own(self, block: b.Own) -> Output: ...
