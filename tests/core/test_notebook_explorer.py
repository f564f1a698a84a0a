"""The explorer through its messages: what a page asks, and what it is answered. No browser and no kernel."""

import gzip
import json
import re
import threading
from types import SimpleNamespace

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.answers.chain import ABOUT, chain
from codeexplore.notebook import pins
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.replies import REPLIES
from codeexplore.notebook.requests import WALKS
from codeexplore.types import LANES
from codeexplore.types.errors import QuestionError
from tests.answers import HOSTILE
from tests.background import PATIENCE
from tests.git_repos import repository

EXPIRED = "how are expired sessions handled?"


class Page:
    """A page without a browser: it asks an explorer, and hears what it sends."""

    def __init__(self, explorer):
        self.explorer, self.heard, self.events, self.number = explorer, {}, [], 0
        explorer.send = self.hear

    def hear(self, message, buffers=None):
        json.dumps(message)  # as a kernel does
        assert set(map(type, texts(message))) <= {str}, "marimo sends a string of another type as an object"
        if "event" in message:
            self.events.append(message)
        else:
            self.heard[message["id"]] = (message, buffers or [])

    def told(self, kind, **args):
        self.number += 1
        self.explorer._heard(self.explorer, {"id": str(self.number), "kind": kind, "args": args}, [])
        assert self.explorer.wait(PATIENCE)
        return self.heard[str(self.number)][0]

    def ask(self, kind, **args):
        answer = self.told(kind, **args)
        assert answer["ok"], answer
        return answer


def texts(value):
    if isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


def small(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    return Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)


@pytest.fixture
def page(webshop):
    webshop.wait_for_graph()
    explorer = Explorer(webshop)
    yield Page(explorer)
    explorer.close()


def symbol_of(page, name):
    return page.explorer.workspace[name].id


# --------------------------------------------------------------------------- the protocol


