"""Bindings for parameters, targets of assignments and destructuring patterns in JavaScript and TypeScript."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import step_to
from codeexplore.languages.extraction.extractor import Part
from codeexplore.languages.javascript.paths import ScriptPaths
from codeexplore.types import Reference

MAX_ITEMS: Final = 256
"""Most items of a literal that are recorded. Longer literals are tables of data."""
_PLAIN_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined", "template_string", "regex"})


class ScriptLiterals(Part):
    """Handlers for the items of literals."""

    paths: ScriptPaths

    def on_binding_items(self, scope: int, node: Node) -> None:
        """Add the items of an object or array literal that have an access path, and the names used there."""
        children = node.named_children[:MAX_ITEMS]
        if not children:
            return
        literal = self._prototype(node) or self.path_of(node)
        if node.type == "array":
            index = 0
            for child in children:
                if child.type == "spread_element":
                    self.bind_item(scope, literal + "[]", step_to(child, ""), "[*]")
                elif child.type not in _PLAIN_LITERALS:
                    self.bind_item(scope, f"{literal}[{index}]", child)
                index += child.type != "comment"
            return
        for child in children:
            kind = child.type
            if kind == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None and value.type not in _PLAIN_LITERALS:
                    self.bind_item(scope, literal + self.paths.member_step(key), value)
            elif kind == "shorthand_property_identifier":
                self.bind_item(scope, f"{literal}.{self.text(child)}", child)
            elif kind == "method_definition" and (key := child.child_by_field_name("name")) is not None:
                self.bind_item(scope, literal + self.paths.member_step(key), child)
            elif kind == "spread_element":
                self.bind_item(scope, literal, step_to(child, ""))

    def _prototype(self, node: Node) -> str:
        """Return ``C.prototype`` for the literal in ``C.prototype = {…}``, whose items are members of C; else ""."""
        outer = node.parent
        left = (
            outer.child_by_field_name("left") if outer is not None and outer.type == "assignment_expression" else None
        )
        path = self.path_of(left) if left is not None else ""
        return path if path.endswith(".prototype") else ""


PATTERNS: Final = frozenset({"object_pattern", "array_pattern"})
TARGETS: Final = frozenset({"identifier", "member_expression", "subscript_expression"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
DEFAULTS: Final = frozenset({"assignment_pattern", "object_assignment_pattern"})


class ScriptPatterns(Part):
    """Handlers for parameters and for the names in destructuring patterns."""

    paths: ScriptPaths

    def bind_parameter(
        self, scope: int, target: Node, default: Node | None, position: int, types: dict[str, str] | str
    ) -> None:
        """Add a binding for a parameter, given its type, or the types of all parameters by their names."""
        line = target.start_point[0] + 1
        manner = "parameter"
        if target.type == "rest_pattern" and target.named_child_count:
            manner, target = "rest", target.named_children[0]
        name = self.text(target) if target.type == "identifier" else f"{{{position}}}"
        if not isinstance(types, str):  # a comment names a destructured parameter as it likes
            listed = list(types.values())
            types = types.get(name, "") if name[0] != "{" else listed[position] if position < len(listed) else ""
        self.bind(scope, name, manner, types, self.values_of(default), line)
        if target.type in PATTERNS:
            self.destructure(scope, target, name, line)

    def destructure(self, scope: int, pattern: Node, path: str, line: int) -> None:
        """Add a binding for every name in a pattern, to a part of the value at `path`; "" if it is unknown."""
        pending = [(pattern, path)]
        while pending:
            node, value = pending.pop()
            kind = node.type
            if kind in _NAMES:
                self.bind(scope, self.text(node), "variable", "", (value,), line)
            elif kind in DEFAULTS:
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if left is not None:
                    pending.append((left, value))
                if left is not None and right is not None and left.type in _NAMES:
                    for default in self.values_of(right):
                        self.bind(scope, self.text(left), "variable", "", (default,), line)
            elif kind == "object_pattern":
                parts = self._properties(node, value)
                pending.extend(parts)
                read = (
                    (path, part.start_point[0] + 1) for part, path in parts if path and path != value
                )  # not the rest
                self.references.extend(Reference(scope, "read", path, line) for path, line in read)
            elif kind == "array_pattern":
                pending.extend(self._items(node, value))
            elif kind == "rest_pattern" and node.named_child_count:
                pending.append((node.named_children[0], value))
            elif kind in TARGETS:
                self.consumed.add(node.start_byte)
                name = self.path_of(node)
                if name:
                    self.bind(scope, name, "field", "", (value,), line)

    def _properties(self, node: Node, path: str) -> list[tuple[Node, str]]:
        found: list[tuple[Node, str]] = []
        for child in reversed(node.named_children):
            if child.type == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None:
                    step = self.paths.member_step(key)
                    found.append((value, path + step if path else ""))
            elif child.type == "rest_pattern":
                found.append((child, path))
            else:
                target = child.child_by_field_name("left") or child
                found.append((child, f"{path}.{self.text(target)}" if path else ""))
        return found

    def _items(self, node: Node, path: str) -> list[tuple[Node, str]]:
        found: list[tuple[Node, str]] = []
        index = 0
        for child in node.children:
            if child.type == ",":
                index += 1
            elif child.type == "rest_pattern":
                found.append((child, path))
            elif child.is_named:
                found.append((child, f"{path}[{index}]" if path else ""))
        return found[::-1]
