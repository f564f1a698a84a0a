"""Division of Markdown, reStructuredText and plain text into sections.

A heading opens a section that ends at the next heading. Its symbol is nested in the symbol of the heading of the level
above. Short sections are merged with the next section, long sections are cut at paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.syntax.chunking import ChunkIds, Lines, cut_lines
from codeexplore.types import Chunk, FileFacts, FileIndex, SourceFile, Span, Symbol, SymbolKind
from codeexplore.types.settings import MAX_SECTION_LINES, MIN_SECTION_LINES

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RST_RULE = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_TITLE_CHARS = 120
_EMPTY = Span(1, 1, 0, 0)


class Heading(NamedTuple):
    """A heading. `line` is the 1-based first line of its section."""

    line: int
    level: int
    title: str


def analyse_text(file: SourceFile) -> FileIndex:
    """Divide a text file into sections, and return them as its symbols and chunks."""
    rows = file.text.split("\n")
    if file.language == "markdown":
        headings = markdown_headings(rows)
    elif file.language == "rst":
        headings = rst_headings(rows)
    else:
        headings = []
    data = file.text.encode("utf-8", "replace")
    lines = Lines(data)
    symbols, bounds = section_symbols(file, headings, lines, 1, lines.count)
    chunks = section_chunks(file, symbols, bounds, lines)
    facts = FileFacts(file.path, file.language, symbols[0].fqn, symbols)
    return FileIndex(file, facts, chunks)


def markdown_headings(rows: Sequence[str]) -> list[Heading]:
    """Return the ATX and setext headings outside fenced code. The first row is line 1."""
    headings: list[Heading] = []
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
            headings.append(Heading(number, len(atx.group(1)), atx.group(2)))
        elif number > 1 and (rule := _SETEXT.match(row)) is not None and _is_title(rows[number - 2]):
            headings.append(Heading(number - 1, 1 if rule.group(1)[0] == "=" else 2, rows[number - 2].strip()))
    return headings


def _is_title(row: str) -> bool:
    text = row.strip()
    return bool(text) and text[0] not in "#>|-*+" and _SETEXT.match(row) is None


def rst_headings(rows: list[str]) -> list[Heading]:
    """Return the titles of a reStructuredText document: lines with an underline or overline.

    Titles with the same style (character, overline) have the same level. Styles are numbered in the order in which they
    first occur.
    """
    headings: list[Heading] = []
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
        headings.append(Heading(number - 1 if over else number, styles.index(style) + 1, title.strip()))
    return headings


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


def section_symbols(
    file: SourceFile, headings: list[Heading], lines: Lines, first: int, last: int
) -> tuple[tuple[Symbol, ...], list[tuple[int, int]]]:
    """Return the symbols of the module and of each section, and the (first, last) lines that each of them owns."""
    module = module_symbol(file, lines)
    symbols, bounds = [module], [(first, (headings[0].line if headings else last + 1) - 1)]
    open_sections: list[tuple[int, Symbol]] = []
    ordinals: dict[str, int] = {}
    for position, (heading, end) in enumerate(zip(headings, _ends(headings, last), strict=True)):
        own_end = headings[position + 1].line - 1 if position + 1 < len(headings) else last
        while open_sections and open_sections[-1][0] >= heading.level:
            open_sections.pop()
        parent = open_sections[-1][1] if open_sections else module
        title = heading.title[:_TITLE_CHARS] or "(untitled)"
        fqn = f"{parent.fqn}#{title}"
        number = ordinals[fqn] = ordinals.get(fqn, 0) + 1
        span, suffix = lines.span(heading.line, max(end, heading.line)), f"#{number}" if number > 1 else ""
        symbol = part_symbol(file, parent, title, "section", span, title, suffix)
        symbols.append(symbol)
        bounds.append((heading.line, max(own_end, heading.line)))
        open_sections.append((heading.level, symbol))
    return tuple(symbols), bounds


def _ends(headings: Sequence[Heading], last: int) -> list[int]:
    """Return, in linear time, the line before the next heading of the same or a higher level for each heading."""
    ends = []
    following: list[Heading] = []  # headings that may end an earlier section; the last one is the nearest
    for heading in reversed(headings):
        while following and following[-1].level > heading.level:
            following.pop()
        ends.append(following[-1].line - 1 if following else last)
        following.append(heading)
    return ends[::-1]


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
