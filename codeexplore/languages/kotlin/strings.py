"""Check of how deeply strings are nested: a string may contain an expression, which may contain a string, and so on.

The scanner of the Kotlin grammar can store at most 1,024 levels.
"""

from __future__ import annotations

import re

MAX_STRINGS = 500  # levels; half of the scanner's limit, and source written by people has at most three
_TOKEN = re.compile(rb"\\.|\"\"\"|\"|\$\{|[{}]|//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'", re.DOTALL)


def bears(data: bytes) -> bool:
    """Return True if at most `MAX_STRINGS` strings in `data` are nested in each other."""
    if data.count(b"${") <= MAX_STRINGS:
        return True
    around: list[bytes] = []  # open constructs: a string by its quote, a block, an expression in a string
    strings = 0
    for found in _TOKEN.finditer(data):
        token = found.group()
        inside = around[-1] if around else b""
        if inside[:1] == b'"':
            if token == inside:
                around.pop()
                strings -= 1
            elif token == b"${":
                around.append(token)
        elif token in (b'"', b'"""'):
            around.append(token)
            strings += 1
            if strings > MAX_STRINGS:
                return False
        elif token in (b"{", b"${"):
            around.append(b"{")
        elif token == b"}" and around:
            around.pop()
    return True
