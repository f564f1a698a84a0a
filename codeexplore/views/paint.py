"""Terminal colours: a few, only where a terminal has them, and never the only sign of anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from codeexplore.views.columns import LEAST_WIDTH, REPR_WIDTH, wrap
from codeexplore.views.visible import one_line

_MOST_COLUMNS = 150  # the eye loses longer lines

_CODES = {
    "bold": "1",
    "dim": "2",
    "bm25": "34",
    "embedding": "33",
    "graph": "36",
    "warning": "31",
    "place": "35",
}


def noted(notes: Sequence[str], paint: Paint, width: int) -> list[str]:
    """An answer's notes as lines of lesser weight, after a blank one."""
    lines = [paint(line, "dim") for note in notes for line in wrap(one_line(note), width, "  ")]
    return ["", *lines] if lines else []


def terminal_has_colour(stream: TextIO) -> bool:
    """Whether to colour what is written to `stream`: a terminal that is not dumb, and NO_COLOR not set.

    See https://no-color.org.
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int:
    """Columns to fill on `stream`: those of a terminal, within reason; `REPR_WIDTH` for anything else."""
    if not stream.isatty():
        return REPR_WIDTH
    return max(LEAST_WIDTH, min(_MOST_COLUMNS, shutil.get_terminal_size((REPR_WIDTH, 24)).columns))


@dataclass(frozen=True, slots=True)
class Paint:
    """Puts a style on a piece of text, or leaves it alone when `colour` is False."""

    colour: bool = False

    def __call__(self, text: str, style: str) -> str:
        """The text in a style; an unknown style is dim, so that any lane or signal may name one."""
        return f"\x1b[{_CODES.get(style, '2')}m{text}\x1b[0m" if self.colour and text else text
