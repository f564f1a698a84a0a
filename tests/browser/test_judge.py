"""Judging in a real JupyterLab: by keys alone, with undo, continued, and compared with a second judge."""

import os

import pytest

from tests.browser.test_explorer import violations

START = """from codeexplore import Workspace, sample_repo
from codeexplore.evaluation import JudgingSession
ws = Workspace(sample_repo('webshop'), workers=0, cache=False)
questions = ['how are expired sessions handled?']
settings = dict(depth=2, lanes=['bm25', 'embedding'], fusions=['rrf'])"""
OTHER = """other = ws.judge(questions, judge='eve', file=FOLDER + '/eve.jsonl', **settings).session
while not other.finished:
    other.grade(1)"""
JUDGE = "view = ws.judge(questions, judge='ada', file=FOLDER + '/ada.jsonl', **settings)\nview"
WIDGET = ".ce-judge"


@pytest.mark.parametrize(("dark", "width"), [(False, 1400), (True, 900)])
def test_hits_are_judged_with_the_keyboard(lab, run_notebook, tmp_path, asked, dark, width):
    from playwright.sync_api import expect

    lab.dark(dark)
    cells = (START, *(each.replace("FOLDER", repr(str(tmp_path))) for each in (OTHER, JUDGE)))
    page = run_notebook(*cells, shows=WIDGET)
    page.set_viewport_size({"width": width, "height": 1000})
    widget = page.locator(WIDGET).first
    status = widget.get_by_role("status").first
    keys = widget.get_by_label("Keys")
    total = int(status.inner_text().split(" of ")[1].split(",")[0])
    keys.focus()
    keys.press("3")
    expect(status).to_contain_text("1 hit graded")
    keys.press("0")
    keys.press("0")  # quickly: JupyterLab's own 0 0 restarts the kernel
    expect(status).to_contain_text("3 hits graded")
    keys.press("u")
    expect(status).to_contain_text("2 hits graded")
    expect(widget).to_contain_text("Took the grade 0 back")
    if folder := os.environ.get("CODEEXPLORE_SCREENSHOTS"):
        widget.screenshot(path=f"{folder}/judge-{width}.png")
    assert violations(page, WIDGET) == []
    for _ in range(total - 2):
        keys.press("1")
    expect(widget).to_contain_text("Every hit has a grade")
    expect(keys).to_have_value("")
    fold = widget.get_by_role("button", name="Compare judges")
    fold.focus()
    fold.press("Enter")
    box = widget.get_by_role("textbox", name="file of the other judge")
    box.fill(str(tmp_path / "eve.jsonl"))
    box.press("Enter")
    widget.get_by_role("button", name="Compare", exact=True).press("Enter")
    expect(widget.get_by_role("table").first).to_contain_text("ada, eve")
    if folder:
        widget.screenshot(path=f"{folder}/judges-{width}.png")
    assert violations(page, WIDGET) == []
    assert len((tmp_path / "ada.jsonl").read_text().splitlines()) == 1 + total
    assert asked == []
