"""Language record of Kotlin."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping
from codeexplore.languages.kotlin.shape import SHAPE

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _rules() -> Rules:
    from codeexplore.languages.kotlin.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.kotlin.extractor import KotlinExtractor

    return KotlinExtractor(SHAPE)


_UNKNOWN = re.compile(
    rb"\bby\s+[\w.]+(?:\([^()\n]*\))?(?=\s*\{)"  # class A : B by c { — is parsed as a lambda that is passed to c
    rb"|^[ \t]*context\([^()\n]*\)[ \t]*\r?$"  # context parameters
    rb"|(?<!\$)\$\$+(?=\")"  # strings with more than one $ for interpolation
    rb"|\bactual\b(?=[ \t]+va[lr]\b)",  # after an annotation
    re.MULTILINE,
)
_PRIMARY = re.compile(  # class A, and on a line of its own: @Inject internal constructor(
    rb"\bclass[ \t]+\w+(?:<[^<>\n]*>)?[ \t]*(?://[^\n]*)?\r?\n(?:[ \t]*//[^\n]*\n)*[ \t]*"
    rb"((?:(?:@[\w.]+(?:\([^()\n]*\))?|internal|private|protected|public|actual|expect)\s+)*constructor)(?=\s*\()"
)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges of syntax that the grammar does not support, for files with syntax errors."""
    if not root.has_error:
        return []
    spans = [found.span() for found in _UNKNOWN.finditer(data)] + [found.span(1) for found in _PRIMARY.finditer(data)]
    return [Wrapping(start, end, end, end) for start, end in sorted(spans)]


def _bears(data: bytes) -> bool:
    from codeexplore.languages.kotlin.strings import bears

    return bears(data)


KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    level="symbols",
    extensions=(".kt", ".kts"),
    grammar="kotlin",
    pygments="kotlin",
    wrappings=_wrappings,
    bears=_bears,
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
