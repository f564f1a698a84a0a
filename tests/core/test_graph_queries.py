"""Questions to the graph: who calls what, how sure that is, and what an empty answer means."""

from __future__ import annotations

import re
from functools import partial

import pytest

from codeexplore.graph import queries
from codeexplore.graph.build.rules import BY_PROVENANCE, RULES
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import PathSearch
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.types import EDGE_KINDS, Subgraph
from codeexplore.types.errors import QuestionError
from codeexplore.types.settings import RESOLVED_CONFIDENCE
from tests import sample_truth
from tests.graph_sources import graph_of

SHOP = {
    "shop.py": """
        class Store:
            def save(self, x): pass
            def load(self): return Item()
        class MemoryStore(Store):
            def save(self, x): super().save(x)
        class Item:
            def __init__(self, price=0): self.price = price
            def total(self): return self.tax()
            def tax(self): return 1
        def checkout(store: Store, item: Item):
            item.total()
            store.save(item)
        def refund(store: Store):
            checkout(store, store.load())
        def main():
            refund(MemoryStore())
        def loop(n): return loop(n - 1)
        def lonely(): pass
        def _hidden(): pass
        def guess(x): x.tax()
        """,
    "tests/test_shop.py": """
        from shop import Item, checkout
        def test_checkout(): checkout(None, Item(3))
        """,
}


@pytest.fixture(scope="module")
def graph() -> CodeGraph:
    return graph_of(SHOP)


def ids(graph: CodeGraph, *names: str) -> list[str]:
    return [graph.catalog.resolve(name).id for name in names]


def reached(graph: CodeGraph, answer: Subgraph) -> list[tuple[str, int]]:
    return [(graph.catalog.symbol(r.symbol_id).fqn.partition(".")[2], r.depth) for r in answer.reached]


def test_callers_level_by_level(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "callers", ids(graph, "Item.tax"), depth=3)
    assert reached(graph, answer)[0] == ("Item.tax", 0)
    found = dict(reached(graph, answer))
    assert found["Item.total"] == 1
    assert found["checkout"] == 2
    assert found["refund"] == 3
    assert "main" not in found
    depths = [r.depth for r in answer.reached]
    assert depths == sorted(depths)


def test_every_reached_symbol_tells_its_way(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "callers", ids(graph, "Item.tax"), depth=3)
    known = {r.symbol_id: r for r in answer.reached}
    pairs = {(e.source, e.target) for e in answer.edges}
    for item in answer.reached:
        if item.via is not None:
            assert known[item.via].depth == item.depth - 1
            assert (item.symbol_id, item.via) in pairs
            assert item.confidence <= known[item.via].confidence


def test_edges_name_their_rule_and_sites(graph: CodeGraph) -> None:
    (edge,) = [
        e for e in queries.walk(graph, "callers", ids(graph, "Item.tax")).edges if e.source.endswith("Item.total")
    ]
    assert (edge.kind, edge.manner, edge.rule, edge.confidence) == ("CALLS", "call", "self", 1.0)
    assert [(site.path, site.line) for site in edge.sites] == [("shop.py", 9)]


def test_a_call_through_the_base_reaches_the_override(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "callers", ids(graph, "MemoryStore.save"))
    (edge,) = [e for e in answer.edges if e.source.endswith("checkout")]
    assert edge.rule == "override-below"  # said by the annotation, before what values that flow there say as surely
    assert "overrides the method" in RULES[edge.rule].words


def test_a_class_is_called_where_it_is_made(graph: CodeGraph) -> None:
    assert {name for name, _ in reached(graph, queries.walk(graph, "callers", ids(graph, "Item")))[1:]} >= {
        "Store.load"
    }
    assert ("main", 1) in reached(graph, queries.walk(graph, "callers", ids(graph, "MemoryStore")))


def test_tests_can_be_left_out(graph: CodeGraph) -> None:
    seed = ids(graph, "checkout")
    with_tests = {r.symbol_id for r in queries.walk(graph, "callers", seed).reached}
    without = {r.symbol_id for r in queries.walk(graph, "callers", seed, tests=False).reached}
    assert with_tests - without == set(ids(graph, "test_checkout"))


