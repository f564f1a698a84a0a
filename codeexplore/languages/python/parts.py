"""Parts of Python's extractor: calls that syntax makes, items of literals, ``match``, and exports by a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import line_col, record, walk
from codeexplore.languages.extraction.extractor import Extractor, Part
from codeexplore.languages.python.paths import CONTAINERS, MAX_ITEMS, SCALARS, PythonPaths, string_of
from codeexplore.types import Binding, Import, Reference

_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

_REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
KEYS = frozenset({"identifier", "attribute", "call"})
"""Node types of keys that may be other values than text or numbers."""


class ImplicitCalls(Part):
    """Handlers for syntax that calls special methods: ``with``, ``for``, operators, subscripts, truth tests, f-strings.

    Each such call becomes a reference of kind `implicit` to the special method that would be called, such as
    ``x.__len__``. It is resolved only if the type of the value is known.
    """

    def _implicit(self, scope: int, node: Node | None, *methods: str) -> None:
        self._on_path(scope, self.path_of(node), node, *methods)

    def _on_path(self, scope: int, path: str, node: Node | None, *methods: str) -> None:
        if path and node is not None and path[0] != "%":
            line = node.start_point[0] + 1
            for method in methods:
                self.references.append(record(Reference, (scope, "implicit", f"{path}.{method}", line, ())))

    def on_reference_raised(self, scope: int, node: Node) -> None:
        """Add the construction of the exception in ``raise Type``."""
        path = self.path_of(node)
        if path.rpartition(".")[2][:1].isupper():
            self.consumed.add(node.start_byte)
            self.refer(scope, "new", path, node)

    def on_implicit_get(self, scope: int, node: Node) -> None:
        """Add the call for ``value[key]``, unless another handler records it: targets and annotations."""
        parent = node.parent
        if parent is None or not (parent.type in ("type", "delete_statement") or _is_target(parent, node)):
            self._subscript(scope, node, "__getitem__")

    def on_implicit_set(self, scope: int, node: Node) -> None:
        """Add the call for ``value[key] = …``."""
        self._subscript(scope, node, "__setitem__")

    def on_implicit_delete(self, scope: int, node: Node) -> None:
        """Add the call for ``del value[key]``."""
        self._subscript(scope, node, "__delitem__")

    def _subscript(self, scope: int, node: Node, method: str) -> None:
        """Add a call for ``container[key]``, which hashes the key and compares it with other keys, as a dict does."""
        container, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        self._implicit(scope, container, method)
        if container is not None and key is not None and key.type in KEYS:
            self.on_hashed(scope, self.path_of(container), self.path_of(key), key.start_point[0] + 1)

    def on_hashed(self, scope: int, container: str, key: str, line: int) -> None:
        """Record that a key is hashed and compared with others, unless its container has an own lookup method."""
        if key and key[0] not in "%'":
            self.references.append(record(Reference, (scope, "implicit", f"{key}.__hash__", line, (container,))))

    def on_implicit_iteration(self, scope: int, container: str, node: Node, waits: bool = False) -> None:
        """Add the calls for ``for … in container``; `waits` is True for ``async for``."""
        a = "a" * waits
        self._on_path(scope, container, node, f"__{a}iter__", f"__{a}iter__().__{a}next__")

    def on_implicit_delegation(self, scope: int, node: Node) -> None:
        """Add the calls for ``yield from container``."""
        if any(child.type == "from" for child in node.children):
            self.on_implicit_spread(scope, node)

    def on_implicit_spread(self, scope: int, node: Node) -> None:
        """Add the calls for ``*container`` in the literal of a list, tuple or set."""
        if node.named_child_count:
            value = node.named_children[0]
            self.on_implicit_iteration(scope, self.path_of(value), value)

    def on_implicit_context(self, scope: int, path: str, node: Node, waits: bool = False) -> None:
        """Add the calls for ``with value``; `path` is that of the value, and `waits` is True for ``async with``."""
        a = "a" * waits
        self._on_path(scope, path, node, f"__{a}enter__", f"__{a}exit__")

    def on_implicit_operator(self, scope: int, node: Node) -> None:
        """Add the calls for ``a + b``: the method of the left and the reflected method of the right operand."""
        children = node.children
        for operator in children[1:-1]:  # and comments
            name = _OPERATORS.get(operator.type)
            if name is not None:
                self._implicit(scope, children[0], f"__{name}__")
                self._implicit(scope, children[-1], f"__r{name}__")

    def on_implicit_augmented(self, scope: int, node: Node) -> None:
        """Add the calls for ``a += b``: the in-place method, and the method of the plain operator."""
        name = _OPERATORS.get(self.text(node.child_by_field_name("operator")).rstrip("="))
        if name is not None:
            left = node.child_by_field_name("left")
            self._implicit(scope, left, f"__i{name}__")
            if left is not None and left.type == "subscript":
                self.on_implicit_set(scope, left)

    def on_implicit_comparison(self, scope: int, node: Node) -> None:
        """Add the calls of a comparison, of the right operand for ``a in b``."""
        children = node.children
        for index in range(1, len(children) - 1):
            operator = children[index].type
            if operator in _COMPARISONS:
                left, name = children[index - 1], _COMPARISONS[operator]
                if self.path_of(left)[:1] == "%":  # text and numbers leave it to the right operand
                    self._implicit(scope, children[index + 1], f"__{_REFLECTED.get(name, name)}__")
                self._implicit(scope, left, f"__{name}__")
            elif operator in ("in", "not in"):
                self._implicit(scope, children[index + 1], "__contains__")
                if children[index - 1].type in KEYS:
                    container, key = self.path_of(children[index + 1]), self.path_of(children[index - 1])
                    self.on_hashed(scope, container, key, children[index - 1].start_point[0] + 1)

    def on_implicit_truth(self, scope: int, node: Node) -> None:
        """Add the call for a truth test, as in ``if value``."""
        self._implicit(scope, node, "__bool__")

    def on_implicit_format(self, scope: int, node: Node) -> None:
        """Add the call for ``f"{value}"``."""
        if node.named_child_count:
            conversion = any(child.type == "type_conversion" and self.text(child) == "!r" for child in node.children)
            value = node.named_children[0]
            self._implicit(scope, value, "__repr__" if conversion else "__format__")


def _is_target(parent: Node, node: Node) -> bool:
    """Return True if the subscript `node` is assigned to, False if it is read. `parent` is the parent of `node`."""
    if parent.type != "assignment":
        return False
    left = parent.child_by_field_name("left")
    return left is not None and left.start_byte == node.start_byte and left.end_byte == node.end_byte


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


_GETTER = re.compile(rb"^(?:def\s+__getattr__\b|(?:\w+\s*,\s*)*__getattr__\b[^\n=]*=)", re.MULTILINE)
_RELATIVE = re.compile(rb"""[fF]["']\.\{|["']\.["']\s*\+|__name__\s*\+|[fF]["']\{__(?:name|package)__\}""")
_MODULE = re.compile(r"(\.*)((?:[^\W\d]\w*)(?:\.\w+)*)(?::(\w+))?")
_MAX_NAMES = 2_000  # of one table
_MAX_NESTED = 6


