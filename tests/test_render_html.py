"""Results as HTML: nothing in them is made by a repository's text, and they say what they should."""

import base64
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.render import parts
from codeexplore.render.html import Html, escape, join, tag
from codeexplore.render.palette import CODE, LANES
from codeexplore.render.result import answer_html, hit_html
from codeexplore.render.source import source_html
from codeexplore.render.status import status_html
from codeexplore.render.subgraph import graph_answer_html, paths_html
from codeexplore.render.summary import summary_html
from codeexplore.types import FusedHit
from codeexplore.views import SearchAnswer
from codeexplore.views.status import CacheState, LaneHealth, Problem, WorkspaceStatus, status_rows
from codeexplore.views.visible import visible
from tests.answers import (
    HOSTILE,
    empty_graph_answer,
    graph_answer,
    paths_answer,
    search_answer,
    workspace_summary,
)

TAGS = {"div", "style", "b", "i", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "code"}
TAGS |= {"details", "summary", "pre", "ul", "ol", "li", "wbr", "mark"}
ATTRIBUTES = {"class", "style", "title", "scope", "colspan", "open", "aria-hidden"}
OUR_STYLE = re.compile(r"[a-z0-9 #:;,.%()_-]*")


class Page(HTMLParser):
    """What a browser would make of markup: elements, attributes, text."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.open = [], "", []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag != "wbr":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def only_ours(markup):
    page = Page(markup)
    assert page.open == []
    for name, attributes in page.elements:
        assert name in TAGS
        assert set(attributes) <= ATTRIBUTES
        assert OUR_STYLE.fullmatch(attributes.get("style") or "")
    return page


def every_result(name, *, text="def one(): pass"):
    yield answer_html(search_answer((name, "app.two"), question=name, path=name + "{}", text=text), opened=2)
    yield hit_html(search_answer((name, "b"), path=name + "{}", text=text).hits[0])
    yield graph_answer_html(graph_answer((name, "app.near", name + "2", name + "3"), path=name + "{}", absence=name))
    yield paths_html(paths_answer((name, name + "2"), path=name + "{}"))
    yield summary_html(workspace_summary(name))
    yield status_html(workspace_status(name))


def workspace_status(name):
    return WorkspaceStatus(
        name=name, root=name, age=5.0, stale={"added": 1, "changed": 0, "removed": 0}, files={name: 2}, skipped={},
        symbols=3, chunks=4, edges=5, unresolved=6, lanes=(LaneHealth("bm25", "failed", 0, 1.5, name),), model=name,
        model_checksum="abc", cache=CacheState(name, 1, 2_000_000), versions={"codeexplore": "0.1.0"}, warnings=(name,),
        problems=(Problem(name, name), Problem(name, name, serious=True)),
    )  # fmt: skip


def test_a_status_shows_what_its_text_tells():
    page = Page(status_html(workspace_status("webshop")))
    told = page.text
    for label, text in status_rows(workspace_status("webshop")):
        assert label in told
        assert text in told
    assert "2 remarks" in told
    assert told.count("→") == 2
    assert "serious: webshop" in told


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_makes_no_element_and_no_attribute(name):
    for markup in every_result(name, text=f'class {name}:\n    """{name}"""\n    x = "{name}"  # {name}'):
        only_ours(markup)


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=40).filter(str.strip))
def test_any_text_makes_no_element_and_no_attribute(name):
    for markup in every_result(name, text=name):
        only_ours(markup)


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_escaped_text_reads_as_it_was(text):
    assert Page(tag("div", text)).text == visible(text)
    (element,) = Page(tag("div", title=text)).elements
    assert element == ("div", {"title": visible(text)})


def test_text_is_escaped_and_markup_is_not():
    assert tag("b", "<i>", Html("<i></i>")) == "<b>&lt;i&gt;<i></i></b>"
    assert join(["<", Html("<br>")], " & ") == "&lt; &amp; <br>"
    assert escape(escape("<")) == "&lt;"
    assert tag("details", open=True, class_="a", hidden=False, title=None) == '<details open class="a"></details>'


def test_changed_markup_is_text_again():
    assert not isinstance(Html("<b>").replace("b", "i"), Html)
    assert not isinstance(f"{Html('<b>')}", Html)


def test_a_hits_arithmetic_is_on_the_page():
    page = only_ours(answer_html(search_answer()))
    assert "1/(60+2) bm25 + 2/(60+1) embedding + 0.0010 definition − 0.0020 tests = 0.0479" in page.text
    assert "score = Σ weight/(60 + rank in lane) + signals" in page.text
    assert "graph ⚠ timed out: no answer in 3 s for app.one" in page.text
    assert "rank 2 in bm25, which scored it 11.25" in page.text


def test_bars_are_as_long_as_their_shares():
    answer = search_answer()
    widths = re.findall(r'height:10px;width:(\d+)px;[^"]*" title="(\w+)', answer_html(answer))
    first = {name: int(width) for width, name in widths[:4]}
    assert first["embedding"] == pytest.approx(2 * first["bm25"], rel=0.05)  # weight 2 at rank 1, 1 at rank 2
    assert first["embedding"] + first["bm25"] + first["definition"] == pytest.approx(110, abs=3)


def test_no_hits_are_said():
    answer = SearchAnswer(search_answer().result, ())
    assert "No hits for “where is one made?”" in only_ours(answer_html(answer)).text


def test_source_has_its_line_numbers_and_gaps():
    page = only_ours(source_html(((9, "class A:"), (10, "    x = 1"), (42, "    y = 2")), "python"))
    assert page.text.splitlines() == [" 9  class A:", "10      x = 1", " ⋮", "42      y = 2"]


def test_long_source_is_cut_and_counted():
    lines = tuple((line, "x" * 500) for line in range(1, 31))
    page = only_ours(source_html(lines, "python", limit=10))
    assert "20 more lines" in page.text
    assert max(map(len, page.text.splitlines())) < 220


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n\t\r"), max_size=20), max_size=8))
def test_colouring_changes_no_text(texts):
    lines = tuple(enumerate(texts, 1))
    page = only_ours(source_html(lines, "python"))
    assert page.text == "\n".join(f"{line}  {visible(text)}" for line, text in lines)


@pytest.mark.parametrize("language", ["text", "", "no such language", "python", "markdown"])
def test_source_of_any_language_is_shown(language):
    assert "return" in Page(source_html(((1, "return <b>"),), language)).text


def test_words_are_coloured_by_kind():
    markup = source_html(((1, "@cache"), (2, "def one(): return 'x', 1  # y")), "python")
    for style in ("cd", "ck", "cn", "cs", "cm", "cc"):
        assert f'class="{style}" style="color:{CODE[style]}"' in markup


def test_colours_read_on_light_and_dark():
    for colour in (*CODE.values(), *LANES.values()):
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (light + 0.05) > 4.2  # on white
        assert (light + 0.05) / (0.0056 + 0.05) > 4.2  # on #111


def test_what_is_unsure_stands_apart():
    page = only_ours(graph_answer_html(graph_answer()))
    assert "2 callers of app.seed" in page.text
    assert "CALLS by import (1.00) at line 3, 7" in page.text
    assert "matched by name only: 1 edge" in page.text
    assert "1 call of `seed` on receivers of unknown type may mean it too" in page.text
    assert "3 symbols more left out" in page.text


def test_absence_is_said():
    assert "No callers in this repository." in only_ours(graph_answer_html(empty_graph_answer())).text


def test_the_summary_lists_what_was_skipped():
    page = only_ours(summary_html(workspace_summary()))
    for said in ("1,204 symbols", "7 more possible by name", "shop.js", "2 MB", "⚠ grammar missing: shop", "1.25"):
        assert said in page.text


def test_a_result_stays_small():
    text = "\n".join(f"    value_{i} = compute('text', {i})  # why {i}" for i in range(300))
    names = tuple(f"package.module.Class{i}.method{i}" for i in range(10))
    assert len(answer_html(search_answer(names, text=text))) < 120_000


def test_a_subtraction_is_not_filled():
    answer = search_answer()
    hit = answer.hits[0].fused
    negative = FusedHit(hit.chunk_id, 1, -0.002, (), hit.adjustments[1:])
    markup = answer_html(SearchAnswer(answer.result, (type(answer.hits[0])(negative, answer.hits[0].chunk, None),)))
    assert "dashed" in markup
    assert "−0.0020 tests = −0.0020" in Page(markup).text


def test_svg_is_well_formed_whatever_the_names():
    from codeexplore.render.drawing import draw
    from codeexplore.render.picture import picture_html, svg

    for start in range(len(HOSTILE) - 3):
        drawing = draw(graph_answer(HOSTILE[start : start + 4]))
        root = ET.fromstring(svg(drawing))
        names = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert names == {"svg", "defs", "marker", "path", "rect", "text"}
        (image,) = Page(picture_html(drawing).replace("<img ", "<div ") + "</div>").elements
        head, _, data = image[1]["src"].partition(",")
        assert head == "data:image/svg+xml;base64"
        assert ET.fromstring(base64.b64decode(data)).tag.endswith("svg")


def test_a_line_number_never_breaks_within():
    page = Page(parts.place("tests/orders.py", 35, 41))
    assert page.text == "tests/orders.py:35–41"
    assert [attributes for _, attributes in page.elements][-1] == {"style": "white-space:nowrap"}
