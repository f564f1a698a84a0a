"""Values that the parameters of closures, and the parts of tuples, get from containers.

``items.filter { it.ok() }`` runs its closure for each element of ``items``, so ``it`` has the access path ``items[*]``.
``for ((name, item) in table)`` takes the parts of each element: ``table[*][0]`` and ``table[*][1]``. In the languages
of this package closures are no symbols, and a parameter without a type has no other source.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.declared.grammar_shape import ShapedPaths
from codeexplore.languages.extraction import step_to, walk
from codeexplore.resolution.default_rules import METHODS

_MOST_OUTWARD: Final = 6  # nodes from a parameter to its closure, and from a closure to the call that gets it
_NAME: Final = re.compile(r"\w+$")
_PASSING: Final = words(
    "value_argument value_arguments call_suffix annotated_lambda argument argument_list arguments block"
)
"""Types of the nodes between a closure and the call that gets it."""
_ON_ITSELF: Final = frozenset({"let", "also", "takeIf", "takeUnless"})
"""Functions of every object that run a closure on it."""


def value_of_local(paths: ShapedPaths, node: Node) -> str:
    """Return the access path of the value that a tuple or a closure binds to the name `node`; "" for none."""
    shape, inner, around = paths.shape, node, node.parent
    while around is not None and around.type in shape.tuples and around.named_child_count == 1:
        inner, around = around, around.parent
    if around is None or around.type not in shape.tuples:
        return value_of_parameter(paths, node)
    outer, place = around.parent, [child.id for child in around.named_children].index(inner.id)
    if outer is None:
        return ""
    if outer.type in shape.elements:
        path = paths.path_of(walk(outer, *shape.elements[outer.type][2]))
        return f"{path}[*][{place}]" if path else ""
    held = walk(outer, *shape.declared[outer.type][2]) if outer.type in shape.declared else None
    path = value_of_parameter(paths, around) if held is None else paths.path_of(held)
    return f"{path}[{place}]" if path else ""


def value_of_parameter(paths: ShapedPaths, node: Node) -> str:
    """Return the access path of the value that a closure gets for its parameter `node`; "" if it is not known."""
    lists, current, place = paths.shape.closures, node, -1
    for _ in range(_MOST_OUTWARD):
        around = current.parent
        if around is None:
            break
        if around.type in lists:
            alone = around.child_by_field_name("parameters") == current
            return value_given(paths, around, max(place, 0)) if place >= 0 or alone else ""
        if around.type in lists.values():
            place = [child.id for child in around.named_children].index(current.id)
        current = around
    return ""


def value_given(paths: ShapedPaths, closure: Node, place: int) -> str:
    """Return the access path of the value that a closure gets at a place, 0-based; "" if it is not known."""
    shape, inner, call = paths.shape, closure, closure.parent
    while call is not None and call.type in _PASSING:
        inner, call = call, call.parent
    callee = step_to(call, shape.calls[call.type]) if call is not None and call.type in shape.calls else None
    steps = shape.attributes.get(callee.type) if callee is not None and callee != inner else None
    if steps is None or callee is None:
        return ""
    named, path = _NAME.search(paths.text(step_to(callee, steps[1]))), paths.path_of(paths.object_of(callee, steps[0]))
    name = named[0] if named is not None and path and path[0] != "%" else ""
    if name in _ON_ITSELF:
        return path if place == 0 else ""
    effect = METHODS.get(name, "")
    of_element = effect == "compare" or place == (effect == "fold" or name.endswith("Indexed"))
    return f"{path}[*]" if effect and of_element else ""
