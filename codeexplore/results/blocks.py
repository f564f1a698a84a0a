"""Blocks: the parts of an answer, which every display shows in its own form.

An answer gives one sequence of blocks (`show.blocks_of`). `text.writer` writes it for a terminal, `markdown` as
Markdown, `html.writer` as HTML. A line of a block is one piece or a tuple of pieces: text, symbols, places and the
styled pieces below. Pieces may hold any text of the repository; each writer escapes or sanitizes it.

>>> from codeexplore.results.text.writer import written
>>> print(written([Heading("2 callers of app.run"), Items(Words("matched by name only:"), ("app.main", "app.test"))]))
2 callers of app.run
<BLANKLINE>
matched by name only:
  app.main
  app.test
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from codeexplore.types import Site, Symbol

if TYPE_CHECKING:
    from codeexplore.results.score_terms import Term
    from codeexplore.types import FusedHit, SearchResult

Style: TypeAlias = Literal["", "strong", "dim", "code", "warning", "best", "good", "bad", "kind"]


class Words(str):
    """Our own words without a name of the repository; Markdown shows them as they are, all other text as code."""

    __slots__ = ()


class Piece(NamedTuple):
    """Text in a style.

    Text in the style "code" is one line of source: a terminal cuts it and never wraps it. HTML leaves out the "kind" of
    a symbol, which its names carry.
    """

    text: str
    style: Style = ""


class Tint(NamedTuple):
    """Text with the colour of a lane, a signal, a kind of edge or a depth (`family`); `key` chooses the colour."""

    family: Literal["lane", "signal", "edge", "depth"]
    key: str
    text: str


class Name(NamedTuple):
    """The name of a hit: a symbol's, or a file's. HTML shows `short` with the whole name under the pointer."""

    text: str
    kind: str
    short: str


class Place(NamedTuple):
    """Lines of a file, 1-based; `end` is the last one."""

    path: str
    line: int
    end: int | None = None


class Meter(NamedTuple):
    """A number from 0 to 1 as a bar, in HTML alone: the number stands beside it."""

    value: float


class Bar(NamedTuple):
    """The summands of a score as lengths; `longest` is the sum that fills the width."""

    terms: tuple[Term, ...]
    longest: float


class Fold(NamedTuple):
    """Content that unfolds where a display can; `aside` content is shown only there, elsewhere its title alone.

    It is a block, or the piece of a line.
    """

    title: Line
    blocks: tuple[Block, ...]
    opened: bool = False
    aside: bool = False


Inline: TypeAlias = "str | Symbol | Site | Piece | Tint | Name | Place | Meter | Bar | Fold"
Line: TypeAlias = "Inline | tuple[Inline, ...]"


class Heading(NamedTuple):
    """The answer in one line."""

    line: Line


class Text(NamedTuple):
    """A sentence or two. `apart` sets it apart from the block before it; a "notice" is a plain line in a terminal."""

    line: Line
    style: Literal["", "dim", "notice", "warning"] = ""
    apart: bool = False


class Items(NamedTuple):
    """A list below a title. `brief` items are shown in a terminal; `attribute` of the answer has all of them."""

    title: Line
    items: Sequence[Line]
    attribute: str = ""
    brief: int = 12
    opened: bool = False
    apart: bool = True


class Steps(NamedTuple):
    """A path: each line is a symbol with its place and the edge that leads to it."""

    number: int
    symbols: tuple[Symbol, ...]
    arrows: tuple[str, ...]  # one fewer than symbols: → or ←
    edges: tuple[Tint, ...]


class Source(NamedTuple):
    """Numbered lines of a file. With `spans`, columns to highlight in each line; else words of `sought`."""

    lines: Sequence[tuple[int, str]]
    language: str
    brief: int = 400  # lines that a terminal shows
    path: str = ""  # a terminal writes it before each line
    spans: Sequence[Sequence[tuple[int, int]]] = ()
    limit: int = 24  # lines that HTML shows before it folds the rest


class Plain(NamedTuple):
    """Lines in columns that are already aligned."""

    lines: Sequence[str]


class Quote(NamedTuple):
    """Documentation with its lines, of lesser weight."""

    text: str


class Hit(NamedTuple):
    """Role, score and source of a ranked hit, below its row.

    `summands` returns the parts of the score and of each lane's own score as blocks. It asks the lanes again, so only
    displays that show these parts call it.
    """

    fused: FusedHit
    result: SearchResult
    place: Place
    source: Source
    summands: Callable[[], list[Block]]
    longest: float  # the sum that fills the width of a bar
    role: str = ""
    short_role: str = ""  # the same in few words


class Drawing(NamedTuple):
    """The drawing of a graph, in HTML alone."""

    answer: Any  # a GraphAnswer


class Copy(NamedTuple):
    """A button that copies a text, in HTML alone. `what` names the text to a person."""

    what: str
    text: str


class Legend(NamedTuple):
    """The meaning of colours, and the formula of a score, in HTML alone."""

    lines: tuple[Line, ...]


class Column(NamedTuple):
    """A column that only some displays show: "html", or "text" for terminals and Markdown."""

    name: str
    only: Literal["html", "text"]
    lane: str = ""  # whose colour underlines the heading
    title: str = ""  # under the pointer

    def __str__(self) -> str:
        return self.name


class Row(NamedTuple):
    """A cell for each column, and below the row lines of lesser weight, then blocks."""

    cells: tuple[Line, ...]
    below: tuple[Line, ...] = ()
    blocks: tuple[Block, ...] = ()


Layout: TypeAlias = Literal["listed", "grouped", "spaced", "facts"]


class Table(NamedTuple):
    """Rows of cells.

    `layout` is for terminals: "listed" below headings; "grouped" by the first column; "spaced" by blank lines; "facts"
    with labels before text that wraps.
    """

    caption: str
    columns: tuple[str | Column, ...]
    rows: Sequence[Row]
    layout: Layout = "listed"
    beside: str = ""  # heading of the lines below rows where they fit beside them
    dim: str = ""  # the confidence of an answer whose rows are of lesser weight
    brief: int = 50  # rows that a terminal shows

    def shown(self, display: Literal["html", "text"]) -> list[int]:
        """Return the positions of the columns that a display shows."""
        return [n for n, column in enumerate(self.columns) if isinstance(column, str) or column.only == display]


Block: TypeAlias = (
    "Heading | Text | Items | Steps | Source | Plain | Quote | Hit | Drawing | Copy | Legend | Table | Fold"
)


def pieces(line: Line) -> tuple[Inline, ...]:
    """Return the pieces of a line."""
    return line if type(line) is tuple else (line,)  # type: ignore[return-value]  # named tuples are pieces


def notes(said: Sequence[str]) -> list[Block]:
    """Return an answer's notices as lines of lesser weight."""
    return [Text(note, "dim", apart=not number) for number, note in enumerate(said)]


def where(symbol: Symbol) -> Site | Piece:
    """Return a symbol's place, or a note that it is outside the repository."""
    return Site(symbol.path, symbol.line) if symbol.path else Piece("outside", "dim")
