"""Language record of Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.python.source_folders import MANIFESTS

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules
    from codeexplore.types import Symbol


def _extractor() -> Extractor:
    from codeexplore.languages.python.extractor import PythonExtractor

    return PythonExtractor()


def _rules() -> Rules:
    from codeexplore.languages.python.resolve import rules

    return rules()


def _is_overload_head(symbol: Symbol, _: str) -> bool:
    return any(decorator.rpartition(".")[2] == "overload" for decorator in symbol.decorators)


PYTHON = Language(
    name="python",
    title="Python",
    level="full",
    extensions=(".py", ".pyi", ".pyw"),
    interpreters=("python", "python2", "python3", "pypy"),
    grammar="python",
    queries=(Path(__file__).with_name("tags.scm"),),
    pygments="python",
    named_by=("__init__.py",),
    manifests=MANIFESTS,
    extractor=_extractor,
    rules=_rules,
    is_overload_head=_is_overload_head,
)
