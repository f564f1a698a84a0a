"""The explorer as people use it, in a real JupyterLab: journeys, hostile sources, accessibility."""

import re
import time
from importlib.resources import files

import pytest

from tests.answers import HOSTILE
from tests.browser.pages import PATIENCE, drawn, press_early, press_vertex, run_all, views
from tests.core.test_html_pages import OUR_LINK

LOAD = "from codeexplore import Workspace, sample_repo\nws = Workspace(sample_repo('webshop'), progress=print)"
EXPLORER = ".codeexplore-explorer"
OPEN = "explorer = ws.explore(view='lab')\nexplorer"
OPEN_ASK = "explorer = ws.explore()\nexplorer"


@pytest.fixture
def explorer(run_notebook):
    """The explorer of a notebook that was just run, as a locator."""
    found = run_notebook(LOAD, OPEN, shows=EXPLORER).locator(EXPLORER).first
    found.scroll_into_view_if_needed()
    return found


def ask(explorer, question):
    """Type a question, and wait for its answer: that of its beginning may come before."""
    from playwright.sync_api import expect

    box = explorer.get_by_role("combobox", name="Question")
    box.fill("")
    box.press_sequentially(question, delay=10)
    answered(explorer, question)
    expect(explorer.locator(".ce-found table").first).to_be_visible()


def answered(explorer, question):
    from playwright.sync_api import expect

    expect(explorer.get_by_role("status").filter(has_text=f"for “{question}” in")).to_be_visible()


def make_live(explorer):
    """Replace the picture of the graph by the drawing to drag and zoom."""
    explorer.get_by_role("button", name="Graph options").click()
    explorer.get_by_role("button", name="Drag and zoom", exact=True).click()


def frame_of(explorer):
    element = explorer.locator("iframe")
    element.wait_for()
    frame = element.element_handle().content_frame()
    drawn(frame)
    return frame


def test_type_toggle_each_lane_open_why_and_change_rrf_k(explorer, asked):
    from playwright.sync_api import expect

    ask(explorer, "how are expired sessions handled?")
    found = explorer.locator(".ce-found")
    for lane in ("bm25", "embedding", "graph"):
        heading = found.get_by_role("columnheader", name=lane)
        expect(heading).to_be_visible()
        explorer.get_by_role("checkbox", name=lane).uncheck()
        expect(heading).to_have_count(0)
        expect(explorer.locator(f".ce-lane-{lane}")).to_contain_text("not used")
        explorer.get_by_role("checkbox", name=lane).check()
        expect(heading).to_be_visible()
    found.locator("summary", has_text="source and score").first.click()
    why = found.locator("details details", has_text="bm25").first
    why.locator("summary").click()
    expect(why).to_contain_text("BM25 score, their sum")
    explorer.get_by_role("button", name="What is fusion?").press("Enter")
    step = explorer.locator(".ce-step", has_text="Fusion merges")
    expect(step).to_contain_text(re.compile(r"hit 1: .*1/\(60\+\d+\).* = 0\.\d{4}"))
    explorer.get_by_role("spinbutton", name="rrf_k").fill("7")
    explorer.get_by_role("spinbutton", name="rrf_k").press("Enter")
    expect(found.get_by_text("weight/(7 + rank in lane)")).to_be_visible()
    expect(step).to_contain_text(re.compile(r"hit 1: .*1/\(7\+\d+\)"))  # it stays open
    explorer.get_by_role("button", name="Ask", exact=True).press("Enter")
    expect(found.locator(".ce-sentence").first).to_be_visible()
    expect(explorer.get_by_role("spinbutton", name="rrf_k")).to_have_count(0)
    explorer.get_by_role("button", name="Lab", exact=True).press("Enter")
    expect(explorer.get_by_role("spinbutton", name="rrf_k")).to_have_value("7")
    found.locator("summary", has_text="source and score").first.click()
    expect(found.locator("mark").first).to_be_visible()
    assert asked == []


