"""Handlers for values, uses and imports of Go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import (
    Expressions,
    PathReader,
    children_of,
    is_traceable,
    line_col,
    record,
    walk,
)
from codeexplore.languages.extraction.extractor import Extractor
from codeexplore.languages.extraction.leading_trivia import end_line
from codeexplore.languages.go import syntax
from codeexplore.types import COMPARED, Base, Binding, Import, Reference, Return

CALLS_OF_THE_LANGUAGE = frozenset({"new", "make", "append"})
_OWN_CALL = re.compile(rb"^func (new|make|append)\b", re.MULTILINE)  # hides the function of the language
_MANY = 8  # most items that are examined to decide if a literal contains more than plain data
_MADE = frozenset({"composite_literal", "unary_expression"})
_NAMED_VALUES = frozenset({"identifier", "selector_expression", "func_literal", "call_expression", "unary_expression"})


class GoPaths(PathReader):
    """Reader of access paths and texts from the nodes of a Go syntax tree."""

    expressions = Expressions(
        attributes={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
        calls={"call_expression": "function"},
        subscripts={"index_expression": "operand"},
        roots=frozenset({"identifier", "type_identifier", "package_identifier"}),
        transparent=frozenset({"parenthesized_expression", "parenthesized_type", "literal_element", "pointer_type"}),
        through={"slice_expression": "operand", "generic_type": "type"},
        prefixes={"unary_expression": {"&": "", "*": "", "<-": "[]"}},
        literals=table(
            {
                "%str": "interpreted_string_literal raw_string_literal",
                "%num": "rune_literal int_literal float_literal imaginary_literal iota",
                "%bool": "true false",
            }
        ),
        words={"nil": "", "true": "%bool", "false": "%bool", "iota": "%num"},
        functions=frozenset({"func_literal"}),
    )

    own_calls: frozenset[str] = frozenset()  # names of functions of the language that the file defines

    def note_own_calls(self) -> None:
        self.own_calls = frozenset(name.decode() for name in _OWN_CALL.findall(self.data))

    def root_of(self, node: Node) -> str:
        """Return the root for a composite literal, type assertion or conversion."""
        kind, named = node.type, node.child_by_field_name("type")
        if kind == "composite_literal":
            path = self.path_of(named)
            return f"{path}()" if path else self.container_of(node) or self.as_type(named)
        if kind == "type_assertion_expression":
            return self.as_type(named)
        if kind == "type_conversion_expression":
            path = self.path_of(named)
            return f"{path}()" if path else self.as_type(named)
        return super().root_of(node)

    def _path(self, node: Node) -> str:
        path = super()._path(node)
        root, called, rest = path.partition("()")
        if not called or root not in CALLS_OF_THE_LANGUAGE or root in self.own_calls:
            return path
        argument, name = syntax.first_argument(node, root, self.data)
        if argument is None:
            return ""
        if name == "append":
            inner = super()._path(argument)
            return inner + rest if inner else ""
        if name == "new" and (made := super()._path(argument)):
            return f"{made}(){rest}"
        return self.as_type(argument) + rest

    def call_step(self, node: Node) -> str:
        """Return the step of a call in an access path: ``()``, or ``(path)`` if the only argument is a literal.

        Such a call may be a conversion like ``I(&T{})``, whose result is the literal.
        """
        given = children_of(node, "arguments")
        kept = self.path_of(given[0]) if len(given) == 1 and given[0].type in _MADE else ""
        return f"({kept})" if kept.endswith("()") and kept.count("(") == 1 else "()"

    def as_type(self, node: Node | None) -> str:
        """Return the access path ``%type(T)`` for a value of which only the type T is known."""
        text = self.type_text(node)
        return f"%type({text})" if text and text != "struct" else ""

    def type_text(self, node: Node | None) -> str:
        """Return the type `node` on one line; of a struct or interface type with a body, only the keyword."""
        if node is not None and node.type in ("struct_type", "interface_type"):
            return node.type[:-5] if node.named_child_count else self.text(node)
        return syntax.head(self.text(node), whole=True)

    def container_of(self, node: Node) -> str:
        """Return the access path of a literal that contains functions or other named values; "" for plain data."""
        body, kind = node.child_by_field_name("body"), node.child_by_field_name("type")
        if body is None or kind is None or kind.type == "struct_type":
            return ""
        for number, (_, value) in enumerate(syntax.elements(body)):
            if number == _MANY:
                break
            if value.type in _NAMED_VALUES:
                return f"%{'dict' if kind.type == 'map_type' else 'list'}:{line_col(node)}"
        return ""

    def argument(self, node: Node) -> str:
        """Return the access path of an argument. A spread argument (``xs...``) begins with a star."""
        if node.type != "variadic_argument":
            return self.path_of(node)
        path = self.path_of(node.named_children[0])
        return "*" + path if path else ""

    def items(self, body: Node) -> Iterator[str]:
        """Yield the arguments of ``T{…}``: ``field=path``, unless it is plain data, or a path by position."""
        for key, value in syntax.elements(body):
            path = self.path_of(value)
            if key is None:
                yield path
            elif is_traceable(path):
                yield f"{self.text(key)}={path}"


_UNNAMED = ("[", "map[", "func(", "chan ", "<-chan ")  # beginnings of types without a name


class GoValues(Extractor):
    """Extractor of Go with the handlers for all captures except definitions."""

    paths: GoPaths
    blocks = dict.fromkeys(
        words(
            "block if_statement for_statement expression_switch_statement type_switch_statement expression_case "
            "default_case type_case communication_case"
        ),
        "",
    )
    qualified_types = frozenset({"qualified_type"})
    quiet_types = syntax.BUILTIN_TYPES
    type_parameters: set[str]

    def __init__(self) -> None:
        super().__init__(GoPaths())

    # ----------------------------------------------------------------- names and values

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add the names of ``const`` or ``var``. A constant without type and value repeats the type above."""
        repeated = ""
        for spec in syntax.specs(node):
            kind, value = spec.child_by_field_name("type"), spec.child_by_field_name("value")
            text = self.paths.type_text(kind)
            if node.type == "const_declaration":
                repeated = text = text or (repeated if value is None else "")
            names = [name for name in spec.children_by_field_name("name") if name.is_named]  # commas are named too
            values = children_of(value)
            if kind is not None and values and self.text(names[0]) == "_":
                self._asserted(scope, kind, values[0])
            for name, path in zip(names, self._spread(values, len(names)), strict=True):
                if self.data[name.start_byte : name.end_byte] != b"_":
                    self.declare_local(scope, self.text(name), node, spec.end_byte)
                    self.bind(scope, self.text(name), "variable", text, (path,), name.start_point[0] + 1)

    def _asserted(self, scope: int, interface: Node, value: Node) -> None:
        """Record that T implements I, which ``var _ I = (*T)(nil)``, ``= T{}``, ``= &T{}`` or ``= new(T)`` asserts."""
        path, subtype = self.path_of(interface), self.path_of(value)
        if path and subtype.endswith("()"):
            line = interface.start_point[0] + 1
            self.bases.append(Base(scope, path, "implements", line, subtype.removesuffix("()")))

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add bindings for the targets of ``a, b := …``, ``a.b = …`` or ``case m := <-ch``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or (operator is not None and operator.type != "="):
            return
        targets = left.named_children
        values = right.named_children if right.type == "expression_list" else [right]
        declares = node if node.type != "assignment_statement" else None
        for target, path in zip(targets, self._spread(values, len(targets)), strict=True):
            self._assign(scope, target, path, declares)

    def _spread(self, values: Sequence[Node], count: int) -> list[str]:
        """Return the paths of the values of `count` names: one value for each name, or the results of one call."""
        if len(values) == count:
            return [self.path_of(value) for value in values]
        if len(values) != 1 or count < 2:
            return [""] * count
        path = self.path_of(values[0])
        if values[0].type == "call_expression":
            return [f"{path}[{number}]" if path else "" for number in range(count)]
        return [path, "%bool", *[""] * (count - 2)]  # v, ok := m[k], <-ch, x.(T)

    def _assign(self, scope: int, target: Node, path: str, declares: Node | None) -> None:
        line, kind = target.start_point[0] + 1, target.type
        if kind == "identifier":
            name = self.text(target)
            if name != "_" and (path or declares):
                if declares:
                    self.declare_local(scope, name, declares, declares.end_byte)
                else:
                    self.assigned.rows.add(len(self.bindings))
                self.bind(scope, name, "variable", "", (path,), line)
            return
        self.store(scope, target)
        if not path or path[:4] in ("%num", "%str", "%boo"):
            return
        if name := self.target(target):
            self.bind(scope, name, "field", "", (path,), line)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add bindings for the names of ``for i, x := range xs``.

        A single name is an item of a channel, or an index. No method is called on an index, so the name is treated as
        an item.
        """
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        targets, declares = left.named_children, any(child.type == ":=" for child in node.children)
        for target in targets[:-1]:
            self._assign(scope, target, "", node if declares else None)
        last = targets[-1]
        name = self.path_of(last)
        if name and name != "_":
            if declares:
                self.declare_local(scope, name, node, node.end_byte)
            self.bind(scope, name, "element", "", (self.path_of(right),), last.start_point[0] + 1)

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """Add the name of ``switch x := y.(type)`` with the value ``y``, and the types for which the cases test."""
        name, path = self.text(walk(node, "alias", "")), self.path_of(node.child_by_field_name("value"))
        if not name:
            return
        self.bind(scope, name, "variable", "", (path,), node.start_point[0] + 1)
        for case in node.named_children:
            kinds = case.children_by_field_name("type") if case.type == "type_case" else ()
            texts = [text for kind in kinds if kind.is_named and (text := self.paths.type_text(kind)) != "nil"]
            first, last = case.start_point[0] + 1, end_line(case)
            if any(text.startswith(_UNNAMED) for text in texts):
                for text in texts:
                    self.bind(scope, name, "pattern", text, (), first)
            elif texts:
                self.bindings.append(Binding(scope, name, "pattern", " | ".join(texts), "", first, last))

    def on_return(self, scope: int, node: Node) -> None:
        """Add a returned value. Several values become a tuple if one of them is not plain data."""
        values = node.named_children[0].named_children
        paths = [self.path_of(value) for value in values]
        if len(paths) == 1:
            if paths[0]:
                self.returns.append(Return(scope, paths[0], "return"))
        elif any(is_traceable(path) and path != "err" for path in paths):
            row = f"%tuple:{line_col(node)}"
            self.returns.append(Return(scope, row, "return"))
            for number, path in enumerate(paths):
                if is_traceable(path):
                    self.bind(scope, f"{row}[{number}]", "field", "", (path,), node.start_point[0] + 1)

    # ----------------------------------------------------------------- uses

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. A call with type arguments is parsed like a conversion, and ``new(T)`` makes a T."""
        line = node.start_point[0] + 1
        if node.type == "type_conversion_expression":
            kind, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
            if kind is not None and kind.type == "generic_type" and (path := self.path_of(kind)):
                argument = self.path_of(operand)
                self.references.append(Reference(scope, "call", path, line, (argument,) if argument else ()))
            return
        callee = node.child_by_field_name("function")
        if callee is None:
            return
        self.consumed.add(callee.start_byte)
        path, line = self.path_of(callee), self.line_called(callee)
        if not path:
            return
        if path in CALLS_OF_THE_LANGUAGE and path not in self.paths.own_calls:
            self._call_of_the_language(scope, path, children_of(node, "arguments"), line)
            return
        self.references.append(record(Reference, (scope, "call", path, line, self.arguments_of(node))))

    def on_reference_compared(self, scope: int, node: Node) -> None:
        """Add the implicit uses of both operands of a comparison, unless one is plain data."""
        paths = [self.path_of(node.child_by_field_name(side)) for side in ("left", "right")]
        if all(map(is_traceable, paths)):
            line = node.start_point[0] + 1
            self.references += [Reference(scope, "implicit", path + COMPARED, line) for path in paths]

    def _call_of_the_language(self, scope: int, name: str, arguments: Sequence[Node], line: int) -> None:
        if name == "new" and arguments:
            made = self.path_of(arguments[0])
            self.consumed.update(each.start_byte for each in (arguments[0], *arguments[0].named_children))
            if made and made not in syntax.BUILTIN_TYPES:
                self.references.append(Reference(scope, "new", made, line))
        elif name == "append" and arguments:
            container = self.path_of(arguments[0])
            for item in arguments[1:]:
                path = self.path_of(item) if item.type != "variadic_argument" else ""
                if container and is_traceable(path):
                    self.bind(scope, container + "[]", "field", "", (path,), line)

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add the facts of a literal: the construction of a named type, or the items of a container."""
        kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        if kind is None or body is None:
            return
        path = self.path_of(kind)
        if path:
            named = kind.child_by_field_name("type") or kind if kind.type == "generic_type" else kind
            self.consume_type(named)
            args = tuple(self.paths.items(body))
            self.refer(scope, "new", path, node, args)
            self._keys(scope, path, body)
            return
        for key, _ in syntax.elements(body) if kind.type != "struct_type" else ():  # of a map or an array
            if key is not None and (word := self.path_of(key)).isidentifier():
                self.refer(scope, "read", word, key)
        literal = self.paths.container_of(node)
        made = self.path_of(kind.child_by_field_name("element") or kind.child_by_field_name("value"))
        if literal or made:
            self._contents(scope, body, literal, made)

    def _keys(self, scope: int, made: str, body: Node) -> None:
        """Add the uses of the fields that a literal of the type `made` sets."""
        for key, _ in syntax.elements(body):
            if key is not None and key.named_child_count and key.named_children[0].type == "identifier":
                self.access(scope, f"{made}().{self.text(key)}", key)

    def _contents(self, scope: int, body: Node, literal: str, made: str) -> None:
        """Add the items of a slice, array or map literal. An item ``{…}`` is a construction of the element type."""
        for number, (key, value) in enumerate(syntax.elements(body)):
            line = value.start_point[0] + 1
            if value.type == "literal_value":
                args = tuple(self.paths.items(value))
                if made and any(args):
                    self.references.append(Reference(scope, "new", made, line, args))
                if made:
                    self._keys(scope, made, value)
            elif literal and is_traceable(path := self.path_of(value)):
                written = syntax.head(self.text(key)) if key is not None else str(number)
                self.bind(scope, f"{literal}[{written}]", "field", "", (path,), line)

    # ----------------------------------------------------------------- modules

    def on_import(self, scope: int, node: Node) -> None:
        """Add the import of a package. ``import . "x"`` imports all its names, ``import _ "x"`` none."""
        name, path = node.child_by_field_name("name"), node.child_by_field_name("path")
        if path is None:
            return
        module, member = self.text(path).strip('"`'), "*" if name is not None and name.type == "dot" else ""
        shown = member or (self.text(name) if name is not None else syntax.package_name(module))
        self.imports.append(Import(scope, shown, module, member, node.start_point[0] + 1))
