"""The recorder: it begins and ends a trace in this process and, by `children`, in the processes that it starts."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from codeexplore.features.runs.collector import Collector, Options
from codeexplore.features.runs.hooks import hook_for
from codeexplore.features.runs.records import Trace, merge_traces, read_trace, write_trace
from codeexplore.types.errors import TraceError

_lock = threading.Lock()
_running: list[Recorder] = []


class Recorder:
    """A running trace; `root`, `options` and `paths` are those of `Collector`. Frames below `boundary` are no callers.

    Raises TraceError if another trace runs in this process, or another tool uses the interpreter's only hook.
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
            _running.append(self)
        try:
            self._hook.start()
            self._children.start()
        except BaseException:  # interrupted, or another tool has the hook: no caller could end it
            self.release()
            raise
        self._began = perf_counter()

    def release(self) -> None:
        """End the trace without a result, however far its start or its end came."""
        self._hook.stop()
        self._children.stop()
        if self in _running:
            _running.clear()

    def resume(self) -> None:
        self._hook.resume()

    def stop(self, ended_by: str = "") -> Trace:
        """End the trace and return it, with the calls of the processes that ended meanwhile.

        `ended_by` is the name of the exception that ended the traced block.
        """
        seconds = perf_counter() - self._began
        collector = self.collector
        with _lock:
            try:
                lost = self._hook.stop()
            finally:  # an interrupt must not refuse the next trace
                _running.clear()
        collector.boundary, collector.ended_by = None, ended_by
        collector.notes += [lost] if lost else []
        if os.getpid() != self._process:  # a forked process that left the block, too
            self._children.save()
            return collector.trace(seconds)
        others = self._children.stop()
        return merge_traces([collector.trace(seconds), *others])


def running() -> bool:
    return bool(_running)


def caller_frame(depth: int = 1) -> FrameType:
    """Return the frame that called the caller of this function, `depth` frames up."""
    return sys._getframe(depth + 1)


_LAST = -100  # priority of `multiprocessing.util.Finalize`: after everything else


class ChildProcesses:
    """The children of a trace, from the parent's side and, in a child, from its own.

    `collector` has the calls of this process. `folder` is that of the children's files; None in the parent, which makes
    it.
    """

    def __init__(self, collector: Collector, folder: Path | None = None) -> None:
        self._collector = collector
        self._folder = folder
        self._started = 0
        self._saved = False
        self._is_child = folder is not None
        self._prepare: Callable[[str], dict[str, Any]] | None = None
        self._wrapped: Callable[[str], dict[str, Any]] | None = None

    # ----------------------------------------------------------------- the parent

    def start(self) -> None:
        # known before it is made: an interrupt may come between
        self._folder = Path(tempfile.gettempdir(), f"codeexplore-trace-{secrets.token_hex(16)}")
        self._folder.mkdir(mode=0o700)
        _current.append(self)
        _register_forks()
        import multiprocessing.util
        from multiprocessing import spawn

        multiprocessing.util.register_after_fork(self, ChildProcesses.enter_child)
        original = self._prepare = spawn.get_preparation_data

        def with_trace(name: str) -> dict[str, Any]:
            data = original(name)
            self._started += 1
            return {**data, "codeexplore_trace": _Start(self)}

        self._wrapped = with_trace
        vars(spawn)["get_preparation_data"] = with_trace

    def stop(self) -> list[Trace]:
        from multiprocessing import spawn

        if self._prepare is not None and spawn.get_preparation_data is self._wrapped:
            vars(spawn)["get_preparation_data"] = self._prepare
        _current.clear()
        found, notes = list[Trace](), self._collector.notes
        if self._folder is None:  # its start was interrupted
            return found
        for path in sorted(self._folder.glob("*.cetrace")):
            try:
                found.append(read_trace(path))
            except TraceError as error:
                notes.append(f"the calls of a child process can't be read: {error}")
        shutil.rmtree(self._folder, ignore_errors=True)
        missing = self._started - len(found)
        if missing > 0:
            notes.append(f"{missing} of {self._started} child processes left no calls: they still ran or were killed")
        return found

    # ----------------------------------------------------------------- the child

    def forked(self) -> None:
        """Begin anew in a forked process: its parent reports the earlier calls."""
        self._is_child = True
        self._collector.forget()
        atexit.register(self.save)

    def enter_child(self) -> None:
        """Save the calls when `multiprocessing` ends this process, or when it is asked to terminate."""
        from multiprocessing.util import Finalize

        Finalize(None, self.save, exitpriority=_LAST)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._terminated)

    def _terminated(self, number: int, _frame: FrameType | None) -> None:
        self.save()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def save(self) -> None:
        """Write the calls of this child process, once."""
        if self._saved or not self._is_child or self._folder is None or not self._folder.is_dir():
            return
        self._saved = True
        write_trace(self._collector.trace(0.0), self._folder / f"{os.getpid()}.cetrace", "child process")

    def counted(self) -> None:
        self._started += 1

    def start_of_child(self) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """Return the function that begins the trace of a process that is started anew, with its arguments."""
        collector = self._collector
        return _start_in_child, (collector.root, collector.options, collector.paths, self._folder)


class _Start:
    """A value in the data that `multiprocessing` sends to a child that it starts anew: reading it begins the trace."""

    def __init__(self, children: ChildProcesses) -> None:
        self._children = children

    def __reduce__(self) -> tuple[Callable[..., None], tuple[Any, ...]]:
        return self._children.start_of_child()


def _start_in_child(root: Path, options: Options, paths: frozenset[str] | None, folder: Path) -> None:
    import multiprocessing.util

    collector = Collector(root, options, paths)
    children = ChildProcesses(collector, folder)
    _current.append(children)
    multiprocessing.util.register_after_fork(children, ChildProcesses.enter_child)
    hook_for(collector).start()
    children.enter_child()  # a spawned process calls no function after its start; one of a fork server forgets this


_current: list[ChildProcesses] = []
_registered: list[bool] = []


def _register_forks() -> None:
    """Notice forks from now on. A registration can't be undone, so there is one, which does nothing without a trace."""
    if not _registered and sys.platform != "win32":
        _registered.append(True)
        os.register_at_fork(after_in_child=_after_fork_in_child, after_in_parent=_after_fork_in_parent)


def _after_fork_in_child() -> None:
    for each in _current:
        each.forked()


def _after_fork_in_parent() -> None:
    for each in _current:
        each.counted()
