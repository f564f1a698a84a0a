"""What Swift adds to the shape of its grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.shape import step_to
from codeexplore.languages.symbols import SymbolsExtractor
from codeexplore.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_KEYWORDS = {"init_declaration": "init", "deinit_declaration": "deinit", "subscript_declaration": "subscript"}


class SwiftExtractor(SymbolsExtractor):
    """Members that a keyword names."""

    def on_reference_call(self, scope: int, node: Node) -> None:
        """A call; to this grammar ``items[0]`` is one too."""
        suffix = step_to(node, "<call_suffix")
        if suffix is None or self.data[suffix.start_byte : suffix.start_byte + 1] != b"[":
            super().on_reference_call(scope, node)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """``init``, ``deinit`` and ``subscript`` stand for their names; operators have none but their signs."""
        keyword = _KEYWORDS.get(node.type)
        if keyword is not None:
            return keyword
        name = self.name_node(kind, node)
        if name is not None and not name.is_named:
            return self.text(name)
        return super().definition_name(kind, node)
