"""A file's lines with their byte offsets: what chunks are cut from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from codeexplore.languages.extraction import record
from codeexplore.types import Span


class Lines:
    r"""The lines of one UTF-8 text; a line ends at ``\n`` only. Line numbers are 1-based."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        raw = data.split(b"\n")
        if raw and not raw[-1]:
            raw.pop()  # what follows the last newline is no line
        self.count = len(raw)
        self._rows = raw
        self._before = [0, *accumulate(map(len, raw))]  # bytes of the lines before each, without what ends them

    def span(self, first: int, last: int) -> Span:
        """The stretch from line `first` to line `last`, without the final newline."""
        return record(Span, (first, last, self._before[first - 1] + first - 1, self._before[last] + last - 1))

    @cached_property
    def blank(self) -> list[bool]:
        """Whether each line is blank."""
        return [not line.strip() for line in self._rows]

    def text(self, spans: Sequence[Span]) -> str:
        """The text of several stretches, joined by newlines."""
        return chunk_text(self.data, spans)

    def trimmed(self, first: int, last: int) -> tuple[int, int] | None:
        """The same lines without blank ones at either end; None when all are blank."""
        rows = self._rows
        while first <= last and not rows[first - 1].strip():
            first += 1
        while last >= first and not rows[last - 1].strip():
            last -= 1
        return (first, last) if first <= last else None


def chunk_text(data: bytes | memoryview, spans: Sequence[Span]) -> str:
    """The text of several stretches of a UTF-8 file, joined by newlines."""
    return b"\n".join([data[span.start_byte : span.end_byte] for span in spans]).decode("utf-8", "replace")


def cut_lines(
    first: int, last: int, limit: int, boundaries: Sequence[int], blank: Sequence[bool]
) -> list[tuple[int, int]]:
    """Cut a run of lines into pieces of at most `limit` lines.

    A piece ends before the last boundary that fits (`boundaries`: ascending lines where a statement begins), else after
    the last blank line that fits, else where the limit falls.
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