def test_callees_implementors_and_impact(graph: CodeGraph) -> None:
    assert ("Item.total", 1) in reached(graph, queries.walk(graph, "callees", ids(graph, "checkout")))
    assert ("MemoryStore", 1) in reached(graph, queries.walk(graph, "implementors", ids(graph, "Store")))
    assert ("MemoryStore.save", 1) in reached(graph, queries.walk(graph, "implementors", ids(graph, "Store.save")))
    hit = dict(reached(graph, queries.walk(graph, "impact", ids(graph, "Item.tax"))))
    assert hit["main"] == 4
    assert "MemoryStore" in dict(reached(graph, queries.walk(graph, "subclasses", ids(graph, "Store"))))


def test_what_is_possible_by_name_stands_apart(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "callers", ids(graph, "Item.tax"))
    assert "guess" not in dict(reached(graph, answer))
    assert [e.source.rpartition(".")[2] for e in answer.possible] == ["guess"]
    assert answer.absence is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("_hidden", ""),
        ("lonely", "Code outside this repository may use it: its name is public"),
        ("main", "Code outside this repository may use it: its name is public"),
        ("test_checkout", "A test runner finds it by its name or decorator"),
    ],
)
def test_absence_is_told_in_words(graph: CodeGraph, name: str, said: str) -> None:
    answer = queries.walk(graph, "callers", ids(graph, name))
    assert answer.absence is not None
    assert answer.absence.kind == "unknown"  # this graph has no texts
    assert " ".join(answer.notes).startswith(said)
    assert len(answer.reached) == 1


def test_nothing_resolved_but_possible_by_name() -> None:
    source = "class A:\n    def zap_all(self): pass\ndef f(x): x.zap_all()\ndef g(get): get()\ndef get(): pass\n"
    graph = graph_of({"m.py": source})
    answer = queries.walk(graph, "callers", ids(graph, "A.zap_all"))
    assert answer.absence is not None
    assert (answer.absence.kind, len(answer.absence.mentions)) == ("possible", 1)
    answer = queries.walk(graph, "callers", ids(graph, "m.get"))
    assert [u.name for u in answer.unresolved] == ["get"]
    assert answer.absence is not None
    assert (answer.absence.kind, len(answer.absence.mentions)) == ("possible", 1)


def test_recursion_is_an_edge_to_itself(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "callers", ids(graph, "loop"), depth=5)
    assert [e for e in answer.edges if e.source == e.target]
    assert len(answer.reached) == 1


def test_paths_shortest_first(graph: CodeGraph) -> None:
    start, end = ids(graph, "main", "Item.tax")
    found = PathSearch(graph).paths(start, end)
    assert [symbol.rpartition(".")[2] for symbol in found[0].symbol_ids] == [
        "main", "refund", "checkout", "total", "tax",
    ]  # fmt: skip
    for path in found:
        assert len(path.edges) == len(path.symbol_ids) - 1
        for edge, a, b in zip(path.edges, path.symbol_ids, path.symbol_ids[1:], strict=False):
            assert {edge.source, edge.target} == {a, b}
        assert len(set(path.symbol_ids)) == len(path.symbol_ids)
    lengths = [len(path.symbol_ids) for path in found]
    assert lengths == sorted(lengths)


def test_a_path_against_the_calls_is_found_too(graph: CodeGraph) -> None:
    start, end = ids(graph, "Item.tax", "main")
    (path,) = PathSearch(graph).paths_beside(start, end, limit=1)
    assert path.symbol_ids[0] == start
    assert path.edges[0].target == start


def test_many_paths_are_capped() -> None:
    calls = "def f{n}{side}():\n    f{m}a()\n    f{m}b()\n"
    layers = "".join(calls.format(n=n, m=n + 1, side=side) for n in range(9) for side in "ab")
    graph = graph_of({"m.py": layers + "def f9a(): pass\ndef f9b(): pass\n"})
    start, end = ids(graph, "f0a", "f9a")
    assert len(PathSearch(graph).paths(start, end, limit=7)) == 7


