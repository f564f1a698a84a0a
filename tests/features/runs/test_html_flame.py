"""Flame graphs: a call tree as one picture that runs no text of the repository."""

from __future__ import annotations

import base64
from xml.etree import ElementTree as ET

import pytest

from codeexplore.answers.terminal import written
from codeexplore.features.runs.call_tree_block import CallTree, Frame, flame_html, heaviest, weights
from tests.answers import HOSTILE, symbols_of
from tests.core.test_html_pages import Page

ELEMENTS = {"svg", "g", "rect", "text", "title"}


def drawing_of(markup: str) -> Page:
    """The SVG document that the picture of a flame graph holds, read as XML too."""
    (source,) = [attributes["src"] for element, attributes in Page(markup).elements if element == "img"]
    drawing = base64.b64decode(source.removeprefix("data:image/svg+xml;base64,")).decode()
    ET.fromstring(drawing)
    return Page(drawing)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_make_no_element_and_no_handler(name: str) -> None:
    (symbol,) = symbols_of((name,), name)
    tree = CallTree(name, (Frame(-1, name, 2), Frame(0, symbol, 1)))
    markup = flame_html(tree)
    page, drawing = Page(markup), drawing_of(markup)
    assert page.open == drawing.open == []
    assert {element for element, _ in page.elements} <= {"div", "img", "span"}, "what an untrusted notebook shows"
    assert {element for element, _ in drawing.elements} <= ELEMENTS
    handlers = [
        value
        for _, attributes in (*page.elements, *drawing.elements)
        for key, value in attributes.items()
        if key[:2] == "on"
    ]
    plain = Page(flame_html(CallTree("x", (Frame(-1, "x", 1),))))
    assert handlers == [attributes["onload"] for element, attributes in plain.elements if element == "img"]


def test_a_frame_is_as_wide_as_its_branch() -> None:
    frames = (Frame(-1, "a", 1), Frame(0, "b", 6), Frame(1, "c", 3), Frame(0, "d", 2), Frame(-1, "e", 4))
    assert weights(frames, times=False) == [12, 9, 3, 2, 4]
    page = drawing_of(flame_html(CallTree("t", frames)))
    shares = {attributes["data-n"]: float(attributes["data-w"]) for tag, attributes in page.elements if tag == "g"}
    assert shares == {"0": 0.75, "1": 0.5625, "2": 0.1875, "3": 0.125, "4": 0.25}
    edges = {attributes["data-n"]: float(attributes["data-x"]) for tag, attributes in page.elements if tag == "g"}
    assert edges == {"0": 0.0, "1": 0.0, "2": 0.0, "3": 0.5625, "4": 0.75}
    assert heaviest(frames, 3, times=False) == [(0, 0), (1, 1), (0, 4)]


def test_times_of_a_generator_are_at_least_those_of_its_callees() -> None:
    frames = (Frame(-1, "main", 1, 10, 5), Frame(0, "items", 1, 2, 2), Frame(1, "helper", 1, 7, 7))
    assert weights(frames, times=True) == [10, 7, 7]
    assert "1 call, 0.0 ms, own 0.0 ms" in written([CallTree("t", frames, times=True)])


def test_a_large_tree_stays_small_and_says_what_is_not_drawn() -> None:
    chain = [Frame(number - 1, f"f{number}", 1) for number in range(100)]
    wide = [Frame(0, f"g{number}", 1) for number in range(5_000)]
    markup = flame_html(CallTree("t", (*chain, *wide)))
    assert "functions not drawn; .tree() has all" in Page(markup).text
    assert len(markup) < 1_500_000
    assert "1 more" not in written([CallTree("t", chain, brief=100)])
    assert flame_html(CallTree("empty", ()))
