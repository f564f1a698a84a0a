"""Language record of Java."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _extractor() -> Extractor:
    from codeexplore.languages.java.extractor import JavaExtractor

    return JavaExtractor()


def _rules() -> Rules:
    from codeexplore.languages.java.resolve import rules

    return rules()


JAVA = Language(
    name="java",
    title="Java",
    level="full",
    extensions=(".java",),
    grammar="java",
    queries=(Path(__file__).with_name("tags.scm"),),
    pygments="java",
    extractor=_extractor,
    rules=_rules,
)
