"""Definitions of JavaScript and TypeScript: their nodes, names, signatures and documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codeexplore.languages.doc_comments import clean_doc
from codeexplore.languages.extraction import SIGNATURE_CHARS, Definition, Extractor, Layout, anonymous_name
from codeexplore.languages.javascript.context_names import (
    DEFAULT,
    FUNCTION_VALUES,
    NAMED_VALUES,
    Place,
    key_text,
    literal_place,
    place_of,
    unwrapped,
)
from codeexplore.languages.javascript.paths import ScriptPaths
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

EXTENSIONS: Final = (".js", ".mjs", ".cjs", ".jsx", ".es6", ".ts", ".mts", ".cts", ".tsx")
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_AROUND = frozenset({"export_statement", "ambient_declaration"})
_NOT_DEFAULT = NAMED_VALUES | {"identifier", "member_expression"}  # exported values that are not definitions themselves
_MODIFIERS = re.compile(r"^(?:(?:export|default|declare)\s+)+")
_LICENSE = re.compile(r"copyright|licen[cs]e|@preserve|eslint-|@ts-|^#!", re.IGNORECASE)


class ScriptSymbols(Extractor):
    """Definitions of JavaScript and TypeScript, and their names.

    The name of a module is its path without extension and without ``/index``. Symbols follow after dots:
    ``src/services/session.SessionService.validate``.

    - A function, class or literal that a variable, property, field or assignment names is a symbol of this name.
    - Methods of an object literal are children of the constant to which the literal is assigned. Without such a
      constant, their qualified name contains the variable and the enclosing keys.
    - A value assigned to ``Foo.prototype.bar`` is called ``Foo.bar``. A value assigned to ``exports.bar``, and a member
      ``bar`` of ``module.exports = {}``, is called ``bar``.
    - An anonymous default export, and ``module.exports = function``, is called ``default``.
    - A method whose parent is not a type can't be called by its plain name.

    A function or class may have an access path with a position, but no symbol of this name. It is found by a binding in
    its own scope: name ``%fn:LINE:COL`` or ``%class:LINE:COL``, manner ``variable``, no value.
    """

    paths: ScriptPaths
    wrappers = _AROUND
    parent_kinds = Extractor.scope_kinds | {"constant", "field", "module"}
    decorated: bool  # True if the file contains decorators
    literal_methods: set[int]  # first bytes of methods in object literals

    def __init__(self) -> None:
        super().__init__(ScriptPaths())

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the path without its extension (such as ``.d.ts``) and without ``/index`` at its end."""
        for extension in EXTENSIONS:
            if path.endswith(extension):
                path = path[: -len(extension)].removesuffix(".d")
                break
        return path.removesuffix("/index")

    def module_symbol_name(self, root: Node) -> str:
        """Return the last part of the path, including its dots."""
        return self.module.rpartition("/")[2] or self.module

    def module_doc(self, root: Node) -> str:
        """Return the text of a file's first comment, if a blank line separates it from the code."""
        if not root.named_child_count:
            return ""
        first = root.named_children[0]
        if first.type == "hash_bang_line" and root.named_child_count > 1:
            first = root.named_children[1]
        text = self.text(first) if first.type == "comment" else ""
        apart = self.data[first.end_byte : first.end_byte + 4].count(b"\n") > 1
        if not (apart or "@file" in text or "@module" in text) or _LICENSE.search(text):
            return ""
        return clean_doc(text)

    # ----------------------------------------------------------------- names of nodes

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        node_type = node.type
        if node_type in NAMED_VALUES:
            return self._value(kind, node)
        if node_type == "method_definition":
            return self._method(node)
        if kind in ("constant", "field"):
            return self._constant(kind, node)
        if node_type == "class_static_block":
            return Definition(kind, "<static>", node, node, self.body_of(kind, node), node.start_byte, node.end_byte)
        return super()._definition(kind, node)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a declaration; ``default`` if it has none."""
        name = self.name_node(kind, node)
        return key_text(name, self.data) if name is not None else DEFAULT

    def _value(self, kind: SymbolKind, node: Node) -> Definition:
        """Return the definition of a function or class that is a value. It is named by its place, or else by itself."""
        place = place_of(node, self.data)
        own = node.child_by_field_name("name")
        is_class = node.type not in FUNCTION_VALUES
        if place is not None and (own is None or place.name != DEFAULT):
            kind = "class" if is_class else "method" if place.is_method else "function"
            return self._placed(kind, node, place)
        if own is not None:
            name, kind = self.text(own), "class" if is_class else "function"
        else:
            name = f"<{'class' if is_class else 'lambda'}:{anonymous_name(node)[4:]}>"
        outer = place.node if place is not None else node
        return Definition(
            kind, name, node, outer, self.body_of(kind, node), outer.start_byte, outer.end_byte, named=own
        )  # fmt: skip

    def _placed(self, kind: SymbolKind, node: Node, place: Place) -> Definition:
        outer = self._statement(place.node)
        return Definition(
            kind, place.name, node, outer, self.body_of(kind, node), outer.start_byte, outer.end_byte,
            named=place.named, qualifier=place.qualifier, owner=place.owner,
        )  # fmt: skip

    def _method(self, node: Node) -> Definition | None:
        parent = node.parent
        if parent is not None and parent.type == "object":
            place = literal_place(node, self.data)
            if place is None:
                return None
            self.literal_methods.add(node.start_byte)
            return self._placed("method" if place.is_method else "function", node, place)
        return super()._definition("method", node)

    def _constant(self, kind: SymbolKind, node: Node) -> Definition | None:
        """Return the definition of a module's variable, an exported value or a field.

        Functions and classes are left out.
        """
        name: Node | None = node
        value = None
        if node.type == "variable_declarator" or node.type.endswith(("_definition", "_signature", "assignment")):
            name = node.child_by_field_name("name") or node.child_by_field_name("property")
            value = node.child_by_field_name("value")
            if value is not None and unwrapped(value).type in NAMED_VALUES:
                return None
        elif node.type == "assignment_expression":
            return self._exported_constant(node)
        elif (parent := node.parent) is not None and parent.type == "export_statement":
            if unwrapped(node).type in _NOT_DEFAULT:
                return None
            place = Place(DEFAULT, None, parent)
            return self._placed(kind, node, place)
        if name is None or name.type in ("object_pattern", "array_pattern") or self._is_required(value):
            return None
        outer = self._statement(node)
        return Definition(
            kind, key_text(name, self.data), node, outer, None, outer.start_byte, outer.end_byte, named=name
        )  # fmt: skip

    def _exported_constant(self, node: Node) -> Definition | None:
        """Return the definition of ``exports.NAME = value``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or unwrapped(right).type in NAMED_VALUES or self._is_required(right):
            return None
        written = self.data[left.start_byte : left.end_byte]
        if not written.startswith((b"exports.", b"module.exports.")) or right.type == "identifier":
            return None
        named = left.child_by_field_name("property") or left
        outer = self._statement(node)
        return Definition(
            "constant", self.text(named), node, outer, None, outer.start_byte, outer.end_byte, named=named
        )  # fmt: skip

    def _is_required(self, value: Node | None) -> bool:
        """Return True if a value is the result of ``require("…")`` or ``await import("…")``, which is an import."""
        return value is not None and self.data.startswith((b"require(", b"await import("), value.start_byte)

    def _statement(self, node: Node) -> Node:
        """Return the statement that contains a single declarator, assignment or field, with ``export`` before it."""
        parent = node.parent
        if parent is None:
            return node
        if parent.type in _DECLARATIONS:
            if parent.named_child_count > 1 and sum(c.type == "variable_declarator" for c in parent.named_children) > 1:
                return node
            node, parent = parent, parent.parent
        elif parent.type == "expression_statement":
            return parent
        while parent is not None and parent.type in _AROUND:
            node, parent = parent, parent.parent
        return node

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. Qualifiers that repeat the name of the parent constant are left out."""
        qualifier = definition.qualifier
        if qualifier and parent.kind in ("constant", "field"):
            qualifier = "" if qualifier == parent.name else qualifier.removeprefix(parent.name + ".")
        names = (parent.fqn, qualifier, definition.name) if qualifier else (parent.fqn, definition.name)
        return ".".join(names)

    # ----------------------------------------------------------------- signature and documentation

    def scope_start(self, definition: Definition) -> int:
        """Return the first byte of a definition's scope.

        It includes the parameters of a function and the bases of a class, but not decorators.
        """
        node, named = definition.node, definition.named
        if definition.body is None and definition.kind not in CALLABLE_KINDS:
            return definition.end
        inside = named is not None and node.start_byte <= named.start_byte < node.end_byte
        return named.end_byte if named is not None and inside else node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the documentation comment above a definition."""
        return clean_doc(leading) if leading and definition.kind != "lambda" else ""

    def signature(self, definition: Definition) -> str:
        """Return the head on one line without decorators and ``export``; for a constant, its first line."""
        outer, body = definition.outer, definition.body
        start = outer.start_byte
        if self.decorated:
            start = max([start, *(node.end_byte for node in self.inner_decorators(definition))])
        end = body.start_byte if body is not None else definition.end
        head = self.data[start : min(end, start + 4 * SIGNATURE_CHARS)].decode("utf-8", "replace").strip()
        if body is None and definition.kind not in CALLABLE_KINDS and definition.node.type != "property_signature":
            head = head.partition("\n")[0]
        head = " ".join(head.split())
        if head[:1] in ("e", "d"):
            head = _MODIFIERS.sub("", head)
        return head.rstrip(" {=>;,:" if body is not None and "=>" in head[-4:] else " {;,:=")[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the access paths of the decorators, outermost first."""
        if not self.decorated:
            return ()
        nodes = (*definition.decorations, *self.inner_decorators(definition))
        return tuple(self.path_of(node.named_children[0]) for node in nodes if node.named_child_count)

    def inner_decorators(self, definition: Definition) -> list[Node]:
        """Return the decorators that the grammar places inside a definition or its ``export``."""
        if not self.decorated or definition.kind not in TYPE_KINDS | {"method", "field"}:
            return []
        node, outer = definition.node, definition.outer
        found = [child for child in node.children if child.type == "decorator"]
        if outer.id != node.id:
            found = [child for child in outer.children if child.type == "decorator"] + found
        return found
