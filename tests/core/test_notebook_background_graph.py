"""Explorer and magics while a graph is still being made, and where none could be."""

import shutil

import pytest
from IPython.core.error import UsageError

from codeexplore import Workspace, sample_repo
from codeexplore.notebook.explorer import Explorer
from codeexplore.workspace.workers import resolver_process
from tests.background import PATIENCE, until

QUESTION = "what calls validate_session?"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(sample_repo("webshop"), tmp_path / "webshop")


@pytest.fixture
def explorer():
    made = Explorer(pause=0.0)
    yield made
    made.close()


def line(explorer):
    return explorer.freshness.message.value if explorer.freshness.children else ""


def loaded(explorer, repository):
    explorer.load.where.send(str(repository))
    assert explorer.load.wait(PATIENCE)
    explorer.ask(QUESTION)
    assert explorer.wait(PATIENCE)
    return explorer


def test_an_answer_without_the_graph_is_renewed_with_it(explorer, repository, going):
    loaded(explorer, repository)
    assert explorer.workspace.graph_state == "building"
    assert "made without the graph lane: the graph is still being built" in explorer.results.value
    assert "no caller" not in explorer.results.value
    assert explorer.callers.wait(PATIENCE)
    assert explorer.callers.graph.value.count("by name, the graph is being built") == 1
    assert "by name" not in explorer.callers.message.value
    first = explorer.callers.walked
    assert first is not None
    assert first.answer.absence.mentions
    explorer.callers.controls.walk.value = "impact"  # it can't be told from a part of the repository
    assert "it is shown here when it is ready" in explorer.callers.message.value
    assert explorer.callers.walked is None
    explorer.callers.controls.walk.value = "callers"
    assert explorer.callers.wait(PATIENCE)
    until(lambda: "are updated when the graph is ready" in line(explorer))
    assert explorer.freshness.line not in explorer.freshness.children  # there is nothing to press
    before = explorer.result
    going.set()
    until(lambda: explorer.result is not before)
    assert explorer.wait(PATIENCE)
    assert "still being built" not in explorer.results.value
    assert explorer.callers.walked is not None
    assert explorer.callers.wait(PATIENCE)
    assert explorer.callers.walked.answer.symbols
    assert not explorer.callers.walked.answer.estimate
    assert "being built" not in explorer.callers.graph.value + explorer.callers.message.value
    until(lambda: line(explorer) == "")


def test_a_graph_that_could_not_be_made_can_be_tried_again(explorer, repository, monkeypatch):
    def fail(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(resolver_process, "resolved", fail)
        explorer._loaded(Workspace(repository, workers=0, cache=False), str(repository))
        explorer.ask(QUESTION)
        assert explorer.wait(PATIENCE)
        assert "references were not resolved" in explorer.results.value
        assert 'role="alert"' in explorer.callers.message.value
        until(lambda: "References were not resolved" in line(explorer))
        assert explorer.freshness.button.description == "Try again"
    before = explorer.result
    explorer.freshness.button.click()
    until(lambda: explorer.result is not before and explorer.workspace.graph_state == "ready")
    until(lambda: explorer.callers.walked is not None)
    until(lambda: line(explorer) == "")


def test_a_magic_opens_at_once_and_questions_about_the_graph_wait(shell, repository, going):
    shell.run_line_magic("load_ext", "codeexplore")
    shell.run_line_magic("explore", str(repository))
    ws = shell.user_ns["ws"]
    assert ws.graph_state == "building"
    assert any("still being built" in said for said in shell.run_line_magic("ask", QUESTION).notices)
    assert "still being built" in repr(shell.run_line_magic("workspace", "status"))
    assert "by name, the graph is being built" in repr(shell.run_line_magic("callers", "validate_session"))
    going.set()
    assert "validate_session" in repr(shell.run_line_magic("impact", "validate_session"))
    assert ws.graph_state == "ready"
    assert "by name" not in repr(shell.run_line_magic("callers", "validate_session"))


def test_magics_say_why_there_is_no_graph(shell, repository, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(resolver_process, "resolved", fail)
    shell.run_line_magic("load_ext", "codeexplore")
    shell.push({"ws": Workspace(repository, workers=0, cache=False)})
    asked = {"callers": "validate_session", "why": "Storefront.checkout luhn_valid", "survey": "dead_code"}
    for magic, given in asked.items():
        with pytest.raises(UsageError, match="references were not resolved"):
            shell.run_line_magic(magic, given)


def test_closing_a_workspace_frees_it_while_its_graph_is_made(shell, repository, going):
    shell.run_line_magic("load_ext", "codeexplore")
    shell.run_line_magic("explore", str(repository))
    shell.run_cell("1")  # closing looks at the last cell's result
    ending = shell.user_ns["ws"]._holder.resolution
    with pytest.raises(UsageError, match="no workspace yet"):
        shell.run_line_magic("workspace", "close ws")
    assert ending.wait(PATIENCE)
