"""Blocks: the parts of an answer, such as headings, tables and source. Every display shows them in its own form.

An answer returns a list of blocks (`show.blocks_of`). `terminal` writes it for a terminal, `markdown` as Markdown,
`html.writer` as HTML. A line of a block is one piece or a tuple of pieces: text, symbols, places and the styled pieces
below. Pieces may contain any text of the repository; each writer escapes or sanitizes it.

>>> from codeexplore.answers.terminal import written
>>> print(written([Heading("2 callers of app.run"), Items(Words("matched by name only:"), ("app.main", "app.test"))]))
2 callers of app.run
<BLANKLINE>
matched by name only:
  app.main
  app.test
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from codeexplore.types import Site, Symbol

if TYPE_CHECKING:
    from codeexplore.answers.score_terms import Term
    from codeexplore.types import FusedHit, SearchResult

Style: TypeAlias = Literal["", "strong", "dim", "code", "warning", "best", "good", "bad", "kind"]


class Words(str):
    """Our own words without a name of the repository. Markdown shows them as they are, and all other text as code."""

    __slots__ = ()


class Piece(NamedTuple):
    """Text in a style.

    Text in the style "code" is one line of source; a terminal shortens it and never wraps it. Text in the style "kind"
    is the kind of a symbol. HTML leaves it out, because it shows the kind with the name.
    """

    text: str
    style: Style = ""


class Tint(NamedTuple):
    """Text with the colour of a lane, a signal, a kind of edge or a depth (`family`). `key` selects the colour."""

    family: Literal["lane", "signal", "edge", "depth"]
    key: str
    text: str
    whole: str = ""  # what `text` shortens


class Name(NamedTuple):
    """The name of a hit: a symbol's name or a file's path. HTML shows `short`, with the full name as a tooltip."""

    text: str
    kind: str
    short: str


class Place(NamedTuple):
    """A range of lines in a file, 1-based; `end` is its last line."""

    path: str
    line: int
    end: int | None = None


class Meter(NamedTuple):
    """A number from 0 to 1 as a bar. Only HTML shows it; the number itself is written beside it."""

    value: float


class Bar(NamedTuple):
    """The summands of a score as a bar. `longest` is the sum that fills the whole width."""

    terms: tuple[Term, ...]
    longest: float
    wide: bool = False


class Fold(NamedTuple):
    """Content that a display may fold, so that only its title is visible at first.

    Displays that cannot fold show all the content, or only the title if it is `aside`. A fold is a block or a piece of
    a line.
    """

    title: Line
    blocks: tuple[Block, ...]
    opened: bool = False
    aside: bool = False


Inline: TypeAlias = "str | Symbol | Site | Piece | Tint | Name | Place | Meter | Bar | Fold"
Line: TypeAlias = "Inline | tuple[Inline, ...]"


class Heading(NamedTuple):
    """A line that sums up the answer."""

    line: Line


class Text(NamedTuple):
    """One or two sentences.

    If `apart` is True, space separates them from the block before. A "notice" is an ordinary statement, and a
    "warning" something that went wrong: only warnings have a sign and a colour.
    """

    line: Line
    style: Literal["", "dim", "notice", "warning"] = ""
    apart: bool = False


class Items(NamedTuple):
    """A list with a title.

    A terminal shows at most `brief` items, and names the `attribute` of the answer that has all.
    `boxes` puts a box to tick before each item.
    """

    title: Line
    items: Sequence[Line]
    attribute: str = ""
    brief: int = 12
    opened: bool = False
    apart: bool = True
    boxes: bool = False


class Steps(NamedTuple):
    """A path in the graph. Each line is a symbol with its place and the edge that leads to it."""

    number: int
    symbols: tuple[Symbol, ...]
    arrows: tuple[str, ...]  # one fewer than symbols: → or ←
    edges: tuple[Tint, ...]


class Source(NamedTuple):
    """Numbered lines of a file.

    `spans` are columns to highlight in each line; without them, words of `sought` are highlighted.
    """

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
    """Documentation, line by line, in a weaker style."""

    text: str


class Hit(NamedTuple):
    """Role, score and source of a ranked hit, shown below its row in a table.

    `summands` returns the parts of the score, and of each lane's own score, as blocks. It asks the lanes again, so only
    displays that show these parts call it. With none, the score is not shown.
    """

    fused: FusedHit
    result: SearchResult
    place: Place
    source: Source
    summands: Callable[[], list[Block]]
    longest: float  # the sum that fills the width of a bar
    role: str = ""
    short_role: str = ""  # the same in few words
    sentence: str = ""  # HTML shows it below the name
    signature: str = ""
    doc: str = ""  # the first sentence


class Drawing(NamedTuple):
    """The drawing of a graph. Only HTML shows it."""

    answer: Any  # a GraphAnswer


class Copy(NamedTuple):
    """A button that copies a text, in HTML alone. `what` names the text to a person."""

    what: str
    text: str


class Legend(NamedTuple):
    """The meaning of the colours, and the formula of a score. Only HTML shows it."""

    lines: tuple[Line, ...]


class Column(NamedTuple):
    """A column that only some displays show: "html" for HTML, "text" for terminals and Markdown."""

    name: str
    only: Literal["html", "text"]
    lane: str = ""  # whose colour underlines the heading
    title: str = ""  # under the pointer

    def __str__(self) -> str:
        return self.name


class Row(NamedTuple):
    """A row of a table: a cell for each column, then lines in a weaker style and blocks below the cells."""

    cells: tuple[Line, ...]
    below: tuple[Line, ...] = ()
    blocks: tuple[Block, ...] = ()


class Own(ABC):
    """A block of a feature. It has its own form for each display; [] or "" leaves it out.

    Each form gets the writer of its display: that of `terminal`, `markdown` or `html.writer`.
    """

    __slots__ = ()

    def as_text(self, writer: Any) -> list[str]:  # noqa: ARG002 - for those that have lines
        """Return the lines for a terminal; none by default."""
        return []

    def as_markdown(self, writer: Any) -> list[str]:  # noqa: ARG002 - for those that have paragraphs
        """Return the paragraphs of Markdown; none by default."""
        return []

    @abstractmethod
    def as_html(self, writer: Any) -> str:
        """Return the markup, which is `Html`; other text is escaped."""


Layout: TypeAlias = Literal["listed", "grouped", "spaced", "facts"]


class Table(NamedTuple):
    """Rows of cells.

    `layout` is for terminals: "listed" puts rows below headings, "grouped" groups them by the first column, "spaced"
    separates them by blank lines, and "facts" writes labels before text that wraps.
    """

    caption: str
    columns: tuple[str | Column, ...]
    rows: Sequence[Row]
    layout: Layout = "listed"
    beside: str = ""  # heading of the lines below rows where they fit beside them
    dim: str = ""  # the confidence of an answer whose rows are of lesser weight
    brief: int = 50  # rows that a terminal shows

    def shown(self, display: Literal["html", "text"]) -> list[int]:
        """Return the positions of the columns that `display` shows."""
        return [n for n, column in enumerate(self.columns) if isinstance(column, str) or column.only == display]


Block: TypeAlias = (
    Heading | Text | Items | Steps | Source | Plain | Quote | Hit | Drawing | Copy | Legend | Table | Fold | Own
)


Output = TypeVar("Output")
"""The form of a written block, such as a list of lines."""


class BlockWriter(Generic[Output]):
    """Writer with a method for each kind of block: ``_table`` writes a `Table`."""

    def write(self, block: Block) -> Output:
        kind = Own if isinstance(block, Own) else type(block)
        written: Output = getattr(self, f"_{kind.__name__.lower()}")(block)
        return written


def pieces(line: Line) -> tuple[Inline, ...]:
    return line if type(line) is tuple else (line,)  # type: ignore[return-value]  # named tuples are pieces


def notes(said: Sequence[str]) -> list[Block]:
    """Return an answer's notices as blocks: lines in a weaker style."""
    return [Text(note, "dim", apart=not number) for number, note in enumerate(said)]


def where(symbol: Symbol) -> Site | Piece:
    """Return the place of `symbol`, or a note that it is outside the repository."""
    return Site(symbol.path, symbol.line) if symbol.path else Piece("outside", "dim")
