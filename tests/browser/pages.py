"""What the browser tests look for in a page."""

import json
import os
import re
import time

import pytest

PATIENCE = float(
    os.environ.get("PATIENCE", "60")
)  # seconds for whatever a page or a kernel is to do; a machine may be busy

INK = """() => {
  const canvas = document.querySelector('canvas');
  if (!canvas || !canvas.width || !canvas.height) return 0;
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let inked = 0;
  for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
  return inked;
}"""


def until(frame, condition):
    """Wait for a condition. Playwright's own waiting needs eval, which the graph's page forbids."""
    if not _soon(frame, condition, PATIENCE):
        pytest.fail(f"never true: {condition}")


def _soon(frame, condition, seconds):
    end = time.monotonic() + seconds
    while not frame.evaluate(condition):
        if time.monotonic() > end:
            return False
        frame.page.wait_for_timeout(50)
    return True


def drawn(frame):
    """Wait until a graph has ink on its canvas."""
    frame.frame_element().scroll_into_view_if_needed()  # a browser draws no frame that is out of sight
    until(frame, f"({INK})() > 500")


def press_vertex(page, frame, number):
    """Press the mouse once on a vertex of a drawing."""
    box = frame.frame_element().bounding_box()
    x, y = frame.evaluate(
        f"() => {{ const p = network.canvasToDOM(network.getPosition({number})); return [p.x, p.y]; }}"
    )
    page.mouse.click(box["x"] + x, box["y"] + y)


def click_vertex(page, frame, number, told):
    """Click a vertex of a drawing until the condition holds in its page.

    A press that a busy browser handles late is no click to the drawing; a person would click again.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        press_vertex(page, frame, number)
        if _soon(frame, told, 3.0):
            return
    pytest.fail(f"never told: {told}")


def press_early(box, first, last, button):
    """Type a text and another one, and press a button at once.

    A widget's own box would send the second text only when the kernel has answered to the first, so after the press.
    """
    script = """([box, first, last, button]) => {
      for (const text of [first, last]) {
        box.value = text;
        box.dispatchEvent(new Event('input', {bubbles: true}));
      }
      button.click();
    }"""
    box.page.evaluate(script, [box.element_handle(), first, last, button.element_handle()])


def run_all(page, cells, shows, count=1, *, started=False):
    """Run all cells, and again when JupyterLab drops them or their widgets: it does while it still connects.

    Returns nothing when all have run and the page shows `count` elements that the selector `shows` finds, else what was
    there in the end. With `started`, they are running already.
    """
    prompts = "() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(p => p.textContent)"
    shown = []
    since, patience = time.monotonic(), 10.0 if started else 0.0
    end = since + 1.5 * PATIENCE
    while time.monotonic() < end:
        shown = page.evaluate(prompts)
        errors = page.locator('[data-mime-type="application/vnd.jupyter.error"]').all_inner_texts()
        assert not errors, errors[0]
        ran = sum(bool(re.search(r"\[\d+\]", prompt)) for prompt in shown) >= cells
        if ran and page.locator(shows).count() >= count and not page.get_by_text("Loading widget...").count():
            return []
        if any("*" in prompt for prompt in shown):
            since = time.monotonic()
        elif time.monotonic() - since > patience:
            since, patience = time.monotonic(), max(10.0, 2 * patience)
            page.get_by_role("menuitem", name="Run", exact=True).click()
            page.locator('[data-command="runmenu:run-all"]').click()
        page.wait_for_timeout(200)
    return [*shown, *page.locator(".jp-OutputArea-output").all_inner_texts()]


def loaded(images):
    """Wait until pictures are there, and give how many."""
    for image in images.all():
        image.evaluate("image => image.decode()")  # fails when it can't be
        assert image.evaluate("image => image.naturalWidth") > 0
    return images.count()


def views(page):
    """Show the page wide in the light theme, then narrow in the dark theme, then as it was. Gives the width of each."""
    size = page.viewport_size
    for theme, width in (("JupyterLab Light", 1400), ("JupyterLab Dark", 900)):
        _choose(page, theme)
        page.set_viewport_size({"width": width, "height": 1000})
        yield width
    _choose(page, "JupyterLab Light")
    page.set_viewport_size(size)


def _choose(page, theme):
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)


def picture(where, name):
    """Keep a screenshot of an element if CODEEXPLORE_SCREENSHOTS names a folder for it."""
    if folder := os.environ.get("CODEEXPLORE_SCREENSHOTS"):
        where.screenshot(path=f"{folder}/{name}.png")


def exported(page, notebook):
    """A page made by nbconvert, and one in a frame that runs nothing: as Colab and VS Code's web build show pages."""
    import nbformat
    from nbconvert import HTMLExporter
    from playwright.sync_api import expect

    html, _ = HTMLExporter().from_notebook_node(nbformat.reads(json.dumps(notebook), as_version=4))
    sources = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{sources}">'
    framed = (policy + html).replace("&", "&amp;").replace('"', "&quot;")
    with page.context.new_page() as other:
        for content in (html, f'<iframe sandbox width=900 height=2000 srcdoc="{framed}"></iframe>'):
            other.set_content(content, wait_until="domcontentloaded")
            shown = other.frame_locator("iframe") if "srcdoc" in content else other
            expect(shown.locator(".ce-still li").first).to_be_visible()
            expect(shown.get_by_text("Loading widget")).to_have_count(0)
