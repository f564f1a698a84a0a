"""Width and colours of text in a terminal.

Wide characters count as two columns, colour codes as none. There are only a few colours, and none is the only sign of a
meaning.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO, TypeAlias

from codeexplore.answers.clip import cell_width

REPR_WIDTH = 110
"""Columns of a plain repr, which does not know where it will be read."""

LEAST_WIDTH = 30
"""Columns below which lines are left to the terminal to break."""

Styled: TypeAlias = "list[tuple[str, str]]"
"""Text in parts, each with its style."""

_PAINT = re.compile(r"\x1b\[[0-9;]*m")  # only ours: text of a repository is sanitized first
_UNBROKEN = re.compile(r"[^ \t\n]+")  # spaces that do not break are part of a word


def shown_width(text: str) -> int:
    """Return the number of terminal columns of a text, which may contain colour codes."""
    return cell_width(_PAINT.sub("", text) if "\x1b" in text else text)


def fit(text: str, width: int) -> str:
    """Return the text in at most `width` columns.

    In a longer text … replaces the middle, because both ends identify it.
    """
    if cell_width(text) <= width:
        return text
    tail = (width - 1) // 2
    head = width - 1 - tail
    return _start(text, head) + "…" + _start(text[::-1], tail)[::-1]


def fit_end(text: str, width: int) -> str:
    """Return the text in at most `width` columns. In a longer text … replaces the start."""
    return text if cell_width(text) <= width else "…" + _start(text[::-1], width - 1)[::-1]


def _start(text: str, width: int) -> str:
    used = 0
    for index, char in enumerate(text):
        used += cell_width(char)
        if used > width:
            return text[:index]
    return text


def widths(rows: Sequence[Sequence[str]], total: int, least: Mapping[int, int], gap: int = 2) -> list[int]:
    """Return the width of each column, so that a row takes at most `total` terminal columns.

    There are `gap` spaces between two columns. Only the columns in `least` are made narrower, the widest first, and
    none below its width in `least`. If a row still does not fit, the terminal wraps it.
    """
    found = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    excess = sum(found) + gap * (len(found) - 1) - total
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
    """Return True if output to `stream` may have colours.

    This is so for a terminal that is not dumb, if NO_COLOR is not set. See https://no-color.org.
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int:
    """Return the number of columns to use on `stream`: those of a terminal, within limits, otherwise `REPR_WIDTH`."""
    if not stream.isatty():
        return REPR_WIDTH
    return max(LEAST_WIDTH, min(_MOST_COLUMNS, shutil.get_terminal_size((REPR_WIDTH, 24)).columns))


@dataclass(frozen=True, slots=True)
class Paint:
    """Adds the codes of a style to text, or returns the text unchanged if `colour` is False."""

    colour: bool = False

    def __call__(self, text: str, style: str) -> str:
        """Return the text in a style.

        An unknown style is dim, so that the name of any lane or signal can be a style.
        """
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
    """Return the number of characters to take from a word that is too long; 0 if the whole word fits.

    The characters end with a dot or slash if one of them fits.
    """
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
