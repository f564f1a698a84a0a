"""The committed notebooks as a reader meets them, and magics typed by hand in JupyterLab."""

import shutil
from pathlib import Path

import pytest

from tests.browser.pages import PATIENCE, drawn, loaded

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LOAD = "%load_ext codeexplore\nfrom codeexplore import Workspace, sample_repo\nws = Workspace(sample_repo('webshop'))"
AREA = ".jp-OutputArea-output:visible"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_exported_notebook_is_whole_without_a_network(page, tmp_path, asked, path):
    """nbconvert's HTML, its own scripts from the web left out: nothing of ours asks for anything."""
    import nbformat
    from nbconvert import HTMLExporter

    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    exporter = HTMLExporter(mathjax_url="", require_js_url="", jquery_url="", widget_renderer_url="")
    html, _ = exporter.from_notebook_node(nbformat.read(path, as_version=4))
    (tmp_path / "exported.html").write_text(html, "utf-8")
    page.route("file://**", lambda route: route.continue_())
    page.goto((tmp_path / "exported.html").as_uri(), wait_until="domcontentloaded")
    pictures = page.locator(".jp-OutputArea-output img")
    loaded(pictures)
    assert pictures.evaluate_all("images => images.every(image => image.src.startsWith('data:'))")
    frames = page.locator(".jp-OutputArea-output iframe")
    assert frames.count() <= pictures.count()
    for index in range(min(frames.count(), 3)):
        drawn(frames.nth(index).element_handle().content_frame())
    assert page.locator(".jp-OutputArea-output").count() >= 8
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    assert (asked, errors) == ([], [])


def test_an_untrusted_quickstart_shows_results_and_pictures(lab, page, asked):
    """Somebody else's copy, opened and not run: frames and style sheets are dropped, the rest must do."""
    from playwright.sync_api import expect

    shutil.copy(next(path for path in NOTEBOOKS if path.stem == "quickstart"), lab.root / "somebodys.ipynb")
    lab.open(page, "somebodys.ipynb")
    outputs = page.locator(AREA)
    outputs.first.wait_for(timeout=2e3 * PATIENCE)
    expect(outputs.filter(has_text="how are expired sessions handled?").first).to_contain_text("SessionExpired")
    expect(page.locator(f"{AREA} iframe")).to_have_count(0)
    expect(page.locator(f"{AREA} style")).to_have_count(0)
    pictures = page.locator(f"{AREA} img[alt*='symbols']")
    assert loaded(pictures) >= 3
    bars = page.locator(f"{AREA} span[title^='bm25']")
    assert bars.first.evaluate("bar => getComputedStyle(bar).backgroundColor") == "rgb(39, 115, 237)"
    assert asked == []


def type_into_last_cell(page, text):
    editor = page.locator(".jp-CodeCell .cm-content").last
    editor.click()
    page.keyboard.press("Control+A")
    page.keyboard.type(text, delay=15)
    return editor


def complete(page, text):
    """Type a text and ask for its completion; gives what is offered."""
    type_into_last_cell(page, text)
    # until JupyterLab takes Tab for more than an indentation
    page.locator(".jp-CodeCell").last.locator(".jp-mod-completer-enabled").wait_for()
    page.keyboard.press("Tab")
    return page.locator(".jp-Completer-item")


def test_magics_complete_and_answer(run_notebook, asked):
    """Typing a magic, Tab for the symbol, Shift-Enter for the answer; then a question as it is."""
    from playwright.sync_api import expect

    page = run_notebook(LOAD, "ws", "'here'")
    expect(complete(page, "%callers valid").filter(has_text="validate_session").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(complete(page, "%callers Storefront.che")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".jp-CodeCell .cm-content").last).to_contain_text("%callers Storefront.checkout")
    expect(complete(page, 'ws["SessionMan').filter(has_text="SessionManager").first).to_be_visible()
    page.keyboard.press("Escape")

    type_into_last_cell(page, "who calls validate_session?")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    answer = page.locator(AREA).filter(has_text="who calls validate_session?")
    expect(answer.get_by_role("table").first).to_contain_text("validate_session")
    type_into_last_cell(page, "%explain 1")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.locator(AREA).filter(has_text="graph score").first).to_be_visible()
    assert asked == []
