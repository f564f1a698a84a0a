"""PageRank of the graph, and personalised PageRank around seeds."""

from __future__ import annotations

import pytest

from codeexplore.graph.model import CodeGraph, _pagerank
from codeexplore.graph.traversal import RELATING, walk
from codeexplore.types import settings
from tests.graph_sources import graph_of

SOURCE = """
    def core(): pass
    def near(): core()
    def far(): near()
    def a(): core()
    def b(): core()
    def c(): core()
    class Shape: pass
    class Circle(Shape): pass
    def draw(x: Shape): core()
    """


@pytest.fixture(scope="module")
def graph() -> CodeGraph:
    return graph_of({"m.py": SOURCE})


def vertex(graph: CodeGraph, name: str) -> int:
    return graph.vertex(graph.catalog.resolve(name).id)


def test_pagerank_adds_up_and_prefers_what_is_called(graph: CodeGraph) -> None:
    ranks = graph.ranks
    assert sum(ranks) == pytest.approx(1.0)
    assert max(range(len(ranks)), key=ranks.__getitem__) == vertex(graph, "core")
    by_id = graph.importance
    assert by_id[graph.catalog.resolve("core").id] == 1.0
    assert all(0.0 <= value <= 1.0 for value in by_id.values())


def test_weights_follow_the_settings_and_confidence(graph: CodeGraph) -> None:
    for edge, weight in zip(graph.edges, graph.weights, strict=True):
        key = edge.kind
        if edge.kind == "CONTAINS" and graph.catalog.symbol(edge.source).kind == "module":
            key = "MODULE"
        elif edge.kind == "USES" and edge.manner == "type":
            key = "USES_TYPE"
        assert weight == pytest.approx(settings.EDGE_WEIGHTS[key] * edge.confidence, abs=1e-6)


def test_personalised_pagerank_is_nearest_at_its_seed(graph: CodeGraph) -> None:
    seed = vertex(graph, "near")
    walked = walk(graph, {seed: 1.0}, RELATING["around"], depth=2)
    vertices = list(walked.depth)
    near = dict(zip(vertices, graph.personalised(vertices, walked.rows, walked.seeds), strict=True))
    assert sum(near.values()) == pytest.approx(1.0)
    assert near[vertex(graph, "far")] > near[vertex(graph, "a")]


def test_a_walk_from_nowhere_is_refused(graph: CodeGraph) -> None:
    with pytest.raises(ValueError, match="at least one vertex to start from"):
        graph.personalised([0, 1], [], {})


class Ranks:
    """What igraph gives, off by as little as from process to process."""

    def __init__(self, by: float) -> None:
        self.by = by

    def personalized_pagerank(self, **_: object) -> list[float]:
        return [value * (1.0 + self.by) for value in (0.1, 0.02, 0.0, 0.5, 1 / 3)]


@pytest.mark.parametrize("by", [1e-15, -1e-15, 1e-13])
def test_bits_in_which_processes_differ_are_cut(by: float) -> None:
    assert _pagerank(Ranks(by), [], None) == _pagerank(Ranks(0.0), [], None)
    assert _pagerank(Ranks(by), [], None) == pytest.approx([0.1, 0.02, 0.0, 0.5, 1 / 3], rel=1e-10)
    assert _pagerank(Ranks(1e-8), [], None) != _pagerank(Ranks(0.0), [], None)
