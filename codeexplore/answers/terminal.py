"""Writer of blocks as text for a terminal: aligned, wrapped at its width, and coloured if it has colours.

Wide characters count as two columns, colour codes as none. There are only a few colours, and none is the only sign of a
meaning.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TextIO, TypeAlias, assert_never

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, BlockWriter, Inline, Line, pieces, where
from codeexplore.answers.score_terms import sum_parts, terms
from codeexplore.answers.wording import around, cell_width, code_text, cut, flat, one_line
from codeexplore.index.qualified_names import shown_name
from codeexplore.types import LANES, Site, Symbol, lane_of
from codeexplore.types.visible import visible

REPR_WIDTH = 110
"""Columns of a plain repr, which does not know where it will be read."""

LEAST_WIDTH = 30
"""Columns below which lines are left to the terminal to break."""

Styled: TypeAlias = "list[tuple[str, str]]"
"""Text in parts, each with its style."""

_JOINT = re.compile(r"[.:#]+|(?=/)")
_UNBROKEN = re.compile(r"[^ \t\n]+")  # spaces that do not break are part of a word


def fit(text: str, width: int) -> str:
    """Return the text in at most `width` columns. In a longer text … replaces the middle: both ends identify it."""
    if cell_width(text) <= width:
        return text
    tail = (width - 1) // 2
    head = width - 1 - tail
    return _start(text, head) + "…" + _start(text[::-1], tail)[::-1]


def fit_end(text: str, width: int) -> str:
    """Return a name or path in at most `width` columns. … replaces the start of a longer one, by whole parts."""
    if cell_width(text) <= width:
        return text
    end = _start(text[::-1], width - 1)[::-1]
    joint = _JOINT.search(end)
    return "…" + (end[joint.end() :] if joint is not None and joint.end() <= len(end) // 2 else end)


def _start(text: str, width: int) -> str:
    used = 0
    for index, char in enumerate(text):
        used += cell_width(char)
        if used > width:
            return text[:index]
    return text


def widths(rows: Sequence[Sequence[str]], total: int, least: Mapping[int, int]) -> list[int]:
    """Return the width of each column, so that a row takes at most `total` terminal columns.

    There are two spaces between two columns. Only the columns in `least` are made narrower, the widest first, and
    none below its width in `least`. If a row still does not fit, the terminal wraps it.
    """
    found = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    excess = sum(found) + 2 * (len(found) - 1) - total
    while excess > 0:
        giving = [column for column in least if column < len(found) and found[column] > least[column]]
        if not giving:
            break
        largest = max(found[column] for column in giving)
        widest = [column for column in giving if found[column] == largest]
        others = [found[column] for column in giving if found[column] < largest]
        floor = max([*others, *(least[column] for column in widest)])
        step = max(1, min(largest - floor, excess // len(widest)))
        for column in widest[: excess // step]:
            found[column] -= step
            excess -= step
    return found


_MOST_COLUMNS = 150  # the eye loses longer lines

_CODES = {
    "strong": "1",
    "dim": "2",
    "bm25": "34",
    "embedding": "33",
    "graph": "36",
    "warning": "31",
    "bad": "31",
    "good": "32",
    "place": "35",
}


def terminal_has_colour(stream: TextIO) -> bool:
    """Return True for a terminal that is not dumb, if NO_COLOR is not set. See https://no-color.org."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int:
    if not stream.isatty():
        return REPR_WIDTH
    return max(LEAST_WIDTH, min(_MOST_COLUMNS, shutil.get_terminal_size((REPR_WIDTH, 24)).columns))


@dataclass(frozen=True, slots=True)
class Paint:
    """Adds the codes of a style to text, or returns the text unchanged if `colour` is False."""

    colour: bool = False

    def __call__(self, text: str, style: str) -> str:
        """Return the text in a style. An unknown style, such as the name of a lane or signal, is dim."""
        return f"\x1b[{_CODES.get(style, '2')}m{text}\x1b[0m" if self.colour and text and style else text