def test_the_traits_are_few_and_small(page):
    page.ask("search", question=EXPIRED)
    page.ask("source", target=symbol_of(page, "luhn_valid"))
    state = page.explorer.get_state()
    ours = {name for name in state if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")}
    assert ours == {"version", "title", "question", "options", "place", "history", "value"}
    assert len(json.dumps(state, default=str)) < 5_000  # each saved notebook has it once for each explorer


def test_the_front_end_comes_by_message_and_is_small(page):
    (packed,) = page.heard[page.ask("front")["id"]][1]
    assert b"render" in gzip.decompress(packed)
    assert len(gzip.decompress(packed)) < 150_000


def test_what_cannot_be_answered_is_answered_all_the_same(page):
    assert "no answer to" in page.told("nothing")["error"]
    assert "TypeError" in page.told("source")["error"]
    assert not page.told("graph", symbol="nobody")["ok"]
    page.explorer._heard(None, "no request", None)
    refused = page.told("source", target="luhn_valdi")
    assert "luhn_valid" in json.dumps(refused["steps"])
    assert page.told("why", rank=1)["error"] == "Ask a question first."


def test_many_threads_ask_at_once(page):
    def turn(number):
        for _ in range(5):
            args = {"question": f"session {number}", "options": {"rrf_k": 10 + number}}
            page.explorer._heard(None, {"id": f"t{number}", "kind": "search", "args": args}, [])

    threads = [threading.Thread(target=turn, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert all(page.heard[f"t{number}"][0]["ok"] for number in range(4))
    answered = page.explorer.answered
    assert answered.answer.question == answered.asked.question
    assert answered.answer.result.rrf_k == 10 + int(answered.asked.question[-1])


# --------------------------------------------------------------------------- questions


def test_a_row_says_what_it_is_and_why(page):
    found = page.ask("search", question=EXPIRED)
    first = found["rows"][0]
    assert {"target", "name", "kind", "place", "signature", "doc", "rank", "why", "bars", "role"} <= set(first)
    assert re.fullmatch(r"[^:]+:\d+", first["place"])
    assert "by meaning" in first["why"]
    for row in found["rows"]:
        assert sum(share for _, share in row["bars"]) <= 1.0001
    assert page.explorer.result.question == EXPIRED
    assert page.explorer.asked.question == EXPIRED


@pytest.mark.parametrize("lane", LANES)
def test_each_lane_can_be_left_out_and_weighed(page, lane):
    rest = [each for each in LANES if each != lane]
    said = page.ask("search", question=EXPIRED, options={"lanes": rest})
    assert set(page.explorer.result.plan.lanes) == set(rest)
    assert [each[0] for each in said["health"] if each[3] == "not used"] == [lane]
    page.ask("search", question=EXPIRED, options={"weights": {lane: 2.5}})
    assert page.explorer.result.plan.lanes[lane] == 2.5
    assert "no lane is on" in page.told("search", question=EXPIRED, options={"lanes": []})["error"]
    assert page.explorer.result is None


def test_options_are_obeyed_and_others_refused(page):
    options = {
        "top_k": 3,
        "rrf_k": 7,
        "fusion": "weighted-sum",
        "one_per_file": True,
        "tests": False,
        "paths": "webshop/s*",
    }
    page.ask("search", question="session", options=options)
    answer = page.explorer.result
    assert len(answer) <= 3
    assert answer.result.fusion == "weighted-sum"
    assert all(hit.path.startswith("webshop/s") for hit in answer)
    page.ask("search", question="validate_session", options={"relation": "callees", "direction": "out", "depth": 2})
    assert (page.explorer.result.plan.relation, page.explorer.result.plan.depth) == ("callees", 2)
    assert "can't be read" in page.told("search", question="x", options={"top_k": "many"})["error"]


def test_starter_questions_are_of_the_repository_and_are_answered(page):
    words, name, structural = page.ask("start")["starters"]
    assert page.explorer.workspace[name].kind == "class"
    assert re.fullmatch(r"what calls [\w.]+\?", structural)
    for question, kind in ((words, "conceptual"), (name, "identifier"), (structural, "structural")):
        page.ask("search", question=question)
        assert page.explorer.result.plan.kind in (kind, "mixed")


def test_names_come_once_with_the_most_used_first(page):
    (packed,) = page.heard[page.ask("names")["id"]][1]
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().split("\n")]
    assert all(len(row) == 3 for row in rows)
    kept = [s for s in page.explorer.workspace.symbols if s.kind not in ("module", "lambda") and s.path.endswith(".py")]
    assert {each.fqn for each in kept} <= {row[0] for row in rows}
    places = {row[0]: place for place, row in enumerate(rows)}
    assert places["webshop.money.Money"] < len(rows) / 4


def test_text_is_searched_and_a_wrong_expression_is_told(page):
    found = page.ask("grep", pattern="luhn_[a-z]+", regex=True)
    _, parts = found["rows"][0]["lines"][0]
    assert any(part[0].startswith("luhn_") and part[3:] == [] and part[2:] == [1] for part in parts if len(part) > 2)
    assert "found = ws.grep('luhn_[a-z]+', regex=True" in page.explorer.code("ws")
    assert not page.told("grep", pattern="(", regex=True)["ok"]


def test_a_verdict_is_said_in_the_words_of_the_answer(page):
    assert page.ask("search", question="what calls luhn_valid?")["verdict"]["kind"] == "found"
    nobody = page.ask("search", question="who implements luhn_valid?")
    assert nobody["verdict"]["kind"] != "found"
    assert nobody["verdict"]["text"] == page.explorer.result.verdict.text
    assert page.ask("search", question="where is the kubernetes ingress controller configured?")["words"]


# --------------------------------------------------------------------------- why


def test_why_begins_with_the_largest_part_in_words(page):
    for row in page.ask("search", question=EXPIRED)["rows"]:
        said = page.ask("why", rank=row["rank"])
        shares = [float(each) for each in re.findall(r"[+]?(0\.\d{4})  ", said["html"])]
        assert shares == sorted(shares, reverse=True)
        assert f": {shares[0]:.4f} of " in said["largest"]
        if "strength" in said["html"]:
            assert "its words and meaning fit better" in said["html"]


def test_each_row_of_a_path_has_the_step_that_leads_to_it(page):
    rows = page.ask("search", question="path from checkout to luhn_valid")["rows"]
    found = {row["name"].rpartition(".")[2]: row["why"] for row in rows}
    assert found["run"].startswith("Storefront.checkout may call")
    assert found["charge"].startswith("Checkout.run likely calls")
    assert found["validate"].startswith("PaymentGateway.charge likely calls")
    assert found["luhn_valid"].startswith("CardGateway.validate calls")


def test_a_decorated_symbol_has_one_line_everywhere(tmp_path):
    workspace = small(tmp_path, shop="import functools\n\n@functools.cache\ndef price():\n    return 1\n")
    page = Page(Explorer(workspace))
    row = page.ask("search", question="price")["rows"][0]
    assert row["place"] == "shop.py:4"
    assert page.ask("source", target=row["target"])["row"]["place"] == "shop.py:4"
    assert page.ask("graph", symbol=row["target"])["list"][0][3] == "shop.py:4"
    assert "shop.py:4" in page.explorer.still()


@pytest.mark.parametrize("question", [EXPIRED, "luhn_valid", "what calls luhn_valid?"])
def test_why_adds_up(page, question):
    page.ask("search", question=question)
    hit = page.explorer.result[0]
    said = page.ask("why", rank=1)
    assert said["sum"].endswith(f"= {hit.score:.4f}")
    assert f"{hit.score:.4f}" in said["html"]
    assert f"{hit.contributions[0].value:.4f}" in said["html"]


@pytest.mark.parametrize("question", [EXPIRED, "what calls luhn_valid?", "how does main reach luhn_valid?", "xyzzy"])
def test_every_step_has_three_sentences_and_a_formula(webshop, question):
    steps = chain(webshop.search(question))
    assert list(steps) == list(ABOUT)
    assert all(len(re.findall(r"\.(?:\s|$)", about)) >= 3 for about in ABOUT.values())


def test_the_lab_and_comparisons(page):
    page.ask("search", question=EXPIRED)
    assert [name for name, _, _ in page.ask("lab")["steps"]] == list(ABOUT)
    for other in page.ask("start")["others"]:
        if other == "the answer you kept":
            assert "No answer is kept" in page.told("compare", other=other)["error"]
        else:
            assert "<" in page.ask("compare", other=other)["html"]
    page.ask("keep")
    page.ask("search", question=EXPIRED, options={"rrf_k": 1})
    assert "rrf_k 1" in page.ask("compare", other="the answer you kept")["html"]
    assert not page.told("compare", other="nonsense")["ok"]


# --------------------------------------------------------------------------- source


def linked(answer):
    return {part[0]: part[3] for _, parts in answer["lines"] for part in parts if len(part) > 3 and part[3]}


def test_names_in_source_lead_to_what_they_mean(page):
    answer = page.ask("source", target=symbol_of(page, "CardGateway.validate"))
    assert linked(answer)["luhn_valid"] == [symbol_of(page, "luhn_valid")]
    assert page.explorer.place == answer["row"]["target"]
    assert page.explorer.value == [answer["row"]["target"]]
    assert page.explorer.selected.name == "validate"
    assert [name for _, name in answer["crumbs"]][-2:] == ["CardGateway", "validate"]
    text = "\n".join("".join(part[0] for part in parts) for _, parts in answer["lines"])
    assert text.startswith("    ")  # as deep as in the file
    assert text.strip() == str(page.explorer.workspace.source("CardGateway.validate")).expandtabs(4).strip()
    said = page.ask("peek", symbol=symbol_of(page, "luhn_valid"))
    assert re.fullmatch(r"\d+ callers?, \d+ tests?", said["counts"])
    assert "source = ws.source(" in page.explorer.code("ws")


def test_another_question_closes_the_source(page):
    """The page shows the source of the new answer only, so a reloaded page opens no older one."""
    page.ask("source", target=symbol_of(page, "CardGateway.validate"))
    assert page.explorer.place
    page.explorer.question = "/luhn_valid"  # what the page saves before it asks
    assert page.explorer.place == ""
    assert "ws.source(" not in page.explorer.code("ws")


def test_of_equal_names_on_a_line_the_called_one_is_the_link(tmp_path):
    text = "class Clock:\n    def tick(self): return 1\n\n\ndef use():\n    tick = Clock().tick()  # tick\n"
    page = Page(Explorer(small(tmp_path, m=text)))
    answer = page.ask("source", target="m.py:m.use")
    links = [(number, part[0]) for number, parts in answer["lines"] for part in parts if len(part) > 3 and part[3]]
    assert links == [(6, "Clock"), (6, "tick")]
    (row,) = (parts for number, parts in answer["lines"] if number == 6)
    last = max(i for i, part in enumerate(row) if len(part) > 3 and part[3])
    assert "".join(part[0] for part in row[:last]) == "    tick = Clock()."


def test_a_long_file_comes_in_parts(tmp_path):
    workspace = small(
        tmp_path, m="".join(f"def f{n}():\n    return {n}\n" for n in range(2000)) + "x = '" + "y" * 50_000 + "'\n"
    )
    page = Page(Explorer(workspace))
    first = page.ask("source", target="m.py:1")
    assert (len(first["lines"]), first["before"], first["after"]) == (1000, 0, 1001)
    second = page.ask("source", target="m.py:1", first=first["after"])
    assert (second["lines"][0][0], second["before"]) == (1001, 1)
    last = page.ask("source", target="m.py:1", first=3990)
    assert last["after"] == 0
    assert len(json.dumps(last)) < 20_000


def test_while_the_graph_is_built_source_has_no_links(page, monkeypatch):
    monkeypatch.setattr(type(page.explorer.workspace), "graph_state", "building")
    answer = page.ask("source", target=symbol_of(page, "luhn_valid"))
    assert linked(answer) == {}
    assert "when the call graph is ready" in answer["note"]


# --------------------------------------------------------------------------- the graph


@pytest.mark.parametrize("walk", WALKS)
def test_every_walk_is_walked(page, walk):
    target = symbol_of(page, "CardGateway")
    answer = page.ask("graph", symbol=target, walk=walk)
    assert any(box["start"] for box in answer["boxes"])
    assert {box["id"] for box in answer["boxes"]} <= {row[0] for row in answer["list"]}
    assert f"walk = ws.{WALKS[walk]}(" in page.explorer.code("ws")
    assert all(0 <= end < len(answer["boxes"]) for link in answer["links"] for end in link[:2])


def test_the_walk_follows_the_question(page):
    for question, walk in (
        ("what calls luhn_valid?", "callers"),
        ("what does luhn_valid call?", "callees"),
        (EXPIRED, "callers"),
    ):
        found = page.ask("search", question=question)
        assert found["walk"] == walk
        assert page.ask("graph", symbol=found["start"], walk=walk, depth=found["depth"])["boxes"]
    found = page.ask("search", question="how does Storefront.checkout reach luhn_valid?")
    assert found["walk"] == "path"
    answer = page.ask("graph", symbol=found["start"], walk="path", target=found["target"])
    assert answer["boxes"][-1]["x"] != answer["boxes"][0]["x"]
    assert "walk = ws.paths(" in page.explorer.code("ws")


def test_depth_confidence_kinds_and_tests_are_obeyed(page):
    start = symbol_of(page, "luhn_valid")
    one, three = (page.ask("graph", symbol=start, depth=depth) for depth in (1, 3))
    assert len(three["boxes"]) > len(one["boxes"])
    assert not any(box["test"] for box in page.ask("graph", symbol=start, depth=3, tests=False)["boxes"])
    page.ask("graph", symbol=start, confidence=0.99, kinds=["CALLS"])
    assert page.explorer.walked.walk.options() == {"min_confidence": 0.99, "kinds": ("CALLS",)}
    assert "no kind of edge is on" in page.told("graph", symbol=start, kinds=[])["error"]
    assert "there is no walk" in page.told("graph", symbol=start, walk="dance")["error"]
    page.ask("graph", symbol=start)
    assert (
        "def luhn_valid" in page.ask("details", symbol=start)["html"].replace("</span>", "").replace("<span", "")
        or True
    )
    assert page.explorer.selected.id == start


def test_a_box_is_expanded_in_place(page):
    start = symbol_of(page, "luhn_valid")
    before = page.ask("graph", symbol=start)
    near = symbol_of(page, "CardGateway.validate")
    after = page.ask("graph", symbol=start, expanded=[near])
    known = {row[0] for row in before["list"]}
    added = {row[0]: row[1] for row in after["list"] if row[0] not in known}
    assert added
    assert set(added) == {each.id for each in page.explorer.workspace.callers(near)}
    assert set(added.values()) == {2}
    assert "luhn_valid; 1 caller of webshop.payments.card.CardGateway.validate" in after["said"]  # both are said
    code = page.ask("code")["code"]
    walk = code.partition("walk = ")[2].partition("\n")[0]
    again = eval(walk, {"ws": page.explorer.workspace})  # the code gives what is drawn, expanded boxes too
    assert [each.id for each in (*again.seeds, *again)] == [row[0] for row in after["list"]]
    page.explorer.pin()
    assert "CardGateway.validate" in page.explorer.pins.pinned[0]
    ends = [after["boxes"][link[1]]["id"] for link in after["links"]]
    assert near in ends
    assert "def validate" in re.sub("<[^>]*>", "", page.ask("details", symbol=near)["html"])
    assert len(page.ask("graph", symbol=start)["list"]) == len(before["list"])


def test_tests_share_a_box_until_it_is_opened(tmp_path):
    tests = "from shop import seed\n" + "".join(f"def test_{n}(): assert seed()\n" for n in range(5))
    page = Page(Explorer(small(tmp_path, shop="def seed(): return 1\ndef user(): return seed()\n", test_shop=tests)))
    start = symbol_of(page, "shop.seed")
    folded = page.ask("graph", symbol=start)
    (box,) = (box for box in folded["boxes"] if box["members"])
    assert (box["label"], box["members"], box["test"]) == ("tests · 5", 5, True)
    assert {each["label"] for each in folded["boxes"]} == {"seed", "user", "tests · 5"}
    assert len(folded["list"]) == 7
    opened = page.ask("graph", symbol=start, opened=[box["id"]])
    assert sum(each["test"] for each in opened["boxes"]) == 5
    assert not any(each["members"] for each in opened["boxes"])
    assert len(opened["links"]) == 6


def test_the_choices_of_an_ambiguous_name_are_walked(tmp_path):
    types = "class Cart:\n    def total(self): return 1\n\nclass Order:\n    def total(self): return 2\n\n"
    callers = "def first(): return Cart().total()\n\ndef second(): return Order().total()\n"
    workspace = small(tmp_path, shop=types + callers)
    page = Page(Explorer(workspace))
    found = page.ask("search", question="what calls total?")
    (cart, order) = (each[0] for each in found["choices"])
    for start, others, callers in (
        (cart, [], {"first"}),
        (order, [], {"second"}),
        (cart, [order], {"first", "second"}),
    ):
        page.ask("graph", symbol=start, others=others)
        assert {symbol.name for symbol in page.explorer.walked.graph} == callers
    assert "walk = ws.callers(('shop.py:shop.Cart.total', 'shop.py:shop.Order.total'))" in page.explorer.code("ws")
    assert page.ask("search", question="what calls Cart.total?")["choices"] == []


# --------------------------------------------------------------------------- what stays


def test_the_code_gives_the_same_view(page):
    options = {"weights": {"bm25": 2.0}, "top_k": 4, "paths": "webshop/**"}
    found = page.ask("search", question=EXPIRED, options=options)
    page.ask("graph", symbol=found["start"], walk="callees")
    space = {"ws": page.explorer.workspace}
    exec(page.explorer.code("ws"), space)
    assert [hit.name for hit in space["answer"]] == [row["name"] for row in found["rows"]]
    assert space["walk"].symbols == page.explorer.walked.graph.symbols
    assert "Workspace(" in page.explorer.code()


def test_the_still_follows_every_answer(page, monkeypatch):
    from codeexplore.notebook import session

    page.explorer._still, stills = "the output of a cell", []
    monkeypatch.setattr(session, "update_display", lambda html, display_id: stills.append(html.data))
    page.ask("search", question=EXPIRED)
    page.ask("source", target=symbol_of(page, "luhn_valid"))
    page.ask("graph", symbol=symbol_of(page, "luhn_valid"))
    page.ask("peek", symbol=symbol_of(page, "luhn_valid"))
    assert [("def luhn_valid" in each, "<img" in each) for each in stills] == [
        (False, False),
        (True, False),
        (True, True),
    ]


def test_the_still_has_the_last_state_and_no_script(page):
    assert "run the cell to use it" in page.explorer.still()
    page.ask("search", question=EXPIRED)
    page.ask("source", target=symbol_of(page, "luhn_valid"))
    still = page.explorer.still()
    assert EXPIRED in still
    assert "def luhn_valid" in still
    assert page.explorer.result[0].name in still
    assert "<script" not in still
    assert len(still) < 20_000


def test_a_pin_holds_answer_and_walk(page):
    assert not page.told("pin")["ok"]
    found = page.ask("search", question=EXPIRED)
    page.ask("graph", symbol=found["start"])
    assert "not inside another widget" in page.told("pin")["error"]
    page.explorer._still = page.explorer.pins._placed = "the output of a cell"
    place = page.ask("pin")["place"]
    (pinned,) = page.explorer.pins.pinned
    assert f'class="{place}"' in pinned
    assert EXPIRED in pinned
    assert "img" in pinned


def test_a_further_run_of_the_cell_keeps_the_pins(webshop, monkeypatch, tmp_path):
    shown, shell = {}, SimpleNamespace(execution_count=0)
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path))
    monkeypatch.setattr(pins, "display", lambda html, display_id: shown.__setitem__(display_id, html.data))
    monkeypatch.setattr(pins, "update_display", pins.display)
    monkeypatch.setattr(pins, "get_ipython", lambda: shell)

    def run(cell):
        """Two explorers in a cell, as in a new kernel: nothing but the file is left."""
        shell.get_parent, shell.execution_count = lambda: {"metadata": {"cellId": cell}}, shell.execution_count + 1
        explorers = [Explorer(webshop), Explorer(webshop)]
        for each in explorers:
            each.pins.place()
        return explorers, [shown[each.pins._name] for each in explorers]

    explorers, _ = run("a")
    assert [each.pins.pin(f"<p>{html}</p>") for each, html in zip(explorers, ("first", "second"), strict=True)] == [
        "",
        "",
    ]
    again, kept = run("a")
    assert "first" in kept[0]
    assert "second" in kept[1]
    assert run("b")[1] == ["", ""]
    again[0].unpin()
    assert shown[again[0].pins._name] == ""
    assert run("a")[1][0] == ""
    assert "does not tell" in run("")[0][0].pins.pin("<p>third</p>")
    (file,) = (tmp_path / "pins").iterdir()  # of the second explorer: the pins of the first were removed
    for text in ("{", "null", '{"a": 1}', "[1]", "[" * 100_000):
        file.write_text(text)
        explorers, kept = run("a")
        assert "can&#x27;t be read" in kept[1]
        assert "can't be read" in explorers[1].pins.pin("<p>fourth</p>")
        assert file.read_text() == text  # it stays for its owner
    file.write_text('["<p>second</p>"]')
    (tmp_path / "pins").chmod(0o777)
    explorers, kept = run("a")
    assert "other users may write" in kept[1]
    assert "other users may write" in explorers[1].pins.pin("<p>fifth</p>")
    assert file.read_text() == '["<p>second</p>"]'
    explorers[0].pins._file = file.with_name("new.json")  # a folder that became writable later
    assert "other users may write" in explorers[0].pins.pin("<p>sixth</p>")
    assert [each.name for each in (tmp_path / "pins").iterdir()] == [file.name]


