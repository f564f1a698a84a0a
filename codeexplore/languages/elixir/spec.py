"""Language record of Elixir."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

SHAPE = Shape(
    global_names=True,
    clauses=True,
    names={"atom": (), "keyword": (), "call": ("<arguments", ""), "unary_operator": ("operand", "target")},
    bodies={"call": "<do_block"},
    roots=frozenset({"identifier", "alias"}),
    attributes={"dot": ("left", "right")},
    calls={"call": "target"},
    subscripts={"access_call": "target"},
    literals={"string": "%str", "integer": "%num", "list": "%list", "map": "%dict", "tuple": "%tuple", "atom": "%str"},
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.elixir.extractor import ElixirExtractor

    return ElixirExtractor(SHAPE)


ELIXIR = Language(
    name="elixir",
    title="Elixir",
    level="symbols",
    extensions=(".ex", ".exs"),
    interpreters=("elixir",),
    grammar="elixir",
    pygments="elixir",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
