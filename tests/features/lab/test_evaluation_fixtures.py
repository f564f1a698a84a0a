"""Fixture files: what is wrong in one is told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import FixtureError, QuestionError, Workspace, sample_repo
from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures, parse_fixtures
from codeexplore.features.lab.evaluation.fixtures import judge, parse_located
from codeexplore.source.samples import sample_names
from codeexplore.types import Filters

OURS = """{
  "schema": 1,
  "questions": [
    {"id": "a", "type": "needle", "query": "where are carts?", "expected": ["Cart"]},
    {
      "id": "b", "type": "ranking", "query": "Cart.add",
      "expected": ["webshop.cart.Cart.add"], "accepted": ["Cart"], "top_k": 3,
      "scope": ["webshop/**"], "kinds": ["method"], "languages": ["python"], "tests": false, "note": "by name"
    }
  ]
}
"""


def test_our_format() -> None:
    first, second = parse_fixtures(OURS)
    assert (first.id, first.type, first.expected, first.top_k, first.line) == ("a", "needle", ("Cart",), 10, 4)
    assert second.filters == Filters(("webshop/**",), ("python",), ("method",), False)
    assert (second.accepted, second.top_k, second.note, second.line) == (("Cart",), 3, "by name", 5)


def test_the_example_of_the_documentation_is_right() -> None:
    text = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text("utf-8")
    example = text.partition("```json\n")[2].partition("```")[0]
    questions = parse_fixtures(example)
    assert {question.type for question in questions} == {"needle", "ranking", "expansion"}
    catalog = Workspace(sample_repo("webshop")).catalog
    for question in questions:
        judged = judge(question, catalog)
        assert judged.scorable
        assert not judged.problems


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_has_questions_beside_it(name: str) -> None:
    path = find_fixtures(sample_repo(name))
    assert path.name == f"{name}.eval.json"
    questions = load_fixtures(path)
    assert len(questions) >= 30
    assert {question.type for question in questions} == {"needle", "ranking", "expansion"}


def _with(rows: str) -> str:
    """Return a fixture file with these rows, the first of them on line 1."""
    return f'{{"schema": 1, "questions": [{rows}]}}'


GOOD = '"id": "a", "type": "needle", "query": "x", "expected": ["A"]'
WRONG = {
    _with('\n{"query": "x", "expected": ["A"],}\n'): (2, "not JSON"),
    '"text"': (1, 'expected {"schema": 1'),
    '\n[{"query": "x", "expected": ["A"]}]': (2, 'expected {"schema": 1'),
    _with(""): (1, "no questions"),
    '{"questions": []}': (1, '"schema" is missing'),
    '{\n"schema": 2, "questions": []}': (2, "reads 1"),
    '{"schema": 1,\n"questions": {}}': (2, "must be an array"),
    _with("\n3"): (2, "must be an object"),
    _with('\n{"query": "x",\n"expectd": ["A"]}'): (3, "did you mean 'expected'"),
    _with('{"id": "a", "type": "needle", "query": "x",\n "expected": []}'): (2, "is empty"),
    _with('{"id": "a", "type": "needle", "query": "x",\n "expected": "A"}'): (2, "must be an array of names"),
    _with('{"id": "a", "type": "needle", "query": "x", "expected": ["A",\n 7]}'): (2, "not a name"),
    _with('{"id": "a", "type": "needle", "query": "x"}'): (1, '"expected" is missing'),
    _with('{"id": "a", "type": "needle", "query": " ", "expected": ["A"]}'): (1, '"query" is empty'),
    _with('{"id": "a", "type": "needle", "expected": ["A"]}'): (1, '"query" is missing'),
    _with('{"id": "a", "query": "x", "expected": ["A"],\n"type": "needel"}'): (
        2, "known: needle, ranking, expansion",
    ),
    _with(f'{{{GOOD},\n"top_k": "10"}}'): (2, "whole number"),
    _with(f'{{{GOOD},\n"top_k": true}}'): (2, "whole number"),
    _with(f'{{{GOOD},\n"top_k": 5000}}'): (2, "1 to 200"),
    _with(f'{{{GOOD},\n"kinds": ["klass"]}}'): (2, "unknown kind 'klass'"),
    _with(f'{{{GOOD}}},\n{{{GOOD}}}'): (2, "taken by line 1"),
    _with('{"query": "x",\n"query": "y", "expected": ["A"]}'): (2, "twice"),
    _with('{"id": "a", "query": "x", "expected": ["A"]}'): (1, '"type" is missing'),
    _with('{"type": "needle", "query": "x", "expected": ["A"]}'): (1, '"id" is missing'),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_line(text: str) -> None:
    line, words = WRONG[text]
    with pytest.raises(FixtureError) as told:
        parse_fixtures(text, "mine.json")
    assert str(told.value).startswith(f"mine.json:{line}: ")
    assert words in str(told.value)
    assert isinstance(told.value, QuestionError)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match="can't read"):
        load_fixtures(tmp_path / "nowhere.json")
    (tmp_path / "latin.json").write_bytes(b'["\xe4"]')
    with pytest.raises(FixtureError, match="UTF-8"):
        load_fixtures(tmp_path / "latin.json")
    with pytest.raises(FixtureError, match="nested too deeply"):
        parse_fixtures("[" * 100_000 + "]" * 100_000)
    with pytest.raises(FixtureError, match=f"{tmp_path.name}.eval.json"):
        find_fixtures(tmp_path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "codeexplore.eval.json"
    path.write_bytes(b"\xef\xbb\xbf" + OURS.encode())
    assert len(load_fixtures(find_fixtures(tmp_path))) == 2


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(plain, st.sampled_from([None, 0, 2]), st.booleans())
def test_values_keep_their_places(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    node = parse_located(f"\n\n{text}", "x")
    assert node.value == value
    assert node.line == 3
    for place, item in enumerate(node.items):
        assert item.line == (
            3 if indent is None else 4 + json.dumps(value[:place], indent=indent).count("\n") - (place > 0)
        )  # type: ignore[index]
