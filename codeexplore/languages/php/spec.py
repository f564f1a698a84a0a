"""PHP."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.shape import Shape
from codeexplore.languages.symbols import SymbolsExtractor

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

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
    imports=re.compile(
        r"use\s+(?:function\s+|const\s+)?\\?(?P<module>[\w\\]*\w)\\?\s*(?P<names>\{[^}]*\})?(?:\s*as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)  # fmt: skip


def _extractor() -> Extractor:
    return SymbolsExtractor(SHAPE)


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
)
