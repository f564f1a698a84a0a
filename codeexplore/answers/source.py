"""Source text of a symbol or a file, with its place."""

from __future__ import annotations

from dataclasses import dataclass

from codeexplore.answers.blocks import Block, Line, Piece, Place, Source, Text
from codeexplore.answers.shown import Shown
from codeexplore.types import SCHEMA_VERSION, Symbol
from codeexplore.types.displayed import Displayed

_MOST_LINES = 400  # in sight


@dataclass(frozen=True, slots=True, repr=False)
class SourceView(Shown):
    """Lines of one file. ``str()`` returns the text alone."""

    path: str  # relative to the root, POSIX
    start_line: int  # 1-based, of the first line of `text`
    text: str
    language: str  # a Language.name
    symbol: Symbol | None = None  # defined by the lines; None for a whole file

    @property
    def end_line(self) -> int:
        """The last line, 1-based and inclusive."""
        return self.start_line + self.text.rstrip("\n").count("\n")

    def numbered_lines(self) -> tuple[tuple[int, str], ...]:
        return tuple(enumerate(self.text.rstrip("\n").split("\n"), self.start_line))

    def to_dict(self) -> dict[str, object]:
        return {
            "schema": SCHEMA_VERSION,
            "kind": "source",
            "symbol": None if self.symbol is None else self.symbol.id,
            "path": self.path,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "language": self.language,
            "text": self.text,
        }

    def __str__(self) -> str:
        return self.text

    def blocks(self) -> list[Block]:
        begin = self.start_line if self.symbol is None else self.symbol.line
        place = Place(self.path, begin, self.end_line)
        head: Line = (
            Piece(self.path, "strong")
            if self.symbol is None
            else (self.symbol, Piece(f"  {self.symbol.kind}  ", "kind"), place)
        )
        return [Text(head), Source(self.numbered_lines(), self.language, limit=_MOST_LINES)]


class SourceText(Displayed, str):
    """A source text. It is a `str`; notebooks show it as code, and `view` has its place."""

    __slots__ = ("view",)
    view: SourceView

    @classmethod
    def of(cls, view: SourceView) -> SourceText:
        text = cls(view.text)
        text.view = view
        return text
