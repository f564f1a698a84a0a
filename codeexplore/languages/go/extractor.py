"""Extractor of Go, on top of the common handlers.

These conventions are used in addition to those of `FileFacts`:

- ``T{…}``, ``&T{…}`` and ``new(T)`` have the path ``T()``. They are references of kind `new` with ``field=path``
  arguments.
- ``x.(T)``, ``make(T)`` and literals of unnamed types have the path ``%type(T)``.
- ``<-ch`` has the path ``ch[]``.
- ``append(xs, …)`` has the path ``xs``, and each added value is an assignment to ``xs[]``.
- An alias is a binding of manner `type` in the enclosing scope, with the aliased path as its value. Any other defined
  type has such a binding in its own scope, with the name ``%underlying``.
- ``var _ I = T{}`` states that T implements I.
- The `receiver` of a method names its type without ``*``.
- A file that is only compiled with a build tag binds `LEFT_OUT`.
- The directives ``//export``, ``//go:wasmexport`` and ``//go:linkname``, by which code outside of Go's packages calls a
  function, are its decorators; so are the marks of tools that read a definition, such as ``// swagger:model`` and
  ``// +kubebuilder:rbac``. What ``//go:linkname`` takes from another package is imported without a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import Captures, Definition, Layout, walk
from codeexplore.languages.go import syntax
from codeexplore.languages.go.values import GoValues
from codeexplore.types import LEFT_OUT, TYPE_KINDS, Base, Binding, Import, Return, Symbol, SymbolKind

_CONSTRAINT = re.compile(rb"^//go:build[ \t]+([^\r\n]+)", re.MULTILINE)
_OLD_CONSTRAINT = re.compile(rb"^//[ \t]*\+build[ \t]+([^\r\n]+)", re.MULTILINE)
_TOKEN = re.compile(r"&&|\|\||[!()]|[\w.]+")
_HEAD_BYTES = 20_000
_DEEPEST = 50
_PLATFORMS = words(
    """
    386 aix amd64 android arm arm64 cgo darwin dragonfly freebsd hurd illumos ios js linux loong64 mips mips64 mips64le
    mipsle netbsd openbsd plan9 ppc64 ppc64le riscv64 s390x solaris unix wasip1 wasm windows zos
    """
)
_ALWAYS = re.compile(r"gc|go1(?:\.\d+)*")
_KEPT_ABOVE = re.compile(r"^//(export|go:wasmexport)[ \t]+\S", re.MULTILINE)
_TOOL_MARK = re.compile(r"^//[ \t]*(\+?(?!go:|(?:no)?lint:)[a-z][\w-]*:[a-z][\w:-]*)", re.MULTILINE)
_IMPORTS_C = re.compile(rb"""^[ \t]*(?:import[ \t]*\(?[ \t]*)?["`]C["`]""", re.MULTILINE)
_LINKNAME = re.compile(rb"^//go:linkname[ \t]+(\w+)(?:[ \t]+(\S+)\.(\w+))?", re.MULTILINE)


def is_left_out(data: bytes) -> bool:
    """Return True if the build constraint in `data` requires a tag that must be set on the command line.

    Constraints on the platform do not leave a file out. ``// +build`` lines count where no ``//go:build`` line is: each
    is a choice of terms, a comma joins what must hold together, and all lines must hold.
    """
    end = data.find(b"\npackage ", 0, _HEAD_BYTES)
    head = data[: end + 1].replace(b"\r", b"")
    found = _CONSTRAINT.search(head)
    if found is not None:
        return _is_false(found.group(1).decode("utf-8", "replace").partition("//")[0])
    above = head[: head.rfind(b"\n\n") + 1]  # a line right above the clause is its documentation
    lines = (each.group(1).decode("utf-8", "replace") for each in _OLD_CONSTRAINT.finditer(above))
    return any(_is_false(" || ".join(term.replace(",", " && ") for term in line.split())) for line in lines)


def _is_false(condition: str) -> bool:
    """Return True if a condition is false on all platforms unless a tag is set."""
    return _value(_TOKEN.findall(condition), 0, 0)[0] == 0


_Signs: TypeAlias = Sequence[tuple[str, Callable[[float, float], float]]]
_SIGNS: _Signs = (("||", max), ("&&", min))
_OF_PLATFORM = 0.5  # between false, 0, and true, 1


def _value(tokens: list[str], place: int, depth: int, signs: _Signs = _SIGNS) -> tuple[float, int]:
    """Return the value of the condition that begins at a place, and the place of the token after it.

    `signs` are the operators that may be in it, the weakest first.
    """
    if signs:
        (sign, join), *stronger = signs
        value, place = _value(tokens, place, depth, stronger)
        while place < len(tokens) and tokens[place] == sign:
            other, place = _value(tokens, place + 1, depth, stronger)
            value = join(value, other)
        return value, place
    if place >= len(tokens) or depth > _DEEPEST:
        return _OF_PLATFORM, len(tokens)
    word = tokens[place]
    if word == "!":
        value, place = _value(tokens, place + 1, depth + 1, ())
        return 1 - value, place
    if word == "(":
        value, place = _value(tokens, place + 1, depth + 1)
        return value, place + 1
    return _OF_PLATFORM if word in _PLATFORMS else float(_ALWAYS.fullmatch(word) is not None), place + 1


class GoExtractor(GoValues):
    """Extractor of Go, with handlers for the captures in ``tags.scm`` of this folder."""

    callee_first = True

    def begin(self, captures: Captures) -> None:
        self.type_parameters = set()
        self.paths.note_own_calls()
        self._left_out = is_left_out(self.data)
        self._imports_c = b"//export" in self.data and _IMPORTS_C.search(self.data) is not None
        self._linked = (
            {found[1].decode(): found for found in _LINKNAME.finditer(self.data)} if b"linkname" in self.data else {}
        )

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Bind `LEFT_OUT` in a file that needs a build tag, and drop assignments to variables of other files."""
        for position in reversed(self.assigned.settle(self.bindings, self.imports, placed)):
            del self.bindings[position]
        if self._left_out:
            self.bindings.append(Binding(0, LEFT_OUT, "variable", "", "", 1))
        for found in self._linked.values():
            if found[2]:
                line = self.data.count(b"\n", 0, found.start()) + 1
                self.imports.append(Import(0, "", found[2].decode("utf-8", "replace"), found[3].decode(), line))

    # ----------------------------------------------------------------- names, nodes, documentation

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the folder of the package; at the root, the name of the package.

        An external test package (``x_test``) is a package of its own: its folder is followed by ``_test``.
        """
        self._package = self.text(syntax.package(root)[0])
        folder = path.rpartition("/")[0]
        if not folder:
            return self._package or path.removesuffix(".go")
        apart = self._package.endswith("_test") and path.endswith("_test.go") and not folder.endswith("_test")
        return folder + "_test" if apart else folder

    def module_symbol_name(self, root: Node) -> str:
        return self._package or self.module.rpartition("/")[2]

    def module_doc(self, root: Node) -> str:
        return syntax.doc_text([self.text(node) for node in syntax.package(root)[1]])

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comment above the definition, without compiler directives."""
        return syntax.doc_text([leading]) if leading and definition.kind != "lambda" else ""

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the marks for tools above a definition, and the directives by which code outside calls a function."""
        above = "\n".join(map(self.text, definition.leading)) if definition.leading else ""
        marks = tuple(_TOOL_MARK.findall(above)) if ":" in above else ()
        if definition.kind != "function":
            return marks
        found = [mark for mark in _KEPT_ABOVE.findall(above) if mark != "export" or self._imports_c]
        return (*marks, *found, "go:linkname") if definition.name in self._linked else (*marks, *found)

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name. Fields, constants and variables are captured by their names."""
        return node if kind in ("field", "constant") else node.child_by_field_name("name")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition; "" for the blank identifier ``_``."""
        name = super().definition_name(kind, node)
        return name if name != "_" else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body of a definition. For a type, it begins at the braces of its underlying type."""
        if kind == "struct" or kind == "interface":
            defined = node.child_by_field_name("type")
            parts = defined.children if defined is not None else ()
            return next((part for part in parts if part.type in ("field_declaration_list", "{")), None)
        return node.child_by_field_name("body") if kind in ("function", "method", "lambda") else None

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the whole declaration if it declares only one thing, else the lines of the definition itself."""
        if kind in ("function", "method", "lambda"):
            return node
        spec = node.parent or node if kind in ("field", "constant") else node
        declaration = spec.parent
        if declaration is not None and declaration.type in syntax.DECLARATIONS and declaration.child_count == 2:
            return declaration
        return spec

    def scope_start(self, definition: Definition) -> int:
        """Return the start of the definition, in whose head type parameters are visible.

        That of a literal is its parameters, so that a call of it on the spot belongs to the enclosing scope.
        """
        parameters = definition.node.child_by_field_name("parameters") if definition.kind == "lambda" else None
        return (parameters or definition.node).start_byte

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition, with its keyword even if the definition is in a group."""
        node, kind = definition.node, definition.kind
        if kind == "field":
            return syntax.head(self.code_of(definition.outer))
        if kind == "constant":
            keyword = "const" if (node.parent or node).type == "const_spec" else "var"
            return syntax.head(f"{keyword} {self.code_of(node.parent or node)}")
        if kind in TYPE_KINDS:
            end = definition.body.start_byte if definition.body is not None else node.end_byte
            return syntax.head("type " + self.code[node.start_byte : end].decode("utf-8", "replace"), whole=True)
        if definition.body is None:
            return syntax.head(self.code_of(node), whole=True)
        return super().signature(definition)

    # ----------------------------------------------------------------- methods and their types

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and node.type == "method_declaration":
            definition.owner = self.path_of(walk(node, "receiver", "<parameter_declaration", "type"))
        return definition

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make the receiver's type the parent of each method, if the type is in the same file."""
        types = {d.name: d.index for d in placed if d is not None and d.kind in TYPE_KINDS and d.parent == 0}
        for definition in placed:
            if definition is not None and definition.owner:
                definition.parent = types.get(definition.owner, 0)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a method it contains the type, even if the type is in another file."""
        if definition.owner and parent.kind == "module":
            return f"{parent.fqn}.{definition.owner}.{definition.name}"
        return super().fqn(definition, parent)

    # ----------------------------------------------------------------- facts of a definition

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add receiver, parameters and results, fields and embedded types, and the target of an alias."""
        node, kind = definition.node, definition.kind
        line = node.start_point[0] + 1
        if kind in ("field", "constant"):
            return
        type_parameters = node.child_by_field_name("type_parameters")
        if type_parameters is not None:
            self._type_parameters(scope, type_parameters)
        if kind not in TYPE_KINDS:
            if node.type == "method_declaration":
                self._receiver(scope, node, definition.owner)
            self._signature_of(scope, node)
            return
        name, defined = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or defined is None:
            return
        self.consumed.add(name.start_byte)
        if kind == "struct" and definition.body is not None:
            self._fields(scope, definition.body)
        elif kind == "interface":
            for element in defined.named_children:
                if element.type == "type_elem" and element.named_child_count == 1:
                    self._embeds(scope, element.named_children[0])
        elif node.type == "type_alias":
            alias = (self.path_of(defined),)
            self.bind(definition.parent, definition.name, "type", self.paths.type_text(defined), alias, line)
        else:
            self.bind(scope, "%underlying", "type", self.paths.type_text(defined), (), line)

    def _signature_of(self, scope: int, node: Node) -> None:
        parameters, result = node.child_by_field_name("parameters"), node.child_by_field_name("result")
        if parameters is not None:
            self._parameters(scope, parameters, "parameter")
        if result is None:
            return
        if result.type != "parameter_list":
            self.returns.append(Return(scope, self.paths.type_text(result), "type"))
            return
        self._parameters(scope, result, "variable")
        types: list[str] = []
        for child in result.named_children:
            kind = child.child_by_field_name("type")
            if kind is not None:
                types += [self.paths.type_text(kind)] * max(1, len(child.children_by_field_name("name")))
        if types:
            self.returns.append(Return(scope, types[0] if len(types) == 1 else f"({', '.join(types)})", "type"))

    def _parameters(self, scope: int, node: Node, manner: str) -> None:
        """Add bindings for parameters or named results. ``_POSITION`` is the name of an unnamed parameter."""
        position = 0
        for child in node.named_children:
            kind = child.child_by_field_name("type")
            if kind is None:
                continue
            text, how = self.paths.type_text(kind), manner
            if child.type == "variadic_parameter_declaration":
                text, how = "[]" + text, "rest"
            names = child.children_by_field_name("name")
            for written in [self.text(name) for name in names] or ["_"]:
                if written != "_" or manner == "parameter":
                    name = written if written != "_" else f"_{position}"
                    self.bind(scope, name, how, text, (), child.start_point[0] + 1)
                position += 1

    def _type_parameters(self, scope: int, node: Node) -> None:
        for child in node.named_children:
            bound = child.child_by_field_name("type")
            for name in child.children_by_field_name("name"):
                self.type_parameters.add(self.text(name))
                self.bind(scope, self.text(name), "type", self.paths.type_text(bound), (), name.start_point[0] + 1)

    def _receiver(self, scope: int, node: Node, owner: str) -> None:
        receiver = walk(node, "receiver", "<parameter_declaration")
        if receiver is None or not owner:
            return
        name, kind = receiver.child_by_field_name("name"), receiver.child_by_field_name("type")
        line = receiver.start_point[0] + 1
        if kind is not None:
            self.consumed.add(syntax.bare_type(kind).start_byte)
        self.bind(scope, self.text(name), "receiver", owner, (), line)
        for parameter in syntax.type_arguments(kind) if kind is not None else ():
            self.type_parameters.add(self.text(parameter))
            self.bind(scope, self.text(parameter), "type", "", (), line)

    def _fields(self, scope: int, body: Node) -> None:
        for field in body.named_children:
            kind = field.child_by_field_name("type")
            if kind is None:
                continue
            names = field.children_by_field_name("name")
            for name in names:
                self.bind(scope, self.text(name), "field", self.paths.type_text(kind), (), name.start_point[0] + 1)
            if not names:
                self._embeds(scope, kind)
                path = self.path_of(kind)
                if path:
                    last = path.rpartition(".")[2]
                    self.bind(scope, last, "field", self.paths.type_text(kind), (), field.start_point[0] + 1)

    def _embeds(self, scope: int, node: Node) -> None:
        path = self.path_of(node)
        if path:
            self.bases.append(Base(scope, path, "embeds", node.start_point[0] + 1))
