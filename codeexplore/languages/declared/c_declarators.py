"""Declarators of C and C++: the name, the type's marks and the parameters around which a declaration is written.

``int (*table[4])(char)`` declares ``table``. A macro may stand where the grammar knows a declarator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import children_of, step_to

NAMES: Final = words(
    """
    identifier field_identifier type_identifier qualified_identifier destructor_name operator_name operator_cast
    template_function template_type namespace_identifier nested_namespace_specifier
    """
)
"""Types of the nodes of names."""
BARE: Final = frozenset({"type_identifier", "qualified_identifier"})
MAX_DECLARATORS: Final = 20
"""Most declarators around a name; ``int (*(*f)(int))[3]`` has four."""


def bare_names(declarator: Node | None, kinds: frozenset[str] = BARE, most: int | None = None) -> list[Node]:
    """Return the first `most` parameters of a declarator if they are single names, as the arguments of a macro are."""
    given = children_of(declarator, "parameters")[:most]
    names = [child.child_by_field_name("type") for child in given if child.named_child_count == 1]
    found = [name for name in names if name is not None and name.type in kinds]
    return found if len(found) == len(given) else []


def defining_macro(node: Node) -> tuple[Node | None, list[Node]]:
    """Return the macro that defines a function, and the names in it: ``TEST_F(Suite, Name) { … }``; else None and [].

    In ``START_TEST(name) { … } END_TEST``, the grammar may take one of both for the type of the result. The parameters
    of the function may be behind the macro: ``BENCHMARK_F(Suite, Name)(State& state) { … }``.
    """
    declarator = node.child_by_field_name("declarator") if node.type == "function_definition" else None
    if declarator is None or node.parent is None or node.parent.type == "field_declaration_list":
        return None, []
    kind, macro = node.child_by_field_name("type"), declarator.child_by_field_name("declarator")
    if kind is not None and declarator.type == "parenthesized_declarator":
        names = [each for each in declarator.named_children if each.type == "identifier"]
        return (kind, names) if names and kind.type == "type_identifier" else (None, [])
    above = kind is None or (kind.end_point.row < declarator.start_point.row and _is_capital(kind, macro))
    if kind is None and macro is not None and macro.type == "function_declarator":
        inner, names = macro.child_by_field_name("declarator"), bare_names(macro, most=2)
        return (inner, names) if names and inner is not None and inner.type == "identifier" else (None, [])
    if not above or macro is None or macro.type != "identifier":
        return None, []
    # a function has a result type, and a constructor outside of its class a scope
    names = bare_names(declarator, BARE | {"primitive_type"})
    return (macro, names) if names else (None, [])


def is_in_branch(node: Node) -> bool:
    """Return True if a condition of the preprocessor around `node` has another branch."""
    around = node.parent
    while around is not None:
        if around.type.startswith("preproc_el") or (
            around.type.startswith("preproc_if") and around.child_by_field_name("alternative") is not None
        ):
            return True
        around = around.parent
    return False


def _is_capital(*nodes: Node | None) -> bool:
    return all(node is not None and node.text is not None and node.text.isupper() for node in nodes)


def declared_name(node: Node) -> Node | None:
    """Return the node of the name inside the declarator `node` and the declarators in it; None if there is none.

    For a function whose name is an argument of a macro, it is the argument: ``int API(name)(int a)``.
    """
    if arguments := defining_macro(node)[1]:
        return arguments[-1]
    current: Node | None = node
    for _ in range(MAX_DECLARATORS):
        if current is None or current.type in NAMES or current.type == "structured_binding_declarator":
            return current
        inner = current.child_by_field_name("declarator")
        if inner is None:
            if not current.type.endswith("_declarator"):
                return None
            inner = step_to(current, "-")
        elif current.type == inner.type == "function_declarator" and len(names := bare_names(inner)) == 1:
            inner = names[0]
        current = inner
    return None


def declarators(node: Node | None) -> Iterator[Node]:
    """Yield a declarator and the declarators in it, from the outside in."""
    for _ in range(MAX_DECLARATORS):
        if node is None:
            return
        yield node
        node = node.child_by_field_name("declarator") or step_to(node, "-")


def is_pointer(inner: Node) -> bool:
    """Return True if the declarator in a function's declarator makes it a pointer, unlike ``int (name)(int a)``."""
    named = inner.named_children[0] if inner.named_child_count else None
    while named is not None and named.type == "qualified_identifier":  # a pointer to a member: void (Shop::*run)()
        named = named.child_by_field_name("name")
    return "parenthesized" in inner.type and (named is None or named.type not in NAMES)


def declares_function(node: Node) -> bool:
    """Return True if the declarator `node` declares a function, and not a variable that points to one."""
    for current in declarators(node):
        if current.type == "function_declarator":
            inner = current.child_by_field_name("declarator")
            return inner is not None and not is_pointer(inner)
        if current.type not in ("pointer_declarator", "reference_declarator", "init_declarator"):
            return False
    return False
