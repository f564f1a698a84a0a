"""Error recovery beyond tree-sitter's own: text around an error, or inside a macro, that still holds definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping
from codeexplore.syntax.parse import Deadline, Grammar, ParseTimeout, TooDeep, parse

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

RETRIES = 4
"""Times a file is parsed again around its syntax errors."""

WRAPPED_DEPTH = 4
"""Macros around macros that are looked into."""

SWALLOWED_ROWS = 3
"""Line breaks in an ERROR from which on it may hide definitions."""


def parse_around_errors(grammar: Grammar, data: bytes, deadline: Deadline | None = None) -> tuple[Tree, int]:
    """Parse; where an error swallows lines, blank the line it starts on and try again, so that what follows is seen.

    Returns the tree and the number of syntax errors of the text as it is. Offsets are those of `data`: a blanked line
    keeps its length. A retry is kept only when less of the text lies in errors; one that takes too long is given up.
    """
    deadline = deadline or Deadline()
    tree = parse(grammar, data, deadline)
    errors, swallowed = _errors(tree.root_node)
    for _ in range(RETRIES):
        worst = max(swallowed, key=_rows, default=None)
        if worst is None or _rows(worst) < SWALLOWED_ROWS:
            break
        retried = _blank_line(data, _first_error_byte(worst))
        if retried == data:
            break
        try:
            again = parse(grammar, retried, deadline)
        except ParseTimeout:  # the tree that is there will do
            break
        _, left = _errors(again.root_node)
        if sum(map(_rows, left)) >= sum(map(_rows, swallowed)):
            break
        data, tree, swallowed = retried, again, left
    return tree, errors


def parse_unwrapped(
    grammar: Grammar, language: Language, data: bytes, deadline: Deadline | None = None
) -> tuple[Tree, int]:
    """Parse around errors; where macros hide definitions, blank them and parse again.

    Blanking keeps lines and offsets. It is kept when no more of the text lies in errors than before: macros are blanked
    all at once, and when that fails only those whose inside is plain source. The number of errors is that of the text
    as it is. When the time is up, the best tree so far is taken.

    Raises
    ------
    TooDeep
        The grammar does not bear the text.
    """
    if language.bears is not None and not language.bears(data):
        raise TooDeep(f"nested deeper than the grammar of {language.title} bears")
    deadline = deadline or Deadline()
    tree, errors = parse_around_errors(grammar, data, deadline)
    if language.wrappings is None:
        return tree, errors
    left = _badness(tree.root_node)
    kept: set[int] = set()
    try:
        for _ in range(WRAPPED_DEPTH):
            found = [each for each in language.wrappings(tree.root_node, data) if each.start not in kept]
            if not found:
                break
            again = _without(grammar, data, found, deadline)
            if _badness(again.root_node) > left:
                plain = [e for e in found if not _has_errors(grammar, data[e.inner_start : e.inner_end], deadline)]
                kept.update(each.start for each in found if each not in plain)
                if not plain or len(plain) == len(found):
                    break
                again, found = _without(grammar, data, plain, deadline), plain
                if _badness(again.root_node) > left:
                    break
            data, tree, left = _blank(data, found), again, _badness(again.root_node)
    except ParseTimeout:
        return tree, errors
    return tree, errors


def _without(grammar: Grammar, data: bytes, wrappings: list[Wrapping], deadline: Deadline) -> Tree:
    return parse_around_errors(grammar, _blank(data, wrappings), deadline)[0]


def _badness(root: Node) -> tuple[int, int]:
    """How much of a text the parser did not understand: rows in ERROR nodes, then their number."""
    count, found = _errors(root)
    return sum(map(_rows, found)), count


def _has_errors(grammar: Grammar, data: bytes, deadline: Deadline) -> bool:
    return parse(grammar, data, deadline).root_node.has_error


def _blank(data: bytes, wrappings: list[Wrapping]) -> bytes:
    """`data` with spaces for the wrappings, line ends kept."""
    text = bytearray(data)
    for each in wrappings:
        for start, end in ((each.start, each.inner_start), (each.inner_end, each.end)):
            text[start:end] = bytes(byte if byte in b"\r\n" else 0x20 for byte in data[start:end])
        if len(each.opening) == each.inner_start - each.start:
            text[each.start : each.inner_start] = each.opening
    return bytes(text)


def _blank_line(data: bytes, offset: int) -> bytes:
    start = data.rfind(b"\n", 0, offset) + 1
    end = data.find(b"\n", offset)
    end = len(data) if end < 0 else end
    return data[:start] + b" " * (end - start) + data[end:]


def _first_error_byte(error: Node) -> int:
    """Where the parser lost its way inside an ERROR: at an ERROR or MISSING node within it, else where it starts."""
    pending = list(error.children)
    first = error.start_byte
    while pending:
        node = pending.pop(0)
        if node.type == "ERROR" or node.is_missing:
            return node.start_byte
        if node.has_error:
            pending = list(node.children)
    return first


def _rows(node: Node) -> int:
    return node.end_point[0] - node.start_point[0]


def _errors(root: Node) -> tuple[int, list[Node]]:
    """Number of ERROR and MISSING nodes, not looking inside an ERROR, and the ERROR nodes."""
    if not root.has_error:
        return 0, []
    count, found, pending = 0, [], [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR":
            found.append(node)
            count += 1
        elif node.is_missing:
            count += 1
        elif node.has_error:
            pending.extend(node.children)
    return count, found
