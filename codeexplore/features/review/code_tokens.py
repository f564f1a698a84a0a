"""Tokens of a symbol's code, without comments, layout and documentation: two symbols are compared by them.

The tokens of a symbol do not include those of the symbols inside it. A node that contains such a symbol contributes its
named parts only: the keyword ``class`` and the braces around members say nothing that the members do not say.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from tree_sitter import Node

from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.source.notebook import python_view
from codeexplore.syntax.parse import GrammarError, ParseTimeout, TooDeep, check_depth, grammar, parse_unwrapped
from codeexplore.types import SourceFile, Span, Symbol

Tokens = tuple[str, ...]
Place = Literal["always", "condition", "alternative", "error"]
"""How code in a function runs: each time, in a branch of a condition or behind one that returns, in one of several
branches, or only in the handler of an error or a statement that raises one."""

_ON_ERROR = re.compile(r"(?:except|catch|rescue|raise|throw)(?:_\w+)?$")
_CHOICE = re.compile(r"(?:if|match|\w*switch|conditional|ternary)_(?:statement|expression)$")
_RETURN = re.compile(r"return_(?:statement|expression)$")
_BRANCHES = ("body", "consequence", "alternative")
_STATEMENTS = ("import_statement", "import_from_statement", "future_import_statement")
_IMPORTS = frozenset((*_STATEMENTS, "import_declaration", "use_declaration", "preproc_include", "using_directive"))
"""Types and fields of nodes in tree-sitter's grammars."""


class Code(NamedTuple):
    """Tokens of one symbol. The body is what the grammar calls so; a constant has none.

    `types` are those that do nothing when the code runs (`Language.type_nodes`), such as annotations in Python.
    """

    header: Tokens
    body: Tokens
    imports: Tokens
    types: Tokens = ()


class FileCode:
    """The code of one file. Texts without a grammar, and files that can't be parsed, are compared by their words."""

    def __init__(self, file: SourceFile) -> None:
        language = registry.by_name("python" if file.language == "notebook" else file.language)
        text = python_view(file.text, file.cells) if file.language == "notebook" else file.text
        self._data = text.encode("utf-8", "replace")
        self._language = language
        self._root: Node | None = None
        self._first_returns: dict[int, int] = {}  # id of a block → end of the first statement that may return
        if language.level != "text":
            try:
                tree, _ = parse_unwrapped(grammar(language), language, self._data)
                check_depth(tree.root_node)
                self._root = tree.root_node
            except (GrammarError, ParseTimeout, TooDeep):
                self._root = None  # the words are compared

    def of(self, symbol: Symbol, inner: Iterable[Symbol] = ()) -> Code:
        """Return the code of a symbol; `inner` are the symbols inside it that are compared on their own."""
        spans = sorted((each.span.start_byte, each.span.end_byte) for each in inner)
        start, end = symbol.span.start_byte, symbol.span.end_byte
        if self._root is None or symbol.kind == "section":
            return Code((), self._words(start, end, spans), ())
        reader = _Reader(self._data, start, end, spans, self._language)
        node = self._root.descendant_for_byte_range(start, max(start, end - 1)) or self._root
        # the smallest node may be a part of the symbol: modifiers and the definition can be beside each other
        while node.parent is not None and not (node.start_byte <= start and node.end_byte >= end):
            node = node.parent
        reader.read(node)
        return Code(tuple(reader.header), tuple(reader.body), tuple(reader.imports), tuple(reader.types))

    def place(self, line: int, symbol: Symbol) -> Place:
        """Return how a line of a symbol, which is 1-based, runs; "always" for a text without a grammar."""
        around = list(self._around(line, symbol))
        if any(_ON_ERROR.match(node.type) for node in around):
            return "error"
        if any(map(_is_branch, around)):
            return "alternative"
        behind = any(_is_branch(node, several=False) or self._is_behind_return(node) for node in around)
        return "condition" if behind else "always"

    def _is_behind_return(self, node: Node) -> bool:
        """Return True if a statement before a node, in its block, is a condition of which a branch ends in a return."""
        block = node.parent
        if block is None:
            return False
        if block.id not in self._first_returns:
            found = (each.end_byte for each in block.named_children if _returns(each))
            self._first_returns[block.id] = next(found, len(self._data) + 1)
        return self._first_returns[block.id] <= node.start_byte

    def _around(self, line: int, symbol: Symbol) -> Iterator[Node]:
        """Yield the node at the start of a line and those around it, up to the symbol."""
        if self._root is None or not 1 <= line <= len(self._starts):
            return
        start = self._starts[line - 1]
        text = self._data[start : self._starts[line] if line < len(self._starts) else None]
        start += len(text) - len(text.lstrip())
        node = self._root.descendant_for_byte_range(start, start + 1)
        while node is not None and node.start_byte >= symbol.span.start_byte:
            yield node
            node = node.parent

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(rb"\n", self._data))]

    def text(self, span: Span) -> str:
        return self._data[span.start_byte : span.end_byte].decode("utf-8", "replace")

    def _words(self, start: int, end: int, inner: Sequence[tuple[int, int]]) -> Tokens:
        pieces, at = [], start
        for first, last in (*inner, (end, end)):
            pieces.append(self._data[at : max(at, first)])
            at = max(at, last)
        return tuple(b" ".join(pieces).decode("utf-8", "replace").split())


