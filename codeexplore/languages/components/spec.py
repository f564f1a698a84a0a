"""Language records of single-file components. Their scripts are analysed and resolved as JavaScript or TypeScript."""

from __future__ import annotations

from codeexplore.languages.base import Language
from codeexplore.languages.javascript.spec import JAVASCRIPT

VUE = Language(
    name="vue",
    title="Vue",
    level="full",
    extensions=(".vue",),
    pygments="html",
    manifests=JAVASCRIPT.manifests,
    rules=JAVASCRIPT.rules,
)

SVELTE = Language(
    name="svelte",
    title="Svelte",
    level="full",
    extensions=(".svelte",),
    pygments="html",
    manifests=JAVASCRIPT.manifests,
    rules=JAVASCRIPT.rules,
)

COMPONENTS = frozenset({VUE.name, SVELTE.name})
"""Names of the languages of single-file components."""
