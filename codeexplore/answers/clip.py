"""Text of a repository, shortened to fit its place, with invisible characters escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len as cell_width

from codeexplore.types.visible import visible

__all__ = ["around", "cell_width", "cut", "first_sentence", "flat", "one_line", "pad", "shorten", "visible"]

_DOC_CHARS: Final = 160
_SENTENCE: Final = re.compile(  # the point of "i.e." or "e.g." does not end it
    r"\s*(?P<text>.+?)(?:(?<!\bi\.e)(?<!\be\.g)[.!?](?=\s|$)|\n\s*\n|\n\W{3,}(?=\n|\Z)|\Z)", re.DOTALL
)
_BEFORE = 30  # characters kept before the first match of a long line


def one_line(text: str) -> str:
    """Return the text on one line with invisible characters escaped.

    Newlines and runs of white space become one space.
    """
    return visible(" ".join(text.split()))


def flat(text: str) -> str:
    """Return the result of `one_line`, with the spaces at both ends kept.

    These spaces separate a piece of a line from its neighbours.
    """
    bare = text.strip(" ")
    before = len(text) - len(text.lstrip(" "))
    return text[:before] + one_line(bare) + text[before + len(bare) :]


def shorten(text: str, limit: int) -> str:
    """Return a path or name in at most `limit` characters.

    The middle is replaced by …, because both ends are informative.
    """
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text. If it is longer, … replaces its end."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def first_sentence(doc: str) -> str:
    """Return the first sentence of a documentation on one line, cut if it is long; "" if there is none."""
    match = _SENTENCE.match(doc)
    return cut(one_line(match["text"]), _DOC_CHARS) if match else ""


def around(text: str, spans: Sequence[tuple[int, int]], limit: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return at most `limit` characters of a line, and the spans in this text.

    The text begins shortly before the first span.
    """
    begin = max(0, spans[0][0] - _BEFORE) if spans and len(text) > limit and spans[0][1] > limit else 0
    shown = cut(("…" if begin else "") + text[begin:], limit)
    shift = begin - bool(begin)
    moved = ((start - shift, min(end - shift, len(shown))) for start, end in spans)
    return shown, tuple((start, end) for start, end in moved if start < end)


def pad(text: str, width: int) -> str:
    """Return the text, filled with spaces to `width` terminal columns."""
    return text + " " * max(0, width - cell_width(text))
