"""Extractor of Python, on top of the common handlers."""

from __future__ import annotations

import ast
import inspect
import re

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction import Captures, Definition, Layout, clean_comment, enclosing
from codeexplore.languages.python.declarations import PythonNames
from codeexplore.types import METACLASS, STAR, STUB, Base, Binding, Import, Return, SymbolKind

_TYPE_NAMES = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_CHECKING = "TYPE_CHECKING"
_TRIPLE = '"""'
_ESCAPED = re.compile(r"[\\\r\0]")  # with these characters, the value of a literal differs from its source text
_NOT_TYPES = words(
    "None int str bool float bytes object list dict set tuple type complex Any Optional Union Literal Callable"
)


class PythonExtractor(PythonNames):
    """Extractor of Python, with handlers for the captures in ``tags.scm`` of this folder."""

    callee_first = True

    def begin(self, captures: Captures) -> None:
        self._lazy.begin()
        self._annotated_until = 0  # end of the last recorded annotation
        self._sure = 0
        self._always = {node.start_byte for node in captures.get("_always", ())}
        self._decorated = {node.children[-1].start_byte: node for node in captures.get("_decorated", ())}
        self._functions: dict[int, int] = {}  # first byte of a function → its scope
        self._outer_names = {}

    # ----------------------------------------------------------------- names and documentation

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the dotted path of the file, beginning at the topmost folder with an ``__init__.py``.

        Without such a folder, the path begins at the root or at ``src``.
        """
        folders = path.rsplit(".", 1)[0].split("/")
        stem = folders.pop()
        first = len(folders)
        while first > 0 and "/".join([*folders[:first], "__init__.py"]) in layout.paths:
            first -= 1
        if first == len(folders) and folders:  # no package: a script, or a namespace package
            first = 1 if folders[0] in ("src", "lib") else 0
        prefix = layout.prefix.split(".") if layout.prefix and first == 0 else []
        parts = prefix + folders[first:] + ([] if stem == "__init__" else [stem])
        return ".".join(parts) or stem

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name. For a constant or field, it is the target of the assignment."""
        if node.type in ("assignment", "type_alias_statement"):
            left = node.child_by_field_name("left")
            if left is not None and left.type == "type" and left.named_child_count:
                left = left.named_children[0]
            return left if left is not None and left.type == "identifier" else None
        return node.child_by_field_name("name")

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        return self._decorated.get(node.start_byte, node)

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the docstring of the definition; without one, the text of the comments above it."""
        if definition.kind in ("function", "method", "class") and definition.body is not None:
            return self._docstring(definition.body) or clean_comment(leading)
        return clean_comment(leading) if definition.kind != "lambda" else ""

    def module_doc(self, root: Node) -> str:
        return self._docstring(root)

    def _docstring(self, block: Node) -> str:
        first = block.named_child(0) if block.named_child_count else None
        if first is not None and first.type == "comment":
            first = next((child for child in block.named_children if child.type != "comment"), None)
        if first is not None and first.type == "expression_statement" and first.named_child_count == 1:
            first = first.named_children[0]
        return literal_text(self.text(first)) if first is not None and first.type == "string" else ""

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        if definition.outer is definition.node or definition.outer.type != "decorated_definition":
            return ()
        return tuple(self.path_of(node.named_children[0]) for node in self._decorator_nodes(definition))

    def _decorator_nodes(self, definition: Definition) -> list[Node]:
        return [c for c in definition.outer.named_children if c.type == "decorator" and c.named_child_count]

    # ----------------------------------------------------------------- facts of a definition

    def on_definition(self, definition: Definition, scope: int) -> None:
        node = definition.node
        if definition.kind in ("function", "lambda"):
            self._functions[node.start_byte] = scope
            parameters = node.child_by_field_name("parameters")
            if parameters is not None:
                self._parameters(parameters, scope)
            self._result(definition, scope)
            self._declaring(definition, scope)
        elif definition.kind == "class" and (bases := node.child_by_field_name("superclasses")) is not None:
            self._bases(bases, scope)
        if definition.kind == "lambda" and definition.body is not None:
            self.give_back(scope, definition.body)
        if definition.outer is not definition.node:
            for decorator in self._decorator_nodes(definition):
                target = decorator.named_children[0]
                path = self.path_of(target)
                if path:
                    self.consumed.add(target.start_byte)
                    self.refer(definition.parent, "decorator", path, decorator, (definition.name,))

    def _result(self, definition: Definition, scope: int) -> None:
        node, body = definition.node, definition.body
        if body is not None and self.data.find(b"->", node.start_byte, body.start_byte) >= 0:  # few have one
            returns = node.child_by_field_name("return_type")
            if returns is not None:
                self.returns.append(Return(scope, self.text(returns), "type"))

    def _declaring(self, definition: Definition, scope: int) -> None:
        """Add a binding of `STUB` in a function that is only a declaration, whose body is ``...``."""
        body = definition.body
        if body is None or self.data[body.end_byte - 3 : body.end_byte] != b"...":
            return
        rest = [node for node in body.named_children if node.type != "comment"]
        inner = [node.named_children[0] if node.type == "expression_statement" else node for node in rest]
        if [node.type for node in inner] in (["ellipsis"], ["string", "ellipsis"]):
            seen = _CHECKING if self._is_for_checkers(definition.node) else ""
            self.bindings.append(Binding(scope, STUB, "variable", seen, "", definition.node.start_point[0] + 1))

    def _is_for_checkers(self, node: Node) -> bool:
        """Return True if the definition `node` is inside ``if TYPE_CHECKING``."""
        inner, outer = node, node.parent
        while outer is not None:
            if outer.type == "if_statement" and inner == outer.child_by_field_name("consequence"):
                condition = outer.child_by_field_name("condition")
                if condition is not None and self.text(condition).rpartition(".")[2] == _CHECKING:
                    return True
            inner, outer = outer, outer.parent
        return False

    def _metaclass(self, node: Node, scope: int) -> None:
        """Add a binding for the metaclass that ``metaclass=M`` names."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        path = self.path_of(value) if name is not None and value is not None and self.text(name) == "metaclass" else ""
        if path:
            self.bindings.append(Binding(scope, METACLASS, "variable", "", path, node.start_point[0] + 1))

    def _bases(self, node: Node, scope: int) -> None:
        for child in node.named_children:
            if child.type == "keyword_argument":
                self._metaclass(child, scope)
                continue
            is_generic = child.type == "subscript" and child.named_child_count > 0
            named, *given = child.named_children if is_generic else [child]
            if path := self.path_of(named):
                self.consumed.add(child.start_byte)
                arguments = tuple(map(self.text, given))
                self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1, "", arguments))

    def _parameters(self, node: Node, scope: int) -> None:
        manner = "parameter"
        for child in node.named_children:
            name, annotation, default, own = child, None, None, manner
            if child.type in ("typed_parameter", "typed_default_parameter", "default_parameter"):
                annotation = child.child_by_field_name("type")
                default = child.child_by_field_name("value")
                name = child.child_by_field_name("name") or child.named_children[0]
            if name.type == "keyword_separator":
                manner = "keyword"
            elif name.type in ("list_splat_pattern", "dictionary_splat_pattern") and name.named_child_count:
                own = "rest" if name.type == "list_splat_pattern" else "keywords"
                manner = "keyword"
                name = name.named_children[0]
            if name.type == "identifier":
                values = self.values_of(default)
                if default is not None and default.type == "string" and self.paths.key(default).isidentifier():
                    values = [f"%str:{self.paths.key(default)}"]
                self.bind(scope, self.text(name), own, self.text(annotation), values, child.start_point[0] + 1)

    # ----------------------------------------------------------------- uses

    def on_reference_type(self, scope: int, node: Node) -> None:
        """Add every name in an annotation as a use of a type, annotations inside of it only once."""
        if node.start_byte < self._annotated_until:
            return
        self._annotated_until = node.end_byte
        scope = self._signature_scope(node, scope)
        for name in _TYPE_NAMES.findall(self.text(node)):
            if name not in _NOT_TYPES:
                self.refer(scope, "type", name, node)

    def on_reference_bare(self, scope: int, node: Node) -> None:
        if node.start_byte >= self._annotated_until:
            super().on_reference_bare(scope, node)

    def _signature_scope(self, node: Node, scope: int) -> int:
        """Return the function's scope for a type in its signature, whose uses are by the function; else `scope`."""
        around = enclosing(node.parent, ("function_definition", "block"))
        if around is None or around.type == "block":
            return scope
        return self._functions.get(around.start_byte, scope)

    # ----------------------------------------------------------------- modules

    def on_import(self, scope: int, node: Node) -> None:
        """Add the names of ``import a.b`` and ``import a.b as c``."""
        line = node.start_point[0] + 1
        for child in node.named_children:
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is not None and alias is not None:
                    self.imports.append(Import(scope, self.text(alias), self.text(name), "", line))
            elif child.type == "dotted_name":
                module = self.text(child)
                self.imports.append(Import(scope, module, module, "", line))

    def on_import_from(self, scope: int, node: Node) -> None:
        """Add the names of ``from m import a, b as c`` or ``from m import *``."""
        source = node.child_by_field_name("module_name")
        if source is None:
            return
        module, line = self.text(source), node.start_point[0] + 1
        for child in node.children_by_field_name("name"):
            name = alias = child
            if child.type == "aliased_import":
                name = child.child_by_field_name("name") or child
                alias = child.child_by_field_name("alias") or name
            self.imports.append(Import(scope, self.text(alias), module, self.text(name), line))
        if any(child.type == "wildcard_import" for child in node.named_children):
            self.imports.append(Import(scope, "*", module, "*", line))
            around = node
            while around.parent is not None and around.parent.type != "module":
                around = around.parent
            if around != node:
                self.bindings.append(Binding(scope, STAR, "variable", "", "", line, around.end_point[0] + 1))


def literal_text(literal: str) -> str:
    """Return the dedented text of a string literal; without its quotes only, if it cannot be evaluated."""
    inside = literal[3:-3]
    is_plain = literal[:3] == literal[-3:] == _TRIPLE and not _ESCAPED.search(inside) and len(literal) < 100_000
    if is_plain and _TRIPLE not in inside and inside[-1:] != '"':
        return inspect.cleandoc(inside).strip()  # equal to the evaluated literal, but faster
    try:
        value = ast.literal_eval(literal) if len(literal) < 100_000 else literal
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        value = literal.lstrip("rRbBuUfF").strip("\"'")
    return inspect.cleandoc(value).strip() if isinstance(value, str) else ""
