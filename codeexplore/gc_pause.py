"""Run a function with garbage collection switched off."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def gc_paused(work: Callable[[], _T]) -> _T:
    """Return the result of `work()`, called with the garbage collector switched off.

    A load creates millions of records and few reference cycles, so a garbage collection would only take time. This is
    not a context manager, because an interrupt between the entry and the block of a context manager would leave the
    collector off for the rest of the process.
    """
    collecting = gc.isenabled()
    try:
        gc.disable()
        return work()
    finally:
        if collecting:
            gc.enable()
