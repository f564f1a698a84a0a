"""The git command, run in an environment in which a repository can neither start a program nor prompt the user."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from codeexplore.source.git_url import FORMS, Remote, hidden
from codeexplore.source.safe_io import VARIABLE
from codeexplore.types.errors import GitError, LoadCancelled

TIMEOUT = 900.0
"""Seconds for one git command. A shallow clone of a very large repository takes some minutes on a slow connection."""

POLL_SECONDS = 0.1
"""Seconds between two checks for cancellation and progress."""

Report = Callable[[str, int, int], None]
"""Called with (stage, done, total)."""

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.autocrlf": "false",
    "core.longpaths": "true",
    "advice.detachedHead": "false",
    "gc.auto": "0",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    # do not download LFS files: their pointer files are checked out
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.clean": "",
    "filter.lfs.required": "false",
}
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GCM_INTERACTIVE": "never",
    "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "LC_ALL": "C",
    "LANGUAGE": "",
}
_NAMES = """
GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_NAMESPACE GIT_CONFIG
GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_TEMPLATE_DIR
"""
_LOCAL = frozenset(_NAMES.split())
"""Variables that bind git to another repository if we run from one of its hooks."""

NO_NETWORK = "Check the network, or give the folder of a local copy."
_LOGIN = "It is private or does not exist; git must be able to log in without a prompt."
_HINTS = (
    ("Could not resolve host", NO_NETWORK),
    ("Failed to connect", NO_NETWORK),
    ("Couldn't connect", NO_NETWORK),
    ("Connection timed out", NO_NETWORK),
    ("unreachable", NO_NETWORK),
    ("could not read Username", _LOGIN),
    ("terminal prompts disabled", _LOGIN),
    ("Authentication failed", _LOGIN),
    ("Permission denied (publickey", "Check that the server knows your ssh key, or give an https URL."),
    ("Host key verification failed", "Connect to the host by ssh once to accept its key."),
    ("dubious ownership", "Another user owns it: git config --global --add safe.directory <path> trusts it."),
    (
        "does not appear to be a git repository",
        "Give the folder that contains .git, or load the folder by its path, without a URL.",
    ),
    ("No space left on device", f"Free some space, or set {VARIABLE} to a folder on another disk."),
    ("not found", "Is the URL spelt right? A private repository needs a login that git knows."),
)
_PERCENT = re.compile(rb"([A-Z][a-z]+(?: [a-z]+)*): +\d+% \((\d+)/(\d+)\)")


class Result(NamedTuple):
    """Exit status and output of a command. Both texts are decoded, with invalid bytes replaced."""

    status: int
    output: str
    errors: str


class Git:
    """The git command for one remote repository, whose URL is used in error messages.

    While a command runs, its percentages are passed to `progress`, and `cancel` ends it. `variables` are added to the
    environment of the command. A command that writes more than `most_output` bytes is ended.
    """

    def __init__(
        self,
        remote: Remote,
        timeout: float,
        progress: Report | None = None,
        cancel: threading.Event | None = None,
        variables: Mapping[str, str] | None = None,
        most_output: int = sys.maxsize,
    ) -> None:
        self.remote, self._timeout, self._progress, self._cancel = remote, timeout, progress, cancel
        self._most_output = most_output
        found = shutil.which("git")
        if found is None:
            raise GitError("git is not installed, or not on PATH; install it, or load a local folder")
        settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
        self._command = [found, *settings]
        self._environment = {key: value for key, value in os.environ.items() if key not in _LOCAL} | _ENVIRONMENT
        if "GIT_SSH" not in os.environ:
            self._environment.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
        self._environment |= variables or {}

    def run(self, *words: str, folder: Path | None = None) -> str:
        """Return the standard output of the git command `words`, run in `folder`. Raises GitError if it fails."""
        result = self.attempt(*words, folder=folder)
        if result.status != 0:
            raise self.error(result.errors)
        return result.output

    def attempt(self, *words: str, folder: Path | None = None) -> Result:
        status, output, errors = self.read(*words, folder=folder)
        return Result(status, output.decode("utf-8", "replace"), errors)

    def read(self, *words: str, folder: Path | None = None, given: bytes | None = None) -> tuple[int, bytes, str]:
        """Run the git command `words`, and return its exit status, the bytes that it wrote, and its messages.

        `given` is its standard input.

        An interrupt, a cancellation (LoadCancelled) or a timeout (GitError) ends the command and all processes that it
        started.
        """
        self._check()
        try:
            refused = b"\0" in os.fsencode("".join(words))
        except UnicodeEncodeError:
            refused = True
        if refused:
            raise GitError(f"git can't be given the text {' '.join(words)!a:.200}")
        place = [] if folder is None else ["-C", str(folder)]
        # Without a folder, git must not use the repository of the working folder: its settings could start a program.
        nowhere = {"GIT_DIR": os.devnull} if folder is None else {}
        child = Child([*self._command, *place, *words], self._environment | nowhere, given)
        try:
            process = child.start()
            output, errors = self._communicate(process)
        except BaseException:
            child.end()
            raise
        # git ends a line of progress with a carriage return, and a message with a newline
        lines = re.split(rb"(?<=[\r\n])", errors)
        messages = b"".join(line for line in lines if not line.endswith(b"\r") and not _PERCENT.search(line))
        return process.returncode, output, messages.decode("utf-8", "replace")

    def _check(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise LoadCancelled("the clone was cancelled")

    def _communicate(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Return all output of the command. Raises GitError and LoadCancelled."""
        end = time.monotonic() + self._timeout
        reported: tuple[bytes, ...] = ()
        ended: tuple[bytes, bytes] | None = None
        while ended is None:
            try:
                said = (ended := process.communicate(timeout=POLL_SECONDS))[1]
            except subprocess.TimeoutExpired as still:
                said = still.stderr or b""  # nothing on Windows
                if len(still.stdout or b"") > self._most_output:
                    raise GitError(
                        f"git wrote more than {self._most_output / 1e9:.1f} GB about {self.remote.shown!r}; "
                        "load a smaller folder (only=)"
                    ) from None
            self._check()
            if self._progress is not None and (found := _PERCENT.findall(said[-2_000:])) and found[-1] != reported:
                stage, done, total = reported = found[-1]
                self._progress(f"git: {stage.decode().lower()}", int(done), int(total))
            if ended is None and time.monotonic() > end:
                raise GitError(
                    f"git took longer than {self._timeout:,.0f} seconds for {self.remote.shown!r} and was ended; "
                    "run it by hand to see what it waits for, or load the folder"
                )
        return ended

    def error(self, errors: str) -> GitError:
        """Return the error for a command that failed with the messages `errors`.

        It contains git's message without credentials, and the next step.
        """
        said = [re.sub(r"^(?:fatal|error|remote): ", "", line.strip()) for line in hidden(errors).splitlines()]
        message = "; ".join(line.rstrip(".;") for line in said if line)[:600] or "no reason given"
        hint = next((hint for sign, hint in _HINTS if sign in errors), f"Accepted forms: {FORMS}.")
        return GitError(f"git could not fetch {self.remote.shown!r}: {message}. {hint}")


def _file_of(given: bytes) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(given)
    file.seek(0)
    return file


class Child:
    """A child process that is always ended if the user interrupts.

    It is started in a thread of its own. Only the main thread receives signals, so an interrupt can never come between
    the start of the process and the assignment of its object. Therefore `end` always knows the process.

    Its standard input is a file with what is `given`, if anything: `communicate` after a timeout forgets the rest of an
    input.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], given: bytes | None = None) -> None:
        self._command, self._environment, self._given = command, environment, given
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
                with nullcontext(subprocess.DEVNULL) if self._given is None else _file_of(self._given) as stdin:
                    self._process = subprocess.Popen(
                        self._command,
                        stdin=stdin,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        env=self._environment,
                        **_own_group(),
                    )
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
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _own_group() -> dict[str, Any]:
    """Return options that put the process into a process group of its own.

    Then git's child processes can be ended together with git, and Ctrl-C reaches only our process.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}
