"""Handlers for imports and supertypes in the syntax tree, which use the `Shape` of a grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.grammar_shape import Shape
from codeexplore.languages.declarative.paths import ShapedPaths
from codeexplore.types import Base, Import, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_NOT_BASES = frozenset({
    "access_specifier", "arguments", "value_arguments", "argument_list", "type_arguments", "annotation", "comment",
    "call_argument",
})  # fmt: skip


class ShapedImports:
    """Handler for import statements. It adds imports to `rows`, the extractor's list of imports."""

    def __init__(self, shape: Shape, text: Callable[[Node], str], rows: list[Import]) -> None:
        self._shape, self._text, self._rows = shape, text, rows

    def on_import(self, scope: int, node: Node) -> None:
        """Add the imports that the shape's pattern finds in the text of `node`."""
        pattern = self._shape.imports
        found = pattern.match(self._text(node)) if pattern is not None else None
        if found is not None:
            for name, module, member in self._imported(found.groupdict()):
                self._rows.append(Import(scope, name, module, member, node.start_point[0] + 1))

    def _imported(self, groups: Mapping[str, str | None]) -> Iterator[tuple[str, str, str]]:
        module, alias, names = groups["module"] or "", groups.get("alias"), groups.get("names")
        if names is not None:
            for item in names.strip("{}() \t\r\n").split(","):
                member, _, renamed = (part.strip() for part in re.sub(r"\s+(?:as|=>)\s+", "=", item).partition("="))
                if member:
                    star = member in ("*", "_")
                    yield ("*", module, "*") if star else (renamed or member, module, member)
        elif groups.get("star") or not self._shape.import_members:
            yield (alias, module, "") if alias else ("*", module, "*")
        else:
            package, _, member = module.rpartition(self._shape.separator)
            yield alias or member, package, member


class ShapedBases:
    """Handlers for the supertypes that types and extensions declare.

    Parameters
    ----------
    paths
        Reader of names.
    rows
        The extractor's list `Extractor.bases`, to which supertypes are added.
    extensions
        Id of the body of an extension → the type that it extends.
    body_of
        The method `Extractor.body_of`.
    """

    def __init__(
        self,
        paths: ShapedPaths,
        rows: list[Base],
        extensions: Mapping[int, str],
        body_of: Callable[[SymbolKind, Node], Node | None],
    ) -> None:
        self._paths, self._rows, self._extensions, self._body_of = paths, rows, extensions, body_of

    def on_extension(self, scope: int, node: Node) -> None:
        """Do nothing: an extension is not a symbol. Its members belong to the type that it extends."""

    def on_base(self, scope: int, node: Node) -> None:
        """Add every type in `node`, a list of supertypes."""
        self._bases(scope, node, "")

    def on_base_extension(self, scope: int, node: Node) -> None:
        """Add the supertypes that an extension declares for the extended type."""
        parent = node.parent
        body = self._body_of("class", parent) if parent is not None else None
        owner = self._extensions.get(body.id, "") if body is not None else ""
        if owner:
            self._bases(scope, node, owner)

    def _bases(self, scope: int, node: Node, subtype: str) -> None:
        for child in node.named_children:
            if child.type not in _NOT_BASES:
                path = self._paths.dotted(self._paths.text(child))
                if path:
                    self._rows.append(Base(scope, path, "extends", child.start_point[0] + 1, subtype))
