"""C#."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

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
    imports=re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(?P<alias>\w+)\s*=\s*)?(?P<module>[\w.]+)"),
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.csharp.facts import CSharpExtractor

    return CSharpExtractor(SHAPE)


CSHARP = Language(
    name="csharp",
    title="C#",
    level="symbols",
    extensions=(".cs", ".csx"),
    grammar="csharp",
    pygments="csharp",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
