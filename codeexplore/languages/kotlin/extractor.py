"""Extractor of Kotlin. It adds special cases to the extractor that its grammar shape drives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.declarative.grammar_shape import step_to, walk
from codeexplore.languages.extraction import Definition
from codeexplore.types import Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


_PRIVATE = re.compile(r"(?:@?\w+\s+)*?private\s")


class KotlinExtractor(SymbolsExtractor):
    """Extractor of Kotlin.

    Its special cases are secondary constructors, parameters that are not properties, and bodies of enums.
    """

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition; "" if it is not a symbol.

        A secondary constructor is called ``constructor``. A parameter of a class is a symbol only if it has ``val`` or
        ``var``.
        """
        if node.type == "secondary_constructor":
            return "constructor"
        if node.type == "class_parameter" and step_to(node, "<binding_pattern_kind") is None:
            return ""
        return super().definition_name(kind, node)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and definition.body is not None and definition.body.type == "enum_class_body":
            definition.kind = "enum"
        return definition

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        return f"{self.path}:{name}" if not definition.parent and _PRIVATE.match(self.signature(definition)) else name

    def result_type(self, definition: Definition) -> str:
        """Return the result type that is written after the parameters; "" for none."""
        steps = self.shape.results.get(definition.node.type)
        node = walk(definition.node, steps) if steps is not None else None
        return self.type_text(node) if node is not None and node.type.endswith("_type") else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body of a definition. An enum has a separate node type for its body."""
        return super().body_of(kind, node) or step_to(node, "<enum_class_body")
