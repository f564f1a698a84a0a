"""What a TypeScript file declares for everyone: ``declare global { … }``, ``declare module "x" { … }``."""

from __future__ import annotations

import re
from typing import NamedTuple

_DECLARE_BLOCK = re.compile(r"""\bdeclare\s+(global|module\s+(?:"[^"\n]+"|'[^'\n]+'))\s*\{""")
_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{}]""", re.DOTALL)


class Ambient(NamedTuple):
    """A block whose declarations add to what other files declare. Lines are 1-based and inclusive."""

    first: int
    last: int
    where: str  # "the global scope", "module 'x'"


def blocks(text: str) -> tuple[Ambient, ...]:
    """The blocks of a file's text, in order. Braces in strings and comments don't count."""
    found: list[Ambient] = []
    opening = _DECLARE_BLOCK.search(text)
    while opening is not None:
        depth, end = 1, len(text)
        for token in _TOKEN.finditer(text, opening.end()):
            depth += (token[0] == "{") - (token[0] == "}")
            if not depth:
                end = token.end()
                break
        first = text.count("\n", 0, opening.start()) + 1
        where = "the global scope" if opening[1] == "global" else opening[1]
        found.append(Ambient(first, first + text.count("\n", opening.start(), end), where))
        opening = _DECLARE_BLOCK.search(text, end)
    return tuple(found)
