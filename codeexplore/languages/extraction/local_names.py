"""Names that are known in a part of a function only: from their declaration to the end of their block.

The facts have one name space for each function. If a function also uses the name of a local outside of its block, the
local gets a name of its own in the facts: ``notify`` becomes ``notifyʹ1``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.types import CALLABLE_KINDS, LOCAL_MARK, Binding, Reference, Return, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"(?<![\w.:%'\"])[^\W\d]\w*(?!\w|=(?!=))")
"""A name that begins an access path, which may be inside of another one; not the name of an argument."""

_MOST_AROUND = 200  # locals at one place; more are in generated code


class _Local(NamedTuple):
    first: int  # first byte at which the name is known
    end: int
    scope: int
    name: str
    own: str  # its name in the facts


class LocalNames:
    """The locals of one file, and the rows of facts in which their names are replaced.

    `handle` gives the rows about a node the own names of the locals that are known there. At the end, `settle` gives
    the plain names back to the locals of functions that hide nothing.
    """

    def __init__(self, bindings: list[Binding], references: list[Reference], returns: list[Return]) -> None:
        self.bindings, self.references, self.returns = bindings, references, returns
        self.around: list[_Local] = []  # locals whose block is not yet at its end
        self._owners: dict[str, tuple[int, str]] = {}  # own name → scope and plain name
        self._numbers: Counter[str] = Counter()

    def begin(self, symbols: Sequence[Symbol], parents: list[int]) -> None:
        """Start with the next file, when its parameters are bound. `parents` are the scopes around its scopes."""
        self.around.clear()
        self._owners.clear()
        self._numbers.clear()
        self._symbols, self._parents = symbols, parents
        self._parameters = {(row.scope, row.name) for row in self.bindings}
        self._known: Mapping[str, str] = {}
        self._valid = (-1, -1)  # the scope of `_known`, and the byte at which it changes

    def declare(self, scope: int, name: str, first: int, end: int) -> str:
        """Return the own name of a local that is known from byte `first` to byte `end`."""
        if len(self.around) >= _MOST_AROUND:
            return name
        for each in self.around:
            if each.name == name and each.end == end and each.scope == scope:  # declared again in the same block
                return each.own
        self._numbers[name] += 1
        own = f"{name}{LOCAL_MARK}{self._numbers[name]}"
        self._owners[own] = scope, name
        self.around.append(_Local(first, end, scope, name, own))
        self._valid = -1, -1
        return own

    def handle(self, handler: Callable[[int, Node], None], scope: int, node: Node) -> None:
        """Call a handler with a node, and replace the names of known locals in the rows that it adds."""
        start = node.start_byte
        if self._valid[0] != scope or start >= self._valid[1]:
            self._look(scope, start)
        known, before = self._known, (len(self.bindings), len(self.references), len(self.returns))
        handler(scope, node)
        if known:
            self._rename(known, *before)

    def _look(self, scope: int, start: int) -> None:
        """Find the locals that code in a scope knows at the byte `start`."""
        self.around[:] = around = [each for each in self.around if each.end > start]
        here = [each for each in around if each.first <= start and not self._is_hidden(each, scope)]
        self._known = {each.name: each.own for each in here}
        changes = [edge for each in around for edge in (each.first, each.end) if edge > start]
        self._valid = scope, min(changes, default=-1)

    def _is_hidden(self, local: _Local, scope: int) -> bool:
        """Return True if a function inside of the block has a parameter with the name of the local."""
        while scope != local.scope and scope > 0:
            if (scope, local.name) in self._parameters:
                return True
            scope = self._parents[scope]
        return False

    def settle(self) -> None:
        """Give the plain names back to the locals of functions that use these names for nothing else."""
        if not self._owners:
            return
        named = {name for _, name in self._owners.values()}
        used: set[tuple[int, str]] = set()

        def note(scope: int, text: str) -> None:
            for name in named.intersection(_NAME.findall(text)) if text else ():
                current = scope
                while (current, name) not in used:
                    used.add((current, name))
                    if current <= 0 or (current, name) in self._parameters:
                        break
                    current = self._parents[current]

        for scope, _, path, _, args in self.references:
            note(scope, path)
            for each in args:
                note(scope, each)
        for row in self.bindings:
            note(row.scope, row.name)
            note(row.scope, row.value)
        for scope, value, manner in self.returns:
            if manner != "type":
                note(scope, value)
        kinds = [symbol.kind for symbol in self._symbols]
        owners = self._owners.items()
        plain = {own: key[1] for own, key in owners if key not in used and kinds[key[0]] in CALLABLE_KINDS}
        if plain:
            self._rename(plain, 0, 0, 0)

    def _rename(self, names: Mapping[str, str], binding: int, reference: int, back: int) -> None:
        """Replace the names that begin paths, in the rows from these positions on."""

        def renamed(text: str) -> str:
            return _NAME.sub(lambda found: names.get(found[0], found[0]), text) if text else text

        for at in range(binding, len(self.bindings)):
            bound = self.bindings[at]
            self.bindings[at] = bound._replace(name=renamed(bound.name), value=renamed(bound.value))
        for at in range(reference, len(self.references)):
            used = self.references[at]
            self.references[at] = used._replace(path=renamed(used.path), args=tuple(map(renamed, used.args)))
        for at in range(back, len(self.returns)):
            given = self.returns[at]
            if given.manner != "type":
                self.returns[at] = given._replace(value=renamed(given.value))
