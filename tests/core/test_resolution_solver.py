"""The worklist: values flow until nothing changes, evidence only improves, and nothing grows without bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.resolution import solver as h
from codeexplore.resolution.solver import PointsToSolver, Work

UNTOLD = 6


def solver_of(nodes: int, kinds: list[int] | None = None) -> PointsToSolver:
    solver = PointsToSolver(range(1000), kinds or [0] * 1000, UNTOLD, Work(0))
    for _ in range(nodes):
        solver.node()
    return solver


def test_values_flow_along_copies_made_before_and_after() -> None:
    solver = solver_of(3)
    solver.add_flow(1, 2)
    solver.add(1, 7, h.SCOPE)
    solver.solve()
    solver.add_flow(2, 3, h.TYPE)
    solver.solve()
    assert solver.points_to(2) == {7: h.SCOPE}
    assert solver.points_to(3) == {7: h.TYPE}


def test_better_evidence_replaces_worse_and_goes_on() -> None:
    solver = solver_of(2)
    solver.add_flow(1, 2)
    solver.add(1, 7, h.FLOW)
    solver.solve()
    solver.add(1, 7, h.SELF)
    solver.add(1, 7, h.RETURN)
    solver.solve()
    assert solver.points_to(2) == {7: h.SELF}


def test_cycles_come_to_rest() -> None:
    solver = solver_of(3)
    for source, target in ((1, 2), (2, 3), (3, 1)):
        solver.add_flow(source, target)
    solver.add(1, 5, h.SCOPE)
    assert solver.solve()
    assert all(solver.points_to(node) == {5: h.SCOPE} for node in (1, 2, 3))


def test_nothing_flows_into_or_out_of_the_dead_node() -> None:
    solver = solver_of(1)
    solver.add(h.UNKNOWN, 5, h.SCOPE)
    solver.add_flow(h.UNKNOWN, 1)
    solver.add(1, 6, h.SCOPE)
    solver.add_flow(1, h.UNKNOWN)
    solver.solve()
    assert solver.points_to(h.UNKNOWN) == {}
    assert solver.points_to(1) == {6: h.SCOPE}


def test_weak_values_are_capped() -> None:
    solver = solver_of(1, [h.INST] * 1000)
    for entity in range(h.MAX_WEAK_VALUES + 10):
        solver.add(1, entity, h.FLOW)
    solver.add(1, 900, h.SCOPE)
    held = solver.points_to(1)
    assert held is not None
    assert len(held) == h.MAX_WEAK_VALUES + 1


def test_a_table_of_functions_takes_more_of_them_and_nothing_else() -> None:
    solver = solver_of(2, [h.FUNC] * 100 + [h.INST] * 100)
    solver.add_flow(2, 1, h.FLOW)
    for entity in range(100):
        solver.add(1, entity, h.FLOW)
        solver.add(2, 100 + entity, h.FLOW)
        if entity == h.MAX_WEAK_VALUES:
            solver.solve()
    solver.solve()
    held = solver.points_to(1)
    assert len(held) == h.MAX_VALUES
    assert sum(entity < 100 for entity in held) > h.MAX_WEAK_VALUES


def test_outside_names_are_not_passed_on_as_arguments() -> None:
    solver = solver_of(1, [UNTOLD] * 10)
    solver.add(1, 3, h.FLOW)
    assert solver.points_to(1) == {}


def test_the_work_limit_ends_a_run() -> None:
    solver = solver_of(50)
    for node in range(1, 50):
        solver.add_flow(node, node + 1)
    solver.add(1, 5, h.SCOPE)
    solver.work.limit = 10
    assert not solver.solve()
    assert solver.work.is_spent
    assert solver.points_to(40) == {}


def test_strong_values_are_capped_and_told() -> None:
    solver = solver_of(1)
    for entity in range(h.MAX_VALUES + 10):
        solver.add(1, entity, h.SCOPE)
    assert list(solver.points_to(1)) == list(range(h.MAX_VALUES))
    assert solver.refused == set(range(h.MAX_VALUES, h.MAX_VALUES + 10))


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(0, 7)), max_size=30),
    st.lists(st.tuples(st.integers(1, 8), st.integers(0, 5), st.integers(0, 7)), max_size=12),
)
def test_the_order_of_adding_does_not_matter(
    copies: list[tuple[int, int, int]], values: list[tuple[int, int, int]]
) -> None:
    first, second = solver_of(8), solver_of(8)
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
    assert [first.points_to(node) for node in range(9)] == [second.points_to(node) for node in range(9)]


def test_what_is_not_told_is_kept_only_where_it_is_not_wrapped() -> None:
    solver = solver_of(2, [UNTOLD] * 1000)
    solver.add(1, 5, h.WRAPPED)
    solver.add(2, 5, h.WRAPPED - 1)
    assert (solver.points_to(1), solver.points_to(2)) == ({}, {5: h.WRAPPED - 1})


def test_a_frozen_solver_still_returns_its_values() -> None:
    solver = solver_of(1)
    solver.add(1, 5, h.SCOPE)
    solver.solve()
    solver.freeze()
    told: list[tuple[int, int]] = []
    solver.on_value(1, (lambda _, entity, evidence: told.append((entity, evidence)),))
    assert told == [(5, h.SCOPE)]
