"""One pass over many rows by two threads: whoever is free takes the next stretch."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Final

from codeexplore.lanes.crew import Crew

FEW: Final = 16_000
"""Rows that one thread is done with before another would have begun."""

_ENDS: Final = (0.5, 0.75, 1.0)
"""Where stretches end, as shares of the rows. Whoever asks takes the first, so that a helper who comes late, or never,
costs little: it finds less to do, or nothing."""

_CREW: Final = Crew()


def in_two(work: Callable[[int, int], object], n: int) -> None:
    """Call `work(begin, end)` for stretches that make up ``range(n)``, in this thread and, for many rows, in another.

    That pays for work which lets go of the interpreter's lock. What `work` raises is raised here.
    """
    if n < FEW or (os.cpu_count() or 1) < 2:
        work(0, n)
        return
    ends = [int(share * n) for share in _ENDS]
    stretches = iter(list(zip([0, *ends], ends, strict=False)))  # a list's iterator gives each thread another item
    helping, failed = threading.Lock(), list[BaseException]()

    def take() -> None:
        for begin, end in stretches:
            work(begin, end)

    def help_along() -> None:
        with helping:
            try:
                take()
            except BaseException as error:  # noqa: BLE001 — raised by whoever asked
                failed.append(error)

    _CREW.run(help_along)
    take()
    with helping:  # the helper's last stretch
        if failed:
            raise failed[0]
