"""Grammar shape of Scala: its node types and fields as data."""

from __future__ import annotations

import re

from codeexplore.languages.declarative.grammar_shape import Shape

SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_clause"}),
    names={
        "val_definition": ("pattern",), "var_definition": ("pattern",), "val_declaration": ("name",),
        "var_declaration": ("name",), "identifier": (),
    },
    wrappers=frozenset({"identifiers", "val_definition", "var_definition"}),
    bodies={"val_definition": "value", "var_definition": "value"},
    annotations=frozenset({"annotation"}),
    roots=frozenset({"identifier", "type_identifier", "stable_type_identifier"}),
    attributes={"field_expression": ("value", "field")},
    calls={"call_expression": "function"},
    news={"instance_expression": ""},
    through={"parenthesized_expression": "", "generic_function": "function"},
    literals={"string": "%str", "integer_literal": "%num", "interpolated_string_expression": "%str"},
    parameters={
        "function_definition": ("parameters",), "function_declaration": ("parameters",),
        "class_definition": ("class_parameters",),
    },
    parameter={"parameter": (("name",), ("type",)), "class_parameter": (("name",), ("type",))},
    declared={
        "val_definition": (("pattern",), ("type",), ("value",)),
        "var_definition": (("pattern",), ("type",), ("value",)),
        "val_declaration": (("name",), ("type",), ()), "var_declaration": (("name",), ("type",), ()),
        "typed_pattern": (("pattern",), ("type",), ()), "given_definition": (("name",), ("return_type",), ()),
    },
    results={"function_definition": ("return_type",), "function_declaration": ("return_type",)},
    arguments={"call_expression": ("arguments",), "instance_expression": ("<arguments",)},
    read_signature=re.compile(r"[^(]*(?:\((?:implicit|using)\b.*)?"),
    imports=re.compile(
        r"import\s+(?P<module>\w+(?:\.(?!_\b)\w+)*)(?:\.(?P<names>\{[^}]*\})|(?P<star>\.[_*]))?(?:\s+as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)  # fmt: skip
