"""Language record and grammar shape of Solidity."""

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
    global_names=True,
    names={"constructor_definition": (), "fallback_receive_definition": (), "enum_value": ()},
    roots=frozenset({"identifier", "type_name"}),  # a type begins the path of `new Queue(…)`
    attributes={"member_expression": ("object", "property")},
    calls={
        "call_expression": "function", "emit_statement": "name", "revert_statement": "error", "modifier_invocation": "",
    },
    subscripts={"array_access": "base"},
    through={
        "expression": "", "parenthesized_expression": "", "struct_expression": "type", "new_expression": "name",
    },
    literals={"string_literal": "%str", "number_literal": "%num"},
    parameters=dict.fromkeys(("function_definition", "modifier_definition", "constructor_definition"), ()),
    parameter={"parameter": (("name",), ("type",))},
    declared={
        "state_variable_declaration": (("name",), ("type",), ("value",)),
        "struct_member": (("name",), ("type",), ()),
        "variable_declaration": (("name",), ("type",), ()),
    },
    argument=frozenset({"call_argument"}),
    results={"function_definition": ("return_type", "<parameter", "type")},
    imports=re.compile(
        r"import\s*(?:(?P<names>\{[^}]*\})\s*from|\*\s*as\s+(?P<alias>\w+)\s+from)?\s*[\"'](?P<module>[^\"']+)[\"']"
    ),
)  # fmt: skip


def _rules() -> Rules:
    from codeexplore.languages.solidity.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.solidity.extractor import SolidityExtractor

    return SolidityExtractor(SHAPE)


SOLIDITY = Language(
    name="solidity",
    title="Solidity",
    level="symbols",
    extensions=(".sol",),
    grammar="solidity",
    pygments="solidity",
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
