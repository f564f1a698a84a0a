"""Language record and grammar shape of C++."""

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
    separator="::",
    global_names=True,
    roots=frozenset({
        "identifier", "this", "namespace_identifier", "type_identifier", "qualified_identifier", "template_function",
    }),
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": "function"},
    subscripts={"subscript_expression": "argument"},
    through={"parenthesized_expression": "", "pointer_expression": "argument", "cast_expression": "value"},
    literals={"string_literal": "%str", "number_literal": "%num", "char_literal": "%num"},
    wrappers=frozenset({"template_declaration"}),
    names={"namespace_definition": ("name",)},
    news={"new_expression": "type", "compound_literal_expression": "type"},
    declared={
        "field_declaration": (("declarator",), ("type",), ()), "declaration": (("declarator",), ("type",), ()),
        "init_declarator": (("declarator",), ("^", "type"), ("value",)),
    },
    elements={"for_range_loop": (("declarator",), ("type",), ("right",))},
    arguments={
        "call_expression": ("arguments",), "new_expression": ("arguments",), "compound_literal_expression": ("value",),
    },
    type_words=frozenset({"struct", "union", "enum", "const", "typename", "class", "volatile", "static", "inline"}),
    imports=re.compile(
        r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'
        r"|using\s+(?:namespace\s+)(?P<namespace>[\w:]+)|using\s+(?P<name>[\w:]+)"
    ),
)  # fmt: skip


def _rules() -> Rules:
    from codeexplore.languages.c.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.c.extractor import CExtractor
    from codeexplore.languages.cpp.dialect import CppDialect

    return CExtractor(SHAPE, CppDialect)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    from codeexplore.languages.c.macros import wrappings

    return wrappings(root, data)


CPP = Language(
    name="cpp",
    title="C++",
    level="symbols",
    extensions=(
        ".cpp",
        ".cc",
        ".cxx",
        ".c++",
        ".hpp",
        ".hh",
        ".hxx",
        ".h++",
        ".ipp",
        ".inl",
        ".tpp",
        ".cu",
        ".cuh",
        ".ino",
    ),
    grammar="cpp",
    separator="::",
    pygments="cpp",
    wrappings=_wrappings,
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
