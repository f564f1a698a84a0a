"""Chunks: every line is somewhere, ids are stable, a class reads as an outline, long functions are cut."""

from __future__ import annotations

import gc
import json
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, SourceFile
from codeexplore.types.settings import MAX_FUNCTION_LINES

STDLIB = Path(sysconfig.get_paths()["stdlib"])


def index(text: str, path: str = "pkg/m.py", language: str = "python") -> FileIndex:
    return analyse(SourceFile(path, language, text, ""))


def uncovered(found: FileIndex) -> list[int]:
    rows = found.file.text.split("\n")
    covered = {n for c in found.chunks for s in c.spans for n in range(s.start_line, s.end_line + 1)}
    return [n for n, row in enumerate(rows, 1) if row.strip() and n not in covered]


def test_a_class_chunk_is_an_outline_and_methods_are_whole() -> None:
    found = index(
        "import a\n"
        "\n"
        "# about A\n"
        "@deco\n"
        "class A(B):\n"
        '    """Doc."""\n'
        "    field: int = 1\n"
        "\n"
        "    # about run\n"
        "    @property\n"
        "    def run(self,\n"
        "            x):\n"
        "        return 1\n"
        "    def one(self): return 2\n"
        "LAST = 3\n"
    )
    texts = {chunk.symbol: chunk.text for chunk in found.chunks}
    assert texts["pkg/m.py:pkg.m"] == "import a\nLAST = 3"
    assert texts["pkg/m.py:pkg.m.A"] == (
        '# about A\n@deco\nclass A(B):\n    """Doc."""\n    field: int = 1\n'
        "    @property\n    def run(self,\n            x):\n    def one(self): return 2"
    )
    assert texts["pkg/m.py:pkg.m.A.run"].startswith("    # about run\n    @property\n")
    assert texts["pkg/m.py:pkg.m.A.run"].endswith("return 1")
    assert texts["pkg/m.py:pkg.m.A.one"] == "    def one(self): return 2"


def test_methods_outside_a_type_are_indexed_with_it_but_are_not_its_lines() -> None:
    text = "package q\n\ntype Queue struct {\n\tjobs []int\n}\n\nfunc (q *Queue) Push(job int) {\n\tq.jobs = nil\n}\n"
    found = index(text, "q/queue.go", "go")
    kind = next(symbol for symbol in found.facts.symbols if symbol.name == "Queue")
    chunk = next(chunk for chunk in found.chunks if chunk.symbol == kind.id)
    assert (chunk.start_line, chunk.end_line) == (3, 5)
    assert "Push" not in chunk.text
    assert "func (q *Queue) Push(job int) {" in chunk.context


def test_context_names_what_the_source_does_not() -> None:
    (chunk,) = index("def f(a: int) -> str:\n    return ''\n", "pkg/deep/m.py").chunks
    assert "pkg/deep/m.py" in chunk.context
    assert "pkg.deep.m.f" in chunk.context
    assert "def f(a: int) -> str" in chunk.context
    assert chunk.context not in chunk.text


def test_a_nested_function_is_answered_by_the_whole_function_around_it() -> None:
    found = index("def outer():\n    def inner():\n        pass\n    return inner\n")
    assert [chunk.symbol for chunk in found.chunks] == ["pkg/m.py:pkg.m.outer"]
    assert "pkg.m.outer.inner" in {symbol.fqn for symbol in found.facts.symbols}


def test_a_long_function_is_cut_at_statements_under_its_header() -> None:
    body = "".join(f"    if x == {n}:\n        y = {n}\n" for n in range(MAX_FUNCTION_LINES))
    found = index(f"@deco\ndef long(x):\n{body}")
    parts = [chunk for chunk in found.chunks if chunk.symbol == "pkg/m.py:pkg.m.long"]
    assert len(parts) > 2
    assert [part.part for part in parts] == sorted(range(1, len(parts) + 1))
    for part in parts:
        assert part.text.startswith("@deco\ndef long(x):\n")
        assert part.text.split("\n")[2].startswith("    if x ==")
    assert not uncovered(found)


