"""How long each step of a search took."""

from __future__ import annotations

import time

from codeexplore.types import StageTime


class Stopwatch:
    """Runs from when it is made; `laps` are the steps so far, in order."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.laps: list[StageTime] = []

    def lap(self, stage: str) -> None:
        """A step ends here."""
        now = time.perf_counter()
        self.laps.append(StageTime(stage, now - self._last))
        self._last = now

    @property
    def milliseconds(self) -> float:
        """From the beginning until now."""
        return (time.perf_counter() - self._started) * 1e3