def test_limits_are_told(graph: CodeGraph) -> None:
    answer = queries.walk(graph, "impact", ids(graph, "Item.tax"), limit=3)
    assert len(answer.reached) == 1 + 3  # the seed does not count
    assert answer.cut > 0
    with pytest.raises(QuestionError, match="unknown relation 'cousins'"):
        queries.walk(graph, "cousins", ids(graph, "main"))
    with pytest.raises(QuestionError, match="at least 1"):
        queries.walk(graph, "callers", ids(graph, "main"), depth=0)


def test_every_edge_can_explain_itself(graph: CodeGraph) -> None:
    for edge in graph.edges:
        assert edge.kind in EDGE_KINDS
        assert RULES[edge.rule].confidence == pytest.approx(edge.confidence, abs=0.001)
        assert edge.sites
    assert set(BY_PROVENANCE) <= set(RULES)
    assert all(0 < rule.confidence <= 1 and rule.words for rule in RULES.values())
    assert RULES["name"].confidence <= 0.5


def test_edges_are_counted_without_being_made(graph: CodeGraph) -> None:
    sure = [edge.kind for edge in graph.edges if edge.confidence >= RESOLVED_CONFIDENCE]
    assert graph.counts == {kind: sure.count(kind) for kind in EDGE_KINDS}


def test_an_empty_repository_has_an_empty_graph() -> None:
    graph = graph_of({})
    assert len(graph.edges) == 0
    assert graph.ranks == []


def test_weak_edges_that_would_lead_on_are_counted(graph: CodeGraph) -> None:
    sources = {
        "m.py": """
            class One:
                def only(self): last()
            def last(): pass
            def guess(x): x.only()
            """
    }
    graph = graph_of(sources)
    answer = queries.walk(graph, "impact", ids(graph, "last"), depth=2)
    assert [name for name, _ in reached(graph, answer)] == ["last", "One.only"]
    (said,) = [note for note in answer.notes if "not followed" in note]
    least = graph.edge(graph.incident(graph.vertex(ids(graph, "One.only")[0]), "in", ("CALLS",))[0]).confidence
    assert said == (
        "1 more symbol may be reached by less certain steps, which were not followed: "
        f"impact with min_confidence={least:g} (--min-confidence {least:g}) includes it."
    )
    wider = queries.walk(graph, "impact", ids(graph, "last"), depth=2, minimum=least)
    assert ("guess", 2) in reached(graph, wider)
    assert not [
        note
        for note in (*wider.notes, *queries.walk(graph, "impact", ids(graph, "last"), depth=1).notes)
        if "not foll" in note
    ]


_BEYOND = re.compile(
    r"([\d,]+) more symbols? may be reached by less certain steps, which were not followed: "
    r"(\w+) with min_confidence=([\d.]+) \(--min-confidence [\d.]+\) includes (?:it|them)\."
)


@pytest.mark.parametrize("relation", ["impact", "callers", "callees"])
@pytest.mark.parametrize("repository", sample_truth.REPOSITORIES)
def test_the_confidence_that_a_note_names_includes_what_the_note_counts(repository: str, relation: str) -> None:
    graph, depth = sample_truth.graph_of(repository), None if relation == "impact" else 3
    usage_evidence = UsageEvidenceTable(graph)
    ask = partial(queries.walk, graph, relation, depth=depth, limit=10**6, usage_evidence=usage_evidence)
    for symbol in graph.catalog.symbols[::3]:
        answer = ask([symbol.id])
        for note in (note for note in answer.notes if "not followed" in note):
            said = _BEYOND.fullmatch(note)
            assert said is not None
            assert said[2] == relation
            wider = ask([symbol.id], minimum=float(said[3]))
            new = {each.symbol_id for each in wider.reached} - {each.symbol_id for each in answer.reached}
            assert len(new) >= int(said[1].replace(",", "")), (symbol.fqn, note)
            assert not any("not followed" in other for other in wider.notes), (symbol.fqn, note)
