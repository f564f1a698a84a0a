"""Names put together at run time, and look-ups of them, which are found by their words as one expression finds them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.graph.usage.name_uses import NameUses
from codeexplore.names import mentions
from codeexplore.names.mentions import Mentions
from codeexplore.types import Site, SourceFile
from tests.graph_sources import standings_of

PIECES = [
    "getattr", "hasattr", "vars", "globals", "this[", "self[", "getMethods", "call_user_func", "(", ")", '"', "'", "_",
    "a", "bc", "f", "F", "{", "}", "%s", "`", "${", "+", " ", "\n", "é", "日", ".", "1",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
LOOKS_UP = re.compile(
    r"\b(?:getattr|hasattr|globals|vars|methodcaller)\s*\(|\bthis\[|\bself\[|\bpublic_send\b|call_user_func"
    r"|\bgetMethods?\s*\(|\bgetDeclaredMethods?\s*\(|\bMethodByName\s*\("
)


@given(texts)
def test_looking_up_is_told_as_one_expression_tells_it(text: str) -> None:
    assert mentions._looks_up_names(text) == bool(LOOKS_UP.search(text))


def test_prefixes_say_where_they_stand() -> None:
    lines = ["def go(self, kind):", '    return getattr(self, "visit_" + kind, getattr(self, kind))', 'x = f"on_{y}"']
    text = "\n".join(lines)
    found = Mentions({"a.py": SourceFile("a.py", "python", text, ""), "b.md": SourceFile("b.md", "markdown", text, "")})
    assert {(built.text, built.site) for built in found.built} == {("visit_*", ("a.py", 2)), ("on_*", ("a.py", 3))}
    assert found.computed("a.py") == (("a.py", 2),)
    assert found.computed("missing.py") == ()


@pytest.mark.parametrize(
    ("language", "line", "is_code"),
    [
        ("c", "#define TOTAL(x) tally(x)", True),
        ("cpp", "#pragma weak tally", True),
        ("c", "/*\n * tally", False),
        ("c", "  * tally", True),
        ("java", "/* one */ tally();", True),
        ("python", "    % tally(1)", True),
        ("c", "*(tally)(1) = 2;", True),
        ("javascript", "  #count = tally;", True),
        ("swift", "#selector(tally)", True),
        ("csharp", "#if tally", True),
        ("python", "# tally", False),
        ("ruby", "# tally", False),
        ("go", "run() // as tally()", False),
        ("go", 'run("a // b", tally)', True),
        ("go", "for i := 0;; { tally() }", True),
        ("java", "run(); // as tally()", False),
        ("python", "run()  # as tally()", False),
        ("python", "run(7 // tally)", True),
        ("lua", "run(7 // tally)", True),
    ],
)
def test_the_language_says_which_lines_are_comments(language: str, line: str, is_code: bool) -> None:
    found = Mentions({"a": SourceFile("a", language, f"start\n{line}\n", "")})
    assert bool(found.words("tally")) is bool(found.index({"tally"})) is is_code


@pytest.mark.parametrize(
    ("path", "text", "name", "used"),
    [
        ("a.kt", "fun mark(x: Int) = x; val marks = listOf(1).map(::mark)\n", "mark", True),
        ("a.scala", "class A { def step(x: Int): Int = x; def all = List(1).map(step) }\n", "step", True),
        ("a.rb", "class A; def audit; end; after_save :audit; end\n", "audit", True),
        ("a.py", "def save(): pass; hooks['x'] = 1\n", "save", False),
        ("a.swift", "func mark() {}; let marks = [1].map(mark)\n", "mark", True),
        ("b.js", "(function mark() {\n  mark()\n}); register('x', mark)\n", "mark", True),
        ("b.kt", "fun mark(x: Int) = x // mark is not used\n", "mark", False),
        ("c.rb", "def audit\n  audit\nend # audit\n", "audit", False),
        ("d.kt", "fun mark(x: Int): Int = mark(x - 1)\n", "mark", False),
    ],
)
def test_a_line_may_define_a_name_and_use_it(path: str, text: str, name: str, used: bool) -> None:
    usage = standings_of({path: text})
    symbol = next(each for each in usage.graph.catalog.symbols if each.name == name)
    assert bool(NameUses(usage.graph, usage.mentions).of(symbol)) == used


def test_the_lines_of_several_files_are_split_once() -> None:
    class Counted(dict[str, SourceFile]):
        read = 0

        def __getitem__(self, path: str) -> SourceFile:
            self.read += 1
            return super().__getitem__(path)

    sources = Counted({path: SourceFile(path, "python", f"{path} = 1\n", "") for path in ("a", "b")})
    found = Mentions(sources)
    lines = [found.line(Site(path, 1)) for path in ("a", "b", "a", "b")]
    assert (lines, sources.read) == (["a = 1", "b = 1"] * 2, 2)
