"""Items of Python's container literals and comprehensions, and expressions with several possible values.

Such an expression has no name of its own. Its access path is ``%list:LINE:COL`` for a literal and ``%or:LINE:COL`` for
``a or b``. The handlers here add bindings from this path to the items or to the possible values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.extraction import Bind
from codeexplore.languages.python.implicit import KEYS, ImplicitCalls
from codeexplore.languages.python.paths import CONTAINERS, MAX_ITEMS, SCALARS, PythonPaths

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPREHENSIONS = frozenset(
    {"list_comprehension", "generator_expression", "dictionary_comprehension", "set_comprehension"}
)


class LiteralItems:
    """Handlers that record the items of literals, and the possible values of expressions such as ``a or b``.

    Parameters
    ----------
    paths
        Reader of access paths.
    bind
        The method `Extractor.bind`.
    implicit
        Handlers that record which keys are hashed.
    """

    def __init__(
        self,
        paths: PythonPaths,
        bind: Bind,
        implicit: ImplicitCalls,
    ) -> None:
        self._paths, self._bind, self._implicit = paths, bind, implicit

    def on_binding_either(self, scope: int, node: Node) -> None:
        """Record the possible values of an expression with several values.

        Examples: ``a or b`` in ``f(a or b)``, and ``a if c else b`` in ``(a if c else b).m()``.
        """
        name = self._paths.either(node)
        if name:
            self._bind(scope, name, "variable", "", self._paths.sides(node), node.start_point[0] + 1)

    def on_binding_items(self, scope: int, node: Node) -> None:
        """Record the items of a container literal or the elements of a comprehension."""
        kind, items = node.type, node.named_children[:MAX_ITEMS]
        if SCALARS.issuperset(item.type for item in items):
            return
        parent = node.parent
        if parent is None or parent.type == "pattern_list":
            return
        row, column = node.start_point
        line = row + 1
        root = f"{CONTAINERS[kind]}:{line}:{column}"
        if kind in _COMPREHENSIONS:
            body = node.child_by_field_name("body")
            if body is not None and body.type == "pair":
                body = body.child_by_field_name("value")
            if body is not None:
                self._item(scope, f"{root}[]", body, line)
            return
        for place, child in enumerate(items):
            if child.type not in SCALARS:
                self._one_item(scope, root, place, child, line)

    def _one_item(self, scope: int, root: str, place: int, child: Node, line: int) -> None:
        """Record one item of a literal under its key or its position. `root` is the access path of the literal."""
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                self._hashed_item(scope, key)
                self._item(scope, f"{root}[{self._paths.key(key)}]", value, line)
        elif child.type == "list_splat" and child.named_child_count:
            inner = self._paths.path_of(child.named_children[0])
            if inner:
                self._bind(scope, f"{root}[]", "field", "", (f"{inner}[*]",), line)
        elif root.startswith("%set"):
            self._hashed_item(scope, child)
            self._item(scope, f"{root}[]", child, line)
        else:
            self._item(scope, f"{root}[{place}]", child, line)

    def _item(self, scope: int, name: str, value: Node, line: int) -> None:
        values = self._paths.sides(value)
        if values:
            self._bind(scope, name, "field", "", values, line)

    def _hashed_item(self, scope: int, key: Node) -> None:
        """Record that a key of a dict or an item of a set is hashed, and compared with other keys."""
        if key.type in KEYS:
            self._implicit.on_hashed(scope, "", self._paths.path_of(key), key.start_point[0] + 1)
