"""Extractor of PHP. It adds constructor parameters that are fields to the extractor that its grammar shape drives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.extraction import Definition
from codeexplore.types import Binding

if TYPE_CHECKING:
    from tree_sitter import Node

_PROMOTED = "property_promotion_parameter"


class PhpExtractor(SymbolsExtractor):
    """Extractor of PHP.

    It handles promoted parameters of constructors, which are parameters and fields at the same time.
    """

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True if the definition becomes a symbol.

        A promoted parameter does, although it is declared in a method.
        """
        return definition.node.type == _PROMOTED or super().belongs(definition, around)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make the type that contains the constructor the parent of its promoted parameters."""
        super().adopt(placed)
        for definition in placed:
            if definition is not None and definition.node.type == _PROMOTED:
                constructor = placed[definition.parent]
                definition.parent = constructor.parent if constructor is not None else 0

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the field of a promoted parameter. Its value is the parameter."""
        if node.type == _PROMOTED:
            name, type_text = self.parameter(node)
            self.bindings.append(Binding(scope, f"this.{name}", "field", type_text, name, node.start_point[0] + 1))
        else:
            super().on_binding_variable(scope, node)
