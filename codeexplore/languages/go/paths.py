"""Access paths of Go expressions.

Go has its own forms for literals, conversions, type assertions, and calls of ``new``, ``make`` and ``append``. An
*access path* is a short text for an expression, with a *root* and *steps*; see `codeexplore.languages.extraction`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeexplore.languages.extraction import Expressions, PathReader
from codeexplore.languages.go import syntax

if TYPE_CHECKING:
    from tree_sitter import Node

CALLS_OF_THE_LANGUAGE = frozenset({"new", "make", "append"})
_MANY = 8  # most items that are examined to decide if a literal contains more than plain data
_MADE = frozenset({"composite_literal", "unary_expression"})
_NAMED_VALUES = frozenset({"identifier", "selector_expression", "func_literal", "call_expression", "unary_expression"})


class GoPaths(PathReader):
    """Reader of access paths and texts from the nodes of a Go syntax tree."""

    expressions = Expressions(
        attributes={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
        calls={"call_expression": "function"},
        subscripts={"index_expression": "operand"},
        names=frozenset({"identifier", "type_identifier", "package_identifier"}),
        transparent=frozenset({"parenthesized_expression", "parenthesized_type", "literal_element", "pointer_type"}),
        through={"slice_expression": "operand", "generic_type": "type"},
        prefixes={"unary_expression": {"&": "", "*": "", "<-": "[]"}},
        literals={
            "interpreted_string_literal": "%str", "raw_string_literal": "%str", "rune_literal": "%num",
            "int_literal": "%num", "float_literal": "%num", "imaginary_literal": "%num", "iota": "%num",
            "true": "%bool", "false": "%bool",
        },
        words={"nil": "", "true": "%bool", "false": "%bool", "iota": "%num"},
        functions=frozenset({"func_literal"}),
    )  # fmt: skip

    def root_of(self, node: Node) -> str:
        """Return the root of the access path for a composite literal, type assertion or conversion.

        For other nodes, return "".
        """
        kind = node.type
        if kind == "composite_literal":
            named = node.child_by_field_name("type")
            path = self.path_of(named) if named is not None else ""
            return f"{path}()" if path else self.container_of(node) or self.as_type(named)
        if kind == "type_assertion_expression":
            return self.as_type(node.child_by_field_name("type"))
        if kind == "type_conversion_expression":
            named = node.child_by_field_name("type")
            path = self.path_of(named) if named is not None else ""
            return f"{path}()" if path else self.as_type(named)
        return super().root_of(node)

    def _path(self, node: Node) -> str:
        path = super()._path(node)
        root, called, rest = path.partition("()")
        if not called or root not in CALLS_OF_THE_LANGUAGE:
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
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None and arguments.named_child_count == 1 else ()
        kept = self.path_of(given[0]) if given and given[0].type in _MADE else ""
        return f"({kept})" if kept.endswith("()") and kept.count("(") == 1 else "()"

    def as_type(self, node: Node | None) -> str:
        """Return the access path ``%type(T)`` for a value of which only the type T is known."""
        text = self.type_text(node) if node is not None else ""
        return f"%type({text})" if text and text != "struct" else ""

    def type_text(self, node: Node) -> str:
        """Return the type `node` as written, on one line.

        For a struct or interface type with a body, only the keyword is returned.
        """
        if node.type in ("struct_type", "interface_type"):
            return node.type[:-5] if node.named_child_count else self.text(node)
        return syntax.head(self.text(node), whole=True)

    def container_of(self, node: Node) -> str:
        """Return the access path of a literal that contains functions or other named values.

        The result is "" if it only contains plain data.
        """
        body, kind = node.child_by_field_name("body"), node.child_by_field_name("type")
        if body is None or kind is None or kind.type == "struct_type":
            return ""
        for number, (_, value) in enumerate(syntax.elements(body)):
            if number == _MANY:
                break
            if value.type in _NAMED_VALUES:
                return f"%{'dict' if kind.type == 'map_type' else 'list'}:{syntax.place(node)}"
        return ""

    def argument(self, node: Node) -> str:
        """Return the access path of an argument. A spread argument (``xs...``) begins with a star."""
        if node.type != "variadic_argument":
            return self.path_of(node)
        path = self.path_of(node.named_children[0])
        return "*" + path if path else ""

    def items(self, body: Node) -> Iterator[str]:
        """Yield the arguments of a construction ``T{…}``: ``field=path`` for a named field, otherwise a path.

        A field whose value is plain data is left out.
        """
        for key, value in syntax.elements(body):
            path = self.path_of(value)
            if key is None:
                yield path
            elif is_traceable(path):
                yield f"{self.text(key)}={path}"


def is_traceable(path: str) -> bool:
    """Return True if the value of the access path `path` may be a definition.

    This is not so if the value is unknown or plain data.
    """
    return bool(path) and (path[0] != "%" or ":" in path or path.startswith("%type"))
