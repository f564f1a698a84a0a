"""Text of a repository made safe to look at: nothing invisible, nothing that turns the direction of writing.

A control character in a terminal can move the cursor or recolour what follows, and a bidirectional one can make source
read differently from what runs (https://trojansource.codes). Both are shown as what they are.
"""

from __future__ import annotations

import re
import unicodedata

# Cc without newline and tab; the format characters (soft hyphen, zero width, bidi, tags, BOM); line and paragraph
# separators; surrogates; variation selectors beyond emoji style; fillers that show as nothing
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000110bd\U000110cd\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """The text with every control, bidi and invisible character spelt out, as in ``⟨U+202E⟩``.

    Newlines and tabs stay; a carriage return before a newline goes.
    """
    return _HIDDEN.sub(_spell, text.replace("\r\n", "\n"))


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
    return f"⟨U+{ord(match[0]):04X}⟩"
