"""Language record of Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.python.declared import MANIFESTS

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _extractor() -> Extractor:
    from codeexplore.languages.python.extractor import PythonExtractor

    return PythonExtractor()


def _rules() -> Rules:
    from codeexplore.languages.python.resolve import rules

    return rules()


PYTHON = Language(
    name="python",
    title="Python",
    level="full",
    extensions=(".py", ".pyi", ".pyw"),
    interpreters=("python", "python2", "python3", "pypy"),
    grammar="python",
    folder=Path(__file__).parent,
    pygments="python",
    named_by=("__init__.py",),
    manifests=MANIFESTS,
    extractor=_extractor,
    rules=_rules,
)