def test_long_leading_comments_leave_the_lines_in_order() -> None:
    comments = "".join(f"# note {n}\n" for n in range(MAX_FUNCTION_LINES))
    body = "".join(f"    y = {n}\n" for n in range(MAX_FUNCTION_LINES))
    found = index(f"{comments}def long(x):\n{body}")
    assert max(chunk.part for chunk in found.chunks) > 2
    for chunk in found.chunks:
        assert list(chunk.spans) == sorted(chunk.spans)
        assert chunk.start_line <= chunk.end_line


def test_what_a_long_function_defines_gets_chunks_of_its_own() -> None:
    filler = "    a = 1\n" * MAX_FUNCTION_LINES
    found = index(f"def factory():\n{filler}    def made():\n        return 1\n    return made\n")
    made = [chunk for chunk in found.chunks if chunk.symbol == "pkg/m.py:pkg.m.factory.made"]
    assert [chunk.text for chunk in made] == ["    def made():\n        return 1"]


def test_what_a_function_around_a_file_defines_gets_chunks_of_its_own() -> None:
    filler = "  var a = 1;\n" * MAX_FUNCTION_LINES
    found = index(f"(function() {{\n{filler}  function made() {{ return 1; }}\n}})();\n", "m.js", "javascript")
    assert [chunk.text for chunk in found.chunks if chunk.symbol is not None and chunk.symbol.endswith(".made")] == [
        "  function made() { return 1; }"
    ]
    assert not uncovered(found)


WRAPPED = """\
(function (root, factory) { module.exports = factory(); })(this, (function () {
  function forEach(list, f) { return list.map(f); }
  var merge = createAssigner(function (a, b) { return a; }), hidden = compute(1);
  // %s
  function library() {}
  library.merge = merge;
  library.each = library.every = forEach;
  library.extend({ ajax: makeAjax(merge), speed: 1 });
  return library;
}));
"""


def test_functions_that_calls_make_and_other_names_are_found_in_a_wrapper(tmp_path: Path) -> None:
    (tmp_path / "library.js").write_text(WRAPPED.replace("// %s", "//\n" * 130))
    (tmp_path / "shop.ts").write_text(
        "export const price = memoize((id: string) => id)\n\nexport const tax = load(3)\n"
    )
    ws = Workspace(tmp_path, cache=False, workers=0)
    found = {name: ws.search(name)[0].symbol for name in ("merge", "each", "every", "ajax", "price")}
    places = [(symbol.name, symbol.line) for symbol in found.values() if symbol]
    assert places == [("merge", 3), ("forEach", 2), ("forEach", 2), ("ajax", 138), ("price", 1)]
    named = {symbol.name for symbol in ws.symbols}
    assert named.isdisjoint({"hidden", "speed"})
    owners = [chunk.symbol for chunk in ws.engine.catalog.chunks if chunk.path == "shop.ts"]
    assert owners == ["shop.ts:shop.price", "shop.ts:shop"]  # what a call without a function makes is the module's


def test_syntax_errors_keep_the_symbols_around_them() -> None:
    found = index("def before():\n    return 1\n\ndef broken(:\n    x = = 2\n\ndef after():\n    return 3\n")
    assert found.facts.errors > 0
    assert {"before", "after"} <= {symbol.name for symbol in found.facts.symbols}
    assert not uncovered(found)


def test_an_edit_elsewhere_keeps_chunk_ids() -> None:
    before = {c.symbol: c.id for c in index("def a():\n    return 1\n\ndef b():\n    return 2\n").chunks}
    after = {c.symbol: c.id for c in index("def a():\n    return 99\n\n\n\ndef b():\n    return 2\n").chunks}
    assert before["pkg/m.py:pkg.m.b"] == after["pkg/m.py:pkg.m.b"]
    assert before["pkg/m.py:pkg.m.a"] != after["pkg/m.py:pkg.m.a"]


