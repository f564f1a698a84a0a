"""Language record of JavaScript."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.languages.base import Language

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules

FOLDER: Final = Path(__file__).parent
ECMASCRIPT: Final = FOLDER / "ecmascript.scm"
JSX: Final = FOLDER / "jsx.scm"


def _extractor() -> Extractor:
    from codeexplore.languages.javascript.extractor import JavaScriptExtractor

    return JavaScriptExtractor()


def _rules() -> Rules:
    from codeexplore.languages.javascript.resolve import rules

    return rules()


JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    level="full",
    extensions=(".js", ".mjs", ".cjs", ".jsx", ".es6"),
    interpreters=("node", "nodejs", "bun"),
    grammar="javascript",
    folder=FOLDER,
    shared_tags=(ECMASCRIPT, JSX),
    pygments="javascript",
    manifests=("package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json"),
    extractor=_extractor,
    rules=_rules,
)
