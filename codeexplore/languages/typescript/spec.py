"""Language record of TypeScript."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.languages.base import Language, Wrapping
from codeexplore.languages.javascript.spec import ECMASCRIPT, JAVASCRIPT
from codeexplore.types.kinds import CALLABLE_KINDS

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.types import Symbol

FOLDER: Final = Path(__file__).parent


def _extractor() -> Extractor:
    from codeexplore.languages.typescript.extractor import TypeScriptExtractor

    return TypeScriptExtractor()


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    from codeexplore.languages.typescript.grammar_gaps import wrappings

    return wrappings(root, data)


def _is_overload_head(symbol: Symbol, text: str) -> bool:
    """Return True if `symbol` is a function or method without a body, such as the head of an overload."""
    return symbol.kind in CALLABLE_KINDS and not text.rstrip().endswith("}")


TYPESCRIPT = Language(
    name="typescript",
    title="TypeScript",
    level="full",
    extensions=(".ts", ".mts", ".cts"),
    interpreters=("deno", "ts-node", "tsx"),
    grammar="typescript",
    folder=FOLDER,
    shared_tags=(ECMASCRIPT,),
    pygments="typescript",
    manifests=JAVASCRIPT.manifests,
    wrappings=_wrappings,
    extractor=_extractor,
    rules=JAVASCRIPT.rules,
    is_overload_head=_is_overload_head,
)
