"""Text of a repository made to fit where it is shown, nothing in it invisible."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len as cell_width

from codeexplore.sanitize import visible

__all__ = ["around", "cell_width", "cut", "flat", "one_line", "pad", "shorten", "visible"]

_BEFORE = 30  # characters kept before the first match of a long line


def one_line(text: str) -> str:
    """`visible`, on one line: newlines and runs of white space become single spaces."""
    return visible(" ".join(text.split()))


def flat(text: str) -> str:
    """`one_line` with the spaces at both ends, which separate the piece of a line from its neighbours."""
    bare = text.strip(" ")
    before = len(text) - len(text.lstrip(" "))
    return text[:before] + one_line(bare) + text[before + len(bare) :]


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters of a path or name; … replaces the middle, since both ends are informative."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the end replaced by … when there are more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def around(text: str, spans: Sequence[tuple[int, int]], limit: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """At most `limit` characters of a line, from a little before its first span; the spans move with the text."""
    begin = max(0, spans[0][0] - _BEFORE) if spans and len(text) > limit and spans[0][1] > limit else 0
    shown = cut(("…" if begin else "") + text[begin:], limit)
    shift = begin - bool(begin)
    moved = ((start - shift, min(end - shift, len(shown))) for start, end in spans)
    return shown, tuple((start, end) for start, end in moved if start < end)


def pad(text: str, width: int) -> str:
    """The text filled with spaces to `width` terminal columns."""
    return text + " " * max(0, width - cell_width(text))
