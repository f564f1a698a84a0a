"""Extractor of Swift. It adds special cases to the extractor that its grammar shape drives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.declarative.grammar_shape import clean_name, step_to
from codeexplore.languages.extraction import Definition, Layout
from codeexplore.types import Reference, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_TARGET = re.compile(r"(?:^|/)(?:Sources|Tests)/([^/]+)/")
_PRIVATE = re.compile(r"(?:[\w@]+\s+)*?(?:file)?private\s")
_KEYWORDS = {"init_declaration": "init", "deinit_declaration": "deinit", "subscript_declaration": "subscript"}


class SwiftExtractor(SymbolsExtractor):
    """Extractor of Swift.

    Its special cases are members named by a keyword, subscripts, private names, and closures after a call.
    """

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. A subscript ``items[0]``, which the grammar parses as a call, is left out."""
        suffix = step_to(node, "<call_suffix")
        if suffix is None or self.data[suffix.start_byte : suffix.start_byte + 1] != b"[":
            callee = step_to(node, "")
            if callee is not None and callee.type == "prefix_expression" and self.text(callee)[:1] == ".":
                name = clean_name(self.text(callee))
                self.references.append(
                    Reference(scope, "call", f"_.{name}", callee.start_point[0] + 1, self.arguments_of(node))
                )
            else:
                super().on_reference_call(scope, node)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        """Yield the parameters of a function, which are direct children of its node."""
        if definition.node.type in self.shape.parameters:
            yield from (child for child in definition.node.named_children if child.type == "parameter")

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments. A closure after the parentheses is also an argument.

        Labels are left out, because they are part of the function's name.
        """
        suffix = step_to(node, "<call_suffix")
        if suffix is None:
            return ()
        held = step_to(suffix, "<value_arguments")
        values = [child.child_by_field_name("value") for child in held.named_children] if held is not None else []
        paths = [self.path_of(value) if value is not None else "" for value in values]
        closures = sum(1 for child in suffix.named_children if child.type == "lambda_literal")
        return (*paths, *[""] * closures)

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the name of the target: the folder below ``Sources`` or ``Tests`` that contains the file."""
        target = _TARGET.search(path)
        stem = super().module_name(path, root, layout)
        self._in_package = target is not None
        return target.group(1) if target is not None else stem

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        top = definition.parent == 0 and not definition.owner
        if top and _PRIVATE.match(self.signature(definition)):
            return f"{self.path}:{definition.name}"
        return name

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition.

        For ``init``, ``deinit`` and ``subscript`` it is the keyword, and for an operator its sign.
        """
        keyword = _KEYWORDS.get(node.type)
        if keyword is not None:
            return keyword
        name = self.name_node(kind, node)
        if name is not None and not name.is_named:
            return self.text(name)
        return super().definition_name(kind, node)
