"""Extractor of C#. It adds special cases to the extractor that its grammar shape drives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.extraction import Definition
from codeexplore.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_XML = re.compile(r"</?[a-z]\w*(?:\s[^<>]*)?/?>")
_NAMED = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/>")
_CODE = re.compile(rb"=>|\b(?:get|set|init|add|remove)\s*\{")
_CODE_BYTES = 2000  # first bytes of a property, in which its accessors begin
_KEYWORDS = frozenset({"if", "for", "foreach", "while", "switch", "catch", "using", "lock", "return", "fixed"})


class CSharpExtractor(SymbolsExtractor):
    """Extractor of C#, with special cases for operators, indexers, properties with code, and XML documentation."""

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name: ``operator +`` for an operator, ``this[]`` for an indexer, ``~Name`` for a finalizer."""
        name = self.name_node(kind, node)
        if node.type == "operator_declaration":
            return f"operator {self.text(name)}" if name is not None else ""
        if node.type == "indexer_declaration":
            return "this[]"
        written = super().definition_name(kind, node)
        if written in _KEYWORDS:  # parsed as a local function after a syntax error
            return ""
        return f"~{written}" if node.type == "destructor_declaration" else written

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and node.type == "property_declaration":
            end = min(node.end_byte, node.start_byte + _CODE_BYTES)
            if _CODE.search(self.data, node.start_byte, end):
                definition.kind = "method"
        return definition

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above the definition, without XML tags."""
        doc = super().doc_of(definition, leading)
        if "<" in doc:
            doc = _XML.sub("", _NAMED.sub(r"\1", doc))
        return "\n".join(line for line in (row.strip() for row in doc.split("\n")) if line)
