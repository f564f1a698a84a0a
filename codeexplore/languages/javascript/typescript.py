"""Extractor of TypeScript and TSX. It adds types and their uses to the extractor of JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from tree_sitter import Node

from codeexplore.languages.base import Wrapping, words
from codeexplore.languages.extraction.expressions import Definition
from codeexplore.languages.extraction.leading_trivia import without
from codeexplore.languages.javascript.extractor import JavaScriptExtractor, guard_result
from codeexplore.languages.javascript.spec import words_as_names
from codeexplore.languages.javascript.symbols import function_type
from codeexplore.types import INDEX_MEMBER, TYPE_KINDS, Base, Return, SymbolKind

_TOKEN: Final = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"  # comments
    rb"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"  # strings
    rb"|=>|[<>(){}\[\]]",
    re.DOTALL,
)
_OPENING: Final = {b">": b"<", b")": b"(", b"}": b"{", b"]": b"["}
_SIGNATURE: Final = re.compile(rb"^[ \t]+(?=[<(\[])", re.MULTILINE)
_FOLLOWING: Final = re.compile(rb"\s*\??\s*([\[<(])")
_RESULT: Final = re.compile(rb"\s*:")
_ENDS_TYPE: Final = re.compile(rb"[\w$)\]}>\"'`]\Z")
_DECLARED: Final = re.compile(rb"\b(?:interface|class|type)\s+[\w$]+\s*(?=<)")
_VARIANCE: Final = re.compile(rb"[<,]\s*((?:in\s+)?out|in)(?=\s+[A-Za-z_$])")
_AWAITED: Final = re.compile(rb"\b(await)\s+[\w$.]+\s*<[^;(){}=]{0,300}>>\(")  # read as comparisons among arguments
_EXPORT: Final = re.compile(rb"^[ \t]*export[ \t]+(type)(?=[ \t]+\*)", re.MULTILINE)


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges to replace: words to blank, and blanks that become semicolons."""
    awaited = _AWAITED.finditer(data) if b">>(" in data else ()
    found = [Wrapping(*each.span(1), each.end(1), each.end(1)) for each in awaited]
    if not root.has_error:
        return found
    brackets = _Brackets(data)
    found += words_as_names(root, data)
    found += [Wrapping(*each.span(1), each.end(1), each.end(1)) for each in _EXPORT.finditer(data)]
    code = without(data, ((start, end) for end, start in brackets.comments.items()))
    end = 0
    for declared in _DECLARED.finditer(code):
        start = max(declared.end(), end)  # a declaration among the parameters of another was searched with it
        end = max(brackets.closing.get(declared.end(), 0), end)
        words = _VARIANCE.finditer(code, start, end)
        found.extend(Wrapping(*each.span(1), each.end(1), each.end(1)) for each in words)
    found.extend(Wrapping(start - 1, start, start, start, b";") for start in _separate_members(data, brackets))
    return sorted(found)


class _Brackets:
    """Matching brackets of a text outside strings and comments, found in one pass.

    `closing` maps the offset of an opening bracket to that of its closing bracket. `comments` maps the end of a comment
    to its start.
    """

    def __init__(self, data: bytes) -> None:
        self.closing: dict[int, int] = {}
        self.comments: dict[int, int] = {}
        stack: list[tuple[bytes, int]] = []
        for token in _TOKEN.finditer(data):
            text = token.group()
            if text[:2] in (b"//", b"/*"):
                self.comments[token.end()] = token.start()
            elif text in (b"<", b"(", b"{", b"["):
                stack.append((text, token.start()))
            elif text in _OPENING:
                if text != b">":  # a `<` without its `>` is an operator
                    while stack and stack[-1][0] == b"<":
                        stack.pop()
                if stack and stack[-1][0] == _OPENING[text]:
                    self.closing[stack.pop()[1]] = token.start()

    def end_of_code(self, data: bytes, before: int) -> int:
        """Return the end of the last code before an offset. Blanks and comments between them are skipped."""
        while True:
            while before > 0 and data[before - 1] in b" \t\r\n":
                before -= 1
            if before not in self.comments:
                return before
            before = self.comments[before]


