"""Extractor of Python, on top of the common handlers."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import Captures, Definition, Layout, enclosing, record, step_to, walk
from codeexplore.languages.extraction.extractor import Extractor
from codeexplore.languages.extraction.leading_trivia import clean_comment
from codeexplore.languages.extraction.local_names import last_value
from codeexplore.languages.extraction.narrowing_ranges import Conditions
from codeexplore.languages.python.parts import ImplicitCalls, LazyExports, LiteralItems, PythonPatterns
from codeexplore.languages.python.paths import PythonPaths
from codeexplore.types import METACLASS, STAR, STUB, Base, Binding, Export, Import, Reference, Return, SymbolKind

_HASHING = frozenset({"get", "pop", "setdefault", "add", "discard", "remove", "index", "count"})
"""Methods of Python's containers that search for their first argument, and so hash or compare it."""
_JOINING = frozenset({"binary_operator", "parenthesized_expression"})
_WRITTEN = frozenset({"list", "tuple", "set", "dictionary"})
_TEXTS = frozenset(
    {"string", "binary_operator", "call", "list", "tuple", "set", "dictionary"}
)  # that names are made of
_LISTING = ("__all__.extend", "__all__.append")
_TYPE_NAMES = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_CHECKING = "TYPE_CHECKING"
_TRIPLE = '"""'
_ESCAPED = re.compile(r"[\\\r\0]")  # with these characters, the value of a literal differs from its source text
_NOT_TYPES = words(
    "None int str bool float bytes object list dict set tuple type complex Any Optional Union Literal Callable"
)


