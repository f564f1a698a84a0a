"""Extractor of Solidity. In its grammar, the arguments of a call are children of the call, beside the function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor

if TYPE_CHECKING:
    from tree_sitter import Node


class SolidityExtractor(SymbolsExtractor):
    """Extractor of Solidity, with handlers for the captures in ``tags.scm`` of this folder."""

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access path of each argument of the call `node`; "" for an argument without an access path."""
        return tuple(self._argument(child) for child in node.named_children if child.type in self.shape.argument)
