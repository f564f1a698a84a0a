"""Zig: language record and extractor.

Example: ``fn total() u32 { return sum(); }`` in ``src/cart.zig`` becomes the function ``cart.total``, with a call of
``sum``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Definition, Layout, step_to, walk
from codeexplore.types import Import, SymbolKind

SHAPE = Shape(
    names={"ContainerField": ("field_member",), "IDENTIFIER": ()},
    bodies={"Decl": "<Block", "TestDecl": "<Block"},
    roots=frozenset({"IDENTIFIER"}),
)
_IMPORT = "@import"


class ZigExtractor(SymbolsExtractor):
    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the path of the file with dots and without ``src/``. In Zig, a file is a struct."""
        return super().module_name(path, root, layout).removeprefix("src/").replace("/", ".")

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        if node.type == "Decl":
            function = step_to(node, "<FnProto")
            return walk(function, "function") if function else walk(node, "<VarDecl", "variable_type_function")
        if node.type == "TestDecl":
            return step_to(node, "")
        name = super().name_node(kind, node)
        return name or walk(node, "<ErrorUnionExpr", "<SuffixExpr", "variable_type_function")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition; for a test, its text. An import is not a symbol and gives ""."""
        name = self.name_node(kind, node)
        if name is None or name.type == "Block":
            return ""
        if kind == "constant" and node.type == "Decl" and (module := self._import_of(node)):
            self.imports.append(Import(0, self.text(name), module, "", node.start_point[0] + 1))
            return ""
        return self.text(name).strip('"')

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition, with the word ``pub``, which is before its node, and without members."""
        before, head = definition.node.prev_sibling, super().signature(definition)
        head = head.partition(" {")[0] if definition.kind in ("struct", "enum") else head
        return f"pub {head}" if before is not None and before.type == "pub" else head

    def _value(self, node: Node) -> Node | None:
        return walk(node, "<VarDecl", "<ErrorUnionExpr", "<SuffixExpr")

    def _import_of(self, node: Node) -> str:
        """Return the file or package of ``const x = @import("…")``; "" for other values."""
        value = self._value(node)
        text = self.text(value) if value is not None and value.end_byte - value.start_byte < 300 else ""
        return text[len(_IMPORT) :].partition(")")[0].strip('( "') if text.startswith(_IMPORT) else ""

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is None:
            return None
        if node.type == "Decl" and kind == "constant":
            container = walk(self._value(node), "")
            if container is not None and container.type in ("ContainerDecl", "ErrorSetDecl"):
                enum = container.type == "ErrorSetDecl" or self._container_kind(container).startswith("enum")
                definition.kind = "enum" if enum else "struct"
                definition.body = step_to(container, "<ContainerField")
        elif node.type == "ContainerField":
            container = node.parent
            if container is not None and self._container_kind(container).startswith("enum"):
                definition.kind = "constant"
        return definition

    def _container_kind(self, container: Node) -> str:
        return self.data[container.start_byte : container.start_byte + 40].decode("utf-8", "replace")

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add each call of a chain ``a.b().c(x)``, which is a single node."""
        path, pending = "", ""
        for child in node.named_children:
            if child.type == "FnCallArguments":
                if path and path[0] != "@":
                    self.call(scope, path, node)
                path += "()"
            elif child.type == "FieldOrFnCall":
                pending = self.text(step_to(child, "") or child).strip(".")
                path = f"{path}.{pending}" if path else ""
                if child.child_by_field_name("function_call") is not None:
                    if path and path[0] != "@":
                        self.call(scope, path, child)
                    path += "()" if path else ""
            elif not path and child.type in ("IDENTIFIER", "BUILTINIDENTIFIER"):
                path = self.text(child)


ZIG = replace(
    declared("zig", "Zig", lambda: ZigExtractor(SHAPE)),
    extensions=(".zig", ".zon"),
    start_names=("main",),
    loaders=None,
    visibility="words",
    public_words=("pub", "export"),
    test_files=re.compile(r".+_test\.zig"),
)
