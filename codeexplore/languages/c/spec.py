"""Language record and grammar shape of C."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Dialect, Language, Wrapping
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules

SHAPE = Shape(
    global_names=True,
    roots=frozenset({"identifier", "this"}),
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": "function"},
    subscripts={"subscript_expression": "argument"},
    through={"parenthesized_expression": "", "pointer_expression": "argument", "cast_expression": "value"},
    literals={"string_literal": "%str", "number_literal": "%num", "char_literal": "%num"},
    declared={
        "field_declaration": (("declarator",), ("type",), ()), "declaration": (("declarator",), ("type",), ()),
        "init_declarator": (("declarator",), ("^", "type"), ("value",)),
    },
    elements={"for_range_loop": (("declarator",), ("type",), ("right",))},
    arguments={"call_expression": ("arguments",), "new_expression": ("arguments",)},
    type_words=frozenset({"struct", "union", "enum", "const", "typename", "class", "volatile", "static", "inline"}),
    imports=re.compile(r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'),
)  # fmt: skip


def _rules() -> Rules:
    from codeexplore.languages.c.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.c.extractor import CExtractor

    return CExtractor(SHAPE)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    from codeexplore.languages.c.macros import wrappings

    return wrappings(root, data)


_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w[^;()]*\{|namespace\b[\w: \t]*\{?|template\s*<|using\s+[\w:]+\s*[=;]|"
    r"(?:public|private|protected)\s*:|"
    r"#\s*include\s*<(?:algorithm|array|atomic|cstd\w+|functional|iostream|iterator|limits|map|memory|mutex|optional|set|"
    r"string|string_view|tuple|type_traits|unordered_map|utility|vector)>)",
    re.MULTILINE,
)
"""Pattern of syntax that is valid only in C++, to recognise C++ headers."""


C = Language(
    name="c",
    title="C",
    level="symbols",
    extensions=(".c", ".h"),
    grammar="c",
    pygments="c",
    wrappings=_wrappings,
    dialects=(Dialect("cpp", (".h",), _CPP),),
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
