"""The explorer as people use it, in a real JupyterLab: journeys, hostile sources, accessibility."""

import json
import re
import time
from importlib.resources import files

import pytest

from tests.answers import HOSTILE
from tests.browser.journeys import JOURNEYS, answered, ask, box_of, walk_all
from tests.browser.pages import PATIENCE, exported, picture, run_all, views

LOAD = "from codeexplore import Workspace, sample_repo\nws = Workspace(sample_repo('webshop'), progress=print)"
EXPLORER = ".ce-root"
OPEN = "explorer = ws.explore()\nexplorer"


@pytest.fixture
def explorer(run_notebook):
    """The explorer of a notebook that was just run, as a locator."""
    found = run_notebook(LOAD, OPEN, shows=EXPLORER).locator(EXPLORER).first
    found.scroll_into_view_if_needed()
    return found


SERVED = """
import pathlib, shutil
from codeexplore import Workspace, sample_repo
shutil.copytree(sample_repo("webshop"), "webshop", dirs_exist_ok=True)
ws = Workspace("webshop", progress=lambda *_: None)
"""


HELD = """
from codeexplore.workspace import open as opening
real = opening.open_workspace

def held(where, *, cancel, **options):
    if where == "networkx":
        cancel.wait(300)  # there is time to stop it, however slow the browser
    return real(where, cancel=cancel, **options)

opening.open_workspace = held
"""