def _separate_members(data: bytes, brackets: _Brackets) -> Iterator[int]:
    """Yield the offsets of signatures like ``<T>(x: T): T`` that follow a type on the line before."""
    for line in _SIGNATURE.finditer(data):
        start = line.end()
        closed = start - 1
        for opening in (b"[", b"<", b"("):  # computed name, type parameters, parameters; each may be absent
            following = _FOLLOWING.match(data, closed + 1)
            if following is not None and following.group(1) == opening:
                closed = brackets.closing.get(following.start(1), len(data))
        end = brackets.end_of_code(data, line.start())
        if (
            data[closed : closed + 1] == b")"
            and _RESULT.match(data, closed + 1) is not None
            and _ENDS_TYPE.search(data, max(end - 1, 0), end) is not None
            and data[end - 2 : end] != b"=>"
        ):
            yield start


MAX_TYPE_CHARS = 1000  # a longer type is an object type written in place, which has no name
_HEADS = frozenset({"function_signature", "method_signature", "abstract_method_signature"})
_OBJECT_TYPES = frozenset({"interface_body", "object_type"})


class TypeScriptExtractor(JavaScriptExtractor):
    """Extractor of TypeScript. Its queries are JavaScript's ``ecmascript.scm`` and ``typescript.scm``.

    TSX adds ``jsx.scm``. A parameter property (``constructor(private repo: Repo)``) is a field of its class, and a
    binding of ``this.repo`` in the constructor. If a declaration names no type, the type in ``x as T`` or ``new
    C<T>()`` is used. Namespaces and ``declare module`` are symbols of kind module inside their file's module.
    """

    scope_kinds = JavaScriptExtractor.scope_kinds | {"module"}
    documented = False
    qualified_types = frozenset({"nested_type_identifier"})
    quiet_types = words(
        """
        Array ReadonlyArray Promise PromiseLike Record Partial Required Readonly Pick Omit Exclude Extract NonNullable
        ReturnType Parameters Awaited InstanceType
        """
    )

    # ----------------------------------------------------------------- definitions

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body of a definition. The body of a type alias is its type."""
        return node.child_by_field_name("value" if kind == "type" else "body")

    def signature(self, definition: Definition) -> str:
        """Return the head. Without a body, it ends in a semicolon, even if the source has none."""
        head = super().signature(definition)
        return head.rstrip(";") + ";" if definition.node.type in _HEADS or function_type(definition.node) else head

    def on_definition(self, definition: Definition, scope: int) -> None:
        super().on_definition(definition, scope)
        node, kind = definition.node, definition.kind
        if kind in ("interface", "enum", "type"):
            self.consume_name(node)
            self.paths.keys.add(definition.name)
        if kind in TYPE_KINDS or kind in ("function", "method", "lambda"):
            parameters = node.child_by_field_name("type_parameters")
            if parameters is not None:
                self._type_parameters(parameters, scope)
        if kind == "interface":
            for child in node.named_children:
                if child.type == "extends_type_clause":
                    self._supertypes(scope, child, "extends")
        elif kind == "type":
            value = node.child_by_field_name("value")
            text = self.type_text(value) if value is not None and value.type not in _OBJECT_TYPES else ""
            if text:
                self.bind(definition.parent, definition.name, "type", text, (), node.start_point[0] + 1)

    def _type_parameters(self, node: Node, scope: int) -> None:
        for child in node.named_children:
            name, bound = child.child_by_field_name("name"), child.child_by_field_name("constraint")
            if name is not None:
                self.consumed.add(name.start_byte)
                text = self.type_text(bound).removeprefix("extends").strip()
                self.bind(scope, self.text(name), "type", text, (), name.start_point[0] + 1)

    def on_heritage(self, scope: int, node: Node) -> None:
        """Add the supertypes in ``extends Base<T>`` and ``implements A, B``."""
        for clause in node.named_children:
            if clause.type == "extends_clause":
                given = clause.child_by_field_name("type_arguments")
                self.extend(scope, clause.children_by_field_name("value"), self._given_types(given))
            elif clause.type == "implements_clause":
                self._supertypes(scope, clause, "implements")

    def _supertypes(self, scope: int, clause: Node, manner: Literal["extends", "implements"]) -> None:
        for child in clause.named_children:
            name = child.child_by_field_name("name") if child.type == "generic_type" else child
            if name is None or name.type not in ("type_identifier", "nested_type_identifier", "identifier"):
                continue
            self.consume_type(name)
            given = self._given_types(child.child_by_field_name("type_arguments"))
            self.bases.append(Base(scope, self.path_of(name), manner, child.start_point[0] + 1, "", given))

    def _given_types(self, arguments: Node | None) -> tuple[str, ...]:
        return tuple(map(self.type_text, arguments.named_children)) if arguments is not None else ()

    # ----------------------------------------------------------------- types

    def type_text(self, node: Node | None) -> str:
        """Return a type as written, without the colon before it; "" if it is longer than `MAX_TYPE_CHARS`."""
        if node is None or node.end_byte - node.start_byte > MAX_TYPE_CHARS:
            return ""
        return self.with_imports(self.text(node).lstrip(": "), node)

    def type_of(self, node: Node, value: Node | None) -> str:
        """Return the type annotation; without one, the type that a cast or a generic constructor call names."""
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            return self.type_text(annotation)
        if value is None:
            return ""
        if value.type in ("as_expression", "satisfies_expression") and value.named_child_count > 1:
            text = self.type_text(value.named_children[-1])
        elif value.type == "type_assertion":
            text = self.type_text(value.named_children[0])[1:-1]
        elif value.type == "new_expression" and (given := value.child_by_field_name("type_arguments")) is not None:
            constructor = value.child_by_field_name("constructor")
            text = self.type_text(constructor) + self.type_text(given) if constructor is not None else ""
        else:
            return ""
        return "" if text in ("const", "any", "unknown", "never") else text

    def return_type(self, definition: Definition, scope: int) -> None:
        """Add the declared return type of a function."""
        annotation = (function_type(definition.node) or definition.node).child_by_field_name("return_type")
        if annotation is None:
            return
        if annotation.type == "type_annotation":
            text = self.type_text(annotation)
        else:  # ``x is Foo`` or ``asserts x is Foo``
            text = guard_result(self.text(annotation).lstrip(": ").removeprefix("asserts ")) or "boolean"
        if text:
            self.returns.append(Return(scope, text, "type"))

    def on_binding_index(self, scope: int, node: Node) -> None:
        """Add the type of the members that an index signature declares: ``[key: string]: Pool``."""
        annotation = node.child_by_field_name("type")
        if annotation is not None:
            self.bind(scope, INDEX_MEMBER, "field", self.type_text(annotation), (), node.start_point[0] + 1)

    # ----------------------------------------------------------------- parameters

    def parameter(self, definition: Definition, node: Node, scope: int, position: int, types: dict[str, str]) -> None:
        """Add a parameter: ``this: T`` is the receiver, and one with a modifier such as ``private`` a field too."""
        target, annotation = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if target is None:
            super().parameter(definition, node, scope, position, types)
            return
        text = self.type_text(annotation)
        if target.type == "this":
            self.bind(scope, "this", "receiver", text, (), node.start_point[0] + 1)
            return
        self.patterns.bind_parameter(scope, target, node.child_by_field_name("value"), position, text)
        first = next((child for child in node.children if child.type != "decorator"), node)
        is_property = first.type in ("accessibility_modifier", "override_modifier", "readonly")
        if definition.name == "constructor" and target.type == "identifier" and is_property:
            name, line = self.text(target), node.start_point[0] + 1
            self.bind(definition.parent, name, "field", text, (), line)
            self.bind(scope, "this." + name, "field", text, (name,), line)

    def on_import_alias(self, scope: int, node: Node) -> None:
        """Add a binding for the name in ``import z = A.B``."""
        if node.named_child_count > 1:
            name, value = node.named_children[0], node.named_children[-1]
            self.bind(scope, self.text(name), "variable", "", (self.path_of(value),), node.start_point[0] + 1)
