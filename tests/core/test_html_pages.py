"""Results as HTML: nothing in them is made by a repository's text, and they say what they should."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.answers.html import components, links
from codeexplore.answers.html.code import source_html
from codeexplore.answers.html.elements import CODE, LANES, Html, escape, join, tag
from codeexplore.answers.html.writer import drawn_html, shown_html
from codeexplore.answers.status import CacheState, LaneHealth, Problem, WorkspaceStatus, status_rows
from codeexplore.types import FusedHit
from codeexplore.types.errors import CodeExploreError
from codeexplore.types.visible import visible
from tests.answers import (
    HOSTILE,
    empty_graph_answer,
    graph_answer,
    paths_answer,
    search_answer,
    workspace_summary,
)
from tests.doubles import make_symbol

TAGS = {"div", "style", "b", "i", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "code"}
TAGS |= {"details", "summary", "pre", "ul", "ol", "li", "wbr", "br", "mark", "button", "a", "label", "input"}
ATTRIBUTES = {"class", "style", "title", "scope", "colspan", "open", "aria-hidden", "aria-label", "type"}
ATTRIBUTES |= {"href", "data-commandlinker-command", "data-commandlinker-args", "data-copy", "onclick"}
OPEN = "rendermime:handle-local-link"
OUR_LINK = re.compile(r"(?:/lab/tree/|vscode://file/|file:///)[A-Za-z0-9/._~%:-]*")
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
        if tag not in ("wbr", "br", "img", "input"):
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
        assert attributes.get("onclick", components.COPY_SCRIPT) == components.COPY_SCRIPT
        assert "onclick" not in attributes or name == "button"
        assert OUR_LINK.fullmatch(attributes.get("href", "/lab/tree/"))
        assert attributes.get("data-commandlinker-command", OPEN) == OPEN
    return page


def every_result(name, *, text="def one(): pass"):
    yield shown_html(search_answer((name, "app.two"), question=name, path=name + "{}", text=text), opened=2)
    yield shown_html(search_answer((name, "b"), path=name + "{}", text=text).hits[0])
    yield drawn_html(graph_answer((name, "app.near", name + "2", name + "3"), path=name + "{}", absence=name))
    yield shown_html(paths_answer((name, name + "2"), path=name + "{}"))
    yield shown_html(workspace_summary(name))
    yield shown_html(workspace_status(name))


def workspace_status(name):
    return WorkspaceStatus(
        name=name, root=name, age=5.0, stale={"added": 1, "changed": 0, "removed": 0}, files={name: 2}, skipped={},
        symbols=3, chunks=4, edges=5, unresolved=6, lanes=(LaneHealth("bm25", "failed", 0, 1.5, name),), model=name,
        model_checksum="abc", cache=CacheState(name, 1, 2_000_000), versions={"codeexplore": "0.1.0"}, warnings=(name,),
        problems=(Problem(name, name), Problem(name, name, serious=True)),
    )  # fmt: skip


def test_a_status_shows_what_its_text_tells():
    page = Page(shown_html(workspace_status("webshop")))
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


@pytest.mark.parametrize("form", ["jupyter", "vscode", "file"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_paths_make_links_of_our_forms_only(name, form, monkeypatch, tmp_path):
    monkeypatch.setenv(links.SETTING, form)
    monkeypatch.setattr(links, "jupyter_server", lambda: links.Server(str(tmp_path), "/"))
    monkeypatch.setattr(links, "root_of", lambda _: str(tmp_path))
    path = name + "{}"
    answer, graph, paths = search_answer((name, "b"), path=path), graph_answer(path=path), paths_answer(path=path)
    for markup in (shown_html(answer), drawn_html(graph), shown_html(paths)):
        page = only_ours(markup)
        opened = [attributes for tag_name, attributes in page.elements if tag_name == "a"]
        assert opened or "\x00" in name
        for attributes in opened if form == "jupyter" else ():
            if "data-commandlinker-args" in attributes:
                assert set(json.loads(attributes["data-commandlinker-args"])) == {"path", "id", "scope"}


def test_a_place_opens_where_it_is_shown(monkeypatch, tmp_path):
    """In JupyterLab its file at the line, counted from 0, below the server's folder; in VS Code there; else a file."""
    monkeypatch.delenv(links.SETTING, raising=False)
    for name in ("VSCODE_PID", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    answer = paths_answer()
    answer.catalog.root = str(tmp_path / "repo")

    def opened():
        return next(attributes for name, attributes in Page(shown_html(answer)).elements if name == "a")

    monkeypatch.setattr(links, "jupyter_server", lambda: links.Server(str(tmp_path), "/user/me/"))
    assert opened()["href"] == "/user/me/lab/tree/repo/app/0.py"
    assert json.loads(opened()["data-commandlinker-args"]) == {
        "path": "repo/app/0.py", "id": "#line=0", "scope": "server",
    }  # fmt: skip
    for outside in (str(tmp_path / "elsewhere"), str(tmp_path / "repo" / "app" / "deep")):
        monkeypatch.setattr(links, "jupyter_server", lambda root=outside: links.Server(root, "/"))
        assert opened()["href"] == (tmp_path / "repo/app/0.py").as_uri()
    monkeypatch.setattr(links, "jupyter_server", lambda: None)
    assert opened()["href"] == (tmp_path / "repo/app/0.py").as_uri()
    monkeypatch.setenv("VSCODE_PID", "1")
    assert opened()["href"] == f"vscode://file{(tmp_path / 'repo/app/0.py').as_uri()[7:]}:1"
    monkeypatch.setenv(links.SETTING, "none")
    assert "<a " not in shown_html(answer)
    monkeypatch.setenv(links.SETTING, "emacs")
    with pytest.raises(CodeExploreError, match="'emacs' is not a form of links; known forms are auto, jupyter"):
        shown_html(answer)


def test_the_server_of_a_kernel_is_found_by_its_note(monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "jpserver-4711.json").write_text('{"root_dir": "/srv", "base_url": "/x/", "token": "secret"}')
    (tmp_path / "jpserver-4712.json").write_text("[1]")
    for process, server in (("4711", links.Server("/srv", "/x/")), ("4712", None), ("4713", None), ("", None)):
        monkeypatch.setenv("JPY_PARENT_PID", process)
        links._server.cache_clear()
        assert links.jupyter_server() == server


def test_a_members_owner_is_set_off_once():
    """Also where the method's name ends in its class's name, and where a long name is shortened."""
    name = components.symbol_name(make_symbol("cobra.Command.IsAvailableCommand", kind="method"))
    assert "<b>Command.<wbr>IsAvailableCommand</b>" in name
    long = "package." * 20 + "Owner.method"
    assert "<b>Owner.<wbr>method</b>" in components.symbol_name(make_symbol(long, kind="method"))


def test_text_is_escaped_and_markup_is_not():
    assert tag("b", "<i>", Html("<i></i>")) == "<b>&lt;i&gt;<i></i></b>"
    assert join(["<", Html("<br>")], " & ") == "&lt; &amp; <br>"
    assert escape(escape("<")) == "&lt;"
    assert tag("details", open=True, class_="a", hidden=False, title=None) == '<details open class="a"></details>'


def test_changed_markup_is_text_again():
    assert not isinstance(Html("<b>").replace("b", "i"), Html)
    assert not isinstance(f"{Html('<b>')}", Html)


@pytest.mark.usefixtures("explaining")
def test_a_hits_arithmetic_is_on_the_page():
    page = only_ours(shown_html(search_answer()))
    for summand in (
        "+0.0161  words (bm25) = 1/(60+2)",
        "+0.0328  meaning (embedding) = 2/(60+1)",
        "+0.0010  definition",
        "−0.0020  tests",
    ):
        assert summand in page.text
    assert "=0.0479  score" in page.text
    assert "score = Σ weight/(60 + rank in lane) + signals" in page.text
    assert "graph ⚠ timed out: no answer in 3 s for app.one" in page.text
    assert "rank 2, score 11.25" in page.text


@pytest.mark.usefixtures("explaining")
def test_bars_are_as_long_as_their_shares():
    answer = search_answer()
    widths = re.findall(r'height:10px;width:(\d+)px;[^"]*" title="(\w+)', shown_html(answer))
    first = {name: int(width) for width, name in widths[:4]}
    assert first["embedding"] == pytest.approx(2 * first["bm25"], rel=0.05)  # weight 2 at rank 1, 1 at rank 2
    assert first["embedding"] + first["bm25"] + first["definition"] == pytest.approx(84, abs=3)


def test_no_hits_are_said():
    answer = replace(search_answer(), hits=())
    assert "No hits for “where is one made?”" in only_ours(shown_html(answer)).text


def test_source_has_its_line_numbers_and_gaps():
    page = only_ours(source_html(((9, "class A:"), (10, "    x = 1"), (42, "    y = 2")), "python"))
    assert page.text.removeprefix("copy").splitlines() == [" 9  class A:", "10      x = 1", " ⋮", "42      y = 2"]


def test_long_source_is_cut_and_counted():
    lines = tuple((line, "x" * 500) for line in range(1, 31))
    page = only_ours(source_html(lines, "python", limit=10, folded=5))
    assert "… 5 more lines" in page.text
    assert "15 more lines in the file" in page.text
    code = re.findall(r"<pre.*?</pre>", source_html(lines, "python", limit=10, folded=5), re.DOTALL)
    assert max(len(line) for pre in code for line in Page(pre).text.splitlines()) < 220
    assert "… 20 more lines" in only_ours(source_html(lines, "python", limit=10, folded=0)).text
    whole = only_ours(source_html(lines, "python", limit=10)).text
    assert "in the file" not in whole
    assert all(f"{line:>2}  x" in whole for line, _ in lines)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n\t\r"), max_size=20), max_size=8))
def test_colouring_changes_no_text(texts):
    lines = tuple(enumerate(texts, 1))
    page = only_ours(source_html(lines, "python"))
    assert page.text.removeprefix("copy") == "\n".join(f"{line}  {visible(text)}" for line, text in lines)


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
    page = only_ours(drawn_html(graph_answer()))
    assert "2 callers of app.seed" in page.text
    assert "calls by import at line 3, 7" in page.text
    assert "possible, by name only: 1 edge" in page.text
    assert "1 more call of `seed` may mean it too" in page.text
    assert "3 more symbols not listed; a higher top_k (--top-k) lists them" in page.text
    explorer = only_ours(drawn_html(graph_answer(), listed=False))  # it has no control for top_k
    assert "3 more symbols not listed; choose a symbol with fewer of them, or copy the call" in explorer.text


def test_absence_is_said():
    assert "No callers in this repository." in only_ours(drawn_html(empty_graph_answer())).text


def test_the_summary_lists_what_was_skipped():
    page = only_ours(shown_html(workspace_summary()))
    for said in (
        "1,204 symbols",
        "7 more possible",
        "shop.js",
        "2 MB",
        "⚠ grammar missing: shop",
        "1.25",
    ):
        assert said in page.text


def test_a_result_stays_small():
    text = "\n".join(f"    value_{i} = compute('text', {i})  # why {i}" for i in range(300))
    names = tuple(f"package.module.Class{i}.method{i}" for i in range(10))
    assert len(shown_html(search_answer(names, text=text))) < 120_000


@pytest.mark.usefixtures("explaining")
def test_a_subtraction_is_not_filled():
    answer = search_answer()
    hit = answer.hits[0].fused
    negative = FusedHit(hit.chunk_id, 1, -0.002, (), hit.adjustments[1:])
    markup = shown_html(replace(answer, hits=(type(answer.hits[0])(negative, answer.hits[0].chunk, None),)))
    assert "dashed" in markup
    assert "−0.0020  tests" in Page(markup).text
    assert "−0.0020  score" in Page(markup).text


def test_svg_is_well_formed_whatever_the_names():
    from codeexplore.answers.drawing.layout import draw
    from codeexplore.answers.drawing.svg import picture_html, svg

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
    page = Page(components.place("tests/orders.py", 35, 41))
    assert page.text == "tests/orders.py:35–41"
    assert [attributes for _, attributes in page.elements][-1] == {"style": "white-space:nowrap"}


def test_a_place_on_another_machine_is_no_link(monkeypatch):
    """The root of a saved index is its author's text; Windows logs in to a machine that such an address names."""
    monkeypatch.setattr(links, "jupyter_server", lambda: None)
    answer = paths_answer()
    for form in ("auto", "vscode", "file"):
        monkeypatch.setenv(links.SETTING, form)
        answer.catalog.root = "/home/me/repo"
        assert "<a " in shown_html(answer)
        answer.catalog.root = "//evil.example/share"
        assert "<a " not in shown_html(answer)


def test_a_link_that_leads_to_itself_is_shown_as_text(monkeypatch, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.delenv(links.SETTING, raising=False)
    monkeypatch.setattr(links, "jupyter_server", lambda: links.Server(str(tmp_path / "elsewhere"), "/"))
    answer = paths_answer()
    answer.catalog.root = str(tmp_path / "loop")
    assert "app/0.py" in Page(shown_html(answer)).text
