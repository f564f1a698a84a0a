"""Solidity: language record, extractor and resolution rules.

Example: ``contract Shop { function total() public { sum(); } }`` in ``Shop.sol`` becomes the class ``Shop`` and the
method ``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import default_rules
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape

SHAPE = Shape(
    global_names=True,
    names={"constructor_definition": (), "fallback_receive_definition": (), "enum_value": ()},
    roots=frozenset({"identifier", "type_name"}),  # a type begins the path of `new Queue(…)`
    attributes={"member_expression": ("object", "property")},
    calls={
        "call_expression": "function",
        "emit_statement": "name",
        "revert_statement": "error",
        "modifier_invocation": "",
    },
    subscripts={"array_access": "base"},
    through={"expression": "", "parenthesized_expression": "", "struct_expression": "type", "new_expression": "name"},
    literals={"string_literal": "%str", "number_literal": "%num"},
    parameters=dict.fromkeys(("function_definition", "modifier_definition", "constructor_definition"), ()),
    parameter={"parameter": (("name",), ("type",))},
    declared={
        "state_variable_declaration": (("name",), ("type",), ("value",)),
        **dict.fromkeys(("struct_member", "variable_declaration"), (("name",), ("type",), ())),
    },
    argument=frozenset({"call_argument"}),
    results={"function_definition": ("return_type", "<parameter", "type")},
    imports=re.compile(
        r"import\s*(?:(?P<names>\{[^}]*\})\s*from|\*\s*as\s+(?P<alias>\w+)\s+from)?\s*[\"'](?P<module>[^\"']+)[\"']"
    ),
)


class SolidityExtractor(SymbolsExtractor):
    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of the arguments, which are beside the called function in the tree."""
        return tuple(self._argument(child) for child in node.named_children if child.type in self.shape.argument)


SOLIDITY = replace(
    declared("solidity", "Solidity", lambda: SolidityExtractor(SHAPE)),
    extensions=(".sol",),
    rules=default_rules("solidity", constructors=("constructor",), overloads=True),
    visibility="words",
    public_words=("public", "external"),
    constructors=("constructor",),
    test_files=re.compile(r".+\.t\.sol"),
    parameter_names="behind type",
    result_first=True,
)
