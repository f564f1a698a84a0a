"""Results in a browser without Jupyter: hostile names run nothing and fetch nothing, and graphs draw."""

import pytest

from codeexplore.answers.drawing.vis_network import drawing_html
from codeexplore.answers.html.elements import join
from codeexplore.answers.html.writer import drawn_html, shown_html
from tests.answers import HOSTILE, graph_answer, paths_answer, search_answer, workspace_summary
from tests.browser.pages import click_vertex, drawn

PAGE = "<!doctype html><title>fine</title><body data-jp-theme-light='true'>{}</body>"


def frames(page):
    return [element.content_frame() for element in page.locator("iframe").element_handles()]


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 4))
def test_hostile_names_run_nothing_and_fetch_nothing(page, asked, start):
    names = (HOSTILE * 2)[start : start + 4]
    dialogs, errors = [], []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: errors.append(str(error)))
    graph = graph_answer(names, path=names[0] + "{}")
    parts = [
        shown_html(search_answer(names, question=names[1], path=names[2] + "{}", text="\n".join(names)), opened=4),
        drawn_html(graph, drawing_html(graph)),
        shown_html(paths_answer(names, path=names[3] + "{}")),
        *(shown_html(workspace_summary(name)) for name in names),
    ]
    page.set_content(PAGE.format(join(parts)))
    (frame,) = frames(page)
    drawn(frame)
    for details in page.locator("summary").all():
        details.hover()
    page.locator("iframe").click(position={"x": 700, "y": 75})
    assert page.title() == "fine"
    assert frame.title() == "Graph"
    assert (dialogs, errors, asked) == ([], [], [])
    assert page.evaluate("document.querySelectorAll('script, object, embed, form, link, meta[http-equiv]').length") == 0


def test_a_graph_draws_without_network_and_tells_about_a_symbol(page, asked):
    page.set_content(PAGE.format(drawing_html(graph_answer())))
    (frame,) = frames(page)
    drawn(frame)
    click_vertex(page, frame, 0, "document.getElementById('told').textContent.includes('app.seed')")
    assert asked == []


def test_two_graphs_stand_on_one_page(page):
    block = drawing_html(graph_answer())
    page.set_content(PAGE.format(block + block))
    both = frames(page)
    assert len(both) == 2
    for frame in both:
        drawn(frame)


def test_a_graph_covers_its_picture(page):
    page.set_content(PAGE.format(drawing_html(graph_answer())))
    drawn(frames(page)[0])
    assert page.locator("iframe").bounding_box() == page.locator("img").bounding_box()


def test_the_picture_shows_where_frames_do_not(page):
    block = drawing_html(graph_answer())
    page.set_content(PAGE.format(block[: block.index("<iframe")] + "</div>"))
    size = page.evaluate("() => { const i = document.querySelector('img'); return [i.complete, i.naturalWidth]; }")
    assert size[0]
    assert size[1] > 0


@pytest.mark.parametrize("width", [900, 1600])
def test_long_names_do_not_widen_the_page(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    names = ("x" * 5000, "a.b" * 1000, "app.one")
    parts = shown_html(search_answer(names, path="y" * 3000 + "{}", question="q" * 4000, text="z" * 9000), opened=3)
    page.set_content(PAGE.format(parts + drawn_html(graph_answer((*names, "app.two")))))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