def test_twins_have_ids_of_their_own() -> None:
    found = index("if X:\n    def f(): pass\nelse:\n    def f(): pass\n")
    assert len({chunk.id for chunk in found.chunks}) == len(found.chunks)
    assert [s.id for s in found.facts.symbols if s.name == "f"] == ["pkg/m.py:pkg.m.f", "pkg/m.py:pkg.m.f#2"]


def test_many_definitions_on_one_line_do_not_add_up() -> None:
    text = "".join(f"def f{n}(): return {n}\n" for n in range(3)) + "; ".join(f"x{n} = {n}" for n in range(5_000))
    found = index(text)
    assert sum(len(chunk.text) for chunk in found.chunks) < 3 * len(text)


@pytest.mark.parametrize("name", ["typing.py", "argparse.py", "json/decoder.py", "turtle.py", "pydoc_data/topics.py"])
def test_every_line_of_the_standard_library_is_in_a_chunk(name: str) -> None:
    text = (STDLIB / name).read_text("utf-8")
    found = index(text, name)
    assert uncovered(found) == []
    data = text.encode()
    for chunk in found.chunks:
        assert chunk.text == b"\n".join(data[s.start_byte : s.end_byte] for s in chunk.spans).decode()
    assert len({chunk.id for chunk in found.chunks}) == len(found.chunks)


_LINES = st.sampled_from(
    ["", "x = 1", "def f(a):", "class C(D):", "    def m(self):", "        return a", "    y = [", "    ]", "@deco",
     "# note", "    '''doc'''", "if x:", "else:", "(", "é = 'ü'", "\r", "\x0c", "lambda: 0", "async def g(): await h()"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_LINES, max_size=40), st.booleans())
def test_any_text_is_covered_and_its_spans_are_exact(rows: list[str], newline: bool) -> None:
    text = "\n".join(rows) + ("\n" if newline else "")
    found = index(text)
    assert uncovered(found) == []
    assert len({chunk.id for chunk in found.chunks}) == len(found.chunks)
    assert len({symbol.id for symbol in found.facts.symbols}) == len(found.facts.symbols)
    data = text.encode()
    for chunk in found.chunks:
        assert chunk.text.encode() == b"\n".join(data[s.start_byte : s.end_byte] for s in chunk.spans)
    ids = {symbol.id for symbol in found.facts.symbols}
    assert all(symbol.parent in ids for symbol in found.facts.symbols[1:])


def test_deep_nesting_is_survived() -> None:
    found = index("x = " + "[" * 10_000 + "]" * 10_000 + "\ndef f(): pass\n")
    assert "f" in {symbol.name for symbol in found.facts.symbols}
    found = index("def f():\n" + "".join(" " * n + "if a:\n" for n in range(1, 2_000)) + " " * 2_001 + "pass\n")
    assert uncovered(found) == []


@pytest.mark.slow
def test_a_hundred_thousand_lines() -> None:
    found = index("".join(f"def f{n}():\n    return g({n})\n" for n in range(50_000)))
    assert len(found.chunks) == 50_000
    assert len(found.facts.references) == 50_000


def test_nul_bytes_and_lone_surrogates_do_no_harm() -> None:
    assert "f" in {s.name for s in index("a = '\x00'\ndef f(): pass\n").facts.symbols}
    assert "f" in {s.name for s in index("a = '\ud800'\ndef f(): pass\n").facts.symbols}


def test_an_empty_file_has_a_module_and_no_chunk() -> None:
    found = index("", "pkg/__init__.py")
    assert [(s.kind, s.fqn) for s in found.facts.symbols] == [("module", "pkg")]
    assert found.chunks == ()


