"""What leaves the public interface: the errors of the package alone, whatever is given. 20 examples of each surface."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from codeexplore import Workspace
from codeexplore.cli import main

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import public_errors


@pytest.fixture(autouse=True)
def no_shell_left() -> Iterator[None]:
    yield
    InteractiveShell.clear_instance()


def test_only_documented_errors_leave_the_public_interface() -> None:
    wrong: dict[str, Counter[str]] = {}
    seen = []
    with public_errors.shop() as (ws, folder):
        for name, strategy, check in public_errors.checks(ws, folder):
            seen.append(name)
            if said := public_errors.drawn(20, strategy, check, 1):
                wrong[name] = said
    assert not wrong
    assert {"search", "review.changes", "context.pack", "tool ask", "command ask", "magic ask"} < set(seen)


@pytest.mark.parametrize("name", ["~no-such-user/x", "a" * 5_000, "b" * 300 + "/c", "x\0y", "\ud800"])
def test_a_name_that_no_file_can_have_is_refused_in_words(name: str) -> None:
    with public_errors.shop() as (ws, _):
        calls = [
            Workspace, Workspace.open, ws.save, ws.lab.evaluate, ws.lab.course, ws.runs.open, ws.review.compare,
            ws.review.changes,
        ]  # fmt: skip
        for call in calls:
            assert not public_errors.unexpected(lambda call=call: call(Path(name)))
        for command in ("status", "changes", "tests", "map", "compare", "eval", "agreement"):
            assert not public_errors.unexpected(lambda command=command: main([command, name]), SystemExit)
            assert not public_errors.unexpected(lambda command=command: main([command, name, name]), SystemExit)


def test_an_error_of_another_kind_is_told() -> None:
    def broken() -> None:
        raise KeyError("x")

    assert public_errors.unexpected(broken) == "KeyError: \"'x'\" at ?"
    assert not public_errors.unexpected(broken, KeyError)