def test_the_journeys_a_newcomer_and_another_repository(run_notebook, asked):
    """One after the other in one notebook. The last journey is here with a load that is cancelled."""
    page = run_notebook(SERVED, HELD, OPEN, shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    explorer.scroll_into_view_if_needed()
    walk_all(explorer, JOURNEYS[:-1])
    a_newcomer(explorer)
    page.evaluate("jupyterapp.commands.execute('application:close')")  # the editor
    another_repository_after_an_error_and_a_cancel(explorer)
    assert asked == []


def a_newcomer(explorer):
    """Press a question, see hits and graph together, on a narrow page too, open a place in the editor."""
    from playwright.sync_api import expect

    page = explorer.page
    starter = explorer.locator(".ce-starters button").first
    question = starter.inner_text()
    starter.click()
    answered(explorer, question)
    ask(explorer, "how are expired sessions handled?")
    expect(explorer.locator(".ce-hit")).to_have_count(10)
    expect(explorer.locator(".ce-box").first).to_be_visible()
    page.set_viewport_size({"width": 900, "height": 1000})
    expect(explorer.locator(".ce-graph")).to_be_hidden()
    explorer.get_by_role("button", name="Source and graph").click()
    expect(explorer.locator(".ce-graph")).to_be_visible()
    expect(explorer.locator(".ce-rows")).to_be_hidden()
    explorer.get_by_role("button", name="Hits", exact=True).click()
    page.set_viewport_size({"width": 1400, "height": 1000})
    explorer.get_by_role("button", name="Tour").press("Enter")
    tour = page.locator(".ce-tour")
    expect(tour).to_contain_text("step 1 of")
    tour.get_by_role("button", name="Next").press("Enter")
    expect(tour).to_contain_text("step 2 of")
    explorer.get_by_role("button", name="Tour").press("Enter")
    expect(tour).to_have_count(0)
    explorer.get_by_role("button", name="Pack").press("Enter")
    expect(explorer.locator(".ce-view")).to_contain_text("tokens")
    explorer.locator(".ce-hit-name").first.click()
    edit = explorer.locator("a.ce-edit")
    line = edit.inner_text().rpartition(":")[2]
    edit.click()
    expect(page.locator(".jp-FileEditor:visible")).to_be_visible()
    expect(page.locator("#jp-main-statusbar")).to_contain_text(f"Ln {line}, Col 1")


def another_repository_after_an_error_and_a_cancel(explorer):
    from playwright.sync_api import expect

    explorer.get_by_role("button", name="Open…").click()
    where = explorer.get_by_role("textbox", name="Repository")
    where.fill("/no/such/folder")
    where.press("Enter")
    expect(explorer.get_by_role("alert")).to_contain_text("/no/such/folder")
    where.fill("networkx")
    explorer.get_by_role("button", name="Load", exact=True).click()
    explorer.get_by_role("button", name="Cancel", exact=True).click()
    expect(explorer.locator(".ce-status")).to_contain_text("cancelled")
    expect(explorer.locator(".ce-title")).to_contain_text("webshop")
    ask(explorer, "what calls validate_session?")
    where.fill("markdown_it")
    where.press("Enter")
    expect(explorer.locator(".ce-title")).to_contain_text("markdown_it")
    ask(explorer, "how are links parsed?")


BOXED = """
import ipywidgets
explorer, seen = ws.explore('luhn_valid', explain=True), ipywidgets.Text(description="Seen")
explorer.observe(lambda change: setattr(seen, "value", " ".join(change["new"])), "value")
place = ipywidgets.Text(description="Place")
ipywidgets.link((explorer, "place"), (place, "value"))
ipywidgets.VBox([explorer, seen, place])
"""


def test_traits_are_observed_linked_and_set_and_explain_shows_the_arithmetic(run_notebook):
    """In a box, and of an explorer by itself: a place set in Python, and one that nobody has."""
    from playwright.sync_api import expect

    page = run_notebook(LOAD, BOXED, OPEN, "explorer.place = 'luhn_valdi'", shows=EXPLORER, count=2)
    explorer, misled = page.locator(EXPLORER).nth(0), page.locator(EXPLORER).nth(1)
    expect(explorer.locator(".ce-reason").first).to_contain_text(re.compile(r"1/\(60\+\d+\)"))  # nothing was pressed
    explorer.locator(".ce-hit-name").first.click()
    seen = explorer.locator(".ce-crumb-button").last.get_attribute("title")
    expect(page.get_by_role("textbox", name="Seen")).to_have_value(seen)
    place = page.get_by_role("textbox", name="Place")
    expect(place).to_have_value(seen)
    place.fill("webshop/money.py:3")
    place.press("Enter")
    expect(explorer.locator(".ce-edit")).to_have_text("webshop/money.py:3")
    explorer.get_by_role("button", name="Pin").click()
    expect(explorer.get_by_role("alert")).to_contain_text("not inside another widget")
    expect(misled.get_by_role("alert")).to_contain_text("no symbol is called")
    misled.get_by_role("alert").get_by_role("button", name="luhn_valid", exact=False).first.click()
    expect(misled.locator(".ce-hit").first).to_contain_text("luhn_valid")
    expect(misled.get_by_role("alert")).to_have_count(0)


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


def test_a_long_graph_is_legible_searched_and_opened(lab, run_notebook, asked):
    from playwright.sync_api import expect

    lab.dark(True)
    page = run_notebook(LONG, "ws.explore('what calls seed?')", shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    group = explorer.locator(".ce-box", has_text="part3.py · 10")
    expect(group).to_be_visible()
    height = group.locator("text").evaluate("text => text.getBoundingClientRect().height")
    assert height >= 11  # pixels of type
    find = explorer.get_by_role("searchbox", name="Find in graph")
    find.fill("user7_1")
    find.press("Enter")
    expect(explorer.locator(".ce-details")).to_contain_text("user7_1")
    group.press("Enter")
    expect(explorer.locator(".ce-box", has_text="user3_9")).to_be_attached()
    explorer.get_by_role("button", name="Close groups").press("Enter")
    expect(group).to_be_visible()
    lab.dark(False)
    assert asked == []


# --------------------------------------------------------------------------- what stays, what is opened


def test_code_pins_value_a_reload_and_the_still_picture_of_what_was_saved(explorer, asked, lab):
    from playwright.sync_api import expect

    page = explorer.page
    ask(explorer, "how are expired sessions handled?")
    explorer.locator(".ce-hit-name").first.click()
    expect(explorer.locator(".ce-source")).to_be_visible()
    explorer.get_by_role("button", name="Python code", exact=True).click()
    expect(explorer.get_by_role("region", name="Python code")).to_contain_text("answer = ws.search(")
    explorer.get_by_role("button", name="Pin").click()
    pinned = page.locator(
        ".jp-OutputArea-output:not(:has(.ce-root)):not(:has(.ce-still))", has_text="hits for “how are"
    )
    expect(pinned.get_by_role("table").first).to_be_visible()
    explorer.evaluate("root => { root.dataset.old = 1; }")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('[data-command="runmenu:run-all"]').click()
    explorer = page.locator(f"{EXPLORER}:not([data-old])").first
    expect(pinned.get_by_role("table").first).to_be_visible()  # the cell's new output has it
    ask(explorer, "how are expired sessions handled?")
    explorer.locator(".ce-hit-name").first.click()
    expect(explorer.locator(".ce-source")).to_be_visible()
    page.keyboard.press("Control+s")
    end = time.monotonic() + PATIENCE
    while not (saved := saved_notebook_of(lab, "test_code_pins")):
        assert time.monotonic() < end, "what was shown is not in the saved notebook"
        page.wait_for_timeout(200)
        page.keyboard.press("Control+s")
    states = json.dumps(saved["metadata"].get("widgets", {}))
    assert len(states) < 200_000
    explorer.evaluate("root => { root.dataset.old = 1; }")
    page.reload()
    again = page.locator(f"{EXPLORER}:not([data-old])").first
    expect(box_of(again)).to_have_value("how are expired sessions handled?")
    expect(again.locator(".ce-source")).to_be_visible()
    expect(page.locator(".ce-still")).to_be_hidden()
    assert asked == []
    exported(page, saved)
    saved["metadata"].pop("widgets", None)
    exported(page, saved)
    (lab.root / "still.ipynb").write_text(json.dumps(saved))
    lab.open(page, "still.ipynb")  # no kernel knows its widget
    still = page.locator(".jp-OutputArea-output", has_text="run the cell to use it")
    expect(still.first).to_contain_text("how are expired sessions handled?")
    expect(still.locator("li").first).to_be_visible()


def saved_notebook_of(lab, name):
    """The notebook's file, once it has the pin and the still picture; None while it is being written."""
    for path in lab.root.glob(f"{name}*.ipynb"):
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError:
            continue
        written = json.dumps(found, ensure_ascii=False)
        if "hits for </b>" in written and "ce-still" in written and "<ol>" in written:
            return found
    return None


def test_two_explorers_and_restart_and_run_all(run_notebook, lab):
    from playwright.sync_api import expect

    page = run_notebook(LOAD, "ws.explore('money')", "ws.explore('session')", shows=EXPLORER, count=2)
    explorers = page.locator(EXPLORER)
    ask(explorers.nth(0), "cart total")
    expect(box_of(explorers.nth(1))).to_have_value("session")
    for session in lab.call("sessions"):
        lab.call(f"kernels/{session['kernel']['id']}/restart", {})
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    box_of(explorers.nth(0)).press("Enter")
    expect(explorers.nth(0)).to_contain_text("un the cell again")
    explorers.evaluate_all("old => old.forEach(each => { each.dataset.old = 1; })")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Restart Kernel and Run All Cells").first.click()
    expect(page.locator("[data-old]")).to_have_count(0)
    assert run_all(page, 3, EXPLORER, 2, started=True) == []
    expect(box_of(explorers.nth(0))).to_have_value("money")
    answered(explorers.nth(0), "money")
    answered(explorers.nth(1), "session")


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
    page = run_notebook(HOSTILE_REPO.replace("NAMES", repr(names)), "ws.explore('target')", shows=EXPLORER)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    title = page.title()
    explorer = page.locator(EXPLORER).first
    expect(explorer.locator(".ce-hit").first).to_be_visible()
    for number in range(min(4, explorer.locator(".ce-hit").count())):
        explorer.locator(".ce-why").nth(number).click()
        explorer.locator(".ce-hit-name").nth(number).click()
        expect(explorer.locator(".ce-source")).to_be_visible()
    box_of(explorer).press_sequentially("<", delay=20)
    ask(explorer, "what calls seed?")
    explorer.locator(".ce-hit-name", has_text="user1").first.click()
    explorer.locator(".ce-source a.ce-link", has_text="seed").first.hover()
    expect(explorer.get_by_role("tooltip")).to_be_visible()
    for box in explorer.locator(".ce-box").all()[:4]:
        box.press("Enter")
    explorer.get_by_role("button", name="Lab", exact=True).click()
    explorer.get_by_role("combobox", name="Compare with").select_option("words alone")
    expect(explorer.get_by_role("img", name=re.compile("hits from"))).to_be_visible()
    box_of(explorer).fill("/seed")
    box_of(explorer).press("Enter")
    expect(explorer.locator(".ce-hit mark").first).to_be_visible()
    for width in (700, 900, 1600):
        page.set_viewport_size({"width": width, "height": 1000})
        page.wait_for_timeout(200)
        assert explorer.evaluate("element => element.scrollWidth - element.getBoundingClientRect().width") <= 1
    assert explorer.locator("script, object, embed, form, iframe").count() == 0
    assert explorer.locator("[onclick], [onerror], [onload]").count() == 0
    assert set(explorer.locator("img").evaluate_all("all => all.map(e => e.src.slice(0, 19))")) <= {
        "data:image/svg+xml;"
    }
    addresses = explorer.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert all(address == "#" or re.match(r"(file:///|/lab/tree/)", address) for address in addresses)
    assert (page.title(), dialogs, asked) == (title, [], [])


# --------------------------------------------------------------------------- accessibility

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "iframes": False}


def violations(target, where):
    """Findings of axe-core within an element, a line each."""
    script = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    target.evaluate(script)
    found = target.evaluate("([where, rules]) => axe.run(where, rules).then(found => found.violations)", [where, RULES])
    return [f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in found for node in each["nodes"]]


def test_axe_finds_no_violation(run_notebook, asked):
    from playwright.sync_api import expect

    page = run_notebook(LOAD, OPEN, shows=EXPLORER)
    explorer = page.locator(EXPLORER).first
    assert violations(page, EXPLORER) == []  # the first view
    ask(explorer, "what calls validate_session?")
    explorer.locator(".ce-why").first.click()
    explorer.locator(".ce-hit-name").first.click()
    expect(explorer.locator(".ce-source")).to_be_visible()
    explorer.get_by_role("button", name="Open…").click()
    explorer.get_by_role("button", name="Python code", exact=True).click()
    explorer.locator(".ce-box").first.click()
    for width in views(page):
        assert violations(page, EXPLORER) == []
        picture(explorer, f"explorer-ask-{width}")
    explorer.get_by_role("button", name="Lab", exact=True).click()
    explorer.locator(".ce-tabs button").first.evaluate("button => button.click()")
    explorer.get_by_text("What is fusion?").click()
    explorer.get_by_role("combobox", name="Compare with").select_option("each lane left out")
    expect(explorer.get_by_text("Ranks if a lane were left out")).to_be_visible()
    for width in views(page):
        assert violations(page, EXPLORER) == []
        picture(explorer, f"explorer-lab-{width}")
    page.emulate_media(forced_colors="active")
    page.set_viewport_size({"width": 480, "height": 1000})
    assert violations(page, EXPLORER) == []
    share = explorer.locator(".ce-share").first.evaluate("bar => getComputedStyle(bar).backgroundColor")
    assert share != explorer.evaluate("root => getComputedStyle(root).backgroundColor")  # a bar is no part of the page
    picture(explorer, "explorer-forced-colors")
    page.emulate_media(forced_colors="none")
    page.set_viewport_size({"width": 1400, "height": 1000})
    box = box_of(explorer)
    box.fill("")
    box.press_sequentially("sess", delay=20)
    expect(explorer.get_by_role("option").first).to_be_visible()
    assert violations(page, EXPLORER) == []
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
