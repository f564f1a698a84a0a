"""Language record of Go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _extractor() -> Extractor:
    from codeexplore.languages.go.extractor import GoExtractor

    return GoExtractor()


def _rules() -> Rules:
    from codeexplore.languages.go.resolve import rules

    return rules()


GO = Language(
    name="go",
    title="Go",
    level="full",
    extensions=(".go",),
    grammar="go",
    folder=Path(__file__).parent,
    pygments="go",
    manifests=("go.mod",),
    extractor=_extractor,
    rules=_rules,
)  # fmt: skip
