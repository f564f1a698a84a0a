"""Extractor of languages of level ``symbols``, driven by a `Shape`: the node types that contain names.

It returns symbols with their nesting, signatures and documentation, calls with their receivers, supertypes, imports,
and the declared types of parameters and variables. A call inside an anonymous function belongs to the enclosing named
function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.bindings import ShapedValues
from codeexplore.languages.declarative.grammar_shape import clean_name, step_to, walk
from codeexplore.languages.declarative.references import QUALIFIED
from codeexplore.languages.doc_comments import clean_doc
from codeexplore.languages.extraction import SIGNATURE_CHARS, Captures, Definition, Extraction, Layout
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Binding, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_OPENING_NODES = 300  # a package clause is searched among the first nodes of a file
_ANNOTATIONS = re.compile(r"\s*(?:(?:\[\[[^\[\]]*\]\]|#?\[[^\[\]]*\]|@[\w.:]+(?:\([^()]*\))?)\s*)+")
_SPACE = re.compile(r"\s+")


class SymbolsExtractor(ShapedValues):
    """Handlers for the captures of languages of level ``symbols``."""

    scope_kinds = frozenset(TYPE_KINDS | CALLABLE_KINDS | {"module"})
    parent_kinds = scope_kinds

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Return the facts of one file."""
        self._extensions = {}
        return super().extract(path, language, data, root, captures, layout)

    # ----------------------------------------------------------------- modules and names

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the package that the file names, else the file's path without the suffix."""
        self._package_node, package = -1, ""
        if self.shape.packages:
            package = self._package(root)
        self._in_package = bool(package)
        return package or path.rpartition(".")[0] or path

    def _package(self, root: Node) -> str:
        found = [child for child in root.named_children[:_OPENING_NODES] if child.type in self.shape.packages]
        bodies = [node for node in found if node.child_by_field_name("body") is not None]
        if len(bodies) > 1:  # several package blocks: each becomes a module
            return ""
        names = []
        for node in found:
            written = QUALIFIED.search(self.text(self.name_node("module", node) or node))
            if written is not None:
                names.append(written.group())
                self._package_node = node.id
        return self.shape.separator.join(names)

    def module_symbol_name(self, root: Node) -> str:
        """Return the last part of the package's name, or of the path."""
        return re.split(r"[./\\]|::", self.module)[-1] or self.module

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node that the shape's steps select for the name; by default the field "name"."""
        steps = self.shape.names.get(node.type, ("name",))
        return walk(node, steps)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name as written, without marks that are not part of it."""
        name = self.name_node(kind, node)
        return clean_name(self.text(name)) if name is not None else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node that the shape's step selects for the body; by default the field "body"."""
        return step_to(node, self.shape.bodies.get(node.type, "body"))

    def scope_start(self, definition: Definition) -> int:
        """Return the start of the definition: supertypes and defaults are in its scope too."""
        return definition.node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above a definition."""
        return clean_doc(leading)

    def signature(self, definition: Definition) -> str:
        """Return the head of a definition without annotations.

        For a variable or field, return the first line of its declaration.
        """
        if definition.kind in ("field", "constant"):
            text = self.text(definition.outer).partition("\n")[0]
        elif definition.body is None:
            text = self.text(definition.node)[: 4 * SIGNATURE_CHARS]
        else:
            text = super().signature(definition)
        annotations = _ANNOTATIONS.match(text)
        text = text[annotations.end() :] if annotations is not None else text
        return _SPACE.sub(" ", text).strip().rstrip(" ;{,=")[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the names of the annotations in a definition."""
        if not self.shape.annotations:
            return ()
        found: list[str] = []
        pending = [child for child in definition.node.named_children if child.type in self.shape.annotations]
        while pending:
            node = pending.pop(0)
            inner = [child for child in node.named_children if child.type in self.shape.annotations]
            if inner:
                pending = inner + pending
            elif (written := QUALIFIED.search(self.text(node))) is not None and "modifier" not in node.type:
                found.append(written.group())
        return tuple(found)

    def module_doc(self, root: Node) -> str:
        """Return the text of the comments at the start of the file, up to the first empty line."""
        texts: list[str] = []
        last = -1
        for child in root.named_children[:_OPENING_NODES]:
            if "comment" not in child.type or (last >= 0 and child.start_point[0] > last + 1):
                break
            text = self.text(child)
            last = child.end_point[0] - (1 if text.endswith("\n") else 0)
            if not text.startswith("#!"):
                texts.append(text.rstrip("\n"))
        return clean_doc("\n".join(texts))

    # ----------------------------------------------------------------- definitions

    def _definitions(self, captures: Captures) -> list[Definition]:
        for node in captures.get("extension", ()):
            body = self.body_of("class", node)
            if body is not None:
                self._extensions[body.id] = self.extended_type(node)
        found = super()._definitions(captures)
        return self._with_clauses(found) if self.shape.clauses else found

    def extended_type(self, node: Node) -> str:
        """Return the type to which an extension adds members."""
        name = walk(node, self.shape.extended.get(node.type, ("name",)))
        return self.dotted(self.text(name)) if name is not None else ""

    def _with_clauses(self, definitions: Sequence[Definition]) -> list[Definition]:
        """Join consecutive definitions of one name: a signature and its equations, or the clauses of a function."""
        joined: list[Definition] = []
        before: Definition | None = None
        for definition in definitions:
            follows = before is not None and definition.start >= before.end
            if before is not None and follows and self.same_clause(before, definition):
                before.last, before.end = definition.outer, definition.end
                continue
            joined.append(definition)
            if not follows and before is not None and definition.kind in ("field", "constant"):
                continue  # inside the previous definition
            before = definition
        return joined

    def same_clause(self, before: Definition, definition: Definition) -> bool:
        """Return True if a definition continues the previous one."""
        return before.name == definition.name and before.kind == definition.kind == "function"

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        if kind == "module" and node.id == self._package_node:
            return None
        definition = super()._definition(kind, node)
        if definition is None:
            return None
        computed = self.shape.computed.get(node.type)
        if kind == "field" and computed and any(step_to(node, step) is not None for step in computed):
            definition.kind = "method"
        definition.owner = self.owner_of(definition)
        if definition.owner and definition.kind == "function":
            definition.kind = "method"
        return definition

    def owner_of(self, definition: Definition) -> str:
        """Return the type to which a definition outside its body belongs; "" for none."""
        if not self._extensions or (parent := definition.outer.parent) is None:
            return ""
        return self._extensions.get(parent.id, "")

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return False for a variable inside a function, which is not a symbol."""
        local = around is not None and around.kind in CALLABLE_KINDS
        return not (local and definition.kind in ("constant", "field"))

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make a type the parent of the members of its extensions in the same file."""
        types = {d.name: d.index for d in placed if d is not None and d.kind in TYPE_KINDS}
        for definition in placed:
            if definition is not None and definition.owner:
                found = types.get(re.split(r"[.\\]|::", definition.owner)[-1], -1)
                if found >= 0 and found != definition.index:
                    definition.parent, definition.owner = found, ""

    def _symbol(self, definition: Definition, parent: Symbol, ordinals: dict[str, int]) -> Symbol:
        if (
            self.shape.methods_in_modules
            and parent.kind == "module"
            and definition.parent
            and definition.kind == "function"
        ):
            definition.kind = "method"
        return super()._symbol(definition, parent, ordinals)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name: package, types, name.

        If names are global in the language, the module is left out.
        """
        shape = self.shape
        owner = definition.owner.replace(".", shape.separator)
        parts = [part for part in (owner, definition.qualifier) if part]
        in_type = parent.kind in TYPE_KINDS or bool(owner)
        if definition.parent or self._in_package or not shape.global_names:
            parts.insert(0, parent.fqn)
        if not parts:
            return definition.name
        separator = shape.member_separator if in_type and shape.member_separator else shape.separator
        return f"{shape.separator.join(parts)}{separator}{definition.name}"

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add parameters and results of a definition, and the receiver of a function.

        A function has a receiver if it extends a type, or if it belongs to a type of another file.
        """
        super().on_definition(definition, scope)
        if definition.owner and definition.kind == "method":
            line = definition.node.start_point[0] + 1
            self.bindings.append(Binding(scope, "this", "receiver", definition.owner, "", line))
        step = self.shape.receivers.get(definition.node.type)
        if step is not None and (receiver := step_to(definition.node, step)) is not None:
            line = receiver.start_point[0] + 1
            self.bindings.append(Binding(scope, "this", "receiver", self.dotted(self.text(receiver)), "", line))
