"""Text of a repository made safe to look at: nothing invisible, nothing that turns the direction of writing.

A control character in a terminal can move the cursor or recolour what follows, and a bidirectional one can make source
read differently from what runs (https://trojansource.codes). Both are shown as what they are.
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
)  # letters that show as nothing


def visible(text: str) -> str:
    """The text with every control, bidi and invisible character spelt out, as in ``⟨U+202E⟩``.

    Newlines and tabs stay; a carriage return before a newline goes.
    """
    return _UNUSUAL.sub(_spell, text.replace("\r\n", "\n"))


def _spell(match: re.Match[str]) -> str:
    char = match[0]
    if char in _BLANK or unicodedata.category(char) in _HIDDEN:
        return f"⟨U+{ord(char):04X}⟩"
    return char


def visible_json(plain: Any, indent: int | None = None, *, ascii_only: bool = False) -> str:
    """Data as JSON text in which every such character is an escape: a terminal shows it, a reader gets it back."""
    text = json.dumps(plain, ensure_ascii=ascii_only, indent=indent)
    return _UNUSUAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if _spell(match) == char:
        return char
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"


def visible_xml(text: str) -> str:
    """Escaped text of XML with every such character that XML can hold as a reference: ``&#x202e;``."""
    return _UNUSUAL.sub(lambda match: match[0] if _spell(match) == match[0] else f"&#x{ord(match[0]):x};", text)


def visible_repr(text: str) -> str:
    """What a ``__repr__`` made of names and texts, on one line, nothing invisible."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
