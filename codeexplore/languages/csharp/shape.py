"""Grammar shape of C#: its node types and fields as data."""

from __future__ import annotations

import re

from codeexplore.languages.declarative.grammar_shape import Shape

SHAPE = Shape(
    global_names=True,
    packages=frozenset({"namespace_declaration", "file_scoped_namespace_declaration"}),
    names={
        "variable_declarator": ("name",), "indexer_declaration": ("parameters",), "operator_declaration": ("operator",),
    },
    bodies={
        "property_declaration": "accessors", "indexer_declaration": "accessors", "variable_declarator": "name",
    },
    wrappers=frozenset({"variable_declaration", "field_declaration", "event_field_declaration"}),
    annotations=frozenset({"attribute_list", "attribute"}),
    roots=frozenset({"identifier", "qualified_name", "this", "base", "predefined_type"}),
    attributes={
        "member_access_expression": ("expression", "name"), "conditional_access_expression": ("condition", "-"),
        "member_binding_expression": ("", "name"),
    },
    calls={"invocation_expression": "function"},
    news={"object_creation_expression": "type"},
    subscripts={"element_access_expression": "expression"},
    through={
        "parenthesized_expression": "", "await_expression": "", "generic_name": "", "postfix_unary_expression": "",
    },
    literals={"string_literal": "%str", "interpolated_string_expression": "%str", "integer_literal": "%num"},
    parameters={
        **dict.fromkeys(
            ("method_declaration", "constructor_declaration", "local_function_statement", "operator_declaration",
             "indexer_declaration", "delegate_declaration"),
            ("parameters",),
        ),
        "record_declaration": ("<parameter_list",), "class_declaration": ("<parameter_list",),
        "struct_declaration": ("<parameter_list",),
    },
    parameter={"parameter": (("name",), ("type",))},
    declared={
        "variable_declarator": (("name",), ("^", "type"), ("-",)),
        "property_declaration": (("name",), ("type",), ("value",)),
        "declaration_pattern": (("name",), ("type",), ()),
    },
    elements={"foreach_statement": (("left",), ("type",), ("right",))},
    results={
        "method_declaration": ("returns",), "local_function_statement": ("type",), "property_declaration": ("type",),
        "operator_declaration": ("type",), "indexer_declaration": ("type",),
    },
    arguments={"invocation_expression": ("arguments",), "object_creation_expression": ("arguments",)},
    argument=frozenset({"argument"}),
    type_words=frozenset({"ref", "scoped", "readonly"}),
    read_signature=re.compile(r"[^(]*(?:=>.*)?"),
    imports=re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(?P<alias>\w+)\s*=\s*)?(?P<module>[\w.]+)"),
)  # fmt: skip
