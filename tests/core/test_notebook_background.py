"""Background work of the panels: the newest request wins, and errors are told."""

import threading

import pytest

from codeexplore.notebook.controls import LatestTask
from tests.background import PATIENCE


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
