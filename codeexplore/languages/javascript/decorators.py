"""Decorators in JavaScript and TypeScript. A decorator is also a reference to the function that it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.extraction import Definition
from codeexplore.languages.javascript.paths import ScriptPaths
from codeexplore.types import TYPE_KINDS, Reference

if TYPE_CHECKING:
    from tree_sitter import Node


_DECORATED = TYPE_KINDS | {"method", "field"}


class ScriptDecorators:
    """Handlers for the decorators of definitions and of parameters.

    Parameters
    ----------
    paths
        Reader of access paths.
    references, consumed
        The attributes of `Extractor` with these names.
    """

    def __init__(self, paths: ScriptPaths, references: list[Reference], consumed: set[int]) -> None:
        self._path_of, self._references, self._consumed = paths.path_of, references, consumed
        self._present = False  # True if the file contains decorators
        self._recorded: set[int] = set()  # first bytes of decorators that were recorded with their definitions

    def begin(self, present: bool) -> None:
        """Start with another file. `present` is True if the file contains decorators."""
        self._present = present
        self._recorded.clear()

    def inner(self, definition: Definition) -> list[Node]:
        """Return the decorators that the grammar places inside the definition or inside its ``export``."""
        if not self._present or definition.kind not in _DECORATED:
            return []
        node, outer = definition.node, definition.outer
        found = [child for child in node.children if child.type == "decorator"]
        if outer.id != node.id:
            found = [child for child in outer.children if child.type == "decorator"] + found
        return found

    def _all(self, definition: Definition) -> tuple[Node, ...]:
        return (*definition.decorations, *self.inner(definition)) if self._present else ()

    def paths_of(self, definition: Definition) -> tuple[str, ...]:
        """Return the access paths of the decorators of the definition, outermost first."""
        if not self._present:
            return ()
        return tuple(self._path_of(node.named_children[0]) for node in self._all(definition) if node.named_child_count)

    def use(self, definition: Definition) -> None:
        """Add the decorators of the definition as references. Their argument is the name of the definition."""
        for node in self._all(definition):
            self._recorded.add(node.start_byte)
            self._use(definition.parent, node, (definition.name,))

    def _use(self, scope: int, node: Node, args: tuple[str, ...]) -> None:
        if node.named_child_count:
            target = node.named_children[0]
            path = self._path_of(target)
            if path:
                if target.type != "call_expression":
                    self._consumed.add(target.start_byte)
                self._references.append(Reference(scope, "decorator", path, node.start_point[0] + 1, args))

    def on_reference_decorator(self, scope: int, node: Node) -> None:
        """Add a decorator of a parameter. Other decorators are recorded with their definitions."""
        if node.start_byte not in self._recorded:
            self._use(scope, node, ())
