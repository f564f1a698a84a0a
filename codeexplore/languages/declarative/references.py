"""Calls, constructions, supertypes, imports and access paths, found by a grammar's `Shape`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.grammar_shape import MARKS, Shape, clean_name, step_to
from codeexplore.languages.extraction import MAX_PATH_STEPS, Expressions, Extractor
from codeexplore.types import Base, Import, Reference

if TYPE_CHECKING:
    from tree_sitter import Node

QUALIFIED = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|\\)[^\W\d][\w$]*)*")
_NOT_BASES = frozenset({
    "access_specifier", "arguments", "value_arguments", "argument_list", "type_arguments", "annotation", "comment",
    "call_argument",
})  # fmt: skip


class ShapedUses(Extractor):
    """Handlers for all captures except definitions."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.separator = shape.separator
        self.wrappers = shape.wrappers
        self.expressions = Expressions(attributes={}, calls={}, literals=shape.literals)
        self._extensions: dict[int, str] = {}  # id of an extension's body → the type it extends

    def on_extension(self, scope: int, node: Node) -> None:
        """Do nothing: an extension is not a symbol, and its members belong to the type that it extends."""

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call by its name and receiver."""
        shape, kind = self.shape, node.type
        self.consumed.add(node.start_byte)
        if kind in shape.methods:
            receiver_step, name_step = shape.methods[kind]
            receiver, name = step_to(node, receiver_step), step_to(node, name_step)
            if name is None:
                return
            path = self.plain_name(self.text(name))
            if receiver is not None:
                before = self.path_of(receiver)
                path = f"{before}.{path}" if before and path else ""
        else:
            callee = step_to(node, shape.calls[kind])
            name = callee
            path = self.path_of(callee) if callee is not None else ""
        if path and path[0] != "%":
            self.call(scope, path, node, self.line_named(name) if name is not None else node.start_point[0] + 1)

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call. Languages in which imports are calls override this to add the import instead."""
        line = line or node.start_point[0] + 1
        self.references.append(Reference(scope, "call", path, line, self.arguments_of(node)))

    def line_named(self, callee: Node) -> int:
        """Return the line of the called name. In a chain over several lines, each call has its own line."""
        steps = self.shape.attributes.get(callee.type)
        if callee.start_point[0] == callee.end_point[0] or steps is None:
            return callee.start_point[0] + 1
        name = step_to(callee, steps[1])
        return _first_line(name if name is not None else callee)

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments."""
        return ()

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add a construction: the type of which an instance is made."""
        made = step_to(node, self.shape.news[node.type])
        path = self.dotted(self.text(made)) if made is not None else ""
        if path:
            line = node.start_point[0] + 1
            self.references.append(Reference(scope, "new", path, line, self.arguments_of(node)))

    def on_base(self, scope: int, node: Node) -> None:
        """Add every type in a list of supertypes."""
        self._bases(scope, node, "")

    def on_base_extension(self, scope: int, node: Node) -> None:
        """Add the supertypes that an extension gives to a type."""
        parent = node.parent
        body = self.body_of("class", parent) if parent is not None else None
        owner = self._extensions.get(body.id, "") if body is not None else ""
        if owner:
            self._bases(scope, node, owner)

    def _bases(self, scope: int, node: Node, subtype: str) -> None:
        for child in node.named_children:
            if child.type not in _NOT_BASES:
                path = self.dotted(self.text(child))
                if path:
                    self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1, subtype))

    def on_import(self, scope: int, node: Node) -> None:
        """Add the imports that the shape's pattern finds in the text of a node."""
        pattern = self.shape.imports
        found = pattern.match(self.text(node)) if pattern is not None else None
        if found is not None:
            for name, module, member in self._imported(found.groupdict()):
                self.imports.append(Import(scope, name, module, member, node.start_point[0] + 1))

    def _imported(self, groups: Mapping[str, str | None]) -> Iterator[tuple[str, str, str]]:
        module, alias, names = groups["module"] or "", groups.get("alias"), groups.get("names")
        if names is not None:
            for item in names.strip("{}() \t\r\n").split(","):
                member, _, renamed = (part.strip() for part in re.sub(r"\s+(?:as|=>)\s+", "=", item).partition("="))
                if member:
                    star = member in ("*", "_")
                    yield ("*", module, "*") if star else (renamed or member, module, member)
        elif groups.get("star") or not self.shape.import_members:
            yield (alias, module, "") if alias else ("*", module, "*")
        else:
            package, _, member = module.rpartition(self.shape.separator)
            yield alias or member, package, member

    # ----------------------------------------------------------------- paths

    def _path(self, node: Node) -> str:
        shape = self.shape
        steps: list[str] = []
        current: Node | None = node
        while current is not None and len(steps) <= MAX_PATH_STEPS:
            kind = current.type
            if kind in shape.roots:
                return self.dotted(self.text(current)) + "".join(reversed(steps))
            if kind in shape.attributes or kind in shape.methods:
                called = kind in shape.methods
                object_step, name_step = shape.methods[kind] if called else shape.attributes[kind]
                name, inner = step_to(current, name_step), step_to(current, object_step)
                if name is None:
                    return ""
                written = self.dotted(self.text(name)) + ("()" if called else "")
                if inner is None:
                    return written + "".join(reversed(steps))
                steps.append("." + written)
                current = inner
            elif kind in shape.calls:
                steps.append("()")
                current = step_to(current, shape.calls[kind])
            elif kind in shape.news:
                made = step_to(current, shape.news[kind])
                return f"{self.dotted(self.text(made))}()" + "".join(reversed(steps)) if made is not None else ""
            elif kind in shape.subscripts:
                steps.append("[]")
                current = step_to(current, shape.subscripts[kind])
            elif kind in shape.through:
                current = step_to(current, shape.through[kind])
            else:
                root = shape.literals.get(kind, "")
                return root + "".join(reversed(steps)) if root else ""
        return ""

    def plain_name(self, text: str) -> str:
        """Return a name without the marks that are not part of it."""
        return clean_name(text)

    def dotted(self, text: str) -> str:
        """Return a qualified name with dots, without type arguments."""
        if len(text) > 200:
            text = text[:200]
        name = self.plain_name(text)
        if "::" in text or "\\" in text:
            found = QUALIFIED.search(text.lstrip(MARKS))
            return found.group().replace("::", ".").replace("\\", ".") if found is not None else name
        return name


def _first_line(node: Node) -> int:
    """Return the line of a name. The name's node may begin with a mark and a line break before it."""
    last = node
    while last.named_child_count == 1 and last.start_point[0] != last.end_point[0]:
        last = last.named_children[0]
    return last.start_point[0] + 1
