"""Languages at the level of symbols: a `Shape` says which nodes carry names, and everything else follows.

What comes out are symbols with their nesting, signatures and docs, calls with their receivers, supertypes and imports;
no types and no values. Calls inside anonymous functions belong to the named function around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.doc_comments import clean_doc
from codeexplore.languages.extraction import (
    MAX_PATH_STEPS,
    SIGNATURE_CHARS,
    Captures,
    Definition,
    Expressions,
    Extraction,
    Extractor,
    Layout,
)
from codeexplore.languages.shape import MARKS, Shape, clean_name, step_to, walk
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Base, Binding, Import, Reference, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIED = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|\\)[^\W\d][\w$]*)*")
_OPENING_NODES = 300  # a package clause is looked for among the first nodes of a file
_ANNOTATIONS = re.compile(r"\s*(?:(?:\[\[[^\[\]]*\]\]|#?\[[^\[\]]*\]|@[\w.:]+(?:\([^()]*\))?)\s*)+")
_SPACE = re.compile(r"\s+")
_NOT_BASES = frozenset({
    "access_specifier", "arguments", "value_arguments", "argument_list", "type_arguments", "annotation", "comment",
})  # fmt: skip


class SymbolsExtractor(Extractor):
    """Handlers for the captures of languages at the level of symbols."""

    scope_kinds = frozenset(TYPE_KINDS | CALLABLE_KINDS | {"module"})
    parent_kinds = scope_kinds

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.separator = shape.separator
        self.wrappers = shape.wrappers
        self.expressions = Expressions(attributes={}, calls={}, literals=shape.literals)

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Build the facts of one file."""
        self._extensions: dict[int, str] = {}  # id of an extension's body → the type it extends
        self._owners: dict[int, str] = {}  # first byte of a definition → the type it belongs to
        return super().extract(path, language, data, root, captures, layout)

    # ----------------------------------------------------------------- modules and names

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """The package that the file names, else its path without the suffix."""
        self._package_node, package = -1, ""
        if self.shape.packages:
            package = self._package(root)
        self._in_package = bool(package)
        return package or path.rpartition(".")[0] or path

    def _package(self, root: Node) -> str:
        found: list[Node] = []
        for index in range(min(root.named_child_count, _OPENING_NODES)):
            child = root.named_child(index)
            if child.type in self.shape.packages:
                found.append(child)
        bodies = [node for node in found if node.child_by_field_name("body") is not None]
        if len(bodies) > 1:  # several blocks: each is a module of its own
            return ""
        names = []
        for node in found:
            written = _QUALIFIED.search(self.text(self.name_node("module", node) or node))
            if written is not None:
                names.append(written.group())
                self._package_node = node.id
        return self.shape.separator.join(names)

    def module_symbol_name(self, root: Node) -> str:
        """The last part of a package's name, or of the path."""
        return re.split(r"[./\\]|::", self.module)[-1] or self.module

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Where the shape says, else the field "name"; a node without either is a name itself."""
        steps = self.shape.names.get(node.type, ("name",))
        return walk(node, steps)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """The name as written, without marks that are no part of it."""
        name = self.name_node(kind, node)
        return clean_name(self.text(name)) if name is not None else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Where the shape says, else the field "body"."""
        return step_to(node, self.shape.bodies.get(node.type, "body"))

    def scope_start(self, definition: Definition) -> int:
        """All of a definition is in its scope: supertypes and defaults belong to it."""
        return definition.node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        """The comments above."""
        return clean_doc(leading)

    def signature(self, definition: Definition) -> str:
        """The head without annotations; of a variable or field the first line of its declaration."""
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
        """Names of the annotations that stand in a definition."""
        if not self.shape.annotations:
            return ()
        found: list[str] = []
        pending = [child for child in definition.node.named_children if child.type in self.shape.annotations]
        while pending:
            node = pending.pop(0)
            inner = [child for child in node.named_children if child.type in self.shape.annotations]
            if inner:
                pending = inner + pending
            elif (written := _QUALIFIED.search(self.text(node))) is not None and "modifier" not in node.type:
                found.append(written.group())
        return tuple(found)

    def module_doc(self, root: Node) -> str:
        """The comments that open the file, up to the first empty line."""
        texts: list[str] = []
        last = -1
        for index in range(min(root.named_child_count, _OPENING_NODES)):
            child = root.named_child(index)
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
        """The type that an extension adds to."""
        name = walk(node, self.shape.extended.get(node.type, ("name",)))
        return self._dotted(self.text(name)) if name is not None else ""

    def _with_clauses(self, definitions: Sequence[Definition]) -> list[Definition]:
        """Join what one name says in a row: a signature and its equations, the clauses of a function."""
        joined: list[Definition] = []
        before: Definition | None = None
        for definition in definitions:
            follows = before is not None and definition.start >= before.end
            if before is not None and follows and self.same_clause(before, definition):
                before.last, before.end = definition.outer, definition.end
                continue
            joined.append(definition)
            if not follows and before is not None and definition.kind in ("field", "constant"):
                continue  # inside the one before
            before = definition
        return joined

    def same_clause(self, before: Definition, definition: Definition) -> bool:
        """Whether a definition goes on with the one before it."""
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
        """The type that a definition belongs to without standing in its body, "" for none."""
        if not self._extensions or (parent := definition.outer.parent) is None:
            return ""
        return self._extensions.get(parent.id, "")

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Variables inside functions are no symbols."""
        local = around is not None and around.kind in CALLABLE_KINDS
        return not (local and definition.kind in ("constant", "field"))

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """What extends a type belongs to it when the type stands in the same file."""
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
        """Package, types, name; without the module where names are global."""
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
        """The type that a function extends."""
        step = self.shape.receivers.get(definition.node.type)
        if step is not None and (receiver := step_to(definition.node, step)) is not None:
            line = receiver.start_point[0] + 1
            self.bindings.append(Binding(scope, "this", "receiver", self._dotted(self.text(receiver)), "", line))

    # ----------------------------------------------------------------- uses

    def on_extension(self, scope: int, node: Node) -> None:
        """A type's extension is no symbol: what it holds belongs to the type."""

    def on_reference_call(self, scope: int, node: Node) -> None:
        """A call by its name and receiver."""
        shape, kind = self.shape, node.type
        if kind in shape.methods:
            receiver_step, name_step = shape.methods[kind]
            receiver, name = step_to(node, receiver_step), step_to(node, name_step)
            if name is None:
                return
            path = clean_name(self.text(name))
            if receiver is not None:
                before = self.path_of(receiver)
                path = f"{before}.{path}" if before and path else ""
        else:
            callee = step_to(node, shape.calls[kind])
            path = self.path_of(callee) if callee is not None else ""
        if path and path[0] != "%":
            self.call(scope, path, node)

    def call(self, scope: int, path: str, node: Node) -> None:
        """Record a call; languages whose imports are calls tell them apart here."""
        self.references.append(Reference(scope, "call", path, node.start_point[0] + 1))

    def on_reference_new(self, scope: int, node: Node) -> None:
        """The type of which an instance is made."""
        made = step_to(node, self.shape.news[node.type])
        path = self._dotted(self.text(made)) if made is not None else ""
        if path:
            self.references.append(Reference(scope, "new", path, node.start_point[0] + 1))

    def on_base(self, scope: int, node: Node) -> None:
        """Every type named in a list of supertypes."""
        self._bases(scope, node, "")

    def on_base_extension(self, scope: int, node: Node) -> None:
        """The supertypes that an extension adds."""
        parent = node.parent
        body = self.body_of("class", parent) if parent is not None else None
        owner = self._extensions.get(body.id, "") if body is not None else ""
        if owner:
            self._bases(scope, node, owner)

    def _bases(self, scope: int, node: Node, subtype: str) -> None:
        for child in node.named_children:
            if child.type not in _NOT_BASES:
                path = self._dotted(self.text(child))
                if path:
                    self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1, subtype))

    def on_import(self, scope: int, node: Node) -> None:
        """What the shape's pattern finds in the text of an import."""
        pattern = self.shape.imports
        found = pattern.match(self.text(node)) if pattern is not None else None
        if found is not None:
            for name, module, member in self._imported(found.groupdict()):
                self.imports.append(Import(scope, name, module, member, node.start_point[0] + 1))

    def _imported(self, groups: Mapping[str, str | None]) -> Iterator[tuple[str, str, str]]:
        module, alias, names = groups["module"] or "", groups.get("alias"), groups.get("names")
        if names is not None:
            for item in names.strip("{}() \t\r\n").split(","):
                member, _, renamed = (part.strip() for part in re.sub(r"\s+(?:as|=>)\s+", "=", item).partition("="))
                if member:
                    star = member in ("*", "_")
                    yield ("*", module, "*") if star else (renamed or member, module, member)
        elif groups.get("star") or not self.shape.import_members:
            yield (alias, module, "") if alias else ("*", module, "*")
        else:
            package, _, member = module.rpartition(self.shape.separator)
            yield alias or member, package, member

    # ----------------------------------------------------------------- paths

    def _path(self, node: Node) -> str:
        shape = self.shape
        steps: list[str] = []
        current: Node | None = node
        while current is not None and len(steps) <= MAX_PATH_STEPS:
            kind = current.type
            if kind in shape.roots:
                return self._dotted(self.text(current)) + "".join(reversed(steps))
            if kind in shape.attributes or kind in shape.methods:
                called = kind in shape.methods
                object_step, name_step = shape.methods[kind] if called else shape.attributes[kind]
                name, inner = step_to(current, name_step), step_to(current, object_step)
                if name is None:
                    return ""
                written = self._dotted(self.text(name)) + ("()" if called else "")
                if inner is None:
                    return written + "".join(reversed(steps))
                steps.append("." + written)
                current = inner
            elif kind in shape.calls:
                steps.append("()")
                current = step_to(current, shape.calls[kind])
            elif kind in shape.news:
                made = step_to(current, shape.news[kind])
                return f"{self._dotted(self.text(made))}()" + "".join(reversed(steps)) if made is not None else ""
            elif kind in shape.subscripts:
                steps.append("[]")
                current = step_to(current, shape.subscripts[kind])
            elif kind in shape.through:
                current = step_to(current, shape.through[kind])
            else:
                root = shape.literals.get(kind, "")
                return root + "".join(reversed(steps)) if root else ""
        return ""

    def _dotted(self, text: str) -> str:
        """A qualified name with dots, without type arguments."""
        if len(text) > 200:
            text = text[:200]
        name = clean_name(text)
        if "::" in text or "\\" in text:
            found = _QUALIFIED.search(text.lstrip(MARKS))
            return found.group().replace("::", ".").replace("\\", ".") if found is not None else name
        return name
