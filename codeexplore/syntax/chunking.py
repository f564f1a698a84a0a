"""Division of a file into chunks: each line is assigned to the symbols that own it.

Every line that is not blank is in at least one chunk:

- A function owns all its lines, including leading comments and decorators.
- A type owns the lines that its members do not own, and also the signatures of its members. Its chunk is an outline.
- A block that is named by its call owns its lines that no function, type or other such block in it owns.
- A module owns the remaining lines.

A function longer than `MAX_FUNCTION_LINES` is cut between statements. Each part begins with the function's signature,
and definitions inside the function get their own chunks. The own lines of long types and modules are cut in the same
way.

`Lines` provides a file's lines with their byte offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from codeexplore.languages.extraction.expressions import record
from codeexplore.text.tokens import joined
from codeexplore.types import TYPE_KINDS, Chunk, Span, Symbol
from codeexplore.types.kinds import is_block
from codeexplore.types.settings import MAX_FUNCTION_LINES

if TYPE_CHECKING:
    from codeexplore.languages.extraction.expressions import Definition, Extraction


class Lines:
    r"""The lines of a UTF-8 text. A line ends only at ``\n``. Line numbers are 1-based."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        raw = data.split(b"\n")
        if raw and not raw[-1]:
            raw.pop()  # the text after the last newline is not a line
        self.count = len(raw)
        self._rows = raw
        # for each line, the bytes of all lines before it, without line ends
        self._before = [0, *accumulate(map(len, raw))]

    def span(self, first: int, last: int) -> Span:
        """Return the span from line `first` to line `last`, without the final newline."""
        return record(Span, (first, last, self._before[first - 1] + first - 1, self._before[last] + last - 1))

    def row(self, number: int) -> bytes:
        return self._rows[number - 1]

    @cached_property
    def blank(self) -> list[bool]:
        return [not line.strip() for line in self._rows]

    def text(self, spans: Sequence[Span]) -> str:
        return chunk_text(self.data, spans)

    def trimmed(self, first: int, last: int) -> tuple[int, int] | None:
        rows = self._rows
        while first <= last and not rows[first - 1].strip():
            first += 1
        while last >= first and not rows[last - 1].strip():
            last -= 1
        return (first, last) if first <= last else None


def chunk_text(data: bytes | memoryview, spans: Sequence[Span]) -> str:
    return b"\n".join([data[span.start_byte : span.end_byte] for span in spans]).decode("utf-8", "replace")