class LazyExports(Part):
    """Reader of names that a module offers although no statement binds them: ``__getattr__`` imports them by a table.

    The tables are literals at the top of the module (PEP 562): a name with its module, ``{"mend": ".repair"}``, or a
    module with its names, ``{"repair": ["mend"]}``. Each name becomes an import of the module.
    """

    _applies = False  # True if the module has a function for names that it does not bind
    _relative = False  # True if this function imports below its package

    def begin(self) -> None:
        """Start with the next file. Its text is searched once, not for each assignment."""
        data = self.paths.data
        self._applies = b"__getattr__" in data and _GETTER.search(data) is not None
        self._relative = self._applies and _RELATIVE.search(data) is not None

    def read(self, value: Node | None, path: str) -> None:
        """Add the imports of a literal table, or of the tables among the arguments of a call."""
        if value is None or not self._applies:
            return
        folders = path.split("/")[:-1]
        for table in _dictionaries(value, _MAX_NESTED):
            for pair in table.named_children[:_MAX_NAMES]:
                key, held = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                name = string_of(self.text(key)) if key is not None and key.type == "string" else ""
                if name and held is not None:
                    self._offer(name, held, folders[-1] if folders else "", pair.start_point[0] + 1)

    def _offer(self, key: str, held: Node, package: str, line: int) -> None:
        several = held.named_children[:_MAX_NAMES] if held.type in ("list", "tuple", "set") else [held]
        texts = [string_of(self.text(each)) for each in several if each.type == "string"]
        if held.type == "string" and texts:
            self._import(key, texts[0], key, package, line)
        elif held.type == "tuple" and len(texts) == 2 and ("." in texts[0] or key == texts[1]):  # module and its object
            self._import(key, texts[0], texts[1], package, line)
        else:
            for name in texts:
                self._import(name, key, name, package, line)

    def _import(self, name: str, module: str, member: str, package: str, line: int) -> None:
        found = _MODULE.fullmatch(module)
        if found is None or not name.isidentifier():
            return
        dots, parts = found[1], found[2].split(".")
        if not dots and parts[0] == package and len(parts) > 1:  # its own package, by its whole name
            dots, parts = ".", parts[1:]
        if (not dots and len(parts) == 1) or (not dots and self._relative):
            dots = "."
        if found[3] is None and parts[-1] == name == member:  # a submodule, or the whole name of an object
            self.imports.append(Import(0, name, dots + ".".join(parts[:-1]), name, line))
        self.imports.append(Import(0, name, dots + ".".join(parts), found[3] or member, line))


def _dictionaries(node: Node, depth: int) -> Iterator[Node]:
    if node.type == "dictionary":
        yield node
    elif depth and node.type in ("call", "argument_list", "keyword_argument"):
        for child in node.named_children:
            yield from _dictionaries(child, depth - 1)