def test_markdown_sections_nest_and_short_ones_merge() -> None:
    text = (
        "intro\n\n# One\n\n"
        + "text\n" * 6
        + "\n## Inner\nshort\n\n```\n# no heading\n```\nmore\n\nTwo\n===\n"
        + "a\n" * 6
    )
    found = index(text, "docs/a.md", "markdown")
    assert [s.fqn for s in found.facts.symbols] == [
        "docs/a.md", "docs/a.md#One", "docs/a.md#One#Inner", "docs/a.md#Two",
    ]  # fmt: skip
    assert uncovered(found) == []


@given(st.lists(st.integers(1, 4), max_size=12))
def test_a_section_reaches_to_the_next_heading_that_is_not_below_it(levels: list[int]) -> None:
    text = "".join(f"{'#' * level} h{number}\ntext\n\n" for number, level in enumerate(levels))
    sections = index(text, "a.md", "markdown").facts.symbols[1:]
    for number, (level, section) in enumerate(zip(levels, sections, strict=True)):
        after = [other for other, following in enumerate(levels) if other > number and following <= level]
        last = 3 * after[0] if after else 3 * len(levels)
        assert (section.span.start_line, section.span.end_line) == (3 * number + 1, last)


def test_a_hundred_thousand_headings() -> None:
    """Each is looked at once; looking for the end of each among all others would take a minute."""
    assert len(index("# a\n" * 100_000, "a.md", "markdown").facts.symbols) == 100_001


def test_rst_levels_follow_the_order_of_their_styles() -> None:
    text = "=====\nTitle\n=====\n\nPart\n----\nx\n\nSub\n~~~\ny\n\nPart 2\n------\nz\n"
    found = index(text, "a.rst", "rst")
    assert [s.fqn for s in found.facts.symbols[1:]] == [
        "a.rst#Title", "a.rst#Title#Part", "a.rst#Title#Part#Sub", "a.rst#Title#Part 2",
    ]  # fmt: skip
    assert uncovered(found) == []


def test_notebook_cells_are_chunks_and_magics_do_not_break_the_parse(tmp_path: Path) -> None:
    from codeexplore.source.discovery import discover
    from codeexplore.source.read import read

    cells = [
        {"cell_type": "markdown", "source": ["# Intro\n", "words"], "metadata": {}},
        {"cell_type": "code", "source": "%matplotlib inline\n!ls\nx = load()\ndef f():\n    return g()", "metadata": {},
         "outputs": [{"output_type": "stream", "name": "stdout", "text": "SECRET OUTPUT"}], "execution_count": 1},
        {"cell_type": "code", "source": "%%bash\nrm -rf /", "metadata": {}, "outputs": [], "execution_count": 2},
    ]  # fmt: skip
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    file = read(tmp_path, discover(tmp_path).candidates[0])
    assert isinstance(file, SourceFile)
    found = analyse(file)
    assert uncovered(found) == []
    assert found.facts.errors == 0
    assert {"f", "Intro", "cell 2", "cell 3"} <= {symbol.name for symbol in found.facts.symbols}
    assert [r.path for r in found.facts.references if r.kind == "call"] == ["load", "g"]
    assert not any("SECRET" in chunk.text for chunk in found.chunks)


def test_the_parser_keeps_nothing_of_what_it_has_read() -> None:
    """Its binding holds on to whatever it is handed, so it is handed the same few views."""

    def held() -> int:
        gc.collect()
        return sum(isinstance(each, memoryview) for each in gc.get_objects())

    text = "value = 1\n" * 5_000  # several stretches
    index(text)
    before = held()
    for number in range(10):
        index(text.replace("1", str(number)))
    assert held() == before


def test_a_title_has_the_text_of_its_links_and_no_images(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "shop\n [![Build](https://x.org/a.png)](https://x.org)\n [![Docs](b.png)][docs]\n====\n\nSells.\n\n"
        "## How to [buy](https://x.org/buy) `f[T](x)` Map[K](m)\n\nSo.\n"
    )
    names = [each.name for each in Workspace(tmp_path, workers=0, cache=False).outline("README.md")]
    assert names == ["README.md", "shop", "How to buy `f[T](x)` Map[K](m)"]
