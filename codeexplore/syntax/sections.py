"""Headings of Markdown and reStructuredText, and chunks of sections.

Short sections are merged with the next section, long sections are cut at paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeexplore.languages.base import Place
from codeexplore.syntax.chunking import ChunkIds, Lines, cut_lines
from codeexplore.types import Chunk, SourceFile, Span, Symbol, SymbolKind
from codeexplore.types.settings import MAX_SECTION_LINES, MIN_SECTION_LINES

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RST_RULE = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_TITLE_CHARS = 120
_EMPTY = Span(1, 1, 0, 0)


def markdown_headings(rows: Sequence[str]) -> list[Place]:
    """Return the ATX and setext headings outside fenced code. The first row is line 1."""
    headings: list[Place] = []
    fence = ""
    for number, row in enumerate(rows, 1):
        opened = _FENCE.match(row)
        if opened is not None:
            mark = opened.group(1)
            if not fence:
                fence = mark
            elif mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
            continue
        if fence:
            continue
        if (atx := _ATX.match(row)) is not None:
            headings.append(_heading(number, len(atx.group(1)), atx.group(2)))
        elif number > 1 and (rule := _SETEXT.match(row)) is not None and _is_title(rows[number - 2]):
            headings.append(_heading(number - 1, 1 if rule.group(1)[0] == "=" else 2, rows[number - 2].strip()))
    return headings


def _is_title(row: str) -> bool:
    text = row.strip()
    return bool(text) and text[0] not in "#>|-*+" and _SETEXT.match(row) is None


def rst_headings(rows: Sequence[str]) -> list[Place]:
    """Return the titles of a reStructuredText document: lines with an underline or overline.

    Titles with the same style (character, overline) have the same level. Styles are numbered in the order in which they
    first occur.
    """
    headings: list[Place] = []
    styles: list[str] = []
    for number in range(1, len(rows)):
        rule = _RST_RULE.match(rows[number])
        title = rows[number - 1].rstrip()
        if (
            rule is None
            or not title
            or title[0].isspace()
            or _RST_RULE.match(title)
            or len(rows[number].rstrip()) < len(title)
        ):
            continue
        over = number >= 2 and rows[number - 2].rstrip() == rows[number].rstrip()
        style = rule.group(1) * (2 if over else 1)
        if style not in styles:
            styles.append(style)
        headings.append(_heading(number - 1 if over else number, styles.index(style) + 1, title.strip()))
    return headings


def _heading(line: int, level: int, title: str) -> Place:
    return Place(line, level, "section", title[:_TITLE_CHARS] or "(untitled)")


def module_symbol(file: SourceFile, lines: Lines) -> Symbol:
    path, span = file.path, lines.span(1, lines.count) if lines.count else _EMPTY
    return Symbol(f"{path}:{path}", path, path.rpartition("/")[2], "module", path, span, 1, file.language)


def part_symbol(
    file: SourceFile, parent: Symbol, name: str, kind: SymbolKind, span: Span, signature: str, suffix: str = ""
) -> Symbol:
    """Return the symbol of a part of a text file. The suffix of its id distinguishes parts with one name."""
    fqn = f"{parent.fqn}#{name}"
    place = file.path, span, span.start_line, file.language
    return Symbol(f"{file.path}:{fqn}{suffix}", fqn, name, kind, *place, parent.id, signature)


def section_chunks(
    file: SourceFile,
    symbols: Sequence[Symbol],
    bounds: list[tuple[int, int]],
    lines: Lines,
    boundaries: Sequence[int] = (),
) -> tuple[Chunk, ...]:
    """Return one chunk for each section.

    A short section is merged with the next section, a long section is cut before one of the lines in `boundaries`
    (ascending), or at blank lines.
    """
    makers = ChunkIds(file.path, file.language)
    chunks: list[Chunk] = []
    for symbol, first, last in _merged(symbols, bounds, lines):
        pieces = cut_lines(first, last, MAX_SECTION_LINES, boundaries, lines.blank)
        for part, piece in enumerate(pieces, 1):
            inner = lines.trimmed(*piece)
            if inner is not None:
                chunks.append(makers.make(symbol, (lines.span(*inner),), lines, part if len(pieces) > 1 else 0))
    return tuple(chunks)


def _merged(symbols: Sequence[Symbol], bounds: list[tuple[int, int]], lines: Lines) -> list[tuple[Symbol, int, int]]:
    """Return (symbol, first line, last line) of sections. A short one joins the next one, the last the previous one."""
    merged: list[tuple[Symbol, int, int]] = []
    for symbol, (first, last) in zip(symbols, bounds, strict=True):
        run = lines.trimmed(first, last) if first <= last else None
        if run is None:
            continue
        if merged and merged[-1][2] - merged[-1][1] + 1 < MIN_SECTION_LINES:
            merged[-1] = (merged[-1][0], merged[-1][1], run[1])
        else:
            merged.append((symbol, *run))
    if len(merged) > 1 and merged[-1][2] - merged[-1][1] + 1 < MIN_SECTION_LINES:
        _, _, last = merged.pop()
        merged[-1] = (merged[-1][0], merged[-1][1], last)
    return merged
