"""Blocks as Markdown, for notes, tickets and language models.

Text of the repository is in code spans and fenced blocks, which it can't end; only our own `Words` are bare text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from codeexplore.results.blocks import (
    Bar,
    Block,
    Column,
    Drawing,
    Fold,
    Heading,
    Hit,
    Inline,
    Items,
    Legend,
    Line,
    Meter,
    Name,
    Piece,
    Place,
    Plain,
    Quote,
    Source,
    Steps,
    Table,
    Text,
    Tint,
    Words,
    pieces,
    where,
)
from codeexplore.results.text.clip import cut, flat, one_line, visible
from codeexplore.types import Site, Symbol

_MOST_ROWS = 500
_MOST_ITEMS = 50
_LINE_CHARS = 1_000


def markdown(blocks: Iterable[Block], *, max_lines: int = 40) -> str:
    """Return blocks as Markdown; of the source of each hit at most `max_lines` lines, none with 0."""
    return "\n\n".join(part for block in blocks for part in _parts(block, max_lines)) + "\n"


def code_span(text: str) -> str:
    """Repository text as a Markdown code span that it can't end, nor the table cell around it."""
    text = one_line(text).replace("|", "\\|")
    ticks = "`"
    while ticks in text:
        ticks += "`"
    padding = " " if "`" in text else ""
    return f"{ticks}{padding}{text}{padding}{ticks}"


def code_block(text: str, language: str) -> str:
    """Source as a fenced Markdown block with a fence longer than any run of backticks in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _parts(block: Block, max_lines: int) -> list[str]:
    """Return the paragraphs of a block."""
    write: Callable[[Any, int], list[str]] = _WRITERS[type(block)]
    return write(block, max_lines)


def _line(line: Line) -> str:
    """A line: our words as they are, runs of all other text as code."""
    written, code = "", ""
    for piece in (*pieces(line), Words("")):
        if not isinstance(piece, Words):
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
    if isinstance(piece, Site | Place):
        return one_line(f"{piece.path}:{piece.line}")
    if isinstance(piece, Piece | Tint | Name):
        return flat(piece.text) + ("*" if isinstance(piece, Piece) and piece.style == "best" else "")
    if isinstance(piece, Fold):
        return "".join(map(_text, pieces(piece.title)))
    assert isinstance(piece, Meter | Bar)
    return ""


def _heading(block: Heading, _: int) -> list[str]:
    return [f"## {_line(block.line)}"]


def _sentence(block: Text, _: int) -> list[str]:
    quote = "> " if block.style in ("notice", "warning") else ""
    return [quote + _line(block.line)]


def _items(block: Items, _: int) -> list[str]:
    items = [f"- {_line(item)}" for item in block.items[:_MOST_ITEMS]]
    if len(block.items) > _MOST_ITEMS:
        items.append(f"- and {len(block.items) - _MOST_ITEMS:,} more")
    return [*([_line(block.title)] if block.title else []), "\n".join(items)]


def _steps(block: Steps, _: int) -> list[str]:
    symbols = [(symbol, " ", where(symbol)) for symbol in block.symbols]
    text = _line((symbols[0][0], Words(" ("), symbols[0][2], Words(")")))
    for symbol, arrow, edge in zip(block.symbols[1:], block.arrows, block.edges, strict=True):
        text += f" {arrow} " + _line((symbol, Words(" ("), edge, Words(")")))
    return [f"{block.number}. {text}"]


def _source(block: Source, _: int) -> list[str]:
    numbered = bool(block.path or block.spans)
    place = f"{visible(block.path)}:" if block.path else ""
    lines = [f"{place}{line}: {visible(text).strip()}" if numbered else visible(text) for line, text in block.lines]
    return [code_block("\n".join(lines), "text" if numbered else block.language)] if lines else []


def _plain(block: Plain, _: int) -> list[str]:
    return [code_block("\n".join(map(visible, block.lines)), "text")]


def _quote(block: Quote, _: int) -> list[str]:
    return [code_block(visible(block.text), "text")]


def _fold(block: Fold, max_lines: int) -> list[str]:
    title = _line(block.title)
    return [title] if block.aside else [title, *(part for each in block.blocks for part in _parts(each, max_lines))]


def _hit(block: Hit, max_lines: int) -> list[str]:
    from codeexplore.results.score_terms import sum_line

    hit, lines = block.hit, visible(block.hit.text).split("\n")
    more = [f"… {len(lines) - max_lines:,} more lines"] if len(lines) > max_lines else []
    return [
        code_span(sum_line(hit.fused, block.answer.result)),
        code_block("\n".join(lines[:max_lines]), hit.chunk.language),
        *more,
    ]


def _nothing(_: Drawing | Legend, __: int) -> list[str]:
    return []


def _table(block: Table, max_lines: int) -> list[str]:
    shown = [n for n, column in enumerate(block.columns) if not (isinstance(column, Column) and column.only == "html")]
    rows = block.rows[:_MOST_ROWS]
    sections = block.layout == "spaced"  # the blocks of each row have a heading of their own
    lines = any(row.below for row in rows) and not sections
    header = [str(block.columns[n]) for n in shown] + [block.beside or "details"] * lines
    cells = [
        [*(_cell(row.cells[n]) for n in shown), *([", ".join(map(_below, row.below))] if lines else [])] for row in rows
    ]
    parts = [_markdown_table(header, cells)] if rows else []
    if len(block.rows) > len(rows):
        parts.append(f"{len(block.rows) - len(rows):,} more rows.")
    for row in rows if sections and max_lines else ():
        parts.append(f"### {_text_of(row.cells[0])}. {_line(row.cells[1])} ({_line(row.cells[3])})")
        parts += [part for each in row.below for part in _parts(each, max_lines)]  # type: ignore[arg-type]  # blocks
    return parts


def _cell(cell: Line) -> str:
    text = _text_of(cell)
    plain = isinstance(cell, Words) or text.replace(".", "").replace("−", "").isdigit()
    return text if plain else _line(cell)


def _text_of(line: Line) -> str:
    return "".join(map(_text, pieces(line)))


def _below(below: Line | Block) -> str:
    return _line(below.title if isinstance(below, Fold) else below)  # type: ignore[arg-type]  # no other block is here


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A GitHub-flavoured Markdown table of cells that are Markdown."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


_WRITERS: Mapping[type, Callable[..., list[str]]] = MappingProxyType(
    {
        Heading: _heading,
        Text: _sentence,
        Items: _items,
        Steps: _steps,
        Source: _source,
        Plain: _plain,
        Quote: _quote,
        Fold: _fold,
        Drawing: _nothing,
        Legend: _nothing,
        Table: _table,
        Hit: _hit,
    }
)
