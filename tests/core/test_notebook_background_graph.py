"""Explorer and magics while a graph is still being made, and where none could be."""

import shutil

import pytest
from IPython.core.error import UsageError

from codeexplore import Workspace, sample_repo
from codeexplore.notebook.explorer import Explorer
from codeexplore.workspace.workers import resolver_process
from tests.background import PATIENCE, until
from tests.core.test_notebook_explorer import Page

QUESTION = "what calls validate_session?"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(sample_repo("webshop"), tmp_path / "webshop")


def test_an_answer_without_the_graph_is_renewed_with_it(repository, going):
    page = Page(Explorer())
    page.ask("open", where=str(repository))
    found = page.ask("search", question=QUESTION)
    assert page.explorer.workspace.graph_state == "building"
    assert any("made without the graph lane: the graph is still being built" in said for said in found["notices"])
    drawn = page.ask("graph", symbol=found["start"])
    assert "the graph is still being built" in drawn["said"]
    assert [box["id"] for box in drawn["boxes"]] == [found["start"]]
    said = page.ask("fresh")
    assert "are updated when the graph is ready" in said["text"]
    assert said["step"] == ""  # there is nothing to press
    going.set()
    page.explorer.workspace.wait_for_graph()
    assert page.ask("fresh")["again"]
    found = page.ask("search", question=QUESTION)
    assert not any("being built" in said for said in found["notices"])
    assert "being built" not in page.ask("graph", symbol=found["start"])["said"]
    assert page.explorer.walked.graph.symbols
    assert page.ask("fresh")["text"] == ""


def test_a_graph_that_could_not_be_made_can_be_tried_again(repository, monkeypatch):
    def fail(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(resolver_process, "resolved", fail)
        page = Page(Explorer(Workspace(repository, workers=0, cache=False)))
        found = page.ask("search", question=QUESTION)
        assert any("references were not resolved" in said for said in found["notices"])
        said = page.ask("fresh")
        assert "References were not resolved" in said["text"]
        assert said["step"] == "Try again"
    page.ask("refresh")
    until(lambda: page.explorer.workspace.graph_state == "ready")
    page.ask("search", question=QUESTION)
    assert page.ask("fresh")["text"] == ""


def test_a_magic_opens_at_once_and_questions_about_the_graph_wait(shell, repository, going):
    shell.run_line_magic("load_ext", "codeexplore")
    shell.run_line_magic("explore", str(repository))
    ws = shell.user_ns["ws"]
    assert ws.graph_state == "building"
    assert any("still being built" in said for said in shell.run_line_magic("ask", QUESTION).notices)
    assert "still being built" in repr(shell.run_line_magic("workspace", "status"))
    going.set()
    assert "validate_session" in repr(shell.run_line_magic("impact", "validate_session"))
    assert ws.graph_state == "ready"
    assert "requires_session" in repr(shell.run_line_magic("callers", "validate_session"))


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