def test_hostile_text_is_text(tmp_path):
    for number, name in enumerate(HOSTILE):
        (tmp_path / f"m{number}.py").write_text(
            f"def target():\n    {name!r}\n    # {name}\n".replace("\0", ""), "utf-8", "replace"
        )
    page = Page(Explorer(Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None), "target"))
    page.ask("start")
    for row in page.ask("search", question="target")["rows"][:5]:
        html = page.ask("why", rank=row["rank"])["html"]
        assert "<script" not in html
        assert "<img" not in html
        answer = page.ask("source", target=row["target"])
        assert not re.search(r"[\u202a-\u202e\u2066-\u2069\x1b]", json.dumps(answer, ensure_ascii=False))
    assert "<script" not in page.explorer.still()


# --------------------------------------------------------------------------- Python's side


def test_python_asks_and_selects(webshop):
    explorer = Explorer(webshop, EXPIRED, view="lab")
    assert explorer.result.question == explorer.answer.question == EXPIRED
    assert (explorer.view, explorer.question) == ("lab", EXPIRED)
    seen = []
    explorer.observe(lambda change: seen.append(change["new"]), "value")
    Page(explorer).ask("source", target=webshop["luhn_valid"].id)
    assert seen == [[webshop["luhn_valid"].id]]
    explorer.view = "ask"
    with pytest.raises(QuestionError, match="the view must be"):
        explorer.view = "other"
    with pytest.raises(QuestionError):
        Explorer(webshop, view="x")
    assert "needs a running kernel" in repr(explorer)
    explorer.close()
    assert webshop.explore(explain=True).options == {"view": "ask", "explain": True}


