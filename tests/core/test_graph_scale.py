"""Work grows with the input, not with its square: measured in values moved and nodes made, never in seconds."""

from __future__ import annotations

import pytest

from codeexplore.languages.python.resolve import rules
from codeexplore.resolution.solve_family import FamilyAnalysis
from tests.graph_sources import facts_of, graph_of


def work(source: str) -> tuple[int, int]:
    """Return the steps of the solver, and the constraint variables that were made."""
    solver = FamilyAnalysis(facts_of({"m.py": source}), rules()).evaluator.solver
    return solver.work.steps, len(solver.values)


def _calls(n: int) -> str:
    return "".join(f"def f{i}(x):\n    x.a.b()\n    return f{(i * 7) % n}(x)\n" for i in range(n))


def _callbacks(n: int) -> str:
    functions = "".join(f"def f{i}(): pass\n" for i in range(n))
    return functions + "def run(g): return g()\n" + "".join(f"run(f{i})\n" for i in range(n))


def _strings(n: int) -> str:
    lines = "".join("    s = s.strip().replace('a', 'b').upper()\n    t = [s, t, t]\n" for _ in range(n))
    return f"def f(s, t):\n    for x in s:\n{lines.replace('    ', '        ')}"


def _classes(n: int) -> str:
    head = "class C0:\n    def f(self): return self.g()\n    def g(self): return self\n"
    return head + "".join(f"class C{i}(C{i // 2}):\n    def g(self): return C{i - 1}().f()\n" for i in range(1, n))


@pytest.mark.parametrize("shape", [_calls, _callbacks, _strings, _classes])
def test_twice_the_input_is_about_twice_the_work(shape) -> None:  # type: ignore[no-untyped-def]
    steps, nodes = work(shape(100))
    steps_twice, nodes_twice = work(shape(200))
    assert nodes_twice <= 2.3 * nodes
    assert steps_twice <= 3 * steps + 200


def test_a_generated_file_of_many_lines() -> None:
    source = "class A:\n    def f(self): pass\n" + "".join(f"A().f()\nx{i} = A()\nx{i}.f()\n" for i in range(3000))
    graph = graph_of({"m.py": source})
    edge = next(e for e in graph.edges if e.kind == "CALLS" and e.target.endswith("A.f"))
    assert len(edge.sites) == 6000
