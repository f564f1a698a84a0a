"""Values that the parameters of closures, and the parts of tuples, get from containers.

``items.filter { it.ok() }`` runs its closure for each element of ``items``, so ``it`` has the access path ``items[*]``.
``for ((name, item) in table)`` takes the parts of each element: ``table[*][0]`` and ``table[*][1]``. In the languages
of this package closures are no symbols, and a parameter without a type has no other source.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.declared.grammar_shape import Shape, ShapedPaths
from codeexplore.languages.extraction.expressions import step_to, walk
from codeexplore.resolution.default_rules import METHODS, TYPES

_MOST_OUTWARD: Final = 6  # nodes from a parameter to its closure, and from a closure to the call that gets it
_MOST_PLACES: Final = 64  # parts of a tuple, or parameters of a closure, that are told apart
_MOST_INWARD: Final = 16  # expressions in each other, as in closures in closures and chains of calls with closures
_NAME: Final = re.compile(r"(?<!\w)\w+$")
_MOST_BYTES: Final = 200  # of the head of a new container
_PARAMETER: Final = re.compile(r"\(?\s*(\w+)")
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
    outer, place = around.parent, place_in(around, inner)
    if outer is None or place < 0:
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
            place = place_in(around, current)
            if place < 0:
                break
        current = around
    return ""


def place_in(around: Node, node: Node) -> int:
    """Return the place of a node among the children around it, from 0 on; -1 behind the first `_MOST_PLACES`."""
    places = range(min(around.named_child_count, _MOST_PLACES))
    return next((place for place in places if around.named_child(place) == node), -1)


def value_given(paths: ShapedPaths, closure: Node, place: int) -> str:
    """Return the access path of the value that a closure gets at a place, 0-based; "" if it is not known."""
    shape, inner, call = paths.shape, closure, closure.parent
    while call is not None and call.type in _PASSING:
        inner, call = call, call.parent
    callee = step_to(call, shape.calls[call.type]) if call is not None and call.type in shape.calls else None
    if callee is None or callee == inner:
        return ""
    owner, name = _called(paths, callee)
    path = paths.path_of(owner)
    if not path or path[0] == "%":
        return ""
    if name in _ON_ITSELF:
        return path if place == 0 else ""
    effect = METHODS.get(name, "")
    of_element = effect == "compare" or place == (effect == "fold" or name.endswith("Indexed"))
    return f"{path}[*]" if effect and of_element else ""


def _called(paths: ShapedPaths, callee: Node) -> tuple[Node | None, str]:
    """Return the object and the name of a method that is called; None and "" for another function."""
    steps = paths.shape.attributes.get(callee.type)
    if steps is None:
        return None, ""
    named = _NAME.search(paths.text(step_to(callee, steps[1])))
    return paths.object_of(callee, steps[0]), named[0] if named is not None else ""


_MAKING: Final = table(
    {
        "List": """
        listOf mutableListOf arrayListOf emptyList setOf mutableSetOf hashSetOf linkedSetOf emptySet arrayOf emptyArray
        sequenceOf emptySequence arrayOfNulls listOfNotNull
        """,
        "Map": "mapOf mutableMapOf hashMapOf linkedMapOf sortedMapOf emptyMap",
    }
)
"""Functions that make a container of the types in their type arguments → a type of this kind."""
_GENERIC: Final = re.compile(r"(?:new\s+)?(?:\w+\.)*(\w+)\s*([<\[][\w.,:?<>\[\] ]{1,80}[>\]])(?=\s*(?:[({]|$))")


class ClosurePaths(ShapedPaths):
    """Reader of access paths whose calls have the result of a closure: ``items.map(->items[*].owner)``.

    A container that is made with its types is a value of its type: ``%type(List<Item>)`` for ``new List<Item>()``.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self._inward = 0  # expressions around the one that is read, whose paths depend on its path
        self._steps: dict[int, str] = {}  # id of a call's node → its step: each depends on all calls before it

    def read_from(self, data: bytes) -> None:
        super().read_from(data)
        self._steps.clear()

    def _path(self, node: Node) -> str:
        if self._inward >= _MOST_INWARD:
            return ""
        written = self.data[node.start_byte : min(node.end_byte, node.start_byte + _MOST_BYTES)]
        if (b"<" in written or b"[" in written) and (made := self.container_made(node, written)):
            return made
        self._inward += 1
        try:
            return super()._path(node)
        finally:
            self._inward -= 1

    def container_made(self, node: Node, written: bytes) -> str:
        """Return the path of a new container whose types are written, ``new List<Item>()``; "" for other nodes."""
        if node.type not in self.shape.calls and node.type not in self.shape.news:
            return ""
        found = _GENERIC.match(written.decode("utf-8", "replace"))
        name = _MAKING.get(found[1], found[1]) if found is not None else ""
        if found is None or TYPES.get(name) not in ("sequence", "map"):
            return ""
        callee = step_to(node, self.shape.calls[node.type]) if node.type in self.shape.calls else None
        chained = callee is not None and callee.type in self.shape.attributes
        return "" if chained else f"%type({name}{found[2]})"

    def call_step(self, node: Node) -> str:
        step = self._steps.get(node.id)
        if step is None:
            callee = step_to(node, self.shape.calls[node.type])
            name = _called(self, callee)[1] if callee is not None else ""
            given = self.result_given(node) if METHODS.get(name) in ("map", "call") else ""
            step = self._steps[node.id] = self.kept_call([f"->{given}"]) if given else super().call_step(node)
        return step

    def result_given(self, call: Node) -> str:
        """Return the access path of the result of the closure that a call gets as its last argument; "" without one."""
        current = call
        for _ in range(_MOST_OUTWARD):
            if current.named_child_count == 0:
                break
            current = current.named_children[-1]
            if current.type in self.shape.closures:
                return self._result_of(current)
            if current.type not in _PASSING:
                break
        return ""

    def _result_of(self, closure: Node) -> str:
        """Return the access path of the last value in a closure, in terms of what it gets; "" if that is not known."""
        last = closure.named_children[-1] if closure.named_child_count else None
        if last is not None and last.type == "statements":
            last = last.named_children[-1] if last.named_child_count else None
        path, given = self.path_of(last), (*self._parameters_of(closure), "")[0]
        if given and re.match(rf"{re.escape(given)}\b", path) is not None:
            value = value_given(self, closure, 0)
            return value + path[len(given) :] if value else ""
        return path if path[:1].isupper() else ""

    def _parameters_of(self, closure: Node) -> tuple[str, ...]:
        listed = closure.child_by_field_name("parameters")
        listed = listed or next((child for child in closure.named_children if child.type.startswith("lambda_")), None)
        first = _PARAMETER.match(self.text(listed)) if listed is not None else None
        return self.shape.implicit[:1] if listed is None else (first[1],) if first is not None else ()
