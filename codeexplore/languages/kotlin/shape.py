"""Grammar shape of Kotlin: its node types and fields as data."""

from __future__ import annotations

import re

from codeexplore.languages.declarative.grammar_shape import Shape

SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_header"}),
    names={
        "package_header": ("",), "class_declaration": ("<type_identifier",),
        "object_declaration": ("<type_identifier",), "function_declaration": ("<simple_identifier",),
        "enum_entry": ("<simple_identifier",), "class_parameter": ("<simple_identifier",),
        "property_declaration": ("<variable_declaration", "<simple_identifier"),
        "type_alias": ("<type_identifier",), "secondary_constructor": (),
    },
    bodies={
        "class_declaration": "<class_body", "object_declaration": "<class_body",
        "function_declaration": "<function_body", "secondary_constructor": "<statements",
        "property_declaration": "<getter", "enum_entry": "<class_body",
    },
    computed={"property_declaration": ("<getter",)},
    receivers={"function_declaration": "receiver"},
    annotations=frozenset({"modifiers", "annotation"}),
    roots=frozenset({"simple_identifier", "this_expression", "super_expression"}),
    attributes={"navigation_expression": ("", "-")},
    calls={"call_expression": ""},
    subscripts={"indexing_expression": ""},
    through={"parenthesized_expression": "", "postfix_expression": "", "as_expression": ""},
    literals={"string_literal": "%str", "integer_literal": "%num"},
    parameters={
        "function_declaration": ("<function_value_parameters",), "class_declaration": ("<primary_constructor",),
        "secondary_constructor": ("<function_value_parameters",),
    },
    parameter={
        "parameter": (("<simple_identifier",), ("~_type",)), "class_parameter": (("<simple_identifier",), ("~_type",)),
    },
    declared={
        "property_declaration": (
            ("<variable_declaration", "<simple_identifier"), ("<variable_declaration", "~_type"), ("-",),
        ),
    },
    elements={
        "for_statement": (
            ("<variable_declaration", "<simple_identifier"), ("<variable_declaration", "~_type"), (">in",),
        ),
    },
    results={
        "function_declaration": (">function_value_parameters",),
        "property_declaration": ("<variable_declaration", "~_type"),
    },
    arguments={"call_expression": ("<call_suffix", "<value_arguments")},
    argument=frozenset({"value_argument"}),
    read_signature=re.compile(r"[^(]*"),
    imports=re.compile(r"import\s+(?P<module>\w+(?:\.\w+)*)(?P<star>\.\*)?(?:\s+as\s+(?P<alias>\w+))?"),
    import_members=True,
)  # fmt: skip
