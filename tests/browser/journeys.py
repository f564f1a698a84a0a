"""Journeys of the explorer. Each host's tests walk all of them: JupyterLab, Notebook 7 and marimo."""

import re
from contextlib import suppress

from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

from codeexplore import Workspace, sample_repo


def box_of(explorer):
    return explorer.get_by_role("combobox", name="Question or name")


def ask(explorer, question):
    """Type a question, and wait for its answer."""
    box = box_of(explorer)
    box.fill("")
    box.press_sequentially(question, delay=5)
    box.press("Enter")
    answered(explorer, question)
    expect(explorer.locator(".ce-hit").first).to_be_visible()


def answered(explorer, question):
    expect(explorer.locator(".ce-status")).to_contain_text(f"for “{question}” in")


def crumb(explorer):
    return explorer.get_by_role("navigation", name="Where this source is")


def type_ahead_opens_and_questions_are_asked(explorer):
    box = box_of(explorer)
    names = explorer.get_by_role("listbox", name="Names").get_by_role("option")
    for _ in range(3):  # a notebook takes the focus once when it has run its cells, which closes the list
        box.fill("")
        box.press_sequentially("luhn", delay=20)
        with suppress(NotInTime):
            names.first.wait_for(timeout=10_000)
            break
    expect(names.first).to_contain_text("luhn_valid")
    box.press("ArrowDown")
    expect(names.first).to_have_attribute("aria-selected", "true")
    box.press("Enter")
    expect(crumb(explorer)).to_contain_text("luhn_valid")
    expect(explorer.locator(".ce-source")).to_contain_text("def luhn_valid")
    box.fill("")
    box.press_sequentially("what calls luhn_val", delay=5)
    names.first.click()
    expect(box).to_have_value(re.compile(r"what calls .*luhn_valid"))
    ask(explorer, "what calls luhn_valid?")
    expect(explorer.locator(".ce-verdict")).to_contain_text("found")


def through_source_three_levels_and_back(explorer):
    ask(explorer, "how are expired sessions handled?")
    explorer.locator(".ce-hit-name").first.click()
    expect(explorer.locator(".ce-source mark").first).to_be_visible()
    seen = [crumb(explorer).inner_text()]
    for _ in range(3):
        link = explorer.locator(".ce-source a.ce-link:not([data-ids])").last
        link.hover()
        expect(explorer.get_by_role("tooltip")).to_contain_text(re.compile(r"\d+ callers?, \d+ tests?"))
        target = link.get_attribute("data-id")
        link.click()
        expect(explorer.locator(".ce-crumb-button").last).to_have_attribute("title", target)
        seen.append(crumb(explorer).inner_text())
        if not explorer.locator(".ce-source a.ce-link:not([data-ids])").count():
            break
    assert len(seen) > 2
    for before in reversed(seen[:-1]):
        explorer.get_by_role("button", name="Back", exact=True).click()
        expect(crumb(explorer)).to_have_text(re.sub(r"\s+", " ", before))


def keyboard_only(explorer):
    """Ask, walk the hits, open, go on, come back: without a mouse, and without a key that JupyterLab takes."""
    page, box = explorer.page, box_of(explorer)
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    box.focus()
    page.keyboard.type("how are expired sessions handled?")
    page.keyboard.press("Enter")
    answered(explorer, "how are expired sessions handled?")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(explorer.locator(".ce-hit-name").first).to_be_focused()
    for key in ("b", "a", "j", "d", "d", "x"):  # commands of the notebook
        page.keyboard.press(key)
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(cells)
    page.keyboard.press("Enter")
    expect(explorer.locator(".ce-source")).to_be_focused()
    first = explorer.locator(".ce-crumb-button").last.get_attribute("title")
    link = explorer.locator(".ce-source a.ce-link:not([data-ids])").first
    link.focus()
    page.keyboard.press("Enter")
    last = explorer.locator(".ce-crumb-button").last
    expect(last).not_to_have_attribute("title", first)
    second = last.get_attribute("title")
    page.keyboard.press("Alt+ArrowLeft")
    expect(last).to_have_attribute("title", first)
    page.keyboard.press("Alt+ArrowRight")
    expect(last).to_have_attribute("title", second)
    page.keyboard.press("Escape")
    expect(last).to_have_attribute("title", first)
    page.keyboard.press("Escape")
    expect(explorer.locator(".ce-source")).to_have_count(0)
    expect(explorer.locator(".ce-hit-name").first).to_be_focused()


