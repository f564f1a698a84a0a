"""Extractor for languages of level ``symbols``. A `Shape` describes the node types that contain names.

The facts are symbols with their nesting, signatures and documentation, calls with their receivers, supertypes, imports,
and the declared types of parameters and variables. A call inside an anonymous function belongs to the named function
around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from tree_sitter import Node

from codeexplore.languages.base import Language, words
from codeexplore.languages.declared.closures import value_given, value_of_local
from codeexplore.languages.declared.grammar_shape import QUALIFIED, Shape, ShapedPaths, Steps, clean_name
from codeexplore.languages.extraction.expressions import (
    Captures,
    Definition,
    Layout,
    children_of,
    line_col,
    record,
    step_to,
    walk,
)
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS, Extractor
from codeexplore.languages.extraction.leading_trivia import clean_doc
from codeexplore.types import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    UNKNOWN,
    Base,
    Binding,
    Import,
    Reference,
    Return,
    Symbol,
    SymbolKind,
)

_NOT_BASES = words(
    "access_specifier arguments value_arguments argument_list type_arguments annotation comment call_argument"
    " preproc_pragma"
)
_VALUES = words("arguments argument_list call_expression value_arguments")  # behind a supertype
_QUALIFIED = frozenset({"qualified_identifier", "user_type", "stable_type_identifier"})
_OPENING_NODES = 300  # a package clause is searched among the first nodes of a file
_TYPED = ("%type(", "%made(")  # beginnings of paths of values without a name whose type is known
_ANNOTATIONS = re.compile(r"\s*(?:(?:\[\[[^\[\]]*\]\]|#?\[[^\[\]]*\]|@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?)\s*)+")
_LONGEST_TYPE = 300
_WORDS = re.compile(r"(?<=\s)|(?<=\()")  # with the space behind them
_ABSOLUTE = re.compile(r"(?<!\w)\.")


def declared(name: str, title: str, extractor: Callable[[], Extractor]) -> Language:
    """Return the record of a language of this folder. Its grammar, its lexer and its query file have its name."""
    query = Path(__file__).with_name(f"{name}.scm")
    return Language(name, title, "symbols", (), grammar=name, pygments=name, queries=(query,), extractor=extractor)


class SymbolsExtractor(Extractor):
    """Extractor for languages of level ``symbols``, with handlers for the captures of their queries."""

    paths: ShapedPaths
    reader = ShapedPaths  # class that reads access paths
    scope_kinds = frozenset(TYPE_KINDS | CALLABLE_KINDS | {"module"})
    parent_kinds = scope_kinds
    outline_captures = Extractor.outline_captures | {"_extension"}

    def __init__(self, shape: Shape) -> None:
        super().__init__(self.reader(shape))
        self.shape = shape
        self.separator = shape.separator
        self.wrappers = shape.wrappers
        self.blocks = shape.blocks
        self._declaring = shape.declared.keys() | shape.elements.keys()
        self._extensions: dict[int, str] = {}  # id of an extension's body → the type it extends

    def begin(self, captures: Captures) -> None:
        self._extensions.clear()
        self._blocks_around: dict[int, tuple[int, int]] = {}  # node → what `_block_around` returns
        self._recorded: set[int] = set()  # nodes of declarations that are symbols with code of their own
        self._named = {node.id for node in captures.get("_named", ())}  # identifiers that are no values
        self._named.update(node.id for node in captures.get("binding.local", ()) if self.binds(node))

    # ----------------------------------------------------------------- modules and names

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the package that the file names; without one, the path of the file without its suffix."""
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
        return re.split(r"[./\\]|::", self.module)[-1] or self.module

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node that the shape's steps select for the name; by default the field "name"."""
        return walk(node, *self.shape.names.get(node.type, ("name",)))

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name as written, without marks that are not part of it. A type without a name gets its place."""
        if node.type in self.shape.anonymous:
            return f"<class:{line_col(node)}>"
        name = self.name_node(kind, node)
        return clean_name(self.text(name)) if name is not None else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node that the shape's step selects for the body; by default the field "body"."""
        return step_to(node, self.shape.bodies.get(node.type, "body"))

    def scope_start(self, definition: Definition) -> int:
        """Return the first byte of the definition, because supertypes and defaults belong to its scope too."""
        return definition.node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        return clean_doc(leading)

    def signature(self, definition: Definition) -> str:
        """Return the head without annotations; for a variable or field, the first line of its declaration."""
        if definition.kind in ("field", "constant"):
            text = self.code_of(definition.outer).partition("\n")[0]
        elif definition.body is None:
            text = self.code_of(definition.node)[: 4 * SIGNATURE_CHARS]
        else:
            text = super().signature(definition)
        annotations = _ANNOTATIONS.match(text)
        text = text[annotations.end() :] if annotations is not None else text
        return " ".join(text.split()).rstrip(" ;{,=")[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        if not self.shape.annotations:
            return ()
        found: list[str] = []
        marked = [definition.node] if definition.node == definition.outer else [definition.outer, definition.node]
        pending = [child for node in marked for child in node.named_children if child.type in self.shape.annotations]
        while pending:
            node = pending.pop(0)
            inner = [child for child in node.named_children if child.type in self.shape.annotations]
            if inner:
                pending = inner + pending
            elif (written := QUALIFIED.search(self.text(node))) is not None and "modifier" not in node.type:
                found.append(written.group())
        return tuple(found)

    def module_doc(self, root: Node) -> str:
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
        for node in captures.get("_extension", ()):
            body = self.body_of("class", node)
            if body is not None:
                self._extensions[body.id] = self.extended_type(node)
        found = super()._definitions(captures)
        return self._with_clauses(found) if self.shape.clauses else found

    def extended_type(self, node: Node) -> str:
        """Return the type to which the extension `node` adds members."""
        return self.paths.dotted(self.text(walk(node, *self.shape.extended.get(node.type, ("name",)))))

    def _with_clauses(self, definitions: Sequence[Definition]) -> list[Definition]:
        """Return the definitions, with the signature and the equations of one name, or its clauses, joined into one."""
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
        """Return True if `definition` continues `before`, the previous definition."""
        return before.name == definition.name and before.kind == definition.kind == "function"

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        if kind == "module" and node.id == self._package_node:
            return None
        definition = super()._definition(kind, node)
        if definition is None:
            return None
        computed = self.shape.computed.get(node.type)
        if computed and any(step_to(node, step) is not None for step in computed):
            definition.kind = "method" if kind == "field" else "function"
        definition.owner = self.owner_of(definition)
        if definition.owner and definition.kind == "function":
            definition.kind = "method"
        return definition

    def owner_of(self, definition: Definition) -> str:
        """Return the type of a definition that is written outside of its body; "" if there is none."""
        if not self._extensions or (parent := definition.outer.parent) is None:
            return ""
        return self._extensions.get(parent.id, "")

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True if the definition becomes a symbol. A variable inside a function does not."""
        local = around is not None and around.kind in CALLABLE_KINDS
        return not (local and definition.kind in ("constant", "field"))

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        types = [d for d in placed if d is not None and d.kind in TYPE_KINDS]
        named = {d.name: d.index for d in types if not d.owner}
        whole = {f"{d.owner}.{d.name}": d.index for d in types if d.owner}
        for definition in placed:
            if definition is not None and definition.owner:
                last = re.split(r"[.\\]|::", definition.owner)[-1]
                found = whole.get(definition.owner, named.get(last, -1))
                if found >= 0 and found != definition.index:
                    definition.parent, definition.owner = found, ""

    def _symbol(self, definition: Definition, parent: Symbol, ordinals: dict[str, int]) -> Symbol:
        in_module = parent.kind == "module" and definition.parent and definition.kind == "function"
        if self.shape.methods_in_modules and in_module:
            definition.kind = "method"
        return super()._symbol(definition, parent, ordinals)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name: package, types, name. The module is left out if names are global."""
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
        """Add parameters and result, and the receiver if a function extends a type or belongs to one elsewhere."""
        shape, node, kind = self.shape, definition.node, self.symbols[scope].kind
        if kind in CALLABLE_KINDS:
            if node.type in shape.declared:
                self._recorded.add(node.id)
            self._parameters(definition, scope)
            if result := self.result_type(definition):
                self.returns.append(Return(scope, result, "type"))
        elif kind in TYPE_KINDS and node.type in shape.parameters:
            self._parameters(definition, scope, fields=True)
        if definition.owner and definition.kind in ("method", *TYPE_KINDS):
            line, name = definition.node.start_point[0] + 1, "this" if definition.kind == "method" else ""
            self.bindings.append(Binding(scope, name, "receiver", definition.owner, "", line))
        step = self.shape.receivers.get(definition.node.type) if definition.kind in CALLABLE_KINDS else None
        if step is not None and (receiver := step_to(definition.node, step)) is not None:
            line = receiver.start_point[0] + 1
            self.bindings.append(Binding(scope, "this", "receiver", self.paths.dotted(self.text(receiver)), "", line))

    # ----------------------------------------------------------------- parameters

    def _parameters(self, definition: Definition, scope: int, fields: bool = False) -> None:
        for node in self.parameter_nodes(definition):
            name, type_text = self.parameter(node)
            if not name:
                continue
            manner: Literal["parameter", "rest", "field"] = "rest" if self.is_variadic(node) else "parameter"
            line = node.start_point[0] + 1
            beside = (*node.children, *((node.next_sibling,) if node.next_sibling is not None else ()))
            default = UNKNOWN if any(child.type == "=" for child in beside) else ""
            self.bindings.append(Binding(scope, name, "field" if fields else manner, type_text, default, line))

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        """Yield the nodes of the definition's parameters, in their order."""
        steps = self.shape.parameters.get(definition.node.type)
        if steps is not None:
            yield from (e for e in children_of(definition.node, *steps) if e.type in self.shape.parameter)

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return (name, type) of the parameter `node`."""
        name_steps, type_steps = self.shape.parameter[node.type]
        return self._name_at(node, name_steps), self.type_text(walk(node, *type_steps))

    def is_variadic(self, node: Node) -> bool:
        """Return True if the parameter `node` takes all remaining arguments."""
        return node.type in self.shape.variadic

    def result_type(self, definition: Definition) -> str:
        """Return the declared result type of a function as written; "" if none is declared."""
        steps = self.shape.results.get(definition.node.type)
        return self.type_text(walk(definition.node, *steps)) if steps is not None else ""

    # ----------------------------------------------------------------- variables

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for a declared variable or field, or the target of an assignment."""
        if node.id in self._recorded:
            return
        name_steps, type_steps, value_steps = self.shape.declared[node.type]
        name = self._name_at(node, name_steps)
        if not name:
            return
        value = walk(node, *value_steps) if value_steps else None
        type_text = self.type_text(walk(node, *type_steps)) if type_steps else ""
        values = self.values_of(value) if value_steps else self.values_given(node)
        in_type = self.symbols[scope].kind in TYPE_KINDS
        if not in_type and "." not in name:
            self.declare_local(scope, name, node, node.end_byte)
        manner = "field" if in_type or "." in name else "variable"
        self.bind(scope, name, manner, type_text, values, node.start_point[0] + 1)

    def values_given(self, node: Node) -> Sequence[str]:
        """Return the access paths of the values that a variable gets which its declaration does not name."""
        value = value_of_local(self.paths, node)
        return [value] if value else []

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add a binding for the variable of a loop."""
        name_steps, type_steps, held_steps = self.shape.elements[node.type]
        name, held = self._name_at(node, name_steps), walk(node, *held_steps)
        if name and held is not None:
            type_text = self.type_text(walk(node, *type_steps)) if type_steps else ""
            self.declare_local(scope, name, node, held.end_byte)
            self.bind(scope, name, "element", type_text, (self.path_of(held),), node.start_point[0] + 1)

    def on_binding_local(self, scope: int, node: Node) -> None:
        """Add a binding for a name that a pattern or an anonymous function binds, known in its block only."""
        named = walk(node, *self.shape.names.get(node.type, ())) or node
        if self.binds(node) and (name := clean_name(self.text(named))) and name != "_":
            first, value = self.bound_by(scope, node)
            self.declare_local(scope, name, node, first)
            self.bind(scope, name, "variable", self.type_text(step_to(node, "~_type")), value, node.start_point[0] + 1)

    def on_binding_type(self, scope: int, node: Node) -> None:
        """Add a binding for a type parameter, with its bound."""
        name_steps, type_steps, _ = self.shape.declared[node.type]
        bound = self.type_text(walk(node, *type_steps)) if type_steps else ""
        self.bind(scope, self._name_at(node, name_steps), "type", bound, (), node.start_point[0] + 1)

    def binds(self, node: Node) -> bool:
        """Return True if the name `node` in a pattern binds a value, and is not compared with one."""
        return True

    def bound_by(self, scope: int, node: Node) -> tuple[int, tuple[str, ...]]:
        """Return the first byte at which a local is known, and the access path of its value if there is one."""
        value = value_of_local(self.paths, node)
        return node.end_byte, (value,) if value else ()

    def on_binding_implicit(self, scope: int, node: Node) -> None:
        """Add bindings for the parameters of a closure that names none: ``it`` in Kotlin, ``$0`` in Swift."""
        if any(child.type.startswith("lambda_") for child in node.named_children):
            return
        written = self.data[node.start_byte : node.end_byte]
        for place, name in enumerate(self.shape.implicit):
            if name.encode() in written:
                value = value_given(self.paths, node, place)
                self.declare_local(scope, name, node, node.start_byte)
                self.bind(scope, name, "variable", "", (value,) if value else (), node.start_point[0] + 1)

    def declare_local(self, scope: int, name: str, node: Node, first: int) -> None:
        """Note a local. It is not known in the value of its declaration, nor in the collection of its loop."""
        if self.blocks:
            after, end = self._block_around(node)
            if end >= 0:
                self.locals.declare(scope, name, max(first, after), end)

    def _block_around(self, node: Node) -> tuple[int, int]:
        """Return the first byte at which a local that `node` declares may be known, and the end of its block, or -1.

        A step from a node to the one around it takes the longer the deeper they are, so each is taken once.
        """
        shape, known, on_way = self.shape, self._blocks_around, list[Node]()
        current: Node | None = node
        while current is not None and current.id not in known and current.type not in self.blocks:
            on_way.append(current)
            current = current.parent
        after, end = known.get(current.id, (0, -1)) if current is not None else (0, -1)
        if current is not None and current.id not in known:
            steps = shape.elements[current.type][2] if current.type in shape.elements else ()
            held = walk(current, *steps) if steps else None
            after, end = held.end_byte if held is not None else 0, self.end_of_block(current)
            known[current.id] = after, end
        for each in reversed(on_way):
            after = max(after, each.end_byte) if each.type in self._declaring else after
            known[each.id] = after, end
        return after, end

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a name without arguments: of a constant, a member that is read, or a function that is used as a value."""
        start = node.start_byte
        if node.id not in self._named and start not in self.consumed and self.data[start - 1 : start] != b".":
            name = self.paths.plain_name(self.text(node))
            if (scope, name) not in self.locals.parameters:
                self.access(scope, name, node)

    def on_reference_type(self, scope: int, node: Node) -> None:
        """Add the use of a type in a declaration, a cast or another place that is no call."""
        around = node.parent
        if node.id in self._named or around is None or _is_declared(node, around):
            return
        start, behind = node.start_byte, node.next_named_sibling
        if around.type in _QUALIFIED:
            if behind is not None and behind.type == node.type and not self.text(node)[:1].isupper():
                return  # a package
            start = around.start_byte
        written = self.data[start : node.end_byte].decode("utf-8", "replace")
        self.refer(scope, "type", self.paths.dotted(written), node)

    def _name_at(self, node: Node, steps: Steps) -> str:
        """Return the name that `steps` select, starting at `node`: a plain name, or the access path of a member."""
        named = walk(node, *steps)
        if named is None:
            return ""
        if named.type in self.shape.attributes:
            return self.path_of(named)
        return clean_name(self.text(named))

    def type_text(self, node: Node | None) -> str:
        """Return the type `node` as written, on one line; "" for None and for a placeholder such as ``var``."""
        if node is None or node.end_byte - node.start_byte > _LONGEST_TYPE:
            return ""
        text = " ".join(self.text(node).lstrip(":").split())
        if self.shape.type_words:
            text = "".join(word for word in _WORDS.split(text) if word.rstrip() not in self.shape.type_words)
        if "\\" in text:
            text = _ABSOLUTE.sub(r"\\", text.replace("\\", "."))
        return "" if text in self.shape.untyped else text

    # ----------------------------------------------------------------- arguments

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access path of each argument of the call `node`; "" for an argument without an access path."""
        steps = self.shape.arguments.get(node.type)
        given = children_of(node, *steps) if steps is not None else ()
        return tuple(self._argument(child) for child in given if not child.is_extra)

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

    # ----------------------------------------------------------------- calls

    def on_reference_call(self, scope: int, node: Node) -> None:
        shape, kind = self.shape, node.type
        self.consumed.add(self.paths.first_byte(node))
        if kind in shape.methods:
            receiver_step, name_step = shape.methods[kind]
            receiver, name = step_to(node, receiver_step), step_to(node, name_step)
            if name is None:
                return
            path = self.called_name(name)
            if receiver is not None:
                before = self.path_of(receiver)
                path = f"{before}.{path}" if before and path else ""
        else:
            name = step_to(node, shape.calls[kind])
            path = self.path_of(name)
        if path and (path[0] != "%" or shape.literal_receivers or (path.startswith(_TYPED) and path[-1] != ")")):
            self.call(scope, path, node, self.line_called(name) if name is not None else node.start_point[0] + 1)
        elif "." in path and (shape.receivers or shape.extended):  # an extension of the type of a literal
            self.refer(scope, "operator", path, node, self.arguments_of(node))

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call. Languages in which imports are calls override this method to add imports."""
        line = line or node.start_point[0] + 1
        self.references.append(record(Reference, (scope, "call", path, line, self.arguments_of(node))))

    def unevaluated(self, captures: Captures) -> Sequence[Node]:
        """Return the nodes whose code never runs, and those like calls of the shape's `unevaluated` function."""
        found, name = super().unevaluated(captures), self.shape.unevaluated.encode()
        if name not in self.data or not name:
            return found
        calls = (call for call in captures.get("reference.call", ()) if self.data.startswith(name, call.start_byte))
        return [*found, *(call for call in calls if self.text(step_to(call, "function")) == self.shape.unevaluated)]

    def on_reference_operator(self, scope: int, node: Node) -> None:
        """Add the calls that an operator makes on one of its operands."""
        step, methods = self.shape.operators[node.type]
        operand = step_to(node, step)
        sign = next((self.text(child) for child in node.children if not child.is_named), "")
        called = methods.get(sign) or methods.get("", "")
        if operand is not None and called:
            others = tuple(self.path_of(child) for child in node.named_children if child != operand)
            self.operate(scope, self.path_of(operand), called, node, others)

    def operate(self, scope: int, path: str, methods: str, node: Node, arguments: tuple[str, ...] = ()) -> None:
        """Add calls of `methods`, separated by spaces, on the operand `path`."""
        for method in methods.split() if path and (path[0] != "%" or self.shape.receivers) else ():
            self.refer(scope, "operator", f"{path}.{method}", node, arguments)

    def called_name(self, node: Node) -> str:
        """Return the name of a called method, `node`."""
        return self.paths.plain_name(self.text(node))

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add a construction, with the type of the new instance. A type without a name is constructed around it."""
        if node.type in self.shape.anonymous and self.symbols[scope].name.startswith("<"):
            scope = self.parents[scope]
        path = self.paths.dotted(self.text(step_to(node, self.shape.news[node.type])))
        if path:
            self.refer(scope, "new", path, node, self.arguments_of(node))

    # ----------------------------------------------------------------- uses of other files and types

    def on_import(self, scope: int, node: Node) -> None:
        """Add the imports that the shape's pattern finds in the text of `node`."""
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

    def on_base(self, scope: int, node: Node) -> None:
        """Add every type in `node`, a list of supertypes."""
        self._bases(scope, node, "")

    def on_base_extension(self, scope: int, node: Node) -> None:
        """Add the supertypes that an extension declares for the extended type."""
        body = self.body_of("class", node.parent or node)
        owner = self._extensions.get(body.id, "") if body is not None else ""
        if owner:
            self._bases(scope, node, owner)

    def _bases(self, scope: int, node: Node, subtype: str) -> None:
        for child in node.named_children:
            if child.type not in _NOT_BASES:
                path = self.paths.dotted(self.text(child))
                if path:
                    given = tuple(self.type_arguments(child))
                    self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1, subtype, given))

    def type_arguments(self, node: Node) -> Iterator[str]:
        """Yield the type arguments in a supertype as written: ``Base<A, B>()``."""
        pending = [node]
        for each in pending:  # the outermost ones, below a call and a qualified name
            if each.type in ("type_arguments", "type_argument_list", "template_argument_list"):
                yield from (self.type_text(child) for child in each.named_children)
                return
            pending += (child for child in each.named_children if child.type not in _VALUES)


def _is_declared(node: Node, around: Node) -> bool:
    """Return True for the name in the head of a definition, or of a declaration of the name alone: ``struct box;``."""
    if around.type.endswith("declarator") or node == around.child_by_field_name("declarator"):
        return True
    if node != around.child_by_field_name("name"):
        return False
    behind = around.next_sibling
    whole = around.type.endswith("_specifier") and around.child_by_field_name("body") is None
    return around.type not in _QUALIFIED and (not whole or (behind is not None and behind.type == ";"))
