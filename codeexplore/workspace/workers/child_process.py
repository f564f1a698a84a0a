"""Start and end of child processes, their exit statuses, frames of bytes over their pipes, and return of memory.

Children are processes and not threads, because parsing and resolution keep the interpreter's lock.

We do not use `multiprocessing`: with its start method "spawn" it runs the user's script again, and with "fork" it warns
in a kernel with threads. Our children run `codeexplore.workspace.workers`, so a user's script needs no main guard.

Exit statuses decide if this process may do the work that a child has not done. It may if the child could not be started
or failed by itself. It may not if there was too little memory, or if the system ended the child. In these cases the
system could also end this process, which may be the kernel of a notebook.

`ChildExecutor` calls functions in children, which run only codeexplore and its dependencies. The pools of other
libraries cannot keep this promise: children of `concurrent.futures` and loky run `site`, and so any ``sitecustomize``
on the path.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import marshal
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from importlib import import_module
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import IO, Any, TypeAlias

from codeexplore.trusted_imports import search_path

_NEEDED = ("codeexplore", "numpy", "tree_sitter", "tree_sitter_language_pack")
"""Packages that children import. The dependencies of these packages are installed in the same folders."""


_MAIN = "import sys; sys.path += {!a}; from codeexplore.workspace.workers.__main__ import main; main()"

_KEPT = ("PYTHONHOME", "PYTHONPLATLIBDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONUTF8")
"""Environment variables of Python that a child inherits: the place of the library, and the way of writing files. Other
variables of Python could make it run code, or search for code, elsewhere."""


LARGE_BLOCK = 1 << 18
"""Bytes. A block as large as this is given back to the system when it is freed: for a child that needs little memory
for its size. By default, glibc comes to keep free blocks of up to 32 MB."""

KEPT_BYTES = 1 << 23
"""Bytes that a child may keep free for its next file. With `LARGE_BLOCK`, or glibc's 128 kB, the memory of each syntax
tree goes back to the system and is asked for again, which takes a tenth of the time of an analysis."""


def start_worker(kept: int = LARGE_BLOCK) -> subprocess.Popen[bytes]:
    """Start a child that runs only codeexplore and its dependencies. Raises OSError.

    `kept` is the size in bytes from which free memory is given back to the system: `LARGE_BLOCK` or `KEPT_BYTES`.
    """
    environment = {name: value for name, value in os.environ.items() if name in _KEPT or name[:6] != "PYTHON"}
    # OpenBLAS would start a thread for each core, and children do no linear algebra
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"):
        environment.setdefault(name, str(kept))
    # -S: neither sitecustomize nor .pth files run. The explored repository may be the working folder of this process or
    # on its path; see `trusted_imports`.
    told = "ignore:language:RuntimeWarning"  # `registry.installed` tells problems of languages in the parent
    command = [sys.executable, "-P", "-s", "-S", "-W", told, "-c", _MAIN.format(_folders())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _folders() -> list[str]:
    """Return the folders, besides the standard library, that contain codeexplore or a dependency that a child needs."""
    first, others = search_path()
    holding = {os.path.dirname(folder) for name in _NEEDED for folder in _packages(name)}  # noqa: PTH120
    return [entry for entry in (*first, *others) if entry in first or entry in holding] + [
        folder for folder in sorted(holding) if folder not in first and folder not in others
    ]


def _packages(name: str) -> list[str]:
    module = sys.modules.get(name)
    spec = find_spec(name) if module is None else module.__spec__
    return [] if spec is None else list(spec.submodule_search_locations or ())


def stop_worker(child: subprocess.Popen[bytes]) -> None:
    """End a child, even if it is working."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # bytes in the buffer can't be sent any more
                continue


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Write a frame: the length of the data in 8 bytes, then the data."""
    stream.write(len(data).to_bytes(8, "little"))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read a frame and return its data; None at the end of the stream."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "little")
    data = stream.read(size)
    return data if len(data) == size else None


OUT_OF_MEMORY = 12
"""Exit status of a child that could not get enough memory."""

TOO_LITTLE = "there was not enough memory for it"

_ABNORMAL = 0xC0000000  # Windows' statuses of processes that it ended
_END_SECONDS = 5.0  # time limit for the end of a child that has closed its pipes


def fatal_reason(status: int | None) -> str:
    """Return the reason why this process may not do the work of a child with this exit status; "" if it may."""
    if status == OUT_OF_MEMORY:
        return TOO_LITTLE
    if status is not None and status < 0:
        known = {each.value: each.name for each in signal.Signals}
        name = known.get(-status, f"signal {-status}")
        # the system kills for lack of memory; tree-sitter and C++ abort when an allocation fails
        why = ", most likely for lack of memory" if name in ("SIGKILL", "SIGABRT") else ""
        return f"the child process for it was ended by {name}{why}"
    if status is not None and status >= _ABNORMAL:
        return f"the child process for it was ended by the system (status {status:#x})"
    return ""


def fatal_reason_of(error: Exception, child: subprocess.Popen[bytes] | None) -> str:
    """Return the reason why this process may not do the work of a child after an error; "" if it may.

    The error was raised when the child was started (`child` is None), or when frames were sent or received.
    """
    if is_lack_of_memory(error):
        return TOO_LITTLE
    if child is None:
        return ""
    if isinstance(error, OSError):  # a broken pipe: the child has ended, or will end at once
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)
    return fatal_reason(child.poll())


def is_lack_of_memory(error: Exception) -> bool:
    """Return True if an error means that memory could not be allocated.

    CPython may raise SystemError instead of MemoryError. Its message says then that a call "returned NULL without
    setting an exception", or that there is an "error return without exception set".
    """
    if isinstance(error, SystemError):
        return "without setting an exception" in str(error) or "without exception set" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def trim_memory() -> None:
    """Return freed memory to the system.

    A load frees as much memory as it uses, because results of children of all sizes are allocated and freed. The GNU C
    library (glibc) would keep this memory, which lies between blocks in use. With another C library this function does
    nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # another C library
        return
    trim(0)


