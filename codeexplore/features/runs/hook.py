"""The interpreter's hook of a running trace: the base class of `monitor_hook` and `profile_hook`."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeexplore.features.runs.collector import Collector


class Hook(ABC):
    """Base of the two hooks."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector

    @abstractmethod
    def start(self) -> None:
        """Begin to receive events. Raises TraceError if another tool is in the way."""

    @abstractmethod
    def stop(self) -> str:
        """Stop receiving events. Return a note if other code removed the hook before, else ""."""

    @abstractmethod
    def resume(self) -> None:
        """Set the hook again if other code removed it."""


def hook_for(collector: Collector) -> Hook:
    """Return the hook for the running version of Python."""
    if sys.version_info >= (3, 12):
        if not collector.options.counts:
            from codeexplore.features.runs.monitor_hook import EdgeHook

            return EdgeHook(collector)
        from codeexplore.features.runs.monitor_hook import MonitorHook

        return MonitorHook(collector)
    from codeexplore.features.runs.profile_hook import ProfileHook

    return ProfileHook(collector)
