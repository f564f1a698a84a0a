"""The worklist: values flow until nothing changes, evidence only improves, and nothing grows without bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.resolution import solver as h
from codeexplore.resolution.solver import PointsToSolver
from codeexplore.resolution.work_limit import Work

UNTOLD = 6


def heap_of(nodes: int, kinds: list[int] | None = None) -> PointsToSolver:
    heap = PointsToSolver(range(1000), kinds or [0] * 1000, UNTOLD, Work(0))
    for _ in range(nodes):
        heap.node()
    return heap


def test_values_flow_along_copies_made_before_and_after() -> None:
    heap = heap_of(3)
    heap.add_flow(1, 2)
    heap.add(1, 7, h.SCOPE)
    heap.solve()
    heap.add_flow(2, 3, h.TYPE)
    heap.solve()
    assert heap.points_to(2) == {7: h.SCOPE}
    assert heap.points_to(3) == {7: h.TYPE}


def test_better_evidence_replaces_worse_and_goes_on() -> None:
    heap = heap_of(2)
    heap.add_flow(1, 2)
    heap.add(1, 7, h.FLOW)
    heap.solve()
    heap.add(1, 7, h.SELF)
    heap.add(1, 7, h.RETURN)
    heap.solve()
    assert heap.points_to(2) == {7: h.SELF}


def test_cycles_come_to_rest() -> None:
    heap = heap_of(3)
    for source, target in ((1, 2), (2, 3), (3, 1)):
        heap.add_flow(source, target)
    heap.add(1, 5, h.SCOPE)
    assert heap.solve()
    assert all(heap.points_to(node) == {5: h.SCOPE} for node in (1, 2, 3))


def test_nothing_flows_into_or_out_of_the_dead_node() -> None:
    heap = heap_of(1)
    heap.add(h.UNKNOWN, 5, h.SCOPE)
    heap.add_flow(h.UNKNOWN, 1)
    heap.add(1, 6, h.SCOPE)
    heap.add_flow(1, h.UNKNOWN)
    heap.solve()
    assert heap.points_to(h.UNKNOWN) == {}
    assert heap.points_to(1) == {6: h.SCOPE}


def test_weak_values_are_capped_and_counted() -> None:
    heap = heap_of(1)
    for entity in range(h.MAX_WEAK_VALUES + 10):
        heap.add(1, entity, h.FLOW)
    heap.add(1, 900, h.SCOPE)
    held = heap.points_to(1)
    assert held is not None
    assert len(held) == h.MAX_WEAK_VALUES + 1
    assert heap.saturated == 10


def test_outside_names_are_not_passed_on_as_arguments() -> None:
    heap = heap_of(1, [UNTOLD] * 10)
    heap.add(1, 3, h.FLOW)
    assert heap.points_to(1) == {}


def test_the_work_limit_ends_a_run() -> None:
    heap = heap_of(50)
    for node in range(1, 50):
        heap.add_flow(node, node + 1)
    heap.add(1, 5, h.SCOPE)
    heap.work.limit = 10
    assert not heap.solve()
    assert heap.work.is_spent
    assert heap.points_to(40) == {}


def test_strong_values_are_capped_and_told() -> None:
    heap = heap_of(1)
    for entity in range(h.MAX_VALUES + 10):
        heap.add(1, entity, h.SCOPE)
    assert list(heap.points_to(1)) == list(range(h.MAX_VALUES))
    assert heap.refused == set(range(h.MAX_VALUES, h.MAX_VALUES + 10))


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(0, 7)), max_size=30),
    st.lists(st.tuples(st.integers(1, 8), st.integers(0, 5), st.integers(0, 7)), max_size=12),
)
def test_the_order_of_adding_does_not_matter(
    copies: list[tuple[int, int, int]], values: list[tuple[int, int, int]]
) -> None:
    first, second = heap_of(8), heap_of(8)
    for source, target, floor in copies:
        first.add_flow(source, target, floor)
    for node, entity, evidence in values:
        first.add(node, entity, evidence)
    for node, entity, evidence in reversed(values):
        second.add(node, entity, evidence)
    for source, target, floor in reversed(copies):
        second.add_flow(source, target, floor)
    assert first.solve()
    assert second.solve()
    assert first.values == second.values


def test_what_is_not_told_is_kept_only_where_it_is_not_wrapped() -> None:
    heap = heap_of(2, [UNTOLD] * 1000)
    heap.add(1, 5, h.WRAPPED)
    heap.add(2, 5, h.WRAPPED - 1)
    assert (heap.points_to(1), heap.points_to(2)) == ({}, {5: h.WRAPPED - 1})


def test_a_heap_at_rest_still_tells_what_it_holds() -> None:
    heap = heap_of(1)
    heap.add(1, 5, h.SCOPE)
    heap.solve()
    heap.freeze()
    told: list[tuple[int, int]] = []
    heap.on_value(1, (lambda _, entity, evidence: told.append((entity, evidence)),))
    assert told == [(5, h.SCOPE)]
