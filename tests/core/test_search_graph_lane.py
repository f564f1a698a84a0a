"""The graph lane: from seeds along a relation to chunks, with the path that led to each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from codeexplore.graph.build.resolve import build_graph
from codeexplore.search.lanes.graph import GraphLane
from codeexplore.syntax.chunking import context_of
from codeexplore.types import Chunk, QueryPlan, Relation, Seed
from tests.doubles import make_catalog
from tests.graph_sources import facts_of

SOURCE = """
    class Item:
        def tax(self): pass
        def total(self): return self.tax()
    def checkout(item: Item): item.total()
    def refund(): checkout(Item())
    def guess(x): x.tax()
    def lonely(): pass
    """


@pytest.fixture(scope="module")
def lane() -> GraphLane:
    facts = facts_of({"m.py": SOURCE})
    symbols = [symbol for file in facts for symbol in file.symbols]
    own = [s for s in symbols if s.kind not in ("field", "lambda")]
    chunks = [Chunk(f"chunk {s.fqn}", s.path, (s.span,), "", "python", s.id, context_of(s)) for s in own]
    catalog = make_catalog(symbols, chunks)
    return GraphLane(catalog, build_graph(catalog, facts))


def plan(lane: GraphLane, name: str, relation: Relation | None, depth: int = 1, target: str = "") -> QueryPlan:
    seeds = (Seed(lane.catalog.resolve(name).id, "name"),) if name else ()
    targets = (Seed(lane.catalog.resolve(target).id, "name"),) if target else ()
    return QueryPlan("q", "structural", (), relation=relation, depth=depth, seeds=seeds, targets=targets)


def names(lane: GraphLane, asked: QueryPlan) -> list[str]:
    return [hit.chunk_id.rpartition(".")[2] for hit in lane.retrieve(asked, 50)]


def test_nearer_first_and_possible_ones_last(lane: GraphLane) -> None:
    assert names(lane, plan(lane, "Item.tax", "callers", 3)) == ["total", "checkout", "refund", "guess"]


def test_ranks_count_from_one_and_scores_fall(lane: GraphLane) -> None:
    hits = lane.retrieve(plan(lane, "Item.tax", "callers", 3), 50)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert len({hit.chunk_id for hit in hits}) == len(hits)


def test_without_a_relation_the_seed_itself_comes_first(lane: GraphLane) -> None:
    found = names(lane, plan(lane, "Item.total", None))
    assert found[0] == "total"
    assert set(found[1:]) >= {"tax", "checkout"}


def test_pool_and_mask_limit_the_hits(lane: GraphLane) -> None:
    asked = plan(lane, "Item.tax", "callers", 3)
    assert len(lane.retrieve(asked, 2)) == 2
    allowed = np.ones(len(lane.catalog.chunks), dtype=bool)
    allowed[lane.catalog.chunk_row("chunk m.checkout")] = False
    assert "chunk m.checkout" not in [hit.chunk_id for hit in lane.retrieve(asked, 50, allowed)]
    assert not lane.retrieve(asked, 50, np.zeros(len(lane.catalog.chunks), dtype=bool))


def test_no_seed_no_hit(lane: GraphLane) -> None:
    assert lane.retrieve(plan(lane, "", "callers"), 50) == []
    assert lane.way(plan(lane, "", "callers"), "chunk m.checkout") is None


def test_every_hit_shows_its_path(lane: GraphLane) -> None:
    asked = plan(lane, "Item.tax", "callers", 3)
    seed = asked.seeds[0].symbol_id
    for hit in lane.retrieve(asked, 50):
        path = lane.way(asked, hit.chunk_id)
        assert path is not None
        assert path.symbol_ids[0] == seed
        assert lane.catalog.chunk_for(path.symbol_ids[-1]) == lane.catalog.chunk(hit.chunk_id)
        assert len(path.edges) == len(path.symbol_ids) - 1
    assert lane.way(asked, "chunk m.lonely") is None


def test_the_symbols_between_two_ends(lane: GraphLane) -> None:
    asked = plan(lane, "refund", "path", target="Item.tax", depth=3)
    assert names(lane, asked) == ["refund", "checkout", "total", "tax"]
    found = lane.between(asked)
    assert found is not None
    assert found.absence is None
    short = lane.between(replace(asked, depth=2))
    assert short is not None
    assert short.absence is not None
    assert short.absence.kind == "possible"
    path = lane.way(asked, "chunk m.checkout")
    assert path is not None
    assert len(path.symbol_ids) == 4


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_impact_keeps_to_its_depth_by_paths_of_as_many_edges_as_it_says(lane: GraphLane, depth: int) -> None:
    asked = plan(lane, "Item.tax", "impact", depth=depth)
    hits = lane.retrieve(asked, 50)
    found = lane.extent(asked)
    assert [found.certain, found.possible] == [depth, 1]
    for hit in hits[: found.certain]:
        path, (share,) = lane.way(asked, hit.chunk_id), lane.shares(asked, hit.chunk_id)
        assert path is not None
        assert len(path.edges) == share.distance <= depth
        steps = zip(path.edges, path.symbol_ids, path.symbol_ids[1:], strict=False)
        assert all((edge.target, edge.source) == (a, b) for edge, a, b in steps)


def test_a_lonely_symbol_has_no_callers(lane: GraphLane) -> None:
    assert names(lane, plan(lane, "lonely", "callers")) == []