def text_search(explorer):
    box = box_of(explorer)
    box.fill("/raise ValueError")
    box.press("Enter")
    expect(explorer.locator(".ce-status")).to_contain_text("3 matches of “raise ValueError” in 3 symbols")
    expect(explorer.locator(".ce-hit mark").first).to_have_text("raise ValueError")
    box.fill("/def \\w+_valid/")
    box.press("Enter")
    expect(explorer.locator(".ce-hit")).to_have_count(1)  # three before
    expect(explorer.locator(".ce-hit")).to_contain_text("def luhn_valid")
    explorer.locator(".ce-hit-name").first.click()
    expect(explorer.locator(".ce-source")).to_contain_text("def luhn_valid")
    box.fill("/(/")
    box.press("Enter")
    expect(explorer.get_by_role("alert")).to_be_visible()
    expect(explorer.locator(".ce-hit")).to_have_count(0)
    explorer.get_by_role("button", name="Search for the text as it is").press("Enter")
    expect(explorer.locator(".ce-hit").first).to_be_visible()
    expect(box).to_have_value("/(")


def errors_are_shown_and_go_away(explorer):
    page = explorer.page
    ask(explorer, "money")
    for lane in ("words", "meaning", "call graph"):
        explorer.get_by_role("switch", name=lane, exact=True).uncheck()
        page.wait_for_timeout(300)
    expect(explorer.get_by_role("alert")).to_contain_text("no lane is on")
    expect(explorer.locator(".ce-hit")).to_have_count(0)
    explorer.get_by_role("switch", name="words", exact=True).check()
    expect(explorer.get_by_role("alert")).to_have_count(0)
    expect(explorer.locator(".ce-hit").first).to_contain_text("by words")
    page.wait_for_timeout(300)
    explorer.get_by_role("switch", name="words", exact=True).uncheck()
    explorer.get_by_role("alert").get_by_role("button", name="Reset to automatic").click()
    expect(explorer.locator(".ce-hit").first).to_contain_text("by meaning")


def lane_off_weight_moved_and_why(explorer):
    ask(explorer, "how is stock reserved?")
    sentences = explorer.locator(".ce-sentence")
    expect(explorer.locator(".ce-lanes")).to_contain_text("Chosen for this question: described in plain words")
    meaning = explorer.get_by_role("switch", name="meaning", exact=True)
    meaning.press("Space")
    expect(sentences.filter(has_text="by meaning")).to_have_count(0)
    expect(explorer.locator(".ce-lanes")).to_contain_text("Your choice, for every question.")
    said = explorer.locator(".ce-changes")
    expect(said).to_contain_text("Other than when you asked:")
    gone, new = said.get_by_role("button"), explorer.locator(".ce-moved").filter(has_text="new")
    assert gone.count() == new.count() > 0  # as many hits as before
    expect(said).to_contain_text(f"{new.count()} new")
    explorer.get_by_role("switch", name="meaning", exact=True).press("Space")
    expect(sentences.filter(has_text="by meaning").first).to_be_visible()
    expect(said).to_contain_text("the same, in the same order")
    explorer.get_by_role("button", name="Why hit 1", exact=True).click()
    expect(explorer.locator(".ce-reason").first).to_contain_text(re.compile(r"1/\(60\+\d+\)"))
    expect(explorer.locator(".ce-reason").first).to_contain_text("The largest part of the score is ")
    expect(explorer.locator(".ce-sum").first).to_contain_text("words")
    explorer.locator(".ce-reason summary", has_text="words (bm25)").first.click()
    expect(explorer.locator(".ce-reason").first).to_contain_text("BM25 score, their sum")
    slide = explorer.get_by_role("slider", name="Weight of words")
    slide.fill("3")
    expect(explorer.locator(".ce-reason").filter(has_text=re.compile(r"3/\(60\+\d+\)"))).to_have_count(1)


def lab_has_every_step_and_what_if(explorer):
    explorer.get_by_role("button", name="Lab", exact=True).click()
    ask(explorer, "how are expired sessions handled?")
    explorer.get_by_text("What is fusion?").click()
    step = explorer.locator(".ce-step", has_text="Fusion merges")
    expect(step).to_contain_text(re.compile(r"hit 1: .*1/\(60\+\d+\).* = 0\.\d{4}"))
    rrf_k = explorer.get_by_role("spinbutton", name="rrf_k")
    rrf_k.fill("7")
    rrf_k.press("Enter")
    expect(step).to_contain_text(re.compile(r"hit 1: .*1/\(7\+\d+\)"))
    compare = explorer.get_by_role("combobox", name="Compare with")
    compare.select_option("each lane left out")
    expect(explorer.get_by_text("Ranks if a lane were left out")).to_be_visible()
    explorer.get_by_role("combobox", name="Compare with").select_option("meaning alone")
    slope = explorer.get_by_role("img", name=re.compile("change their rank"))
    expect(slope).to_be_visible()
    slope.evaluate("image => image.decode()")
    explorer.get_by_role("button", name="Lab", exact=True).click()
    expect(explorer.locator(".ce-step")).to_have_count(0)