def test_draw_click_deepen_and_walk_on_by_keyboard(explorer, asked):
    from playwright.sync_api import expect

    ask(explorer, "what calls luhn_valid?")
    details = explorer.locator(".ce-details")
    picture = explorer.get_by_role("img", name=re.compile("caller of"))
    picture.locator(".ce-box", has_text="CardGateway.validate").click()
    expect(details).to_contain_text("luhn_valid(")
    expect(details).to_contain_text(re.compile(r"→ .*calls"))
    picture.locator(".ce-box", has_text="luhn_valid").last.click()
    expect(details).to_contain_text(re.compile(r"← .*calls"))
    make_live(explorer)
    frame = frame_of(explorer)
    end = time.monotonic() + PATIENCE
    while "luhn_valid(" not in details.inner_text():  # a press that a busy browser handles late is not a click
        assert time.monotonic() < end
        press_vertex(explorer.page, frame, 1)
        explorer.page.wait_for_timeout(500)

    steps = explorer.get_by_role("spinbutton", name="Steps")
    steps.fill("3")
    steps.press("Enter")
    listed = explorer.get_by_role("listbox", name="Symbols in the graph")
    expect(listed.locator("option", has_text=re.compile(r"^2\s"))).not_to_have_count(0)
    expect(explorer.get_by_text("depth 2")).to_be_visible()

    listed.select_option(index=0)
    explorer.get_by_role("button", name="Next in list").press("Enter")
    expect(details).to_contain_text("def validate")
    listed.press("Control+ArrowDown")
    expect(details).to_contain_text("def charge")
    listed.press("Control+ArrowUp")
    expect(details).to_contain_text("def validate")
    explorer.get_by_role("button", name="Start here").press("Enter")
    expect(explorer.get_by_text(re.compile(r"callers? of .*CardGateway\.validate")).first).to_be_visible()
    explorer.get_by_role("button", name="Back", exact=True).press("Enter")
    expect(explorer.get_by_text(re.compile(r"callers of .*luhn_valid")).first).to_be_visible()
    assert asked == []


SERVED = """
import pathlib, shutil
from codeexplore import Workspace, sample_repo
shutil.copytree(sample_repo("webshop"), "served", dirs_exist_ok=True)
ws = Workspace("served", progress=lambda *_: None)
"""