def flow(parts: Styled, width: int, indent: str = "", paint: Paint | None = None) -> list[str]:
    """Return the text as painted lines of at most `width` columns, broken at spaces.

    All lines except the first begin with `indent`. A word that is too long is broken after a dot or slash, if it has
    one.
    """
    text, width = "".join(part for part, _ in parts), max(width, LEAST_WIDTH)
    lines: list[tuple[int, int]] = []
    start = end = 0
    for word in _UNBROKEN.finditer(text):
        margin = len(indent) if lines else 0
        if text[start:end].strip() and margin + cell_width(text[start : word.end()]) > width:
            lines.append((start, end))
            start, margin = word.start(), len(indent)
        while fits := _fitting(text[start : word.end()], width - margin):
            lines.append((start, start + fits))
            start, margin = start + fits, len(indent)
        end = word.end()
    if end > start:
        lines.append((start, end))
    return [(indent if number else "") + _painted(parts, *line, paint or Paint()) for number, line in enumerate(lines)]


def _fitting(text: str, width: int) -> int:
    """Return how many characters to take from a word that is too long, up to a dot or slash; 0 if all of it fits."""
    if cell_width(text) <= width or width < LEAST_WIDTH // 2:
        return 0
    head = _start(text, width)
    indent = len(head) - len(head.lstrip())
    return max(head.rfind(mark, indent + 1) for mark in "./") + 1 or len(head)


def _painted(parts: Styled, start: int, end: int, paint: Paint) -> str:
    """Return the characters from `start` to `end` of all parts, each in its style."""
    line, position = "", 0
    for text, style in parts:
        line += paint(text[max(0, start - position) : max(0, end - position)], style)
        position += len(text)
    return line.replace("\N{NO-BREAK SPACE}", " ")


More: TypeAlias = Literal["attribute", "option", "all"]
_ALL: Final = "; --all lists them"
_PIECE_CHARS = 1_000  # a longer text in a line is cut
_MOST_QUOTED = 20  # lines
_FEW = 3  # lines of an excerpt, which is not shortened source
LEAST_CODE = 20  # columns of a line of source
_MOST_SIGNALS = 3  # written out; `hit.adjustments` has them all
_BAR = 12  # columns of the longest bar
_FILLS: Mapping[str, str] = MappingProxyType(dict(zip(LANES, "█▓▒", strict=True)))  # distinct without colour too
_SIGNAL = "░"
_LEAST = MappingProxyType({Symbol: 16, b.Name: 16, Site: 14, b.Place: 14})  # columns to which a cell may shrink
_LEAST_TEXT = 12
_NUMBER = re.compile(r"(?:[+−-]?[\d.,]+%?\*?|–|<[\d.]+|)")


def written(blocks: Iterable[Block], *, colour: bool = False, width: int = REPR_WIDTH, more: More = "attribute") -> str:
    """Return blocks as text. `width` is in terminal columns."""
    writer = Writer(Paint(colour), width, more)
    lines = [line.rstrip() for block in blocks for line in writer.write(block)]
    return "\n".join(lines).strip("\n")


