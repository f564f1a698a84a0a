"""Handlers for markup (JSX) in JavaScript and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.javascript.paths import ScriptPaths
from codeexplore.types import Import, Reference

if TYPE_CHECKING:
    from tree_sitter import Node

# functions that the compiler calls for each element of markup, if the file imports them
_FACTORIES = ("h", "createElement")


class ScriptMarkup:
    """Handlers for markup elements such as ``<Card title={x}/>``.

    Parameters
    ----------
    paths
        Reader of access paths.
    imports, references, consumed
        The attributes of the extractor with these names.
    """

    def __init__(
        self, paths: ScriptPaths, imports: list[Import], references: list[Reference], consumed: set[int]
    ) -> None:
        self._text, self._path_of = paths.text, paths.path_of
        self._imports, self._references, self._consumed = imports, references, consumed

    def on_reference_element(self, scope: int, node: Node) -> None:
        """Add the use of the component that the element `node` names.

        A lowercase name is an HTML element and is left out.

        If the file imports the function that makes elements, each element is also a call of this function.
        """
        name, line = node.child_by_field_name("name"), node.start_point[0] + 1
        factory = next((row.name for row in self._imports if row.name in _FACTORIES), "")
        if name is None:  # <>…</>
            if factory:
                self._references.append(Reference(scope, "call", factory, line, ("Fragment",)))
                self._references.append(Reference(scope, "call", "Fragment", line))
            return
        self._consumed.add(name.start_byte)
        path = self._path_of(name)
        is_component = path and ("." in path or not path[0].islower()) and name.type != "jsx_namespace_name"
        if factory:
            self._references.append(Reference(scope, "call", factory, line, (path if is_component else "%str",)))
        if is_component:
            args = tuple(filter(None, map(self._attribute, node.children_by_field_name("attribute"))))
            self._references.append(Reference(scope, "call", path, line, args))

    def _attribute(self, node: Node) -> str:
        if node.type == "jsx_expression":  # {...props}
            spread = node.named_children[0] if node.named_child_count else None
            path = self._path_of(spread.named_children[0]) if spread is not None and spread.named_child_count else ""
            return "**" + path if path else ""
        if node.named_child_count < 2:
            return ""
        name, value = node.named_children[0], node.named_children[-1]
        if value.type == "jsx_expression":
            if not value.named_child_count:
                return ""
            value = value.named_children[0]
        path = self._path_of(value)
        return f"{self._text(name)}={path}" if path else ""

    def on_reference_closing(self, scope: int, node: Node) -> None:
        """Mark the name in a closing tag as recorded, because the opening tag is recorded already."""
        name = node.child_by_field_name("name")
        if name is not None:
            self._consumed.add(name.start_byte)