def test_a_starter_question_ten_hits_the_graph_and_a_file_at_its_line(run_notebook, asked):
    """What a newcomer does: press a question, see hits and graph together, open a place, copy it."""
    from playwright.sync_api import expect

    page = run_notebook(SERVED, OPEN_ASK, shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    starter = explorer.locator(".ce-starters button").first
    question = starter.inner_text()
    starter.click()
    answered(explorer, question)
    ask(explorer, "how are expired sessions handled?")
    expect(explorer.get_by_role("img", name=re.compile("of webshop")).first).to_be_visible()
    explorer.evaluate("element => element.scrollIntoView()")
    bottom = page.viewport_size["height"]
    tenth = explorer.locator(".ce-found tbody tr").nth(19)  # its second row
    assert tenth.bounding_box()["y"] < bottom - 40
    expect(tenth).to_contain_text(re.compile(r"\d+(st|nd|rd|th) by (words|meaning)"))
    meaning = explorer.get_by_role("checkbox", name="meaning")
    meaning.press("Space")
    expect(explorer.locator(".ce-sentence", has_text="by meaning")).to_have_count(0)
    meaning.press("Space")
    expect(explorer.locator(".ce-sentence", has_text="by meaning").first).to_be_visible()
    explorer.get_by_role("button", name="How it was found").press("Enter")
    expect(explorer.locator(".ce-found-fold")).to_contain_text("1/(60+")
    ask(explorer, "what calls validate_session?")
    expect(explorer.locator(".ce-found-fold")).to_contain_text("callers of")
    ask(explorer, "how are expired sessions handled?")
    explorer.get_by_role("button", name="How it was found").press("Enter")
    assert explorer.locator(".ce-callers svg[role=img]").bounding_box()["y"] < bottom / 2
    expect(explorer.get_by_role("button", name="Call graph")).to_be_hidden()
    page.set_viewport_size({"width": 900, "height": 1000})
    expect(explorer.locator(".ce-callers")).to_be_hidden()
    explorer.get_by_role("button", name="Call graph").click()
    expect(explorer.locator(".ce-callers")).to_be_visible()
    expect(explorer.locator(".ce-found")).to_be_hidden()
    explorer.get_by_role("button", name="Ranking").click()
    explorer.get_by_role("button", name="Tour").press("Enter")
    tour = explorer.locator(".ce-tour")
    expect(tour).to_contain_text("step 1 of")
    tour.get_by_role("button", name="Next").press("Enter")
    expect(tour).to_contain_text("step 2 of")
    explorer.get_by_role("button", name="Tour").press("Enter")
    expect(tour).to_have_count(0)

    place = explorer.locator(".ce-found a.ce-place").first
    path, _, lines = place.inner_text().partition(":")
    copied = explorer.locator(".ce-found .ce-copy").first
    copied.click()
    expect(copied).to_have_text("✓")
    place.click()
    editor = page.locator(".jp-FileEditor:visible")
    expect(editor).to_be_visible()
    first = int(lines.partition("–")[0])
    expect(page.locator("#jp-main-statusbar")).to_contain_text(f"Ln {first}, Col 1")
    expect(page.locator(".lm-TabBar-tab.lm-mod-current", has_text=path.rpartition("/")[2]).first).to_be_visible()
    assert asked == []


def test_what_if_slopes_code_and_pins(explorer, asked, lab):
    from playwright.sync_api import expect

    ask(explorer, "how are expired sessions handled?")
    compare = explorer.get_by_role("combobox", name="Compare with")
    compare.select_option("each lane left out")
    expect(explorer.get_by_text("Ranks if a lane were left out")).to_be_visible()
    compare.select_option("embedding alone")
    slope = explorer.get_by_role("img", name=re.compile("change their rank"))
    expect(slope).to_be_visible()
    slope.evaluate("image => image.decode()")
    assert slope.evaluate("image => image.naturalWidth") > 300

    explorer.get_by_role("button", name="Python code", exact=True).click()
    expect(explorer.get_by_text("answer = ws.search(")).to_be_visible()
    explorer.get_by_role("button", name="Pin").click()
    page = explorer.page
    pinned = page.locator(".jp-OutputArea-output:not(:has(.codeexplore-explorer))", has_text="hits for “how are")
    expect(pinned.get_by_role("table").first).to_be_visible()
    expect(pinned.get_by_role("img", name=re.compile("of webshop"))).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    end = time.monotonic() + PATIENCE
    while not pinned_in_a_file(lab):
        assert time.monotonic() < end, "the pinned result is not in the saved notebook"
        page.wait_for_timeout(100)
    assert asked == []


def pinned_in_a_file(lab):
    """Whether what is pinned is in the notebook's file, as HTML; which may just be being written."""
    saved = [path.read_text("utf-8") for path in lab.root.glob("test_what_if*.ipynb")]
    return any(
        "hits for </b>" in written
        and "how are expired sessions handled?”</b>" in written
        and written.rstrip().endswith("}")
        for written in saved
    )


HELD = """
from codeexplore.workspace import open as opening
real = opening.open_workspace

def held(where, *, cancel, **options):
    if where == "networkx":
        cancel.wait(300)  # there is time to stop it, however slow the browser
    return real(where, cancel=cancel, **options)

opening.open_workspace = held
"""


def test_open_another_repository_cancel_and_err(run_notebook, asked):
    from playwright.sync_api import expect

    explorer = run_notebook(LOAD, HELD, OPEN, shows=EXPLORER).locator(EXPLORER).first
    explorer.scroll_into_view_if_needed()
    explorer.get_by_role("button", name="Open…").click()
    where = explorer.get_by_role("textbox", name="Repository")
    where.fill("/no/such/folder")
    explorer.get_by_role("button", name="Load", exact=True).click()
    expect(explorer.get_by_role("alert")).to_contain_text("/no/such/folder")

    where.fill("networkx")
    explorer.get_by_role("button", name="Load", exact=True).click()
    cancel = explorer.get_by_role("button", name="Cancel", exact=True)
    expect(cancel).to_be_enabled()
    cancel.click()
    expect(explorer.get_by_role("status").filter(has_text="cancelled")).to_be_visible()
    expect(explorer.locator(".ce-title")).to_contain_text("webshop")
    ask(explorer, "what calls validate_session?")
    assert asked == []


def test_load_reads_what_was_typed_last(run_notebook):
    from playwright.sync_api import expect

    explorer = run_notebook(SERVED, OPEN_ASK, shows=EXPLORER).locator(EXPLORER).first
    explorer.get_by_role("button", name="Open…").click()
    where = explorer.get_by_role("textbox", name="Repository")
    press_early(where, "/no/such", "/no/such/folder", explorer.get_by_role("button", name="Load", exact=True))
    expect(explorer.get_by_role("alert")).to_contain_text("/no/such/folder")
    where.fill("/no/other")
    where.press("Enter")
    expect(explorer.get_by_role("alert")).to_contain_text("/no/other")
    where.press("Enter")  # the same text again
    expect(explorer.get_by_role("alert")).to_contain_text("/no/other")


def test_errors_are_shown_and_go_away(explorer):
    from playwright.sync_api import expect

    ask(explorer, "money")
    for lane in ("bm25", "embedding", "graph"):
        explorer.get_by_role("checkbox", name=lane).uncheck()
    expect(explorer.get_by_role("alert")).to_contain_text("no lane is on")
    expect(explorer.locator(".ce-found table")).to_have_count(0)
    explorer.get_by_role("checkbox", name="bm25").check()
    expect(explorer.get_by_role("alert")).to_have_count(0)
    expect(explorer.locator(".ce-found table").first).to_contain_text("bm25")


def test_two_explorers_and_restart_and_run_all(run_notebook):
    from playwright.sync_api import expect

    page = run_notebook(LOAD, "ws.explore('money')", "ws.explore('session')", shows=EXPLORER, count=2)
    explorers = page.locator(EXPLORER)
    expect(explorers).to_have_count(2)
    ask(explorers.nth(0), "cart total")
    expect(explorers.nth(1).get_by_role("combobox", name="Question")).to_have_value("session")
    explorers.evaluate_all("old => old.forEach(each => { each.dataset.old = 1; })")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Restart Kernel and Run All Cells").first.click()
    expect(page.locator("[data-old]")).to_have_count(0)
    assert run_all(page, 3, EXPLORER, 2, started=True) == []
    expect(explorers).to_have_count(2)
    expect(explorers.nth(0).get_by_role("combobox", name="Question")).to_have_value("money")
    answered(explorers.nth(0), "money")
    answered(explorers.nth(1), "session")


# --------------------------------------------------------------------------- long graphs

LONG = """
import pathlib, tempfile
from codeexplore import Workspace
root = pathlib.Path(tempfile.mkdtemp())
(root / "core.py").write_text("def seed():\\n    return 1\\n")
for part in range(15):
    users = "".join(f"\\n\\ndef user{part}_{n}():\\n    return seed()\\n" for n in range(10))
    (root / f"part{part}.py").write_text("from core import seed\\n" + users)
ws = Workspace(root, workers=0, progress=print)
"""


def test_a_long_graph_is_legible_searched_and_opened_by_keyboard(lab, run_notebook, asked):
    from playwright.sync_api import expect

    lab.dark(True)
    page = run_notebook(LONG, "ws.explore('what calls seed?')", shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    drawing = explorer.get_by_role("img", name=re.compile("151 symbols, most in 15 groups"))
    for width in (1400, 900):
        page.set_viewport_size({"width": width, "height": 1000})
        if width == 900:
            explorer.get_by_role("button", name="Call graph", exact=True).press("Enter")
        expect(drawing).to_be_visible()
        shown, whole = drawing.bounding_box(), explorer.locator(".ce-callers").bounding_box()
        assert shown["width"] <= whole["width"]  # all of it in sight
        height = drawing.locator("text").first.evaluate("text => text.getBoundingClientRect().height")
        assert height >= 11  # pixels of type
    find = explorer.get_by_role("textbox", name="Find in graph")
    find.press_sequentially("user7_")
    expect(explorer.get_by_text("10 symbols found")).to_be_visible()
    find.press("Enter")
    expect(explorer.locator(".ce-details")).to_contain_text("user7_1")
    explorer.get_by_role("button", name="Open group").press("Enter")
    expect(drawing).to_have_count(0)
    expect(explorer.locator(".ce-box", has_text="user7_9")).to_be_visible()
    explorer.locator(".ce-box", has_text="part3.py · 10").click()
    expect(explorer.locator(".ce-box", has_text="user3_9")).to_be_visible()
    assert violations(page, EXPLORER) == []
    explorer.get_by_role("button", name="Close groups").press("Enter")
    expect(drawing).to_be_visible()
    assert asked == []


# --------------------------------------------------------------------------- hostile sources

HOSTILE_REPO = """
import pathlib, tempfile
from codeexplore import Workspace
names = NAMES
root = pathlib.Path(tempfile.mkdtemp())
def write(path, text):
    (root / path).write_text(text, "utf-8", "replace")
users = ""
for number, name in enumerate(names):
    safe = "".join(letter for letter in name if letter not in "/\\\\\\n")[:80]
    long = "x" * (5000 if number == 0 else number)
    write(f"{number}{safe}.py", f"def target_{long}():\\n    {name!r}\\n    return seed()  # {name}\\n")
    write(f"{number}{safe}.md", f"# target {name}\\n\\nseed {name}\\n")
    users += f"def user{number}():\\n    {name!r}\\n    return seed()\\n\\n"
write("planted.py", f"def seed():\\n    return 'target'\\n\\n{users}")
ws = Workspace(root, workers=0, progress=print, name=names[0])
"""


def test_hostile_sources_run_nothing_and_break_no_layout(run_notebook, asked):
    from playwright.sync_api import expect

    names = [name for name in HOSTILE if "\x00" not in name]
    page = run_notebook(HOSTILE_REPO.replace("NAMES", repr(names)), "ws.explore('target', view='lab')", shows=EXPLORER)
    page.set_viewport_size({"width": 900, "height": 1000})
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    title = page.title()
    explorer = page.locator(EXPLORER).first
    expect(explorer.locator(".ce-found table").first).to_be_visible()
    for summary in explorer.locator(".ce-found summary").all()[:14]:
        summary.dispatch_event("click")
    ask(explorer, "what calls seed?")
    page.set_viewport_size({"width": 1600, "height": 1000})
    make_live(explorer)
    frame = frame_of(explorer)
    press_vertex(page, frame, 1)
    listed = explorer.get_by_role("listbox", name="Symbols in the graph")
    listed.focus()
    for _ in range(4):
        listed.press("Control+ArrowDown")
    compare = explorer.get_by_role("combobox", name="Compare with")
    compare.select_option("bm25 alone")
    expect(explorer.get_by_role("img", name=re.compile("hits from"))).to_be_visible()
    for width in (900, 1600):
        page.set_viewport_size({"width": width, "height": 1000})
        assert explorer.evaluate("element => element.scrollWidth - element.getBoundingClientRect().width") <= 1
    assert explorer.locator("script, object, embed, form").count() == 0
    addresses = explorer.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert addresses
    assert all(OUR_LINK.fullmatch(address) for address in addresses)
    assert (
        explorer.locator("[onclick]").evaluate_all("all => new Set(all.map(e => e.getAttribute('onclick'))).size") <= 2
    )
    assert frame.title() == "Graph"
    assert (page.title(), dialogs, asked) == (title, [], [])


# --------------------------------------------------------------------------- accessibility

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "iframes": False}


def violations(target, where):
    """Serious findings of axe-core within an element, a line each."""
    script = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    target.evaluate(script)
    found = target.evaluate("([where, rules]) => axe.run(where, rules).then(found => found.violations)", [where, RULES])
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in serious for node in each["nodes"]
    ]


