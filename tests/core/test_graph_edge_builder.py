"""Uses put together as edges, held against adding them one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.graph.build.rules import RULES
from codeexplore.graph.tables import WORD_BITS, EdgeTable, pack_kind
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site

USES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 3),
        st.sampled_from(EDGE_KINDS),
        st.sampled_from(["call", "new", "read"]),
        st.sampled_from(["scope", "self", "type", "flow", "callback", "override", "name", "override-many"]),
        st.integers(1, 3),
    ),
    max_size=40,
)


def one_by_one(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> list[Edge]:
    """What a dictionary of pairs makes of the same uses."""
    found: dict[tuple[int, int, EdgeKind], list[tuple[str, str, int]]] = {}
    for source, target, kind, manner, rule, line in uses:
        found.setdefault((source, target, kind), []).append((manner, rule, line))
    edges = []
    for (source, target, kind), ways in found.items():
        manner, rule, _ = max(ways, key=lambda way: (RULES[way[1]].confidence, way[0] == "new"))
        at = {
            line: max((way for way in ways if way[2] == line), key=lambda w: RULES[w[1]].confidence)
            for *_, line in ways
        }
        lines = sorted(at, key=lambda line: ways.index(at[line]))
        sites = tuple(Site(f"{source}.py", line) for line in lines)
        ends = "abcd"[source], "abcd"[target], kind, manner
        apart: dict[str, list[Site]] = {rule: []}
        for site in sites:
            apart.setdefault(at[site.line][1], []).append(site)
        each = [Edge(*ends, key, RULES[key].confidence, tuple(own), source == 3) for key, own in apart.items()]
        parts = tuple(sorted(each, key=lambda edge: -edge.confidence)) if len(each) > 1 else ()
        edges.append(Edge(*ends, rule, RULES[rule].confidence, sites, source == 3, parts))
    return edges


def table_of(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> EdgeTable:
    table = EdgeTable(list("abcd"), [f"{n}.py" for n in range(4)])
    for source, target, kind, manner, rule, line in uses:
        table.add(source, target, kind, manner, rule, source << 32 | line, source == 3)
    table.finish()
    return table


@settings(deadline=None)
@given(USES)
def test_uses_are_put_together_as_if_added_one_by_one(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> None:
    """Edges in the order of first uses; the first of the surest tells how, for the edge and for each of its sites.

    An edge tells of an instance that is made, if such a use is as sure.
    """
    assert list(table_of(uses)) == one_by_one(uses)


@settings(deadline=None, max_examples=30)
@given(USES, USES)
def test_a_finished_table_takes_more_edges(
    before: list[tuple[int, int, EdgeKind, str, str, int]], later: list[tuple[int, int, EdgeKind, str, str, int]]
) -> None:
    table = table_of(before).extended(list("abcd"))
    for source, target, kind, manner, rule, line in later:
        table.add(source, target, kind, manner, rule, source << 32 | line, source == 3)
    table.finish()
    assert list(table) == [*table_of(before), *table_of(later)]


def test_a_number_that_has_no_room_is_refused() -> None:
    assert pack_kind(1, 2, 3) != pack_kind(1, 3, 2)
    with pytest.raises(ValueError, match="room for 1024"):
        pack_kind(0, 1 << WORD_BITS, 0)
