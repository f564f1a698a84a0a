"""The call graph of the sample repositories beside their hand-checked truth."""

from __future__ import annotations

import pytest

from tests import sample_truth
from tests.sample_truth import score

FLOORS = {  # repository → (recall, precision) of resolved calls; what is missing is listed when a floor breaks
    "webshop": (0.99, 0.98),
    "chatservice": (0.985, 0.97),
    "jobworker": (0.99, 0.97),
    "ledger": (0.975, 0.98),
}
RELATIONS = {  # the same for relations between types
    "webshop": 0.9,
    "chatservice": 1.0,
    "jobworker": 1.0,
    "ledger": 1.0,
}


@pytest.mark.parametrize("repository", sample_truth.REPOSITORIES)
def test_calls_are_found_and_true(repository: str) -> None:
    recall, precision = FLOORS[repository]
    found = score(repository, "CALLS")
    assert found.recall >= recall, found.report()
    assert found.precision >= precision, found.report()


@pytest.mark.parametrize("kind", ["EXTENDS", "IMPLEMENTS", "OVERRIDES"])
@pytest.mark.parametrize("repository", sample_truth.REPOSITORIES)
def test_types_are_related_as_written(repository: str, kind: str) -> None:
    found = score(repository, kind)
    assert found.recall >= RELATIONS[repository], found.report()
    assert found.precision >= 0.9, found.report()


@pytest.mark.parametrize("repository", sample_truth.REPOSITORIES)
def test_confident_calls_are_true(repository: str) -> None:
    found = score(repository, "CALLS", confidence=0.9)
    assert len(found.found) > 100
    assert found.precision >= 0.985, found.report()


def test_a_report_lists_what_is_missing_and_what_is_wrong() -> None:
    pairs = frozenset({("a.py::f", "a.py::g")}), frozenset({("a.py::f", "b.py::h")})
    made = sample_truth.Score("shop", "CALLS", pairs[0], pairs[1], pairs[0])
    assert (made.recall, made.precision) == (0.0, 0.0)
    assert "missing a.py::f -> a.py::g" in made.report()
    assert "wrong   a.py::f -> b.py::h" in made.report()