def graph_follows_and_path_is_drawn(explorer):
    ask(explorer, "what calls luhn_valid?")
    graph, details = explorer.locator(".ce-graph"), explorer.locator(".ce-details")
    graph.locator(".ce-box", has_text="CardGateway.validate").click()
    expect(details).to_contain_text(re.compile(r"→ .*calls"))
    listed = explorer.get_by_role("listbox", name="Symbols in the graph")
    expect(listed.locator("option:checked")).to_contain_text("validate")
    explorer.get_by_role("button", name="Add its callers").press("Enter")
    expect(listed.locator("option", has_text=re.compile(r"^2\s"))).not_to_have_count(0)
    expect(listed.locator("option:checked")).to_contain_text("validate")  # one selection, before and after
    expect(explorer.locator(".ce-status")).to_contain_text("Added the callers of CardGateway.validate")
    expect(explorer.get_by_role("button", name="Remove its callers")).to_be_focused()
    expect(explorer.get_by_role("button", name="Remove its callers")).to_be_in_viewport()
    picture = graph.locator(".ce-picture").bounding_box()
    for each in graph.locator(".ce-new").all():  # what was added is in sight
        box = each.bounding_box()
        assert picture["x"] <= box["x"] <= picture["x"] + picture["width"] - box["width"]
        assert picture["y"] <= box["y"] <= picture["y"] + picture["height"] - box["height"]
        expect(each).to_be_in_viewport()
    expect(graph.locator(".ce-new")).not_to_have_count(0)
    explorer.get_by_role("button", name="Python code", exact=True).click()
    expect(explorer.get_by_role("region", name="Python code")).to_contain_text(" | ws.callers(")
    explorer.get_by_role("button", name="Python code", exact=True).click()
    explorer.get_by_role("button", name="Remove its callers").press("Enter")
    expect(listed.locator("option", has_text=re.compile(r"^2\s"))).to_have_count(0)
    steps = explorer.get_by_role("spinbutton", name="Steps")
    steps.fill("3")
    steps.press("Enter")
    expect(steps).to_be_focused()  # though the graph was drawn anew
    expect(listed.locator("option", has_text=re.compile(r"^2\s"))).not_to_have_count(0)
    expect(details).to_contain_text("def validate")  # it stays selected, so Enter would open it
    graph.locator(".ce-box", has_text="PaymentGateway.charge").press("Enter")
    expect(details).to_contain_text("def charge")
    graph.locator(".ce-box", has_text="CardGateway.validate").press("Enter")
    expect(details).to_contain_text("def validate")
    explorer.get_by_role("button", name="Start here").press("Enter")
    expect(explorer.locator(".ce-said")).to_contain_text("CardGateway.validate")
    explorer.get_by_role("button", name="Back to before").press("Enter")
    expect(explorer.locator(".ce-said")).to_contain_text("luhn_valid")
    explorer.get_by_role("combobox", name="Show").select_option("callees")
    expect(graph.locator(".ce-box", has_text="luhn_weight")).to_be_visible()
    ask(explorer, "path from checkout to luhn_valid")
    expect(explorer.get_by_role("combobox", name="Show")).to_have_value("path")
    order = graph.locator(".ce-box").evaluate_all(
        "all => all.map(b => [b.transform.baseVal[0].matrix.e, b.textContent]).sort((a, b) => a[0] - b[0])"
    )
    assert len(order) >= 3
    assert "checkout" in order[0][1]
    assert "luhn_valid" in order[-1][1]
    explorer.locator(".ce-hit-name", has_text="validate").first.click()
    explorer.locator(".ce-source a.ce-link", has_text="luhn_valid").first.click(modifiers=["Alt"])
    expect(explorer.locator(".ce-said")).to_contain_text("of webshop.payments.card.luhn_valid")
    expect(crumb(explorer)).to_contain_text("validate")  # the place stays


