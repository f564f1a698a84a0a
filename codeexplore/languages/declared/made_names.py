"""Names of members that are built at run time: ``send("read_#{kind}")``, ``$this->{'read' . $kind}()``.

A reference to one has the path ``%member(self,'read_*')``. The resolution finds the members whose names fit, as it does
for Python's ``getattr(self, "read_" + kind)``; see `MODEL`. A name that is read from a literal table, or in a loop over
one, is one of the names in the literal: ``send(TABLE[key])``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import step_to, walk
from codeexplore.resolution.language_rules import PUBLIC
from codeexplore.types import Reference

MODEL: Final = {
    "literals": {"%member": "member", "%made": "made"},
    "functions": {"member": "member", "made": "may_make"},
}
"""Models of built-ins for references to built names, and for instances that functions outside make: ``%made(T)``."""

_TEXTS: Final = words("string encapsed_string simple_symbol delimited_symbol")
_JOINED: Final = words("binary binary_expression")
_SAME: Final = words("to_sym to_s intern")  # methods that give the same name
_PATTERN: Final = re.compile(r"(?=(?:\**\w){2})[\w*]+[?!=]?")
_MOST_JOINED: Final = 8
_LISTS: Final = words("array string_array symbol_array hash array_creation_expression")
_ITEMS: Final = words("pair array_element_initializer")  # a value, which may have a key before it
_READING: Final = words("element_reference subscript_expression")
_READERS: Final = words("fetch dig")  # methods that read one value of a table
_BLOCKS: Final = words("block do_block")
_TEXT_ITEMS: Final = _TEXTS | words("bare_string bare_symbol")
_MOST_NAMES: Final = 64
_MOST_AROUND: Final = 12
_LAST_NAME: Final = re.compile(r"(?<!\w)\w+$")
_OWN: Final = words("self static $this this")


class MadeNames:
    """The names that the code of one file builds, and the members that it uses by them."""

    def __init__(self, text: Callable[[Node], str]) -> None:
        self._text = text
        self._tables: dict[str, tuple[str, ...]] = {}  # name → the names in the only literal that it gets
        self._read: dict[tuple[int, str], Node] = {}  # scope, variable → the table from which it is read
        self._held: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)  # scope, variable → patterns
        # variable with the name, receiver, names if nothing is known of it, use of the member
        self._uses: list[tuple[str, str, tuple[str, ...], Reference, Node | None]] = []

    def pattern(self, node: Node) -> str:
        """Return the name that an expression builds, with a star for each part that is not known; "" for others."""
        made = re.sub(r"\*+", "*", "".join(self._parts(node, _MOST_JOINED)))
        return made if _PATTERN.fullmatch(made) else ""

    def _parts(self, node: Node, depth: int) -> Iterator[str]:
        children = node.named_children
        if node.type in _TEXT_ITEMS:
            for child in children:
                yield self._text(child) if child.type == "string_content" else "*"
            if not children:
                yield self._text(node).strip(":\"'")
        elif node.type in _JOINED and depth and node.children[1].type in ("+", "."):
            yield from self._parts(children[0], depth - 1)
            yield from self._parts(children[-1], depth - 1)
        elif node.type == "call" and depth and self._text(children[-1]) in _SAME:
            yield from self._parts(children[0], depth - 1)
        else:
            yield "*"

    def note(self, scope: int, variable: str, value: Node) -> None:
        """Store the name that is assigned to a variable."""
        if pattern := self.pattern(value):
            self._held[scope, variable][pattern] = None
        elif (table := self._table_of(value)) is not None:
            self._read[scope, variable] = table
        elif self._literal(value) is not None:
            name, names = self._last_name(variable), self._names_in(value)
            self._tables[name] = names if self._tables.get(name, names) == names else ()

    def _last_name(self, text: str) -> str:
        found = _LAST_NAME.search(text)
        return found.group() if found is not None else ""

    def _literal(self, node: Node) -> Node | None:
        """Return the literal container that an expression is; None for another expression."""
        if node.type == "call" and node.named_child_count == 2 and self._text(node.named_children[1]) == "freeze":
            node = node.named_children[0]
        return node if node.type in _LISTS else None

    def _names_in(self, node: Node) -> tuple[str, ...]:
        """Return the values of a literal container, or of the only one that a name gets, if all of them are names."""
        literal = self._literal(node)
        if literal is None:
            return self._tables.get(self._last_name(self._text(node)), ())
        if literal.named_child_count > _MOST_NAMES:
            return ()
        items = [each for each in literal.named_children if each.type != "comment"]
        values = [each.named_children[-1] if each.type in _ITEMS and each.named_child_count else each for each in items]
        names = [self.pattern(each) if each.type in _TEXT_ITEMS else "" for each in values]
        return tuple(names) if all(map(str.isidentifier, names)) else ()

    def _table_of(self, node: Node) -> Node | None:
        """Return the container of which an expression reads a value: ``TABLE[key]``, ``self::TABLE[$key]``."""
        children = node.named_children
        if node.type in _READING:
            return children[0] if children else None
        method = node.child_by_field_name("method")
        return children[0] if node.type == "call" and self._text(method or node) in _READERS else None

    def _looped(self, name: Node) -> Node | None:
        """Return the container through which a loop around the variable `name` goes."""
        text, around = self._text(name), name.parent
        for _ in range(_MOST_AROUND):
            if around is None:
                break
            if around.type == "foreach_statement" and around.named_child_count > 1:
                held, variable = around.named_children[:2]
                variable = variable.named_children[-1] if variable.type == "pair" else variable
                if self._text(variable) == text:
                    return held
            elif around.type in _BLOCKS and text in self._parameters(step_to(around, "")):
                return walk(around, "^", "receiver")
            around = around.parent
        return None

    def _parameters(self, first: Node | None) -> list[str]:
        """Return the texts in the first node of a block, which has its parameters."""
        return list(map(self._text, first.named_children)) if first and first.named_child_count <= _MOST_NAMES else []

    def use(self, receiver: str, name: Node, reference: Reference, unknown: str = PUBLIC) -> None:
        """Store a use, with any path, of the member of `receiver` that an expression names.

        If nothing is known of the name, `unknown` says which members of another object it may have.
        """
        pattern, variable = self.pattern(name), self._text(name)
        if pattern:
            self._held[reference.scope, f"={pattern}"][pattern] = None
        others = () if receiver in _OWN else (unknown,)
        table = None if pattern else self._table_of(name) or self._looped(name)
        self._uses.append((f"={pattern}" if pattern else variable, receiver, others, reference, table))

    def references(self) -> Iterator[Reference]:
        """Yield a reference for each use and each name that it may have.

        Of another object, a member of any name may be used. The text of a file tells which objects use their own.
        """
        for variable, receiver, others, reference, used in self._uses:
            table = used or self._read.get((reference.scope, variable))
            names = self._names_in(table) if table is not None else ()
            for pattern in names or self._held.get((reference.scope, variable), others):
                built = names or "*" in pattern
                made = f"%member({receiver},'{pattern}')" if built else f"{receiver}.{pattern}"
                yield reference._replace(path=made)
