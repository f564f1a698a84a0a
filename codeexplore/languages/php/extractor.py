"""Extractor of PHP, on top of its grammar shape."""

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
    """Constructor parameters that are fields."""

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True for promoted parameters, too: they are fields, though declared in a method."""
        return definition.node.type == _PROMOTED or super().belongs(definition, around)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Promoted parameters belong to the type around their constructor."""
        super().adopt(placed)
        for definition in placed:
            if definition is not None and definition.node.type == _PROMOTED:
                constructor = placed[definition.parent]
                definition.parent = constructor.parent if constructor is not None else 0

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Bind the field of a promoted parameter to the parameter's value."""
        if node.type == _PROMOTED:
            name, type_text = self.parameter(node)
            self.bindings.append(Binding(scope, f"this.{name}", "field", type_text, name, node.start_point[0] + 1))
        else:
            super().on_binding_variable(scope, node)