def code_gives_the_same(explorer):
    """The Python of the view is run, and finds what the page shows."""
    ask(explorer, "how are expired sessions handled?")
    explorer.get_by_role("button", name="Python code", exact=True).click()
    code = explorer.get_by_role("region", name="Python code")
    expect(code).to_contain_text("ws.callers(")
    names = {"ws": Workspace(sample_repo("webshop"), cache=False, workers=0, progress=lambda *_: None)}
    exec(code.inner_text(), names)  # the explorer wrote it
    shown = explorer.locator(".ce-hit-name").evaluate_all("all => all.map(each => each.dataset.target)")
    assert [hit.symbol.id for hit in names["answer"]] == shown
    listed = explorer.get_by_role("listbox", name="Symbols in the graph").locator("option")
    values = listed.evaluate_all("all => all.map(each => each.value)")
    assert [each.id for each in [*names["walk"].seeds, *names["walk"].symbols]] == values
    explorer.get_by_role("button", name="Python code", exact=True).click()


def next_steps_are_buttons(explorer):
    """Of a name that nobody has; of names that are like it; and what is not in the graph is searched as text."""
    box_of(explorer).fill("what calls luhn_valdi?")
    box_of(explorer).press("Enter")
    explorer.get_by_role("button", name="luhn_valid").first.click()
    expect(explorer.locator(".ce-verdict")).to_contain_text("found")
    box_of(explorer).fill("what calls frobnicateXyz?")
    box_of(explorer).press("Enter")
    expect(explorer.get_by_role("button", name="Search the files for")).to_be_visible()
    expect(explorer.locator(".ce-picture")).to_have_count(0)
    for width in ("70%", ""):  # another width draws a graph anew, but not that of the question before
        explorer.evaluate("(root, width) => root.style.width = width", width)
        explorer.page.wait_for_timeout(500)
    expect(explorer.locator(".ce-picture")).to_have_count(0)
    explorer.get_by_role("button", name="Search the files for").click()
    expect(box_of(explorer)).to_have_value("/frobnicateXyz")
    expect(explorer.locator(".ce-rows")).to_contain_text("No file contains it.")


def another_repository_is_opened(explorer):
    """Comes last: the repository is another one afterwards."""
    explorer.get_by_role("button", name="Open…").click()
    where = explorer.get_by_role("textbox", name="Repository")
    where.fill("/no/such/folder")
    where.press("Enter")
    expect(explorer.get_by_role("alert")).to_contain_text("/no/such/folder")
    where.fill("markdown_it")
    where.press("Enter")
    expect(explorer.locator(".ce-title")).to_contain_text("markdown_it")
    ask(explorer, "how are links parsed?")


def a_caller_opens_at_its_call(explorer):
    """And the graph of the answer comes back when the source is closed."""
    ask(explorer, "what calls luhn_valid?")
    said = explorer.locator(".ce-said")
    expect(said).to_contain_text("luhn_valid")
    hit = explorer.locator(".ce-hit", has_text="CardGateway.validate").first
    line = re.search(r"at line (\d+)", hit.locator(".ce-sentence").inner_text())[1]
    hit.locator(".ce-hit-name").click()
    expect(explorer.locator(".ce-site .ce-no")).to_have_text(line)
    expect(explorer.locator(".ce-site")).to_contain_text("luhn_valid(")
    expect(said).not_to_contain_text("luhn_valid")
    explorer.get_by_role("button", name="Close the source").click()
    expect(said).to_contain_text("luhn_valid")
    hit.locator(".ce-hit-name").click()
    expect(said).not_to_contain_text("luhn_valid")
    explorer.get_by_role("button", name="Back", exact=True).click()  # to the graph, not to code of an earlier question
    expect(said).to_contain_text("luhn_valid")
    expect(crumb(explorer)).to_have_count(0)


JOURNEYS = (
    type_ahead_opens_and_questions_are_asked,
    through_source_three_levels_and_back,
    keyboard_only,
    text_search,
    errors_are_shown_and_go_away,
    lane_off_weight_moved_and_why,
    lab_has_every_step_and_what_if,
    graph_follows_and_path_is_drawn,
    a_caller_opens_at_its_call,
    code_gives_the_same,
    next_steps_are_buttons,
    another_repository_is_opened,
)


def walk_all(explorer, journeys=JOURNEYS):
    """Walk journeys in one page, each from the first view."""
    for journey in journeys:
        journey(explorer)
        if explorer.get_by_role("button", name="Reset to automatic").count():
            explorer.get_by_role("button", name="Reset to automatic").click()
        box_of(explorer).fill("")
        box_of(explorer).press("Enter")
        expect(explorer.locator(".ce-starters")).to_be_visible()
