"""Access paths of Java's expressions and types.

An *access path* is a short text for an expression, with a *root* and *steps*; see `codeexplore.languages.extraction`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.languages.extraction import Expressions, PathReader, anonymous_name
from codeexplore.languages.extraction.expressions import MAX_BRANCHES

if TYPE_CHECKING:
    from tree_sitter import Node

TYPE_NODES: Final = frozenset({
    "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "integral_type", "floating_point_type",
    "boolean_type", "void_type", "annotated_type",
})  # fmt: skip
CLASS_TYPES: Final = frozenset({"type_identifier", "scoped_type_identifier", "generic_type"})
_KEEPING = frozenset({
    "of", "ofNullable", "asList", "requireNonNull", "requireNonNullElse", "map", "flatMap", "mapToObj", "orElse",
    "orElseGet", "unmodifiableList", "unmodifiableSet", "unmodifiableMap", "unmodifiableCollection", "copyOf",
    "singletonList", "singleton", "computeIfAbsent", "getOrDefault", "supplyAsync", "thenApply", "thenCompose",
    "withInitial", "entry", "reduce", "completedFuture",
})  # fmt: skip
_MAX_KEPT_CHARS = 80  # a longer argument is not kept in an access path, because it does not help to choose an overload
_INTEGERS = frozenset({
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
})  # fmt: skip
_OPERATIONS = frozenset({"binary_expression", "unary_expression", "instanceof_expression"})
_ASKING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!", "instanceof"})
_GIVING = frozenset({"expression_statement", "yield_statement"})
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*")


class JavaPaths(PathReader):
    """Reader of Java's access paths.

    - A call without a receiver begins with the method's name.
    - ``new T()`` has the path ``T()``, an instance of an anonymous class ``%class:LINE:COL()``.
    - ``Outer.this.x`` and ``I.super.m`` stay as written.
    - ``T::m`` has the path ``T.m``, ``T::new`` the path ``T.new``.
    - A cast is left out, except in the middle of a path, where it becomes ``%type(T)``.
    - An array literal that is not empty is ``%list:LINE:COL``.
    - If the result of a call is one of its arguments, or is made from them, the path contains the arguments.
    """

    simple_path = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
    expressions = Expressions(
        attributes={"field_access": ("object", "field"), "scoped_identifier": ("scope", "name")},
        calls={},
        methods={"method_invocation": ("object", "name")},
        subscripts={"array_access": "array"},
        names=frozenset({"identifier", "this", "super", "type_identifier"}),
        transparent=frozenset({"parenthesized_expression"}),
        literals={
            "string_literal": "%str", "character_literal": "%char", "true": "%bool", "false": "%bool",
            "decimal_integer_literal": "%num", "hex_integer_literal": "%num", "octal_integer_literal": "%num",
            "binary_integer_literal": "%num", "decimal_floating_point_literal": "%float",
            "hex_floating_point_literal": "%float",
        },
        words={"null": "", "true": "%bool", "false": "%bool"},
        functions=frozenset({"lambda_expression"}),
        branches={
            "ternary_expression": ("consequence", "alternative"), "assignment_expression": ("right",),
            "cast_expression": ("value",), "switch_expression": (),
        },
    )  # fmt: skip

    def path_of(self, node: Node) -> str:
        """Return the access path of the expression `node`. A cast has the path of its operand."""
        if node.type == "cast_expression":
            value = node.child_by_field_name("value")
            if value is not None and value.type == "this":
                return self.root_of(node)
            return super().path_of(value) if value is not None else ""
        path = super().path_of(node)
        return "%long" if path == "%num" and node.type in _INTEGERS and self.data[node.end_byte - 1] in b"lL" else path

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the sub-expressions from which the value of the expression `node` comes.

        For a switch, these are the expressions after its arrows and the results of its blocks. For ``(T) this`` it is
        only the type.
        """
        if node.type == "cast_expression":
            return [child for child in super().branches_of(node, fields) if child.type != "this"]
        if node.type != "switch_expression":
            return super().branches_of(node, fields)
        body = node.child_by_field_name("body")
        rules = [rule for rule in body.named_children if rule.type == "switch_rule"] if body is not None else []
        results = [rule.named_children[-1] for rule in rules if rule.named_child_count]
        ends = [r.named_children[-1] if r.type == "block" and r.named_child_count else r for r in results]
        return [end.named_children[0] for end in ends if end.type in _GIVING and end.named_child_count]

    def root_of(self, node: Node) -> str:
        """Return the root of the access path for an expression that is not a chain of names.

        These are constructions, casts, method references, class literals and array literals.
        """
        kind = node.type
        if kind == "object_creation_expression":
            if node.named_children[-1].type == "class_body":
                return f"%class{anonymous_name(node)[3:]}()"
            name = self.made_name(node)
            return name + "()" if name else ""
        if kind == "cast_expression":
            target = node.child_by_field_name("type")
            return f"%type({self.type_text(target)})" if target is not None else ""
        if kind == "method_reference":
            owner, name = self.method_reference(node)
            return f"{owner}.{name}" if owner else ""
        if kind == "class_literal" and node.named_child_count:
            return self.type_name(node.named_children[0]) + ".class"
        if kind == "array_creation_expression":
            value = node.child_by_field_name("value")
            return self.root_of(value) if value is not None else "%list"
        if kind == "array_initializer":
            return "%list" + anonymous_name(node)[3:] if node.named_child_count else "%list"
        if kind in CLASS_TYPES:
            return self.type_name(node)
        if kind in _OPERATIONS:
            return self._operation(node)
        return super().root_of(node)

    def _operation(self, node: Node) -> str:
        """Return the access path of an operator's result if the syntax determines its type; "" otherwise.

        It is ``%bool`` for comparisons and logical operators, and ``%str`` for a sum with a text literal.
        """
        operator = node.child_by_field_name("operator")
        name = self.text(operator) if operator is not None else "instanceof"
        if name in _ASKING:
            return "%bool"
        left: Node | None = node
        for _ in range(MAX_BRANCHES):
            if left is None or left.type != "binary_expression" or name != "+":
                break
            right = left.child_by_field_name("right")
            if right is not None and right.type == "string_literal":
                return "%str"
            left = left.child_by_field_name("left")
        return "%str" if name == "+" and left is not None and left.type == "string_literal" else ""

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of all arguments by position; "" for an argument without a path.

        None is left out, because the number and the types of the arguments select an overload.
        """
        return tuple(self._argument(child) for child in node.named_children if not child.is_extra)

    def _argument(self, node: Node) -> str:
        """Return the access path of the argument `node`.

        If the argument is a conditional expression, the branch that is not a literal is used. If it is a cast, the
        named type is used.
        """
        while node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        if node.type == "ternary_expression":
            values = self.values_of(node)
            return next((value for value in values if value[:1] != "%"), values[0] if values else "")
        if node.type == "null_literal":
            return "%null"  # not a value of a primitive type
        if node.type == "array_creation_expression" and node.child_by_field_name("value") is None:
            return f"%type({self.array_type(node)})"
        target = node.child_by_field_name("type") if node.type == "cast_expression" else None
        if target is not None and not (target.type == "type_identifier" and len(self.text(target)) <= 2):
            return f"%type({self.type_text(target)})"
        return self.path_of(node)

    def made_name(self, node: Node) -> str:
        """Return the name of the constructed type: ``T`` for ``new T()``, ``outer.T`` for ``outer.new T()``."""
        made, outer = node.child_by_field_name("type"), node.children[0]
        name = self.type_name(made) if made is not None else ""
        path = self.path_of(outer) if name and outer.type != "new" else ""
        return f"{path}.{name}" if path else name

    def array_type(self, node: Node) -> str:
        """Return the type of ``new T[n][]`` as text: ``T[][]``."""
        made = node.child_by_field_name("type")
        dimensions = [self.text(child) for child in node.children_by_field_name("dimensions")]
        number = sum(max(1, text.count("[]")) for text in dimensions)
        return self.type_text(made) + "[]" * number

    def type_name(self, node: Node) -> str:
        """Return the name of the type `node` without type arguments, annotations and dimensions.

        For a primitive type, return "".
        """
        while node.type in ("generic_type", "annotated_type", "array_type"):
            inner = [child for child in node.named_children if child.type in TYPE_NODES]
            if not inner:
                return ""
            node = inner[-1] if node.type == "annotated_type" else inner[0]
        if node.type == "type_identifier":
            return self.text(node)
        if node.type != "scoped_type_identifier":
            return ""
        text = self.text(node)
        return "".join((_ANNOTATION.sub("", text) if "@" in text else text).split()).partition("<")[0]

    def type_text(self, node: Node | None, dimensions: Node | None = None) -> str:
        """Return the type `node` as written, without annotations; "" for ``var``."""
        if node is None:
            return ""
        text = self.text(node)
        if text == "var":
            return ""
        if "@" in text:
            text = _ANNOTATION.sub("", text)
        return text + self.text(dimensions) if dimensions is not None else text

    def call_step(self, node: Node) -> str:
        """Return the step of a call in an access path.

        It contains the arguments if the result of the call is one of them or is made from them.
        """
        name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
        if name is None or arguments is None or self.text(name) not in _KEEPING:
            return "()"
        kept = []
        for child in arguments.named_children:
            is_short = child.type == "lambda_expression" or child.end_byte - child.start_byte <= _MAX_KEPT_CHARS
            kept.append(self.path_of(child) if is_short and child.type not in self.expressions.literals else "")
        text = ", ".join(kept)
        return f"({text})" if any(kept) and len(text) <= _MAX_KEPT_CHARS else "()"

    def method_reference(self, node: Node) -> tuple[str, str]:
        """Return the access path before ``::`` and the name after ``::``."""
        owner = node.named_children[0]
        name = node.children[-1]
        path = self.type_name(owner) if owner.type in TYPE_NODES else self.path_of(owner)
        return path, self.text(name)
