"""Text of a repository made to fit where it is shown, nothing in it invisible."""

from __future__ import annotations

import unicodedata

from codeexplore.sanitize import visible

__all__ = ["cell_width", "cut", "one_line", "pad", "shorten", "visible"]


def one_line(text: str) -> str:
    """`visible`, on one line: newlines and runs of white space become single spaces."""
    return visible(" ".join(text.split()))


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters of a path or name; … replaces the middle, since both ends are informative."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the end replaced by … when there are more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cell_width(text: str) -> int:
    """Return the number of terminal columns of a text: 2 for wide characters, 0 for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, width: int) -> str:
    """The text filled with spaces to `width` terminal columns."""
    return text + " " * max(0, width - cell_width(text))
