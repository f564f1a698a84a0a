"""Search for the scope that declares an assigned name, in languages in which an assignment does not declare names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.extraction import Definition
from codeexplore.types import CALLABLE_KINDS, Binding, Import

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_CHAIN = 16
DECLARING = frozenset({"parameter", "keyword", "rest", "keywords", "variable", "element", "context", "exception"})


class Assigned:
    """The assignments to plain names in one file. They are collected until all declarations of the file are known."""

    def __init__(self) -> None:
        self.rows: set[int] = set()  # positions of the assignments in the file's list of bindings

    def settle(
        self, bindings: list[Binding], imports: Sequence[Import], placed: Sequence[Definition | None]
    ) -> list[int]:
        """Move each assignment to the innermost enclosing scope that declares its name.

        Returns
        -------
        list of int
            Positions in `bindings`, ascending, of the assignments whose name no enclosing scope declares. Their scope
            is not changed.
        """
        if not self.rows:
            return []
        declared = {(row.scope, row.name) for row in imports}
        declared.update((d.parent, d.name) for d in placed if d is not None and d.kind != "method")
        declared.update(
            (row.scope, row.name)
            for position, row in enumerate(bindings)
            if row.manner in DECLARING and position not in self.rows
        )
        parents = [0 if d is None else d.parent for d in placed]
        kinds = ["module" if d is None else d.kind for d in placed]
        left = []
        for position in sorted(self.rows):
            row = bindings[position]
            scope = row.scope
            while scope and ((scope, row.name) not in declared or not _holds_names(kinds[scope])):
                scope = parents[scope]
            if (scope, row.name) in declared:
                bindings[position] = row._replace(scope=scope)
            else:
                left.append(position)
        return left


def last_value(node: Node) -> Node:
    """Return the value of a chain of assignments: ``value`` for ``a = b = value``.

    At most `_MAX_CHAIN` assignments are followed.
    """
    for _ in range(_MAX_CHAIN):
        if node.type != "assignment_expression" or (inner := node.child_by_field_name("right")) is None:
            break
        node = inner
    return node


def _holds_names(kind: str) -> bool:
    return kind in CALLABLE_KINDS or kind == "module"
