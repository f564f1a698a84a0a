"""The explorer through its traits: what a browser would send, and what it would show."""

import re
import threading

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.answers.blocks import Table
from codeexplore.answers.chain import ABOUT, chain
from codeexplore.answers.html.elements import escape
from codeexplore.answers.plain_words import sentence
from codeexplore.notebook.background import LatestTask
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.requests import SearchRequest
from codeexplore.types import LANES, Filters
from codeexplore.types.errors import QuestionError
from tests.git_repos import repository

PATIENCE = 120.0  # seconds for work in the background; a machine may be busy


@pytest.fixture
def explorer(webshop):
    made = Explorer(webshop, pause=0.0, view="lab")
    yield made
    made.close()


def asked(explorer, question):
    explorer.ask(question)
    assert explorer.wait(PATIENCE)
    return explorer


def settled(explorer):
    assert explorer.wait(PATIENCE)
    return explorer.result


# --------------------------------------------------------------------------- asking


def test_an_answer_shows_its_arithmetic(explorer):
    asked(explorer, "how are expired sessions handled?")
    assert explorer.result.question == "how are expired sessions handled?"
    assert "1/(60+" in explorer.results.value
    assert "BM25 score, their sum" in explorer.results.value
    assert f"{len(explorer.result)} hits" in explorer.message.value
    assert 'role="status"' in explorer.message.value


def test_typing_asks_and_emptying_clears(explorer):
    explorer.panel.question.box.value = "money"
    assert settled(explorer).question == "money"
    explorer.panel.question.box.value = "  "
    assert settled(explorer) is None
    assert explorer.results.value == ""
    assert explorer.panel.lanes.health["bm25"].value == ""


def test_enter_asks_at_once(webshop):
    explorer = Explorer(webshop, pause=60.0)
    box = explorer.panel.question.box
    box.value = "money"
    assert explorer.result is None
    box._handle_custom_msg({"event": "submit"}, [])
    assert settled(explorer).question == "money"
    explorer.close()


def test_symbols_complete_within_a_question(explorer):
    explorer.panel.question.box.value = "what calls valid"
    assert "what calls validate_session" in explorer.panel.question.box.options
    explorer.panel.question.box.value = "what calls VALID"
    assert "what calls validate_session" in explorer.panel.question.box.options
    explorer.panel.question.box.value = "what calls v"
    assert explorer.panel.question.box.options == ()
    settled(explorer)


def test_questions_are_remembered_without_the_stages_of_typing_them(explorer):
    for question in ("mon", "money", "expired sessions"):
        asked(explorer, question)
    assert explorer.panel.question.history == ["expired sessions", "money"]
    explorer.panel.question.box.value = ""
    assert explorer.panel.question.box.options == ("expired sessions", "money")


def test_an_error_takes_the_old_answer_away(explorer):
    asked(explorer, "money")
    for lane in LANES:
        explorer.panel.lanes.boxes[lane].value = False
    assert settled(explorer) is None
    assert 'role="alert"' in explorer.message.value
    assert "no lane is on" in explorer.message.value
    assert (explorer.results.value, explorer.callers.controls.symbol.options) == ("", ())


def test_an_unexpected_error_is_shown_with_its_type(explorer, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("<b>index is stale</b>")

    monkeypatch.setattr(explorer.workspace, "search", fail, raising=False)
    asked(explorer, "money")
    assert "ZeroDivisionError: &lt;b&gt;index is stale&lt;/b&gt;" in explorer.message.value


def test_an_error_in_a_callback_is_shown(explorer, monkeypatch):
    monkeypatch.setattr(explorer.callers.controls, "chosen", lambda: 1 / 0)
    explorer.callers.controls.draw_button.click()
    assert "ZeroDivisionError" in explorer.message.value
    assert 'role="alert"' in explorer.message.value


def test_loading_looks_like_loading_and_the_old_answer_is_dimmed(explorer, held):
    asked(explorer, "money")
    before = explorer.results.value
    gate = held(explorer)
    explorer.ask("what calls validate_session?")
    assert "Searching …" in explorer.message.value
    assert 'class="ce-spinner"' in explorer.message.value
    assert explorer.results.value == before
    assert "ce-old" in explorer.results._dom_classes
    gate.set()
    settled(explorer)
    assert "Searching …" not in explorer.message.value
    assert explorer.callers.message.value == ""
    for part in (explorer.results, explorer.compare, explorer.callers, explorer.callers.graph):
        assert "ce-old" not in part._dom_classes


def test_starter_questions_are_of_the_repository_and_are_answered(explorer):
    settled(explorer)
    questions = [child.description for child in explorer.starters.children[2].children]
    assert len(questions) == 3
    words, name, structural = questions
    assert "Money" not in words.split()  # plain words, of somebody's documentation
    assert explorer.workspace[name].kind == "class"
    assert re.fullmatch(r"what calls [\w.]+\?", structural)
    assert "files" in explorer.starters.summary.value
    assert "ce-alone" in explorer.columns._dom_classes
    for number, kind in enumerate(("conceptual", "identifier", "structural")):
        explorer.ask("")
        settled(explorer)
        explorer.starters.children[2].children[number].click()
        assert settled(explorer).plan.kind in (kind, "mixed")
        assert explorer.starters.children == ()
        assert "ce-alone" not in explorer.columns._dom_classes


def test_the_walk_follows_each_question_and_falls_back_to_callers(explorer):
    asked(explorer, "what breaks if Money changes?")
    assert explorer.callers.walked.walk.walk == "impact"
    assert explorer.callers.controls.depth.value > 1
    asked(explorer, "how are expired sessions handled?")
    assert (explorer.callers.walked.walk.walk, explorer.callers.walked.walk.depth) == ("callers", 1)
    asked(explorer, "what does checkout call?")
    assert explorer.callers.walked.walk.walk == "callees"
    asked(explorer, "SessionManager")
    assert explorer.callers.walked.walk.walk == "callers"


def test_a_path_question_shows_the_path(explorer):
    asked(explorer, "how does checkout reach luhn_valid?")
    walk = explorer.callers.walked.walk
    assert (walk.walk, walk.symbol.name, walk.target.name) == ("path", "checkout", "luhn_valid")
    found = explorer.workspace.paths(walk.symbol, walk.target)
    assert "path" in explorer.callers.controls.walk.options
    assert list(explorer.callers.walked.answer.seeds) == [walk.symbol]
    assert {*found.symbols(found.paths[0])} <= {walk.symbol, *explorer.callers.walked.answer.symbols}
    assert f"walk = ws.paths({walk.symbol.id!r}, {walk.target.id!r})" in explorer.code("ws")
    explorer.pin()
    assert "paths from" in explorer.pins.pinned[-1] or "path from" in explorer.pins.pinned[-1]
    asked(explorer, "money")
    assert "path" not in explorer.callers.controls.walk.options


def test_a_hierarchy_is_said_to_be_followed_whole(explorer):
    asked(explorer, "what implements PaymentGateway?")
    assert ", any number of steps by" in explorer.panel.reading.words.value
    asked(explorer, "what calls luhn_valid?")
    assert ", 1 step by" in explorer.panel.reading.words.value


def test_uncertain_paths_are_shown_at_once(tmp_path):
    (tmp_path / "m.py").write_text(
        "def start(x): x.only()\nclass One:\n    def only(self): finish()\ndef finish(): pass\n"
    )
    explorer = Explorer(Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None), pause=0.0)
    asked(explorer, "how does m.start reach m.finish?")
    panel = explorer.callers
    assert "1 possible path from m.start to m.finish" in panel.graph.value
    assert [symbol.name for symbol in panel.walked.answer.symbols] == ["only", "finish"]
    explorer.close()


