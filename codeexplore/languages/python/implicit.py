"""Calls that Python's syntax makes without naming them.

They are made by ``with``, ``for``, operators, subscripts, truth tests and f-strings. Each such call becomes a reference
of kind `implicit` to the special method that would be called, such as ``x.__len__``. It is resolved only if the type of
the value is known.
"""

from __future__ import annotations

from tree_sitter import Node

from codeexplore.languages.extraction import Part, record
from codeexplore.types import Reference

_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

_REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
KEYS = frozenset({"identifier", "attribute", "call"})
"""Node types of keys that may be other values than text or numbers."""


class ImplicitCalls(Part):
    """Handlers for syntax that calls special methods."""

    def _implicit(self, scope: int, node: Node | None, *methods: str) -> None:
        self._on_path(scope, self.path_of(node), node, *methods)

    def _on_path(self, scope: int, path: str, node: Node | None, *methods: str) -> None:
        if path and node is not None and path[0] != "%":
            line = node.start_point[0] + 1
            for method in methods:
                self.references.append(record(Reference, (scope, "implicit", f"{path}.{method}", line, ())))

    def on_reference_raised(self, scope: int, node: Node) -> None:
        """Add the construction of the exception in ``raise Type``."""
        path = self.path_of(node)
        if path.rpartition(".")[2][:1].isupper():
            self.consumed.add(node.start_byte)
            self.refer(scope, "new", path, node)

    def on_implicit_get(self, scope: int, node: Node) -> None:
        """Add the call for ``value[key]``, unless another handler records it: targets and annotations."""
        parent = node.parent
        if parent is None or not (parent.type in ("type", "delete_statement") or _is_target(parent, node)):
            self._subscript(scope, node, "__getitem__")

    def on_implicit_set(self, scope: int, node: Node) -> None:
        """Add the call for ``value[key] = …``."""
        self._subscript(scope, node, "__setitem__")

    def on_implicit_delete(self, scope: int, node: Node) -> None:
        """Add the call for ``del value[key]``."""
        self._subscript(scope, node, "__delitem__")

    def _subscript(self, scope: int, node: Node, method: str) -> None:
        """Add a call for ``container[key]``, which hashes the key and compares it with other keys, as a dict does."""
        container, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        self._implicit(scope, container, method)
        if container is not None and key is not None and key.type in KEYS:
            self.on_hashed(scope, self.path_of(container), self.path_of(key), key.start_point[0] + 1)

    def on_hashed(self, scope: int, container: str, key: str, line: int) -> None:
        """Record that a key is hashed and compared with others, unless its container has an own lookup method."""
        if key and key[0] not in "%'":
            self.references.append(record(Reference, (scope, "implicit", f"{key}.__hash__", line, (container,))))

    def on_implicit_iteration(self, scope: int, container: str, node: Node, waits: bool = False) -> None:
        """Add the calls for ``for … in container``; `waits` is True for ``async for``."""
        a = "a" * waits
        self._on_path(scope, container, node, f"__{a}iter__", f"__{a}iter__().__{a}next__")

    def on_implicit_delegation(self, scope: int, node: Node) -> None:
        """Add the calls for ``yield from container``."""
        if any(child.type == "from" for child in node.children):
            self.on_implicit_spread(scope, node)

    def on_implicit_spread(self, scope: int, node: Node) -> None:
        """Add the calls for ``*container`` in the literal of a list, tuple or set."""
        if node.named_child_count:
            value = node.named_children[0]
            self.on_implicit_iteration(scope, self.path_of(value), value)

    def on_implicit_context(self, scope: int, path: str, node: Node, waits: bool = False) -> None:
        """Add the calls for ``with value``; `path` is that of the value, and `waits` is True for ``async with``."""
        a = "a" * waits
        self._on_path(scope, path, node, f"__{a}enter__", f"__{a}exit__")

    def on_implicit_operator(self, scope: int, node: Node) -> None:
        """Add the calls for ``a + b``: the method of the left and the reflected method of the right operand."""
        children = node.children
        for operator in children[1:-1]:  # and comments
            name = _OPERATORS.get(operator.type)
            if name is not None:
                self._implicit(scope, children[0], f"__{name}__")
                self._implicit(scope, children[-1], f"__r{name}__")

    def on_implicit_augmented(self, scope: int, node: Node) -> None:
        """Add the calls for ``a += b``: the in-place method, and the method of the plain operator."""
        name = _OPERATORS.get(self.text(node.child_by_field_name("operator")).rstrip("="))
        if name is not None:
            left = node.child_by_field_name("left")
            self._implicit(scope, left, f"__i{name}__")
            if left is not None and left.type == "subscript":
                self.on_implicit_set(scope, left)

    def on_implicit_comparison(self, scope: int, node: Node) -> None:
        """Add the calls of a comparison, of the right operand for ``a in b``."""
        children = node.children
        for index in range(1, len(children) - 1):
            operator = children[index].type
            if operator in _COMPARISONS:
                left, name = children[index - 1], _COMPARISONS[operator]
                if self.path_of(left)[:1] == "%":  # text and numbers leave it to the right operand
                    self._implicit(scope, children[index + 1], f"__{_REFLECTED.get(name, name)}__")
                self._implicit(scope, left, f"__{name}__")
            elif operator in ("in", "not in"):
                self._implicit(scope, children[index + 1], "__contains__")
                if children[index - 1].type in KEYS:
                    container, key = self.path_of(children[index + 1]), self.path_of(children[index - 1])
                    self.on_hashed(scope, container, key, children[index - 1].start_point[0] + 1)

    def on_implicit_truth(self, scope: int, node: Node) -> None:
        """Add the call for a truth test, as in ``if value``."""
        self._implicit(scope, node, "__bool__")

    def on_implicit_format(self, scope: int, node: Node) -> None:
        """Add the call for ``f"{value}"``."""
        if node.named_child_count:
            conversion = any(child.type == "type_conversion" and self.text(child) == "!r" for child in node.children)
            value = node.named_children[0]
            self._implicit(scope, value, "__repr__" if conversion else "__format__")


def _is_target(parent: Node, node: Node) -> bool:
    """Return True if the subscript `node` is assigned to, False if it is read. `parent` is the parent of `node`."""
    if parent.type != "assignment":
        return False
    left = parent.child_by_field_name("left")
    return left is not None and left.start_byte == node.start_byte and left.end_byte == node.end_byte