class PythonExtractor(Extractor):
    """Extractor of Python, with handlers for the captures in ``tags.scm`` of this folder."""

    paths: PythonPaths
    callee_first = True
    conditions = Conditions(
        joined=frozenset({"boolean_operator"}),
        negated=frozenset({"not_operator"}),
        branching={"if_statement": "consequence", "elif_clause": "consequence", "while_statement": "body"},
        whole=frozenset({"if_clause", "conditional_expression"}),
        asserting=frozenset({"assert_statement"}),
        leaving=frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"}),
    )
    _sure = 0  # last line of the current assignment, if it always runs
    _always: set[int]  # first bytes of the assignments that run whenever their scope runs
    _outer_names: dict[tuple[int, str], int]  # (scope, name under global or nonlocal) → scope of the name

    def __init__(self) -> None:
        super().__init__(PythonPaths())
        self._implicit = ImplicitCalls(self)
        self._lazy = LazyExports(self)
        self.parts = (self._implicit, PythonPatterns(self), LiteralItems(self, self._implicit))

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

    # ----------------------------------------------------------------- calls, names and values

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. ``isinstance(x, C)`` also narrows the type of ``x`` where it is known to be true."""
        arguments = node.child_by_field_name("arguments")
        if arguments is None:
            return
        start = node.start_byte
        self.consumed.add(start)
        called = self.data[start : arguments.start_byte]
        path = self.paths.known.get(called)
        if path is None:
            path = self.path_of(node.children[0])
        if path:
            line = node.start_point[0] + 1 if b"\n" not in called else self.line_called(node.children[0])
            given = self.cached_arguments(arguments)
            if given:
                texts = any(text[-4:] == "%str" for text in given)
                given = self.paths.with_texts(arguments, given) if texts else given
            self.references.append(record(Reference, (scope, "call", path, line, given)))
            if given and path[path.rfind(".") + 1 :] in _HASHING and "." in path and "=" not in given[0]:
                self._implicit.on_hashed(scope, path[: path.rfind(".")], given[0], line)
            if path == "isinstance":
                self._narrow_by(scope, node, arguments)
            elif path == "setattr" and len(given) == 3 and given[0].isidentifier():
                name, around = self.paths.key(arguments.named_children[1]), node.parent and node.parent.parent
                self._sure = line if around is not None and around.type == "function_definition" else 0
                self.bind(scope, f"{given[0]}.{name}" if name else "", "field", "", given[2:], line)
                self._sure = 0
            elif path in _LISTING:
                self._offer(arguments.named_children[0] if arguments.named_child_count else None)

    def _narrow_by(self, scope: int, call: Node, arguments: Node) -> None:
        """Narrow the type of ``x`` by ``isinstance(x, C)``."""
        if arguments.named_child_count != 2:
            return
        name, kind = arguments.named_children
        if name.type != "identifier":
            return
        kinds = [self.path_of(each) for each in (kind.named_children if kind.type == "tuple" else [kind])]
        text, lines = " | ".join(kinds) if all(kinds) else "", self.conditions.lines(call)
        if lines is not None:
            self.bindings.append(Binding(scope, self.text(name), "pattern", text, "", lines.first, lines.last))
        self.narrow_others(scope, call, self.text(name), text, holds=False)

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the target of an assignment. Several targets give one binding each."""
        start, children, line = node.start_byte, node.children, node.start_point[0] + 1
        self._sure = node.end_point[0] + 1 if start in self._always else 0
        if len(children) == 3 and children[1].type in ("=", ":="):
            self._assign(scope, children[0], children[2], "", line)
        else:
            self._declared(scope, node)
        self._sure = 0
        if scope == 0:
            self._lazy.read(node.child_by_field_name("right"), self.path)
        if scope == 0 and self.data.startswith(b"__all__", start) and self.text(children[0]) == "__all__":
            self._offer(node.child_by_field_name("right"))

    def on_implicit_augmented(self, scope: int, node: Node) -> None:
        """Add the calls of ``a += b``, a binding of a member (maybe a property), and names in ``__all__ += […]``."""
        self._implicit.on_implicit_augmented(scope, node)
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        name = self.path_of(left)
        if name and left is not None and left.type == "attribute":
            self.bind(scope, name, "field", "", (name,), node.start_point[0] + 1)
        if name and right is not None and right.type in _WRITTEN:
            step = "[]" if right.type == "dictionary" else "[*]"
            self.bind(scope, f"{name}[]", "field", "", (self.path_of(right) + step,), node.start_point[0] + 1)
        if scope == 0 and self.data.startswith(b"__all__", node.start_byte):
            self._offer(right)

    def _declared(self, scope: int, node: Node) -> None:
        """Add a binding for the target of an assignment with a type annotation or with comments inside it."""
        left = node.child_by_field_name("left") or node.child_by_field_name("name")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if left is not None:
            type_text = self.text(node.child_by_field_name("type"))
            self._assign(scope, left, right, type_text, node.start_point[0] + 1)

    def _offer(self, listed: Node | None) -> None:
        """Add the names in a part of ``__all__`` as exports. A part that is no literal has its own; see `Export`."""
        waiting = [] if listed is None else [listed]
        while waiting:
            node = waiting.pop()
            items = node.named_children if node.type in ("list", "tuple") else [node]
            if node.type in _JOINING:
                waiting.extend(node.named_children)
                continue
            for item in items:
                name = self.text(item).strip("rRuU").strip("\"'") if item.type == "string" else ""
                if item.type != "comment":
                    self.exports.append(Export(name or "__all__", name, "", item.start_point[0] + 1))

    def _assign(self, scope: int, left: Node, right: Node | None, type_text: str, line: int) -> None:
        right = last_value(right) if right is not None else None
        target = left.type
        if target == "identifier" or target == "attribute":
            self.store(scope, left)
        elif target == "subscript":
            self._implicit.on_implicit_set(scope, left)
        else:
            if target in ("pattern_list", "tuple_pattern", "list_pattern"):
                self._unpack(scope, left, right, line)
            return
        name = self.path_of(left)
        if not name:
            return
        manner = "variable" if target == "identifier" else "field"
        if right is None:
            self.bind(scope, name, manner, type_text, (), line)
            return
        if target == "identifier" and right.type in _TEXTS:
            self.paths.note_text(name, left, right)
        alias = self.paths.type_alias(right) if target == "identifier" else ""
        if alias:
            self.bind(scope, name, "type", alias, (), line)
            if right.type != "call":
                return
        values = [*self.values_of(right), *(f"%str:{text}" for text in self.paths.texts_read(right))]
        if type_text and not values and self.symbols[scope].kind == "class":  # not only declared
            values = ["%any"]
        self.bind(scope, name, manner, type_text, values, line)

    def _unpack(self, scope: int, left: Node, right: Node | None, line: int) -> None:
        targets = left.named_children
        if right is not None and right.type in ("expression_list", "tuple", "list"):
            sources = right.named_children
            if len(sources) == len(targets) and not any(t.type.startswith("list_splat") for t in (*targets, *sources)):
                for target, source in zip(targets, sources, strict=True):
                    self._assign(scope, target, source, "", line)
                return
        self._elements(scope, left, self.path_of(right), line)

    def _elements(self, scope: int, left: Node, value: str, line: int) -> None:
        """Add the names in a target. Each has a part of the value: ``value[0]`` for the first, and so on."""
        if left.type in ("identifier", "attribute", "subscript"):
            if left.type != "subscript":
                self.store(scope, left)
            name = self.path_of(left)
            if name:
                self.bind(scope, name, "variable", "", (value,), line)
        elif left.type == "list_splat_pattern":
            for child in left.named_children:
                self._elements(scope, child, value + "[:]" if value else "", line)
        elif left.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            starred = False
            for place, child in enumerate(left.named_children):
                starred = starred or child.type == "list_splat_pattern"
                step = "" if child.type == "list_splat_pattern" else "[]" if starred else f"[{place}]"
                self._elements(scope, child, value + step if value else "", line)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add the variables of a loop or comprehension, whose value is an element of the iterated value."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        container = self.path_of(right)
        line, waits = left.start_point[0] + 1, _is_async(node)
        self._implicit.on_implicit_iteration(scope, container, right, waits)
        if left.type == "identifier":
            self.consumed.add(left.start_byte)
            texts = [f"%str:{text}" for text in self.paths.texts_in(right)]
            if texts:
                self.bind(scope, self.text(left), "variable", "", texts, line)
            self.bind(scope, self.text(left), "async element" if waits else "element", "", (container,), line)
        else:
            step = "[*async]" if waits else "[*]"
            self._elements(scope, left, container + step if container else "", line)

    def on_binding_context(self, scope: int, node: Node) -> None:
        """Add a binding for the name of ``with value as name``."""
        value = node.child_by_field_name("value")
        if value is None:
            return
        name = ""
        if value.type == "as_pattern":
            target = walk(value, "alias", "")
            if target is not None and target.type in ("identifier", "attribute"):
                self.consumed.add(target.start_byte)
                name = self.path_of(target)
            value = value.named_children[0]
        path, waits = self.path_of(value), _is_async(enclosing(node, ("with_statement",)) or node)
        self._implicit.on_implicit_context(scope, path, value, waits)
        if path and name:
            self.bind(scope, name, "async context" if waits else "context", "", (path,), value.start_point[0] + 1)

    def on_binding_exception(self, scope: int, node: Node) -> None:
        """Add a binding for the name of ``except Type as name``."""
        pattern, alias = step_to(node, "<as_pattern"), walk(node, "<as_pattern", "alias")
        if pattern is not None and alias is not None:
            kind = self.text(pattern.named_children[0])
            self.bind(scope, self.text(alias), "exception", kind, (), pattern.start_point[0] + 1)

    def on_yield(self, scope: int, node: Node) -> None:
        """Add a yielded value. For ``yield from``, add the elements of its operand."""
        if any(child.type == "from" for child in node.children):
            path = self.path_of(step_to(node, ""))
            self.returns.append(Return(scope, path + "[*]" if path else "", "yield"))
        else:
            for value in node.named_children[:1]:
                self.give_back(scope, value, "yield")
            if not node.named_child_count:
                self.returns.append(Return(scope, "", "yield"))

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        """Add the bindings; of a name under ``global`` or ``nonlocal`` in the scope to which it belongs."""
        if self._outer_names:
            scope = self._outer_names.get((scope, name), scope)
        for value in values or ("",):
            self.bindings.append(record(Binding, (scope, name, manner, type_text, value, line, self._sure)))

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Mark the assignments of names that an inner function assigns as not sure: it may run at any time."""
        for name, texts in self.paths.table_names.items():
            self.bind(0, name, "variable", "", [f"%str:{text}" for text in texts], 0)
        outer = {(home, name) for (_, name), home in self._outer_names.items()}
        if outer:
            self.bindings[:] = [
                row._replace(sure=0) if (row.scope, row.name) in outer else row for row in self.bindings
            ]

    def on_outer(self, scope: int, node: Node) -> None:
        """Record that the names of a ``global`` or ``nonlocal`` statement belong to an outer scope from here on."""
        for child in node.named_children:
            name = self.text(child)
            self._outer_names[scope, name] = self._home_of(scope, name) if node.type == "nonlocal_statement" else 0

    def _home_of(self, scope: int, name: str) -> int:
        bound = {row.scope for row in self.bindings if row.name == name}
        number = {symbol.id: index for index, symbol in enumerate(self.symbols)}
        parent = self.symbols[scope].parent
        while parent is not None:
            index = number[parent]
            if index in bound:
                return index
            parent = self.symbols[index].parent
        return scope


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


def _is_async(node: Node) -> bool:
    return node.children[0].type == "async"
