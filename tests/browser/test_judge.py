"""Judging in a real JupyterLab: by keys alone, with undo, continued, and compared with a second judge."""

from tests.browser.pages import picture, views
from tests.browser.test_explorer import violations

START = """from codeexplore import Workspace, sample_repo
from codeexplore.features.lab.evaluation import JudgingSession
ws = Workspace(sample_repo('webshop'), workers=0, cache=False)
questions = ['how are expired sessions handled?']
settings = dict(depth=2, lanes=['bm25', 'embedding'], fusions=['rrf'])"""
OTHER = """other = ws.lab.judge(questions, judge='eve', file=FOLDER + '/eve.jsonl', **settings).session
while not other.finished:
    other.grade(1)"""
JUDGE = "view = ws.lab.judge(questions, judge='ada', file=FOLDER + '/ada.jsonl', **settings)\nview"
WIDGET = ".ce-judge"


def test_hits_are_judged_with_the_keyboard(run_notebook, tmp_path, asked):
    from playwright.sync_api import expect

    cells = (START, *(each.replace("FOLDER", repr(str(tmp_path))) for each in (OTHER, JUDGE)))
    page = run_notebook(*cells, shows=WIDGET)
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
    for width in views(page):
        picture(widget, f"judge-{width}")
        assert violations(page, WIDGET) == []
    keys.focus()
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
    for width in views(page):
        picture(widget, f"judges-{width}")
        assert violations(page, WIDGET) == []
    assert len((tmp_path / "ada.jsonl").read_text().splitlines()) == 1 + total
    assert asked == []
