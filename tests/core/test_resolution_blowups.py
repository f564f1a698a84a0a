"""Constructs that multiply: edges and steps grow with the source, not with its square, and what was left out is told.

Steps and edges are counted, never seconds; `benchmarks/blowups.py` measures those on whole loads.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.graph.build import edge_writer
from codeexplore.graph.build.edge_writer import DeclarationEdges
from codeexplore.graph.build.other_targets import Dispatch
from codeexplore.graph.build.resolve import resolve
from codeexplore.languages import registry
from codeexplore.resolution import evaluator as type_tests
from codeexplore.resolution import solver as work_limit
from codeexplore.resolution.solver import MAX_VALUES
from codeexplore.types import FileFacts
from tests.git_repos import write
from tests.graph_sources import facts_of, graph_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import blowup_sources  # noqa: E402 - from the folder above
import blowups  # noqa: E402

replaces_names = pytest.mark.skipif(
    not str(type_tests.__file__).endswith(".py"), reason="compiled modules do not look up their own names again"
)

ENOUGH = 80
"""More than any limit on the definitions of a name and the values of a node."""

LIMITED = (
    "python_redefined_class", "python_conditional_functions", "python_overloads", "python_one_field",
    "python_annotated_union", "python_branches", "python_excluded_types", "javascript_redeclared_function",
    "javascript_reassigned_members",
    "typescript_merged_interface", "typescript_overloads", "rust_conditional_functions", "java_overloads",
    "java_typed_overloads", "cpp_overloads", "csharp_partial_class", "ruby_reopened_class", "php_conditional_functions",
    "swift_extensions",
)  # fmt: skip


def made(name: str, number: int) -> list[FileFacts]:
    """The facts of a generator's files."""
    files = blowup_sources.GENERATORS[name](number)
    return facts_of({path: text for path, text in files.items() if registry.by_path(path) is not None})


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> list[work_limit.Work]:
    """The counts of the steps of every resolution that follows."""
    made: list[work_limit.Work] = []

    class Counted(work_limit.Work):
        def __init__(self, facts: int) -> None:
            super().__init__(facts)
            made.append(self)

    monkeypatch.setattr("codeexplore.resolution.program.Work", Counted)
    return made


@replaces_names
@pytest.mark.parametrize("name", LIMITED)
def test_edges_and_steps_grow_with_the_source(name: str, works: list[work_limit.Work]) -> None:
    found = [resolve(made(name, times * ENOUGH)) for times in (1, 2, 3)]
    for counts in (
        [len(each.edges) for each in found],
        [len(each.unresolved) for each in found],
        [each.steps for each in works],
    ):
        assert counts[2] - counts[1] <= 1.2 * (counts[1] - counts[0]) + 100
    assert not any(each.is_spent for each in works)


@pytest.mark.parametrize("name", blowup_sources.GENERATORS)
def test_every_construct_can_be_resolved(name: str) -> None:
    assert resolve(made(name, 20)).notes == ()


def test_of_many_definitions_the_first_ones_and_the_last_are_called() -> None:
    source = "".join(f"def act(x):\n    return {n}\n" for n in range(MAX_VALUES + 20)) + "def use():\n    act(1)\n"
    graph = graph_of({"m.py": source})
    lines = {graph.catalog.symbol(edge.target).line for edge in graph.edges if edge.kind == "CALLS"}
    assert len(lines) == MAX_VALUES
    assert {1, 3, 2 * (MAX_VALUES + 19) + 1} < lines
    assert [reference.name for reference in graph.unresolved] == ["act"]
    assert graph.notes[0].startswith(f"python: names with more than {MAX_VALUES} definitions")
    assert graph.notes[0].endswith(": act")


def test_a_type_declared_very_often_is_one_type_with_all_members() -> None:
    graph = graph_of(blowup_sources.GENERATORS["typescript_merged_interface"](MAX_VALUES + 1))
    called = [edge for edge in graph.edges if edge.kind == "CALLS"]
    assert len(called) == 2 * (MAX_VALUES + 1)
    assert all(edge.confidence >= 0.9 for edge in called)


def test_modules_that_reexport_each_other_600_deep_are_resolved() -> None:
    resolution = resolve(facts_of(blowup_sources.GENERATORS["python_star_chain"](600)))
    assert any("star imports of star imports: act0" in note for note in resolution.notes)


