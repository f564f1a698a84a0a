"""Declarators of C and C++: the names that they declare, such as ``f`` in ``*(*f)(int)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codeexplore.languages.declarative.grammar_shape import step_to

if TYPE_CHECKING:
    from tree_sitter import Node

NAMES: Final = frozenset({
    "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
    "operator_cast", "template_function", "template_type", "namespace_identifier", "nested_namespace_specifier",
})  # fmt: skip
"""Types of the nodes of names."""

MAX_DECLARATORS: Final = 20
"""Most declarators around a name; ``int (*(*f)(int))[3]`` has four."""


def name_node(node: Node) -> Node | None:
    """Return the node of the name that a definition declares; None if there is none."""
    if node.type.endswith("_specifier"):
        name = node.child_by_field_name("name")
        parent = node.parent if name is None else None
        return declared_name(parent) if parent is not None and parent.type == "type_definition" else name
    return declared_name(node) or node.child_by_field_name("name")


def declared_name(node: Node) -> Node | None:
    """Return the node of the name inside the declarator `node` and the declarators in it; None if there is none."""
    current: Node | None = node
    for _ in range(MAX_DECLARATORS):
        if current is None or current.type in NAMES:
            return current
        inner = current.child_by_field_name("declarator")
        if inner is None:
            if not current.type.endswith("_declarator"):
                return None
            inner = step_to(current, "-")
        current = inner
    return None


def declares_function(node: Node) -> bool:
    """Return True if the declarator `node` declares a function.

    For a variable that points to a function, return False.
    """
    current: Node | None = node
    for _ in range(MAX_DECLARATORS):
        if current is None:
            return False
        if current.type == "function_declarator":
            inner = current.child_by_field_name("declarator")
            return inner is not None and inner.type != "parenthesized_declarator"
        if current.type not in ("pointer_declarator", "reference_declarator", "init_declarator"):
            return False
        current = current.child_by_field_name("declarator") or step_to(current, "-")
    return False