def cut_lines(
    first: int, last: int, limit: int, boundaries: Sequence[int], blank: Sequence[bool]
) -> list[tuple[int, int]]:
    """Cut the lines from `first` to `last` into pieces of at most `limit` lines: (first, last) of each piece.

    If possible, a piece ends before the last statement that begins within the limit. Otherwise it ends after the last
    blank line within the limit, or else at the limit. `boundaries` contains the lines in which statements begin,
    ascending. `blank` is True for blank lines.
    """
    pieces: list[tuple[int, int]] = []
    position = 0
    while last - first + 1 > limit:
        furthest = first + limit
        best = 0
        while position < len(boundaries) and boundaries[position] <= furthest:
            if boundaries[position] > first:
                best = boundaries[position]
            position += 1
        if not best:
            best = next((line for line in range(furthest, first + limit // 2, -1) if blank[line - 1]), furthest)
        pieces.append((first, best - 1))
        first = best
    pieces.append((first, last))
    return pieces


_APART = TYPE_KINDS | {"module"}
PART_LINES = MAX_FUNCTION_LINES // 2
HEADER_LINES = 8  # most lines of a signature that is repeated in each part
# most bytes of a definition that shares its line with other definitions: a line with many must not be repeated for each
EXACT_BYTES = 2000


def make_chunks(extraction: Extraction, data: bytes, language: str) -> tuple[Chunk, ...]:
    """Divide one file into chunks, in the order of their first lines."""
    lines = Lines(data)
    carved = _carved(extraction.definitions)
    owned = _owned_runs(lines, carved)
    path = extraction.facts.path
    makers = ChunkIds(path, language)
    module = extraction.facts.symbols[0]
    members: dict[int, list[Definition]] = {}
    for each in carved:
        members.setdefault(each.parent, []).append(each)
    chunks: list[Chunk] = []
    for index, definition in [(0, None), *((d.index, d) for d in carved)]:
        symbol = module if definition is None or definition.symbol is None else definition.symbol
        own = owned.get(index, [])
        elsewhere = "" if definition is None else definition.remarks
        if definition is not None and definition.kind in TYPE_KINDS:
            heads = [_head(member, lines) for member in members.get(index, ())]
            last = definition.tail.end_point[0] + 1
            inside = [head for head in heads if definition.lead_line <= head[0] <= last]
            own = joined(own + inside)
            elsewhere = "\n".join(filter(None, (elsewhere, _signatures(heads, inside, lines))))
        if own:
            chunks.extend(_pieces(symbol, definition, own, lines, makers, elsewhere))
        elif definition is not None:  # all its lines belong to other definitions on the same line
            row, end = symbol.span.start_line, min(definition.end, definition.start + EXACT_BYTES)
            if definition.kind == "module":  # namespace a { namespace b {
                end = (data.find(b"\n", definition.start, end) + 1 or end + 1) - 1
            last = row + data.count(b"\n", definition.start, end)
            chunks.append(makers.make(symbol, (Span(row, last, definition.start, end),), lines))
    chunks.sort(key=lambda chunk: (chunk.spans[0].start_byte, chunk.part))
    return tuple(chunks)


class ChunkIds:
    """Maker of chunks with unique ids.

    The id of a chunk is a hash of its path, symbol and text. Equal chunks of one file also get a number.
    """

    def __init__(self, path: str, language: str) -> None:
        self.path, self.language = path, language
        self._seen: dict[str, int] = {}

    def make(self, symbol: Symbol, spans: tuple[Span, ...], lines: Lines, part: int = 0, elsewhere: str = "") -> Chunk:
        """Return a chunk of `symbol`. `part` counts from 1 if the symbol has several chunks.

        `elsewhere` is source that belongs to the symbol but is outside its definition, such as a Go method of a type.
        It is indexed, but is not among the chunk's own lines.
        """
        text = lines.text(spans)
        digest = blake2b(f"{symbol.id}\0{text}{elsewhere}".encode("utf-8", "replace"), digest_size=9).hexdigest()
        number = self._seen[digest] = self._seen.get(digest, 0) + 1
        chunk_id = digest if number == 1 else f"{digest}-{number}"
        context = f"{context_of(symbol)}\n{elsewhere}" if elsewhere else context_of(symbol)
        return Chunk(chunk_id, self.path, spans, text, self.language, symbol.id, context, part)


def context_of(symbol: Symbol) -> str:
    """Return the context of a symbol's chunk, which the text lanes index: path, qualified name and signature."""
    return context_text(symbol.path, symbol.fqn, symbol.signature)


def context_text(path: str, fqn: str, signature: str) -> str:
    """Return the context of a chunk, made from the path, qualified name and signature of its symbol."""
    return f"{path}\n{fqn}\n{signature}"


def _line_count(definition: Definition) -> int:
    return definition.tail.end_point[0] - definition.outer.start_point[0] + 1


def _carved(definitions: Sequence[Definition | None]) -> list[Definition]:
    """Return the definitions with chunks of their own. Those inside a function only if it is longer than one chunk."""
    carved: list[Definition] = []
    inside_whole: set[int] = set()  # indices of functions that are not cut, and of all definitions in them
    for definition in definitions:
        if definition is None:
            continue
        if definition.parent in inside_whole:
            inside_whole.add(definition.index)
        elif definition.kind in ("function", "method"):
            carved.append(definition)
            if _line_count(definition) <= MAX_FUNCTION_LINES:
                inside_whole.add(definition.index)
        elif definition.made or definition.kind in _APART or is_block(definition.kind, definition.name):
            carved.append(definition)
        elif definition.kind == "lambda" and _line_count(definition) <= MAX_FUNCTION_LINES:  # a longer one wraps a file
            inside_whole.add(definition.index)
    return carved


def _owned_runs(lines: Lines, carved: Sequence[Definition]) -> dict[int, list[tuple[int, int]]]:
    """Return the lines that each definition owns: index of the definition → (first, last) of each run of lines.

    Index 0 is the module. Blank lines at the ends are left out.
    """
    owner = [0] * lines.count
    for definition in carved:
        first = min(definition.lead_line, lines.count)
        last = min(definition.tail.end_point[0] + 1, lines.count)
        if definition.tail.end_point[1] == 0 and last > first:
            last -= 1
        owner[first - 1 : last] = [definition.index] * (last - first + 1)
    owned: dict[int, list[tuple[int, int]]] = {}
    position = 1
    for index, group in groupby(owner):
        length = len(list(group))
        run = lines.trimmed(position, position + length - 1)
        if run is not None:
            owned.setdefault(index, []).append(run)
        position += length
    return owned


def _head(member: Definition, lines: Lines) -> tuple[int, int]:
    first = member.outer.start_point[0] + 1
    return first, min(max(first, _head_end(member)), lines.count)


def _signatures(heads: Sequence[tuple[int, int]], inside: Sequence[tuple[int, int]], lines: Lines) -> str:
    """Return the signatures of members that are written outside the body of their type.

    These are methods in Go, members of impl blocks, and members of extensions.
    """
    outside = joined([head for head in heads if head not in inside][:MAX_FUNCTION_LINES])
    return lines.text(tuple(lines.span(*run) for run in outside)) if outside else ""


def _head_end(definition: Definition) -> int:
    first = definition.outer.start_point[0] + 1
    body = definition.body
    if body is None:
        return min(definition.outer.end_point[0] + 1, first + HEADER_LINES - 1)
    row = body.start_point[0]
    previous = body.prev_sibling
    shares_line = previous is not None and previous.end_point[0] == row  # ``fn f() {``, ``def f(): return 1``
    return max(first, row + 1 if shares_line else row)


def _pieces(
    symbol: Symbol,
    definition: Definition | None,
    own: list[tuple[int, int]],
    lines: Lines,
    makers: ChunkIds,
    elsewhere: str,
) -> Iterator[Chunk]:
    """Yield one chunk of a symbol, or several parts. The first has `elsewhere`, see `ChunkIds.make`."""
    if sum(last - first + 1 for first, last in own) <= MAX_FUNCTION_LINES:
        yield makers.make(symbol, tuple([lines.span(*run) for run in own]), lines, 0, elsewhere)
        return
    header = _header(definition, lines)
    boundaries = _statement_lines(definition)
    groups: list[list[tuple[int, int]]] = [[]]
    filled = 0
    for first, last in own:
        for piece in cut_lines(first, last, PART_LINES, boundaries, lines.blank):
            run = lines.trimmed(*piece)
            if run is None:
                continue
            size = run[1] - run[0] + 1
            if filled and filled + size > PART_LINES:
                groups.append([])
                filled = 0
            groups[-1].append(run)
            filled += size
    for part, group in enumerate(groups, 1):
        spans = tuple(lines.span(*run) for run in group)
        if header is not None and part > 1:
            spans = tuple(sorted((header, *spans)))  # sorted, because long leading comments are above the signature
        yield makers.make(symbol, spans, lines, part, elsewhere if part == 1 else "")


def _header(definition: Definition | None, lines: Lines) -> Span | None:
    """Return the span of the signature, which every part of a long symbol repeats; None for a module."""
    if definition is None:
        return None
    first = definition.outer.start_point[0] + 1
    last = min(_head_end(definition), first + HEADER_LINES - 1, lines.count)
    return lines.span(first, max(first, last))


def _statement_lines(definition: Definition | None) -> list[int]:
    if definition is None or definition.body is None:
        return []
    found = set()
    for child in definition.body.named_children:
        found.add(child.start_point[0] + 1)
        for inner in child.named_children:
            if inner.start_point[0] != child.start_point[0]:
                found.add(inner.start_point[0] + 1)
                found.update(statement.start_point[0] + 1 for statement in inner.named_children)
    return sorted(found)
