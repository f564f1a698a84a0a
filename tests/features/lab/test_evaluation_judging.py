"""Judging: pools, files of grades, agreement, and the widget."""

from __future__ import annotations

import json
import math
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace, sample_repo
from codeexplore.answers.html.writer import shown_html
from codeexplore.cli import main
from codeexplore.features.lab.evaluation import (
    Judgement,
    Judgements,
    JudgingSession,
    Pool,
    Setting,
    agreement,
    cohen_kappa,
    compare,
    consensus,
    evaluate,
    find_fixtures,
    fleiss_kappa,
    load_fixtures,
    make_pool,
    parse_fixtures,
    pooled_settings,
)
from codeexplore.features.lab.evaluation.fixtures import document_of
from codeexplore.features.lab.evaluation.judgements import default_file, parse_judgements
from codeexplore.features.lab.notebook.widgets import JudgeView
from codeexplore.types.errors import FixtureError, QuestionError

QUESTIONS = ("how are expired sessions handled?", "where is the total of a cart computed?")
BEST = "webshop.sessions.SessionManager.purge_expired"


@pytest.fixture(scope="module")
def pool(webshop: Workspace) -> Pool:
    return make_pool(webshop, QUESTIONS, depth=5)


def grade_all(session: JudgingSession, grade: Any) -> JudgingSession:
    while not session.finished:
        item = session.current
        assert item is not None
        session.grade(grade(item.hit))
    return session


# --------------------------------------------------------------------------- pools


def test_a_pool_has_the_first_hits_of_every_setting_once(webshop: Workspace, pool: Pool) -> None:
    for asked in pool:
        documents = [hit.document for hit in asked.hits]
        assert len(set(documents)) == len(documents)
        first = set()
        for setting in map(Setting.parse, pool.settings):
            engine = setting.engine(webshop.engine)
            result = engine.search(asked.question.query, top_k=5, filters=asked.question.filters, **setting.options())
            first |= {document_of(engine.catalog.chunk(hit.chunk_id)) for hit in result.hits}
        assert set(documents) == first
        assert all(hit.source.text.strip() for hit in asked.hits)


def test_the_order_of_a_pool_depends_on_the_judge_alone(pool: Pool, webshop: Workspace) -> None:
    def order(some: Pool) -> list[list[str]]:
        return [[hit.document for hit in asked.hits] for asked in some]

    assert order(pool.shuffled("ada")) == order(pool.shuffled("ada"))
    assert order(pool.shuffled("ada")) != order(pool.shuffled("grace"))
    turned = make_pool(webshop, QUESTIONS, 5, reversed(pooled_settings()))
    assert order(turned.shuffled("ada")) == order(pool.shuffled("ada"))


def test_settings_and_questions_that_do_not_exist(webshop: Workspace, tmp_path: Path) -> None:
    assert [each.name for each in pooled_settings(["bm25"])] == ["bm25 signals=off"]
    for wrong, message in (
        (lambda: pooled_settings(["bm24"]), "unknown lane 'bm24'"),
        (lambda: pooled_settings(fusions=["sum"]), "unknown fusion 'sum'"),
        (lambda: pooled_settings([]), "at least one lane"),
        (lambda: make_pool(webshop, []), "no questions"),
        (lambda: make_pool(webshop, [" "]), "must be a text"),
        (lambda: make_pool(webshop, ["carts?", "Carts"]), "id 'carts'"),
        (lambda: make_pool(webshop, QUESTIONS, depth=0), "depth must be"),
        (lambda: make_pool(webshop, tmp_path / "no.json"), "can't read"),
    ):
        with pytest.raises(QuestionError, match=message):
            wrong()


# --------------------------------------------------------------------------- sessions and their files


def test_a_session_stores_each_grade_and_continues(pool: Pool, tmp_path: Path) -> None:
    path = tmp_path / "new" / "ada.jsonl"
    session = JudgingSession(pool, path, "ada")
    first = session.current
    assert first is not None
    assert (first.number, first.grade, session.done) == (1, None, 0)
    session.grade(3)
    session.grade(0)
    again = JudgingSession(pool, path, "ada")
    assert again.done == 2
    assert again.current == session.current
    again.go(-2)
    assert again.current == first._replace(grade=3)
    again.grade(1)  # again, otherwise
    assert again.judgements.grades[first.asked.question.id][first.hit.document] == 1
    undone = again.undo()
    assert undone is not None
    assert undone.grade == 1
    assert again.current == first._replace(grade=3)
    assert [again.undo(), again.undo(), again.undo()][2] is None
    assert again.done == 0
    with pytest.raises(QuestionError, match="0 to 3, not 4"):
        again.grade(4)
    with pytest.raises(FixtureError, match="changed by another program"):
        session.grade(2)
    assert JudgingSession(pool, path, "ada").done == 0
    assert not [each for each in path.parent.iterdir() if each != path]
    for judge, message in (("grace", "the judge 'ada', not 'grace'"),):
        with pytest.raises(FixtureError, match=message):
            JudgingSession(pool, path, judge)


