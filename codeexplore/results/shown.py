"""Base class of every answer. It makes the text and the Markdown of an answer from its blocks."""

from __future__ import annotations

from codeexplore.results.blocks import Block
from codeexplore.results.markdown import markdown
from codeexplore.results.text.writer import written


class Shown:
    """An answer that has blocks. Its text and its Markdown are made from them."""

    __slots__ = ()

    def blocks(self) -> list[Block]:
        """Return the parts of the answer, for every display."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Return the answer as Markdown."""
        return markdown(self.blocks())

    def __repr__(self) -> str:
        return written(self.blocks())
