"""Language record of Go."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from codeexplore.languages.base import SLASHES, full, replacing

_NEW_OF_VALUE: Final = re.compile(
    rb"\bnew(?=\(\s*(?:"
    rb"[\"'`\d!^&-]|true\b|false\b"  # a literal or a prefix operator
    rb"|(?!(?:func|struct|interface)\b|map\[)[\w.]+(?:\[[^\]\n]*\][\w.]*)?\s*[({+*/%|^<>=!&-]"  # a call, an operation
    rb"|[\w.]+\[(?:\s*\d|[^\]\n]*\]\.)"  # an element of a slice, a field of an element
    rb"))"
)
"""The word `new` before a value, as in ``new(f(x))``, which Go has since 1.26: the grammar supports ``new(T)`` only.

Without the word the value stays, in parentheses.
"""
GO = replace(
    full("go", "Go"),
    extensions=(".go",),
    manifests=("go.mod", "go.work"),
    wrappings=replacing({_NEW_OF_VALUE: b""}),
    visibility="capitals",
    program="main",
    implicit_interfaces=True,
    mark_noun="directive",
    build_variants=True,
    overridden_fields=False,
    called_signatures=re.compile(r"^(?!(?:const|var) )[^`\"]*[`\"]"),  # any string is a tag: participle's have no keys
    called_because="{} has a tag, by which other code may find it",
    by_position=r"(?<![\]*])\b{0}\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)"
    r"|\]\*?{0}\{{\s*(?:[^\s{{}}][^\n{{}}]*:\s*)?\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)",  # the items of a slice or map
    reflection=re.compile(r"\.(?:Num(?:Field|Method)\(\)|(?:Field|Method)ByName\()"),
    start_names=("main", "init"),
    loaders=frozenset({"init"}),
    late_calls=re.compile(r"\s*defer\b"),
    start_kinds=frozenset({"function"}),
    checked_types=True,
    comment_start=SLASHES,
    same_types={"interface": "any", "byte": "uint8", "rune": "int32"},
    reexports=False,
    no_type=re.compile(r"\b(?!(?:chan|func|struct|interface|map)\b)\w+\s+(?=[\w*\[(])"),  # names of results
    test_files=re.compile(r".+_test\.go"),
    test_names=("Test", "Benchmark", "Example", "Fuzz"),
)
