"""Progress bar in a notebook: one line that is removed when the work is done."""

from __future__ import annotations

import time
from typing import Any

from IPython.display import display

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import tag

_PAUSE = 0.2  # minimal number of seconds between two updates of the display
_WIDTH = 160


class NotebookBar:
    """Progress bar of one stage, with the part of tqdm's interface that a load uses.

    The bar is a named output of the cell. `close` empties the output, so that a saved or exported notebook contains no
    trace of it.

    Parameters
    ----------
    total
        Number of steps of the stage.
    desc
        Title of the stage.
    delay
        Seconds before the bar appears.
    """

    def __init__(self, *, total: int, desc: str, delay: float = 0.0, **_: object) -> None:
        self.n = 0
        self._total, self._title = total, desc
        self._next = time.monotonic() + delay
        self._started = time.monotonic()
        self._handle: Any = None

    def update(self, done: int) -> None:
        """Count `done` further steps, and update the display."""
        self.n += done
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        if self._handle is None:
            self._handle = display(self._shown(now), display_id=True, raw=True)
        else:
            self._handle.update(self._shown(now), raw=True)

    def close(self) -> None:
        """Remove the bar from the output."""
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)
            self._handle = None

    def _shown(self, now: float) -> dict[str, str]:
        share = min(1.0, self.n / self._total) if self._total else 0.0
        inner = f"display:inline-block;height:8px;width:{round(_WIDTH * share)}px;background:currentColor"
        frame = f"display:inline-block;width:{_WIDTH}px;border:1px solid currentColor;border-radius:3px;line-height:0"
        bar = tag("span", tag("span", style=inner), style=frame, aria_hidden="true")
        count = f" {self.n:,} of {self._total:,}" if self._total > 1 else ""
        text = f"{self._title}{count}, {now - self._started:.0f} s"
        return {"text/html": components.page(tag("div", bar, "\u2002", text)), "text/plain": text}
