"""The explorer says when its answer is older than the files, or than the workspace."""

import shutil
import threading

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.panels import staleness
from codeexplore.notebook.panels.staleness import changes_text
from codeexplore.source.changes import Changes
from tests.background import PATIENCE, until


@pytest.fixture
def repository(tmp_path):
    return shutil.copytree(sample_repo("webshop"), tmp_path / "webshop")


@pytest.fixture
def explorer(repository, monkeypatch):
    monkeypatch.setattr(staleness, "LONGEST_PAUSE", 0.05)
    made = Explorer(Workspace(repository, cache=False), pause=0.0)
    made.freshness._pause = 0.01
    made.ask("how are expired sessions handled?")
    assert made.wait(PATIENCE)
    yield made
    made.close()


def line(explorer):
    return explorer.freshness.message.value if explorer.freshness.children else ""


def counted(part):
    """What a part of an explorer does in the background from now on, one entry each time it is done."""
    done, real = [], part._latest._work

    def work(request):
        made = real(request)
        done.append(made)
        return made

    part._latest._work = work
    return done


def test_nothing_is_said_while_the_answer_is_new(explorer):
    looks = counted(explorer.freshness)
    until(lambda: len(looks) > 3)
    assert line(explorer) == ""
    assert {look.text for look in looks} == {""}


def test_an_edit_is_told_and_taken_in(explorer, repository, unsettled):
    (repository / "fresh_file.py").write_text("def expired_sessions_are_counted():\n    return 1\n")
    until(lambda: line(explorer))
    assert "older than the files: 1 added (fresh_file.py)." in line(explorer)
    assert 'role="status"' in line(explorer)
    before = explorer.result
    explorer.freshness.button.click()
    until(lambda: explorer.result is not None and explorer.result is not before)
    assert explorer.wait(PATIENCE)
    assert "fresh_file.py" in explorer.workspace.files
    looks = counted(explorer.freshness)
    until(lambda: len(looks) > 2)
    assert line(explorer) == ""
    unsettled.set()  # the graph that the answer was found in was outdated
    until(lambda: "refreshed since this answer" in line(explorer))


def test_an_absence_is_not_certain_while_the_graph_is_of_before(explorer, repository, unsettled):
    (repository / "lonely_file.py").write_text("def _lonely():\n    return 1\n")
    explorer.workspace.refresh(graph="background")
    explorer.ask("what calls _lonely?")
    assert explorer.wait(PATIENCE)
    absence = explorer.result.absence
    assert absence is not None
    assert absence.kind == "unknown"
    assert "The call graph is not up to date yet." in explorer.results.value
    unsettled.set()
    explorer.workspace.wait_for_graph()
    explorer.ask("what calls _lonely ?")
    assert explorer.wait(PATIENCE)
    assert explorer.result.absence.kind == "none"
    assert "not up to date" not in explorer.results.value


def test_the_line_stays_until_the_new_answer_is_there(explorer, repository, unsettled):
    (repository / "fresh_file.py").write_text("def added():\n    return 1\n")
    until(lambda: line(explorer))
    asked, gate, real = threading.Event(), threading.Event(), explorer._latest._work

    def work(question):
        asked.set()
        assert gate.wait(PATIENCE)
        return real(question)

    explorer._latest._work = work
    explorer.freshness.button.click()
    assert asked.wait(PATIENCE)
    assert "older than the files" in line(explorer)
    assert explorer.freshness.button.disabled
    gate.set()
    assert explorer.wait(PATIENCE)
    assert line(explorer) == ""
    assert not explorer.freshness.button.disabled


def test_a_refresh_elsewhere_is_told(explorer, repository):
    (repository / "fresh_file.py").write_text("def added():\n    return 1\n")
    explorer.workspace.refresh(graph="background")
    until(lambda: "refreshed since this answer" in line(explorer))


def test_files_that_are_gone_leave_the_answer(explorer, repository):
    repository.rename(repository.with_name("elsewhere"))
    until(lambda: "whether this answer is up to date" in line(explorer))  # a look in between may see half of it go
    assert str(repository) in line(explorer)
    explorer.freshness.button.click()
    until(lambda: "alert" in line(explorer))
    assert explorer.result is not None


def test_hostile_names_are_escaped(explorer, repository):
    (repository / "<img src=x onerror=alert(1)>.py").write_text("x = 1\n")
    until(lambda: line(explorer))
    assert "<img" not in line(explorer)
    assert "&lt;img" in line(explorer)


def test_changes_in_words():
    assert changes_text(Changes()) == ""
    many = Changes(added=("n.py",), changed=("a.py", "b.py", "c.py"), removed=())
    assert (
        changes_text(many) == "This answer is older than the files: 3 changed, 1 added (a.py, b.py, c.py and 1 more)."
    )