def test_the_choices_of_an_ambiguous_name_are_buttons(tmp_path):
    (tmp_path / "shop.py").write_text(
        "class Cart:\n    def total(self): return 1\n\nclass Order:\n    def total(self): return 2\n\n"
        "def first(): return Cart().total()\n\ndef second(): return Order().total()\n"
    )
    explorer = Explorer(Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None), pause=0.0)
    asked(explorer, "what calls total?")
    (line,) = explorer.callers.choices.children
    told, cart, order, everything = line.children
    assert told.value == "total may mean:"
    for button, callers in ((cart, {"first"}), (order, {"second"}), (everything, {"first", "second"})):
        button.click()
        settled(explorer)
        assert {symbol.name for symbol in explorer.callers.walked.answer} == callers
    assert "walk = ws.callers(('shop.py:shop.Cart.total', 'shop.py:shop.Order.total'))" in explorer.code("ws")
    asked(explorer, "what calls Cart.total?")
    assert explorer.callers.choices.children == ()
    explorer.close()


def test_choices_are_offered_with_the_graph_lane_off(tmp_path):
    (tmp_path / "shop.py").write_text(
        "class Cart:\n    def total(self): return 1\n\nclass Order:\n    def total(self): return 2\n"
    )
    explorer = Explorer(Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None), pause=0.0)
    asked(explorer, "what calls total?")
    explorer.panel.lanes.boxes["graph"].value = False
    answer = settled(explorer)
    assert [ranking.lane for ranking in answer.rankings] == ["bm25"]
    assert {symbol.fqn for symbol in answer.choices["total"]} == {"shop.Cart.total", "shop.Order.total"}
    (line,) = explorer.callers.choices.children
    assert line.children[0].value == "total may mean:"
    assert len(line.children) == 4
    assert "The graph lane is off, so callers were not looked up." in explorer.results.value
    described = asked(explorer, "what calls the code that adds up what Cart.total needs?").result
    assert described.plan.identifiers == ("Cart.total",)
    assert described.choices == {}
    assert "<code" not in explorer.panel.reading.words.value.partition("“adds up")[0]
    explorer.close()


def test_rows_of_an_answer_that_is_probably_none_are_grey(explorer):
    asked(explorer, "where is the kubernetes ingress controller configured?")
    assert explorer.result.confidence != "answered"
    assert f'class="ce-{explorer.result.confidence}"' in explorer.results.value
    assert "Nothing here mentions kubernetes, ingress" in explorer.results.value
    asked(explorer, "how are expired sessions handled?")
    assert explorer.result.confidence == "answered"
    assert not re.search('class="ce-(?:weak|none)"', explorer.results.value)


def test_hits_say_what_they_are_to_the_question(explorer):
    asked(explorer, "what calls validate_session?")
    roles = re.findall(r'class="ce-role"[^>]*>([^<]+)<', explorer.results.value)
    assert len(roles) == len(explorer.result)
    assert {"likely caller", "asked about"} <= set(roles)
    assert "⚠" not in explorer.results.value


def test_nothing_is_open_and_all_of_the_source_is_there(explorer):
    asked(explorer, "SessionManager")
    assert "<details open" not in explorer.results.value
    longest = max(explorer.result, key=lambda hit: len(hit.numbered_lines()))
    shown = re.sub(r"<[^>]*>", "", explorer.results.value)
    assert all(f"{line}  " in shown for line, _ in longest.numbered_lines())


# --------------------------------------------------------------------------- lanes and the reading


def test_lanes_show_what_the_planner_chose(explorer):
    asked(explorer, "SessionManager")
    plan = explorer.result.plan
    lanes = explorer.panel.lanes
    assert {lane for lane in LANES if lanes.boxes[lane].value} == set(plan.lanes) != set(LANES)
    assert lanes.weights["graph"].value == plan.lanes["graph"]
    assert "not used" in lanes.health["embedding"].value
    assert " hit" in lanes.health["bm25"].value
    assert explorer.panel.asked() == SearchRequest("SessionManager")


