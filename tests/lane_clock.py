"""Time as lanes see it, for tests of their limits: a busy machine must not decide who is late."""

from __future__ import annotations

import threading

import pytest

from codeexplore.search import lane_runner

_TICK = 0.1


class LaneClock:
    """Stands still until a lane is stuck and all others have answered, then goes on with each look of whoever waits.

    Attributes
    ----------
    now
        Seconds.
    looked
        Set once whoever waits has looked at it after waiting for a while.
    stuck
        To be set by the lane that never answers.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.looked, self.stuck = threading.Event(), threading.Event()
        self._asker = threading.get_ident()
        self._awaited: lane_runner._Answers | None = None

    def perf_counter(self) -> float:
        """The time, for the lanes."""
        if threading.get_ident() == self._asker and self._awaited is not None:
            self.looked.set()
            if self.stuck.is_set() and self._awaited._missing == 1:
                self.now += _TICK
        return self.now

    def put_in(self, patch: pytest.MonkeyPatch) -> None:
        """Have the lanes go by it."""
        real = lane_runner._Answers.wait

        def wait(answers: lane_runner._Answers, seconds: float) -> bool:
            self._awaited = answers
            return real(answers, seconds)

        patch.setattr(lane_runner._Answers, "wait", wait)
        patch.setattr(lane_runner, "time", self)
