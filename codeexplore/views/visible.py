"""Text of a repository made safe to look at: nothing invisible, nothing that turns the direction of writing.

A control character in a terminal can move the cursor or recolour what follows, and a bidirectional one can make source
read differently from what runs (https://trojansource.codes). Both are shown as what they are.
"""

from __future__ import annotations

import re
import unicodedata

_UNUSUAL = re.compile(r"[^\x20-\x7e\n\t]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format (bidi, zero width …), surrogate, line separators
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)  # letters that show as nothing


def visible(text: str) -> str:
    """The text with every control, bidi and invisible character spelt out, as in ``⟨U+202E⟩``.

    Newlines and tabs stay; a carriage return before a newline goes.
    """
    return _UNUSUAL.sub(_spell, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """`visible`, on one line: newlines and runs of white space become single spaces."""
    return visible(" ".join(text.split()))


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, the middle replaced by … when there are more: both ends of a path or name tell."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the end replaced by … when there are more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cell_width(text: str) -> int:
    """Columns that a terminal gives to a text: 2 for wide characters, 0 for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, width: int) -> str:
    """The text filled with spaces to `width` terminal columns."""
    return text + " " * max(0, width - cell_width(text))


def _spell(match: re.Match[str]) -> str:
    char = match[0]
    if char in _BLANK or unicodedata.category(char) in _HIDDEN:
        return f"⟨U+{ord(char):04X}⟩"
    return char