@pytest.mark.parametrize("lane", LANES)
def test_each_lane_can_be_switched_off_and_on(explorer, lane):
    asked(explorer, "how are expired sessions handled?")
    explorer.panel.lanes.boxes[lane].value = False
    assert lane not in settled(explorer).plan.lanes
    explorer.panel.lanes.boxes[lane].value = True
    assert set(settled(explorer).plan.lanes) == set(LANES)


def test_a_lane_the_planner_left_out_can_be_asked(explorer):
    asked(explorer, "SessionManager")
    explorer.panel.lanes.weights["embedding"].value = 2.0
    assert settled(explorer).plan.lanes["embedding"] == 2.0
    assert explorer.panel.lanes.boxes["embedding"].value


def test_weights_are_obeyed_until_they_are_left_to_the_planner(explorer):
    asked(explorer, "how are expired sessions handled?")
    usual = dict(explorer.result.plan.lanes)
    explorer.panel.lanes.weights["graph"].value = 3.0
    assert settled(explorer).plan.lanes["graph"] == 3.0
    assert not explorer.panel.reading.reset_button.disabled
    explorer.panel.reading.reset_button.click()
    assert dict(settled(explorer).plan.lanes) == usual
    assert explorer.panel.lanes.weights["graph"].value == usual["graph"]
    assert explorer.panel.reading.reset_button.disabled


def test_the_reading_is_told_and_can_be_overruled(explorer):
    asked(explorer, "what calls validate_session?")
    assert "Read: callers of " in explorer.panel.reading.words.value
    assert ", 1 step by " in explorer.panel.reading.words.value
    explorer.panel.reading.depth.value = 3
    explorer.panel.reading.relation.value = "impact"
    explorer.panel.reading.direction.value = "in"
    plan = settled(explorer).plan
    assert (plan.relation, plan.direction, plan.depth) == ("impact", "in", 3)
    assert "depth=3 was given" in explorer.panel.reading.words.value


def test_numbers_are_obeyed(explorer):
    options = explorer.panel.options
    options.top_k.value, options.rrf_k.value, options.one_per_file.value = 4, 10, True
    asked(explorer, "money")
    assert len(explorer.result) == 4
    assert explorer.result.result.rrf_k == 10
    assert len({hit.path for hit in explorer.result}) == 4
    options.fusion.value = "min-max"
    assert settled(explorer).result.fusion == "min-max"
    assert "min-max" in explorer.results.value


def test_filters_are_obeyed(explorer):
    explorer.panel.options.top_k.value = 100
    asked(explorer, "session")
    assert any(hit.path.startswith("tests/") for hit in explorer.result)
    explorer.panel.options.tests.value = False
    assert not any(hit.path.startswith("tests/") for hit in settled(explorer))
    explorer.panel.options.paths.value = "webshop/orders/**, webshop/cart.py"
    assert all(hit.path.startswith(("webshop/orders/", "webshop/cart.py")) for hit in settled(explorer))
    explorer.panel.options.paths.value = ""
    explorer.panel.options.language.value = "markdown"
    assert {hit.chunk.language for hit in settled(explorer)} == {"markdown"}


# --------------------------------------------------------------------------- views


def test_ask_says_each_hit_in_a_sentence_of_its_explanation(webshop):
    explorer = Explorer(webshop, "how are expired sessions handled?", pause=0.0)
    answer = settled(explorer)
    shown = explorer.results.value
    assert "score</th>" not in shown
    assert "1/(60+" not in shown
    for hit in answer:
        said = sentence(hit)
        assert escape(said) in shown
        ranks = {share.rank for share in hit.contributions}
        assert {int(each) for each in re.findall(r"(\d+)(?:st|nd|rd|th) ", said)} == ranks
    assert [box.description for box in explorer.panel.lanes.boxes.values()] == ["words", "meaning", "call graph"]
    explorer.close()


def test_a_sentence_says_why_a_test_is_lowered_and_bars_keep_the_sum(webshop):
    answer = webshop.search("what calls validate_session?")
    test = next(hit for hit in answer if hit.path.startswith("tests/"))
    assert "; score lowered: the file is of the kind “test”, which the question does not ask for" in sentence(test)
    (table,) = (block for block in answer.plain_blocks() if isinstance(block, Table))
    for row, hit in zip(table.rows, answer, strict=True):
        assert sum(term.value for term in row.cells[-1].terms) == pytest.approx(hit.score)


def test_how_it_was_found_stays_open_and_is_made_only_then(webshop):
    explorer = Explorer(webshop, "money", pause=0.0)
    settled(explorer)
    assert explorer.panel.scores.value == ""
    explorer.panel.found_fold.button.value = True
    assert "1/(60+" in explorer.panel.scores.value
    asked(explorer, "how are expired sessions handled?")
    assert explorer.panel.found_fold.children
    assert "0.1/(60+1) graph" in explorer.panel.scores.value
    explorer.ask("")
    settled(explorer)
    assert explorer.panel.scores.value == ""
    explorer.close()


def test_a_switch_of_views_keeps_answer_walk_and_controls_and_asks_nothing_again(webshop, monkeypatch):
    explorer = Explorer(webshop, "what calls validate_session?", pause=0.0)
    answer, walked = settled(explorer), explorer.callers.walked
    monkeypatch.setattr(webshop, "search", lambda *_, **__: 1 / 0, raising=False)
    monkeypatch.setattr(webshop, "callers", lambda *_, **__: 1 / 0, raising=False)
    plain = explorer.results.value
    explorer.view = "lab"
    assert "score</th>" in explorer.results.value
    assert explorer.panel.chain.steps["fusion"].numbers.value
    assert f"{answer[0].contributions[0].weight:g}/(60+" in explorer.panel.chain.steps["fusion"]._about.value
    explorer.view = "ask"
    assert settled(explorer) is answer
    assert (explorer.results.value, explorer.callers.walked) == (plain, walked)
    with pytest.raises(QuestionError, match="the view must be 'ask' or 'lab', not 'both'"):
        webshop.explore(view="both")
    explorer.close()


