"""Progress, interruption and cancellation of a running git command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

from codeexplore.errors import LoadCancelled

POLL_SECONDS = 0.1
"""Seconds between two checks for cancellation."""

_PERCENT = re.compile(rb"(?:remote: )?([A-Z][a-z]+(?: [a-z]+)*): +(\d+)% \((\d+)/(\d+)\)")

Report = Callable[[str, int, int], None]
"""Called with (stage, done, total)."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Progress callback of a git command, and the event that cancels it."""

    report: Report | None = None
    cancel: threading.Event | None = None

    def check(self) -> None:
        """Raise LoadCancelled if cancellation was requested."""
        if self.cancel is not None and self.cancel.is_set():
            raise LoadCancelled("the clone was cancelled")

    def notify(self, stage: str, done: int, total: int) -> None:
        """Report progress to the callback, if there is one."""
        if self.report is not None:
            self.report(stage, done, total)


class Child:
    """A child process that is always ended if the user interrupts.

    It is started in a thread of its own. Only the main thread receives signals, so an interrupt can never come between
    the start of the process and the assignment of its object. Therefore `end` always knows the process.

    Parameters
    ----------
    command
        The program and its arguments.
    environment
        All environment variables of the process.
    reads
        True if the process reads standard input.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], *, reads: bool = False) -> None:
        self._command, self._environment, self._reads = command, environment, reads
        self._wanted = True
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._error: OSError | None = None

    def start(self) -> subprocess.Popen[bytes]:
        """Start the command and return its process. Raises OSError. After any exception, the caller must call `end`."""
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        thread.join()
        if self._error is not None:
            raise self._error
        assert self._process is not None
        return self._process

    def _run(self) -> None:
        with self._starting:
            if not self._wanted:
                return
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE if self._reads else subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env=self._environment, **_own_group(),
                )  # fmt: skip
            except OSError as error:
                self._error = error

    def end(self) -> None:
        """End the command and all processes that it started. If it has not started yet, prevent its start."""
        with self._starting:
            self._wanted = False
        process = self._process
        if process is None:
            return
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):  # it has ended, with all its children
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()


def _own_group() -> dict[str, Any]:
    """Return options that put the process into a process group of its own.

    Then git's child processes can be ended together with git, and Ctrl-C reaches only our process.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


@dataclass(slots=True)
class Outcome:
    """Output of a command that was read so far."""

    output: bytes = b""
    errors: bytearray = field(default_factory=bytearray)


def communicate(
    process: subprocess.Popen[bytes], seconds: float, watch: Watch, given: bytes | None = None
) -> Outcome:  # fmt: skip
    """Write the input of the command and read all its output. Its percentages are reported as progress.

    Raises
    ------
    subprocess.TimeoutExpired
        The command ran longer than `seconds`.
    LoadCancelled
        The user cancelled. After both errors the command still runs, and the caller must end it.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    outcome, latest = Outcome(), _Latest()
    threads = [
        threading.Thread(target=_read_all, args=(process.stdout, outcome), daemon=True),
        threading.Thread(target=_read_errors, args=(process.stderr, outcome, latest), daemon=True),
    ]
    if given is not None:
        threads.append(threading.Thread(target=_write, args=(process.stdin, given), daemon=True))
    for thread in threads:
        thread.start()
    left = seconds
    reported: tuple[str, int, int] | None = None
    while any(thread.is_alive() for thread in threads):
        next(thread for thread in threads if thread.is_alive()).join(POLL_SECONDS)
        left -= POLL_SECONDS
        watch.check()
        if latest.state is not None and latest.state != reported:
            reported = latest.state
            watch.notify(*reported)
        if left <= 0:
            raise subprocess.TimeoutExpired(process.args, seconds)
    process.wait()
    return outcome


@dataclass(slots=True)
class _Latest:
    """The last percentage that git wrote.

    The tuple is replaced as a whole, so that another thread can read it at any time.
    """

    state: tuple[str, int, int] | None = None


def _read_all(stream: IO[bytes], outcome: Outcome) -> None:
    with stream:
        outcome.output = stream.read()


def _read_errors(stream: IO[bytes], outcome: Outcome, latest: _Latest) -> None:
    """Read git's progress and messages from `stream`.

    Git ends a line of progress with a carriage return and a message with a newline.
    """
    pending = b""
    with stream:
        while block := stream.read1(65_536):  # type: ignore[attr-defined]
            lines = re.split(rb"(?<=[\r\n])", pending + block)
            pending = lines.pop()
            for line in lines:
                _take(line, outcome, latest)
    outcome.errors += pending


def _take(line: bytes, outcome: Outcome, latest: _Latest) -> None:
    found = _PERCENT.match(line)
    if found is not None:
        latest.state = (f"git: {found[1].decode().lower()}", int(found[3]), int(found[4]))
    elif not line.endswith(b"\r"):
        outcome.errors += line


def _write(stream: IO[bytes], given: bytes) -> None:
    with suppress(OSError), stream:  # git has ended; its messages give the reason
        stream.write(given)
