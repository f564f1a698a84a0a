"""Progress of a load, and its cancellation."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from codeexplore import memory
from codeexplore.types import StageTime
from codeexplore.types.errors import LoadCancelled
from codeexplore.types.visible import visible

ProgressHook = Callable[[str, int, int], None]
"""Called with (stage, done, total), from the thread that loads."""

BAR_DELAY = 0.6
"""Seconds before a bar appears in a notebook: short loads show none."""

_PAUSE = 0.1  # seconds between two changes of the line in a terminal, where it appears at once

_STAGES = {
    "discover": "listing files",
    "open": "opening the index",
    "compare": "looking for edits",
    "parse": "reading files",
    "facts": "reading files again",
    "catalog": "listing symbols",
    "words": "counting words",
    "bm25": "indexing words",
    "embeddings": "indexing meanings",
    "graph": "building the call graph",
    "save": "storing the index",
    "history": "reading the history",
}
"""Stages in words that say more than their names."""


class Progress:
    """Timer and reporter of the stages of a load. It raises `LoadCancelled` if the load is cancelled.

    `cancel` is the event that stops the work; None if nothing can.
    """

    def __init__(self, hook: ProgressHook | None = None, cancel: threading.Event | None = None) -> None:
        self._hook = hook
        self.cancel = cancel
        self.stages: list[StageTime] = []

    @contextmanager
    def stage(self, name: str, total: int = 1) -> Iterator[Callable[[int], None]]:
        """Time one stage. Yields a function that reports how many of `total` steps are done."""

        def report(done: int) -> None:
            self.check()
            if self._hook is not None:
                self._hook(name, done, total)

        started = time.perf_counter()
        report(0)
        yield report
        report(total)
        self.stages.append(StageTime(name, time.perf_counter() - started))

    def check(self) -> None:
        """Raise LoadCancelled if the load was cancelled, and NotEnoughMemory before a limit ends the process."""
        memory.check()
        if self.cancel is not None and self.cancel.is_set():
            raise LoadCancelled("the load was cancelled; the previous index is unchanged")


class Line:
    """Progress of one stage in a terminal: a line of standard error, which the next one overwrites."""

    shown = 0  # characters on the screen

    def __init__(self, *, total: int, desc: str, **_: object) -> None:
        self.n = 0
        self._total, self._title, self._next = total, desc, 0.0

    def update(self, done: int) -> None:
        self.n += done
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            self.tell(self._title + (f" {100 * self.n // self._total} %" if self._total > 1 else " …"))

    @classmethod
    def tell(cls, text: str) -> None:
        """Show a text in the place of the line; "" clears it. Do nothing if standard error is no terminal."""
        if sys.stderr is not None and sys.stderr.isatty() and (text or cls.shown):
            text = text[: shutil.get_terminal_size().columns - 1]
            sys.stderr.write(f"\r{text.ljust(cls.shown)}" + ("" if text else "\r"))
            sys.stderr.flush()
            cls.shown = len(text)

    def close(self) -> None:
        """Leave the line to the next stage, which comes at once."""


notebook_bar: Callable[..., Any] | None = None
"""Class that draws bars in a notebook, set by `codeexplore.notebook`."""


class Bar:
    """A progress bar for each slow stage. It is shown in notebooks and terminals, but not if the output is piped."""

    def __init__(self, title: str) -> None:
        self._title = visible(title)  # a folder's name, shown in a terminal
        self._stage = ""
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of `stage` are done; in a notebook after `BAR_DELAY` seconds."""
        if done == 0 or stage != self._stage:
            self._close()
            self._stage = stage
            drawn = notebook_bar if notebook_bar is not None and "ipykernel" in sys.modules else Line
            name = f"{self._title}: {_STAGES.get(stage, stage)}"
            self._bar = drawn(total=total, desc=name, delay=BAR_DELAY)
            self._bar.update(done)
        elif self._bar is not None:
            self._bar.update(done - self._bar.n)

    def waiting(self, stage: str) -> None:
        """Show that `stage`, whose length is not known, goes on."""
        if stage != self._stage:
            self(stage, 0, 1)
        else:
            self._bar.update(0)

    def __exit__(self, *error: object) -> None:
        self._close()
        Line.tell("")

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
