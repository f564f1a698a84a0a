"""Nesting, length and size that no person writes: every language ends, says what it leaves out, and goes on."""

from __future__ import annotations

import sys

import pytest

from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.syntax.parse import grammar, parse

WITH_GRAMMAR = [each for each in registry.LANGUAGES if each.grammar and each.folder is not None]


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=lambda each: each.name)
def test_a_parsed_text_is_let_go(language: Language) -> None:
    data = b"(x) y = 1\n" * 5_000
    before = sys.getrefcount(data)
    for _ in range(3):
        parse(grammar(language), data)
    assert sys.getrefcount(data) == before
