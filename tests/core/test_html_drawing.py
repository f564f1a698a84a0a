"""Drawings: where boxes stand, and the page that pyvis's parts make."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.answers import GraphAnswer
from codeexplore.answers.drawing.layout import BOX_HEIGHT, MOST_DRAWN, draw, label, labels_of
from codeexplore.answers.drawing.svg import _curve, svg
from codeexplore.answers.drawing.vis_network import drawing_html, graph_page, still_html
from codeexplore.answers.html.elements import DASHES, TIPS
from codeexplore.answers.html.symbol_details import details_data, details_of
from codeexplore.answers.html.writer import drawn_html
from codeexplore.graph.traversal import ordered_columns
from codeexplore.types import EDGE_KINDS, Edge, Reached, Site, Span, Subgraph
from tests.answers import HOSTILE, chunk_of, empty_graph_answer, graph_answer, symbols_of
from tests.doubles import make_catalog, make_symbol


def star(count, relation="callers"):
    """One seed and `count` symbols a step away."""
    symbols = symbols_of(tuple(f"app.some_function_{i}" for i in range(count + 1)))
    seed, *rest = symbols
    pairs = [(s.id, seed.id) if relation == "callers" else (seed.id, s.id) for s in rest]
    edges = tuple(Edge(source, target, "CALLS", "call", "import", 1.0) for source, target in pairs)
    reached = (Reached(seed.id, 0, None, 1.0), *(Reached(s.id, 1, seed.id, 1.0) for s in rest))
    return GraphAnswer(Subgraph(relation, (seed.id,), reached, edges), make_catalog(symbols, ()))


def page_data(drawing):
    found = re.search(r"const data = (\{.*?\});\nconst nodes", graph_page(drawing), re.DOTALL)
    return json.loads(found[1])


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(st.text(max_size=3), st.integers(-3, 3), max_size=12),
    st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), max_size=20),
)
def test_every_id_stands_in_its_depths_column(depths, links):
    columns = ordered_columns(depths, links)
    assert sorted(symbol for column in columns for symbol in column) == sorted(depths)
    assert [sorted({depths[symbol] for symbol in column}) for column in columns] == [
        [d] for d in sorted({*depths.values()})
    ]


def test_order_in_columns_avoids_crossings():
    left = {f"l{i}": 0 for i in range(6)}
    right = {f"r{i}": 1 for i in range(6)}
    first, second = ordered_columns(left | right, [(f"l{i}", f"r{5 - i}") for i in range(6)])
    assert [symbol[1] for symbol in second] == [str(5 - int(symbol[1])) for symbol in first]


def test_callers_stand_left_of_the_seed_and_callees_right():
    drawing = draw(star(2))
    seed, *callers = drawing.boxes
    assert all(box.x + box.width / 2 < seed.x - seed.width / 2 for box in callers)
    seed, *callees = draw(star(2, "callees")).boxes
    assert all(box.x - box.width / 2 > seed.x + seed.width / 2 for box in callees)


@pytest.mark.parametrize("count", [1, 5, 16, 17, 60, 199])
def test_boxes_never_overlap_and_the_size_holds_them(count):
    drawing = draw(star(count))
    spans = [(b.x - b.width / 2, b.x + b.width / 2, b.y - BOX_HEIGHT / 2, b.y + BOX_HEIGHT / 2) for b in drawing.boxes]
    for index, (left, right, top, bottom) in enumerate(spans):
        assert max(-left, right) <= drawing.width / 2
        assert max(-top, bottom) <= drawing.height / 2
        for other_left, other_right, other_top, other_bottom in spans[:index]:
            assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


def test_too_many_symbols_are_cut_and_said():
    answer = star(300)
    drawing = draw(answer)
    assert len(drawing.boxes) == MOST_DRAWN == 40
    assert drawing.cut == 261
    assert "40 of 301 symbols are drawn. The others are in " in drawing_html(answer)
    assert sum(count for _, count in drawing.left_out) == 261


def test_tests_are_the_first_to_be_left_out():
    symbols = symbols_of(tuple(f"app.f{i}" for i in range(51)), path="{}.py")
    seed, *rest = [replace(each, path=f"tests/test_{n}.py") if n % 2 else each for n, each in enumerate(symbols)]
    edges = tuple(Edge(each.id, seed.id, "CALLS", "call", "import", 1.0) for each in rest)
    reached = (Reached(seed.id, 0, None, 1.0), *(Reached(each.id, 1, seed.id, 1.0) for each in rest))
    drawing = draw(GraphAnswer(Subgraph("callers", (seed.id,), reached, edges), make_catalog((seed, *rest), ())))
    assert {path.startswith("tests/") for path, _ in drawing.left_out} == {True}


@pytest.mark.parametrize("count", [5, 21, 39])
def test_no_edge_passes_behind_a_box(count):
    """An edge goes straight past the other column of its depth, between the boxes, and bends between depths only."""
    drawing = draw(star(count))
    for link in drawing.links:
        source, target = drawing.boxes[link.source], drawing.boxes[link.target]
        straight = re.match(r"M(-?\d+) (-?\d+)H(-?\d+)C", _curve(source, target))
        assert straight, link
        start, y, end = map(int, straight.groups())
        assert end == round(source.right) <= target.left
        for box in drawing.boxes:
            beside = box.x - box.width / 2 > end or box.x + box.width / 2 < start + 1
            assert box is source or beside or abs(box.y - y) > BOX_HEIGHT / 2


def test_an_edge_within_the_last_column_stays_in_the_picture():
    answer = star(3, "callees")
    first, second = answer.subgraph.edges[0].target, answer.subgraph.edges[1].target
    edges = (*answer.subgraph.edges, Edge(first, second, "CALLS", "call", "import", 1.0))
    drawing = draw(replace(answer, subgraph=replace(answer.subgraph, edges=edges)))
    left, _, width, _ = map(float, re.search(r'viewBox="([^"]*)"', svg(drawing))[1].split())
    ends = [(drawing.boxes[link.source], drawing.boxes[link.target]) for link in drawing.links]
    within = [(source, target) for source, target in ends if source.left == target.left]
    assert len(within) == 1
    curve = _curve(*within[0])
    start, out, end = map(int, re.match(r"M(-?\d+) .*C(-?\d+) .* (-?\d+) -?\d+$", curve).groups())
    assert max(start, end) < out
    assert (max(start, end) + 3 * out) / 4 <= left + width  # a curve goes three quarters of the way to its controls


@pytest.mark.parametrize("relation", ["callers", "callees"])
def test_an_edge_of_the_live_drawing_bends_between_depths_only(relation):
    drawing = draw(star(23, relation))
    data = page_data(drawing)
    nodes = {node["id"]: node for node in data["nodes"]}
    boxes = range(len(drawing.boxes))
    assert [node["label"] for node in data["nodes"]][: len(boxes)] == [box.label for box in drawing.boxes]
    leaving = {edge["from"]: edge for edge in data["edges"] if edge["from"] in boxes}
    entering = {edge["to"]: edge for edge in data["edges"] if edge["to"] in boxes}
    bent = {(edge["from"], edge["to"]) for edge in data["edges"] if not {edge["from"], edge["to"]} & {*boxes}}
    assert len(bent) == len(drawing.links)
    for link in drawing.links:
        start, end = leaving[link.source], entering[link.target]
        assert (start["to"], end["from"]) in bent
        assert not isinstance(start["arrows"], str)
        assert isinstance(end["arrows"], str)
        for edge in (start, end):
            assert edge["smooth"] is False
            assert nodes[edge["from"]]["y"] == nodes[edge["to"]]["y"]
        source, target = drawing.boxes[link.source], drawing.boxes[link.target]
        assert source.right < nodes[start["to"]]["x"] <= nodes[end["from"]]["x"] < target.left


@pytest.mark.parametrize(("length", "depth", "chars"), [(1, 1, 10), (3, 1, 24), (1, 3, 10), (3, 3, 24)])
def test_a_narrow_column_gets_short_labels(length, depth, chars):
    names = [
        make_symbol(f"m.{'Own' * length}.{'names' * length}{number}", kind="method") for number in range(depth + 1)
    ]
    pairs = list(pairwise(names))
    edges = tuple(Edge(user.id, used.id, "CALLS", "call", "scope", 1.0) for used, user in pairs)
    via = [None, *(used.id for used, _ in pairs)]
    reached = tuple(Reached(each.id, number, via[number], 1.0) for number, each in enumerate(names))
    answer = GraphAnswer(Subgraph("callers", (names[0].id,), reached, edges), make_catalog(names, ()))
    assert {len(box.label) for box in draw(answer, width=390).boxes} == {chars}
    assert all(box.label in f"{'Own' * length}.{'names' * length}{n}" for n, box in enumerate(draw(answer).boxes))


def test_drawing_order_is_the_same_each_time():
    assert draw(star(40)) == draw(star(40))


def test_what_is_only_possible_is_drawn_as_such():
    drawing = draw(graph_answer())
    assert [box.certain for box in drawing.boxes] == [True, True, True, False]
    assert [link.certainty for link in drawing.links] == ["certain", "likely", "certain", "possible"]
    data = page_data(drawing)
    assert list({edge["title"]: edge["dashes"] for edge in data["edges"]}.values())[-1] == [5, 4]
    assert all(edge["dashes"] == (edge["title"] == drawing.links[3].title and [5, 4]) for edge in data["edges"])
    assert ", possible" in data["nodes"][3]["title"]


def test_members_carry_their_owners_name():
    assert label(make_symbol("app.Session.get", kind="method")) == "Session.get"
    assert label(make_symbol("app.session.get")) == "get"


def test_equal_labels_of_a_picture_say_what_contains_the_symbols():
    def labels(*given, chars=30):
        return list(labels_of([make_symbol(fqn, kind=kind, **more) for fqn, kind, more in given], chars).values())

    nested = [(f"app.{owner}.run.{name}", "function", {}) for owner, name in (("A", "go"), ("B", "go"), ("B", "stop"))]
    assert labels(*nested) == ["go in A.run", "go in B.run", "stop"]
    methods = [(f"{module}.Session.get", "method", {}) for module in ("web", "db")]
    assert labels(*methods) == ["Session.get in web", "Session.get in db"]
    long = [(f"tests.test_{'x' * 30}_{n}_{'x' * 30}.go", "function", {"path": "a.py", "start_line": n}) for n in (3, 4)]
    assert labels(*long, chars=18) == ["go in a.py:3", "go in a.py:4"]
    assert labels(*[("get", "function", {"path": f"{folder}/m.py"}) for folder in "ab"]) == [
        "get in a/m.py:1", "get in b/m.py:1",
    ]  # fmt: skip


def test_nothing_to_draw_gives_no_picture():
    assert drawing_html(empty_graph_answer()) is None


def test_data_is_ours_and_plain():
    drawing = draw(graph_answer())
    data = page_data(drawing)
    assert [node["label"] for node in data["nodes"]][:4] == ["seed", "near", "far", "maybe"]
    assert data["nodes"][0]["title"].startswith("app.seed\nfunction at app/0.py:1, start")
    assert data["options"]["physics"] == {"enabled": False}
    assert all(isinstance(node["id"], int) for node in data["nodes"])


@pytest.mark.parametrize("start", range(len(HOSTILE) - 3))
def test_hostile_names_stay_in_the_data(start):
    plain = graph_page(draw(graph_answer()))
    hostile = graph_page(draw(graph_answer(HOSTILE[start : start + 4], path=HOSTILE[start] + "{}")))
    for mark in ("<script", "</script", "<iframe", "<img", "<a ", "http://evil"):
        assert hostile.count(mark) == plain.count(mark) + (mark == "http://evil" and hostile.count(mark))
    page_data(draw(graph_answer(HOSTILE[start : start + 4])))


def test_the_page_asks_for_nothing():
    page = graph_page(draw(graph_answer()))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert "default-src 'none'" in page


def test_a_drawing_stays_below_its_size():
    markup = drawing_html(star(199))
    assert len(markup) < 700_000
    assert markup.count("<iframe") == markup.count("<img") == 1
    assert 'sandbox="allow-scripts"' in markup


def test_a_box_carries_its_source_and_its_edges():
    seed, near = symbols_of(("app.seed", "app.near"))
    edge = Edge(near.id, seed.id, "CALLS", "call", "import", 1.0, (Site(near.path, 3),))
    graph = Subgraph(
        "callers", (seed.id,), (Reached(seed.id, 0, None, 1.0), Reached(near.id, 1, seed.id, 1.0)), (edge,)
    )
    answer = GraphAnswer(graph, make_catalog((seed, near), (chunk_of(seed, "def seed():\n    pass"),)))
    told = details_data(details_of(answer, seed.id, lines=1))
    assert told["code"] == [[seed.span.start_line, "def seed():"]]
    assert told["links"] == ["← app.near  calls by import at app/1.py:3"]
    assert details_data(details_of(answer, near.id))["code"] == []


def test_kinds_of_edges_differ_in_more_than_colour():
    assert len({(TIPS[kind], DASHES.get(kind)) for kind in EDGE_KINDS}) == len(EDGE_KINDS)


def test_much_source_is_cut_to_fit_a_notebook():
    names = tuple(f"app.some_function_{i}" for i in range(200))
    symbols = [replace(symbol, span=Span(1, 40, 0, 99)) for symbol in symbols_of(names)]
    chunks = [chunk_of(symbol, "\n".join(["    value = compute(1)  # " + "x" * 90] * 40)) for symbol in symbols]
    edges = tuple(Edge(s.id, symbols[0].id, "CALLS", "call", "import", 1.0, (Site(s.path, 2),)) for s in symbols[1:])
    reached = (Reached(symbols[0].id, 0, None, 1.0), *(Reached(s.id, 1, symbols[0].id, 1.0) for s in symbols[1:]))
    answer = GraphAnswer(Subgraph("callers", (symbols[0].id,), reached, edges), make_catalog(symbols, chunks))
    assert len(drawn_html(answer, drawing_html(answer))) < 700_000
    assert len(still_html(answer)) < 120_000
