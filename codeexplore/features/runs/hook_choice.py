"""The choice of the interpreter's hook by the running version of Python."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeexplore.features.runs.collector import Collector
    from codeexplore.features.runs.hook import Hook


def hook_for(collector: Collector) -> Hook:
    """Return the hook for the running version of Python."""
    if sys.version_info >= (3, 12):
        if not collector.options.counts:
            from codeexplore.features.runs.edge_hook import EdgeHook

            return EdgeHook(collector)
        from codeexplore.features.runs.monitor_hook import MonitorHook

        return MonitorHook(collector)
    from codeexplore.features.runs.profile_hook import ProfileHook

    return ProfileHook(collector)