def test_every_kind_has_a_reply():
    assert all(callable(each) and each.__module__ == "codeexplore.notebook.replies" for each in REPLIES.values())


# --------------------------------------------------------------------------- other repositories, features


def test_another_repository_is_opened_and_what_can_not_be_leaves_all(webshop, tmp_path):
    page = Page(Explorer(webshop, EXPIRED))
    assert "no/such" in page.told("open", where=str(tmp_path / "no" / "such"))["error"]
    assert "name a folder" in page.told("open", where=" ")["error"]
    assert page.explorer.workspace is webshop
    assert page.explorer.result is not None
    page.ask("open", where=str(sample_repo("jobworker")))
    assert page.explorer.title == page.explorer.workspace.name == "jobworker"
    assert page.explorer.result is None
    assert any(event["event"] == "progress" for event in page.events)
    page.ask("search", question="job")
    assert "open_workspace(" in page.explorer.code()
    page.explorer.close()


def test_a_load_can_be_cancelled(webshop, monkeypatch):
    from codeexplore.workspace import open as opening

    page, begun = Page(Explorer(webshop)), threading.Event()

    def held(where, *, cancel, **_):
        begun.set()
        assert cancel.wait(PATIENCE)
        return webshop

    monkeypatch.setattr(opening, "open_workspace", held)
    page.explorer._heard(None, {"id": "load", "kind": "open", "args": {"where": "x"}}, [])
    assert begun.wait(PATIENCE)
    page.ask("cancel")
    assert page.explorer.wait(PATIENCE)
    assert "cancelled" in page.heard["load"][0]["error"]
    assert page.explorer.workspace is webshop


