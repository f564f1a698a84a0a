"""The recorder: it begins and ends a trace in this process and, by `children`, in the processes that it starts."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Collection
from pathlib import Path
from time import perf_counter
from types import FrameType

from codeexplore.features.runs.children import ChildProcesses
from codeexplore.features.runs.collector import Collector, Options
from codeexplore.features.runs.hook_choice import hook_for
from codeexplore.features.runs.records import Trace, merge_traces
from codeexplore.types.errors import TraceError

_CALIBRATED_CALLS = 5_000
_lock = threading.Lock()
_running: list[Recorder] = []


class Recorder:
    """A running trace.

    Parameters
    ----------
    root, options, paths
        As for `Collector`.
    boundary
        The frame that begins the trace. Frames below it are no callers.

    Raises
    ------
    TraceError
        Another trace runs in this process, or another tool uses the interpreter's only hook.
    """

    def __init__(
        self, root: Path, options: Options, paths: Collection[str] | None = None, boundary: FrameType | None = None
    ) -> None:
        self.collector = Collector(root, options, paths)
        self.collector.boundary = boundary
        self._process = os.getpid()
        self._hook = hook_for(self.collector)
        self._children = ChildProcesses(self.collector)
        with _lock:
            if _running:
                raise TraceError("a trace runs in this process already; end it before the next one begins")
            self._hook.start()
            _running.append(self)
        self._children.start()
        self._began = perf_counter()
        self.collector.begin()

    def resume(self) -> None:
        """Set the interpreter's hook again if other code removed it."""
        self._hook.resume()

    def stop(self, ended_by: str = "") -> Trace:
        """End the trace and return it, with the calls of the processes that ended meanwhile.

        `ended_by` is the name of the exception that ended the traced block.
        """
        seconds = perf_counter() - self._began
        collector = self.collector
        with _lock:
            lost = self._hook.stop()
            _running.clear()
        collector.boundary, collector.ended_by = None, ended_by
        collector.notes += [lost] if lost else []
        if os.getpid() != self._process:  # a forked process that left the block, too
            self._children.save()
            return collector.trace(seconds, 0.0)
        others = self._children.stop()
        own = collector.trace(seconds, _calibrated(collector.options) if collector.options.times else 0.0)
        return merge_traces([own, *others])


def _calibrated(options: Options) -> float:
    """Return the seconds that the recording adds to one call: of an empty function, with and without a trace."""

    def empty() -> None:
        pass

    def run() -> float:
        began = perf_counter()
        for _ in range(_CALIBRATED_CALLS):
            empty()
        return perf_counter() - began

    here = Path(__file__)
    hook = hook_for(Collector(here.parent, options, (here.name,)))
    plain = run()
    try:
        hook.start()
    except TraceError:  # the traced code took the hook of Python 3.11 and kept it
        return 0.0
    try:
        traced = run()
    finally:
        hook.stop()
    return max(0.0, traced - plain) / _CALIBRATED_CALLS


def running() -> bool:
    """Return True if a trace runs in this process."""
    return bool(_running)


def caller_frame(depth: int = 1) -> FrameType:
    """Return the frame that called the caller of this function, `depth` frames up."""
    return sys._getframe(depth + 1)
