"""The parts of the judging widget and of the fusion lab that scripts make work, in a page of their own."""

import os

import pytest

from codeexplore.answers.html.components import explorer_style
from codeexplore.answers.html.elements import Html, join, tag
from tests.browser.test_explorer import violations

GRADES = ("0", "1", "2", "3", "u", "n", "p")


def show(page, content, dark):
    """Show a part of a widget in the colours of a theme, as JupyterLab sets them."""
    colours = (
        "background:#111;color:#eee;--jp-layout-color1:#111" if dark else "background:#fff;--jp-layout-color1:#fff"
    )
    body = tag("body", tag("main", tag("h1", "A widget"), explorer_style(), content), style=colours)
    light = "false" if dark else "true"
    page.set_content(tag("html", tag("head", tag("title", "A widget")), body, lang="en", data_jp_theme_light=light))


@pytest.mark.parametrize(("dark", "width"), [(False, 1400), (True, 900)])
def test_keys_press_the_buttons_of_a_hit(page, webshop, tmp_path, asked, dark, width):
    view = webshop.lab.judge(
        ["how are expired sessions handled?"], depth=2, lanes=["bm25"], file=tmp_path / "judge.jsonl"
    )
    heading = view.children[1].children[1].value
    buttons = [tag("button", f"grade {key}", class_=f"ce-key-{key}", onclick=Html("pressed.push(this.textContent)"))
               for key in GRADES]  # fmt: skip
    hit = join(Html(each) for each in (view.title.value, heading, view.question.value, view.hit.value))
    page.set_viewport_size({"width": width, "height": 1000})
    show(page, tag("div", hit, *buttons, class_="codeexplore-explorer ce-judge"), dark)
    page.evaluate("window.pressed = []")
    keys = page.get_by_label("Keys")
    keys.focus()
    for key in (
        "2",
        "0",
        "0",
        "u",
        "N",
        "x",
        "7",
        "Control+u",
        "3",
    ):  # x and 7 mean nothing, Control+U is the browser's
        keys.press(key)
    assert page.evaluate("pressed") == [f"grade {key}" for key in ("2", "0", "0", "u", "n", "3")]
    assert keys.input_value() == ""
    assert violations(page, "main") == []
    if folder := os.environ.get("CODEEXPLORE_SCREENSHOTS"):
        page.screenshot(path=f"{folder}/judge-{width}.png")
    assert asked == []


@pytest.mark.parametrize(("dark", "width"), [(False, 1400), (True, 900)])
def test_a_line_of_the_chart_shows_its_sum(page, webshop, asked, dark, width):
    lab = webshop.lab.fusion_lab("how are expired sessions handled?")
    lab.rrf_k.value = 1
    assert lab.wait(60)
    page.set_viewport_size({"width": width, "height": 1000})
    parts = join((Html(lab.message.value), Html(lab.chart.value)))
    show(page, tag("div", parts, class_="codeexplore-explorer ce-fusion"), dark)
    lines, shown = page.locator(".ce-move"), page.locator(".ce-sum:visible")
    page.keyboard.press("Tab")
    for number in range(3):  # with the keyboard alone
        name = lines.nth(number).get_attribute("aria-label").partition(":")[0]
        page.wait_for_function("n => document.activeElement.dataset.row === n", arg=str(number))
        assert shown.count() == 1
        assert shown.inner_text().startswith(f"{name}: ")
        page.keyboard.press("Tab")
    lines.nth(0).hover()
    assert shown.inner_text().startswith(lines.nth(0).get_attribute("aria-label").partition(":")[0])
    assert "1/(1+" in shown.inner_text()
    assert violations(page, "main") == []
    if folder := os.environ.get("CODEEXPLORE_SCREENSHOTS"):
        page.screenshot(path=f"{folder}/fusion-{width}.png")
    assert asked == []