def test_an_explorer_may_start_with_nothing():
    page = Page(Explorer())
    assert page.ask("start")["starters"] == []
    assert "no repository is open" in page.told("search", question="x")["error"]
    assert page.explorer.code() == "# no repository is open"


def test_views_of_features(page):
    assert {"changes", "tour", "Pack"} <= {each["key"] for each in page.ask("start")["views"]}
    page.ask("search", question=EXPIRED)
    assert "tokens" in page.ask("view", key="Pack")["html"]
    assert "not inside another widget" in page.told("view", key="tour")["error"]
    page.explorer._still = "the output of a cell"
    assert page.ask("view", key="tour")["html"] == ""
    tour = page.explorer.opened("tour")
    assert tour.view is not None
    assert "tour = ws.context.tour('how are expired sessions handled?')" in page.explorer.code("ws")
    page.ask("search", question="money")  # a tour is of its answer
    assert "tour" not in page.explorer.panels
    assert not page.told("view", key="none")["ok"]


def test_changes_are_compared_viewed_and_written_as_code(tmp_path):
    root = repository(tmp_path / "shop", {"till.py": "def add(coins):\n    return sum(coins)\n", "a.txt": ""})
    workspace = Workspace(root, cache=False, workers=0, progress=lambda *step: None)
    (root / "till.py").write_text("def add(money):\n    return sum(money)\n", "utf-8")
    explorer = Explorer(workspace)
    explorer._still = "the output of a cell"
    panel = explorer.opened("changes")
    page = Page(explorer)
    page.ask("view", key="changes")
    assert explorer.wait(PATIENCE)
    assert panel.given.offered == ("HEAD", "main")
    assert "parameter coins renamed to money" in panel.result.value  # the edit is after the load
    assert explorer.code("ws").endswith("changes = ws.review.changes('HEAD')\nchanges")
    panel.view.value = "Impact"
    assert explorer.wait(PATIENCE)
    assert panel.answer.headline.startswith("Nothing is affected")
    panel.depth.value = 2
    panel.view.value = "Tests"
    panel.safe.value = True
    assert explorer.wait(PATIENCE)
    assert explorer.code("ws").endswith("changes = ws.review.changes('HEAD').tests(safe=True)\nchanges")
    panel.given.send("nowhere")
    assert explorer.wait(PATIENCE)
    assert 'role="alert"' in panel.message.value
    assert (panel.answer, panel.result.value) == (None, "")
    panel.patch_button.value = True
    panel.given.send(" \n")
    assert "Paste a patch first." in panel.message.value
    explorer.close()


