"""Language record of TSX: TypeScript with markup. It has another grammar, and the same facts."""

from __future__ import annotations

from pathlib import Path

from codeexplore.languages.base import Language
from codeexplore.languages.javascript.spec import ECMASCRIPT, JSX
from codeexplore.languages.typescript.spec import FOLDER as TYPESCRIPT_FOLDER
from codeexplore.languages.typescript.spec import TYPESCRIPT

TSX = Language(
    name="tsx",
    title="TSX",
    level="full",
    extensions=(".tsx",),
    grammar="tsx",
    folder=Path(__file__).parent,
    shared_tags=(ECMASCRIPT, JSX, TYPESCRIPT_FOLDER / "tags.scm"),
    pygments="tsx",
    manifests=TYPESCRIPT.manifests,
    wrappings=TYPESCRIPT.wrappings,
    extractor=TYPESCRIPT.extractor,
    rules=TYPESCRIPT.rules,
    is_overload_head=TYPESCRIPT.is_overload_head,
)
