"""What Ruby says by calling: imports, mixins, accessors, methods made on the fly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.extraction import SIGNATURE_CHARS, Captures, Definition
from codeexplore.languages.shape import clean_name
from codeexplore.languages.symbols import SymbolsExtractor
from codeexplore.types import TYPE_KINDS, Base, Import, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_REQUIRES = frozenset({"require", "require_relative", "load", "autoload"})
_MIXINS = frozenset({"include", "extend", "prepend"})
_SILENT = frozenset({
    "attr_accessor", "attr_reader", "attr_writer", "define_method", "module_function", "private",
    "private_class_method", "private_constant", "protected", "public", "lambda", "proc", "raise", "puts", "new",
})  # fmt: skip


class RubyExtractor(SymbolsExtractor):
    """Handlers for ``tags.scm`` of this folder."""

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Operators and setters keep their signs; a nested constant's name is its last part."""
        if node.type == "call":  # define_method(:name) { … }
            arguments = node.child_by_field_name("arguments")
            return self.text(arguments.named_children[0]).strip(":\"'") if arguments is not None else ""
        name = self.name_node(kind, node)
        if name is None:
            return ""
        if node.type in ("method", "singleton_method"):
            return self.text(name)
        return clean_name(self.text(name)).strip(":").rpartition("::")[2]

    def signature(self, definition: Definition) -> str:
        """Name and parameters, or superclass."""
        node = definition.node
        if node.type == "simple_symbol":
            return f"attr {self.text(node)}"
        if node.type not in ("method", "singleton_method", "class", "module"):
            return super().signature(definition)
        last = node.child_by_field_name("parameters") or node.child_by_field_name("superclass") or definition.named
        end = last.end_byte if last is not None else node.end_byte
        return " ".join(self.data[node.start_byte : end].decode("utf-8", "replace").split())[:SIGNATURE_CHARS]

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and definition.named is not None and definition.named.type == "scope_resolution":
            definition.qualifier = self.text(definition.named).strip(":").rpartition("::")[0]
        if definition is not None and node.type == "method" and self._singletons:
            body = node.parent
            definition.qualifier = "." if body is not None and body.id in self._singletons else ""
        return definition

    def _definitions(self, captures: Captures) -> list[Definition]:
        bodies = (node.child_by_field_name("body") for node in captures.get("singleton", ()))
        self._singletons = {body.id for body in bodies if body is not None}
        return super()._definitions(captures)

    def on_singleton(self, scope: int, node: Node) -> None:
        """``class << self`` is no symbol: its methods are the class's own."""

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """``A::B``, ``A#method``, ``A.method`` for those of the class itself."""
        name = super().fqn(definition, parent)
        in_type = definition.parent and (parent.kind in TYPE_KINDS or parent.kind == "module")
        if in_type and definition.kind in ("method", "function", "field"):
            own = definition.node.type == "singleton_method" or definition.qualifier == "."
            return f"{parent.fqn}{'.' if own else '#'}{definition.name}"
        if in_type:
            middle = f"{definition.qualifier}::" if definition.qualifier else ""
            return f"{parent.fqn}::{middle}{definition.name}"
        return name

    def call(self, scope: int, path: str, node: Node) -> None:
        """Imports and mixins are calls by their looks only."""
        if path in _SILENT:
            return
        if path in _REQUIRES or path in _MIXINS:
            arguments = node.child_by_field_name("arguments")
            line = node.start_point[0] + 1
            for argument in arguments.named_children if arguments is not None else ():
                if path in _MIXINS:
                    if argument.type in ("constant", "scope_resolution"):
                        base = self.text(argument).replace("::", ".").strip(".")
                        self.bases.append(Base(scope, base, "embeds", line))
                elif argument.type == "string":
                    self.imports.append(Import(scope, "*", self.text(argument).strip("\"'"), "*", line))
            return
        super().call(scope, path, node)
