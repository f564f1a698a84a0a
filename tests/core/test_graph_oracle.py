"""Walks, paths and cycles over random small programs, held against networkx."""

from __future__ import annotations

import math
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.graph import queries
from codeexplore.graph.model import CodeGraph, pagerank_of
from codeexplore.graph.surveys import Cycles
from codeexplore.graph.traversal import PathSearch
from tests.graph_sources import graph_of

CALLS = st.integers(2, 8).flatmap(
    lambda n: st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=16).map(lambda e: (n, e))
)


def program(n: int, calls: set[tuple[int, int]]) -> tuple[CodeGraph, nx.DiGraph]:
    """A module of n functions that call each other, as a code graph and as networkx's."""
    bodies = {a: [b for x, b in sorted(calls) if x == a] for a in range(n)}
    source = "".join(f"def f{a}():\n    pass\n" + "".join(f"    f{b}()\n" for b in bodies[a]) for a in range(n))
    known = nx.DiGraph()
    known.add_nodes_from(range(n))
    known.add_edges_from(calls)
    return graph_of({"m.py": source}), known


def symbol(number: int) -> str:
    return f"m.py:m.f{number}"


def number(symbol_id: str) -> int:
    return int(symbol_id.rpartition("f")[2] or -1) if ".f" in symbol_id else -1  # -1 is the module


@settings(deadline=None, max_examples=60)
@given(CALLS)
def test_what_callers_and_callees_reach_and_how_far(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    graph, known = program(*drawn)
    for relation, oracle in (("callers", known.reverse()), ("callees", known)):
        answer = queries.walk(graph, relation, [symbol(0)], depth=99)
        expected = nx.single_source_shortest_path_length(oracle, 0)
        assert {number(r.symbol_id): r.depth for r in answer.reached} == expected
        inside = {(number(e.source), number(e.target)) for e in answer.edges}
        assert inside == {(a, b) for a, b in known.edges if a in expected and b in expected}


@settings(deadline=None, max_examples=60)
@given(CALLS, st.data())
def test_uncertain_paths_are_found_with_the_edges_of_the_likeliest(
    drawn: tuple[int, set[tuple[int, int]]], data: st.DataObject
) -> None:
    graph, known = program(*drawn)
    sure: dict[tuple[int, int], float] = {}
    for row, edge in enumerate(graph.edges):
        if edge.kind == "CALLS":
            confidence = data.draw(st.sampled_from([0.25, 0.5, 0.75, 1.0]))
            graph.edges.confidence[row] = sure[number(edge.source), number(edge.target)] = confidence
    ways = [[sure[step] for step in pairwise(path)] for path in nx.all_simple_paths(known, 0, 1)]
    found = PathSearch(graph).weaker_paths(symbol(0), symbol(1), 10_000)
    if not ways:
        assert not found
        return
    weakest = max((math.prod(way), min(way)) for way in ways)[1]
    assert sorted([edge.confidence for edge in path.edges] for path in found) == sorted(
        way for way in ways if min(way) >= weakest
    )


@settings(deadline=None, max_examples=60)
@given(CALLS)
def test_all_simple_paths_shortest_first(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    graph, known = program(*drawn)
    expected = sorted(nx.all_simple_paths(known, 0, 1), key=lambda path: (len(path), path))
    search, ends = PathSearch(graph), (symbol(0), symbol(1))
    found = search.paths(*ends, limit=10_000) or search.paths_beside(*ends, limit=10_000)
    ways = [[number(each) for each in path.symbol_ids] for path in found]
    if expected:
        assert sorted(ways, key=lambda path: (len(path), path)) == expected
        assert [len(way) for way in ways] == sorted(len(way) for way in ways)
        (shortest,) = search.paths(*ends, limit=1)
        assert len(shortest.symbol_ids) == nx.shortest_path_length(known, 0, 1) + 1
    elif nx.has_path(known, 1, 0):
        back = [path[::-1] for path in nx.all_simple_paths(known, 1, 0)]
        assert sorted(ways) == sorted(back)
    else:
        assert all(edge.kind != "CALLS" or known.has_edge(*map(number, (edge.source, edge.target)))
                   for path in found for edge in path.edges)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(CALLS)
def test_cycles_are_the_strong_components_each_with_a_real_and_shortest_cycle(
    drawn: tuple[int, set[tuple[int, int]]],
) -> None:
    graph, known = program(*drawn)
    cycles = Cycles(graph)
    expected = {frozenset(part) for part in nx.strongly_connected_components(known) if len(part) > 1}
    found = cycles.found()
    assert {frozenset(map(number, cycle.members)) for cycle in found} == expected
    assert [len(cycle.members) for cycle in found] == sorted((len(part) for part in expected), reverse=True)
    for cycle in found:
        way = [number(each) for each in cycle.path.symbol_ids]
        assert way[0] == way[-1] == number(cycle.members[0])
        assert len(set(way[:-1])) == len(way) - 1
        assert [(number(e.source), number(e.target)) for e in cycle.path.edges] == list(pairwise(way))
        inside = known.subgraph(way[:1] + [number(each) for each in cycle.members])
        steps = [
            nx.shortest_path_length(inside, after, way[0]) for after in inside.successors(way[0]) if after != way[0]
        ]
        assert len(way) - 1 == 1 + min(steps)
    assert {number(each) for each in cycles.recursive()} == set(nx.nodes_with_selfloops(known))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.0, 0.25, 0.9, 1.0])), max_size=24),
)
def test_pagerank_is_what_networkx_finds(n_vertices: int, drawn: list[tuple[int, int, float]]) -> None:
    """Several edges between two vertices, edges to oneself, edges that carry nothing, vertices that lead nowhere."""
    kept = [(a, b, weight) for a, b, weight in drawn if a < n_vertices and b < n_vertices]
    whole = nx.DiGraph()
    whole.add_nodes_from(range(n_vertices))
    for a, b, weight in kept:
        whole.add_edge(a, b, weight=whole.get_edge_data(a, b, {"weight": 0.0})["weight"] + weight)
    wanted = nx.pagerank(whole, tol=1e-13, max_iter=1000)
    found = pagerank_of(n_vertices, [(a, b) for a, b, _ in kept], [weight for _, _, weight in kept])
    assert sum(found) == pytest.approx(1.0)
    assert found == pytest.approx([wanted[vertex] for vertex in range(n_vertices)], rel=1e-7)
