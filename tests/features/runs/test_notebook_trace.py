"""%%trace in a real IPython shell: the cell runs as it would without it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shells import refused, run

PROGRAM = "def outer(n):\n    return inner(n) + 1\n\ndef inner(n):\n    return 10 // n\n"


@pytest.fixture
def traced_shell(shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from codeexplore import Workspace

    (tmp_path / "counted.py").write_text(PROGRAM, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    run(shell, "%load_ext codeexplore")
    shell.user_ns["ws"] = Workspace(tmp_path, cache=False, workers=0)
    yield shell
    sys.modules.pop("counted", None)


def calls(shell: Any) -> dict[tuple[str, str], int]:
    found = shell.user_ns["_answer"]
    return {(each.source.partition(":")[2], each.target.partition(":")[2]): each.calls for each in found.calls}


def test_a_cell_keeps_its_result_its_variables_and_its_errors(traced_shell: Any, capsys: Any) -> None:
    shell = traced_shell
    run(shell, "%%trace\nimport counted\nkept = counted.outer(5)\nkept * 2")
    assert shell.user_ns["kept"] == 3
    assert "6" in capsys.readouterr().out
    assert calls(shell) == {("counted.outer", "counted.inner"): 1}
    run(shell, "%%trace half\ncounted.outer(2);")
    said = capsys.readouterr().out
    assert "2 calls of 2 functions" in said
    assert "\n6\n" not in said, "a semicolon hides the result"
    assert shell.user_ns["_answer"].title == "half"
    failed = shell.run_cell("%%trace\ncounted.outer(0)")
    assert isinstance(failed.error_in_exec, ZeroDivisionError)
    said = capsys.readouterr()
    assert "The run ended with ZeroDivisionError." in said.out
    assert calls(shell) == {("counted.outer", "counted.inner"): 1}
    assert sys.getprofile() is None


def test_a_cell_that_traces_itself_is_refused_and_the_outer_trace_goes_on(traced_shell: Any, capsys: Any) -> None:
    shell = traced_shell
    run(shell, "import counted")
    cell = "%%trace\nfrom codeexplore import TraceError\ntry:\n    with ws.runs.trace():\n        pass\n"
    run(shell, cell + "except TraceError as error:\n    print(error)\ncounted.inner(1)")
    assert "a trace runs in this process already" in capsys.readouterr().out
    assert shell.user_ns["_answer"].trace.n_calls == 1
    run(shell, "%%trace\nprint(get_ipython().run_cell('%%trace\\n1').error_in_exec)")
    assert "a trace runs in this process already" in capsys.readouterr().out


def test_options_and_refusals(traced_shell: Any, capsys: Any) -> None:
    shell = traced_shell
    run(shell, "%%trace --times --attach --to first\nimport counted\ncounted.outer(5)")
    first = shell.user_ns["first"]
    assert first.trace.times
    capsys.readouterr()
    assert "1 call in run 'cell'" in repr(run(shell, "ws.callers('counted.inner')"))
    assert "runs no cell with await" in refused(shell, capsys, "%%trace\nimport asyncio\nawait asyncio.sleep(0)")
    assert "counts=False records no times" in refused(shell, capsys, "%%trace --times --edges\n1")
    failed = shell.run_cell("%%trace\n1 +")
    assert isinstance(failed.error_in_exec or failed.error_before_exec, SyntaxError)


def test_a_module_that_is_reloaded_while_it_is_traced_stays_one(traced_shell: Any) -> None:
    run(
        traced_shell,
        "%%trace\nimport counted, importlib\ncounted.outer(5)\nimportlib.reload(counted)\ncounted.outer(5)",
    )
    assert calls(traced_shell) == {("counted.outer", "counted.inner"): 2}
