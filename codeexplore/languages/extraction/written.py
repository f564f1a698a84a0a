"""What expressions mean, remembered by what is written.

The same names, calls and lists of arguments are written over and over. Where a file has no syntax errors, a node of one
kind with the same text has the same access path, unless the path names a place; so the tree is asked only once.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

REMEMBERED = 200_000
"""Expressions that are remembered, and lists of arguments: some tens of megabytes at most."""

SHORT_BYTES = 100
"""Expressions up to this length are remembered: plain dotted names are shorter."""

ARGUMENTS_BYTES = 300
"""Lists of arguments up to this length are remembered: longer ones are rarely written twice."""


class Written:
    """Text of the nodes of one file, and what was learned from the text of other nodes, across files."""

    simple_path = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")  # what is its own access path as written

    told_apart: tuple[str, ...] = ()  # endings of callees whose calls say more than that they call

    def __init__(self) -> None:
        self.data = b""
        self.as_written = False
        """Whether the tree is that of the text as it stands: without errors, nothing blanked."""
        self._paths: dict[bytes, str] = {}
        self._all_callees: dict[bytes, str] = {}
        self._all_arguments: dict[bytes, tuple[str, ...]] = {}
        # both are empty in a file that is not as written
        self._callees = self._all_callees  # what stands, on one line, before the parenthesis of a call
        self._arguments = self._all_arguments  # parentheses included

    def read_from(self, data: bytes) -> None:
        """Turn to another file's UTF-8 text."""
        self.data = data
        for remembered in (self._paths, self._all_callees, self._all_arguments):
            if len(remembered) > REMEMBERED:
                remembered.clear()
        self._callees = self._all_callees if self.as_written else {}
        self._arguments = self._all_arguments if self.as_written else {}

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return sys.intern(self.data[node.start_byte : node.end_byte].decode("utf-8", "replace"))

    def path_written(self, written: bytes) -> str | None:
        """The access path of an expression, by its text; None where that was not met before and does not tell."""
        path = self._paths.get(written)
        if path is None and len(written) <= SHORT_BYTES and self.as_written:
            path = self.plain_path(written)
            if path is not None:
                self._paths[written] = path
        return path

    def plain_path(self, written: bytes) -> str | None:
        """The access path that an expression's text tells by itself. Languages add what their texts tell."""
        text = written.decode("utf-8", "replace")
        return sys.intern(text) if self.simple_path.fullmatch(text) else None

    def plain_arguments(self, written: bytes) -> tuple[str, ...] | None:
        """The access paths that the text of a call's arguments tells by itself. Languages say what theirs tell."""
        return None

    def call_written(self, start: int, opening: int, end: int) -> tuple[str, tuple[str, ...]] | None:
        """Paths of a call's callee and arguments where they are plain, to be remembered; None where they are not."""
        if opening < 0 or opening - start > SHORT_BYTES or end - opening > ARGUMENTS_BYTES or not self.as_written:
            return None
        written = self.data[start:opening]
        callee = self.path_written(written)
        if not callee or b"\n" in written or callee.endswith(self.told_apart):
            return None
        self._callees[written] = callee
        listed = self.data[opening:end]
        arguments = self._arguments.get(listed)
        if arguments is None:
            arguments = self.plain_arguments(listed)
            if arguments is None:
                return None
            self._arguments[listed] = arguments
        return callee, arguments

    def remember_arguments(self, node: Node, arguments: tuple[str, ...]) -> None:
        """Keep the paths of a call's arguments for others that are written alike."""
        start, end = node.start_byte, node.end_byte
        if self.as_written and end - start <= ARGUMENTS_BYTES and ":" not in "".join(arguments):
            self._arguments[self.data[start:end]] = arguments
