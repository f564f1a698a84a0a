"""Language record of Scala."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.extractor import SymbolsExtractor
from codeexplore.languages.scala.shape import SHAPE

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _rules() -> Rules:
    from codeexplore.languages.scala.resolve import rules

    return rules()


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
    rules=_rules,
)
