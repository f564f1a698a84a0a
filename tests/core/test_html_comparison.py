"""Comparisons of answers: moves, slopes, what-if; readings; all of it with hostile names."""

import base64
import re
import xml.etree.ElementTree as ET

import pytest

from codeexplore.answers.blocks import Text
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html
from codeexplore.answers.html.rank_changes import change, slope_html, slope_svg, whatif_html
from codeexplore.answers.html.symbol_details import details_html, details_of
from codeexplore.answers.html.writer import blocks_html
from codeexplore.answers.plain_words import lane_line
from codeexplore.answers.search import Move, compare, reading
from codeexplore.types import Ranking
from tests.answers import HOSTILE, graph_answer, search_answer
from tests.core.test_html_pages import Page, only_ours


def test_moves_match_hits_by_what_they_stand_for():
    before = search_answer(("app.one", "app.two", "app.three"))
    after = search_answer(("app.two", "app.one", "app.four"), path="app/{}.py")
    moves = {(move.name, move.location): (move.before, move.after) for move in compare(before, after).moves}
    # the same name in another file is another symbol
    assert moves["app.one", "app/0.py:1"] == (1, None)
    assert moves["app.one", "app/1.py:2"] == (None, 2)
    same = compare(before, before)
    assert [(move.before, move.after) for move in same.moves] == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize(
    ("before", "after", "told"), [(3, 1, "▲ 2"), (1, 4, "▼ 3"), (2, 2, "="), (None, 2, "new"), (2, None, "gone")]
)
def test_changes_are_told(before, after, told):
    assert change(Move("x", "x.py:1", before, after)) == told


def test_moves_beyond_the_hits_shown_are_left_out():
    answer = search_answer(("app.one", "app.two", "app.three"))
    assert len(compare(answer, answer).shown(2)) == 2


def test_a_slope_has_a_line_for_each_hit():
    moves = (
        Move("a", "a.py:1", 1, 2),
        Move("b", "b.py:1", 2, 1),
        Move("c", "c.py:1", 3, None),
        Move("d", "d:1", None, 3),
    )
    root = ET.fromstring(slope_svg(moves, ("one", "two"), 3))
    lines = [element for element in root.iter() if element.tag.endswith("line")]
    assert len(lines) == 4
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts.count("a") == texts.count("b") == 2
    assert texts.count("c") == texts.count("d") == 1
    height = float(root.attrib["viewBox"].split()[3])
    assert all(0 < float(line.attrib[y]) < height for line in lines for y in ("y1", "y2"))


def test_a_slope_is_told_in_words_too():
    before = search_answer(("app.one", "app.two", "app.three"), path="app/x.py")
    after = search_answer(("app.two", "app.one", "app.three"), path="app/x.py")
    page = Page(
        components.page(slope_html(compare(before, after), ("before", "after"), 3))
        .replace("<img ", "<br ")
        .replace("<br ", "<wbr ")
    )
    assert "hits change their rank" in page.text
    assert "no hit changes its rank" in slope_html(compare(before, before), ("a", "b"), 3)


def test_what_if_has_a_column_for_each_lane():
    answer = search_answer()
    page = only_ours(whatif_html(answer, {"bm25": compare(answer, answer)}))
    assert "without bm25" in page.text
    assert page.text.count("=") == len(answer)


def lane_html(ranking):
    return blocks_html([Text(lane_line([ranking]))])


def test_lanes_tell_their_health():
    assert "⚠ failed: out of <memory>" in Page(lane_html(Ranking("bm25", (), 1.0, "failed", "out of <memory>"))).text
    assert (
        "0 hits: no symbol to start from"
        in Page(lane_html(Ranking("graph", (), 1.0, "empty", "no symbol to start from"))).text
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    first = search_answer((name, "app.two"), question=name, path=name + "{}")
    second = search_answer(("app.two", name), question=name, path=name + "{}")
    comparison = compare(first, second)
    only_ours(whatif_html(first, {"graph": comparison}))
    only_ours(blocks_html([reading(first.result)]))
    only_ours(lane_html(first.rankings[-1]))
    graph = graph_answer((name, "app.near", name + "2", name + "3"), path=name + "{}")
    for symbol in (*graph.seeds, *graph.symbols):
        only_ours(details_html(details_of(graph, symbol.id)))
    markup = slope_html(comparison, (name, name), 10)
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', markup)[1]
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(base64.b64decode(data)).iter()}
    assert tags == {"svg", "text", "line"}
    image = re.search(r"<img [^>]*>", markup)[0]
    assert len(image.split('alt="')[1].split('"')[0]) < 400 or "'" in image
    only_ours(Html(re.sub(r"<img (?:\"[^\"]*\"|'[^']*'|[^'\">])*>", "", markup)))
