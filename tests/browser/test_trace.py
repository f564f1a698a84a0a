"""A traced cell in a real JupyterLab: its flame graph is read with the keyboard."""

from tests.browser.pages import picture, views
from tests.browser.test_explorer import violations

PROGRAM = """def outer(n):
    return sum(map(inner, range(n))) + hostile("<img src=x onerror=document.title='owned'>")

def inner(n):
    return n + 1

def hostile(text):
    return len(text)
"""
CELLS = (
    "import sys; sys.path.insert(0, ROOT)\n%load_ext codeexplore\n"
    "from codeexplore import Workspace\nws = Workspace(ROOT, workers=0, cache=False)",
    "%%trace <b>of ours</b>\nimport counted\ncounted.outer(3)",
)
FLAME = "svg.ce-flame"


def test_a_traced_cell_is_read_with_the_keyboard(run_notebook, tmp_path, asked):
    from playwright.sync_api import expect

    (tmp_path / "counted.py").write_text(PROGRAM, "utf-8")
    page = run_notebook(*(cell.replace("ROOT", repr(str(tmp_path))) for cell in CELLS), shows=FLAME)
    title = page.title()
    flame = page.locator(FLAME).first
    said = page.locator(".ce-flame-said").first
    flame.focus()
    expect(said).to_contain_text("outer")
    flame.press("ArrowDown")
    expect(said).to_contain_text("inner")
    flame.press("ArrowRight")
    expect(said).to_contain_text("hostile")
    flame.press("Enter")
    expect(flame.locator("g.ce-f:visible")).to_have_count(2)
    flame.press("Escape")
    expect(flame.locator("g.ce-f:visible")).to_have_count(3)
    output = ".jp-OutputArea-output:has(svg.ce-flame)"
    for width in views(page):
        picture(page.locator(output).first, f"trace-{width}")
        assert violations(page, output) == []
    assert (page.title(), asked) == (title, [])
