"""Swift: language record, extractor and resolution rules.

Example: ``class Cart { func total() -> Int { return sum() } }`` in ``Sources/Shop/Cart.swift`` becomes the class
``Shop.Cart`` and the method ``Shop.Cart.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import SLASHES, Language, Wrapping, default_rules, words
from codeexplore.languages.conventions import TYPE_TESTS
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape, clean_name, step_to
from codeexplore.languages.extraction import Definition, Layout
from codeexplore.types import Reference, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


SHAPE = Shape(
    global_names=True,
    names={
        "property_declaration": ("name", "bound_identifier"),
        "simple_identifier": (),
        "protocol_property_declaration": ("name", "bound_identifier"),
        "macro_declaration": ("<simple_identifier",),
    },
    bodies={
        "property_declaration": "computed_value",
        "simple_identifier": "-",
        "subscript_declaration": "<computed_property",
    },
    wrappers=frozenset({"enum_entry"}),
    computed={"property_declaration": ("computed_value",)},
    extended={"class_declaration": ("name",)},
    annotations=frozenset({"modifiers", "attribute"}),
    roots=frozenset({"simple_identifier", "self_expression", "super_expression", "user_type"}),
    attributes={"navigation_expression": ("target", "suffix"), "prefix_expression": ("operation", "target")},
    calls={"call_expression": "", "constructor_expression": "constructed_type"},
    through={
        "try_expression": "expr",
        "await_expression": "expr",
        "tuple_expression": "",
        "postfix_expression": "target",
        "optional_chain_marker": "",
    },
    literals={"line_string_literal": "%str", "integer_literal": "%num", "array_literal": "%list"},
    parameters=dict.fromkeys(
        ("function_declaration", "init_declaration", "subscript_declaration", "protocol_function_declaration"), ()
    ),
    parameter={"parameter": (("name",), ("~_type",))},
    declared={
        "property_declaration": (("name", "bound_identifier"), ("<type_annotation", "~_type"), ("value",)),
        "protocol_property_declaration": (("name", "bound_identifier"), ("<type_annotation", "~_type"), ()),
    },
    elements={"for_statement": (("item", "bound_identifier"), ("<type_annotation", "~_type"), ("collection",))},
    blocks=dict.fromkeys(
        words("statements lambda_literal for_statement while_statement switch_entry catch_block class_body"), ""
    )
    | {"if_statement": "else"},
    results={
        "function_declaration": ("~_type",),
        "protocol_function_declaration": ("~_type",),
        "subscript_declaration": ("~_type",),
        "property_declaration": ("<type_annotation", "~_type"),
    },
    arguments={"call_expression": ("<call_suffix", "<value_arguments")},
    argument=frozenset({"value_argument"}),
    type_words=frozenset({"any", "some", "inout", "@escaping", "@Sendable", "@autoclosure", "borrowing", "consuming"}),
    read_signature=re.compile(r"[^(]*"),
    imports=re.compile(
        r"(?:@\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>[\w.]+)"
    ),
)
_CONDITION = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*$", re.MULTILINE)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges of ``#if`` lines where the grammar does not support them. The code of both branches is kept."""
    if not root.has_error:
        return []
    return [Wrapping(found.start(), found.end(), found.end(), found.end()) for found in _CONDITION.finditer(data)]


_TARGET = re.compile(r"(?:^|/)(?:Sources|Tests)/([^/]+)/")
_PRIVATE = re.compile(r"(?:[\w@]+\s+)*?(?:file)?private\s")
_CONDITIONS = frozenset({"if_statement", "guard_statement", "while_statement"})
_BINDING = frozenset({"for_statement", "lambda_parameter", "capture_list_item"})
_KEYWORDS = {"init_declaration": "init", "deinit_declaration": "deinit", "subscript_declaration": "subscript"}


