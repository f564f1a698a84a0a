"""Comments and decorators above a definition, and their text without comment markers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.extraction.expressions import byte_range
from codeexplore.languages.extraction.records import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

_GAP = re.compile(rb"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)  # between a sibling decorator and its definition


class LeadingTrivia:
    """The comments and decorators of a file. `attach` gives each definition its own comments and decorators.

    A comment is found by its last line. If a decorator is a sibling of its definition in the syntax tree, it is found
    by the position at which the definition begins.
    """

    def __init__(self, comments: Sequence[Node], decorators: Sequence[Node], data: bytes) -> None:
        self._comments = {end_line(node) - 1: node for node in comments}
        self._data = data
        self._taken: set[int] = set()  # first bytes of comments that already belong to a definition
        self._decorators: dict[int, Node] = {}  # first byte of the next node → decorator
        for node in decorators:
            gap = _GAP.match(data, node.end_byte)
            self._decorators[gap.end() if gap is not None else node.end_byte] = node

    def _is_own_line_above(self, comment: Node, top: int) -> bool:
        """Return True if `comment` ends above row `top` and there is no code before it on its first line."""
        row, column = comment.start_point
        start = comment.start_byte
        return row < top and not self._data[start - column : start].strip()

    def attach(self, definition: Definition) -> None:
        """Set the comments and the decorators of `definition`.

        Its comments are on lines of their own, directly above the definition or between its decorators.
        """
        top = definition.outer.start_point[0]
        comments: list[Node] = []
        decorators: list[Node] = []
        decorator = self._decorators.get(definition.start)
        while True:
            comment = self._comments.get(top - 1)
            if comment is not None and not self._is_own_line_above(comment, top):
                comment = None
            if comment is not None and (decorator is None or comment.start_byte >= decorator.end_byte):
                comments.append(comment)
                top = comment.start_point[0]
            elif decorator is not None:
                decorators.append(decorator)
                top = decorator.start_point[0]
                decorator = self._decorators.get(decorator.start_byte)
            else:
                break
        if comments and comments[-1].start_byte in self._taken:  # they belong to the definition that encloses this one
            comments = []
            top = decorators[-1].start_point[0] if decorators else definition.outer.start_point[0]
        elif comments:
            self._taken.add(comments[-1].start_byte)
        definition.lead_line = top + 1
        definition.leading = comments[::-1]
        if decorators:
            definition.decorations = decorators[::-1]
            definition.start = decorators[-1].start_byte


_BLANK = bytes(ord("\n") if byte == ord("\n") else ord(" ") for byte in range(256))


def without_comments(data: bytes, comments: Sequence[Node]) -> bytes:
    """Return `data` with spaces in place of comments. Lines and positions stay the same."""
    code = bytearray(data)
    for start, end in map(byte_range, comments):
        code[start:end] = data[start:end].translate(_BLANK)
    return bytes(code)


def end_line(node: Node) -> int:
    """Return the last line of `node`, 1-based. A node that ends at the start of a line does not include this line."""
    row, column = node.end_point
    return row + 1 if column or row == node.start_point[0] else row


_COMMENT_MARKS = re.compile(
    r"^[ \t]*(?:/\*+!?|\*+/|///?!?|//!|\*(?!/)|#+!?|--+\[*\|?|;+|\{-\|?|%+)[ \t]?", re.MULTILINE
)


def clean_comment(text: str) -> str:
    """Return `text`, a comment, without comment markers. Paragraphs are kept."""
    if not text:
        return ""
    lines = [_without_end(line).rstrip() for line in _COMMENT_MARKS.sub("", text).split("\n")]
    return "\n".join(lines).strip()


def _without_end(line: str) -> str:
    """Return one line of a comment without the marker that ends the comment.

    A regular expression would take quadratic time for a line of blanks, so none is used.
    """
    line = line.rstrip(" \t")
    if line.endswith("*/"):
        return line[:-1].rstrip("*")
    return line.removesuffix("-}")
