"""Syntax of TypeScript that the grammar does not support, found in files with syntax errors.

- Members of a type without semicolons between them, if a member begins with ``<``, ``(`` or ``[``. The grammar reads
  such a member as a continuation of the line before.
- Variance in type parameters: ``interface Box<in out T>``.
- Exports of types: ``export type * from "./types"``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codeexplore.languages.base import Wrapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_TOKEN: Final = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"  # comments
    rb"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"  # strings
    rb"|=>|[<>(){}\[\]]",
    re.DOTALL,
)
_OPENING: Final = {b">": b"<", b")": b"(", b"}": b"{", b"]": b"["}
_SIGNATURE: Final = re.compile(rb"^[ \t]+(?=[<(\[])", re.MULTILINE)
_FOLLOWING: Final = re.compile(rb"\s*\??\s*([\[<(])")
_RESULT: Final = re.compile(rb"\s*:")
_ENDS_TYPE: Final = re.compile(rb"[\w$)\]}>\"'`]\Z")
_DECLARED: Final = re.compile(rb"\b(?:interface|class|type)\s+[\w$]+\s*(?=<)")
_VARIANCE: Final = re.compile(rb"[<,]\s*((?:in\s+)?out|in)(?=\s+[A-Za-z_$])")
_EXPORT: Final = re.compile(rb"^[ \t]*export[ \t]+(type)(?=[ \t]+\*)", re.MULTILINE)


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges to replace, if the tree has errors: words to blank, and blanks that become semicolons."""
    if not root.has_error:
        return []
    brackets = _Brackets(data)
    found = [Wrapping(*each.span(1), each.end(1), each.end(1)) for each in _EXPORT.finditer(data)]
    code = brackets.without_comments(data)
    end = 0
    for declared in _DECLARED.finditer(code):
        start = max(declared.end(), end)  # a declaration among the parameters of another was searched with it
        end = max(brackets.closing.get(declared.end(), 0), end)
        words = _VARIANCE.finditer(code, start, end)
        found.extend(Wrapping(*each.span(1), each.end(1), each.end(1)) for each in words)
    found.extend(Wrapping(start - 1, start, start, start, b";") for start in _separate_members(data, brackets))
    return sorted(found)


class _Brackets:
    """Matching brackets of a text outside strings and comments, found in one pass.

    `closing` maps the offset of an opening bracket to that of its closing bracket. `comments` maps the end of a comment
    to its start.
    """

    def __init__(self, data: bytes) -> None:
        self.closing: dict[int, int] = {}
        self.comments: dict[int, int] = {}
        stack: list[tuple[bytes, int]] = []
        for token in _TOKEN.finditer(data):
            text = token.group()
            if text[:2] in (b"//", b"/*"):
                self.comments[token.end()] = token.start()
            elif text in (b"<", b"(", b"{", b"["):
                stack.append((text, token.start()))
            elif text in _OPENING:
                if text != b">":  # a `<` without its `>` is an operator
                    while stack and stack[-1][0] == b"<":
                        stack.pop()
                if stack and stack[-1][0] == _OPENING[text]:
                    self.closing[stack.pop()[1]] = token.start()

    def without_comments(self, data: bytes) -> bytes:
        """Return the text with blanks in place of its comments."""
        blanked = bytearray(data)
        for end, start in self.comments.items():
            blanked[start:end] = b" " * (end - start)
        return bytes(blanked)

    def end_of_code(self, data: bytes, before: int) -> int:
        """Return the end of the last code before an offset. Blanks and comments between them are skipped."""
        while True:
            while before > 0 and data[before - 1] in b" \t\r\n":
                before -= 1
            if before not in self.comments:
                return before
            before = self.comments[before]


def _separate_members(data: bytes, brackets: _Brackets) -> Iterator[int]:
    """Yield the offsets of signatures like ``<T>(x: T): T`` that follow a type on the line before."""
    for line in _SIGNATURE.finditer(data):
        start = line.end()
        closed = start - 1
        for opening in (b"[", b"<", b"("):  # computed name, type parameters, parameters; each may be absent
            following = _FOLLOWING.match(data, closed + 1)
            if following is not None and following.group(1) == opening:
                closed = brackets.closing.get(following.start(1), len(data))
        end = brackets.end_of_code(data, line.start())
        if (
            data[closed : closed + 1] == b")"
            and _RESULT.match(data, closed + 1) is not None
            and _ENDS_TYPE.search(data, max(end - 1, 0), end) is not None
            and data[end - 2 : end] != b"=>"
        ):
            yield start
