"""Keys of YAML on two levels, found by indentation.

The tree-sitter grammar of YAML crashes the process if a text is nested some hundred levels deep. Therefore lines are
read instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeexplore.languages.base import Place

_KEY = re.compile(
    r" *(?P<items>(?:- +)*)(?!- )(?P<name>[\w./@$*+-][^:#\n]{0,200}?|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')"
    r"[ \t]{0,20}:(?:[ \t]+(?P<value>.*))?\r?$"
)
_BLOCK = re.compile(r"(?:[&!]\S+[ \t]+)*[|>][-+\d]*[ \t]*(?:#.*)?\r?$")


def yaml_keys(text: str) -> Iterator[Place]:
    """Yield the keys on the first two levels of each document. The texts of block scalars and lists are left out."""
    inner = 0  # indentation of the keys of the second level; 0 before the first of them
    scalar = -1  # indentation of the key whose block scalar is being passed over
    for number, row in enumerate(text.split("\n"), 1):
        indent = len(row) - len(row.lstrip(" "))
        if not row.strip() or (indent > scalar >= 0):
            continue
        scalar = -1
        found = _KEY.match(row)
        if found is None:
            continue
        if _BLOCK.match(found["value"] or ""):
            scalar = indent
        if found["items"]:
            continue
        if indent == 0:
            inner = 0
        elif not inner:
            inner = indent
        if indent in (0, inner):
            yield Place(number, 2 if indent else 1, "key", found["name"].strip("\"'"))
