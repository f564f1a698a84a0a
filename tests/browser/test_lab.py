"""Journeys in a real JupyterLab: what a person does, and what is left of it for others."""

import re

import pytest

from codeexplore.answers.drawing.vis_network import drawing_html
from codeexplore.answers.html.writer import drawn_html, shown_html
from codeexplore.features.runs.call_tree_block import CallTree, Frame, flame_html
from tests.answers import graph_answer, search_answer
from tests.browser.pages import drawn, loaded, views

LOAD = "from codeexplore import Workspace, sample_repo\nws = Workspace(sample_repo('webshop'))\nws"
AREA = ".jp-OutputArea-output:visible"


def test_magics_answer_with_a_question_mark(run_notebook, asked):
    from playwright.sync_api import expect

    page = run_notebook(
        "%load_ext codeexplore\n" + LOAD, "%ask who calls validate_session?", "%callers validate_session"
    )
    outputs = page.locator(AREA)  # found by what they say: a cell that ran twice has more of them
    expect(outputs.filter(has_text="contents")).to_contain_text("webshop")
    answer = outputs.filter(has_text="who calls validate_session?")
    expect(answer.get_by_role("table").first).to_contain_text("validate_session")
    callers = outputs.filter(has_text="By depth, then confidence")
    drawn(callers.locator("iframe").element_handle().content_frame())
    assert asked == []


@pytest.mark.usefixtures("explaining")
def test_an_untrusted_copy_keeps_results_and_pictures(saved_notebook, asked):
    """Somebody else's notebook, not run here: frames and style sheets are dropped, the rest must do."""
    from playwright.sync_api import expect

    graph = graph_answer()
    flame = flame_html(CallTree("a cell", (Frame(-1, "outer", 1),)))
    page = saved_notebook(shown_html(search_answer()) + drawn_html(graph, drawing_html(graph)) + flame)
    output = page.locator(AREA)
    expect(output.locator("iframe")).to_have_count(0)
    expect(output.locator("style")).to_have_count(0)
    pictures = output.get_by_role("img", name=re.compile("2 callers of app.seed|call tree of a cell"))
    expect(pictures).to_have_count(2)
    assert loaded(pictures) == 2
    assert "outer" not in output.inner_text()  # names of functions are in the picture, not loose in the text
    expect(output.get_by_role("columnheader", name="bm25 rank")).to_be_visible()
    expect(output.locator("button")).to_have_count(6)  # two a hit; they do nothing where scripts are taken out
    expect(output.locator("button:visible")).to_have_count(0)
    output.locator("summary").nth(1).dispatch_event("click")  # a dialog asks for a kernel: nobody here wants one
    bars = output.locator("span[title^='bm25']")
    keyword = output.locator("pre span", has_text="def").first
    for _ in views(page):
        assert bars.first.evaluate("bar => getComputedStyle(bar).backgroundColor") == "rgb(39, 115, 237)"
        assert bars.first.bounding_box()["width"] > 20
        assert keyword.evaluate("word => getComputedStyle(word).color") == "rgb(165, 75, 229)"
    assert asked == []


def test_an_exported_notebook_keeps_results_and_graphs(page, tmp_path):
    """nbconvert's HTML: tables aligned as ours, the picture there, the live graph over it."""
    import nbformat
    from nbconvert import HTMLExporter

    graph = graph_answer()
    markup = shown_html(search_answer()) + drawn_html(graph, drawing_html(graph))
    output = nbformat.v4.new_output("display_data", {"text/html": str(markup)})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
    html, _ = HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "exported.html").write_text(html, "utf-8")
    page.route("file://**", lambda route: route.continue_())
    page.goto((tmp_path / "exported.html").as_uri(), wait_until="domcontentloaded")
    assert loaded(page.get_by_role("img", name="2 callers of app.seed")) == 1
    frame = page.locator("iframe")
    drawn(frame.element_handle().content_frame())
    cell = page.locator("td", has_text="one").first
    assert cell.evaluate("cell => getComputedStyle(cell).textAlign") == "left"
