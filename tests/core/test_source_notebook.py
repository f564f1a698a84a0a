"""Notebooks: the joined text, the map from cells to lines, and what a Python parser is shown of it."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.source import skip_reasons
from codeexplore.source.discovery import Candidate
from codeexplore.source.notebook import NotebookError, parse_notebook, python_view
from codeexplore.source.read import read
from codeexplore.types import Cell, Skipped, SourceFile
from tests.git_repos import write


def notebook(*cells: tuple[str, str | list[str]], **metadata: Any) -> str:
    made = [{"cell_type": kind, "source": source, "metadata": {}} for kind, source in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def code(*sources: str, **metadata: Any) -> str:
    return notebook(*(("code", source) for source in sources), **metadata)


def view(*sources: str) -> list[str]:
    text, cells = parse_notebook(code(*sources))
    return [row.rstrip() for row in python_view(text, cells).split("\n")[:-1]]


# --------------------------------------------------------------------------- text and map


def test_cells_are_joined_and_mapped() -> None:
    text, cells = parse_notebook(
        notebook(
            ("markdown", ["# Title\n", "words"]),
            ("code", "x = 1\ny = 2\n"),
            ("code", ""),
            ("raw", "r"),
            ("code", ["z"]),
        )
    )
    assert text == "# Title\nwords\nx = 1\ny = 2\nr\nz\n"
    assert cells == (
        Cell(1, "markdown", 1, 2, ""),
        Cell(2, "code", 3, 4, "python"),
        Cell(4, "raw", 5, 5, ""),
        Cell(5, "code", 6, 6, "python"),
    )


def test_outputs_are_left_out() -> None:
    cell = {
        "cell_type": "code",
        "source": "1",
        "outputs": [{"data": {"image/png": "A" * 5_000, "text/plain": "secret"}}],
    }
    assert parse_notebook(json.dumps({"cells": [cell]})).text == "1\n"


def test_version_3_is_read() -> None:
    cells = [{"cell_type": "heading", "level": 2, "source": ["T"]}, {"cell_type": "code", "input": ["x = 1\n", "y"]}]
    text, found = parse_notebook(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert text == "## T\nx = 1\ny\n"
    assert [(cell.kind, cell.start_line, cell.end_line) for cell in found] == [("markdown", 1, 1), ("code", 2, 3)]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({}, "python"),
        ({"kernelspec": {"name": "python3", "display_name": "x"}}, "python"),
        ({"language_info": {"name": "ipython"}}, "python"),
        ({"language_info": {"name": "R"}}, "r"),
        ({"kernelspec": {"language": "Julia", "name": "julia-1.9"}}, "julia"),
        ({"kernelspec": {"name": 7}, "language_info": []}, "python"),
    ],
)
def test_code_cells_have_the_kernels_language(metadata: dict[str, Any], language: str) -> None:
    assert [cell.language for cell in parse_notebook(code("x", **metadata)).cells] == [language]


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("%%bash\nls", "bash"),
        ("%%time\nf()", "python"),
        ("%%js\nx", "javascript"),
        ("%%writefile a.py\nx", ""),
        ("%%\nx", ""),
    ],
)
def test_a_cell_magic_names_the_language_of_its_cell(source: str, language: str) -> None:
    assert [cell.language for cell in parse_notebook(code(source)).cells] == [language]


_SOURCES = st.lists(
    st.tuples(st.sampled_from(["code", "markdown", "raw"]), st.text(alphabet="ab%!?\n\r\t \"'é漢#\\()", max_size=40)),
    max_size=8,
)


@given(_SOURCES)
def test_every_line_of_every_cell_stands_where_the_map_says(sources: list[tuple[str, str]]) -> None:
    text, cells = parse_notebook(notebook(*sources))
    rows = text.split("\n")
    assert rows.pop() == ""
    assert [cell.number for cell in cells] == [number for number, (_, source) in enumerate(sources, 1) if source]
    for cell in cells:
        source = sources[cell.number - 1][1]
        assert "\n".join(rows[cell.start_line - 1 : cell.end_line]) == source.removesuffix("\n")
    assert sum(cell.end_line - cell.start_line + 1 for cell in cells) == len(rows)


@given(_SOURCES)
def test_the_parsers_view_keeps_every_line_and_byte_in_place(sources: list[tuple[str, str]]) -> None:
    text, cells = parse_notebook(notebook(*sources))
    shown = python_view(text, cells)
    assert [len(row.encode()) for row in shown.split("\n")] == [len(row.encode()) for row in text.split("\n")]


# --------------------------------------------------------------------------- magics


def test_the_text_keeps_magics_as_they_were_written() -> None:
    source = '%matplotlib inline\n!ls -l "x\nimport os\nos.getcwd?\nfiles = !ls\n'
    assert parse_notebook(code(source)).text == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%load_ext x", ["..."]),
        ("!ls", ["..."]),
        ("!!x", ["..."]),
        ("f?", ["0"]),
        ("a.b??", ["..."]),
        ("?a.b", ["..."]),
        ("%time f(x)", ["0   ; f(x)"]),
        ("%timeit -n 10 -r3 f(x)", ["0" + " " * 15 + "; f(x)"]),
        ("%%time\nf(x)", ["0", "f(x)"]),
        ("%%capture out\nf(x)", ["...", "f(x)"]),
        ("%%bash\nls $x", ["", ""]),
        ("files = !ls *.py", ["files = ..."]),
        ("here = %pwd", ["here = ..."]),
        ("if x:\n    !ls\n    %time f()", ["if x:", "    ...", "    0   ; f()"]),
        ("x = (10\n%y)", ["x = (10", "%y)"]),
        ("x = 10 \\\n%y", ["x = 10 \\", "%y"]),
        ('s = """\n%s magic\n!not a shell\n"""', ['s = """', "%s magic", "!not a shell", '"""']),
        ("s = 'it''s (' # (\n%who", ["s = 'it''s (' # (", "..."]),
        ('s = "\\"("\n%who', ['s = "\\"("', "..."]),
        ('!echo ( "\nf()', ["...", "f()"]),
        ("x != y\na % b", ["x != y", "a % b"]),
    ],
)
def test_what_the_parser_is_shown(source: str, expected: list[str]) -> None:
    assert view(source) == expected
    ast.parse("\n".join(row for row in view(source)))


def test_markdown_and_other_languages_are_blanked() -> None:
    text, cells = parse_notebook(notebook(("markdown", "# été"), ("code", "x = 1"), ("raw", "r")))
    assert python_view(text, cells) == " " * 7 + "\nx = 1\n \n"
    text, cells = parse_notebook(code("x <- 1", language_info={"name": "R"}))
    assert python_view(text, cells) == "      \n"


# --------------------------------------------------------------------------- what is no notebook


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"cells": ' + "[" * 100_000, "nested too deeply"),
        ("1" * 5_000, "no JSON"),
        ("[]", "not an object"),
        ("null", "not an object"),
        ("{}", "no list of cells"),
        ('{"cells": {}}', "no list of cells"),
        ('{"worksheets": 1}', "no list of cells"),
        ('{"cells": [1]}', "cell 1 is not an object"),
        ('{"cells": [{"cell_type": "code", "source": 1}]}', "source of cell 1"),
        ('{"cells": [{"cell_type": "code", "source": ["a", 1]}]}', "source of cell 1"),
        ('{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', "source of cell 1"),
    ],
)
def test_a_malformed_notebook_is_a_counted_skip(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(NotebookError, match=words):
        parse_notebook(text)
    write(tmp_path, {"a.ipynb": text})
    skipped = read(tmp_path, Candidate("a.ipynb", len(text), 0, "notebook"))
    assert isinstance(skipped, Skipped)
    assert skipped.reason == skip_reasons.NOTEBOOK
    assert words in skipped.detail


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "cells",
                        "worksheets",
                        "cell_type",
                        "source",
                        "input",
                        "metadata",
                        "language_info",
                        "name",
                        "level",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused(document: object) -> None:
    try:
        found: object = parse_notebook(json.dumps(document))
    except NotebookError as error:
        found = error
    assert isinstance(found, (tuple, NotebookError))


def test_what_no_utf8_text_holds_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, {"a.ipynb": '{"cells": [{"cell_type": "code", "source": "a\\ud800b\\u0000c"}]}'})
    file = read(tmp_path, Candidate("a.ipynb", 100, 0, "notebook"))
    assert isinstance(file, SourceFile)
    assert file.text == "a�b�c\n"
    assert file.text.encode()


def test_a_notebook_is_measured_by_its_cells_not_its_pictures(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": "x = 1", "outputs": [{"data": {"image/png": "A" * 50_000}}]}
    data = json.dumps({"cells": [cell]})
    write(tmp_path, {"a.ipynb": data, "b.ipynb": code("x" * 2_000)})
    file = read(tmp_path, Candidate("a.ipynb", len(data), 0, "notebook"), max_bytes=1_000)
    assert isinstance(file, SourceFile)
    assert (file.language, file.cells) == ("notebook", (Cell(1, "code", 1, 1, "python"),))
    skipped = read(tmp_path, Candidate("b.ipynb", 5_000, 0, "notebook"), max_bytes=1_000)
    assert skipped == Skipped("b.ipynb", skip_reasons.TOO_LARGE, "cells of 2,001 characters, the limit is 1,000")
