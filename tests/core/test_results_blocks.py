"""Blocks in each display: every kind has its form, and text of a repository stays text in all of them."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from codeexplore.answers import blocks as b
from codeexplore.answers import markdown
from codeexplore.answers import terminal as text
from codeexplore.answers.hit import summand_blocks
from codeexplore.answers.html import writer as html
from codeexplore.answers.html.elements import Html, join
from codeexplore.answers.score_terms import terms
from codeexplore.answers.terminal import Paint
from codeexplore.features.lab.charts import Bar, Bars, Chart
from codeexplore.features.review.difference import Difference
from codeexplore.features.runs.call_tree_block import CallTree, Frame
from codeexplore.types import Site
from codeexplore.types.visible import visible
from tests.answers import HOSTILE, graph_answer, paths_answer, search_answer, shown_width, symbols_of, workspace_summary
from tests.core.test_html_pages import Page, only_ours

KINDS = [kind.__name__ for kind in get_args(b.Block)]
MARKDOWN_TAGS = {
    "h2",
    "h3",
    "p",
    "code",
    "pre",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ul",
    "ol",
    "li",
    "blockquote",
}


def every_block(name: str) -> list[b.Block]:
    """Blocks of every kind, all of their text one name."""
    answer, (symbol,) = search_answer((name, name + "2"), question=name, text=name), symbols_of((name,), name)
    hit, place = answer[0], b.Place(name, 3, 4)
    parts: tuple[b.Inline, ...] = (
        name, b.Piece(name, "code"), b.Piece(name, "warning"), b.Piece(name, "kind"), b.Name(name, name, name), symbol,
        Site(name, 1), place, b.Tint("edge", "CALLS", name), b.Tint("lane", "graph", name), b.Meter(0.5),
        b.Fold(name, (b.Text(name),)), b.Bar(terms(hit.fused, answer.result), 0.1),
    )  # fmt: skip
    line = tuple(each for part in parts for each in (part, " "))
    row = b.Row(("1", symbol, b.Words("function"), place), (name,))
    source = b.Source([(1, name)], "python")
    ranked = b.Hit(hit.fused, answer.result, place, source, lambda: answer.summands(hit), 0.1, name, name)
    found = b.Row(("1", symbol, b.Words("function"), place), (), (ranked,))
    tables: list[b.Block] = [
        b.Table(name, ("#", "symbol", "kind", "where"), [row, row], "listed"),
        b.Table(name, ("depth", "symbol", "kind", "where"), [row, row], "grouped", "how"),
        b.Table(name, ("#", "symbol", "kind", b.Column("where", "text")), [found], "spaced", dim="weak"),
        b.Table(name, ("part", "contents"), [b.Row((name, line)), b.Row((name, name))], "facts"),
    ]
    step, edge = (symbol, symbol), b.Tint("edge", "USES", name)
    return [
        b.Heading(line), b.Text(line), b.Text(name, "warning", apart=True),
        b.Items(name, [line, name], "items", brief=1),
        b.Steps(1, step, ("→",), (edge,)), b.Source([(1, name), (9, name)], "python"),
        b.Source([(1, name)], "", path=name, spans=[[(0, 1)]]), b.Plain([name, name]), b.Quote(name),
        b.Fold(line, (b.Text(name),)), b.Fold(name, (b.Text(name),), aside=True), b.Drawing(graph_answer()),
        Chart(name, Bars(name, (Bar(name, 1.0, name),))),
        Difference((name, "a"), (name, "b", name), 1, 1, "python"), Difference((name,), (), 1, 1, "", aside=True),
        b.Items(line, [line, name], boxes=True), CallTree(name, (Frame(-1, name, 2), Frame(0, symbol, 1))),
        b.Copy("it", name), b.Legend((line,)), ranked, *summand_blocks(hit, answer.result, None), *tables,
    ]  # fmt: skip


def rendered(source: str) -> Page:
    """Markdown as a page that a reader would see, with tables."""
    return Page(MarkdownIt("commonmark").enable("table").render(source))


def test_every_kind_of_block_has_its_form_in_every_writer() -> None:
    blocks = every_block("x")
    assert {"Own" if isinstance(block, b.Own) else type(block).__name__ for block in blocks} == set(KINDS)
    for writer in (text.Writer(Paint(False), 80), markdown.Writer(9), html.Writer()):
        assert {type(writer.write(block)) for block in blocks} <= {list, Html}  # a kind without a case gives None


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_text_in_every_block(name: str) -> None:
    blocks = [block for block in every_block(name) if not isinstance(block, b.Drawing)]
    plain = text.written(blocks, width=80)
    assert plain == visible(plain)
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", text.written(blocks, colour=True, width=80))
    # test_html_flame.py looks at the elements of a call tree, test_evaluation_pictures.py at those of a chart
    only_ours(join(html.Writer().html(block for block in blocks if not isinstance(block, CallTree | Chart))))
    page = rendered(markdown.markdown(blocks))
    assert {element for element, _ in page.elements} <= MARKDOWN_TAGS
    assert all(not set(attributes) - {"class", "start"} for _, attributes in page.elements)


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(str.strip))
def test_any_text_stays_text_in_markdown(name: str) -> None:
    page = rendered(markdown.markdown(every_block(name)))
    assert {element for element, _ in page.elements} <= MARKDOWN_TAGS


@pytest.mark.parametrize("make", [search_answer, graph_answer, paths_answer])
def test_answers_are_markdown_that_names_cannot_leave(make: Any) -> None:
    for start in range(len(HOSTILE) - 3):
        page = rendered(make(HOSTILE[start : start + 4]).to_markdown())
        assert {element for element, _ in page.elements} <= MARKDOWN_TAGS


@pytest.mark.parametrize("width", [20, 30, 50, 80, 120, 200])
def test_blocks_keep_to_the_width_of_the_terminal(width: int) -> None:
    lines = text.written(every_block("package.module_with_a_name.method"), width=width).split("\n")
    assert max(map(shown_width, lines)) <= max(width, 80)
    if width >= 80:
        assert [line for line in lines if shown_width(line) > width] == []


def test_a_summary_says_its_folder_in_every_display() -> None:
    from codeexplore.answers.html.writer import blocks_html, shown_html
    from codeexplore.answers.show import summary_blocks

    summary = workspace_summary()
    assert "/repos/shop" in Page(shown_html(summary)).text
    assert "/repos/shop" not in Page(blocks_html(summary_blocks(summary, brief=True))).text
    assert "1,204 symbols" in Page(blocks_html(summary_blocks(summary, brief=True))).text
