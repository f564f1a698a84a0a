"""Definitions of JavaScript and TypeScript: their nodes, and their names, many of which come from their places.

In ``const f = () => {}``, ``{ key: function () {} }``, ``Foo.prototype.bar = …``, ``exports.x = …`` and ``field = () =>
{}`` the value gets the name of its target. The value of ``export default …`` is called ``default``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import Definition, children_of, line_col, outside
from codeexplore.languages.extraction.extractor import Extractor, Part
from codeexplore.languages.javascript.paths import (
    DEFAULT,
    FUNCTION_VALUES,
    NAMED_VALUES,
    SEE_THROUGH,
    ScriptPaths,
    key_text,
    unwrapped,
)
from codeexplore.types import TYPE_KINDS, SymbolKind
from codeexplore.types.settings import MAX_FUNCTION_LINES

_GLOBALS = frozenset({"window", "globalThis", "global"})
_MAX_LITERALS = 8  # most nested object literals whose keys become part of a name
_PATH = re.compile(rb"[\w$#\x80-\xff]+(?:\.[\w$#\x80-\xff]+)*")


@dataclass(frozen=True, slots=True)
class Place:
    """The target from which a value gets its name, such as a variable, a property or an export."""

    name: str
    named: Node | None  # the node that contains the name
    node: Node  # declarator, pair, assignment, field or export statement
    qualifier: str = ""  # names between the enclosing symbol's name and this name
    owner: str = ""  # the class to whose prototype the value is assigned
    is_method: bool = False


def wrapped_by(node: Node) -> Node | None:
    """Return the node around an expression and the parentheses and casts around it."""
    return outside(node.parent, SEE_THROUGH)


def place_of(node: Node, data: bytes) -> Place | None:
    """Return the target that names a value; None if the value is passed to a call, called at once, or returned."""
    parent = wrapped_by(node)
    if parent is None:
        return None
    kind = parent.type
    if kind == "variable_declarator":
        name = parent.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            return Place(key_text(name, data), name, parent)
    elif kind == "pair":
        return literal_place(parent, data)
    elif kind == "assignment_expression":
        left = parent.child_by_field_name("left")
        return assigned_place(left, parent, data) if left is not None and left.end_byte <= node.start_byte else None
    elif kind in ("field_definition", "public_field_definition"):
        name = parent.child_by_field_name("property") or parent.child_by_field_name("name")
        if name is not None and name.end_byte <= node.start_byte:
            return Place(key_text(name, data), name, parent, is_method=True)
    elif kind == "export_statement":
        return Place(DEFAULT, None, parent)
    return None


def literal_place(node: Node, data: bytes) -> Place | None:
    """Return the target of a method or pair of an object literal: its key, qualified by the keys around the literal."""
    key = node.child_by_field_name("key" if node.type == "pair" else "name")
    if key is None:
        return None
    names: list[str] = []
    literal = node.parent
    for _ in range(_MAX_LITERALS):
        holder = wrapped_by(literal) if literal is not None else None
        if holder is None or holder.type != "pair":
            break
        outer = holder.child_by_field_name("key")
        names.append(key_text(outer, data) if outer is not None else "")
        literal = holder.parent
    else:
        holder = None
    around, owner, is_method = "", "", True
    if holder is not None and holder.type == "variable_declarator":
        name = holder.child_by_field_name("name")
        around = key_text(name, data) if name is not None and name.type == "identifier" else ""
    elif holder is not None and holder.type == "assignment_expression":
        left = holder.child_by_field_name("left")
        target = assigned_place(left, holder, data) if left is not None else None
        if target is not None:
            owner = target.qualifier if target.name == "prototype" else ""
            is_module = target.name == DEFAULT
            around = owner or ("" if is_module else ".".join(filter(None, (target.qualifier, target.name))))
            is_method = not is_module or bool(names)
    qualifier = ".".join(filter(None, (around, *reversed(names))))
    return Place(key_text(key, data), key, node, qualifier, owner if not names else "", is_method)


def assigned_place(left: Node, node: Node, data: bytes) -> Place | None:
    """Return the target that the left side of an assignment names; None if it has no constant name."""
    named = left.child_by_field_name("property") or left
    parts = target_parts(left, data)
    if not parts:
        return None
    exported = parts[0] == "exports" or parts[:2] == ["module", "exports"]
    if exported:
        parts = parts[1:] if parts[0] == "exports" else parts[2:]
        if not parts:
            return Place(DEFAULT, None, node)
    elif parts[0] in _GLOBALS and len(parts) > 1:
        parts, exported = parts[1:], True
    if len(parts) == 1:
        return Place(parts[0], named, node)
    if "prototype" in parts[1:-1]:
        owner = ".".join(parts[: parts.index("prototype")])
        return Place(parts[-1], named, node, owner, owner, is_method=True)
    qualifier = ".".join(parts[1:-1] if parts[0] == "this" else parts[:-1])
    return Place(parts[-1], named, node, qualifier, is_method=True)


def target_parts(left: Node, data: bytes) -> list[str]:
    """Return the names in the target of an assignment: a, b, c for ``a.b["c"]``; [] if a name is computed."""
    end = left.end_byte
    key = None
    if left.type == "subscript_expression":
        index, target = left.child_by_field_name("index"), left.child_by_field_name("object")
        if index is None or target is None or index.type != "string":
            return []
        key, end = key_text(index, data), target.end_byte
    found = _PATH.fullmatch(data, left.start_byte, end)
    if found is None:
        if key is not None or left.type != "member_expression":
            return []
        name = left.child_by_field_name("property")  # for f().x = … and a[i].x = …, use the last name
        return ["this", key_text(name, data)] if name is not None else []
    parts = found.group().decode("utf-8", "replace").split(".")
    return [*parts, key] if key is not None else parts


_DECORATED = TYPE_KINDS | {"method", "field"}


class ScriptDecorators(Part):
    """Handlers for the decorators of definitions and of parameters."""

    paths: ScriptPaths

    def __init__(self, extractor: Extractor) -> None:
        super().__init__(extractor)
        self._present = False  # True if the file contains decorators
        self._recorded: set[int] = set()  # first bytes of decorators that were recorded with their definitions

    def begin(self, present: bool) -> None:
        """Start with another file. `present` is True if the file contains decorators."""
        self._present = present
        self._recorded.clear()

    def inner(self, definition: Definition) -> list[Node]:
        """Return the decorators that the grammar places inside the definition or inside its ``export``."""
        if not self._present or definition.kind not in _DECORATED:
            return []
        node, outer = definition.node, definition.outer
        found = [child for child in node.children if child.type == "decorator"]
        if outer.id != node.id:
            found = [child for child in outer.children if child.type == "decorator"] + found
        return found

    def _all(self, definition: Definition) -> tuple[Node, ...]:
        return (*definition.decorations, *self.inner(definition)) if self._present else ()

    def paths_of(self, definition: Definition) -> tuple[str, ...]:
        """Return the access paths of the decorators of the definition, outermost first."""
        return tuple(self._path(node.named_children[0]) for node in self._all(definition) if node.named_child_count)

    def _path(self, target: Node) -> str:
        """Return the access path of a decorator, without its arguments."""
        callee = target.child_by_field_name("function") if target.type == "call_expression" else None
        return self.path_of(target) if callee is None else f"{self.path_of(callee)}()"

    def use(self, definition: Definition) -> None:
        """Add the decorators of the definition as references. Their argument is the name of the definition."""
        for node in self._all(definition):
            self._recorded.add(node.start_byte)
            self._use(definition.parent, node, (definition.name,))

    def _use(self, scope: int, node: Node, args: tuple[str, ...]) -> None:
        if node.named_child_count:
            target = node.named_children[0]
            path = self._path(target)
            if path:
                if target.type != "call_expression":
                    self.consumed.add(target.start_byte)
                self.refer(scope, "decorator", path, node, args)

    def on_reference_decorator(self, scope: int, node: Node) -> None:
        """Add a decorator of a parameter. Other decorators are recorded with their definitions."""
        if node.start_byte not in self._recorded:
            self._use(scope, node, ())


_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
AROUND: Final = frozenset({"export_statement", "ambient_declaration"})
"""Statements around a definition that belong to it."""
_OTHER_NAMES = frozenset({"identifier", "member_expression", "assignment_expression"})
"""Values that give another name to what they name, as the last one of ``a.x = a.y = f``."""
_MAKING = frozenset({"call_expression", "ternary_expression", "binary_expression", "member_expression", "identifier"})
"""Values at the top of a wrapper that may be functions without being written as such."""
_HANDED_ON = re.compile(rb"(?:\.[\w$]+\s*=|[{,]\s*[\w$]+\s*:)\s*([\w$]+)(?![\w$.(\[])")
"""A name that a file gives to its users: ``_.map = map``, ``{ escape: _escape }``."""
_NOT_DEFAULT = NAMED_VALUES | {"identifier", "member_expression"}  # exported values that are not definitions themselves


def function_type(node: Node) -> Node | None:
    """Return the type in ``log: (text: string) => void``, a property that classes implement by a method."""
    annotation = node.child_by_field_name("type") if node.type == "property_signature" else None
    typed = annotation.named_children[0] if annotation is not None and annotation.named_child_count else None
    return typed if typed is not None and typed.type == "function_type" else None


class ScriptDefinitions:
    """Finder of the definition of a captured node, and of its name.

    - A function, class or literal gets its name from the variable, property, field or assignment that has it as value.
    - Methods of an object literal are children of the constant to which the literal is assigned. Without such a
      constant, their qualified name contains the variable and the enclosing keys.
    - A value assigned to ``Foo.prototype.bar`` is called ``Foo.bar``. A value assigned to ``exports.bar``, and a member
      ``bar`` of ``module.exports = {}``, is called ``bar``.
    - An anonymous default export, and ``module.exports = function``, is called ``default``.
    - A method whose parent is not a type can't be called by its plain name.

    `literal_methods` has the first bytes of the methods in object literals of the current file. `body_of` and
    `declared` are methods of the extractor, for the body of a node and for a plain declaration.
    """

    def __init__(
        self,
        paths: ScriptPaths,
        body_of: Callable[[SymbolKind, Node], Node | None],
        declared: Callable[[SymbolKind, Node], Definition | None],
    ) -> None:
        self._paths, self._body_of, self._declared = paths, body_of, declared
        self.literal_methods: set[int] = set()
        self._wrapped: set[int] = set()  # ids of the nodes in the result of `wrapped`

    def begin(self) -> None:
        """Start with another file."""
        self.literal_methods.clear()
        self._wrapped.clear()

    def find(self, kind: SymbolKind, node: Node) -> Definition | None:
        """Return the definition that the captured node `node` represents; None if it is not a symbol."""
        node_type = node.type
        if node_type in NAMED_VALUES:
            return self._value(kind, node)
        if node_type == "method_definition":
            return self._method(node)
        if kind in ("constant", "field"):
            return self._declared("method", node) if function_type(node) is not None else self._constant(kind, node)
        if node_type == "class_static_block":
            return Definition(kind, "<static>", node, node, self._body_of(kind, node))
        return self._declared(kind, node)

    def _value(self, kind: SymbolKind, node: Node) -> Definition:
        """Return the definition of a function or class that is a value, named by its place, or else by itself."""
        place = place_of(node, self._paths.data)
        own = node.child_by_field_name("name")
        is_class = node.type not in FUNCTION_VALUES
        if place is not None and (own is None or place.name != DEFAULT):
            kind = "class" if is_class else "method" if place.is_method else "function"
            return self._placed(kind, node, place)
        if own is not None:
            name, kind = self._paths.text(own), "class" if is_class else "function"
        else:
            name = f"<{'class' if is_class else 'lambda'}:{line_col(node)}>"
        return Definition(kind, name, node, place.node if place else node, self._body_of(kind, node), named=own)

    def _placed(self, kind: SymbolKind, node: Node, place: Place) -> Definition:
        found = Definition(kind, place.name, node, self._statement(place.node), self._body_of(kind, node))
        found.named, found.qualifier, found.owner = place.named, place.qualifier, place.owner
        return found

    def _method(self, node: Node) -> Definition | None:
        parent = node.parent
        if parent is not None and parent.type == "object":
            place = literal_place(node, self._paths.data)
            if place is None:
                return None
            self.literal_methods.add(node.start_byte)
            return self._placed("method" if place.is_method else "function", node, place)
        return self._declared("method", node)

    def _constant(self, kind: SymbolKind, node: Node) -> Definition | None:
        """Return the definition of a module's variable, of an exported value or of a field.

        Return None if the value is a function or class, which has a definition already, if the name is a pattern
        (``const {a} = x``), or if the value is a ``require`` call.
        """
        name: Node | None = node
        value = None
        if node.type == "variable_declarator" or node.type.endswith(("_definition", "_signature", "assignment")):
            name = node.child_by_field_name("name") or node.child_by_field_name("property")
            value = node.child_by_field_name("value")
            if value is not None and unwrapped(value).type in NAMED_VALUES:
                return None
        elif node.type == "assignment_expression":
            return self._assigned_constant(node)
        elif node.type == "pair":
            place, value = literal_place(node, self._paths.data), node.child_by_field_name("value")
            if place is None or value is None or place.name == self._paths.text(value):
                return None
            return self._made(kind, node, place, value)
        elif (parent := node.parent) is not None and parent.type == "export_statement":
            if unwrapped(node).type in _NOT_DEFAULT:
                return None
            return self._placed(kind, node, Place(DEFAULT, None, parent))
        if name is None or name.type in ("object_pattern", "array_pattern") or self._is_required(value):
            return None
        return self._made(kind, node, Place(key_text(name, self._paths.data), name, node), value)

    def _made(self, kind: SymbolKind, node: Node, place: Place, value: Node | None) -> Definition:
        """Return a constant. A value that may be a function is `made`: for users of the file, or by a call with one."""
        found = self._placed(kind, node, place)
        arguments = unwrapped(value).child_by_field_name("arguments") if value is not None else None
        given = children_of(arguments)
        found.owner = ""
        found.made = any(each.type in FUNCTION_VALUES for each in given) or (
            node.id in self._wrapped and (arguments is not None or node.type == "variable_declarator")
        )
        return found

    def _assigned_constant(self, node: Node) -> Definition | None:
        """Return the definition of ``exports.NAME = value``, ``A.name = wrap(f)``, or an alias ``A.name = A.other``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or unwrapped(right).type in NAMED_VALUES or self._is_required(right):
            return None
        parts = target_parts(left, self._paths.data)
        exported = parts[:1] == ["exports"] or parts[:2] == ["module", "exports"]
        named = right.type in _OTHER_NAMES and parts[-1:] != target_parts(right, self._paths.data)[-1:]
        if not (named or right.type == "call_expression" or (exported and right.type != "identifier")):
            return None
        place = None if parts[:1] == ["this"] else assigned_place(left, node, self._paths.data)
        if place is None or place.name in (DEFAULT, "prototype"):
            return None
        return self._made("constant", node, place, right)

    def wrapped(self, functions: Iterable[Node]) -> tuple[list[Node], list[Node]]:
        """Return the functions whose result a file exports, and the nodes in wrappers that make names for its users.

        A wrapper is a long function. A node is a variable that is not written as a function, if it has documentation or
        is handed on (``_.map = map``, ``map: map``), an assignment to a member, or an entry of a literal.
        """
        long = [each for each in functions if each.end_point[0] - each.start_point[0] >= MAX_FUNCTION_LINES]
        handed_on = frozenset(_HANDED_ON.findall(self._paths.data)) if long else frozenset()
        bodies = [body for function in long if (body := function.child_by_field_name("body")) is not None]
        found = [node for body in bodies for each in body.named_children for node in self._made_in(each, handed_on)]
        self._wrapped.update(node.id for node in found)
        return [function for function in long if _is_factory(function)], found

    def _made_in(self, statement: Node, handed_on: frozenset[bytes]) -> Iterator[Node]:
        literals: list[Node] = []
        if statement.type == "expression_statement":
            node: Node | None = statement.named_children[0]
            while node is not None and node.type == "assignment_expression":
                left, made = node.child_by_field_name("left"), node
                node = node.child_by_field_name("right")
                if left is not None and left.type != "identifier":
                    yield made
            literals += children_of(node, "arguments")  # extend({ name: make() })
        above = statement.prev_sibling
        documented = above is not None and above.type == "comment" and self._paths.text(above).startswith("/**")
        for node in statement.named_children if statement.type in _DECLARATIONS else ():
            value, name = node.child_by_field_name("value"), node.child_by_field_name("name")
            if value is None or name is None:
                continue
            literals.append(value)
            if value.type in _MAKING and (documented or name.text in handed_on):
                yield node
        for literal in literals:
            for each in literal.named_children if literal.type == "object" else ():
                value = each.child_by_field_name("value")
                if each.type == "pair" and value is not None and value.type in ("identifier", "call_expression"):
                    yield each

    def _is_required(self, value: Node | None) -> bool:
        """Return True if `value` is the result of ``require("…")`` or ``await import("…")``, which is an import."""
        return value is not None and self._paths.data.startswith((b"require(", b"await import("), value.start_byte)

    def _statement(self, node: Node) -> Node:
        """Return the statement that contains only `node`, a declarator, assignment or field, with ``export``."""
        parent = node.parent
        if parent is None:
            return node
        if parent.type in _DECLARATIONS:
            if parent.named_child_count > 1 and sum(c.type == "variable_declarator" for c in parent.named_children) > 1:
                return node
            node, parent = parent, parent.parent
        elif parent.type == "expression_statement":
            return parent
        while parent is not None and parent.type in AROUND:
            node, parent = parent, parent.parent
        return node


def _is_factory(function: Node) -> bool:
    """Return True for the second function of ``(function (root, factory) …)(this, function …)``."""
    arguments = wrapped_by(function)
    call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
    called = call.child_by_field_name("function") if call is not None else None
    return called is not None and unwrapped(called).type in FUNCTION_VALUES