_Call: TypeAlias = "tuple[Future[bytes], Callable[..., bytes], tuple[Any, ...]]"


class BrokenChild(ChildProcessError):
    """A child has ended or fails. `fatal` is the reason why this process may not do its work; "" if it may."""

    def __init__(self, said: str, fatal: str) -> None:
        super().__init__(said)
        self.fatal = fatal


class ChildExecutor(Executor):
    """Calls functions of codeexplore in child processes, which are started at once. Raises OSError.

    Each child makes the call `first`, a function and its arguments, before all others. It is served by a thread, which
    only moves bytes. A child that breaks gets no further calls. If all children are broken, every further call fails.
    `kept` is that of `start_worker`.
    """

    def __init__(
        self, workers: int, *first: tuple[Callable[..., bytes], tuple[Any, ...]], kept: int = KEPT_BYTES
    ) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._working = workers
        self._closed = False
        self._lock = threading.Lock()
        self._children: list[subprocess.Popen[bytes]] = []
        try:
            for _ in range(workers):
                self._children.append(start_worker(kept))
        except BaseException:
            self.shutdown(cancel_futures=True)
            raise
        for child in self._children:
            threading.Thread(target=self._serve, args=(child, first), daemon=True).start()

    def submit(self, function: Callable[..., bytes], /, *arguments: Any) -> Future[bytes]:  # type: ignore[override]
        """Call a function of a module of codeexplore.

        Arguments are plain data (see `marshal`), and the result is bytes. Raises RuntimeError after a shutdown.
        """
        future: Future[bytes] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._calls.put((future, function, arguments))
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

    def _serve(self, child: subprocess.Popen[bytes], first: Sequence[tuple[Callable[..., bytes], Any]]) -> None:
        """Send calls to one child, until the executor is shut down or the child breaks."""
        broken: BrokenChild | None = None
        try:
            for function, arguments in first:
                _answer(child, function, arguments)
        except Exception as error:  # noqa: BLE001 - reported with the next call
            broken = _broken(error, child)
        while (call := self._calls.get()) is not None:
            future, function, arguments = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if broken is not None:
                    raise broken
                future.set_result(_answer(child, function, arguments))
            except Exception as error:  # noqa: BLE001 - the caller waits for the future
                broken = _broken(error, child)
                future.set_exception(broken)
                with self._lock:
                    self._working -= 1
                    if self._working:
                        return
                    self._working = 1  # nobody else is left to answer
        with contextlib.suppress(OSError, ValueError):
            if child.stdin is not None:
                child.stdin.close()  # the child then ends


def _broken(error: Exception, child: subprocess.Popen[bytes]) -> BrokenChild:
    if isinstance(error, BrokenChild):
        return error
    return BrokenChild(str(error) or type(error).__name__, fatal_reason_of(error, child))


def _answer(child: subprocess.Popen[bytes], function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
    """Send a call to a child and return its answer. Raises OSError, ValueError and ChildProcessError."""
    assert child.stdin is not None
    assert child.stdout is not None
    write_frame(child.stdin, marshal.dumps((function.__module__, function.__qualname__, arguments)))
    answer = read_frame(child.stdout)
    if answer is None:
        raise ChildProcessError(f"exit status {child.wait()}")
    return answer


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Run in the child: answer each call with the bytes that its function returns.

    The process then exits, so this function never returns. Freeing the memory object by object would only take time.
    """
    while (frame := read_frame(source)) is not None:
        try:
            module, name, arguments = marshal.loads(frame)  # noqa: S302 - from our own parent process
            answer = getattr(import_module(module), name)(*arguments)
        except (MemoryError, OSError, SystemError) as error:
            if is_lack_of_memory(error):
                os._exit(OUT_OF_MEMORY)  # there may be no memory to write a message
            raise
        try:
            write_frame(sink, answer)
        except OSError:  # the parent has ended, and nobody waits for the answer
            os._exit(1)
    os._exit(0)
