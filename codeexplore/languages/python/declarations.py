"""Bindings of Python: assignments, loops, ``with``, ``except``, results, ``global``, literals and ``match``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction import Extractor, Part, enclosing, line_col, record, step_to, walk
from codeexplore.languages.extraction.implicit_declarations import last_value
from codeexplore.languages.extraction.narrowing_ranges import Conditions
from codeexplore.languages.python.implicit import KEYS, ImplicitCalls
from codeexplore.languages.python.lazy_exports import LazyExports
from codeexplore.languages.python.paths import CONTAINERS, MAX_ITEMS, SCALARS, PythonPaths
from codeexplore.types import Binding, Export, Reference, Return

if TYPE_CHECKING:
    from codeexplore.languages.extraction.expressions import Definition

_COMPREHENSIONS = words("list_comprehension generator_expression dictionary_comprehension set_comprehension")


class LiteralItems(Part):
    """Handlers that record the items of literals, and the possible values of expressions such as ``a or b``."""

    paths: PythonPaths

    def __init__(self, extractor: Extractor, implicit: ImplicitCalls) -> None:
        super().__init__(extractor)
        self._implicit = implicit

    def on_binding_either(self, scope: int, node: Node) -> None:
        """Record the values of ``a or b`` in ``f(a or b)``, or of ``(a if c else b).m()``."""
        name = self.paths.either(node)
        if name:
            self.bind(scope, name, "variable", "", self.paths.sides(node), node.start_point[0] + 1)

    def on_binding_items(self, scope: int, node: Node) -> None:
        """Record the items of a container literal or the elements of a comprehension."""
        kind, items = node.type, node.named_children[:MAX_ITEMS]
        if SCALARS.issuperset(item.type for item in items):
            return
        parent = node.parent
        if parent is None or parent.type == "pattern_list":
            return
        line, root = node.start_point[0] + 1, f"{CONTAINERS[kind]}:{line_col(node)}"
        if kind in _COMPREHENSIONS:
            body = node.child_by_field_name("body")
            if body is not None and body.type == "pair":
                body = body.child_by_field_name("value")
            if body is not None:
                self._item(scope, f"{root}[]", body, line)
            return
        for place, child in enumerate(items):
            if child.type not in SCALARS:
                self._one_item(scope, root, place, child, line)

    def _one_item(self, scope: int, root: str, place: int, child: Node, line: int) -> None:
        """Record one item of a literal under its key or its position. `root` is the access path of the literal."""
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                self._hashed_item(scope, key)
                self._item(scope, f"{root}[{self.paths.key(key)}]", value, line)
        elif child.type in ("list_splat", "dictionary_splat") and child.named_child_count:
            inner = self.paths.path_of(child.named_children[0])
            if inner:  # the values of a dict, not its keys
                step = "[*]" if child.type == "list_splat" else "[]"
                self.bind(scope, f"{root}[]", "field", "", (inner + step,), line)
        elif root.startswith("%set"):
            self._hashed_item(scope, child)
            self._item(scope, f"{root}[]", child, line)
        else:
            self._item(scope, f"{root}[{place}]", child, line)

    def _item(self, scope: int, name: str, value: Node, line: int) -> None:
        values = self.paths.sides(value)
        if values:
            self.bind(scope, name, "field", "", values, line)

    def _hashed_item(self, scope: int, key: Node) -> None:
        """Record that a key of a dict or an item of a set is hashed, and compared with other keys."""
        if key.type in KEYS:
            self._implicit.on_hashed(scope, "", self.paths.path_of(key), key.start_point[0] + 1)


_SEQUENCES = frozenset({"list_pattern", "tuple_pattern"})
_MAX_PATTERNS = 200  # most patterns of one case that are examined


class PythonPatterns(Part):
    """Handler for the cases of a ``match`` statement."""

    def on_binding_case(self, scope: int, node: Node) -> None:
        """Add the names in the pattern of a case, and narrow the type of the subject on its lines."""
        statement = walk(node, "^", "^")
        subjects = statement.children_by_field_name("subject") if statement is not None else []
        patterns = [child for child in node.named_children if child.type == "case_pattern"]
        if len(subjects) != 1 or len(patterns) != 1:
            for pattern in patterns:
                self._bind_pattern(scope, pattern, "", node)
            return
        self._narrow(scope, self.text(subjects[0]) if subjects[0].type == "identifier" else "", patterns[0], node)
        self._bind_pattern(scope, patterns[0], self.path_of(subjects[0]), node)

    def _narrow(self, scope: int, name: str, pattern: Node, case: Node) -> None:
        classes = self._classes(pattern)
        if name and classes:
            first, last = case.start_point[0] + 1, case.end_point[0] + 1
            self.bindings.append(Binding(scope, name, "pattern", " | ".join(classes), "", first, last))

    def _classes(self, pattern: Node) -> list[str]:
        """Return the classes whose instances `pattern` matches; an empty list if it may match other values."""
        found: list[str] = []
        pending = [pattern]
        for _ in range(_MAX_PATTERNS):
            if not pending:
                return found
            current = pending.pop()
            if current.type == "class_pattern":
                found.append(self.text(current.named_children[0]))
            elif current.type == "union_pattern":
                pending.extend(reversed(current.named_children))
            elif current.type in ("case_pattern", "as_pattern") and current.named_child_count:
                pending.append(current.named_children[0])
            else:
                return []
        return []

    def _bind_pattern(self, scope: int, pattern: Node, path: str, case: Node) -> None:
        """Add bindings for the names in a pattern, to parts of the value at `path`; "" if the value is unknown."""
        pending = [(pattern, path)]
        for _ in range(_MAX_PATTERNS):
            if not pending:
                return
            current, value = pending.pop()
            children = current.named_children
            if current.type in ("case_pattern", "union_pattern"):
                pending.extend((child, value) for child in reversed(children))
            elif current.type == "dotted_name":
                self._named(scope, current, value)
            elif current.type == "as_pattern" and len(children) == 2:
                self._capture(scope, children[1], value)
                self._narrow(scope, self.text(children[1]), children[0], case)
                pending.append((children[0], value))
            elif current.type in _SEQUENCES:
                items = [(child, f"{value}[{place}]" if value else "") for place, child in enumerate(children)]
                pending.extend(reversed(items))
            elif current.type == "dict_pattern":
                held = current.children_by_field_name("value")
                pending.extend((child, value + "[]" if value else "") for child in reversed(held))
            elif current.type == "splat_pattern" and children:
                self._capture(scope, children[0], "")
            elif current.type == "class_pattern":
                pending.extend(self._parts(scope, current))

    def _parts(self, scope: int, pattern: Node) -> list[tuple[Node, str]]:
        """Return the sub-patterns of a class pattern, the last one first, each with the access path of its value."""
        cls = self.text(pattern.named_children[0])
        self.refer(scope, "type", cls, pattern)
        found = []
        for child in pattern.named_children[1:]:
            inner = child.named_children[0] if child.type == "case_pattern" and child.named_child_count else child
            if inner.type == "keyword_pattern" and inner.named_child_count == 2:
                name, part = inner.named_children
                found.append((part, f"%type({cls}).{self.text(name)}"))
            else:
                found.append((inner, ""))
        return found[::-1]

    def _named(self, scope: int, node: Node, value: str) -> None:
        """Handle a name in a pattern: a plain name gets a binding with `value`, a dotted name is read and compared."""
        if node.named_child_count == 1:
            self._capture(scope, node, value)
        else:
            self.refer(scope, "read", self.text(node), node)

    def _capture(self, scope: int, node: Node, value: str) -> None:
        name = self.text(node)
        if name != "_":
            self.bind(scope, name, "variable", "", (value,) if value else (), node.start_point[0] + 1)


_HASHING = frozenset({"get", "pop", "setdefault", "add", "discard", "remove", "index", "count"})
"""Methods of Python's containers that search for their first argument, and so hash or compare it."""
_JOINING = frozenset({"binary_operator", "parenthesized_expression"})
_WRITTEN = frozenset({"list", "tuple", "set", "dictionary"})
_TEXTS = frozenset(
    {"string", "binary_operator", "call", "list", "tuple", "set", "dictionary"}
)  # that names are made of
_LISTING = ("__all__.extend", "__all__.append")


class PythonNames(Extractor):
    """Extractor of Python with the handlers for ``@binding`` and ``@return`` captures."""

    paths: PythonPaths
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


def _is_async(node: Node) -> bool:
    return node.children[0].type == "async"
