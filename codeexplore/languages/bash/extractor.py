"""Extractor of Bash.

A command may be a call, an import (``source file``), or a call of another function (``run name``). Tests of the test
tool bats are functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.declarative.grammar_shape import Shape
from codeexplore.languages.declarative.paths import ShapedPaths
from codeexplore.languages.extraction import Definition
from codeexplore.types import Import, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_SOURCES = frozenset({"source", ".", "load", "bats_load_library"})
_RUNNERS = frozenset({"run", "command", "exec", "sudo", "time", "nohup", "trap", "builtin"})
_NAME = re.compile(r"[^\W\d][\w:.-]*")
_QUOTED = re.compile(r"([\"'])(.*?)\1?\Z", re.DOTALL)


class BashPaths(ShapedPaths):
    """Reader of the access paths of Bash."""

    def dotted(self, text: str) -> str:
        """Return the text unchanged, because ``a::b`` is one name in Bash."""
        return text


class BashExtractor(SymbolsExtractor):
    """Extractor of Bash, with handlers for the captures in ``tags.scm`` of this folder."""

    reader = BashPaths

    def __init__(self, shape: Shape, builtins: frozenset[str] = frozenset()) -> None:
        super().__init__(shape)
        self._builtins = builtins

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a function, or the quoted text of a test."""
        name = self.name_node(kind, node)
        if name is None:
            return ""
        text = self.text(name)
        if text[:1] in ("'", '"'):
            end = self.data.find(b"\n", name.start_byte)
            line = self.data[name.start_byte : end if end >= 0 else None].decode("utf-8", "replace")
            closing = line.find(text[0], 1)
            return line[1:closing] if closing > 0 else text.strip("\"'")
        return text

    def signature(self, definition: Definition) -> str:
        """Return the signature of a function, or the line of a test."""
        node = definition.node
        if self.data[node.start_byte : node.start_byte + 1] not in (b'"', b"'"):
            return super().signature(definition)
        start = self.data.rfind(b"\n", 0, node.start_byte) + 1
        return self.data[start : node.start_byte].decode("utf-8", "replace").strip() + f' "{definition.name}"'

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a command as a call.

        For ``source file``, add an import of the file; for ``run name``, add a call of ``name``.
        """
        if path not in _SOURCES and path not in _RUNNERS:
            if path not in self._builtins and _NAME.fullmatch(path):
                super().call(scope, path, node, line)
            return
        argument = node.child_by_field_name("argument")
        if argument is None:
            return
        text = self.text(argument).strip("\"'")
        if path in _SOURCES:
            self.imports.append(Import(scope, "*", text, "*", node.start_point[0] + 1))
        elif _NAME.fullmatch(text):
            super().call(scope, text, node)
