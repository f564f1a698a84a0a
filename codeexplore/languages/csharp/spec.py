"""Language record of C#."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.csharp.shape import SHAPE

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _rules() -> Rules:
    from codeexplore.languages.csharp.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.csharp.extractor import CSharpExtractor

    return CSharpExtractor(SHAPE)


CSHARP = Language(
    name="csharp",
    title="C#",
    level="symbols",
    extensions=(".cs", ".csx"),
    grammar="csharp",
    pygments="csharp",
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
