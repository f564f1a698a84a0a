"""The explorer's panel "Changes" in a real JupyterLab: an edit is reviewed with the keyboard."""

import os

from tests.browser.pages import PATIENCE, picture, press_early, views
from tests.browser.test_explorer import EXPLORER, violations
from tests.git_repos import commit, repository, write

TILL = "def add_up(coins):\n    total = 0\n    for coin in coins:\n        total += coin\n    return total\n"
HOSTILE = "<img src=x onerror=document.title='owned'>"
FILES = {
    "shop/__init__.py": "", "shop/till.py": TILL,
    "shop/desk.py": "from shop.till import add_up\n\n\ndef close(coins):\n    return add_up(coins)\n",
    "tests/test_desk.py": "from shop.desk import close\n\n\ndef test_close():\n    assert close([1]) == 1\n",
}  # fmt: skip
OPEN = "from codeexplore import Workspace\nexplorer = Workspace(ROOT, workers=0, progress=print).explore()\nexplorer"
PATCH = """--- a/shop/desk.py
+++ b/shop/desk.py
@@ -4,2 +4,2 @@
-def close(coins):
+def close(coins, *, strict):
     return add_up(coins)
"""


def test_an_edit_is_reviewed_with_the_keyboard(run_notebook, tmp_path, asked):
    from playwright.sync_api import expect

    root = repository(tmp_path / "shop", FILES)
    commit(root, "second", {"notes.txt": "x"})
    name = "bad.py" if os.name == "nt" else f"{HOSTILE.replace('/', '')}.py"
    write(root, {"shop/till.py": TILL.replace("coins", "money", 1).replace("in coins", f"in money  # {HOSTILE}"),
                 name: f"def new_one():\n    return {HOSTILE!r}\n"})  # fmt: skip
    page = run_notebook(OPEN.replace("ROOT", repr(str(root))), shows=EXPLORER)
    title = page.title()
    explorer = page.locator(EXPLORER).first
    panel = page.locator(".ce-changes")
    explorer.get_by_role("button", name="Changes", exact=True).press("Enter")
    expect(panel.get_by_text("2 symbols changed since HEAD")).to_be_visible()
    expect(panel.get_by_text("may break: ")).to_contain_text("may break: ")
    panel.locator("summary", has_text="before and after").first.press("Enter")
    expect(panel.locator(".ce-difference").first).to_contain_text("def add_up(money):")

    panel.get_by_role("button", name="Impact").press("Enter")
    expect(panel.get_by_text("affected by 2 changed symbols")).to_be_visible()
    drawn = panel.locator("img").first
    expect(drawn).to_be_visible()
    assert drawn.evaluate("image => image.complete && image.naturalWidth > 0")
    panel.get_by_role("spinbutton", name="steps (0: any)").fill("1")
    panel.get_by_role("spinbutton", name="steps (0: any)").press("Enter")
    expect(panel.get_by_text("tests.test_desk.test_close")).to_have_count(0)

    panel.get_by_role("button", name="Tests").press("Enter")
    box = panel.get_by_role("checkbox", name="test_close")
    box.press("Space")
    expect(box).to_be_checked()
    copy = panel.get_by_role("button", name="Copy the names of these tests").first
    assert copy.get_attribute("data-copy") == "tests/test_desk.py::test_close"
    for tab in ("Symbols", "Impact", "Tests"):
        panel.get_by_role("button", name=tab).press("Enter")
        for width in views(page):
            picture(explorer, f"changes-{tab.lower()}-{width}")
            assert violations(page, ".ce-changes") == []
            assert explorer.evaluate("element => element.scrollWidth - element.getBoundingClientRect().width") <= 1

    base = panel.get_by_role("combobox", name="Changes since")
    base.fill("no-such-branch")
    base.press("Enter")
    expect(panel.get_by_role("alert")).to_contain_text("no-such-branch")
    press_early(base, "no", "nor-this-one", panel.get_by_role("button", name="Compare", exact=True))
    expect(panel.get_by_role("alert")).to_contain_text("nor-this-one")
    panel.get_by_role("button", name="Patch", exact=True).press("Enter")
    panel.get_by_role("textbox", name="Patch").fill(PATCH)
    panel.get_by_role("button", name="Symbols").press("Enter")
    panel.get_by_role("button", name="Compare").press("Enter")
    expect(panel.get_by_text("parameter strict added without a default")).to_be_visible(timeout=PATIENCE * 1e3)
    assert explorer.locator("script, object, embed, form").count() == 0
    assert (page.title(), asked) == (title, [])
