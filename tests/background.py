"""Waiting for what happens in the background, as long as a busy machine may take."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which nothing will happen any more."""


def until(holds: Callable[[], object]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)
