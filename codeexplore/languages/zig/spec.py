"""Language record and grammar shape of Zig."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor

SHAPE = Shape(
    names={"ContainerField": ("field_member",), "IDENTIFIER": ()},
    bodies={"Decl": "<Block", "TestDecl": "<Block"},
    roots=frozenset({"IDENTIFIER"}),
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.zig.extractor import ZigExtractor

    return ZigExtractor(SHAPE)


ZIG = Language(
    name="zig",
    title="Zig",
    level="symbols",
    extensions=(".zig", ".zon"),
    grammar="zig",
    pygments="zig",
    folder=Path(__file__).parent,
    extractor=_extractor,
)
