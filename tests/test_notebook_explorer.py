"""The explorer through its traits: what a browser would send, and what it would show."""

import threading

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.latest import Latest


@pytest.fixture(scope="module")
def workspace():
    return Workspace(sample_repo("webshop"), workers=0, progress=lambda *_: None)


@pytest.fixture
def explorer(workspace):
    made = Explorer(workspace, pause=0.0)
    yield made
    made.close()


def asked(explorer, question):
    explorer.ask(question)
    assert explorer.settle()
    return explorer


def test_an_answer_shows_its_arithmetic(explorer):
    asked(explorer, "how are expired sessions handled?")
    assert explorer.result.question == "how are expired sessions handled?"
    assert "1/(60+" in explorer.results.value
    assert f"{len(explorer.result)} hits" in explorer.message.value
    assert 'role="status"' in explorer.message.value


def test_typing_asks_and_emptying_clears(explorer):
    explorer.panel.question.value = "money"
    assert explorer.settle()
    assert explorer.result.question == "money"
    explorer.panel.question.value = "  "
    assert explorer.settle()
    assert explorer.result is None
    assert explorer.results.value == ""


def test_enter_asks_at_once(workspace):
    explorer = Explorer(workspace, pause=60.0)
    explorer.panel.question.value = "money"
    assert explorer.result is None
    explorer.panel.question._handle_custom_msg({"event": "submit"}, [])
    assert explorer.settle()
    assert explorer.result.question == "money"
    explorer.close()


def test_lanes_can_be_toggled(explorer):
    asked(explorer, "who calls validate_session?")
    explorer.panel.lanes["graph"].value = False
    assert explorer.settle()
    assert "graph" not in [ranking.lane for ranking in explorer.result.rankings if ranking.hits]
    explorer.panel.lanes["graph"].value = True
    assert explorer.settle()
    assert "graph" in [ranking.lane for ranking in explorer.result.rankings if ranking.hits]


def test_numbers_are_obeyed(explorer):
    explorer.panel.top_k.value = 4
    explorer.panel.rrf_k.value = 10
    explorer.panel.one_per_file.value = True
    asked(explorer, "money")
    assert len(explorer.result) == 4
    assert explorer.result.result.rrf_k == 10
    assert len({hit.path for hit in explorer.result}) == 4


def test_an_error_takes_the_old_answer_away(explorer):
    asked(explorer, "money")
    for box in explorer.panel.lanes.values():
        box.value = False
    assert explorer.settle()
    assert 'role="alert"' in explorer.message.value
    assert "no lane is on" in explorer.message.value
    assert (explorer.result, explorer.results.value, explorer.callers.symbol.options) == (None, "", ())


def test_an_unexpected_error_is_shown_with_its_type(explorer, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("<b>index is stale</b>")

    monkeypatch.setattr(explorer.workspace, "search", fail, raising=False)
    asked(explorer, "money")
    assert "ZeroDivisionError: &lt;b&gt;index is stale&lt;/b&gt;" in explorer.message.value


def test_callers_of_a_hit_are_drawn(explorer):
    asked(explorer, "validate_session")
    assert explorer.selected.name == "validate_session"
    explorer.callers.draw.click()
    assert explorer.settle()
    assert "webshop.sessions.SessionManager.validate_session</b>" in explorer.callers.graph.value
    assert "<iframe" in explorer.callers.graph.value
    explorer.callers.relation.value = "callees"  # drawn once, it follows
    assert explorer.settle()
    assert "called by" in explorer.callers.graph.value


def test_drawing_before_asking_says_so(explorer):
    explorer.callers.start()
    assert "Ask a question first" in explorer.callers.message.value
    assert explorer.callers.draw.disabled


def test_a_failed_drawing_is_told(explorer, monkeypatch):
    asked(explorer, "validate_session")
    monkeypatch.setattr(explorer.workspace, "callers", lambda *_, **__: 1 / 0, raising=False)
    explorer.callers.draw.click()
    assert explorer.settle()
    assert 'role="alert"' in explorer.callers.message.value
    assert explorer.callers.graph.value == ""


def test_the_chosen_symbol_stays_chosen(explorer):
    asked(explorer, "validate_session")
    second = explorer.callers.symbol.options[1][1]
    explorer.callers.symbol.value = second
    explorer.panel.top_k.value = 20
    assert explorer.settle()
    assert explorer.selected.id == second


def test_two_explorers_do_not_meet(workspace):
    first, second = Explorer(workspace, "money", pause=0.0), Explorer(workspace, "session", pause=0.0)
    assert first.settle()
    assert second.settle()
    assert (first.result.question, second.result.question) == ("money", "session")
    first.close()
    second.close()


def test_every_control_has_a_label(explorer):
    panel, callers = explorer.panel, explorer.callers
    controls = [panel.question, *panel.lanes.values(), panel.one_per_file, panel.top_k, panel.rrf_k]
    controls += [callers.symbol, callers.relation, callers.depth, callers.draw]
    assert all(control.description for control in controls)


# --------------------------------------------------------------------------- newest wins


@pytest.fixture
def shown():
    return []


def test_a_slow_old_answer_never_covers_a_newer_one(shown):
    gate, started = threading.Event(), threading.Event()

    def work(request):
        if request == "old":
            started.set()
            assert gate.wait(20)
        return request

    latest = Latest(work, shown.append, shown.append)
    latest.ask("old")
    assert started.wait(20)
    latest.ask("new")
    while not shown:
        pass
    gate.set()
    assert latest.settle()
    assert shown == ["new"]


def test_only_the_last_of_many_is_worked_on(shown):
    worked = []
    latest = Latest(lambda request: worked.append(request) or request, shown.append, shown.append)
    for number in range(50):
        latest.ask(number, wait=60.0)
    latest.ask("last")
    assert latest.settle()
    assert worked == shown == ["last"]


def test_what_is_forgotten_is_not_shown(shown):
    latest = Latest(lambda request: request, shown.append, shown.append)
    latest.ask("x", wait=60.0)
    latest.forget()
    assert latest.settle()
    assert shown == []


def test_errors_of_work_and_of_show_are_told():
    failed = []

    def show(outcome):
        raise ValueError(f"can't show {outcome}")

    latest = Latest(lambda request: 1 // request, show, failed.append)
    latest.ask(0)
    assert latest.settle()
    latest.ask(1)
    assert latest.settle()
    assert [type(error) for error in failed] == [ZeroDivisionError, ValueError]
