"""Parser of access paths: splits a path into its root and its steps.

`FileFacts` describes the form of paths. A step begins with the character that shows its kind: ``.name``, ``()``, ``(a,
b)`` for the few calls whose arguments are kept, ``[]``, ``[key]``, ``[*]``.
"""

from __future__ import annotations

import re

Parsed = tuple[str, tuple[str, ...]]

_PLAIN = re.compile(r"(?:\.[^.\[(]+|\(\)|\[[^\]\[]*\])*")
_STEP = re.compile(r"\.[^.\[(]+|\(\)|\[[^\]\[]*\]")
_ROOT = re.compile(r"[^.\[(]*")
_QUOTES = "\"'`"
_OPEN, _CLOSE = "([{<", ")]}>"
EMPTY: Parsed = ("", ())


def parse(path: str) -> Parsed:
    """Split a path into its root and steps. A malformed path gives ``("", ())``, as the empty path does."""
    found = _ROOT.match(path)
    end = found.end() if found else 0
    root = path[:end]
    if root == "%type":
        end = _closing(path, end)
        root = path[:end]
    if end == len(path):
        return root, ()
    if _PLAIN.fullmatch(path, end):
        return root, tuple(_STEP.findall(path, end))
    return _parse_nested(path, root, end)


def _parse_nested(path: str, root: str, position: int) -> Parsed:
    """Split a path whose steps contain nested brackets. `position` is the end of its root."""
    steps = []
    while position < len(path):
        if path[position] == ".":
            found = _ROOT.match(path, position + 1)
            end = found.end() if found else position
            if end == position + 1:
                return EMPTY
        elif path[position] in "([":
            end = _closing(path, position)
        else:
            return EMPTY
        if end <= position:
            return EMPTY
        steps.append(path[position:end])
        position = end
    return root, tuple(steps)


def _closing(path: str, position: int) -> int:
    """Return the index after the bracket that closes the bracket at `position`; -1 if it is not closed."""
    depth, quote = 0, ""
    for index in range(position, len(path)):
        char = path[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES:
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth == 0:
                return index + 1
    return -1


def split_arguments(step: str) -> tuple[str, ...]:
    """Return the arguments of a call step ``(a, b=c)``, without surrounding white space."""
    return split_top(step[1:-1])


def split_top(text: str) -> tuple[str, ...]:
    """Split a text at commas outside of brackets and quotes, into stripped parts; () for an empty text."""
    if not text.strip():
        return ()
    parts, depth, start, quote = [], 0, 0, ""
    previous = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in '"`' or (char == "'" and "'" in text[index + 1 :]):
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= previous not in "-=" or char != ">"  # not the arrow of a function type
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
        previous = char
    parts.append(text[start:].strip())
    return tuple(parts)


def last_name(path: str) -> tuple[str, str]:
    """Return the last name of a path and the part before it: ``a.b().run`` gives ``("run", "a.b()")``.

    Trailing calls and subscripts are skipped; a path without a name gives ``("", path)``.
    """
    root, steps = parse(path)
    for index in range(len(steps) - 1, -1, -1):
        if steps[index][0] == ".":
            return steps[index][1:], root + "".join(steps[:index])
    return (root, "") if root and root[0] != "%" else ("", path)
