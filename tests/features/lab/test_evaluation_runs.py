"""Whole evaluations over small repositories: what is measured, told, compared, exported and shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import ir_measures
import pytest

from codeexplore import QuestionError, Workspace, sample_repo
from codeexplore.answers.html.elements import escape
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.show import shown_text
from codeexplore.cli import main
from codeexplore.features.lab.evaluation import (
    MEASURES,
    Evaluation,
    Fixtures,
    Question,
    Setting,
    SettingsTable,
    compare,
    evaluate,
    evaluate_settings,
    find_fixtures,
    lane_subsets,
    load_fixtures,
    write_trec,
)
from codeexplore.features.lab.evaluation.fixtures import judge
from codeexplore.features.lab.evaluation.metrics import DEMANDED
from codeexplore.features.lab.evaluation.results import document_html
from codeexplore.features.lab.evaluation.setting import ablations
from codeexplore.source.samples import sample_names
from tests.git_repos import write
from tests.sample_truth import Names, truth

CART = Question("cart", "ranking", "Cart.add", ("webshop.cart.Cart.add",), top_k=3)
CALLERS = Question("callers", "expansion", "what calls validate_session?", ("requires_session.wrapper",), top_k=5)


def fixture_file(query: str, *expected: str, **more: int) -> str:
    """Return the text of a fixture file with one question."""
    row = {"id": "a", "type": "needle", "query": query, "expected": expected, **more}
    return json.dumps({"schema": 1, "questions": [row]})


@pytest.fixture(scope="module")
def fixtures() -> Fixtures:
    return load_fixtures(find_fixtures(sample_repo("webshop")))


@pytest.fixture(scope="module")
def evaluated(webshop: Workspace, fixtures: Fixtures) -> Evaluation:
    return evaluate(webshop, fixtures)


def test_every_question_is_asked_and_measured(evaluated: Evaluation, fixtures: Fixtures) -> None:
    assert [result.question for result in evaluated.results] == list(fixtures)
    assert evaluated.scored == evaluated.results
    assert not evaluated.problems
    assert not evaluated.warnings
    for measure in MEASURES:
        mean = evaluated.mean(measure.key)
        assert mean == pytest.approx(sum(getattr(r.scores, measure.key) for r in evaluated.scored) / len(fixtures))
    assert sum(good for good, _ in evaluated.by_type.values()) == evaluated.passed
    assert 0 < evaluated.median_ms <= evaluated.p95_ms


def test_names_are_where_they_were_asked_for(evaluated: Evaluation) -> None:
    names = next(result for result in evaluated.results if result.question.query == "Cart.add")
    assert names.first_rank == 1
    assert names.ranked[0].name == "webshop.cart.Cart.add"
    assert names.passed


@pytest.mark.parametrize("name", sample_names())
def test_the_symbols_of_every_sample_fixture_exist(name: str, webshop: Workspace) -> None:
    workspace = webshop if name == "webshop" else Workspace(sample_repo(name))
    evaluation = evaluate(workspace, load_fixtures(find_fixtures(workspace.root)))
    assert evaluation.problems == ()
    assert len(evaluation.scored) == len(evaluation.results)


@pytest.mark.parametrize("name", sample_names())
def test_sample_fixtures_say_what_the_truth_says(name: str, webshop: Workspace) -> None:
    workspace = webshop if name == "webshop" else Workspace(sample_repo(name))
    names = Names(workspace.symbols)
    plain = names.of | {symbol.id: f"{symbol.path}::" for symbol in workspace.symbols if symbol.parent is None}
    true = {row["id"]: row for row in truth(name)["questions"] if row["expected"]}
    fixtures = load_fixtures(find_fixtures(workspace.root))
    assert [question.id for question in fixtures] == list(true)
    for question in fixtures:
        row = true[question.id]
        expected = [target for target in judge(question, workspace.catalog).targets if target.grade == DEMANDED]
        assert (question.query, question.top_k) == (row["query"], row["top_k"])
        assert [plain[target.symbol_id] for target in expected] == row["expected"]


# --------------------------------------------------------------------------- what can't be judged


def test_a_symbol_that_is_gone_is_told_and_no_miss(webshop: Workspace) -> None:
    gone = Question("gone", "needle", "baskets", ("webshop.cart.Basket",))
    evaluation = evaluate(webshop, [CART, gone])
    (left_out,) = evaluation.unscored
    assert left_out.question is gone
    assert left_out.passed is None
    assert evaluation.mean("recall") == 1.0  # of the one that could be scored
    (problem,) = evaluation.problems
    assert (problem.kind, problem.question_id) == ("gone", "gone")
    assert "gone: no symbol is called 'webshop.cart.Basket'" in repr(evaluation)


def test_a_needle_is_judged_by_what_is_left(webshop: Workspace) -> None:
    evaluation = evaluate(webshop, [replace(CART, type="needle", expected=("Basket.add", "webshop.cart.Cart.add"))])
    assert evaluation.passed == 1
    assert len(evaluation.problems) == 1
    ranking = evaluate(webshop, [replace(CART, expected=("Basket.add", "webshop.cart.Cart.add"))])
    assert ranking.unscored  # a ranking asks for the first name


def test_a_name_that_may_mean_several_symbols_is_told(webshop: Workspace) -> None:
    (problem,) = evaluate(webshop, [replace(CART, expected=("add",))]).problems
    assert problem.kind == "ambiguous"
    assert "give a longer name" in problem.message


def test_a_part_of_a_name_is_no_match(webshop: Workspace) -> None:
    for part in ("Cart.ad", "art.add", "cart.cart.add", "Add"):
        (problem,) = evaluate(webshop, [replace(CART, expected=(part,))]).problems
        assert problem.kind == "gone", part


def test_filters_tell_names_apart_and_are_applied(webshop: Workspace) -> None:
    question = Question("add", "needle", "add", ("add",), filters=replace(CART.filters, paths=("webshop/cart.py",)))
    evaluation = evaluate(webshop, [question])
    assert not evaluation.problems
    assert {each.document.partition(":")[0] for each in evaluation.results[0].ranked} == {"webshop/cart.py"}
    (problem,) = evaluate(webshop, [replace(question, expected=("webshop.cli.main",))]).problems
    assert problem.kind == "filtered"


def test_something_too_small_for_a_hit_is_found_as_what_holds_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "class Point:\n    x: int = 0\n    y: int = 0\n"})
    evaluation = evaluate(Workspace(tmp_path), [Question("x", "needle", "Point", ("Point.x",))])
    assert evaluation.passed == 1


# --------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    "words", ["default", "bm25", "bm25+graph signals=off", "fusion=min-max rrf_k=30 per_file=1 without=name-match,kind",
              "weights=bm25:0.5,graph:2"],
)  # fmt: skip
def test_a_setting_is_its_words(words: str) -> None:
    assert Setting.parse(Setting.parse(words).name) == Setting.parse(words)
    assert sorted(Setting.parse(words).name.split()) == sorted(words.split())


@pytest.mark.parametrize("words", ["bm52", "fusion", "rrf_k=x", "signals=maybe", "weights=graph:much", "colour=red"])
def test_words_that_are_no_setting(words: str) -> None:
    with pytest.raises(QuestionError, match=r"Write|write|weights"):
        Setting.parse(words)


def test_a_setting_that_cannot_be_asked(webshop: Workspace) -> None:
    with pytest.raises(QuestionError, match="known: "):
        evaluate(webshop, [CART], "without=luck")
    with pytest.raises(QuestionError, match="known: rrf"):
        evaluate(webshop, [CART], "fusion=nuclear")
    with pytest.raises(QuestionError, match="1 to 200"):
        evaluate(webshop, [CART], cutoff=0)


def test_every_subset_of_lanes(webshop: Workspace) -> None:
    table = SettingsTable(evaluate_settings(webshop, [CART, CALLERS], lane_subsets()))
    names = [each.setting.name for each in table.evaluations]
    assert len(set(names)) == len(names) == 8
    assert names[-1] == "default"
    for each, setting in zip(table.evaluations, lane_subsets(), strict=True):
        for result in each.results:
            assert all(ranked.score > 0 for ranked in result.ranked) or setting == Setting()
    assert list(table.to_frame()["setting"]) == names
    assert "default" in repr(table)


def test_without_signals_only_lanes_count(webshop: Workspace) -> None:
    engine = Setting.parse("signals=off").engine(webshop.engine)
    assert engine.signals == ()
    assert engine.search("cart").hits[0].adjustments == ()
    each = [setting.without for setting in ablations(webshop.engine)]
    assert len(each) == len(webshop.engine.signals) + 2
    name = webshop.engine.signals[0].name
    assert name not in [s.name for s in Setting(without=(name,)).engine(webshop.engine).signals]


# --------------------------------------------------------------------------- comparing


def test_wins_losses_and_ties_add_up(webshop: Workspace, fixtures: Fixtures, evaluated: Evaluation) -> None:
    lexical = evaluate(webshop, fixtures, "bm25 signals=off")
    comparison = compare(lexical, evaluated)
    for each in comparison.differences:
        assert each.wins + each.losses + each.ties == len(comparison.pairs) == len(fixtures)
        assert each.value == pytest.approx(evaluated.mean(each.measure.key) - lexical.mean(each.measure.key))
    ndcg = comparison.differences[-1]
    assert (len(comparison.wins), len(comparison.losses)) == (ndcg.wins, ndcg.losses)
    turned = compare(evaluated, lexical)
    assert [pair.after.question.id for pair in turned.losses] == [pair.after.question.id for pair in comparison.wins]
    assert turned.differences[-1].chance.p_value == pytest.approx(ndcg.chance.p_value, abs=0.02)


def test_the_same_twice_differs_nowhere(evaluated: Evaluation) -> None:
    comparison = compare(evaluated, evaluated)
    assert {each.chance.p_value for each in comparison.differences} == {1.0}
    assert "the same nDCG@10 for every question" in repr(comparison)


def test_what_cannot_be_compared(webshop: Workspace, evaluated: Evaluation) -> None:
    with pytest.raises(QuestionError, match="known: "):
        compare(evaluated, evaluated, measure="f1")
    with pytest.raises(QuestionError, match="cutoffs"):
        compare(evaluated, evaluate(webshop, [CART], cutoff=5))
    with pytest.raises(QuestionError, match="no question"):
        compare(evaluated, evaluate(webshop, [replace(CART, id="another")]))


# --------------------------------------------------------------------------- TREC


def test_exports_give_the_same_numbers_to_trec_eval(webshop: Workspace, evaluated: Evaluation, tmp_path: Path) -> None:
    stale = Question("gone entirely", "needle", "baskets", ("Basket",))
    both = replace(evaluated, results=(*evaluated.results, *evaluate(webshop, [stale]).results))
    files = write_trec(both, tmp_path / "runs")
    qrels, run = list(ir_measures.read_trec_qrels(str(files.qrels))), list(ir_measures.read_trec_run(str(files.run)))
    theirs = {
        "hit_at_1": ir_measures.Success(rel=2) @ 1,
        "hit": ir_measures.Success(rel=2) @ 10,
        "mrr": ir_measures.RR(rel=2) @ 10,
        "recall": ir_measures.R(rel=2) @ 10,
        "ndcg": ir_measures.nDCG @ 10,
    }
    found = ir_measures.calc_aggregate(theirs.values(), qrels, run)
    for key, measure in theirs.items():
        assert found[measure] == pytest.approx(both.mean(key), abs=1e-4), key


def test_exported_ids_have_no_white_space(tmp_path: Path) -> None:
    write(tmp_path / "two words", {"some notes/a b.py": "def one():\n    return 1\n"})
    workspace = Workspace(tmp_path / "two words")
    files = write_trec(evaluate(workspace, [Question("a b%", "needle", "one", ("one",))]), tmp_path / "out")
    (line,) = files.qrels.read_text().splitlines()
    assert line.split() == ["a%20b%25", "0", line.split()[2], "2"]
    assert "some%20notes/a%20b.py" in line
    assert len({row.split()[4] for row in files.run.read_text().splitlines()}) == len(
        files.run.read_text().splitlines()
    )


# --------------------------------------------------------------------------- displays


def test_every_display_explains_its_numbers(webshop: Workspace, evaluated: Evaluation) -> None:
    table = SettingsTable((evaluated, evaluate(webshop, [CART], "bm25")))
    for shown in (evaluated, table, compare(evaluated, evaluated)):
        assert shown_text(shown)
        assert "nDCG@10" in shown_html(shown)
        assert shown.to_dict()["schema"] == 1
        json.dumps(shown.to_dict())
    for measure in MEASURES:
        assert measure.meaning.format(k=10) in shown_text(evaluated)
        assert escape(measure.meaning.format(k=10)) in shown_html(evaluated)
    assert list(evaluated.to_frame()["id"]) == [result.question.id for result in evaluated.results]


def test_hostile_names_and_questions_are_escaped(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>"
    write(tmp_path / "repo", {f"{evil}.py": "def one():\n    return 1\n"})
    question = Question(evil, "needle", f"one {evil}\x1b[31m", ("one", evil), note=evil)
    evaluation = evaluate(Workspace(tmp_path / "repo"), [question])
    page = document_html(evil, evaluation, SettingsTable((evaluation,)), compare(evaluation, evaluation))
    assert "<img" not in page
    assert "&lt;img" in page
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\x1b" not in repr(evaluation)
    assert "var(--" not in page.replace(page[page.index("<style>") : page.rindex("</style>")], "")


# --------------------------------------------------------------------------- the command


def test_the_command_evaluates_a_sample_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page, runs = tmp_path / "report.html", tmp_path / "runs"
    assert main(["eval", "webshop", "--html", str(page), "--trec", str(runs)]) == 0
    assert "recall@10" in capsys.readouterr().out
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert sorted(path.name for path in runs.iterdir()) == ["webshop.default.run", "webshop.qrels"]


def test_the_command_compares_and_tabulates(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    questions = tmp_path / "q.json"
    questions.write_text(fixture_file("Cart.add", "Cart.add"))
    shop = str(sample_repo("webshop"))
    assert main(["eval", shop, "--fixtures", str(questions), "--compare", "bm25", "default", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "comparison"
    assert main(["eval", shop, "--fixtures", str(questions), "--measure", "ndcg_exp", "--format", "json"]) == 0
    assert "ndcg_exp" in json.loads(capsys.readouterr().out)["means"]
    gain = ["--measure", "ndcg_exp", "--compare", "bm25", "default"]
    assert main(["eval", shop, "--fixtures", str(questions), *gain]) == 0
    assert "nDCG@10 (2^g − 1)" in capsys.readouterr().out
    assert main(["eval", shop, "--fixtures", str(questions), "--subsets"]) == 0
    assert "bm25+embedding+graph" in capsys.readouterr().out
    assert main(["eval", shop, "--fixtures", str(questions), "--ablate", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "settings"


def test_the_command_tells_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    questions = tmp_path / "q.json"
    shop = str(sample_repo("webshop"))
    questions.write_text('{"schema": 1, "questions": [\n{"id": "a", "type": "needle", "query": "x", "expected": []}]}')
    assert main(["eval", shop, "--fixtures", str(questions)]) == 2
    assert "q.json: question 1 ('a'):" in capsys.readouterr().err
    questions.write_text(fixture_file("x", "NoSuchThing"))
    assert main(["eval", shop, "--fixtures", str(questions)]) == 1  # nothing could be scored
    questions.write_text(fixture_file("card", "Cart.add", top_k=1))
    assert main(["eval", shop, "--fixtures", str(questions)]) == 0
    assert main(["eval", shop, "--fixtures", str(questions), "--strict"]) == 1
    assert main(["eval", shop, "--measure", "luck"]) == 2
    assert main(["eval", str(tmp_path)]) == 2


@pytest.mark.parametrize(
    ("questions", "cutoff", "words"),
    [
        ({"a": 1}, 10, "'a' is no question"),
        (["how"], 10, "load_fixtures"),
        ([], 10, "no questions"),
        (None, "ten", "a whole number, 1 to 200, not 'ten'"),
    ],
)
def test_what_cannot_be_evaluated_is_named(webshop, questions, cutoff, words):
    with pytest.raises(QuestionError, match=words):
        webshop.lab.evaluate(questions, cutoff=cutoff)
