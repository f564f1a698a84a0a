"""Fixture files: what is wrong in one is told with its question."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import FixtureError, QuestionError, Workspace, sample_repo
from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures, parse_fixtures
from codeexplore.features.lab.evaluation.fixtures import judge
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
    assert (first.id, first.type, first.expected, first.top_k) == ("a", "needle", ("Cart",), 10)
    assert second.filters == Filters(("webshop/**",), ("python",), ("method",), False)
    assert (second.accepted, second.top_k, second.note) == (("Cart",), 3, "by name")


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
    return f'{{"schema": 1, "questions": [{rows}]}}'


GOOD = '"id": "a", "type": "needle", "query": "x", "expected": ["A"]'
WRONG = {
    _with('\n{"query": "x", "expected": ["A"],}\n'): (":2: ", "not JSON"),
    '"text"': (": ", 'expected {"schema": 1'),
    '[{"query": "x", "expected": ["A"]}]': (": ", 'expected {"schema": 1'),
    _with(""): (": ", "no questions"),
    '{"questions": []}': (": ", '"schema" is missing'),
    '{"schema": 2, "questions": []}': (": ", "is 2; this version reads 1"),
    '{"schema": 1, "questions": {}}': (": ", "must be an array"),
    _with("3"): (": question 1: ", "must be an object"),
    _with('{"query": "x", "expectd": ["A"]}'): (": question 1: ", "did you mean 'expected'"),
    _with('{"id": "a", "type": "needle", "query": "x", "expected": []}'): (": question 1 ('a'): ", "is empty"),
    _with('{"id": "a", "type": "needle", "query": "x", "expected": "A"}'): (
        ": question 1 ('a'): ", "must be an array of names",
    ),
    _with('{"id": "a", "type": "needle", "query": "x", "expected": ["A", 7]}'): (
        ": question 1 ('a'): ", "contains 7, which is not a name",
    ),
    _with('{"id": "a", "type": "needle", "query": "x"}'): (": question 1 ('a'): ", '"expected" is missing'),
    _with('{"id": "a", "type": "needle", "query": " ", "expected": ["A"]}'): (
        ": question 1 ('a'): ", '"query" is empty',
    ),
    _with('{"id": "a", "type": "needle", "expected": ["A"]}'): (": question 1 ('a'): ", '"query" is missing'),
    _with('{"id": "a", "query": "x", "expected": ["A"], "type": "needel"}'): (
        ": question 1 ('a'): ", "known: needle, ranking, expansion",
    ),
    _with(f'{{{GOOD}, "top_k": "10"}}'): (": question 1 ('a'): ", "whole number"),
    _with(f'{{{GOOD}, "top_k": true}}'): (": question 1 ('a'): ", "whole number"),
    _with(f'{{{GOOD}, "top_k": null}}'): (": question 1 ('a'): ", "whole number, not None"),
    _with(f'{{{GOOD}, "top_k": 5000}}'): (": question 1 ('a'): ", "1 to 200"),
    _with(f'{{{GOOD}, "kinds": ["klass"]}}'): (": question 1 ('a'): ", "unknown kind 'klass'"),
    _with(f'{{{GOOD}}}, {{{GOOD}}}'): (": question 2 ('a'): ", "taken by an earlier question"),
    _with('{"id": "a", "query": "x", "query": "y", "expected": ["A"]}'): (": ", "'query' occurs twice in {'id': 'a'"),
    _with('{"id": "a", "query": "x", "expected": ["A"]}'): (": question 1 ('a'): ", '"type" is missing'),
    _with('{"type": "needle", "query": "x", "expected": ["A"]}'): (": question 1: ", '"id" is missing'),
    _with('{"id": "a", "type": "needle", "query": "x", "grades": {"A": 4}}'): (
        ": question 1 ('a'): ", "the grade of 'A' must be 0 to 3, not 4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_question(text: str) -> None:
    place, words = WRONG[text]
    with pytest.raises(FixtureError) as told:
        parse_fixtures(text, "mine.json")
    assert str(told.value).startswith(f"mine.json{place}")
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
