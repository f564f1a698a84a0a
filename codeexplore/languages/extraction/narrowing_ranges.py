"""Lines on which a type test is known to be true, so that the tested name has a narrower type there.

In ``if isinstance(x, C): use(x)`` the test is true on the lines of the ``if`` branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tree_sitter import Node

_MAX_OUTWARD: Final = 12  # most operators around a test that are followed


class Lines(NamedTuple):
    """A range of lines: first and last line, 1-based, both included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Node types of a language's conditions and of the statements that depend on conditions.

    `branching` maps the type of a statement with the field ``condition`` to the field of the branch that runs if the
    condition is true. `whole` has the types of expressions in which the condition is true for the whole expression,
    such as ``a if test else b`` and a comprehension with ``if``.
    """

    through: frozenset[str] = frozenset({"parenthesized_expression"})
    joined: frozenset[str] = frozenset({"binary_expression"})
    negated: frozenset[str] = frozenset({"unary_expression"})
    branching: Mapping[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    asserting: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()  # statements that leave the block, such as return
    inside: frozenset[str] = frozenset()  # nodes around the statements of a branch

    def lines(self, test: Node, holds: bool = True) -> Lines | None:
        """Return the lines on which the expression `test` is known to be true, or if not `holds` false; else None."""
        current, joined = test, False
        for _ in range(_MAX_OUTWARD):
            outer = current.parent
            if outer is None:
                break
            kind = outer.type
            if kind in self.joined:
                signs = {child.type for child in outer.children if not child.is_named}
                if signs.isdisjoint(("and", "&&") if holds else ("or", "||")):
                    break
                joined = True
            elif kind in self.negated:
                holds = not holds
            elif kind in self.branching:
                return self._branch(outer, current, holds)
            elif kind in self.whole:
                return _lines_of(outer) if holds else None
            elif kind in self.asserting:
                return Lines(outer.start_point[0] + 1, _last_of(outer.parent)) if holds else None
            elif kind not in self.through:
                break
            current = outer
        return _lines_of(current) if joined else None

    def _branch(self, statement: Node, condition: Node, holds: bool) -> Lines | None:
        """Return the lines of `statement` on which the test inside its condition is true; None if there are none.

        If `holds` is True, the condition implies the test: these are the lines of its first branch. Otherwise the test
        is true if the condition is false. Then they are the lines after a branch that leaves the block, or else the
        other branch.
        """
        tested, branch = (statement.child_by_field_name(each) for each in ("condition", self.branching[statement.type]))
        if branch is None or tested is None or tested.start_byte != condition.start_byte:
            return None
        if holds:
            return Lines(statement.start_point[0] + 1, branch.end_point[0] + 1)
        statements = [child for child in branch.named_children if not child.is_extra]
        if statements and statements[-1].type in self.inside:
            statements = statements[-1].named_children
        last = statements[-1] if statements and branch.type not in self.leaving else branch
        if last.type in self.leaving and branch.end_point[0] < _last_of(statement.parent):
            return Lines(branch.end_point[0] + 2, _last_of(statement.parent))
        other = statement.child_by_field_name("alternative")
        return _lines_of(other) if other is not None else None


def _lines_of(node: Node) -> Lines:
    return Lines(node.start_point[0] + 1, node.end_point[0] + 1)


def _last_of(node: Node | None) -> int:
    return node.end_point[0] + 1 if node is not None else 0


C_FAMILY = Conditions(
    branching={"if_statement": "consequence", "while_statement": "body", "ternary_expression": "consequence"},
    leaving=frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"}),
)
"""The conditions of Java and JavaScript."""
