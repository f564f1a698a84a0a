"""Comments and decorators above definitions, and the text of comments without their markers and markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import Definition

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

    def _is_first(self, node: Node) -> bool:
        """Return True if there is no code before `node` on its first line."""
        return not self._data[node.start_byte - node.start_point[1] : node.start_byte].strip()

    def attach(self, definition: Definition) -> None:
        """Set the decorators, and the comments on own lines directly above the definition or between decorators."""
        top = definition.outer.start_point[0]
        comments: list[Node] = []
        decorators: list[Node] = []
        decorator = self._decorators.get(definition.start)
        while True:
            comment = self._comments.get(top - 1)
            if comment is not None and not (comment.start_point[0] < top and self._is_first(comment)):
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


def without(data: bytes, comments: Iterable[tuple[int, int]]) -> bytes:
    """Return `data` with spaces in place of comments, given by their bytes. Lines and positions stay the same."""
    code = bytearray(data)
    for start, end in comments:
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


_DIRECTIVE = re.compile(
    r"^\W*(?:eslint|tslint|jshint|jslint|@ts-|prettier-ignore|istanbul|c8 |v8 ignore|biome-ignore|noinspection|"
    r"#?(?:end)?region\b|webpack\w+:|@__PURE__|-{5,}|={5,})",
    re.IGNORECASE,
)
_INLINE_TAG = re.compile(r"\{@(\w+)\s*([^{}]*)\}")
_MARKUP = re.compile(
    r"</?(?:p|pre|code|b|i|em|strong|ul|ol|li|a|br|tt|h[1-6]|table|thead|tbody|tr|td|th|blockquote|dl|dt|dd|span|div|"
    r"sub|sup|img|var|kbd|cite|small|center|font)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_KEPT_WHOLE = ("@example", "@snippet", "@remarks")  # tags whose text may contain blank lines


def clean_doc(leading: str) -> str:
    """Return `leading`, the comments above a definition, as plain text without markup.

    If there are comments of the form ``/** … */``, the last of them is used. Otherwise line comments are used, except
    those that only address tools. Prose comes first, then block tags such as ``@param``. ``{@link Target label}``
    becomes its label, or its target if it has no label.
    """
    if not leading:
        return ""
    start = leading.rfind("/**")
    if start != -1 and not leading.startswith("/**/", start):
        leading = leading[start : end + 2] if (end := leading.find("*/", start)) != -1 else leading[start:]
    else:
        leading = "\n".join(line for line in leading.split("\n") if not _DIRECTIVE.match(line))
    text = clean_comment(leading)
    if "{@" in text:
        text = _INLINE_TAG.sub(_inline, text)
    if "<" in text:
        text = _MARKUP.sub("", text)
    if "&" in text:
        from html import unescape

        text = unescape(text)
    return _prose_first(text) if "@" in text else text


def _inline(match: re.Match[str]) -> str:
    tag, inside = match.group(1), " ".join(match.group(2).split())
    if tag in ("link", "linkplain", "linkcode"):
        target, _, label = inside.partition("|") if "|" in inside else inside.partition(" ")
        return label.strip() or target.strip().lstrip("#")
    return "" if tag == "inheritDoc" else inside


def _prose_first(text: str) -> str:
    """Return the text with its block tags, up to a blank line (an example up to the next tag), at the end."""
    prose: list[str] = []
    tags: list[str] = []
    current, whole = prose, False
    for line in text.split("\n"):
        if line.startswith("@"):
            current, whole = tags, line.startswith(_KEPT_WHOLE)
        elif not line.strip() and not whole:
            current = prose
        current.append(line)
    return "\n\n".join(part for part in ("\n".join(prose).strip(), "\n".join(tags).strip()) if part)