def _is_branch(node: Node, *, several: bool = True) -> bool:
    """Return True for a branch of a condition; with `several`, of one that has other branches."""
    choice = node.parent
    if choice is None or not _CHOICE.match(choice.type):
        return node.type.endswith("_case")  # of Go, without a field
    if several and choice.type.startswith("if") and choice.child_by_field_name("alternative") is None:
        return False
    return node in _branches(choice)


def _branches(choice: Node) -> list[Node]:
    return [each for name in _BRANCHES for each in choice.children_by_field_name(name)]


def _returns(node: Node) -> bool:
    """Return True for a condition of which a branch ends in a return."""
    if not _CHOICE.match(node.type):
        return False
    return any(_RETURN.match(each.named_children[-1].type) for each in _branches(node) if each.named_children)


class _Reader:
    """Collects the tokens of the nodes between two bytes. Bytes of inner symbols are left out."""

    def __init__(self, data: bytes, start: int, end: int, inner: Sequence[tuple[int, int]], language: Language) -> None:
        self._data, self._start, self._end, self._language = data, start, end, language
        self._inner, self._firsts = inner, [first for first, _ in inner]
        self.header: list[str] = []
        self.body: list[str] = []
        self.imports: list[str] = []
        self.types: list[str] = []

    def read(self, root: Node) -> None:
        """Read a node. It is not recursive: trees may be deeper than Python's stack."""
        pending: list[tuple[Node | None, list[str], str]] = [(root, self.header, "")]
        while pending:
            node, into, closing = pending.pop()
            if node is None:
                into.append(closing)
                continue
            if node.end_byte <= self._start or node.start_byte >= self._end or self._is_left_out(node):
                continue
            children = node.children
            if not children:
                text = self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")
                if text.strip() or node.is_named:  # some grammars have tokens for line ends; texts of blanks have names
                    into.append(text)
                continue
            parted = self._contains_inner(node) or node.start_byte < self._start or node.end_byte > self._end
            typed, kind = self._language.type_nodes, self._language.typed_nodes.get(node.type, node.type)
            if node.type in typed:
                into = self.types
            if node.type in _IMPORTS and not parted:
                into = self.imports
            elif not parted and kind:
                into.append(f"({kind}")
                pending.append((None, into, ")"))
            body = node.child_by_field_name("body") if into is self.header else None
            behind = ""
            for child in reversed(children):
                mark = not child.is_named and not child.children
                if not (parted and mark):  # the mark before a type, such as a colon, belongs to the type
                    own = self.types if mark and behind in typed else into
                    pending.append((child, self.body if body is not None and child == body else own, ""))
                behind = child.type

    def _is_left_out(self, node: Node) -> bool:
        """Return True for comments, docstrings and symbols inside."""
        if "comment" in node.type or (self._language.name == "python" and _is_docstring(node)):
            return True
        place = bisect.bisect_right(self._firsts, node.start_byte) - 1
        return place >= 0 and node.end_byte <= self._inner[place][1] and node.start_byte >= self._inner[place][0]

    def _contains_inner(self, node: Node) -> bool:
        place = bisect.bisect_left(self._firsts, node.start_byte)
        return place < len(self._firsts) and self._firsts[place] < node.end_byte


def _is_docstring(node: Node) -> bool:
    """Return True for a string that is a statement: Python evaluates it and does nothing."""
    if node.type == "expression_statement":
        return node.named_child_count == 1 and node.named_children[0].type == "string"
    return node.type == "string" and node.parent is not None and node.parent.type in ("block", "module")