@given(st.lists(st.sampled_from([0, 1, 2, 3, "undo", "next", "previous", "reopen"]), max_size=25))
def test_any_steps_leave_the_file_as_the_session(pool: Pool, tmp_path_factory: Any, steps: list[Any]) -> None:
    path = tmp_path_factory.mktemp("any") / "ada.jsonl"
    session = JudgingSession(pool, path, "ada")
    given_: list[tuple[str, str, int]] = []
    for step in steps:
        item = session.current
        assert item is not None
        if step == "reopen":
            session = JudgingSession(pool, path, "ada")
        elif step == "undo":
            session.undo()
            given_ = given_[:-1]
        elif step in ("next", "previous"):
            session.go(1 if step == "next" else -1)
        else:
            session.grade(step)
            given_.append((item.asked.question.id, item.hit.document, step))
        stored = Judgements.load(path).entries if path.exists() else ()
        assert [(each.question, each.document, each.grade) for each in stored] == given_
        assert stored == session.judgements.entries


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "j:1: the file is empty"),
        ("{}", "j:1: not a file of judgements"),
        ("[]", "j:1: each line must be an object"),
        ('{"schema": 1, "kind": "judgements", "judge": "a"}\n{"question": 1}', "j:2: a judgement needs"),
        (
            '{"schema": 1, "kind": "judgements"}\n\n{"question":"q","query":"q","document":"d","grade":true}',
            "j:3: the grade must be 0 to 3, not True",
        ),
        ('{"schema": 1, "kind": "judgements"}\n{"question":', "j:2: not JSON"),
    ],
)
def test_damaged_files_name_the_line(text: str, message: str) -> None:
    with pytest.raises(FixtureError, match=message):
        parse_judgements(text, "j")


texts = st.text(st.characters(codec="utf-8"), min_size=1)
graded = st.dictionaries(st.tuples(texts, texts), st.integers(0, 3), min_size=1, max_size=8)


@settings(max_examples=30)
@given(graded)
def test_qrels_keep_every_grade(tmp_path_factory: Any, grades: dict[tuple[str, str], int]) -> None:
    path = tmp_path_factory.mktemp("qrels") / "x.qrels"
    given_ = Judgements("x", "", tuple(Judgement(q, q, document, grade) for (q, document), grade in grades.items()))
    given_.to_qrels(path)
    assert Judgements.from_qrels(path).grades == given_.grades


def test_qrels_of_others(tmp_path: Path, pool: Pool) -> None:
    question = pool[0].question.id
    path = tmp_path / "other.qrels"
    path.write_text(f"{question} 0 {pool[0].hits[0].document} 2\n\n{question}\t0\tgone 1\n")
    session = JudgingSession(pool, tmp_path / "ada.jsonl", "ada")
    assert session.import_judgements(Judgements.from_qrels(path)) == 2
    assert session.import_judgements(Judgements.from_qrels(path)) == 0
    assert session.done == 1  # the other hit is in the file, but not in the pool
    assert session.judgements.queries[question] == QUESTIONS[0]
    for text, message in (("q 0 d", ":1: a qrels line has 4 columns"), ("q 0 d -1", ":1: the grade must be 0 to 3")):
        path.write_text(text)
        with pytest.raises(FixtureError, match=message):
            Judgements.from_qrels(path)


