"""Escape control, bidirectional and invisible characters in text of a repository before it is displayed.

In a terminal, a control character can move the cursor or change the colour of later text. A bidirectional character can
make source look different from the code that runs (https://trojansource.codes). Such characters are replaced by their
code points.

In this module, an *unsafe* character is a character of these kinds.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

_UNUSUAL = re.compile(r"[^\x20-\x7e\n\t]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format (bidi, zero width …), surrogate, line separators
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)  # letters that are displayed as nothing


def visible(text: str) -> str:
    """Return the text with every unsafe character written as ``⟨U+202E⟩``.

    Newlines and tabs stay. A carriage return before a newline is removed.
    """
    return _UNUSUAL.sub(_spell, text.replace("\r\n", "\n"))


def _spell(match: re.Match[str]) -> str:
    char = match[0]
    if char in _BLANK or unicodedata.category(char) in _HIDDEN:
        return f"⟨U+{ord(char):04X}⟩"
    return char


def visible_json(plain: Any, indent: int | None = None, *, ascii_only: bool = False) -> str:
    """Return data as JSON in which every unsafe character is a JSON escape. Parsing it restores the data."""
    text = json.dumps(plain, ensure_ascii=ascii_only, indent=indent)
    return _UNUSUAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if _spell(match) == char:
        return char
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"


def visible_xml(text: str) -> str:
    """Return XML text with unsafe characters as references such as ``&#x202e;``, if XML allows them."""
    return _UNUSUAL.sub(lambda match: match[0] if _spell(match) == match[0] else f"&#x{ord(match[0]):x};", text)


def visible_repr(text: str) -> str:
    """Return the text of a ``__repr__`` on one line, with every unsafe character written by its code point."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
