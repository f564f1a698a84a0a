"""Pictures, sweeps over a number of the fusion, and the fusion lab."""

from __future__ import annotations

import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.wording import one_line, shorten
from codeexplore.features.lab.charts import Bar, Bars, HeatMap, Lines, Point, Points, Series, chart_html, chart_svg
from codeexplore.features.lab.evaluation import (
    Fixtures,
    Picture,
    Setting,
    Sweep,
    bootstrap_band,
    chunk_map,
    compare,
    evaluate,
    find_fixtures,
    load_fixtures,
    precision_recall,
    question_differences,
    rank_distributions,
    sweep,
    term_bars,
    word_pairs,
)
from codeexplore.features.lab.notebook.widgets import FusionLab
from codeexplore.types.errors import QuestionError
from tests.answers import HOSTILE

QUESTION = "how are expired sessions handled?"


@pytest.fixture(scope="module")
def questions(webshop: Workspace) -> Fixtures:
    found = load_fixtures(find_fixtures(webshop.root))
    return Fixtures(found.name, found.questions[:8])


@pytest.fixture(scope="module")
def swept(webshop: Workspace, questions: Fixtures) -> Sweep:
    return sweep(webshop, questions, "rrf_k", [1, 100], cutoff=5)


def all_pictures(ws: Workspace, questions: Fixtures) -> dict[str, Picture]:
    answer = ws.search(QUESTION)
    plain, default = (evaluate(ws, questions, each, cutoff=50) for each in ("bm25 signals=off", "default"))
    return {
        "terms": term_bars(answer.explain(1)),
        "pairs": word_pairs(answer.explain(1)),
        "map": chunk_map(ws, QUESTION),
        "curve": precision_recall(plain, default),
        "differences": question_differences(compare(plain, default)),
        "ranks": rank_distributions(ws, questions),
    }


def test_pictures_have_the_numbers_of_what_they_show(webshop: Workspace, questions: Fixtures, tmp_path: Path) -> None:
    pictures = all_pictures(webshop, questions)
    lanes = {lane.lane: lane for lane in webshop.search(QUESTION).explain(1).lanes}
    assert sum(pictures["terms"].to_frame()["score"]) == pytest.approx(lanes["bm25"].score, abs=1e-6)
    assert sum(pictures["pairs"].to_frame()["share"]) == pytest.approx(lanes["embedding"].score, abs=1e-6)
    judged = [result.judged for result in evaluate(webshop, questions).scored]
    expected = sum(len({each.document for each in one.targets if each.grade >= 2}) for one in judged)
    frame = pictures["ranks"].to_frame()
    assert set(frame.columns) == {"ranks", "bm25", "embedding", "graph"}
    assert {int(frame[lane].sum()) for lane in ("bm25", "embedding", "graph")} == {expected}
    curve = pictures["curve"].to_frame()
    for column in curve.columns[1:]:
        assert all(np.diff(curve[column]) <= 1e-12)  # interpolated precision never rises with recall
    differences = pictures["differences"].to_frame()
    assert list(differences["difference"]) == sorted(differences["difference"], reverse=True)
    assert list(differences["B"] - differences["A"]) == pytest.approx(list(differences["difference"]))
    for name, picture in pictures.items():
        root = ET.fromstring(picture.save(tmp_path / f"{name}.svg").read_text("utf-8"))
        assert root.tag.endswith("svg")
        page = shown_html(picture)
        assert 'alt="chart: ' in page
        assert "<table" in page
        assert picture.title in str(picture).replace("\n  ", " ")
        assert picture.to_dict()["kind"] == "picture"


def test_the_map_is_a_projection_on_principal_components(webshop: Workspace) -> None:
    picture = chunk_map(webshop)
    vectors = np.asarray(webshop.engine.retrievers["embedding"].embeddings, np.float64)  # type: ignore[attr-defined]
    centred = vectors - vectors.mean(axis=0)
    _, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    places = picture.to_frame()[["x", "y"]].to_numpy()
    shares = lengths**2 / (lengths**2).sum()
    assert (places**2).sum(axis=0) == pytest.approx(lengths[:2] ** 2, rel=1e-6)
    assert f"{shares[0]:.0%} and {shares[1]:.0%} of the variance" in picture.note
    with pytest.raises(QuestionError, match="knows no word"):
        chunk_map(webshop, "\u2603")