def test_judged_questions_are_evaluated_with_their_holes(webshop: Workspace, pool: Pool, tmp_path: Path) -> None:
    session = grade_all(
        JudgingSession(pool, tmp_path / "ada.jsonl", "ada"),
        lambda hit: 3 if hit.name == BEST else 1 if "Session" in hit.name else 0,
    )
    assert session.judgements.unanswered == (pool[1].question.id,)
    fixtures = load_fixtures(session.write_fixtures(tmp_path / "shop.eval.json"))
    assert fixtures.questions == session.to_fixtures().questions
    shallow, deep = (evaluate(webshop, fixtures, cutoff=cutoff) for cutoff in (5, 50))
    assert shallow.problems == ()
    assert shallow.mean("judged") == 1.0  # the pool has all hits to this depth
    assert 0 < deep.mean("judged") < 1
    assert "judged@50" in str(deep)
    assert compare(shallow, shallow).differences[-1].measure.key == "judged"
    old = evaluate(webshop, load_fixtures(find_fixtures(webshop.root))[:3])
    assert set(old.means) == {"hit_at_1", "hit", "mrr", "recall", "ndcg"}  # nobody judged what is wrong
    path = tmp_path / "empty.jsonl"
    with pytest.raises(FixtureError, match="no question with an answer yet"):
        JudgingSession(pool, path, "ada").to_fixtures()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('"grades": {"a": 4}', "the grade of 'a' must be 0 to 3, not 4"),
        ('"grades": ["a"]', "must be an object"),
        ('"grades": {"a": 1}', "no grade of 2 or more"),
        ('"grades": {"a": 2}, "expected": ["a"]', "can't be given with"),
    ],
)
def test_grades_in_a_fixture_file(row: str, message: str) -> None:
    text = '{"schema": 1, "questions": [{"id": "q", "type": "needle", "query": "x", %s}]}'
    with pytest.raises(FixtureError, match=message):
        parse_fixtures(text % row)
    (question,) = parse_fixtures(text % '"grades": {"a": 0, "b": 2, "c": 3, "d": 1}')
    assert (question.expected, question.accepted) == (("c", "b"), ("d",))
    assert question.graded == (("c", 3), ("b", 2), ("d", 1), ("a", 0))


def test_default_files_differ_by_judge_and_repository(tmp_path: Path) -> None:
    places = [(tmp_path, "ada"), (tmp_path, "a da"), (tmp_path, "a_da"), (tmp_path / "x", "ada"), (tmp_path, "../x")]
    files = {default_file(*each) for each in places}
    assert len(files) == len(places)
    assert all(".." not in file.parts for file in files)


# --------------------------------------------------------------------------- agreement


