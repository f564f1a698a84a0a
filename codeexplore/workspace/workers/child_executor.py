"""`ChildExecutor`: an executor whose processes run only codeexplore and its dependencies.

The pools of other libraries cannot keep this promise. `multiprocessing`, also below `concurrent.futures`, runs the
user's script again or forks a kernel with threads; its children and those of loky run `site`, and so any
``sitecustomize`` on the path. See `child_process.start_worker`.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import IO, Any, TypeAlias

from codeexplore.workspace.workers.child_process import KEPT_BYTES, read_frame, start_worker, stop_worker, write_frame

JOB = "call"
"""Name of the job in the first frame to a child that calls functions."""

_Call: TypeAlias = "tuple[Future[bytes], bytes]"


class ChildExecutor(Executor):
    """Calls functions of codeexplore in child processes, which are started at once.

    Each child calls `first` with `arguments` before all other functions. It is served by a thread, which only moves
    bytes. A child that breaks gets no further calls. If all children are broken, every further call fails.
    """

    def __init__(self, workers: int, first: Callable[..., bytes], *arguments: Any) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._working = workers
        self._closed = False
        self._lock = threading.Lock()
        self._children: list[subprocess.Popen[bytes]] = []
        try:
            for _ in range(workers):
                self._children.append(start_worker(KEPT_BYTES))
        except BaseException:
            self.shutdown(cancel_futures=True)
            raise
        frames = marshal.dumps((JOB,)), _frame(first, arguments)
        for child in self._children:
            threading.Thread(target=self._serve, args=(child, frames), daemon=True).start()

    def submit(self, function: Callable[..., bytes], /, *arguments: Any) -> Future[bytes]:  # type: ignore[override]
        """Call a function of a module of codeexplore.

        Arguments are plain data (see `marshal`), and the result is bytes. Raises RuntimeError after a shutdown.
        """
        future: Future[bytes] = Future()
        frame = _frame(function, arguments)
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._calls.put((future, frame))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End each child as soon as it has no more calls.

        With `cancel_futures`, end it at once, even if it is working, and cancel the calls that have not begun.
        """
        with self._lock:
            self._closed = True
        if cancel_futures:
            self._cancel_calls()
        for _ in self._children:
            self._calls.put(None)
        for child in self._children if wait or cancel_futures else ():
            if not cancel_futures:
                child.wait()
            stop_worker(child)

    def _cancel_calls(self) -> None:
        with contextlib.suppress(Empty):
            while True:
                if (call := self._calls.get_nowait()) is not None:
                    call[0].cancel()

    def _serve(self, child: subprocess.Popen[bytes], frames: tuple[bytes, bytes]) -> None:
        """Send calls to one child, until the executor is shut down or the child breaks."""
        assert child.stdin is not None
        assert child.stdout is not None
        broken = ""
        try:
            write_frame(child.stdin, frames[0])
            _answer(child, frames[1])
        except Exception as error:  # noqa: BLE001 - reported with the next call
            broken = str(error) or type(error).__name__
        while (call := self._calls.get()) is not None:
            future, frame = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if broken:
                    raise ChildProcessError(broken)
                future.set_result(_answer(child, frame))
            except Exception as error:  # noqa: BLE001 - the caller waits for the future
                broken = str(error) or type(error).__name__
                future.set_exception(ChildProcessError(broken))
                with self._lock:
                    self._working -= 1
                    if self._working:
                        return
                    self._working = 1  # nobody else is left to answer
        with contextlib.suppress(OSError, ValueError):
            child.stdin.close()  # the child then ends


def _frame(function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
    return marshal.dumps((function.__module__, function.__qualname__, arguments))


def _answer(child: subprocess.Popen[bytes], frame: bytes) -> bytes:
    """Send a call to a child and return its answer. Raises OSError, ValueError and ChildProcessError."""
    assert child.stdin is not None
    assert child.stdout is not None
    write_frame(child.stdin, frame)
    answer = read_frame(child.stdout)
    if answer is None:
        raise ChildProcessError(f"exit status {child.wait()}")
    return answer


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Run in the child after the first frame: answer each call with the bytes that its function returns."""
    while (frame := read_frame(source)) is not None:
        module, name, arguments = marshal.loads(frame)  # noqa: S302 - from our own parent process
        answer = getattr(import_module(module), name)(*arguments)
        try:
            write_frame(sink, answer)
        except OSError:  # the parent has ended, and nobody waits for the answer
            os._exit(1)
