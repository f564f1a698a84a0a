"""Parameters, variables and results, found by a grammar's `Shape`: names with their declared types and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from codeexplore.languages.declarative.grammar_shape import Steps, clean_name, walk
from codeexplore.languages.declarative.references import ShapedUses
from codeexplore.languages.extraction import Captures, Definition, Extraction, Layout
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Binding, Reference, Return

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_TYPE = 300
_WORDS = re.compile(r"(?<=\s)|(?<=\()")  # words with the space after them
_ABSOLUTE = re.compile(r"(?<!\w)\.")


class ShapedValues(ShapedUses):
    """Handlers of nodes that bind a name to a type or a value."""

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Return the facts of one file."""
        self._recorded: set[int] = set()  # nodes of declarations that are symbols with their own code
        self._read_names: set[str] = set()  # names of methods that are called by reading them
        self._named = {node.id for node in captures.get("_named", ())}  # identifiers that are not values
        return super().extract(path, language, data, root, captures, layout)

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add the parameters of a function and the type of its result."""
        shape, node = self.shape, definition.node
        symbol = definition.symbol
        if definition.named is not None:
            self._named.add(definition.named.id)
        if symbol is None or symbol.kind not in CALLABLE_KINDS:
            if symbol is not None and symbol.kind in TYPE_KINDS and node.type in shape.parameters:
                self._parameters(definition, scope, fields=True)
            return
        if node.type in shape.declared:
            self._recorded.add(node.id)
        if symbol.kind == "method" and shape.read_signature and shape.read_signature.fullmatch(symbol.signature):
            self._read_names.add(symbol.name)
        self._parameters(definition, scope)
        result = self.result_type(definition)
        if result:
            self.returns.append(Return(scope, result, "type"))

    # ----------------------------------------------------------------- parameters

    def _parameters(self, definition: Definition, scope: int, fields: bool = False) -> None:
        for node in self.parameter_nodes(definition):
            name, type_text = self.parameter(node)
            if not name:
                continue
            manner: Literal["parameter", "rest", "field"] = "rest" if self.is_variadic(node) else "parameter"
            line = node.start_point[0] + 1
            self.bindings.append(Binding(scope, name, "field" if fields else manner, type_text, "", line))

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        """Iterate over the nodes of a definition's parameters, in their order."""
        steps = self.shape.parameters.get(definition.node.type)
        held = walk(definition.node, steps) if steps is not None else None
        if held is not None:
            yield from (child for child in held.named_children if child.type in self.shape.parameter)

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return the name and the type of a parameter."""
        name_steps, type_steps = self.shape.parameter[node.type]
        return self._name_at(node, name_steps), self.type_text(walk(node, type_steps))

    def is_variadic(self, node: Node) -> bool:
        """Return True if a parameter takes the rest of the arguments."""
        return node.type in self.shape.variadic

    def result_type(self, definition: Definition) -> str:
        """Return the declared result type of a function, as written; "" for none."""
        steps = self.shape.results.get(definition.node.type)
        return self.type_text(walk(definition.node, steps)) if steps is not None else ""

    # ----------------------------------------------------------------- variables

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Bind a declared variable or field, or the target of an assignment."""
        if node.id in self._recorded:
            return
        name_steps, type_steps, value_steps = self.shape.declared[node.type]
        name = self._name_at(node, name_steps)
        if not name:
            return
        value = walk(node, value_steps) if value_steps else None
        type_text = self.type_text(walk(node, type_steps)) if type_steps else ""
        in_type = self.symbols[scope].kind in TYPE_KINDS
        self.bind(scope, name, "field" if in_type or "." in name else "variable", type_text,
                  self.values_of(value) if value is not None else (), node.start_point[0] + 1)  # fmt: skip

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Bind the variable of a loop."""
        name_steps, type_steps, held_steps = self.shape.elements[node.type]
        name, held = self._name_at(node, name_steps), walk(node, held_steps)
        if name and held is not None:
            type_text = self.type_text(walk(node, type_steps)) if type_steps else ""
            self.bind(scope, name, "element", type_text, (self.path_of(held),), node.start_point[0] + 1)

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a read of a name without arguments, if a method of this file with this name is called by reading it."""
        start = node.start_byte
        if node.id not in self._named and start not in self.consumed and self.data[start - 1 : start] != b".":
            name = self.plain_name(self.text(node))
            if name in self._read_names:
                self.references.append(Reference(scope, "read", name, node.start_point[0] + 1))

    def _name_at(self, node: Node, steps: Steps) -> str:
        """Return the name that `steps` select: a plain name, or the access path of a member."""
        named = walk(node, steps)
        if named is None:
            return ""
        if named.type in self.shape.attributes:
            return self.path_of(named)
        return clean_name(self.text(named))

    def type_text(self, node: Node | None) -> str:
        """Return a type as written, on one line; "" for a placeholder such as ``var``."""
        if node is None or node.end_byte - node.start_byte > _LONGEST_TYPE:
            return ""
        text = " ".join(self.text(node).lstrip(":").split())
        if self.shape.type_words:
            text = "".join(word for word in _WORDS.split(text) if word.rstrip() not in self.shape.type_words)
        if "\\" in text:
            text = _ABSOLUTE.sub("", text.replace("\\", "."))
        return "" if text in self.shape.untyped else text

    # ----------------------------------------------------------------- arguments

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access path of each argument of a call, "" for an argument without one."""
        steps = self.shape.arguments.get(node.type)
        held = walk(node, steps) if steps is not None else None
        if held is None:
            return ()
        return tuple(self._argument(child) for child in held.named_children if not child.is_extra)

    def _argument(self, node: Node) -> str:
        if node.type not in self.shape.argument:
            return self.path_of(node)
        parts = [child for child in node.named_children if not child.is_extra]
        if not parts:
            return ""
        path = self.path_of(parts[-1])
        if len(parts) == 2 and path and parts[0].end_byte < parts[1].start_byte and "identifier" in parts[0].type:
            return f"{self.text(parts[0])}={path}"
        return path