def test_axe_has_no_serious_findings(run_notebook, asked):
    from playwright.sync_api import expect

    page = run_notebook(LOAD, OPEN, shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    ask(explorer, "what calls validate_session?")
    explorer.get_by_role("button", name="Open…").click()
    explorer.get_by_role("button", name="Python code", exact=True).click()
    explorer.get_by_role("combobox", name="Compare with").select_option("each lane left out")
    expect(explorer.get_by_text("Ranks if a lane were left out")).to_be_visible()
    for each in ("word", "query plan", "lane", "fusion", "signal", "ranking"):
        explorer.get_by_role("button", name=re.compile(f"What is .*{each}")).press("Enter")
    for _ in views(page):
        assert violations(page, EXPLORER) == []
    explorer.get_by_role("button", name="Ask", exact=True).click()
    explorer.get_by_role("button", name="How it was found").click()
    expect(explorer.locator(".ce-found-fold")).to_contain_text("/(60+")
    for _ in views(page):
        assert violations(page, EXPLORER) == []
    explorer.get_by_role("button", name="Lab", exact=True).click()
    page.set_viewport_size({"width": 1600, "height": 1000})
    make_live(explorer)
    frame = frame_of(explorer)
    for summary in explorer.locator(".ce-found summary").all()[:6]:
        summary.dispatch_event("click")
    for _ in views(page):
        assert violations(page, EXPLORER) == []
    assert frame.title() == "Graph"
    assert asked == []


def test_axe_has_no_serious_findings_in_a_drawing(page):
    from codeexplore.answers.drawing.layout import draw
    from codeexplore.answers.drawing.vis_network import graph_page
    from tests.answers import graph_answer

    markup = graph_page(draw(graph_answer())).replace(
        "default-src 'none'; script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'unsafe-eval'"
    )
    page.set_content(markup)
    page.evaluate("tellNode(0)")
    assert violations(page, "body") == []
