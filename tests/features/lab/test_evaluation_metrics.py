"""The measures: what must always hold, and the same numbers as trec_eval gives."""

from __future__ import annotations

import math
from itertools import product

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.features.lab.evaluation import metrics
from codeexplore.features.lab.evaluation.metrics import TRIALS, randomisation_test

documents = st.sampled_from([f"d{number}" for number in range(12)])
rankings = st.lists(documents, unique=True, max_size=12)
judgements = st.dictionaries(documents, st.sampled_from([0, 1, 2, 3]), max_size=8)
cutoffs = st.integers(1, 12)

OURS = (metrics.hit, metrics.reciprocal_rank, metrics.recall, metrics.ndcg)


@given(rankings, judgements, cutoffs)
def test_measures_are_shares(ranked: list[str], grades: dict[str, int], cutoff: int) -> None:
    for measure in OURS:
        assert 0.0 <= measure(ranked, grades, cutoff) <= 1.0


@given(rankings, judgements.filter(lambda grades: max(grades.values(), default=0) >= 2), cutoffs)
def test_same_numbers_as_trec_eval(ranked: list[str], grades: dict[str, int], cutoff: int) -> None:
    qrels = [ir_measures.Qrel("q", document, grade) for document, grade in grades.items()]
    run = [ir_measures.ScoredDoc("q", document, float(-rank)) for rank, document in enumerate(ranked)]
    theirs = [
        ir_measures.Success(rel=2) @ cutoff,
        ir_measures.RR(rel=2) @ cutoff,
        ir_measures.R(rel=2) @ cutoff,
        ir_measures.nDCG @ cutoff,
    ]
    expected = ir_measures.calc_aggregate(theirs, qrels, run) if run else dict.fromkeys(theirs, 0.0)
    for ours, their in zip(OURS, theirs, strict=True):
        assert ours(ranked, grades, cutoff) == pytest.approx(expected[their], abs=1e-4), str(their)
    bpref, judged = ir_measures.Bpref(rel=2), ir_measures.Judged @ cutoff
    expected = ir_measures.calc_aggregate([bpref, judged], qrels, run) if run else {bpref: 0.0, judged: 0.0}
    assert metrics.bpref(ranked, grades) == pytest.approx(expected[bpref], abs=1e-4)
    assert metrics.judged(ranked, grades, cutoff) == pytest.approx(expected[judged], abs=1e-4)


@given(rankings, judgements, st.lists(st.integers(0, 12), max_size=6))
def test_bpref_ignores_what_nobody_judged(ranked: list[str], grades: dict[str, int], places: list[int]) -> None:
    longer = list(ranked)
    for number, place in enumerate(places):
        longer.insert(min(place, len(longer)), f"unjudged {number}")
    assert metrics.bpref(longer, grades) == metrics.bpref(ranked, grades)


def test_holes_worked_by_hand() -> None:
    """Two expected symbols, one of them below one of two wrong ones: 1 and 1 - 1/2; half of the hits are judged."""
    ranked, grades = ["a", "new", "x", "b", "newer", "newest"], {"a": 3, "b": 2, "x": 0, "y": 1}
    assert metrics.bpref(ranked, grades) == pytest.approx((1 + 0.5) / 2)
    assert metrics.judged(ranked, grades, 10) == 0.5


@given(rankings, judgements, cutoffs)
def test_what_is_found_stays_found_further_down(ranked: list[str], grades: dict[str, int], cutoff: int) -> None:
    for measure in (metrics.hit, metrics.reciprocal_rank, metrics.recall):
        assert measure(ranked, grades, cutoff) <= measure(ranked, grades, cutoff + 1)


@given(judgements.filter(lambda grades: max(grades.values(), default=0) >= 2), rankings)
def test_the_best_order_scores_one(grades: dict[str, int], others: list[str]) -> None:
    ideal = sorted(grades, key=lambda document: -grades[document])
    ranked = ideal + [document for document in others if document not in grades]
    for measure in OURS:
        assert measure(ranked, grades, 12) == pytest.approx(1.0)