@pytest.mark.parametrize("question", ["", "how are expired sessions handled?", "SessionManager", "zzz qqq"])
def test_every_step_has_three_sentences_and_a_formula(webshop, question):
    for name, step in chain(webshop.search(question or "money", fusion="min-max" if not question else "rrf")).items():
        assert len(re.findall(r"\.(?: |$)", ABOUT[name])) == 3
        assert step.formula or name in ("question", "lanes", "signals", "ranking")


def test_the_formula_of_fusion_and_signals_adds_up(webshop):
    answer = webshop.search("how are expired sessions handled?")
    steps = chain(answer)
    (sum_of_lanes,) = re.findall(r"= ([\d.]+)$", steps["fusion"].formula[-1])
    parts = [float(each.replace("−", "-")) for each in re.findall(r"[+−][\d.]+", " ".join(steps["signals"].formula))]
    signals = [part for part in parts if part in {round(each.value, 4) for each in answer[0].adjustments}]
    assert float(sum_of_lanes) + sum(signals) == pytest.approx(answer[0].score, abs=1e-3)


# --------------------------------------------------------------------------- comparing


def test_what_each_lane_does_for_each_rank(explorer):
    asked(explorer, "how are expired sessions handled?")
    explorer.compare.other.value = "each lane left out"
    settled(explorer)
    assert "Ranks if a lane were left out" in explorer.compare.view.value
    for lane in LANES:
        assert f"{lane}</th>" in explorer.compare.view.value


def test_a_kept_answer_is_compared_with_later_ones(explorer):
    explorer.compare.keep_button.click()
    assert "Ask a question first" in explorer.compare.message.value
    asked(explorer, "how are expired sessions handled?")
    explorer.compare.keep_button.click()
    settled(explorer)
    assert "no hit changes its rank" in explorer.compare.view.value
    explorer.panel.options.rrf_k.value = 1
    settled(explorer)
    assert "rrf_k 1" in explorer.compare.view.value
    assert "hits change their rank" in explorer.compare.view.value
    explorer.compare.other.value = "nothing"
    assert explorer.compare.view.value == ""


def test_every_comparison_is_drawn(explorer):
    asked(explorer, "SessionManager")
    for other in explorer.compare.other.options[3:]:
        explorer.compare.other.value = other
        settled(explorer)
        assert "data:image/svg+xml" in explorer.compare.view.value, other
        assert explorer.compare.message.value == ""


# --------------------------------------------------------------------------- walking


def test_the_symbol_asked_about_is_walked_from(explorer):
    asked(explorer, "what calls validate_session?")
    assert explorer.selected.name == "validate_session"
    assert explorer.callers.walked.walk.walk == "callers"
    assert "<svg" in explorer.callers.graph.value
    assert "<iframe" not in explorer.callers.graph.value
    asked(explorer, "what does checkout call?")
    assert explorer.callers.controls.walk.value == "callees"
    assert "called by" in explorer.callers.graph.value


def test_a_live_drawing_stays_live(explorer):
    asked(explorer, "what calls validate_session?")
    explorer.callers.controls.draw_button.click()
    settled(explorer)
    assert "<iframe" in explorer.callers.graph.value
    explorer.callers.controls.depth.value = 3
    settled(explorer)
    assert "<iframe" in explorer.callers.graph.value
    assert max(reached.depth for reached in explorer.callers.walked.answer.reached) > 1


@pytest.mark.parametrize("walk", ["callers", "callees", "callers and callees", "implementors", "impact"])
def test_every_walk_is_walked(explorer, walk):
    asked(explorer, "what calls validate_session?")
    explorer.callers.controls.walk.value = walk
    settled(explorer)
    assert explorer.callers.message.value == ""
    assert explorer.callers.walked.walk.walk == walk
    assert explorer.callers.controls.depth.disabled == (walk == "implementors")


def test_kinds_confidence_and_tests_are_obeyed(explorer):
    asked(explorer, "what calls validate_session?")
    controls = explorer.callers.controls
    controls.walk.value = "impact"
    controls.depth.value = 5
    assert [kind for kind, box in controls.kinds.items() if box.value] == ["CALLS", "IMPLEMENTS", "EXTENDS",
                                                                           "OVERRIDES", "USES"]  # fmt: skip
    for kind in ("USES", "IMPLEMENTS", "EXTENDS", "OVERRIDES"):
        controls.kinds[kind].value = False
    controls.tests.value = False
    settled(explorer)
    answer = explorer.callers.walked.answer
    assert {edge.kind for edge in answer.edges} == {"CALLS"}
    assert not any(symbol.path.startswith("tests/") for symbol in answer)
    controls.confidence.value = 1.0
    settled(explorer)
    assert all(edge.confidence == 1.0 for edge in explorer.callers.walked.answer.edges)
    for box in controls.kinds.values():
        box.value = False
    settled(explorer)
    assert "no kind of edge is on" in explorer.callers.message.value


def test_the_list_tells_and_reseeds_and_the_trail_leads_back(explorer):
    asked(explorer, "what calls validate_session?")
    callers = explorer.callers
    start, first = callers.selected, callers.walked.answer[0]
    callers.reached.list.value = first.id
    assert explorer.selected == first
    assert first.name in callers.reached.details.value
    assert "calls by its value" in callers.reached.details.value
    callers.reached.previous_button.click()
    assert explorer.selected == start
    callers.reached.next_button.click()
    assert explorer.selected == first
    callers.reached.start_button.click()
    settled(explorer)
    assert callers.walked.walk.symbol == first == explorer.selected
    assert callers.trail.symbols == (start, first)
    explorer.panel.options.top_k.value = 20  # the same question: the walk stays where it was led
    settled(explorer)
    assert callers.walked.walk.symbol == first
    callers.trail.back()
    settled(explorer)
    assert callers.walked.walk.symbol == start
    assert callers.trail.symbols == (start,)


