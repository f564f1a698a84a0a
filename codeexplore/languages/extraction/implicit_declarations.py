"""Search for the scope that declares an assigned name, in languages in which an assignment does not declare names."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import Definition
from codeexplore.types import CALLABLE_KINDS, Binding, Import

_MAX_CHAIN = 100  # the time grows with the square
_ASSIGNMENTS = frozenset({"assignment_expression", "assignment"})
DECLARING = frozenset({"parameter", "keyword", "rest", "keywords", "variable", "element", "context", "exception"})


class Assigned:
    """The assignments to plain names in one file. They are collected until all declarations of the file are known."""

    def __init__(self) -> None:
        self.rows: set[int] = set()  # positions of the assignments in the file's list of bindings

    def add(self, bindings: list[Binding], row: Binding, values: Sequence[str]) -> None:
        """Add the assignment `row` to `bindings`, once for each of its values."""
        if row.manner == "variable":
            self.rows.update(range(len(bindings), len(bindings) + max(1, len(values))))
        bindings.extend(row._replace(value=value) for value in values or ("",))

    def settle(
        self, bindings: list[Binding], imports: Sequence[Import], placed: Sequence[Definition | None]
    ) -> list[int]:
        """Move assignments to the innermost scopes that declare their names; return the positions of all others."""
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
            while scope and ((scope, row.name) not in declared or kinds[scope] not in (*CALLABLE_KINDS, "module")):
                scope = parents[scope]
            if (scope, row.name) in declared:
                bindings[position] = row._replace(scope=scope)
            else:
                left.append(position)
        return left


def last_value(node: Node) -> Node:
    """Return ``value`` for ``a = b = value``. At most `_MAX_CHAIN` assignments are followed."""
    for _ in range(_MAX_CHAIN):
        if node.type not in _ASSIGNMENTS or (inner := node.child_by_field_name("right")) is None:
            break
        node = inner
    return node


def last_line_if_sure(assignment: Node, bodies: Container[str]) -> int:
    """Return the last line of an assignment that always runs when its scope runs, else 0: one in a block of `bodies`.

    A block is given by its own type, or by the type of the node around it if it is a plain block.
    """
    statement = assignment.parent
    block = statement.parent if statement is not None and statement.type == "expression_statement" else None
    if statement is None or block is None:
        return 0
    around = block.parent if block.type in ("block", "statement_block") else block
    return statement.end_point[0] + 1 if around is not None and around.type in bodies else 0
