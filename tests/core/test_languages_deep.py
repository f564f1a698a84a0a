"""Nesting, length and size that no person writes: every language ends, says what it leaves out, and goes on."""

from __future__ import annotations

import sys

import pytest

from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.languages.declared.kotlin import MAX_STRINGS, bears
from codeexplore.syntax import parse
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, SourceFile
from tests.deep_texts import NESTINGS, Nesting

WITH_GRAMMAR = [each for each in registry.LANGUAGES if each.queries]
CASES = [(language, name) for language, rows in NESTINGS.items() for name in rows]
GOOD = {"lua": "function z() end", "haskell": "z :: Int\nz = 1", "elixir": "defmodule M do\n  def z, do: 1\nend"}
GOOD |= {
    "python": "def z(): pass",
    "ruby": "def z; end",
    "php": "<?php function z() {}",
    "go": "package p\nfunc z() {}",
}
GOOD |= {
    "rust": "fn z() {}",
    "java": "class A { void z() {} }",
    "c": "int z() { return 1; }",
    "cpp": "int z() { return 1; }",
}
GOOD |= {"csharp": "class A { void z() {} }", "kotlin": "fun z() {}", "scala": "object A { def z = 1 }"}
GOOD |= {"swift": "func z() {}", "bash": "z() { a; }", "zig": "fn z() void {}", "solidity": "function z() {}"}


def indexed(language: str, text: str) -> FileIndex:
    return analyse(SourceFile("a." + language, language, text, ""))


def has_z(language: str) -> bool:
    return "z" in {symbol.name for symbol in indexed(language, GOOD.get(language, "function z() {}")).facts.symbols}


def test_every_language_is_nested() -> None:
    assert {language.name for language in WITH_GRAMMAR} <= set(NESTINGS)


@pytest.mark.parametrize(("language", "name"), CASES, ids="-".join)
def test_levels_by_the_thousand_end(language: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "FILE_SECONDS", 0.04)  # some grammars need their square: they are cut off, and say so
    nesting: Nesting = NESTINGS[language][name]
    for levels in (1_000, 10_000):
        found = indexed(language, nesting.text(levels))
        cut = all("took longer" in warning or "nested" in warning for warning in found.warnings)
        assert found.chunks
        assert cut
    monkeypatch.undo()
    assert has_z(language)


def test_kotlin_strings_within_strings_are_counted() -> None:
    levels = MAX_STRINGS + 1
    assert not bears(b'"${' * levels + b"1" + b'}"' * levels)
    assert not bears(b'"""${' * levels)
    assert not bears(b'"${"}"+' * levels)  # the bracket in the inner string closes nothing
    assert bears(b'val x = "${a} ${b}" // "${\n' * levels)
    assert bears(b'val x = "a { ${f { "b" }} "\n' * levels)
    assert bears(b'val x = """ " ${"${x}"} """ + \'"\'\n' * levels)


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=lambda each: each.name)
def test_a_parsed_text_is_let_go(language: Language) -> None:
    data = b"(x)\n" + b" " * parse.READ_BYTES + b"y\n"  # a whole stretch and a part of one
    before = sys.getrefcount(data)
    for _ in range(2):
        parse.parse(parse.grammar(language), data)
    assert sys.getrefcount(data) == before