def test_any_hit_can_be_walked_from(explorer):
    asked(explorer, "how are expired sessions handled?")
    second = explorer.callers.controls.symbol.options[1][1]
    explorer.callers.controls.symbol.value = second
    settled(explorer)
    assert explorer.callers.walked.walk.symbol.id == second == explorer.selected.id
    explorer.panel.options.top_k.value = 20
    settled(explorer)
    assert explorer.selected.id == second


def test_drawing_before_asking_says_so(explorer):
    explorer.callers.start()
    assert "Ask a question first" in explorer.callers.message.value
    assert explorer.callers.controls.draw_button.disabled


def test_a_failed_walk_is_told(explorer, monkeypatch):
    monkeypatch.setattr(explorer.workspace, "callers", lambda *_, **__: 1 / 0, raising=False)
    asked(explorer, "what calls validate_session?")
    assert 'role="alert"' in explorer.callers.message.value
    assert explorer.callers.graph.value == ""
    assert explorer.result is not None


# --------------------------------------------------------------------------- code


def run_code(code, **bound):
    names = dict(bound)
    exec(compile(code, "code", "exec"), names)
    return names


def test_the_code_gives_the_same_view(explorer):
    asked(explorer, "who uses 'session'\\n\" \N{BULLET}?")
    options = explorer.panel.options
    options.top_k.value, options.rrf_k.value, options.fusion.value = 7, 20, "rrf-pagerank"
    options.tests.value, options.paths.value, options.one_per_file.value = False, "webshop/*.py", True
    explorer.panel.lanes.weights["bm25"].value = 1.5
    explorer.panel.lanes.boxes["graph"].value = False
    explorer.panel.reading.depth.value = 2
    explorer.callers.controls.walk.value = "callers and callees"
    explorer.callers.controls.depth.value = 2
    explorer.callers.controls.confidence.value = 0.9
    explorer.callers.controls.tests.value = False
    settled(explorer)
    code = explorer.code(workspace="shop")
    names = run_code(code, shop=explorer.workspace)
    assert names["answer"].plan == explorer.result.plan
    assert [hit.fused for hit in names["answer"]] == [hit.fused for hit in explorer.result]
    assert names["walk"].subgraph == explorer.callers.walked.answer.subgraph
    assert "Filters(paths=('webshop/*.py',), tests=False)" in code


def test_the_code_can_make_the_workspace_too(explorer):
    asked(explorer, "money")
    names = run_code(explorer.code())
    assert isinstance(names["ws"], Workspace)
    assert [hit.name for hit in names["answer"]] == [hit.name for hit in explorer.result]


def test_the_code_makes_a_part_of_a_repository_again():
    """A package stands among others: its root alone would load them all."""
    whole = Workspace(sample_repo("webshop"), only=("webshop/payments",), name="payments", progress=lambda *_: None)
    names = run_code(Explorer(whole).code())
    assert (names["ws"].files, names["ws"].name) == (whole.files, "payments")


def test_the_code_opens_a_saved_index(webshop, tmp_path):
    webshop.save(tmp_path / "shop.index")
    saved = Workspace.open(tmp_path / "shop.index")
    names = run_code(Explorer(saved).code())
    assert names["ws"].files == webshop.files


def test_code_where_nothing_was_asked(webshop):
    assert Explorer().code() == "# no repository is open"
    assert run_code(Explorer(webshop).code("ws"), ws=webshop)["ws"] is webshop


def test_options_that_are_usual_are_not_written():
    assert SearchRequest("x").code("ws") == "ws.search('x')"
    assert (
        SearchRequest("x", filters=Filters(kinds=("class",))).code("w")
        == "w.search('x', filters=Filters(kinds=('class',)))"
    )


def test_the_code_button_shows_it(explorer):
    asked(explorer, "money")
    explorer.heading.code_button.click()
    assert "answer" in explorer.heading.shown_code.value
    assert explorer.heading.shown_code in explorer.heading.children
    explorer.heading.code_button.click()
    assert explorer.heading.shown_code not in explorer.heading.children


def test_the_pack_button_shows_context_to_copy(explorer):
    explorer.heading.action_buttons["Pack"].click()
    assert "Ask a question first" in explorer.heading.shown["Pack"].value
    asked(explorer, "money")
    assert explorer.heading.shown["Pack"] not in explorer.heading.children
    explorer.heading.action_buttons["Pack"].click()
    assert "Context for: money" in explorer.heading.shown["Pack"].value
    assert "Copy the pack" in explorer.heading.shown["Pack"].value
    asked(explorer, "sessions")
    assert explorer.heading.shown["Pack"] not in explorer.heading.children


def test_the_tour_button_shows_the_tour_of_the_question(explorer):
    asked(explorer, "how are expired sessions handled?")
    explorer.heading.panel_buttons["tour"].click()
    assert explorer.wait()
    view = explorer.opened("tour").view
    assert view.tour.question == "how are expired sessions handled?"
    assert [step.symbol for step in view.tour] == [
        step.symbol for step in explorer.workspace.context.tour(view.tour.question)
    ]
    view.next_button.click()
    explorer.callers.controls.walk.value = "callees"
    assert explorer.wait()
    assert explorer.opened("tour").view is view  # another walk is no other question
    assert view.step.number == 2
    asked(explorer, "")
    assert explorer.opened("tour") not in explorer.heading.children
    explorer.heading.panel_buttons["tour"].click()
    assert explorer.wait()
    assert explorer.opened("tour").view.tour.question == ""


def test_the_code_makes_the_displayed_tour(explorer):
    asked(explorer, "how are expired sessions handled?")
    explorer.panel.options.tests.value = False
    explorer.heading.code_button.click()
    assert explorer.wait()
    assert "tour = " not in explorer.code("shop")
    explorer.heading.panel_buttons["tour"].click()
    assert explorer.wait()
    assert ".tour(" in re.sub("<[^>]*>", "", explorer.heading.shown_code.value)
    tour = run_code(explorer.code("shop"), shop=explorer.workspace)["tour"]
    assert list(tour) == list(explorer.opened("tour").view.tour)
    assert tour.question == "how are expired sessions handled?"
    asked(explorer, "")
    assert "tour = " not in explorer.code("shop")
    explorer.heading.panel_buttons["tour"].click()
    assert explorer.wait()
    assert explorer.code("shop").endswith("tour = shop.context.tour()")


