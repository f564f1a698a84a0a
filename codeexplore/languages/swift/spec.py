"""Language record of Swift."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping
from codeexplore.languages.swift.shape import SHAPE

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _rules() -> Rules:
    from codeexplore.languages.swift.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.swift.extractor import SwiftExtractor

    return SwiftExtractor(SHAPE)


_CONDITION = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*$", re.MULTILINE)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges of ``#if`` lines where the grammar does not support them. The code of both branches is kept."""
    if not root.has_error:
        return []
    return [Wrapping(found.start(), found.end(), found.end(), found.end()) for found in _CONDITION.finditer(data)]


SWIFT = Language(
    name="swift",
    title="Swift",
    level="symbols",
    extensions=(".swift",),
    interpreters=("swift",),
    grammar="swift",
    pygments="swift",
    folder=Path(__file__).parent,
    wrappings=_wrappings,
    extractor=_extractor,
    rules=_rules,
)
