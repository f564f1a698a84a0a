"""Uses put together as edges, held against adding them one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.graph.tables import WORD_BITS, EdgeTable, pack_kind
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind

RULES = {
    "scope": 1.0,
    "self": 1.0,
    "type": 0.9,
    "import": 0.9,
    "narrow": 0.7,
    "assigned": 0.7,
    "flow": 0.8,
    "callback": 0.8,
    "name": 0.5,
    "many": 0.5,
    "missing": 0.2,
}
USES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 3),
        st.sampled_from(EDGE_KINDS),
        st.sampled_from(["call", "new", "read"]),
        st.sampled_from(sorted(RULES)),
        st.integers(1, 3),
    ),
    max_size=40,
)


def one_by_one(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> list[Edge]:
    """What a dictionary of pairs makes of the same uses."""
    found: dict[tuple[int, int, str], Edge] = {}
    for source, target, kind, manner, rule, line in uses:
        known = found.get((source, target, kind))
        single = EdgeTable(list("abcd"), [f"{n}.py" for n in range(4)])
        single.add(source, target, kind, manner, rule, RULES[rule], source << 32 | line, source == 3)
        single.finish()
        (edge,) = single
        if known is not None:
            better = edge if edge.confidence > known.confidence else known
            sites = known.sites if edge.sites[0] in known.sites else (*known.sites, *edge.sites)
            edge = Edge(
                better.source, better.target, better.kind, better.manner, better.rule, better.confidence, sites,
                better.in_test,
            )  # fmt: skip
        found[source, target, kind] = edge
    return list(found.values())


def table_of(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> EdgeTable:
    table = EdgeTable(list("abcd"), [f"{n}.py" for n in range(4)])
    for source, target, kind, manner, rule, line in uses:
        table.add(source, target, kind, manner, rule, RULES[rule], source << 32 | line, source == 3)
    table.finish()
    return table


@settings(deadline=None)
@given(USES)
def test_uses_are_put_together_as_if_added_one_by_one(uses: list[tuple[int, int, EdgeKind, str, str, int]]) -> None:
    """Edges in the order of first uses; the first of the surest tells how; each site once, in the order they came."""
    assert list(table_of(uses)) == one_by_one(uses)


@settings(deadline=None, max_examples=30)
@given(USES, USES)
def test_a_finished_table_takes_more_edges(
    before: list[tuple[int, int, EdgeKind, str, str, int]], later: list[tuple[int, int, EdgeKind, str, str, int]]
) -> None:
    table = table_of(before).extended(list("abcd"))
    for source, target, kind, manner, rule, line in later:
        table.add(source, target, kind, manner, rule, RULES[rule], source << 32 | line, source == 3)
    table.finish()
    assert list(table) == [*table_of(before), *table_of(later)]


def test_a_number_that_has_no_room_is_refused() -> None:
    assert pack_kind(1, 2, 3) != pack_kind(1, 3, 2)
    with pytest.raises(ValueError, match="room for 1024"):
        pack_kind(0, 1 << WORD_BITS, 0)