# --------------------------------------------------------------------------- pins


def test_a_pin_holds_answer_and_walk(explorer):
    explorer.heading.pin_button.click()
    assert "Ask a question first" in explorer.message.value
    asked(explorer, "what calls validate_session?")
    explorer.heading.pin_button.click()
    asked(explorer, "money")
    explorer.heading.pin_button.click()
    first, second = explorer.pins.pinned
    assert "what calls validate_session?" in first
    assert "data:image/svg+xml" in first
    assert "“money”" in second
    for pinned in (first, second):
        assert "<iframe" not in pinned
        assert "<script" not in pinned
        assert len(pinned) < 120_000


def test_a_pin_waits_for_the_walk_of_its_answer(explorer):
    asked(explorer, "what calls validate_session?")
    answered = explorer._answered
    asked(explorer, "money")  # of which nothing is drawn
    with explorer.callers._latest._changed:  # walks can't be delivered before this thread lets them
        explorer._show(answered)
        explorer.heading.pin_button.click()
        assert explorer.pins.pinned == []
    assert explorer.wait(PATIENCE)
    (pinned,) = explorer.pins.pinned
    assert "what calls validate_session?" in pinned
    assert "data:image/svg+xml" in pinned


def test_a_pin_holds_no_walk_of_another_answer(explorer):
    asked(explorer, "what calls validate_session?")
    with explorer.callers._latest._changed:
        explorer.callers.start()
        explorer.heading.pin_button.click()
        explorer._answered = explorer._answered._replace()  # the same question, answered anew meanwhile
    assert explorer.wait(PATIENCE)
    (pinned,) = explorer.pins.pinned
    assert "what calls validate_session?" in pinned
    assert "data:image/svg+xml" not in pinned


def test_what_fails_after_the_work_is_shown():
    failed, go = [], threading.Event()
    latest = LatestTask(lambda _: go.wait(PATIENCE), lambda _: None, failed.append)
    latest.ask(1)
    latest.then(lambda: 1 / 0)
    go.set()
    assert latest.wait(PATIENCE)
    assert [type(error) for error in failed] == [ZeroDivisionError]


# --------------------------------------------------------------------------- on a slow machine


@pytest.fixture
def held():
    """held(part) holds back what a part of an explorer does in the background, until the event it gives is set."""
    gates = []

    def hold(part):
        gate, real = threading.Event(), part._latest._work

        def work(request):
            assert gate.wait(PATIENCE)
            return real(request)

        part._latest._work = work
        gates.append(gate)
        return gate

    yield hold
    for gate in gates:
        gate.set()


def answer_alone(explorer, question):
    """Ask, and wait for the answer but for nothing that follows it."""
    explorer.ask(question)
    assert explorer._latest.wait(PATIENCE)
    assert explorer.result.question == question


def walk_in_sight(explorer):
    """The walk of the answer on display; nothing when the graph in sight is an older one, and dimmed."""
    callers = explorer.callers
    dimmed = ["ce-old" in part._dom_classes for part in (callers.graph, callers.reached)]
    if any(dimmed):
        assert all(dimmed)
        assert callers.graph.value
        return callers.walked, "", (), None
    return callers.walked, callers.graph.value, callers.reached.children, callers.reached.chosen


def test_a_new_answer_never_stands_beside_the_walk_of_another(explorer, held):
    asked(explorer, "what calls validate_session?")
    explorer.callers.reached.list.index = 1
    gate = held(explorer.callers)
    answer_alone(explorer, "what calls luhn_valid?")
    assert walk_in_sight(explorer) == (None, "", (), None)
    assert explorer.selected.name == "luhn_valid"
    assert "walk = " not in explorer.code()
    assert "luhn_valid" in explorer.code()
    gate.set()
    settled(explorer)
    assert explorer.callers.walked.walk.symbol.name == "luhn_valid"
    assert "walk = " in explorer.code()


def test_the_walk_stays_where_only_the_options_of_a_question_change(explorer, held):
    asked(explorer, "what calls validate_session?")
    before = walk_in_sight(explorer)
    gate = held(explorer.callers)
    explorer.panel.options.rrf_k.value = 7
    assert explorer._latest.wait(PATIENCE)
    assert explorer.result.result.rrf_k == 7
    assert walk_in_sight(explorer) == before
    gate.set()
    settled(explorer)
    assert explorer.callers.walked.walk == before[0].walk


SHOP = "def pay():\n    return 1\n\n\ndef buy():\n    return pay()\n"


@pytest.fixture
def shop(tmp_path):
    """An explorer of one file, SHOP, that may be edited."""
    (tmp_path / "shop.py").write_text(SHOP)
    made = Explorer(Workspace(tmp_path, cache=False, workers=0), pause=0.0)
    yield made
    made.close()


def test_a_walk_of_before_a_refresh_does_not_stay(shop, held):
    asked(shop, "what calls pay?")
    assert [symbol.name for symbol in shop.callers.walked.answer] == ["buy"]
    gate = held(shop.callers)
    (shop.workspace.root / "shop.py").write_text(SHOP.replace("buy", "sell"))
    shop.workspace.refresh()
    answer_alone(shop, "what calls pay?")
    assert walk_in_sight(shop) == (None, "", (), None)
    gate.set()
    settled(shop)
    assert [symbol.name for symbol in shop.callers.walked.answer] == ["sell"]


def test_a_refresh_between_an_answer_and_its_display_costs_only_the_walk(shop):
    real = shop._latest._work

    def work(question):
        answered = real(question)
        (shop.workspace.root / "shop.py").write_text("def other():\n    return 2\n")
        shop.workspace.refresh()
        return answered

    shop._latest._work = work
    asked(shop, "what calls pay?")
    assert [hit.name for hit in shop.result][:1] == ["shop.buy"]
    assert 'role="status"' in shop.message.value
    assert 'role="alert"' in shop.callers.message.value


