"""Progress of a load, and its cancellation."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from codeexplore.types import StageTime
from codeexplore.types.errors import LoadCancelled
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from types import TracebackType

ProgressHook = Callable[[str, int, int], None]
"""Called with (stage, done, total), from the thread that loads."""

BAR_DELAY = 0.6
"""Seconds before a bar appears: short loads show none."""


class Progress:
    """Timer and reporter of the stages of a load. It raises `LoadCancelled` if the load is cancelled."""

    def __init__(self, hook: ProgressHook | None = None, cancel: threading.Event | None = None) -> None:
        self._hook = hook
        self._cancel = cancel
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

    @property
    def cancel(self) -> threading.Event | None:
        """The event that stops the work; None if nothing can."""
        return self._cancel

    def check(self) -> None:
        """Raise LoadCancelled if the load was cancelled."""
        if self._cancel is not None and self._cancel.is_set():
            raise LoadCancelled("the load was cancelled; the previous index is unchanged")


notebook_bar: Callable[..., Any] | None = None
"""Class that draws bars in a notebook, set by `codeexplore.notebook`: tqdm's leave their text in saved notebooks."""


class Bar:
    """A progress bar for each slow stage. It is shown in notebooks and terminals, but not if the output is piped."""

    def __init__(self, title: str) -> None:
        self._title = visible(title)  # a folder's name, shown in a terminal
        self._stage = ""
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of `stage` are done, if the stage takes longer than `BAR_DELAY` seconds."""
        if done == 0 or stage != self._stage:
            self._close()
            self._stage = stage
            name = f"{self._title}: {stage}"
            self._bar = _tqdm()(total=total, desc=name, delay=BAR_DELAY, leave=False, disable=_disabled())
            self._bar.update(done)
        elif self._bar is not None:
            self._bar.update(done - self._bar.n)

    def waiting(self, stage: str) -> None:
        """Show a clock while waiting for `stage`, whose length is not known."""
        if stage != self._stage:
            self(stage, 0, 1)
        else:
            self._bar.update(0)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _disabled() -> bool | None:
    """Return None, so that tqdm checks if the output is a terminal."""
    return None


def _tqdm() -> Any:
    if notebook_bar is not None and "ipykernel" in sys.modules:
        return notebook_bar
    from tqdm import std

    return std.tqdm
