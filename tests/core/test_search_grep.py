"""Grep: exact text and regular expressions, grouped by the innermost symbol, in an order that makes sense."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Filters, QuestionError, Workspace
from codeexplore.search.grep import compile_pattern

MAIN = '''\
"""Retries."""

LIMIT = 3  # attempts


class RetryError(Exception):
    """Told when LIMIT is passed."""


class Client:
    def fetch(self, url):
        for attempt in range(LIMIT):
            if attempt == LIMIT: raise RetryError("gave up: " + url)  # LIMIT
        return lambda: LIMIT

    def reset(self):
        pass
'''
TEST = "from client import LIMIT, Client\n\ndef test_limit():\n    assert LIMIT == 3 and LIMIT > 2 and LIMIT < 4\n"
NOTES = "# Client\n\nThe LIMIT is three attempts.\n\ngave up: means that all failed\n\nßtraße LIMIT\n"


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("retry")
    (root / "client.py").write_text(MAIN)
    (root / "tests").mkdir()
    (root / "tests" / "test_client.py").write_text(TEST)
    (root / "notes.md").write_text(NOTES, "utf-8")
    return Workspace(root, progress=lambda *_: None, workers=0)


def test_matches_stand_with_their_innermost_symbol_definitions_first(ws: Workspace) -> None:
    answer = ws.grep("LIMIT")
    assert (answer.matches, answer.result.files) == (12, 3)
    first, second = answer[0], answer[1]
    assert (first.name, first.kind, first.count, first.defines) == ("client.LIMIT", "constant", 1, True)
    assert (second.name, second.count) == ("client.Client.fetch", 4)  # the lambda's is the method's
    assert [line.line for line in second.lines] == [12, 13, 14]
    assert [len(line.spans) for line in second.lines] == [1, 2, 1]
    assert answer[-1].path == "tests/test_client.py"
    assert sum(hit.count for hit in answer) == answer.matches


def test_spans_are_columns_of_the_line(ws: Workspace) -> None:
    for hit in ws.grep("LIMIT"):
        text = ws.file(hit.path).text.split("\n")
        for line in hit.lines:
            assert line.text == text[line.line - 1]
            assert {line.text[start:end] for start, end in line.spans} == {"LIMIT"}


def test_an_error_message_leads_to_the_function_that_raises_it(ws: Workspace) -> None:
    answer = ws.grep('RetryError("gave up: ')
    assert [hit.name for hit in answer] == ["client.Client.fetch"]


def test_texts_are_searched_too(ws: Workspace) -> None:
    assert [hit.path for hit in ws.grep("all failed")] == ["notes.md"]
    assert ws.grep("ßtraße")[0].lines[0].spans == ((0, 6),)


def test_regular_expressions_and_case(ws: Workspace) -> None:
    assert ws.grep(r"^\s+def \w+\(self", regex=True).matches == 2
    assert ws.grep(r"def \w+\(self", regex=False).matches == 0
    assert ws.grep("limit", ignore_case=True).matches == 13
    assert ws.grep("LIMIT$", regex=True).matches == 3
    assert ws.grep("GAVE UP", ignore_case=True).matches == 2
    assert ws.grep("a*", regex=True).matches == sum(len(re.findall("a+", t)) for t in (MAIN, TEST, NOTES))


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (Filters(tests=False, languages=("python",)), {"client.LIMIT", "client.RetryError", "client.Client.fetch"}),
        (Filters(paths=("tests/**",)), {"tests.test_client", "tests.test_client.test_limit"}),
        (Filters(kinds=("class",)), {"client.RetryError", "client.Client"}),
        (Filters(kinds=("function",)), {"tests.test_client.test_limit"}),
        (Filters(paths=("*.rst",)), set()),
    ],
)
def test_filters_say_whose_matches_count(ws: Workspace, filters: Filters, names: set[str]) -> None:
    assert {hit.name for hit in ws.grep("LIMIT", filters=filters)} == names


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"pattern": ""}, "empty"),
        ({"pattern": 3}, "not int"),
        ({"pattern": "(", "regex": True}, r"'\(' is not a regular expression.*missing \)"),
        ({"pattern": "(?=a)", "regex": True}, "no look-around"),
        ({"pattern": r"(a)\1", "regex": True}, "escape"),
        ({"pattern": "x" * 20_000}, "20,000"),
        ({"pattern": "x", "top_k": 0}, "top_k"),
        ({"pattern": "x", "filters": Filters(languages=("pyton",))}, "'pyton'.*python"),
        ({"pattern": "x", "filters": Filters(kinds=("klass",))}, "'klass'.*class"),
        ({"pattern": "x", "filters": {"paths": "x"}}, "Filters"),
    ],
)
def test_bad_options_are_named(ws: Workspace, options: dict[str, object], told: str) -> None:
    with pytest.raises(QuestionError, match=told):
        ws.grep(**options)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.integers(1, 8))
def test_the_order_does_not_depend_on_top_k(ws: Workspace, top_k: int) -> None:
    some, whole = ws.grep("LIMIT", top_k=top_k), ws.grep("LIMIT", top_k=99)
    assert some.hits == whole.hits[:top_k]
    assert some.result.symbols == len(whole)


def test_text_json_frame_and_markdown(ws: Workspace) -> None:
    answer = ws.grep("LIMIT", top_k=2)
    assert "the first 2 are shown" in repr(answer)
    assert "; the first is shown" in ws.grep("LIMIT", top_k=1).headline
    assert "defines it" in repr(answer)
    plain = json.loads(json.dumps(answer.to_dict()))
    assert plain["hits"][1]["lines"][0] == {
        "line": 12,
        "text": "        for attempt in range(LIMIT):",
        "spans": [[29, 34]],
    }
    frame = answer.to_frame()
    assert list(frame["line"]) == [3, 12, 13, 14]
    assert "client.Client.fetch" in answer.to_markdown()
    assert "No match" in repr(ws.grep("nowhere at all"))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_are_no_part_of_a_line(tmp_path: Path, ending: str) -> None:
    (tmp_path / "a.py").write_bytes(ending.join(["def end():", "    return 'end'", "", "x = end()", ""]).encode())
    ws = Workspace(tmp_path, progress=lambda *_: None, workers=0, cache=False)
    expected = {"'end'$": [2], r"^def end\(\):$": [1], r":\n    return": [1], r"\)$": [4], ".$": [1, 2, 4]}
    for pattern, lines in expected.items():
        found = [line for hit in ws.grep(pattern, regex=True) for line in hit.lines]
        assert sorted(line.line for line in found) == lines
        assert all("\r" not in line.text for line in found)
    assert ws.grep("'end'\n").matches == 1


TEXTS = st.text(alphabet="ab\nA(é*", max_size=30)


@given(TEXTS, st.text(alphabet="abA(é*\n", min_size=1, max_size=3))
def test_exact_text_is_found_as_python_finds_it(text: str, wanted: str) -> None:
    found = [text.encode()[a:b].decode() for a, b in compile_pattern(wanted)(text.encode())]
    assert found == [wanted] * text.count(wanted)
    folded = list(compile_pattern(wanted, ignore_case=True)(text.encode()))
    assert len(folded) == len(re.findall(re.escape(wanted), text, re.IGNORECASE))


def test_hostile_text_stays_harmless(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 'needle \x1b[31m \u202e' # <script>\n")
    shown = repr(Workspace(tmp_path, progress=lambda *_: None, workers=0).grep("needle"))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_files_that_were_not_searched_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("needle = 1\n")
    (tmp_path / "large.py").write_text("# needle\n" * 200)
    (tmp_path / "odd.gif").write_text("needle\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "core.py").write_bytes(b"needle\0")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "b.js").write_text("needle\n")
    ws = Workspace(tmp_path, progress=lambda *_: None, workers=0, cache=False, max_file_bytes=1_000)
    end = "; the status says why and lists them"
    assert ws.grep("needle").notices == (f"3 files not searched: binary 1, too large 1, unknown language 1{end}",)
    assert ws.grep("needle", tests=False).notices == (f"2 files not searched: too large 1, unknown language 1{end}",)
    only = Filters(languages=("python",), paths=("*.py",), tests=False)
    assert ws.grep("needle", filters=only).notices == (f"1 file not searched: too large 1{end}",)
    assert "1 file not searched" in repr(ws.grep("needle", filters=only))