def test_a_new_answer_never_stands_beside_the_comparison_of_another(explorer, held):
    asked(explorer, "how are expired sessions handled?")
    explorer.compare.other.value = "each lane left out"
    settled(explorer)
    view = explorer.compare.view
    before = view.value
    assert (view.layout.visibility, bool(before)) == ("visible", True)
    gate = held(explorer.compare)
    answer_alone(explorer, "money")
    assert view.layout.visibility == "hidden"
    gate.set()
    settled(explorer)
    assert view.layout.visibility == "visible"
    assert view.value != before


def test_what_is_of_before_goes_before_the_answer_changes(explorer):
    asked(explorer, "what calls validate_session?")
    explorer.compare.other.value = "each lane left out"
    settled(explorer)
    beside = []

    def note(_):
        view = explorer.compare.view
        graph = explorer.callers.graph
        beside.append(
            (
                "" if view.layout.visibility == "hidden" else view.value,
                "" if "ce-old" in graph._dom_classes else graph.value,
            )
        )

    explorer.results.observe(note, "value")
    asked(explorer, "what calls luhn_valid?")
    asked(explorer, "")
    assert beside == [("", "")] * 2


def test_choosing_an_answer_that_was_not_kept_drops_the_comparison_under_way(explorer, held):
    asked(explorer, "money")
    gate = held(explorer.compare)
    explorer.compare.other.value = "each lane left out"
    explorer.compare.other.value = "the answer you kept"
    gate.set()
    settled(explorer)
    assert explorer.compare.view.value == ""
    assert "No answer is kept yet" in explorer.compare.message.value


def test_an_answer_kept_in_one_repository_is_not_compared_with_those_in_another(explorer):
    asked(explorer, "money")
    explorer.compare.keep_button.click()
    settled(explorer)
    assert "no hit changes its rank" in explorer.compare.view.value
    load(explorer, sample_repo("ledger"))
    assert explorer.result.question == "money"
    assert explorer.compare.view.value == ""
    assert "No answer is kept yet" in explorer.compare.message.value


def test_the_line_of_state_tells_the_question_of_the_answer(explorer):
    asked(explorer, "money <b>" + "x" * 500)
    assert "hits for “money &lt;b&gt;xxx" in explorer.message.value
    assert "x" * 121 not in explorer.message.value


def test_code_on_display_is_that_of_the_answer_on_display(explorer, held):
    def shown():
        return re.sub(r"<style>.*?</style>|<[^>]+>", "", explorer.heading.shown_code.value, flags=re.DOTALL)

    asked(explorer, "what calls validate_session?")
    explorer.heading.code_button.click()
    assert ("what calls validate_session?" in shown(), "walk = " in shown()) == (True, True)
    gate = held(explorer.callers)
    answer_alone(explorer, "what calls luhn_valid?")
    assert ("validate_session" in shown(), "luhn_valid" in shown(), "walk = " in shown()) == (False, True, False)
    gate.set()
    settled(explorer)
    assert "walk = " in shown()
    explorer.callers.controls.depth.value = 4
    settled(explorer)
    assert "depth=4" in shown()
    asked(explorer, "")
    assert "luhn_valid" not in shown()


# --------------------------------------------------------------------------- opening


def load(explorer, where):
    explorer.load.where.send(str(where))
    assert explorer.wait(PATIENCE)


def test_another_repository_is_opened_and_the_question_asked_of_it(explorer):
    asked(explorer, "money")
    load(explorer, sample_repo("ledger"))
    assert explorer.workspace.name == "ledger"
    assert explorer.result.hits[0].path.endswith(".java")
    assert "ledger" in explorer.heading.title.value
    assert "Java" in dict(explorer.panel.options.language.options)
    assert explorer.load not in explorer.heading.children
    names = run_code(explorer.code())
    assert names["ws"].name == "ledger"


def test_what_can_not_be_opened_leaves_everything_as_it_was(explorer, webshop, tmp_path):
    asked(explorer, "money")
    before = (explorer.result, explorer.results.value, explorer.callers.graph.value)
    for where in (tmp_path / "nowhere", tmp_path, "no_such_package_at_all", "https://"):
        load(explorer, where)
        assert 'role="alert"' in explorer.load.message.value, where
        assert explorer.workspace is webshop
        assert (explorer.result, explorer.results.value, explorer.callers.graph.value) == before
    load(explorer, "")
    assert "name a folder" in explorer.load.message.value


def test_a_load_can_be_cancelled(explorer, webshop, monkeypatch):
    reported = threading.Event()
    report = explorer.load._report

    def pause(stage, done, total):
        report(stage, done, total)
        if stage != "starting":
            reported.set()
            explorer.load._opening.cancel.wait(PATIENCE)

    monkeypatch.setattr(explorer.load, "_report", pause)
    explorer.load.where.send(str(sample_repo("ledger")))
    assert reported.wait(PATIENCE)
    explorer.load._opening.cancel.set()  # what the button does, without the lock that the paused thread holds
    assert explorer.wait(PATIENCE)
    assert "cancelled" in explorer.load.message.value
    assert 'role="status"' in explorer.load.message.value
    assert explorer.workspace is webshop
    assert explorer.load.cancel_button.disabled


def test_a_load_that_is_cancelled_when_all_was_done_opens_nothing(explorer, webshop):
    asked(explorer, "money")
    before = explorer.result

    def work(opening):
        explorer.load.stop()  # after the last look whether it is to stop
        return Workspace(sample_repo("ledger"))

    explorer.load._latest._work = work
    load(explorer, "ledger")
    assert "cancelled" in explorer.load.message.value
    assert 'role="status"' in explorer.load.message.value
    assert (explorer.workspace, explorer.result) == (webshop, before)
    assert explorer.load.cancel_button.disabled


