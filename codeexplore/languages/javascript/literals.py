"""Bindings for the items of object and array literals in JavaScript and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codeexplore.languages.javascript.context_names import key_text
from codeexplore.languages.javascript.paths import ScriptPaths, key_step
from codeexplore.types import Binding, Reference

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ITEMS: Final = 256
"""Most items of a literal that are recorded. Longer literals are tables of data."""

_PLAIN_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined", "template_string", "regex"})


class ScriptLiterals:
    """Handlers for the items of literals.

    Parameters
    ----------
    paths
        Reader of access paths.
    bindings, references
        The attributes of `Extractor` with these names.
    """

    def __init__(self, paths: ScriptPaths, bindings: list[Binding], references: list[Reference]) -> None:
        self._paths, self._bindings, self._references = paths, bindings, references
        self._path_of, self._values_of = paths.path_of, paths.values_of

    def on_binding_items(self, scope: int, node: Node) -> None:
        """Add bindings for those items of an object or array literal that have an access path.

        Names that are used as values are recorded too.
        """
        children = node.named_children[:MAX_ITEMS]
        if not children:
            return
        literal = self._path_of(node)
        if node.type == "array":
            index = 0
            for child in children:
                if child.type == "spread_element":
                    self._spread(scope, literal + "[]", child, "[*]")
                elif child.type not in _PLAIN_LITERALS:
                    self._item(scope, f"{literal}[{index}]", child)
                index += child.type != "comment"
            return
        for child in children:
            kind = child.type
            if kind == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None or value.type in _PLAIN_LITERALS:
                    continue
                self._item(scope, literal + key_step(key_text(key, self._paths.data)), value)
            elif kind == "shorthand_property_identifier":
                self._item(scope, f"{literal}.{self._paths.text(child)}", child)
            elif kind == "method_definition" and (key := child.child_by_field_name("name")) is not None:
                self._item(scope, literal + key_step(key_text(key, self._paths.data)), child)
            elif kind == "spread_element":
                self._spread(scope, literal, child, "")

    def _item(self, scope: int, name: str, value: Node) -> None:
        line = value.start_point[0] + 1
        if value.type in ("identifier", "shorthand_property_identifier"):
            self._references.append(Reference(scope, "read", self._paths.text(value), line))
        self._bindings.extend(Binding(scope, name, "field", "", path, line) for path in self._values_of(value))

    def _spread(self, scope: int, name: str, node: Node, step: str) -> None:
        value = node.named_children[0] if node.named_child_count else None
        line = node.start_point[0] + 1
        if value is not None and value.type == "identifier":
            self._references.append(Reference(scope, "read", self._paths.text(value), line))
        for path in self._values_of(value) if value is not None else ():
            self._bindings.append(Binding(scope, name, "field", "", path + step, line))
