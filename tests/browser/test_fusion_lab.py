"""The fusion lab in a real JupyterLab: numbers and lines of the chart by keys alone, and a curve over questions."""

from tests.browser.pages import picture, views
from tests.browser.test_explorer import violations

CELLS = (
    "from codeexplore import Workspace, sample_repo\n"
    "from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures\n"
    "ws = Workspace(sample_repo('webshop'), workers=0, cache=False)\n"
    "questions = load_fixtures(find_fixtures(ws.root))[:4]",
    "ws.lab.fusion_lab('how are expired sessions handled?', questions)",
)
WIDGET = ".ce-fusion"


def test_a_weight_is_changed_with_the_keyboard(run_notebook, asked):
    from playwright.sync_api import expect

    page = run_notebook(*CELLS, shows=f"{WIDGET} svg")
    widget = page.locator(WIDGET).first
    expect(widget.get_by_role("status").first).to_contain_text("The ranks are the default ones")
    weight = widget.get_by_role("spinbutton", name="weight of bm25")
    weight.focus()
    weight.press("ArrowUp")
    expect(weight).to_have_value("1.05")
    rrf_k = widget.get_by_role("spinbutton", name="rrf_k")
    rrf_k.fill("1")
    expect(widget.locator(".ce-sum:visible")).to_contain_text("/(1+")  # the chart of the last number is there
    expect(widget.get_by_role("status").first).to_contain_text("change their rank")
    lines = widget.locator(".ce-move")
    lines.nth(1).focus()
    expect(widget.locator(".ce-sum:visible")).to_have_count(1)
    name = lines.nth(1).get_attribute("aria-label").partition(":")[0]
    expect(widget.locator(".ce-sum:visible")).to_contain_text(name)
    expect(widget.locator(".ce-sum:visible")).to_contain_text("1/(1+")
    widget.get_by_role("button", name="Draw curve").press("Enter")
    expect(widget.get_by_role("img", name="chart: nDCG@10 against rrf_k")).to_be_visible()
    for width in views(page):
        assert weight.bounding_box()["width"] > 50
        assert widget.evaluate("each => each.scrollWidth <= each.clientWidth")  # nothing is cut off
        picture(widget, f"fusion-{width}")
        assert violations(page, WIDGET) == []
    assert asked == []