def test_an_explorer_may_start_with_nothing(webshop):
    explorer = Explorer()
    assert "Open a repository" in explorer.message.value
    assert explorer.load in explorer.heading.children
    asked(explorer, "money")
    assert explorer.result is None
    load(explorer, webshop.root)
    assert explorer.result.question == "money"
    explorer.close()


# --------------------------------------------------------------------------- all of it


def test_two_explorers_do_not_meet(webshop):
    first, second = Explorer(webshop, "money", pause=0.0), Explorer(webshop, "session", pause=0.0)
    assert (settled(first).question, settled(second).question) == ("money", "session")
    first.close()
    second.close()


def controls_of(widget):
    for child in getattr(widget, "children", ()):
        yield from controls_of(child)
        if hasattr(child, "description"):
            yield child


def test_every_control_has_a_label(explorer):
    asked(explorer, "what calls validate_session?")
    explorer.heading.open_button.click()
    folded = [*controls_of(explorer)]
    for fold in (explorer.callers.controls.fold, *(step.fold for step in explorer.panel.chain.steps.values())):
        fold.button.value = True
    controls = [*controls_of(explorer)]
    assert len(controls) > len(folded) + 12
    labels = [control.description for control in controls if type(control).__name__ not in ("HTML", "Label", "Message")]
    assert len(labels) > 30
    assert all(labels)


def test_many_threads_change_it_at_once(explorer):
    asked(explorer, "money")

    def turn(number):
        for step in range(5):
            explorer.panel.options.rrf_k.value = 10 + number * 7 + step
            explorer.panel.question.box.value = f"session {number} {step}"
            explorer.callers.controls.depth.value = 1 + step % 3

    threads = [threading.Thread(target=turn, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answer = settled(explorer)
    assert answer.question == explorer.panel.question.question
    assert answer.result.rrf_k == explorer.panel.options.rrf_k.value
    assert explorer.callers.walked.walk.depth == explorer.callers.controls.depth.value
    assert 'role="alert"' not in explorer.message.value + explorer.callers.message.value


# --------------------------------------------------------------------------- newest wins


@pytest.fixture
def shown():
    return []


def test_a_slow_old_answer_never_covers_a_newer_one():
    gate, started, newer, shown = threading.Event(), threading.Event(), threading.Event(), []

    def work(request):
        if request == "old":
            started.set()
            assert gate.wait(PATIENCE)
        return request

    def show(outcome):
        shown.append(outcome)
        newer.set()

    latest = LatestTask(work, show, shown.append)
    latest.ask("old")
    assert started.wait(PATIENCE)
    latest.ask("new")
    assert newer.wait(PATIENCE)
    gate.set()
    assert latest.wait(PATIENCE)
    assert shown == ["new"]


def test_only_the_last_of_many_is_worked_on(shown):
    worked = []
    latest = LatestTask(lambda request: worked.append(request) or request, shown.append, shown.append)
    for number in range(50):
        latest.ask(number, wait=60.0)
    latest.ask("last")
    assert latest.wait(PATIENCE)
    assert worked == shown == ["last"]


def test_what_is_forgotten_is_not_shown(shown):
    latest = LatestTask(lambda request: request, shown.append, shown.append)
    latest.ask("x", wait=60.0)
    latest.forget()
    assert latest.wait(PATIENCE)
    assert shown == []


def test_errors_of_work_and_of_show_are_told():
    failed = []

    def show(outcome):
        raise ValueError(f"can't show {outcome}")

    latest = LatestTask(lambda request: 1 // request, show, failed.append)
    latest.ask(0)
    assert latest.wait(PATIENCE)
    latest.ask(1)
    assert latest.wait(PATIENCE)
    assert [type(error) for error in failed] == [ZeroDivisionError, ValueError]


def test_a_report_of_several_lines_has_a_box_of_its_own(explorer):
    question = explorer.panel.question
    assert question.report.layout.display == "none"
    question.paste.value = True
    question.report.value = 'Checkout fails\n\n  File "/srv/storefront.py", line 1, in checkout\n'
    assert settled(explorer).plan.kind == "report"
    assert explorer.result[0].name.endswith("Storefront.checkout")
    assert question.box.disabled
    assert question.history == []
    assert " in 2 parts" in explorer.panel.lanes.health["bm25"].value
    assert "Checkout fails\\n\\n  File" in explorer.code()
    question.paste.value = False
    asked(explorer, "money")
    assert explorer.result.question == "money"
    explorer.ask("Checkout fails\n\nwith an expired session")
    assert (question.paste.value, question.report.layout.display) == (True, "")
    settled(explorer)


# --------------------------------------------------------------------------- changes


def test_changes_are_compared_viewed_and_written_as_code(tmp_path):
    root = repository(tmp_path / "shop", {"till.py": "def add(coins):\n    return sum(coins)\n", "a.txt": ""})
    workspace = Workspace(root, cache=False, workers=0, progress=lambda *step: None)
    (root / "till.py").write_text("def add(money):\n    return sum(money)\n", "utf-8")
    explorer = Explorer(workspace, pause=0.0)
    panel = explorer.opened("changes")
    explorer.heading.panel_buttons["changes"].click()
    settled(explorer)
    assert panel.given.offered == ("HEAD", "main")
    assert "parameter coins renamed to money" in panel.result.value  # the edit is after the load
    assert explorer.code("ws").endswith("changes = ws.review.changes('HEAD')")
    panel.view.value = "Impact"
    settled(explorer)
    assert panel.answer.headline.startswith("Nothing is affected")
    panel.depth.value = 2
    panel.view.value = "Tests"
    panel.safe.value = True
    settled(explorer)
    assert explorer.code("ws").endswith("changes = ws.review.changes('HEAD').tests(safe=True)")
    panel.given.send("nowhere")
    settled(explorer)
    assert 'role="alert"' in panel.message.value
    assert (panel.answer, panel.result.value) == (None, "")
    panel.patch_button.value = True
    panel.given.send(" \n")
    assert "Paste a patch first." in panel.message.value
    explorer.close()
