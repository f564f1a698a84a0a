"""A pass over rows by two threads covers each row once, and tells what goes wrong in either."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from codeexplore.search.lanes import rows
from codeexplore.search.lanes.embedding import _products
from codeexplore.search.lanes.rows import FEW, Task, in_two


class Never:
    """A crew whose threads have other things to do."""

    def run(self, task: Task) -> None:
        pass


class Late:
    """A crew that comes when all is done."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(self, task: Task) -> None:
        self.tasks.append(task)


@pytest.mark.parametrize("n", [0, 1, FEW - 1, FEW, FEW + 1, 3 * FEW + 7])
def test_every_row_is_worked_on_once(n: int) -> None:
    times = np.zeros(n, np.int64)

    def work(begin: int, end: int) -> None:
        times[begin:end] += 1

    in_two(work, n)
    assert (times == 1).all()


def test_two_threads_work_at_once() -> None:
    met = threading.Barrier(2, timeout=30.0)
    in_two(lambda begin, end: met.wait() if begin in (0, FEW // 2) else None, FEW)


@pytest.mark.parametrize("crew", [Never(), Late()])
def test_nobody_waits_for_a_helper_who_does_not_come(crew: Never | Late, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "THREADS", crew)
    done: list[tuple[int, int]] = []
    in_two(lambda begin, end: done.append((begin, end)), FEW)
    for task in getattr(crew, "tasks", ()):
        task()
    assert done == [(0, FEW // 2), (FEW // 2, 3 * FEW // 4), (3 * FEW // 4, FEW)]


def fails_in(begins: Callable[[int], bool]) -> Callable[[int, int], None]:
    helped = threading.Event()

    def work(begin: int, end: int) -> None:
        if begin == 0:
            assert helped.wait(30.0)
        else:
            helped.set()
        if begins(begin):
            raise MemoryError(f"no room for {begin}")

    return work


def test_what_goes_wrong_in_either_thread_is_raised() -> None:
    with pytest.raises(MemoryError, match=r"no room for (8000|12000)"):
        in_two(fails_in(lambda begin: begin > 0), FEW)
    with pytest.raises(MemoryError, match="no room for 0"):
        in_two(fails_in(lambda begin: begin == 0), FEW)


def test_products_are_those_of_one_thread() -> None:
    chance = np.random.default_rng(3)
    base, question = chance.standard_normal((FEW + 5, 8), np.float32), chance.standard_normal(8, np.float32)
    assert (_products(base, question) == np.vecdot(base, question)).all()