class Writer(BlockWriter[list[str]]):
    """Writer of blocks as lines, for a terminal with `width` columns.

    A long list is shortened, and `more` says how a reader gets the rest: by an attribute of the answer, or by the
    option ``--all`` of a command, which is "all".
    """

    def __init__(self, paint: Paint, width: int, more: More = "attribute") -> None:
        self.paint, self.width, self.more = paint, width, more

    def flow(self, line: Line, first: str = "", later: str = "", style: str = "") -> list[str]:
        """Return a line, wrapped, after `first` and `later`. Text without a style of its own gets `style`."""
        parts = [(first, ""), *self._parts(line, len(first))]
        return flow([(text, own or style) for text, own in parts], self.width, later, self.paint)

    def _parts(self, line: Line, used: int = 0) -> Styled:
        parts: Styled = []
        for piece in pieces(line):
            whole = isinstance(piece, b.Tint) and self.more == "all" and piece.whole
            for text, style in _tinted(piece, whole) if isinstance(piece, b.Tint) and whole else _styled(piece):
                room = max(LEAST_CODE, self.width - used)
                shown = fit(text, room) if style == "code" else text
                parts.append((shown, "" if style == "code" else style))
                used += cell_width(shown)
        return parts

    def _heading(self, block: b.Heading) -> list[str]:
        return self.flow(block.line, later="  ", style="strong")

    def _text(self, block: b.Text) -> list[str]:
        sign = "! " if block.style == "warning" else ""
        style = "" if block.style == "notice" else block.style
        return ["", *self.flow(block.line, sign, "  ", style)][0 if block.apart else 1 :]

    def _items(self, block: b.Items) -> list[str]:
        lines = [""] if block.apart else []
        if block.title:
            lines += self.flow(block.title, later="  ", style="dim")
        shown = block.items if self.more == "all" else block.items[: block.brief]
        for item in shown:
            lines += self.flow(item, "  [ ] " if block.boxes else "  ", "      ")
        left = len(block.items) - len(shown)
        if left > 0:
            where = _ALL if self.more == "option" else f"; .{block.attribute} lists them" if block.attribute else ""
            lines = [*lines, f"  … and {left:,} more{where}"] if shown else [*lines[:-1], f"{lines[-1]}{where}"]
        return lines

    def _steps(self, block: b.Steps) -> list[str]:
        count = len(block.edges)
        lines = ["", f"{block.number}. {count} step{'' if count == 1 else 's'}"]
        for number, symbol in enumerate(block.symbols):
            arrow = f"{block.arrows[number - 1]} " if number else ""
            name, place = one_line(shown_name(symbol.fqn)), _styled(where(symbol))[0][0]
            across = widths([(name, place)], self.width - 5, {0: 16, 1: 14})
            ends: Styled = [
                (f"   {arrow}", ""),
                (fit_end(name, across[0]), "strong"),
                ("  ", ""),
                (fit_end(place, across[1]), "place"),
            ]
            how: Styled = [(f"  {flat(block.edges[number - 1].text)}", "dim")] if number else []
            if sum(cell_width(text) for text, _ in (*ends, *how)) <= self.width:
                lines.append("".join(self.paint(*part) for part in (*ends, *how)))
            else:
                lines.append("".join(self.paint(*part) for part in ends))
                lines += flow([("      ", ""), *how], self.width, " " * 10, self.paint)
        return lines

    def _source(self, block: b.Source) -> list[str]:
        spans = block.spans or [()] * len(block.lines)
        shown = [each for each in zip(block.lines, spans, strict=True) if block.brief > 99 or each[0][1].strip()]
        brief = len(shown) if self.more == "all" and block.brief > _FEW else block.brief
        digits = len(str(shown[:brief][-1][0][0])) if shown else 1
        lines = []
        for (number, text), found in shown[:brief]:
            place = one_line(f"{block.path}:{number}") if block.path else f"{number:>{digits}}"
            room = max(LEAST_CODE, self.width - cell_width(place) - (4 if block.path else 2))
            shown_line = code_text(around(text.strip(), _moved(text, found), room)[0]) if found else code_text(text)
            line = shown_line.strip() if block.path or found else shown_line
            indent = "  " if block.path else ""
            lines.append(f"{indent}{self.paint(place, 'place' if block.path else 'dim')}  {fit(line, room)}")
        if len(shown) > brief > _FEW:
            lines.append(self._more_lines(len(shown) - brief))
        return lines

    def _more_lines(self, left: int) -> str:
        return self.paint(f"… {left:,} more lines{_ALL * (self.more == 'option')}", "dim")

    def _plain(self, block: b.Plain) -> list[str]:
        return [part for line in block.lines for part in flow([(visible(line), "")], self.width, "  ", self.paint)]

    def _quote(self, block: b.Quote) -> list[str]:
        lines = visible(block.text).split("\n")
        found: list[str] = []
        most = len(lines) if self.more == "all" else _MOST_QUOTED
        for line in lines[:most]:
            found += flow([("  " + line, "dim")], self.width, "    ", self.paint) or [""]
        return found + ([f"  {self._more_lines(len(lines) - most)}"] if len(lines) > most else [])

    def _fold(self, block: b.Fold) -> list[str]:
        apart = bool(block.blocks) and not (block.aside or block.opened)
        lines = [""] * apart + self.flow(block.title, later="  ", style="dim" if apart else "")
        if not block.aside:
            lines += self._indented(block.blocks, "  ")
        return lines

    def _indented(self, blocks: Iterable[Block], indent: str) -> list[str]:
        narrower = Writer(self.paint, self.width - len(indent), self.more)
        return [indent + line if line else line for block in blocks for line in narrower.write(block)]

    def _drawing(self, block: b.Drawing | b.Copy | b.Legend) -> list[str]:  # noqa: ARG002 - for HTML alone
        return []

    _copy = _legend = _drawing

    def _own(self, block: b.Own) -> list[str]:
        return block.as_text(self)

    # ----------------------------------------------------------------------- tables

    def _table(self, block: b.Table) -> list[str]:
        columns = block.shown("text")[block.layout == "grouped" :]
        brief = len(block.rows) if self.more == "all" else block.brief
        shown = block.rows[:brief]
        cells = [[self._parts(row.cells[n]) for n in columns] for row in shown]
        heads = [[(str(block.columns[n]), "")] for n in columns]
        if block.layout == "facts":
            return self._facts(cells)
        lines = self._rows(
            block._replace(rows=shown), columns, [*([heads] if block.layout == "listed" else []), *cells]
        )
        left = len(block.rows) - len(shown)
        if left:
            where = _ALL if self.more == "option" else f"; the answer is a sequence of all {len(block.rows)}"
            lines.append(self.paint(f"  … and {left:,} more{where}", "dim"))
        return lines

    def _rows(self, block: b.Table, columns: Sequence[int], cells: Sequence[Sequence[Styled]]) -> list[str]:
        """Return the rows of cells with the lines below each row. The headings come first if the layout has them."""
        margin = "" if block.layout == "spaced" else "  "
        rows = block.rows
        texts = [["".join(text for text, _ in cell) for cell in row] for row in cells]
        if not rows:
            return []
        least = {
            place: wide
            for place, n in enumerate(columns)
            if (wide := max(_least(row.cells[n]) for row in rows)) < max(cell_width(row[place]) for row in texts)
        }
        across = widths(texts, self.width - len(margin), least)
        headed = len(cells) - len(rows)
        right = [all(_NUMBER.fullmatch(row[place]) for row in texts[headed:]) for place in range(len(columns))]
        lines = ["", *self.flow(block.caption, style="strong")] if headed and block.caption else []
        lines += ["", self._line(cells[0], across, right, margin, "dim")] if headed else []
        beside = bool(block.beside) and all(
            sum(across) + 2 * len(across) + 2 + self._wide(row.below) <= self.width for row in rows
        )
        group: Line = ""
        for row, parts in zip(rows, cells[headed:], strict=True):
            if block.layout == "grouped" and row.cells[0] != group:
                group = row.cells[0]
                name = "".join(text for text, _ in self._parts(group))
                lines += ["", self.paint(f"{block.columns[0]} {name}", "dim")]
            lines += [""] if block.layout == "spaced" else []
            line = self._line(parts, across, right, margin, "dim" if block.dim else "")
            if beside:
                how = [part for below in row.below for part in self._parts(below)]
                lines.append(line + "  " + "".join(self.paint(text, "dim") for text, _ in how))
            else:
                lines += [line.rstrip(), *self._below(row, across[0] + 2 if block.layout == "spaced" else 6)]
        return lines

    def _wide(self, below: Sequence[Line]) -> int:
        return sum(cell_width(text) for each in below for text, _ in self._parts(each))

    def _below(self, row: b.Row, columns: int) -> list[str]:
        indent = " " * columns
        lines = [part for line in row.below for part in self.flow(line, indent, indent + "  ", "dim")]
        return lines + self._indented(row.blocks, indent)

    def _line(
        self, cells: Sequence[Styled], across: Sequence[int], right: Sequence[bool], margin: str, style: str
    ) -> str:
        painted = []
        for parts, width, numeric in zip(cells, across, right, strict=True):
            text = "".join(part for part, _ in parts)
            name = parts and parts[0][1] in ("strong", "place")  # whose end identifies it
            fitted = fit_end(text, width) if name else fit(text, width)
            space = " " * (width - cell_width(fitted))
            if style:
                shown = fitted
            elif fitted == text:
                shown = "".join(self.paint(*part) for part in parts)
            else:
                shown = self.paint(fitted, parts[0][1])
            painted.append(space + shown if numeric else shown + space)
        line = margin + "  ".join(painted)
        return self.paint(line.rstrip(), style) if style else line

    def _facts(self, rows: Sequence[Sequence[Styled]]) -> list[str]:
        """Return rows of labels. The text after a label is wrapped at the width."""
        labels = [["".join(text for text, _ in cell) for cell in row[:-1]] for row in rows]
        across = widths(labels, self.width, {}) if labels else []
        lines: list[str] = []
        for row, texts in zip(rows, labels, strict=True):
            first: Styled = [("  ", "")]
            for number, (text, width) in enumerate(zip(texts, across, strict=True)):
                first += [(text, "" if number else "dim"), (" " * (width - cell_width(text) + 2), "")]
            lines += flow([*first, *row[-1]], self.width, " " * (sum(across) + 2 * len(across) + 2), self.paint)
        return lines

    # ----------------------------------------------------------------------- ranked hits

    def _hit(self, block: b.Hit) -> list[str]:
        if block.sentence:
            said = f"{block.role}; {block.sentence}" if block.role else block.sentence
            texts, width = filter(None, (block.signature, block.doc)), self.width
            about = [text if cell_width(text) <= width else _start(text, width - 1) + "…" for text in texts]
            return [*(about if block.signature else self._source(block.source)), *self.flow(said, "", "  ", "dim")]
        lines = self.flow(block.role, style="dim") if block.role else []
        summands = terms(block.fused, block.result)
        bar = b.Bar(summands, block.longest)
        parts = sum_parts(block.fused, block.result, most=_MOST_SIGNALS)
        lines += flow([*_styled(bar), ("  ", ""), *parts], self.width, " " * (_BAR + 2), self.paint)
        return lines + self._source(block.source)


