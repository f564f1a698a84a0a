"""Language record of Lua."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

SHAPE = Shape(
    names={"field": ("name",), "assignment_statement": ("<variable_list", "name")},
    wrappers=frozenset({"variable_declaration"}),
    bodies={"assignment_statement": "<expression_list", "field": "value"},
    roots=frozenset({"identifier"}),
    attributes={
        "dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method"),
    },
    calls={"function_call": "name"},
    subscripts={"bracket_index_expression": "table"},
    through={"parenthesized_expression": ""},
    literals={"string": "%str", "number": "%num", "table_constructor": "%dict"},
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.lua.extractor import LuaExtractor

    return LuaExtractor(SHAPE)


LUA = Language(
    name="lua",
    title="Lua",
    level="symbols",
    extensions=(".lua", ".rockspec"),
    interpreters=("lua", "luajit"),
    grammar="lua",
    pygments="lua",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
