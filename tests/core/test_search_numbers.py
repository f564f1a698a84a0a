"""The numbers of BM25 and of PageRank as options: answers, their explanations, and mistakes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.cli import main
from codeexplore.types import settings
from codeexplore.types.errors import QuestionError

QUESTION = "how are expired sessions handled?"
OPTIONS: Mapping[str, dict[str, Any]] = {
    "usual": {},
    "bm25": {"k1": 1.2, "b": 0.4},
    "no repetitions": {"k1": 0, "b": 1},
    "ckb": {"fusion": "lexical-ppr"},
    "ckb, other walks": {"fusion": "lexical-ppr", "damping": 0.5, "edge_weights": {"CALLS": 0.1, "MODULE": 2}},
    "no edges": {"fusion": "lexical-ppr", "edge_weights": dict.fromkeys(settings.EDGE_WEIGHTS, 0)},
    "pagerank": {"fusion": "rrf-pagerank", "damping": 0.3, "k1": 0.9},
}


@pytest.fixture(scope="module")
def ws() -> Workspace:
    return Workspace(sample_repo("webshop"), progress=lambda *_: None)


@pytest.mark.parametrize("name", OPTIONS)
def test_the_explained_sum_is_the_score_with_other_numbers(ws: Workspace, name: str) -> None:
    options = OPTIONS[name]
    k1, b = options.get("k1", settings.BM25_K1), options.get("b", settings.BM25_B)
    answer = ws.search(QUESTION, **options)
    ws.search(QUESTION, k1=1.7, damping=0.1)  # another engine is kept now
    for hit in answer.result.hits:
        why = ws.engine.derive(answer.result, hit)
        assert sum(lane.value for lane in why.lanes) + sum(each.value for each in why.adjustments) == hit.score
        for lane in why.lanes:
            inputs = dict(lane.working.inputs)
            if lane.working.formula == "weight · (0.6 / rank + 0.4 · PPR)":
                assert lane.value == inputs["weight"] * (0.6 / inputs["rank"] + 0.4 * inputs["PPR"])
            for term in lane.terms if lane.length is not None and term_has_text(lane.terms) else ():
                size = lane.length
                assert size is not None
                assert (size.k1, size.b) == (k1, b)
                norm = k1 * (1 - b + b * size.length / size.average)
                assert math.isclose(term.score, term.times * term.idf * term.tf / (term.tf + norm or 1), rel_tol=1e-6)


def term_has_text(terms: tuple[Any, ...]) -> bool:
    return any(term.tf for term in terms)


def test_each_number_changes_what_it_should(ws: Workspace) -> None:
    def scores(**options: Any) -> list[float]:
        return [hit.score for hit in ws.search(QUESTION, **options).result.hits]

    assert scores(k1=settings.BM25_K1, b=settings.BM25_B, edge_weights={"CALLS": 1.0}) == scores()
    assert scores(lanes="bm25", fusion="weighted-sum", k1=1.2) != scores(lanes="bm25", fusion="weighted-sum")
    for fusion in ("lexical-ppr", "rrf-pagerank"):
        usual = scores(fusion=fusion)
        assert scores(fusion=fusion, damping=0.4) != usual
        assert scores(fusion=fusion, edge_weights={"CONTAINS": 0}) != usual
    assert scores(damping=0.4, edge_weights={"CALLS": 0.0}) == scores(), "rrf has no PageRank"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k1": -1}, "k1 must be a number, at least 0, not -1"),
        ({"b": 2}, "b must be a number, 0 to 1, not 2"),
        ({"damping": 1}, "damping must be a number, 0 to 0.99, not 1"),
        ({"edge_weights": {"X": 1}}, "unknown kind of edge 'X'; known: CALLS, CONTAINS"),
        ({"edge_weights": {"CALLS": -1}}, "the weight of CALLS must be a finite number of at least 0, not -1"),
        ({"edge_weights": [1]}, "edge_weights must be kind of edge → weight"),
    ],
)
def test_a_wrong_number_is_named(ws: Workspace, options: dict[str, Any], words: str) -> None:
    for ask in (ws.search, ws.localise):
        with pytest.raises(QuestionError, match=words):
            ask(QUESTION, **options)
    with pytest.raises(QuestionError, match=words):
        ws.related("purge_expired", **options)


def test_the_command_takes_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    shop = str(sample_repo("webshop"))
    ask = ["ask", shop, QUESTION, "--fusion", "lexical-ppr"]
    given = ["--k1", "1.2", "--b", "0.4", "--damping", "0.5", "--edge-weights", "calls:0.1,MODULE:2"]
    assert main([*ask, "--format", "json"]) == 0
    usual = capsys.readouterr().out
    assert main([*ask, *given, "--format", "json"]) == 0
    assert capsys.readouterr().out != usual
    assert main([*ask, "--edge-weights", "CALLS"]) == 2
    assert "write KIND:NUMBER, such as CALLS:0.5" in capsys.readouterr().err
