"""The explorer says when its answer is older than the files, or than the workspace."""

import shutil

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.session import changes_text
from codeexplore.source.changes import Changes
from tests.background import until
from tests.core.test_notebook_explorer import Page

QUESTION = "how are expired sessions handled?"


@pytest.fixture
def root(tmp_path):
    return shutil.copytree(sample_repo("webshop"), tmp_path / "webshop")


@pytest.fixture
def page(root):
    made = Page(Explorer(Workspace(root, cache=False), QUESTION))
    yield made
    made.explorer.close()


def test_nothing_is_said_while_the_answer_is_new(page):
    assert page.ask("fresh")["text"] == ""


def test_an_edit_is_told_and_taken_in(page, root, unsettled):
    (root / "fresh_file.py").write_text("def expired_sessions_are_counted():\n    return 1\n")
    said = page.ask("fresh")
    assert "older than the files: 1 added (fresh_file.py)." in said["text"]
    assert said["step"] == "Bring up to date"
    page.ask("refresh")
    page.ask("search", question=QUESTION)
    assert "fresh_file.py" in page.explorer.workspace.files
    assert page.ask("fresh")["text"] == ""
    unsettled.set()  # the graph that the answer was found in was outdated
    until(lambda: "refreshed since this answer" in page.ask("fresh")["text"])


def test_an_absence_is_not_certain_while_the_graph_is_of_before(page, root, unsettled):
    (root / "lonely_file.py").write_text("def _lonely():\n    return 1\n")
    page.explorer.workspace.refresh(graph="background")
    found = page.ask("search", question="what calls _lonely?")
    assert found["verdict"]["kind"] == "unknown"
    assert "The call graph is not up to date yet." in found["verdict"]["text"]
    unsettled.set()
    page.explorer.workspace.wait_for_graph()
    assert page.ask("search", question="what calls _lonely?")["verdict"]["kind"] == "none"


def test_a_refresh_elsewhere_is_told(page, root):
    (root / "fresh_file.py").write_text("def added():\n    return 1\n")
    page.explorer.workspace.refresh(graph="background")
    assert "refreshed since this answer" in page.ask("fresh")["text"]


def test_files_that_are_gone_leave_the_answer(page, root):
    root.rename(root.with_name("elsewhere"))
    said = page.ask("fresh")
    assert "whether this answer is up to date" in said["text"]
    assert str(root) in said["text"]
    assert not page.told("refresh")["ok"]
    assert page.explorer.result is not None


def test_changes_in_words():
    assert changes_text(Changes()) == ""
    many = Changes(added=("n.py",), changed=("a.py", "b.py", "c.py"), removed=())
    assert (
        changes_text(many) == "This answer is older than the files: 3 changed, 1 added (a.py, b.py, c.py and 1 more)."
    )
