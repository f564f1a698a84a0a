"""Language record and grammar shape of PHP."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules

SHAPE = Shape(
    separator="\\",
    member_separator="::",
    global_names=True,
    packages=frozenset({"namespace_definition"}),
    names={"const_element": ("",), "property_promotion_parameter": ("name",)},
    bodies={"property_element": "name", "const_element": ""},
    wrappers=frozenset({"property_declaration", "const_declaration"}),
    annotations=frozenset({"attribute_list", "attribute_group", "attribute"}),
    roots=frozenset({"name", "variable_name", "relative_scope", "qualified_name"}),
    attributes={
        "member_access_expression": ("object", "name"), "nullsafe_member_access_expression": ("object", "name"),
        "scoped_property_access_expression": ("scope", "name"), "class_constant_access_expression": ("", "-"),
    },
    calls={"function_call_expression": "function"},
    methods={
        "member_call_expression": ("object", "name"), "nullsafe_member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
    },
    news={"object_creation_expression": ""},
    subscripts={"subscript_expression": ""},
    through={"parenthesized_expression": "", "clone_expression": ""},
    literals={"string": "%str", "encapsed_string": "%str", "integer": "%num", "array_creation_expression": "%list"},
    parameters={"method_declaration": ("parameters",), "function_definition": ("parameters",)},
    parameter={
        **dict.fromkeys(
            ("simple_parameter", "variadic_parameter", "property_promotion_parameter"), (("name",), ("type",))
        ),
    },
    variadic=frozenset({"variadic_parameter"}),
    declared={
        "property_element": (("name",), ("^", "type"), ()), "property_promotion_parameter": (("name",), ("type",), ()),
        "assignment_expression": (("left",), (), ("right",)), "catch_clause": (("name",), ("type",), ()),
    },
    results={"method_declaration": ("return_type",), "function_definition": ("return_type",)},
    arguments=dict.fromkeys(
        ("function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
         "scoped_call_expression"),
        ("arguments",),
    ) | {"object_creation_expression": ("<arguments",)},
    argument=frozenset({"argument"}),
    imports=re.compile(
        r"use\s+(?:function\s+|const\s+)?\\?(?P<module>[\w\\]*\w)\\?\s*(?P<names>\{[^}]*\})?(?:\s*as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)  # fmt: skip


def _rules() -> Rules:
    from codeexplore.languages.php.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.php.extractor import PhpExtractor

    return PhpExtractor(SHAPE)


PHP = Language(
    name="php",
    title="PHP",
    level="symbols",
    extensions=(".php", ".phtml"),
    interpreters=("php",),
    grammar="php",
    pygments="php",
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