@replaces_names
def test_a_call_with_too_many_targets_stays_among_the_unresolved(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = blowup_sources.GENERATORS["python_wide_base"](40)
    assert resolve(facts_of(sources)).notes == ()
    monkeypatch.setattr(edge_writer, "MAX_TARGETS", 30)
    graph = graph_of(sources)
    assert graph.notes == ("python: calls with too many targets, of which only the first have edges: run",)
    assert {reference.name for reference in graph.unresolved} == {"run"}
    assert (
        max(sum(edge.source == source for edge in graph.edges if edge.kind == "CALLS") for source in graph.edges.ids)
        == 30
    )


@replaces_names
def test_a_family_makes_no_more_uses_than_its_facts_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_writer, "LEAST_USES", 100)
    monkeypatch.setattr(edge_writer, "USES_PER_FACT", 0)
    graph = graph_of(blowup_sources.GENERATORS["python_wide_base"](40))
    assert sum(edge.kind == "CALLS" for edge in graph.edges) < 100 + 40 * 9
    assert len(graph.unresolved) > 30


@replaces_names
def test_no_absence_is_certain_once_all_steps_are_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class A:\n    def _lonely(self): pass\n\n\ndef use(x: A):\n    y = x\n    return y\n\n\nuse(A())\n"
    write(tmp_path, {"m.py": source})
    whole = Workspace(tmp_path, cache=False)
    assert whole.callers("_lonely").absence.text.startswith("No callers in this repository")
    assert len(whole.dead_code().items) == 1
    monkeypatch.setattr(work_limit, "LEAST_STEPS", 0)
    monkeypatch.setattr(work_limit, "STEPS_PER_FACT", 0)
    ws = Workspace(tmp_path, cache=False)
    (note,) = ws.summary.warnings
    assert note == "python: the limit of 0 steps was reached; edges may be missing anywhere"
    assert f"There may be some: {note}" in ws.callers("_lonely").absence.text
    assert f"There may be some: {note}" in ws.callees("_lonely").absence.text
    assert note in ws.hubs().notes
    assert not ws.dead_code().items
    assert len(ws.search("lonely").hits) > 0


@replaces_names
def test_types_below_one_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each type of a ladder has all those further down below it, with a method each that a call may run."""
    looked: list[int] = []
    has_instances = Dispatch._has_instances

    def counted(self: Dispatch, cls: int) -> bool:
        looked.append(cls)
        return has_instances(self, cls)

    monkeypatch.setattr(Dispatch, "_has_instances", counted)
    resolve(made("java_interface_ladder", ENOUGH))
    assert ENOUGH < len(looked) <= 2 * ENOUGH * ENOUGH  # interfaces and classes, and what is below each


@replaces_names
def test_methods_of_interfaces_that_embed_each_other_are_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[int, int] = {}
    asked_of = DeclarationEdges._asked_of

    def counted(self: DeclarationEdges, cls: int) -> Mapping[str, Mapping[int, None]]:
        found = asked_of(self, cls)
        kept[cls] = sum(map(len, found.values()))
        return found

    monkeypatch.setattr(DeclarationEdges, "_asked_of", counted)
    resolve(made("go_embedded_interfaces", ENOUGH))
    assert sum(kept.values()) == ENOUGH  # of the one type that has them all


def test_a_chain_of_types_may_be_longer_than_the_stack() -> None:
    resolve(made("go_defined_types", 2_000))


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30))), st.integers(0, 70))
def test_of_the_tests_on_a_line_the_innermost_comes_first(spans: list[tuple[int, int]], line: int) -> None:
    added = [type_tests.TypeTest(first, first + length, place) for place, (first, length) in enumerate(spans)]
    tests = sorted(added, key=lambda test: test.first)
    held = [test for test in tests if test.first <= line <= test.last]
    assert list(type_tests.holding(tests, line)) == held[::-1]


def test_a_name_that_is_tested_often_has_each_type_where_its_test_holds() -> None:
    graph = graph_of(blowup_sources.GENERATORS["python_tested_name"](ENOUGH))
    called = [edge for edge in graph.edges if edge.kind == "CALLS" and edge.confidence >= 0.9]
    assert len(called) == ENOUGH


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of a child's processor time are POSIX")
def test_the_benchmark_measures_loads_of_growing_sources(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = blowups.run(["python_overloads"], base=3, doublings=1, limit=60.0)
    small, large = row["figures"]
    assert small["bytes"] < large["bytes"]
    assert (small["symbols"], large["symbols"]) == (1 + 2 * 3 + 1, 1 + 2 * 6 + 1)
    assert set(row["exponents"]) == {"seconds", "edges", "peak_mb"}
    assert "| python_overloads | " in capsys.readouterr().out
    flat = {"bytes": 100, "seconds": 1.0, "edges": 1, "peak_mb": 50.0}
    steep = {"bytes": 200, "seconds": 5.0, "edges": 1, "peak_mb": 50.0}
    assert blowups.exponents(flat, steep, flat | {"seconds": 0.0})["seconds"] == pytest.approx(2.32, abs=0.01)