def _styled(piece: Inline) -> Styled:
    """Return the text of a piece as parts: (text, style)."""
    if isinstance(piece, str):
        return [(cut(flat(piece), _PIECE_CHARS), "")]
    if isinstance(piece, Symbol):
        return [(one_line(shown_name(piece.fqn)), "strong")]
    if isinstance(piece, Site | b.Place):
        return [(one_line(f"{piece.path}:{piece.line}"), "place")]
    if isinstance(piece, b.Piece):
        text = cut(flat(piece.text), _PIECE_CHARS)
        plain = piece.style in ("best", "kind")
        return [(f"{text}*" if piece.style == "best" else text, "" if plain else piece.style)]
    if isinstance(piece, b.Tint):
        return _tinted(piece)
    if isinstance(piece, b.Name):
        return [(one_line(piece.text), "strong")]
    if isinstance(piece, b.Fold):
        return [part for each in pieces(piece.title) for part in _styled(each)]
    if isinstance(piece, b.Bar):
        return _bar(piece)
    if isinstance(piece, b.Meter):
        return []
    assert_never(piece)


def _tinted(piece: b.Tint, whole: str = "") -> Styled:
    if piece.family in ("lane", "signal"):
        fill = _FILLS.get(lane_of(piece.key), _SIGNAL)
        return [(f"{fill}\N{NO-BREAK SPACE}{flat(piece.text)}", piece.key)]
    return [(flat(whole or piece.text), "dim" if piece.family == "edge" else "")]


def _bar(bar: b.Bar) -> Styled:
    """Return the positive summands as a bar of whole columns, at least one for each."""
    parts: Styled = []
    used, total = 0, 0.0
    for term in bar.terms:
        if term.value <= 0 or not bar.longest:
            continue
        total += term.value
        end = min(_BAR, max(used + 1, round(_BAR * total / bar.longest)))
        fill = _FILLS.get(lane_of(term.source), _SIGNAL) if term.kind == "lane" else _SIGNAL
        parts.append((fill * (end - used), term.source))
        used = end
    return [*parts, (" " * (_BAR - used), "")]


def _least(cell: Line) -> int:
    """Return the least number of columns to which a cell may be shortened. Code is never shortened."""
    if isinstance(cell, b.Piece) and cell.style == "code":
        return cell_width(cell.text)
    return _LEAST.get(type(cell), _LEAST_TEXT)


def _moved(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans of a line as spans of the line without its indentation."""
    indent = len(text) - len(text.lstrip())
    return [(max(0, start - indent), end - indent) for start, end in spans]