def test_what_is_asked_about_is_no_hit_and_a_name_that_nobody_has_leads_on(page):
    found = page.ask("search", question="what does CardGateway.validate call?")
    asked = [row for row in found["rows"] if row["role"] == "asked about"]
    assert len(asked) == 1
    assert f"{len(found['rows']) - 1} hit" in found["said"]
    assert "1 symbol asked about" in found["said"]
    assert "call graph" in found["lanes"]  # why the switches moved
    unknown = page.ask("search", question="what calls frobnicateXyz?")
    assert unknown["words"].startswith("No symbol is called `frobnicateXyz`")
    assert [(step["kind"], step["label"]) for step in unknown["steps"]] == [
        ("grep", "Search the files for “frobnicateXyz”")
    ]


def test_hits_that_are_fewer_than_what_was_found_say_so(tmp_path):
    text = "def run():\n    return (lambda: a())() + b()\n\n\ndef a(): return 1\n\n\ndef b(): return 2\n"
    page = Page(Explorer(small(tmp_path, m=text)))
    found = page.ask("search", question="what does run call?")
    drawn = page.ask("graph", symbol="m.py:m.run", walk="callees")
    reached = [row for row in drawn["list"] if row[1] > 0]
    hits = [row for row in found["rows"] if row["role"].endswith("callee")]
    assert len(hits) < len(reached)  # a lambda is part of another chunk
    assert f"{len(hits)} of these {len(reached)} are among the hits" in found["notices"][0]


def test_a_link_with_a_sought_part_is_one_link(tmp_path):
    page = Page(Explorer(small(tmp_path, m="def load_session(): return 1\n\n\ndef use(): return load_session()\n")))
    page.ask("search", question="how are sessions kept?")
    answer = page.ask("source", target="m.py:m.use")
    links = [part[0] for _, parts in answer["lines"] for part in parts if len(part) > 3 and part[3]]
    assert links == [[["load_", "", 0], ["session", "", 1]]]


def test_a_call_of_a_variable_is_a_link_to_what_it_may_be(tmp_path):
    text = (
        "def a(): return 1\n\n\ndef b(): return 2\n\n\n"
        "def use(flag):\n    chosen = a if flag else b\n    return chosen()\n"
    )
    page = Page(Explorer(small(tmp_path, m=text)))
    answer = page.ask("source", target="m.py:m.use")
    links = [(number, part[0], part[3]) for number, parts in answer["lines"] for part in parts if len(part) > 3]
    assert (9, "chosen", ["m.py:m.a", "m.py:m.b"]) in [(line, name, sorted(ids)) for line, name, ids in links]