def test_kappa_worked_by_hand() -> None:
    """Cohen's own form: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: .7 observed, .5 by chance, kappa .4."""
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    first, second = zip(*pairs, strict=True)
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    rows = [(0, 0, 0), (0, 0, 1), (1, 1, 1)]  # 1, 1/3, 1 observed: 7/9; by chance (5/9)² + (4/9)² = 41/81
    assert fleiss_kappa(rows) == pytest.approx((7 / 9 - 41 / 81) / (1 - 41 / 81))
    assert math.isnan(cohen_kappa([], []))
    assert math.isnan(cohen_kappa([2, 2], [2, 2]))
    assert math.isnan(fleiss_kappa([(1,), (2,)]))
    with pytest.raises(QuestionError, match="1 and 2 grades"):
        cohen_kappa([1], [1, 2])
    with pytest.raises(QuestionError, match="every judge"):
        fleiss_kappa([(1,), (1, 2)])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_kappa_of_the_same_judge_and_of_swapped_judges(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    for weights in ("none", "linear", "quadratic"):
        value, swapped = cohen_kappa(first, second, weights), cohen_kappa(second, first, weights)  # type: ignore[arg-type]
        assert value == pytest.approx(swapped, nan_ok=True)
        assert math.isnan(value) or value <= 1.0
        if len(set(first)) > 1:
            assert cohen_kappa(first, first, weights) == 1.0  # type: ignore[arg-type]
    # with ever more hits, Fleiss' kappa of two judges differs from Cohen's only by the grades' shares
    if sorted(first) == sorted(second):
        assert fleiss_kappa(pairs) == pytest.approx(cohen_kappa(first, second), nan_ok=True)


def test_disputed_hits_are_shown_with_all_grades(pool: Pool, tmp_path: Path) -> None:
    ada = grade_all(JudgingSession(pool, tmp_path / "a", "ada"), lambda hit: 3 if hit.name == BEST else 0)
    eve = grade_all(JudgingSession(pool, tmp_path / "e", "<b>eve"), lambda hit: 1 if "Cart" in hit.name else 0)
    eve.undo()
    found = agreement(ada.judgements, eve.judgements, pool=pool)
    assert len(found.rows) == pool.size - 1
    assert found.left_out == 1
    assert found.disputed[0].grades == (3, 0)
    assert found.disputed[0].hit is not None
    assert found.disputed[0].hit.name == BEST
    assert found.observed == pytest.approx(1 - len(found.disputed) / len(found.rows))
    data = json.loads(json.dumps(found.to_dict()))
    assert data["pairs"][0]["cohen"] == pytest.approx(found.cohen["ada", "<b>eve"])
    assert list(found.to_frame().columns) == ["question", "document", "ada", "<b>eve"]
    assert "disputed hit" in str(found)
    assert "<b>eve" not in shown_html(found)
    assert "def purge_expired" in shown_html(found).replace("<span", "\n<span").replace(">purge", ">def purge")
    merged = consensus([ada.judgements, eve.judgements])
    assert merged.grades[pool[0].question.id][found.disputed[0].document] == 1  # the median of 3 and 0, rounded down
    for few, message in (([ada], "two judges"), ([ada, ada], "different names")):
        with pytest.raises(QuestionError, match=message):
            agreement(*(each.judgements for each in few))
    empty = Judgements("x", "", (Judgement("q", "q", "d", 1),))
    with pytest.raises(QuestionError, match="no hit was graded by all"):
        agreement(ada.judgements, empty)


# --------------------------------------------------------------------------- the widget


def test_the_widget_judges_blindly(webshop: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    view = webshop.lab.judge(QUESTIONS, depth=3, lanes=["bm25", "graph"], judge="ada", file=tmp_path / "ada.jsonl")
    assert isinstance(view, JudgeView)

    def page() -> str:
        return "".join(each.value for each in (view.title, view.question, view.hit, view.message))

    labels = {getattr(each, "description", "") for row in view.children for each in getattr(row, "children", ())}
    assert {"Export", "Compare judges", "Undo (U)"} <= labels
    assert "application/vnd.jupyter.widget-view+json" in view._repr_mimebundle_()
    assert "JudgeView" in repr(view)  # which calls methods of ipywidgets that a method of ours could hide
    for _ in range(view.session.total):
        assert not any(each in page() for each in ("bm25", "embedding", "rrf", "rank", "lane"))
        view.grade_buttons[2].click()
    assert "Every hit has a grade" in view.message.value
    view.previous_button.click()
    assert view.grade_buttons[2].button_style == "primary"
    view.undo_button.click()
    assert "Took the grade 2 back" in view.message.value
    assert view.session.done == view.session.total - 1
    view.qrels_button.click()
    view.fixtures_button.click()
    assert len(Path("webshop.qrels").read_text().splitlines()) == view.session.done
    assert len(load_fixtures("webshop.eval.json")) == 2
    view.other.value = "webshop.qrels"
    view.compare_button.click()
    assert "Cohen" in view.agreement.value
    view.other.value = "none.jsonl"
    view.compare_button.click()
    assert "read the judgements" in view.message.value


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.add(tag)


def test_the_widget_escapes_the_repository(tmp_path: Path) -> None:
    repo = tmp_path / "<i>repo"
    repo.mkdir()
    (repo / "<img src=x>.py").write_text("def shown():\n    return '<script>alert(1)</script>'\n")
    shutil.copytree(sample_repo("webshop") / "webshop", repo / "webshop")
    view = Workspace(repo, cache=False).lab.judge(["<b>shown</b>"], file=tmp_path / "j")
    while not view.session.finished:
        tags = Tags()
        tags.feed("".join(each.value for each in (view.title, view.question, view.hit)))
        assert tags.found.isdisjoint({"script", "img", "i"})
        assert "<b>shown" not in view.question.value
        view.grade_buttons[0].click()


# --------------------------------------------------------------------------- the terminal


def test_a_terminal_compares_judges(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for judge, grade in (("ada", 3), ("eve", 0)):
        session = grade_all(JudgingSession(pool, f"{judge}.jsonl", judge), lambda _, grade=grade: grade)
    Judgements.load("ada.jsonl").to_qrels("ada.qrels")
    assert main(["agreement", "ada.qrels", "eve.jsonl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"] == session.total
    assert main(["agreement", "ada.jsonl", "eve.jsonl"]) == 0
    assert "Cohen's kappa" in capsys.readouterr().out
    assert main(["agreement", "ada.jsonl"]) == 2
    assert "at least two judges" in capsys.readouterr().err
