"""Names of members that are built at run time: ``send("read_#{kind}")``, ``$this->{'read' . $kind}()``.

A reference to one has the path ``%member(self,'read_*')``. The resolution finds the members whose names fit, as it does
for Python's ``getattr(self, "read_" + kind)``; see `MODEL`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import words
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
_OWN: Final = words("self static $this this")


class MadeNames:
    """The names that the code of one file builds, and the members that it uses by them."""

    def __init__(self, text: Callable[[Node], str]) -> None:
        self._text = text
        self._held: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)  # scope, variable → patterns
        # variable with the name, receiver, names if nothing is known of it, use of the member
        self._uses: list[tuple[str, str, tuple[str, ...], Reference]] = []

    def pattern(self, node: Node) -> str:
        """Return the name that an expression builds, with a star for each part that is not known; "" for others."""
        made = re.sub(r"\*+", "*", "".join(self._parts(node, _MOST_JOINED)))
        return made if _PATTERN.fullmatch(made) else ""

    def _parts(self, node: Node, depth: int) -> Iterator[str]:
        children = node.named_children
        if node.type in _TEXTS:
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

    def use(self, receiver: str, name: Node, reference: Reference, unknown: str = PUBLIC) -> None:
        """Store a use, with any path, of the member of `receiver` that an expression names.

        If nothing is known of the name, `unknown` says which members of another object it may have.
        """
        pattern, variable = self.pattern(name), self._text(name)
        if pattern:
            self._held[reference.scope, f"={pattern}"][pattern] = None
        others = () if receiver in _OWN else (unknown,)
        self._uses.append((f"={pattern}" if pattern else variable, receiver, others, reference))

    def references(self) -> Iterator[Reference]:
        """Yield a reference for each use and each name that it may have.

        Of another object, a member of any name may be used. The text of a file tells which objects use their own.
        """
        for variable, receiver, others, reference in self._uses:
            for pattern in self._held.get((reference.scope, variable), others):
                made = f"%member({receiver},'{pattern}')" if "*" in pattern else f"{receiver}.{pattern}"
                yield reference._replace(path=made)
