"""Language record of Go."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, Language, Wrapping, later

_NEW_OF_VALUE: Final = re.compile(
    rb"\bnew(?=\(\s*(?:"
    rb"[\"'`\d!^&-]|true\b|false\b"  # a literal or a prefix operator
    rb"|(?!(?:func|struct|interface)\b|map\[)[\w.]+(?:\[[^\]\n]*\][\w.]*)?\s*[({+*/%|^<>=!&-]"  # a call, an operation
    rb"|[\w.]+\[(?:\s*\d|[^\]\n]*\]\.)"  # an element of a slice, a field of an element
    rb"))"
)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the words `new` before a value, as in ``new(f(x))``, which Go has since 1.26, if the tree has errors.

    The grammar supports ``new(T)`` only. Without the word the value stays, in parentheses.
    """
    if not root.has_error:
        return []
    return [Wrapping(*found.span(), found.end(), found.end()) for found in _NEW_OF_VALUE.finditer(data)]


GO = Language(
    name="go",
    title="Go",
    level="full",
    extensions=(".go",),
    grammar="go",
    queries=(Path(__file__).with_name("tags.scm"),),
    pygments="go",
    manifests=("go.mod", "go.work"),
    wrappings=_wrappings,
    extractor=later("codeexplore.languages.go.extractor:GoExtractor"),
    rules=later("codeexplore.languages.go.resolve:rules"),
    visibility="capitals",
    program="main",
    implicit_interfaces=True,
    overridden_fields=False,
    called_signatures=re.compile(r"`[^`]*\w:\""),
    called_because="{} has a tag, by which other code may find it",
    by_position=r"(?<![\]*])\b{0}\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)"
    r"|\]\*?{0}\{{\s*\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)",  # the items of a slice
    start_names=("main", "init"),
    loaders=frozenset({"init"}),
    start_kinds=frozenset({"function"}),
    checked_types=True,
    comment_start=SLASHES,
    same_types={"interface": "any", "byte": "uint8", "rune": "int32"},
    reexports=False,
    no_type=re.compile(r"\b(?!(?:chan|func|struct|interface|map)\b)\w+\s+(?=[\w*\[(])"),  # names of results
    test_files=re.compile(r".+_test\.go"),
    test_names=("Test", "Benchmark", "Example", "Fuzz"),
)
