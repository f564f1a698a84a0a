"""Grammar shape of Swift: its node types and fields as data."""

from __future__ import annotations

import re

from codeexplore.languages.declarative.grammar_shape import Shape

SHAPE = Shape(
    global_names=True,
    names={
        "property_declaration": ("name", "bound_identifier"), "simple_identifier": (),
        "protocol_property_declaration": ("name", "bound_identifier"), "macro_declaration": ("<simple_identifier",),
    },
    bodies={
        "property_declaration": "computed_value", "simple_identifier": "-",
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
        "try_expression": "expr", "await_expression": "expr", "tuple_expression": "", "postfix_expression": "target",
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
    results={
        "function_declaration": ("~_type",), "protocol_function_declaration": ("~_type",),
        "subscript_declaration": ("~_type",),
        "property_declaration": ("<type_annotation", "~_type"),
    },
    arguments={"call_expression": ("<call_suffix", "<value_arguments")},
    argument=frozenset({"value_argument"}),
    type_words=frozenset({"any", "some", "inout", "@escaping", "@Sendable", "@autoclosure", "borrowing", "consuming"}),
    read_signature=re.compile(r"[^(]*"),
    imports=re.compile(r"(?:@\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>[\w.]+)"),
)  # fmt: skip