names = st.text(st.characters(codec="utf-8"), max_size=12)
numbers = st.integers(-(10**6), 10**6).map(lambda number: number / 1000)
points = st.lists(st.tuples(numbers, numbers), max_size=5).map(tuple)
series = st.builds(lambda name, points: Series(name, points, *[tuple(y for _, y in points)] * 2), names, points)


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(
        st.builds(Bars, names, st.lists(st.builds(Bar, names, numbers, names), max_size=6).map(tuple)),
        st.builds(
            Lines,
            names,
            names,
            st.lists(series, max_size=3).map(tuple),
            st.none() | numbers,
        ),
        st.builds(
            Points, names, names, st.lists(st.builds(Point, numbers, numbers, names, names), max_size=5).map(tuple)
        ),
        st.builds(
            lambda names, value: HeatMap(tuple(names), tuple(names), tuple(tuple(value for _ in names) for _ in names)),
            st.lists(names, max_size=4),
            numbers,
        ),
    )
)
def test_every_chart_is_a_document_without_foreign_elements(figure: Any) -> None:
    drawn = chart_svg(figure)
    root = ET.fromstring(drawn)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "defs", "style", "g", "text", "tspan", "rect", "path", "use", "clipPath"}
    attributes = [(key, value) for element in root.iter() for key, value in element.attrib.items()]
    assert not [key for key, _ in attributes if key.startswith("on")]
    assert all(value.startswith("#") for key, value in attributes if key.endswith("href"))
    assert not re.search(r"\b(nan|inf)\b", " ".join(value for _, value in attributes))
    assert chart_svg(figure) == drawn


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_text_in_a_chart(name: str) -> None:
    elements: list[tuple[str, list[str]]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: elements.append((tag, [key for key, _ in attrs]))  # type: ignore[method-assign]
    parser.feed(chart_html(name, Bars(name, (Bar(name, 1.0, name),))))
    assert elements == [("img", ["src", "alt", "style"])]
    document = ET.fromstring(chart_svg(Bars(name, (Bar(name, 1.0),))))
    written = [element.text for element in document.iter() if element.tag.endswith("}text")]
    assert written.count(shorten(one_line(name), 34)) == 2  # of the axis and of the bar


def test_without_matplotlib_a_chart_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install &#x27;jupyter-codeexplore[lab]&#x27;" in chart_html("a", Bars("a", (Bar("b", 1.0),)))
    with pytest.raises(ImportError, match="charts need matplotlib"):
        chart_svg(Bars("a", ()))


# --------------------------------------------------------------------------- sweeps


def test_a_sweep_has_the_scores_of_evaluations(webshop: Workspace, questions: Fixtures, swept: Sweep) -> None:
    assert swept.values == (1.0, 60.0, 100.0)
    development, test = swept.halves
    assert not set(development.questions) & set(test.questions)
    assert len(development.questions) + len(test.questions) == len(questions)
    for value, column in zip(swept.values, range(3), strict=True):
        found = {r.question.id: r.scores for r in evaluate(webshop, questions, f"rrf_k={value:.0f}", cutoff=5).scored}
        for half in swept.halves:
            wanted = [found[each].ndcg for each in half.questions]  # type: ignore[union-attr]
            assert half.scores[column] == pytest.approx(wanted)
    assert swept.chosen in swept.values
    assert swept.gain(0) >= 0
    assert len(swept.to_frame()) == 3
    assert swept.to_dict()["chosen"] == swept.chosen
    assert "development" in str(swept)
    assert 'alt="chart: nDCG@5 against rrf_k' in shown_html(swept)


def test_a_sweep_and_an_evaluation_have_the_other_gain_of_ndcg(webshop: Workspace, questions: Fixtures) -> None:
    swept = sweep(webshop, questions, values=[10], measure="ndcg_exp", cutoff=5)
    assert swept.measure == "nDCG@5 (2^g − 1)"
    report = evaluate(webshop, questions, cutoff=5, further=["ndcg_exp"])
    found = {result.question.id: result.scores for result in report.scored}
    for half in swept.halves:
        assert half.scores[1] == tuple(found[each].ndcg_exp for each in half.questions)  # type: ignore[union-attr]
    assert report.means["ndcg_exp"] == pytest.approx(report.mean("ndcg_exp"))
    assert report.means["ndcg_exp"] != report.means["ndcg"]
    assert "nDCG@5 (2^g − 1)" in str(report)
    assert "ndcg_exp" not in evaluate(webshop, questions[:1]).means
    with pytest.raises(QuestionError, match="unknown measure 'map'"):
        evaluate(webshop, questions, further=["map"])


@pytest.mark.parametrize(
    ("parameter", "setting"), [("k1", "bm25"), ("b", "bm25"), ("damping", "bm25 fusion=rrf-pagerank")]
)
def test_a_sweep_of_a_number_of_a_lane_is_that_of_its_settings(
    webshop: Workspace, questions: Fixtures, parameter: str, setting: str
) -> None:
    swept = sweep(webshop, questions, parameter, [0.25], setting=f"{setting} signals=off", cutoff=5)
    assert swept.values[0] == 0.25
    words = f"{setting} signals=off {parameter}=0.25 edge_weights=CALLS:1"
    report = evaluate(webshop, questions, words, cutoff=5)
    found = {result.question.id: result.scores.ndcg for result in report.scored if result.scores is not None}
    for half in swept.halves:
        assert half.scores[0] == tuple(found[each] for each in half.questions)
    assert Setting.parse(report.setting.name) == report.setting


def test_a_sweep_of_a_weight_fixes_the_lanes(webshop: Workspace, questions: Fixtures) -> None:
    found = sweep(webshop, questions[:4], "graph", [0.0], cutoff=5)
    assert (found.values, found.default, found.label) == ((0.0, 1.0), 1.0, "weight of graph")
    for wrong, message in (
        (lambda: sweep(webshop, questions, "k3"), "unknown parameter 'k3'"),
        (lambda: sweep(webshop, questions, measure="map"), "unknown measure 'map'"),
        (lambda: sweep(webshop, questions, "graph", setting="bm25"), "does not search the lane graph"),
        (lambda: sweep(webshop, questions[:3], values=[]), "at least 4 questions"),
        (lambda: sweep(webshop, questions, values=[-1]), "rrf_k"),
    ):
        with pytest.raises(QuestionError, match=message):
            wrong()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_band_lies_within_the_scores(scores: list[float]) -> None:
    low, high = bootstrap_band(scores)
    assert min(scores) - 1e-12 <= low <= high <= max(scores) + 1e-12
    assert bootstrap_band(scores) == (low, high)


def test_a_band_is_as_wide_as_theory_says() -> None:
    """For many scores the bootstrap's band is the mean ± 1.96 standard errors."""
    scores = np.random.default_rng(1).normal(0.5, 0.1, 400)
    low, high = bootstrap_band(scores.tolist())
    error = 1.96 * scores.std() / math.sqrt(len(scores))
    assert (low, high) == pytest.approx((scores.mean() - error, scores.mean() + error), abs=0.1 * error)


# --------------------------------------------------------------------------- the widget


def test_the_fusion_lab_moves_ranks_and_shows_sums(webshop: Workspace, questions: Fixtures) -> None:
    lab = webshop.lab.fusion_lab(QUESTION, questions)
    assert isinstance(lab, FusionLab)
    assert "FusionLab" in repr(lab)
    assert "The ranks are the default ones" in lab.message.value
    assert [hit.chunk.id for hit in lab.answer[:10]] == [hit.chunk.id for hit in webshop.search(QUESTION)]
    lab.lanes["embedding"].value = lab.lanes["bm25"].value = False
    lab.rrf_k.value = 7
    assert lab.wait(60)
    assert [ranking.lane for ranking in lab.answer.rankings] == ["graph"]
    assert "of the first hits change their rank" in lab.message.value
    assert re.search(r"1/\(7 ?\+ ?1\)", lab.chart.value)
    assert lab.chart.value.count('class="ce-sum"') == lab.chart.value.count('class="ce-move"')
    sums = re.findall(r'<div class="ce-sum"[^>]*>', lab.chart.value)
    assert sum(" hidden" not in each for each in sums) == 1
    lab.lanes["graph"].value = False
    assert "at least one lane" in lab.message.value
    lab.reset_button.click()
    assert "The ranks are the default ones" in lab.message.value
    lab.parameter.value = "embedding"
    lab.curve_button.click()
    assert lab.wait(60)
    assert "weight of embedding" in lab.curve.value
    lab.question.value = " "
    assert "ce-warning" in lab.message.value
    with pytest.raises(QuestionError):
        webshop.lab.fusion_lab("")