class SwiftExtractor(SymbolsExtractor):
    """Extractor of Swift.

    Its special cases are members named by a keyword, subscripts, private names, and closures after a call.
    """

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. A subscript ``items[0]``, which the grammar parses as a call, is left out."""
        suffix = step_to(node, "<call_suffix")
        if suffix is None or self.data[suffix.start_byte : suffix.start_byte + 1] != b"[":
            callee = step_to(node, "")
            if callee is not None and callee.type == "prefix_expression" and self.text(callee)[:1] == ".":
                name = clean_name(self.text(callee))
                self.references.append(
                    Reference(scope, "call", f"_.{name}", callee.start_point[0] + 1, self.arguments_of(node))
                )
            else:
                super().on_reference_call(scope, node)

    def on_binding_local(self, scope: int, node: Node) -> None:
        """Add a binding for a name in a pattern, unless the name is part of an expression that the pattern compares."""
        pattern, binds = node.parent, False
        if self.data[node.start_byte - 1 : node.start_byte] == b".":
            return
        while pattern is not None and pattern.type in ("pattern", "switch_pattern"):
            binds = binds or step_to(pattern, "<value_binding_pattern") is not None
            pattern = pattern.parent
        if pattern is None or (pattern is not node.parent and pattern.type in self.shape.declared and binds):
            return
        if binds or pattern.type in _BINDING or step_to(pattern, "<value_binding_pattern") is not None:
            super().on_binding_local(scope, node)

    def bound_by(self, scope: int, node: Node) -> tuple[int, tuple[str, ...]]:
        """Return where ``let name = value`` and ``let name`` of a condition are known, and their values."""
        parent = node.parent
        if parent is None or parent.type == "pattern" or parent.type not in _CONDITIONS:
            return super().bound_by(scope, node)
        after = node.next_sibling
        while after is not None and after.type not in ("=", ",", "{", "else"):
            after = after.next_sibling
        value = after.next_sibling if after is not None and after.type == "=" else None
        if value is None:  # if let name {
            return node.end_byte, (self.text(node),)
        return value.end_byte, (self.path_of(value),)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        if definition.node.type in self.shape.parameters:
            yield from (child for child in definition.node.named_children if child.type == "parameter")

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments. A closure after the parentheses is also an argument.

        Labels are left out, because they are part of the function's name.
        """
        suffix = step_to(node, "<call_suffix")
        if suffix is None:
            return ()
        held = step_to(suffix, "<value_arguments")
        values = [child.child_by_field_name("value") for child in held.named_children] if held is not None else []
        paths = [self.path_of(value) if value is not None else "" for value in values]
        closures = sum(1 for child in suffix.named_children if child.type == "lambda_literal")
        return (*paths, *[""] * closures)

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the name of the target: the folder below ``Sources`` or ``Tests`` that contains the file."""
        target = _TARGET.search(path)
        stem = super().module_name(path, root, layout)
        self._in_package = target is not None
        return target.group(1) if target is not None else stem

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        top = definition.parent == 0 and not definition.owner
        if top and _PRIVATE.match(self.signature(definition)):
            return f"{self.path}:{definition.name}"
        return name

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition.

        For ``init``, ``deinit`` and ``subscript`` it is the keyword, and for an operator its sign.
        """
        keyword = _KEYWORDS.get(node.type)
        if keyword is not None:
            return keyword
        name = self.name_node(kind, node)
        if name is not None and not name.is_named:
            return self.text(name)
        return super().definition_name(kind, node)


SWIFT = Language(
    name="swift",
    title="Swift",
    level="symbols",
    extensions=(".swift",),
    interpreters=("swift",),
    grammar="swift",
    comment_start=SLASHES,
    pygments="swift",
    queries=(Path(__file__).with_suffix(".scm"),),
    wrappings=_wrappings,
    extractor=lambda: SwiftExtractor(SHAPE),
    rules=default_rules(
        "swift",
        constructors=("init",),
        modules={"linked": True},
        classes={"own_type_names": frozenset({"Self"})},
        functions={"read_signature": SHAPE.read_signature},
        types={"Self": "self"},
        overloads=True,
    ),
    visibility="words",
    public_words=("public", "open"),
    constructors=("init",),
    plain_decorators=frozenset({"inline", "frozen"}),
    conditional=True,
    test_files=TYPE_TESTS,
    test_names=("test",),
    test_decorators=frozenset({"Test"}),
    parameter_names="last",
    named_arguments=True,
)
