"""Blocks as Markdown, for notes, tickets and language models.

Text of the repository is written in code spans and fenced blocks, which it cannot end. Only our own `Words` are written
as ordinary text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, BlockWriter, Inline, Line, pieces, where
from codeexplore.answers.score_terms import sum_line
from codeexplore.answers.wording import cut, flat, one_line
from codeexplore.types import Site, Symbol
from codeexplore.types.visible import visible

_MOST_ROWS = 500
_MOST_ITEMS = 50
_LINE_CHARS = 1_000


def markdown(blocks: Iterable[Block], *, max_lines: int = 40) -> str:
    """Return blocks as Markdown. Of each hit's source, at most `max_lines` lines are included, none if it is 0."""
    writer = Writer(max_lines)
    return "\n\n".join(part for block in blocks for part in writer.write(block) if part) + "\n"


class Writer(BlockWriter[list[str]]):
    """Writer of each block as a list of paragraphs. `max_lines` limits the source of each hit."""

    def __init__(self, max_lines: int) -> None:
        self.max_lines = max_lines

    def _heading(self, block: b.Heading) -> list[str]:
        return [f"## {line_of(block.line)}"]

    def _text(self, block: b.Text) -> list[str]:
        quote = "> " if block.style in ("notice", "warning") else ""
        return [quote + line_of(block.line)]

    def _items(self, block: b.Items) -> list[str]:
        sign = "- [ ] " if block.boxes else "- "
        items = [f"{sign}{line_of(item)}" for item in block.items[:_MOST_ITEMS]]
        if len(block.items) > _MOST_ITEMS:
            items.append(f"- and {len(block.items) - _MOST_ITEMS:,} more")
        return [*([line_of(block.title)] if block.title else []), "\n".join(items)]

    def _steps(self, block: b.Steps) -> list[str]:
        symbols = [(symbol, " ", where(symbol)) for symbol in block.symbols]
        text = line_of((symbols[0][0], b.Words(" ("), symbols[0][2], b.Words(")")))
        for symbol, arrow, edge in zip(block.symbols[1:], block.arrows, block.edges, strict=True):
            text += f" {arrow} " + line_of((symbol, b.Words(" ("), edge, b.Words(")")))
        return [f"{block.number}. {text}"]

    def _source(self, block: b.Source) -> list[str]:
        numbered = bool(block.path or block.spans)
        place = f"{visible(block.path)}:" if block.path else ""
        lines = [f"{place}{line}: {visible(text).strip()}" if numbered else visible(text) for line, text in block.lines]
        return [code_block("\n".join(lines), "text" if numbered else block.language)] if lines else []

    def _plain(self, block: b.Plain) -> list[str]:
        return [code_block("\n".join(map(visible, block.lines)), "text")]

    def _quote(self, block: b.Quote) -> list[str]:
        return [code_block(visible(block.text), "text")]

    def _fold(self, block: b.Fold) -> list[str]:
        title = line_of(block.title)
        return [title] if block.aside else [title, *(part for each in block.blocks for part in self.write(each))]

    def _hit(self, block: b.Hit) -> list[str]:
        lines = [visible(text) for _, text in block.source.lines]
        more = [f"… {len(lines) - self.max_lines:,} more lines"] if len(lines) > self.max_lines else []
        about = [code_span(block.signature)] if block.signature else []
        return [
            *about,
            *([code_span(block.doc)] if block.doc else []),
            block.sentence or code_span(sum_line(block.fused, block.result)),
            code_block("\n".join(lines[: self.max_lines]), block.source.language),
            *more,
        ]

    def _drawing(self, block: b.Drawing | b.Copy | b.Legend) -> list[str]:  # noqa: ARG002 - for HTML alone
        return []

    _copy = _legend = _drawing

    def _own(self, block: b.Own) -> list[str]:
        return block.as_markdown(self)

    def _table(self, block: b.Table) -> list[str]:
        shown = block.shown("text")
        rows = block.rows[:_MOST_ROWS]
        lines = any(row.below for row in rows)
        header = [str(block.columns[n]) for n in shown] + [block.beside or "details"] * lines
        cells = [
            [
                *(_cell(row.cells[n]) for n in shown),
                *([", ".join(line_of(each) for each in row.below)] if lines else []),
            ]
            for row in rows
        ]
        head = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
        parts = ["\n".join([*head, *("| " + " | ".join(row) + " |" for row in cells)])] if rows else []
        if len(block.rows) > len(rows):
            parts.append(f"{len(block.rows) - len(rows):,} more rows.")
        for row in rows if self.max_lines else ():
            inner = [part for each in row.blocks for part in self.write(each)]
            if inner:
                parts.append(f"### {_text_of(row.cells[0])}. {line_of(row.cells[1])} ({line_of(row.cells[3])})")
            parts += inner
        return parts


def code_span(text: str) -> str:
    """Return text of the repository as a code span. The text cannot end the span or the table cell around it."""
    text = one_line(text).replace("|", "\\|")
    ticks = "`"
    while ticks in text:
        ticks += "`"
    padding = " " if "`" in text else ""
    return f"{ticks}{padding}{text}{padding}{ticks}"


def code_block(text: str, language: str) -> str:
    """Return source as a fenced block. The fence is longer than any run of backticks in the source."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def line_of(line: Line) -> str:
    """Return a line as Markdown: our own words as they are, all other text as code."""
    written, code = "", ""
    for piece in (*pieces(line), b.Words("")):
        if not isinstance(piece, b.Words):
            code += _text(piece)
            continue
        if code.strip():
            bare = cut(code.strip(), _LINE_CHARS)
            written += f"{' ' * code.startswith(' ')}{code_span(bare)}{' ' * code.endswith(' ')}"
        written, code = written + piece, ""
    return written.strip()


def _text(piece: Inline) -> str:
    if isinstance(piece, str):
        return flat(piece)
    if isinstance(piece, Symbol):
        return one_line(piece.fqn)
    if isinstance(piece, Site | b.Place):
        return one_line(f"{piece.path}:{piece.line}")
    if isinstance(piece, b.Piece | b.Tint | b.Name):
        return flat(piece.text) + ("*" if isinstance(piece, b.Piece) and piece.style == "best" else "")
    if isinstance(piece, b.Fold):
        return "".join(map(_text, pieces(piece.title)))
    if isinstance(piece, b.Meter | b.Bar):
        return ""
    assert_never(piece)


def _cell(cell: Line) -> str:
    text = _text_of(cell)
    plain = isinstance(cell, b.Words) or text.replace(".", "").replace("−", "").isdigit()
    return text if plain else line_of(cell)


def _text_of(line: Line) -> str:
    return "".join(map(_text, pieces(line)))
