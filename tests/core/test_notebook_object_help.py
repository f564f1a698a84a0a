"""Help on a live object: ``obj?`` and Shift+Tab tell its callers and its place, and run nothing of it."""

import sys

import pytest

from codeexplore import Workspace

SOURCE = """\
def used(value):
    '''Return it.'''
    return value


def first():
    return used(1)


def second():
    return used(2) + first()


class Loud:
    def __getattr__(self, name):
        raise SystemExit(name)
"""
TEST = "from helped import used\n\n\ndef test_used():\n    assert used(1)\n"


@pytest.fixture
def helped(shell, tmp_path, monkeypatch):
    """A shell with a workspace whose module is imported by the user, not by us."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "helped.py").write_text(SOURCE)
    (folder / "test_helped.py").write_text(TEST)
    shell.run_line_magic("load_ext", "codeexplore")
    shell.push({"ws": Workspace(folder, cache=False, workers=0, progress=lambda *_: None)})
    assert "helped" not in sys.modules
    monkeypatch.syspath_prepend(str(folder))
    shell.run_cell("import helped\nfrom helped import used, Loud\nloud = Loud()")
    yield shell
    sys.modules.pop("helped", None)


def shown(shell, name, **given):
    return shell.object_inspect_mime(name, **given)["text/plain"]


def test_help_tells_callers_tests_and_place(helped, capsys):
    assert "2 callers, 1 test · helped.py:1" in shown(helped, "used")
    assert "Return it." in shown(helped, "used")
    helped.run_cell("used?")
    assert "2 callers, 1 test · helped.py:1" in capsys.readouterr().out
    helped.run_cell("used??")
    assert "2 callers, 1 test · helped.py:1" in capsys.readouterr().out
    assert "helped.py:1" in shown(helped, "helped")
    assert "no caller" in shown(helped, "helped.second").lower()


def test_help_on_other_objects_is_ipythons_own(helped):
    helped.push({"text": "used", "number": 1})
    for name in ("text", "number", "len", "Loud.mro"):
        assert "helped.py" not in shown(helped, name)


def test_help_runs_nothing_of_the_repository(helped):
    line = helped.inspector.info.__closure__  # ours alone: IPython itself reads attributes
    assert line is not None
    (help_of,) = (cell.cell_contents for cell in line if type(cell.cell_contents).__name__ == "ObjectHelp")
    assert help_of._line(helped.user_ns["loud"]) == ""


def test_an_option_and_unloading_turn_it_off(helped):
    helped.run_line_magic("config", "CodeExplore.help = False")
    assert "callers" not in shown(helped, "used")
    helped.run_line_magic("config", "CodeExplore.help = True")
    helped.colors = "linux" if helped.colors != "linux" else "neutral"  # makes a new inspector
    assert shown(helped, "used").count("2 callers") == 1
    helped.run_line_magic("unload_ext", "codeexplore")
    assert "callers" not in shown(helped, "used")
    assert "info" not in vars(helped.inspector)


def test_an_error_is_told_and_the_help_stays(helped, monkeypatch):
    monkeypatch.setattr(Workspace, "callers", lambda *_: 1 / 0)
    said = shown(helped, "used")
    assert "Return it." in said
    assert "codeexplore can't tell its callers: ZeroDivisionError" in said


def test_help_does_not_wait_for_the_graph(helped, monkeypatch):
    monkeypatch.setattr(Workspace, "graph_state", "building")
    assert "helped.py:1, callers not known yet" in shown(helped, "used")
