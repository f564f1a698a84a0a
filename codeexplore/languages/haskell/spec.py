"""Language record and grammar shape of Haskell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

SHAPE = Shape(
    packages=frozenset({"header"}),
    clauses=True,
    names={
        "header": ("module",), "data_constructor": ("constructor", "name"), "field": ("name",),
        "newtype_constructor": ("name",),
    },
    bodies={"function": "match", "bind": "match", "class": "declarations", "instance": "declarations"},
    extended={"instance": ("patterns",)},
    roots=frozenset({"variable", "constructor", "name", "module"}),
    attributes={"qualified": ("module", "id")},
    calls={"apply": "function", "infix_id": ""},
    through={"parens": ""},
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.haskell.extractor import HaskellExtractor

    return HaskellExtractor(SHAPE)


HASKELL = Language(
    name="haskell",
    title="Haskell",
    level="symbols",
    extensions=(".hs", ".lhs", ".hs-boot"),
    interpreters=("runhaskell", "runghc"),
    grammar="haskell",
    pygments="haskell",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
