"""Extractor of C. Names and types are read from declarators, such as ``*(*f)(int)``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.c.declarators import MAX_DECLARATORS, NAMES, declared_name, declares_function, name_node
from codeexplore.languages.c.dialect import Dialect
from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.declarative.grammar_shape import Shape, Steps, step_to
from codeexplore.languages.extraction import Captures, Definition
from codeexplore.types import CALLABLE_KINDS, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_SPECIFIERS = 4  # most specifiers that are examined before a type
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".cuh")
_PARAMETERS = frozenset({
    "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration",
})  # fmt: skip
_PLAIN_NAMES = frozenset({"identifier", "field_identifier"})
_DECLARED = frozenset({"function_definition", "declaration", "field_declaration", "type_definition"})


class CExtractor(SymbolsExtractor):
    """Extractor of C. The definition of a function is a symbol, its prototype is not.

    `dialect` is the class of the parts in which C++ differs from C.
    """

    def __init__(self, shape: Shape, dialect: type[Dialect] = Dialect) -> None:
        super().__init__(shape)
        self.dialect = dialect(shape, self.paths, self.type_text, self.imports, self.references)
        self.parts = (self.dialect, *self.parts)

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name.

        It is inside a declarator, in a struct or enum, or in the typedef of an unnamed type.
        """
        return name_node(node)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name; "" if the definition is not a symbol.

        Prototypes, include guards, ``extern`` variables, and typedefs that repeat the name of a struct are not symbols.
        """
        found = self.dialect.name(kind, node)
        if found is not None:
            return found
        if kind == "field" and declares_function(node):
            return ""
        if node.type == "preproc_def" and node.child_by_field_name("value") is None:
            return ""
        if kind == "constant" and node.parent is not None and self.data.startswith(b"extern ", node.parent.start_byte):
            return ""
        name = super().definition_name(kind, node)
        if node.type == "type_definition":
            tagged = node.child_by_field_name("type")
            tag = tagged.child_by_field_name("name") if tagged is not None else None
            body = tagged.child_by_field_name("body") if tagged is not None else None
            if body is not None and (tag is None or self.text(tag) == name):
                return ""
        return name

    def owner_of(self, definition: Definition) -> str:
        """Return the class or namespace of a definition that is written outside of it; "" for other definitions."""
        return self.dialect.owner_of(definition)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make a class or namespace in the same file the parent of its members that are written outside of it."""
        super().adopt(placed)
        self.dialect.adopt(placed)

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the variable that `node` declares."""
        super().on_binding_variable(scope, node)
        if self.symbols[scope].kind in CALLABLE_KINDS:
            self.dialect.construct(scope, node)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name.

        A name that is visible only in its file begins with the file's path: ``src/queue.c:grow``. A definition in a
        header is visible in every file that includes the header.
        """
        name = super().fqn(definition, parent)
        internal = parent.kind == "module" and self._is_internal(definition) and not self.path.endswith(_HEADERS)
        return f"{self.path}:{name}" if internal and not name.startswith(self.path) else name

    def _is_internal(self, definition: Definition) -> bool:
        """Return True for a ``static`` function or variable, and for every definition in an unnamed namespace."""
        if any(start <= definition.start < end for start, end in self._unnamed):
            return True
        if definition.kind not in ("function", "constant"):
            return False
        node = definition.outer if definition.kind == "constant" else definition.node
        words = node.children[:_MOST_SPECIFIERS]
        return any(word.type == "storage_class_specifier" and self.text(word) == "static" for word in words)

    def _definitions(self, captures: Captures) -> list[Definition]:
        self._unnamed = [(node.start_byte, node.end_byte) for node in captures.get("_unnamed", ())]
        return super()._definitions(captures)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        """Yield the parameter nodes of a function, which are in its declarator."""
        current = definition.node.child_by_field_name("declarator")
        if definition.node.type == "preproc_function_def":
            return
        for _ in range(MAX_DECLARATORS):
            if current is None:
                return
            if current.type == "function_declarator":
                inner = current.child_by_field_name("declarator")
                if inner is None or inner.type != "parenthesized_declarator":
                    break
            current = current.child_by_field_name("declarator") or step_to(current, "-")
        held = current.child_by_field_name("parameters") if current is not None else None
        for child in held.named_children if held is not None else ():
            if child.type in _PARAMETERS:
                yield child

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return (name, type) of a parameter. A parameter without a name gets a name, so that it is counted."""
        declarator = node.child_by_field_name("declarator")
        named = declared_name(node) if declarator is not None else None
        type_text = self.type_text(node.child_by_field_name("type"))
        if declarator is not None and declarator.type == "function_declarator":
            type_text = ""  # this is only the result type: the parameter is a function
        if named is None or named.type != "identifier":
            return ("" if type_text == "void" else f"unnamed {node.start_byte}"), type_text
        return self.text(named), type_text

    def is_variadic(self, node: Node) -> bool:
        """Return True if the parameter `node` is a parameter pack."""
        return node.type.startswith("variadic")

    def result_type(self, definition: Definition) -> str:
        """Return the result type, which is written before the declarator or after an arrow; "" for none."""
        node = definition.node
        if node.type != "function_definition" and definition.kind != "method":
            return ""
        written = self.type_text(node.child_by_field_name("type"))
        if written:
            return written
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator") or step_to(declarator, "-")
        trailing = step_to(declarator, "<trailing_return_type") if declarator is not None else None
        return self.type_text(step_to(trailing, "")) if trailing is not None else ""

    def _name_at(self, node: Node, steps: Steps) -> str:
        """Return the name of the variable in a declaration; "" if it declares a function."""
        declarator = node.child_by_field_name("declarator")
        if declarator is None or (node.type != "init_declarator" and declarator.type == "init_declarator"):
            return ""
        if declares_function(declarator):
            return ""
        named = declared_name(declarator) if declarator.type not in NAMES else declarator
        return self.text(named) if named is not None and named.type in _PLAIN_NAMES else ""

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the declaration that contains a declarator; for an unnamed type, its typedef."""
        parent = node.parent
        if parent is None:
            return node
        if kind in ("field", "constant") and parent.type in _DECLARED:
            return parent
        if node.type.endswith("_specifier") and parent.type == "type_definition":
            return parent
        return super().outer_of(kind, node)

    def signature(self, definition: Definition) -> str:
        """Return the signature. For variables and fields it is the whole declaration."""
        if definition.kind in ("field", "constant") and definition.outer is not definition.node:
            text = self.code_of(definition.outer).partition("\n")[0]
            return " ".join(text.split()).rstrip(";{ ")[:300]
        if definition.outer.type == "type_definition" and definition.node is not definition.outer:
            return f"typedef {super().signature(definition)} {definition.name}"
        return super().signature(definition).rstrip(";")
