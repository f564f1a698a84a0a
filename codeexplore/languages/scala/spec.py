"""Scala."""

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
    imports=re.compile(
        r"import\s+(?P<module>\w+(?:\.(?!_\b)\w+)*)(?:\.(?P<names>\{[^}]*\})|(?P<star>\.[_*]))?(?:\s+as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)  # fmt: skip


def _extractor() -> Extractor:
    return SymbolsExtractor(SHAPE)


SCALA = Language(
    name="scala",
    title="Scala",
    level="symbols",
    extensions=(".scala", ".sc", ".sbt"),
    grammar="scala",
    pygments="scala",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
