"""Patterns of Python's ``match`` statement: the types that they test, and the names that they define."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.extraction import Bind, PathReader
from codeexplore.types import Binding, Reference

if TYPE_CHECKING:
    from tree_sitter import Node

_SEQUENCES = frozenset({"list_pattern", "tuple_pattern"})
_MAX_PATTERNS = 200  # most patterns of one case that are examined


class PythonPatterns:
    """Handler for the cases of a ``match`` statement.

    Parameters
    ----------
    paths
        Reader of access paths.
    bind
        The method `Extractor.bind`.
    bindings, references
        Lists of the extractor, to which bindings and references are added.
    """

    def __init__(
        self,
        paths: PathReader,
        bind: Bind,
        bindings: list[Binding],
        references: list[Reference],
    ) -> None:
        self._path_of, self._text, self._bind = paths.path_of, paths.text, bind
        self._bindings, self._references = bindings, references

    def on_binding_case(self, scope: int, node: Node) -> None:
        """Add bindings for the names in the pattern of a case.

        The type of the subject is narrowed on the lines of the case.
        """
        statement = node.parent.parent if node.parent is not None else None
        subjects = statement.children_by_field_name("subject") if statement is not None else []
        patterns = [child for child in node.named_children if child.type == "case_pattern"]
        if len(subjects) != 1 or len(patterns) != 1:
            for pattern in patterns:
                self._bind_pattern(scope, pattern, "", node)
            return
        self._narrow(scope, self._text(subjects[0]) if subjects[0].type == "identifier" else "", patterns[0], node)
        self._bind_pattern(scope, patterns[0], self._path_of(subjects[0]), node)

    def _narrow(self, scope: int, name: str, pattern: Node, case: Node) -> None:
        classes = self._classes(pattern)
        if name and classes:
            first, last = case.start_point[0] + 1, case.end_point[0] + 1
            self._bindings.append(Binding(scope, name, "pattern", " | ".join(classes), "", first, last))

    def _classes(self, pattern: Node) -> list[str]:
        """Return the classes whose instances `pattern` matches; an empty list if it may match other values."""
        found: list[str] = []
        pending = [pattern]
        for _ in range(_MAX_PATTERNS):
            if not pending:
                return found
            current = pending.pop()
            if current.type == "class_pattern":
                found.append(self._text(current.named_children[0]))
            elif current.type == "union_pattern":
                pending.extend(reversed(current.named_children))
            elif current.type in ("case_pattern", "as_pattern") and current.named_child_count:
                pending.append(current.named_children[0])
            else:
                return []
        return []

    def _bind_pattern(self, scope: int, pattern: Node, path: str, case: Node) -> None:
        """Add bindings for the names in `pattern`. Their values are parts of the value at the access path `path`.

        If `path` is "", the value is unknown.
        """
        pending = [(pattern, path)]
        for _ in range(_MAX_PATTERNS):
            if not pending:
                return
            current, value = pending.pop()
            children = current.named_children
            if current.type in ("case_pattern", "union_pattern"):
                pending.extend((child, value) for child in reversed(children))
            elif current.type == "dotted_name":
                self._named(scope, current, value)
            elif current.type == "as_pattern" and len(children) == 2:
                self._capture(scope, children[1], value)
                self._narrow(scope, self._text(children[1]), children[0], case)
                pending.append((children[0], value))
            elif current.type in _SEQUENCES:
                items = [(child, f"{value}[{place}]" if value else "") for place, child in enumerate(children)]
                pending.extend(reversed(items))
            elif current.type == "dict_pattern":
                held = current.children_by_field_name("value")
                pending.extend((child, value + "[]" if value else "") for child in reversed(held))
            elif current.type == "splat_pattern" and children:
                self._capture(scope, children[0], "")
            elif current.type == "class_pattern":
                pending.extend(self._parts(scope, current))

    def _parts(self, scope: int, pattern: Node) -> list[tuple[Node, str]]:
        """Return the sub-patterns in the parentheses of a class pattern, each with the access path of its value.

        The order is reversed: the last sub-pattern comes first.
        """
        cls = self._text(pattern.named_children[0])
        self._references.append(Reference(scope, "type", cls, pattern.start_point[0] + 1))
        found = []
        for child in pattern.named_children[1:]:
            inner = child.named_children[0] if child.type == "case_pattern" and child.named_child_count else child
            if inner.type == "keyword_pattern" and inner.named_child_count == 2:
                name, part = inner.named_children
                found.append((part, f"%type({cls}).{self._text(name)}"))
            else:
                found.append((inner, ""))
        return found[::-1]

    def _named(self, scope: int, node: Node, value: str) -> None:
        """Handle a name in a pattern: a plain name gets a binding with `value`, a dotted name is read and compared."""
        if node.named_child_count == 1:
            self._capture(scope, node, value)
        else:
            self._references.append(Reference(scope, "read", self._text(node), node.start_point[0] + 1))

    def _capture(self, scope: int, node: Node, value: str) -> None:
        name = self._text(node)
        if name != "_":
            self._bind(scope, name, "variable", "", (value,) if value else (), node.start_point[0] + 1)
