"""Extractor of Rust, on top of the common handlers.

These conventions are used in addition to those of `FileFacts`:

- ``::`` is a step like ``.``.
- ``?``, ``.await``, ``&``, ``*`` and turbofish are removed from access paths. So are ``Some(…)``, ``Ok(…)``,
  ``Box::new(…)`` and similar calls (`paths.WRAPPERS`).
- ``T { … }`` has the path ``T()``. It is a reference of kind `new` with ``field=path`` arguments.
- The parent of a method is the type of its impl block, if this type is in the same file. A binding of manner
  `receiver` contains type and trait, also in traits. Its name is "" for an associated function.
- ``impl A for B`` is a row of `Base` with its `type`.
- Fields of tuple structs are called ``0``, ``1`` …, fields of variants ``Variant.0``. An associated type of an impl is
  a binding called ``Type.Name``.
- ``name!(…)`` is a call of ``name!``, and `macro_rules` a function with this signature. Calls in the tokens of a macro
  are read from the text. A macro that contains definitions is parsed if its content is plain Rust
  (`modules.wrappings`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import Captures, Definition, Layout
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS
from codeexplore.languages.extraction.leading_trivia import clean_comment
from codeexplore.languages.rust import modules
from codeexplore.languages.rust.impls import Impl, RustTypes
from codeexplore.languages.rust.values import RustValues
from codeexplore.types import TYPE_KINDS, Reference, Symbol, SymbolKind

_INNER_DOC = re.compile(r"^[ \t]*(?://!.*|/\*![\s\S]*?\*/)\n?", re.MULTILINE)
_TAKES_APART = re.compile(rb"\.[ \t]*\$\w+[ \t]*:[ \t]*ident")
_WORD = re.compile(r"[^\W\d]\w*")
_HEAD_NODES = 60  # first nodes of a file or block that are searched for its inner documentation
_QUIET_ATTRIBUTES = words(
    """
    allow cfg cfg_attr cold default deny deprecated derive doc expect forbid ignore inline macro_export must_use
    no_mangle non_exhaustive path repr rustfmt.skip serde should_panic test track_caller warn Clone Copy Debug Default
    Eq Hash Ord PartialEq PartialOrd
    """
)
_LOWER = b"_abcdefghijklmnopqrstuvwxyz"


class RustExtractor(RustValues):
    """Extractor of Rust, with handlers for the captures in ``tags.scm`` of this folder."""

    def __init__(self) -> None:
        super().__init__()
        self.types = RustTypes(self)
        self.parts = (self.types,)
        self.locals.always = True  # only those that hide something are noted

    def begin(self, captures: Captures) -> None:
        self.silent_until = 0
        self.type_parameters = self.paths.type_parameters = set()
        self.sure = {node.start_byte for node in captures.get("_sure", ())}
        self.in_impl = set()
        self.tails, self.patterns = [], []
        self.types.begin()
        self.taking = {
            self.text(name)
            for node in captures.get("definition.function", ())
            if node.type == "macro_definition"
            and _TAKES_APART.search(self.data, node.start_byte, node.end_byte) is not None
            and (name := node.child_by_field_name("name")) is not None
        }
        self._impl_nodes: dict[int, Node] = {}  # id of an impl's body → the impl
        self._impls: dict[int, Impl] = {}
        self._owner: dict[int, Impl] = {}  # first byte of a definition → the impl block that contains it

    # ----------------------------------------------------------------- names and documentation

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        return modules.module_name(path, layout.paths)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition, without ``r#`` for a raw identifier; "" for ``const _``."""
        name = super().definition_name(kind, node).removeprefix("r#")
        return name if name != "_" else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the part of a definition in braces; None if it has no such part."""
        body = node.child_by_field_name("body")
        return body if body is not None and body.type != "ordered_field_declaration_list" else None

    def scope_start(self, definition: Definition) -> int:
        """Return the start of the definition, because type parameters are visible in its whole head."""
        return definition.node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above and, for an inline module, at the start of its body."""
        if definition.kind == "lambda":
            return ""
        doc = clean_comment(_INNER_DOC.sub("", leading)) if leading else ""
        if definition.kind == "module" and definition.body is not None:
            return "\n".join(part for part in (doc, self.module_doc(definition.body)) if part)
        return doc

    def module_doc(self, root: Node) -> str:
        """Return the text of the ``//!`` comments at the start of a file, or of the body of a module."""
        found = []
        for index in range(min(root.named_child_count, _HEAD_NODES)):
            child = root.named_child(index)
            if child.type not in ("line_comment", "block_comment", "inner_attribute_item"):
                break
            text = self.text(child)
            if text.startswith(("//!", "/*!")):
                found.append(text.rstrip("\n"))
        return clean_comment("\n".join(found))

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition. For constants and types without a body, return all of it."""
        node, body = definition.node, definition.body
        if node.type == "macro_definition":
            return f"macro_rules! {definition.name}"
        if body is not None:
            return super().signature(definition)
        text = self.code_of(node)
        if definition.kind == "constant":
            text = text.partition("\n")[0]
        return " ".join(text[: 4 * SIGNATURE_CHARS].split()).rstrip(";,{").rstrip()[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the paths of the attributes. For ``#[derive(A, B)]`` these are the derived traits."""
        found: list[str] = []
        for node in definition.decorations:
            attribute = node.named_children[0] if node.named_child_count else None
            if attribute is None or not attribute.named_child_count:
                continue
            path = self.path_of(attribute.named_children[0])
            if path == "derive":
                listed = self.text(attribute).partition("(")[2].rstrip(") \n\t,")
                found += ["".join(name.split()).replace("::", ".") for name in listed.split(",") if name.strip()]
            elif path:
                found.append(path)
        return tuple(found)

    # ----------------------------------------------------------------- methods and their types

    def _definitions(self, captures: Captures) -> list[Definition]:
        for node in captures.get("base", ()):
            body = node.child_by_field_name("body")
            if body is not None:
                self._impl_nodes[body.id] = node
        for node in captures.get("decorator", ()):
            if node.named_child_count:
                self.consumed.add(node.named_children[0].start_byte)
        return super()._definitions(captures)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        owner = self._owner_of(kind, node) if self._impl_nodes else None
        if owner is not None and kind == "type":  # an associated type: recorded with its impl
            return None
        definition = super()._definition(kind, node)
        if definition is not None and owner is not None:
            self._owner[definition.node.start_byte] = owner
            definition.owner = owner.type.rpartition(".")[2]
            if kind == "function":
                definition.kind = "method"
            else:
                self.in_impl.add(node.start_byte)
        return definition

    def _owner_of(self, kind: SymbolKind, node: Node) -> Impl | None:
        if kind not in ("function", "constant", "type") or (parent := node.parent) is None:
            return None
        block = self._impl_nodes.get(parent.id) if parent.type == "declaration_list" else None
        if block is None:
            return None
        impl = self._impls.get(block.id)
        if impl is None:
            impl = self._impls[block.id] = self.types.impl_of(block)
        return impl

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make the type of an impl block the parent of its items: one of the same module, or the only one here."""
        imported = b"\n".join(self.data[node.start_byte : node.end_byte] for node in self.captures.get("import", ()))
        self.hidden = {*_WORD.findall(imported.decode("utf-8", "replace")), *(each.name for each in placed if each)}
        beside: dict[tuple[int, str], int] = {}
        named: dict[str, list[int]] = {}
        for definition in placed:
            if definition is not None and definition.kind in TYPE_KINDS:
                beside[definition.parent, definition.name] = definition.index
                named.setdefault(definition.name, []).append(definition.index)
        for definition in placed:
            if definition is None or not definition.owner:
                continue
            alike = named.get(definition.owner, [])
            module = self._owner[definition.node.start_byte].type.rpartition(".")[0].removeprefix("self").strip(".")
            if module:  # a type of another module, which may be in this file
                alike = [number for number in alike if _stands_in(placed, number, module, definition.parent)]
            sole = alike[0] if len(alike) == 1 else -1
            found = sole if module else beside.get((definition.parent, definition.owner), sole)
            if found >= 0:
                definition.parent, definition.owner = found, ""

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a method it contains the type, even if the type is in another file."""
        if definition.owner:
            return f"{parent.fqn}::{definition.owner}::{definition.name}"
        return super().fqn(definition, parent)

    def _dispatch(self, captures: Captures, placed: Sequence[Definition | None]) -> None:
        """Bind the patterns of parameters first, and add the values of last expressions at the end, as locals."""
        for scope, pattern, name in self.patterns:
            self.bind_pattern(scope, pattern, name, refutable=False)
        # a name in a pattern binds a value, unless it is that of a constant or of a variant
        bound = [node for node in captures.get("_pattern", ()) if self.data[node.start_byte] in _LOWER]
        super()._dispatch({**captures, "_named": [*captures.get("_named", ()), *bound]}, placed)
        for scope, body in self.tails:
            self.give_back(scope, body)
            self.locals.log(body.end_byte - 1)

    # ----------------------------------------------------------------- facts of a definition

    def on_definition(self, definition: Definition, scope: int) -> None:
        node, kind = definition.node, definition.kind
        line = node.start_point[0] + 1
        if node.type in ("function_item", "function_signature_item", "closure_expression"):
            owner = self._owner.get(node.start_byte)
            parent = self.symbols[definition.parent]
            if owner is None and parent.kind == "trait" and kind == "function":
                owner = Impl(parent.name, "", ())
            self.types.function_facts(scope, node, owner if kind != "lambda" else None)
        elif kind in TYPE_KINDS:
            if definition.named is not None:
                self.consumed.add(definition.named.start_byte)
            if kind == "type":
                target = node.child_by_field_name("type")
                if target is not None:
                    value, text = self.path_of(target), self.paths.type_text(target)
                    self.bind(definition.parent, definition.name, "type", text, (value,), line)
            else:
                self.types.type_facts(scope, node, definition.name)
        if definition.decorations:
            names = self.symbols[scope].decorators
            if kind in TYPE_KINDS:
                derived = [name for name in names if name.rpartition(".")[2][:1].isupper()]
                self.types.derives(scope, tuple(derived), line)
            for name in names:
                if name not in _QUIET_ATTRIBUTES:
                    self.references.append(Reference(definition.parent, "decorator", name, line, (definition.name,)))


def _stands_in(placed: Sequence[Definition | None], number: int, module: str, scope: int) -> bool:
    """Return True if a definition is in the module `module`, a path as seen from the scope `scope`."""
    definition = placed[number]
    around = definition.parent if definition is not None else 0
    if set(module.split(".")) == {"super"}:
        for _ in module.split("."):
            outer = placed[scope]
            if outer is None:  # the file's own module: its parent is in another file
                return False
            scope = outer.parent
        return around == scope
    outer = placed[around]
    return outer is not None and outer.name == module.rpartition(".")[2]
