"""Symbols and chunks of files that are not code, by their headings or by the `Structure` of their format.

A heading opens a section that ends at the next heading. Its symbol is nested in the symbol of the heading of the level
above.

A small file is one chunk, unless its format consists of declarations. In a larger file each part of the first level is
a chunk with the comments above it; short ones are merged with the next, long ones are cut between their inner parts or
at paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.languages.base import Language, Part, Place, Structure
from codeexplore.languages.extraction.expressions import walk
from codeexplore.syntax.chunking import ChunkIds, Lines, cut_lines
from codeexplore.syntax.parse import Deadline, GrammarError, ParseTimeout, grammar, parse
from codeexplore.types import Chunk, FileFacts, FileIndex, SourceFile, Span, Symbol, SymbolKind
from codeexplore.types.settings import MAX_PARTS, MAX_SECTION_LINES, MIN_SECTION_LINES

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTES = str.maketrans("", "", '"`[]')
_NAME_CHARS = 120
_SIGNATURE_CHARS = 300
_SECONDS = 2.0  # of CPU time for the grammar; a file within the limits of size takes a tenth of a second
_COMMENTS = (b"#", b"//", b"--", b"/*", b"*", b"<!--", b"{#")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RST_RULE = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_TITLE_CHARS = 120
_TITLE_ROWS = 20  # of a paragraph with a rule below it
_IMAGE = re.compile(r"!\[[^\]]{0,200}\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\])")
_LINK = re.compile(r"(?<![\w`])\[([^\]\[]{0,200})\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\])")  # not of ``f[T](x)``
_EMPTY = Span(1, 1, 0, 0)


class _Found(NamedTuple):
    """A part: its first and last line (1-based), its place among other parts, its kind and its name.

    `start` and `end` are bytes, or lines of a format without a grammar; a part contains another one between them.
    """

    first: int
    last: int
    start: int
    end: int
    kind: SymbolKind
    name: str


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
            headings.append(_heading(number, len(atx.group(1)), _unlinked(atx.group(2))))
        elif number > 1 and (rule := _SETEXT.match(row)) is not None and _is_title(rows[number - 2]):
            above = takewhile(str.strip, reversed(rows[max(0, number - 1 - _TITLE_ROWS) : number - 1]))
            title = next(filter(None, map(_unlinked, above)), "")  # badges may stand between the title and its rule
            headings.append(_heading(number - 1, 1 if rule.group(1)[0] == "=" else 2, title))
    return headings


def _unlinked(title: str) -> str:
    """Return a title with links as their text and without images."""
    return _LINK.sub(r"\1", _IMAGE.sub("", title)).strip()


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


_HEADINGS = {"markdown": markdown_headings, "rst": rst_headings}


def analyse_text(file: SourceFile) -> FileIndex:
    """Divide a text file into sections, and return them as its symbols and chunks."""
    find = _HEADINGS.get(file.language)
    lines = Lines(file.text.encode("utf-8", "replace"))
    found = _with_ends(find(file.text.split("\n")) if find else [], lines.count)
    symbols, _ = _symbols(file, found, len(found), lines, len(found))
    chunks = section_chunks(file, symbols, _bounds([1, *(symbol.line for symbol in symbols[1:])], lines), lines)
    return FileIndex(file, FileFacts(file.path, file.language, symbols[0].fqn, tuple(symbols)), chunks)


def analyse_structure(file: SourceFile, language: Language) -> FileIndex:
    """Return the symbols and chunks of a file that is not code.

    A file that its grammar can't parse, or not in time, has no symbol except its module, and a warning.
    """
    structure = language.structure
    if structure is None:
        raise ValueError(f"language {language.name} has no structure")
    data = file.text.encode("utf-8", "replace")
    lines, warnings = Lines(data), list[str]()
    found: list[_Found] = []
    try:
        found = _parts(language, structure, file.text, data, lines.count)
    except (GrammarError, ParseTimeout) as error:
        warnings.append(str(error))
    symbols, levels = _symbols(file, found, structure.levels, lines)
    if len(symbols) > MAX_PARTS + 1:
        warnings.append(f"more than {MAX_PARTS:,} parts; the others are text only")
        del symbols[MAX_PARTS + 1 :]
    facts = FileFacts(file.path, file.language, symbols[0].fqn, tuple(symbols))
    small = lines.count <= MAX_SECTION_LINES and not structure.apart
    return FileIndex(file, facts, _chunks(file, symbols[:1] if small else symbols, levels, lines), tuple(warnings))


def _parts(language: Language, structure: Structure, text: str, data: bytes, last: int) -> list[_Found]:
    if language.grammar:
        return sorted(_by_grammar(language, structure, data), key=lambda part: (part.start, -part.end))
    places = _by_patterns(structure, text) if structure.scan is None else list(structure.scan(text))
    return _with_ends(places, last)


def _by_grammar(language: Language, structure: Structure, data: bytes) -> Iterator[_Found]:
    """Yield the parts of a syntax tree. A query would take time quadratic in the length of an error."""
    cursor = parse(grammar(language), data, Deadline(_SECONDS)).walk()
    around = [0]  # for each node on the way to the current one, the number of parts that contain its children
    while (node := cursor.node) is not None:
        part = structure.parts.get(node.type)
        if part is not None and (name := _name(part, node, data)):
            first = node.start_point[0] + 1
            last = max(node.end_point[0] + (node.end_point[1] > 0), first)
            yield _Found(first, last, node.start_byte, node.end_byte, part.kind, name)
        inside = around[-1] + (part is not None)
        if inside < structure.levels and cursor.goto_first_child():
            around.append(inside)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            around.pop()


def _name(part: Part, node: Node, data: bytes) -> str:
    if part.steps:
        found = walk(node, *part.steps)
        if found is None:
            return ""
        text = data[found.start_byte : min(found.end_byte, found.start_byte + 4 * _NAME_CHARS)]
    else:
        text = data[node.start_byte : min(node.end_byte, node.start_byte + 4 * _NAME_CHARS)].partition(b"{")[0]
    words = text.decode("utf-8", "ignore").split()
    return part.joint.join(word.strip("\"'`") for word in words)[:_NAME_CHARS].strip("\"'`")


def _by_patterns(structure: Structure, text: str) -> list[Place]:
    matches = sorted(
        (match.start("name"), match["name"], kind if isinstance(kind, str) else kind[match["word"].lower()])
        for kind, pattern in structure.patterns
        for match in pattern.finditer(text)
    )
    line, counted = 1, 0
    places = []
    for at, name, kind in matches:
        line += text.count("\n", counted, at)
        counted = at
        places.append(Place(line, 1, kind, name.translate(_QUOTES)[:_NAME_CHARS]))
    return places


def _with_ends(places: Sequence[Place], last: int) -> list[_Found]:
    """Return the parts with their ends: each ends before the next one of the same or a higher level."""
    found: list[_Found] = []
    following: list[Place] = []  # parts that may end an earlier one; the last one is the nearest
    for place in reversed(places):
        while following and following[-1].level > place.level:
            following.pop()
        end = following[-1].line - 1 if following else last
        found.append(_Found(place.line, max(end, place.line), place.line, end + 1, place.kind, place.name))
        following.append(place)
    return found[::-1]


def _symbols(
    file: SourceFile, found: list[_Found], levels: int, lines: Lines, limit: int = MAX_PARTS
) -> tuple[list[Symbol], list[int]]:
    """Return the symbols of the module and of its parts down to a level, and the level of each; 0 for the module."""
    symbols, depths = [module_symbol(file, lines)], [0]
    stack: list[tuple[int, Symbol]] = []  # end and symbol of the parts around
    ordinals: dict[str, int] = {}
    hidden = 0  # end of the last part that is too deep to be a symbol
    for part in found:
        if len(symbols) > limit + 1:
            break
        while stack and stack[-1][0] <= part.start:
            stack.pop()
        if len(stack) >= levels or not part.name or part.start < hidden:
            hidden = max(hidden, part.end if len(stack) >= levels else 0)
            continue
        parent = stack[-1][1] if stack else symbols[0]
        fqn = f"{parent.fqn}#{part.name}"
        number = ordinals[fqn] = ordinals.get(fqn, 0) + 1
        if number > 1 and part.kind == "key":  # of the next object in a list
            hidden = max(hidden, part.end)
            continue
        span = lines.span(min(part.first, lines.count), min(part.last, lines.count))
        signature = part.name if file.language in _HEADINGS else _signature(lines.row(span.start_line))
        suffix = f"#{number}" if number > 1 else ""
        symbol = part_symbol(file, parent, part.name, part.kind, span, signature, suffix)
        symbols.append(symbol)
        depths.append(len(stack) + 1)
        stack.append((part.end, symbol))
    return symbols, depths


def _signature(row: bytes) -> str:
    return " ".join(row[: 4 * _SIGNATURE_CHARS].decode("utf-8", "ignore").split()).rstrip(" {")[:_SIGNATURE_CHARS]


def _chunks(file: SourceFile, symbols: list[Symbol], levels: list[int], lines: Lines) -> tuple[Chunk, ...]:
    """Return the chunks of a file: the lines before its first part, then each part of the first level."""
    top = [symbols[0], *(symbol for symbol, level in zip(symbols, levels, strict=False) if level == 1)]
    starts = [1]
    for symbol in top[1:]:
        starts.append(max(_with_comments(symbol.line, lines), starts[-1]))
    boundaries = sorted({symbol.line for symbol in symbols[1:]})
    return section_chunks(file, top, _bounds(starts, lines), lines, boundaries)


def _bounds(starts: list[int], lines: Lines) -> list[tuple[int, int]]:
    """Return the first and the last line of each section, from their first lines."""
    return [(start, end - 1) for start, end in zip(starts, [*starts[1:], lines.count + 1], strict=True)]


def _with_comments(line: int, lines: Lines) -> int:
    while line > 1 and lines.row(line - 1).strip().startswith(_COMMENTS):
        line -= 1
    return line


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
