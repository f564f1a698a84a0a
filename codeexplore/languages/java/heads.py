"""Facts in the heads of Java's definitions: parameters, types, supertypes and annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from codeexplore.languages.extraction import Definition, anonymous_name
from codeexplore.languages.java.paths import CLASS_TYPES, TYPE_NODES
from codeexplore.languages.java.symbols import JavaSymbols
from codeexplore.types import Base, Binding, Reference, Return

if TYPE_CHECKING:
    from tree_sitter import Node


class JavaHeads(JavaSymbols):
    """Handlers for the facts in the head of a definition."""

    annotating: set[int]  # first bytes of annotations that were recorded with their definitions

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add parameters, types, supertypes and annotations of a definition."""
        node = definition.node
        kind = node.type
        if definition.kind in ("method", "lambda"):
            self._callable(definition, scope)
        elif kind == "object_creation_expression":
            line = node.start_point[0] + 1
            self.bindings.append(Binding(scope, "%class" + anonymous_name(node)[3:], "variable", "", "", line))
            made = node.child_by_field_name("type")
            if made is not None and (name := self.type_name(made)):
                self.bases.append(Base(scope, name, "extends", line))
        elif kind == "enum_constant":
            self._enum_constant(definition, scope)
        elif kind.endswith("_declaration"):
            self._type(node, scope)
        elif kind.endswith("_parameter"):  # a component of a record
            self._parameter(definition.parent, node, "field")
        for annotation in self.annotations(definition):
            self.annotating.add(annotation.start_byte)
            self._annotation(definition.parent, annotation, (definition.name,))

    def _type(self, node: Node, scope: int) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "type_parameters":
                self._type_parameters(child, scope)
            elif kind == "superclass":
                self._bases(scope, child.named_children, "extends")
            elif kind in ("super_interfaces", "extends_interfaces"):
                listed = [each for types in child.named_children for each in types.named_children]
                self._bases(scope, listed, "implements" if kind == "super_interfaces" else "extends")

    def _bases(self, scope: int, types: Sequence[Node], manner: Literal["extends", "implements"]) -> None:
        for each in types:
            name = self.type_name(each)
            if name:
                self.consume_type(each)
                self.bases.append(Base(scope, name, manner, each.start_point[0] + 1))

    def _enum_constant(self, definition: Definition, scope: int) -> None:
        node = definition.node
        enum = self.symbols[definition.parent]
        line = node.start_point[0] + 1
        if definition.kind == "class":
            self.bases.append(Base(scope, enum.name, "extends", line))
        else:
            self.bind(definition.parent, definition.name, "field", enum.name, (), line)
        arguments = node.child_by_field_name("arguments")
        args = self.arguments(arguments) if arguments is not None else ()
        self.references.append(Reference(definition.parent, "new", enum.name, line, args))

    def _callable(self, definition: Definition, scope: int) -> None:
        node = definition.node
        for child in node.named_children:
            if child.type == "type_parameters":
                self._type_parameters(child, scope)
                break
            if child.type == "formal_parameters":
                break
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            line = parameters.start_point[0] + 1
            if parameters.type == "identifier":
                self.bind(scope, self.text(parameters), "parameter", "", (), line)
            for child in parameters.named_children:
                if child.type == "identifier":
                    self.bind(scope, self.text(child), "parameter", "", (), line)
                else:
                    self._parameter(scope, child, "parameter")
        body = definition.body
        if definition.kind == "lambda":
            if body is not None and body.type != "block":
                self.returns.extend(Return(scope, value, "return") for value in self.values_of(body))
        else:
            declared = node.child_by_field_name("type")
            if declared is not None and declared.type != "void_type":
                text = self.type_text(declared, node.child_by_field_name("dimensions"))
                self.returns.append(Return(scope, text, "type"))

    def _parameter(self, scope: int, node: Node, manner: Literal["parameter", "field"]) -> None:
        line = node.start_point[0] + 1
        if node.type == "formal_parameter":
            name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
            if name is not None:
                text = self.type_text(kind, node.child_by_field_name("dimensions"))
                self.bind(scope, self.text(name), manner, text, (), line)
        elif node.type == "spread_parameter":
            kind = next((child for child in node.named_children if child.type in TYPE_NODES), None)
            name = self.name_node("field", node)
            if name is not None:
                text = self.type_text(kind)
                if manner == "field":
                    self.bind(scope, self.text(name), "field", text + "[]", (), line)
                else:
                    self.bind(scope, self.text(name), "rest", text, (), line)

    def _type_parameters(self, node: Node, scope: int) -> None:
        for child in node.named_children:
            if child.type != "type_parameter":
                continue
            name = next((each for each in child.named_children if each.type == "type_identifier"), None)
            bound = next((each for each in child.named_children if each.type == "type_bound"), None)
            if name is not None:
                self.consumed.add(name.start_byte)
                text = self.text(bound).removeprefix("extends").strip() if bound is not None else ""
                self.bind(scope, self.text(name), "type", text, (), name.start_point[0] + 1)

    def _annotation(self, scope: int, node: Node, args: tuple[str, ...]) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.references.append(Reference(scope, "decorator", self.path_of(name), node.start_point[0] + 1, args))

    def on_reference_decorator(self, scope: int, node: Node) -> None:
        """Add an annotation of a parameter, a local variable or a type.

        Other annotations are recorded with their definitions.
        """
        if node.start_byte not in self.annotating:
            self._annotation(scope, node, ())

    def consume_type(self, node: Node) -> None:
        """Mark the names that a type's own name consists of as recorded, but not its type arguments."""
        pending = [node]
        while pending:
            current = pending.pop()
            self.consumed.add(current.start_byte)
            if current.type != "type_identifier":
                pending.extend(child for child in current.named_children if child.type in CLASS_TYPES)