@given(rankings, judgements, st.data())
def test_moving_something_right_up_never_harms(ranked: list[str], grades: dict[str, int], data: st.DataObject) -> None:
    given_ = [grades.get(document, 0) for document in ranked]
    right = [place for place in range(1, len(ranked)) if given_[place] >= max(2, given_[place - 1])]
    if not right:
        return
    place = data.draw(st.sampled_from(right))
    moved = [*ranked[: place - 1], ranked[place], ranked[place - 1], *ranked[place + 1 :]]
    for measure in OURS:
        assert measure(moved, grades, 12) >= measure(ranked, grades, 12) - 1e-12


@given(rankings, judgements, cutoffs)
def test_names_do_not_matter(ranked: list[str], grades: dict[str, int], cutoff: int) -> None:
    renamed = {document: f"other {document}" for document in {*ranked, *grades}}
    for measure in OURS:
        assert measure(
            [renamed[each] for each in ranked], {renamed[k]: v for k, v in grades.items()}, cutoff
        ) == measure(ranked, grades, cutoff)


def test_measures_worked_by_hand() -> None:
    ranked, grades = ["x", "b", "a"], {"a": 2, "b": 1}
    assert metrics.first_rank(ranked, grades) == 3
    assert metrics.reciprocal_rank(ranked, grades, 10) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(ranked, grades, 2) == 0.0
    assert metrics.recall(ranked, grades, 3) == 1.0
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    assert metrics.ndcg(ranked, grades, 10) == pytest.approx((1 / math.log2(3) + 2 / math.log2(4)) / ideal)
    steep = {each: 2**grade - 1 for each, grade in grades.items()}
    assert metrics.ndcg(ranked, grades, 10, exponential=True) == metrics.ndcg(ranked, steep, 10)


def test_nothing_demanded_and_nothing_found() -> None:
    for measure in OURS:
        assert measure([], {"a": 2}, 5) == 0.0
        assert measure(["a"], {}, 5) == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.floats(0.01, 1.0))
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(values: list[float], share: float) -> None:
    found = metrics.percentile(values, share)
    assert found in values
    assert sum(1 for value in values if value <= found) >= share * len(values) - 1e-9
    smaller = [value for value in values if value < found]
    assert len(smaller) < share * len(values) + 1e-9


def test_of_nothing_there_is_no_mean() -> None:
    assert math.isnan(metrics.mean([]))
    assert math.isnan(metrics.percentile([], 0.5))


# --------------------------------------------------------------------------- chance

differences = st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), max_size=40)


@given(differences)
def test_chance_is_a_probability_and_blind_to_sides(values: list[float]) -> None:
    chance = randomisation_test(values)
    assert 0.0 < chance.p_value <= 1.0
    turned = randomisation_test([-value for value in values])
    assert turned.p_value == pytest.approx(chance.p_value, abs=0.03)
    assert randomisation_test([*values, 0.0, 0.0]) == chance


@given(st.lists(st.sampled_from([-0.5, -0.25, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
def test_few_differences_are_counted_out(values: list[float]) -> None:
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True))
        for signs in product((1, -1), repeat=len(values))
    ]
    share = sum(1 for total in sums if abs(total) >= abs(sum(values)) - 1e-12) / len(sums)
    chance = randomisation_test(values)
    assert chance.exact
    assert chance.trials == len(sums)
    assert chance.p_value == pytest.approx(share)


def test_many_differences_are_sampled_the_same_way_each_time() -> None:
    values = [0.1 * (number % 7) - 0.25 for number in range(60)]
    assert randomisation_test(values) == randomisation_test(values)
    clear = randomisation_test([0.2] * 30)
    assert not clear.exact
    assert clear.p_value == pytest.approx(1 / (TRIALS + 1))
