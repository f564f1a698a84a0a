"""Kotlin."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules

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


def _rules() -> Rules:
    from codeexplore.languages.kotlin.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.kotlin.extractor import KotlinExtractor

    return KotlinExtractor(SHAPE)


_UNKNOWN = re.compile(
    rb"\bby\s+[\w.]+(?:\([^()\n]*\))?(?=\s*\{)"  # class A : B by c {: parsed as a lambda passed to c
    rb"|^[ \t]*context\([^()\n]*\)[ \t]*\r?$"  # context parameters
    rb"|(?<!\$)\$\$+(?=\")",  # strings with another sign for interpolation
    re.MULTILINE,
)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the syntax that the grammar does not support, in a file with syntax errors."""
    if not root.has_error:
        return []
    return [Wrapping(found.start(), found.end(), found.end(), found.end()) for found in _UNKNOWN.finditer(data)]


def _bears(data: bytes) -> bool:
    from codeexplore.languages.kotlin.strings import bears

    return bears(data)


KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    level="symbols",
    extensions=(".kt", ".kts"),
    grammar="kotlin",
    pygments="kotlin",
    wrappings=_wrappings,
    bears=_bears,
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
