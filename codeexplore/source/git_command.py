"""The git command, run in an environment in which a repository can neither start a program nor prompt the user."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codeexplore.errors import GitError
from codeexplore.source.cache_dir import VARIABLE
from codeexplore.source.git_progress import Child, Watch, communicate
from codeexplore.source.git_url import FORMS, Remote, hidden

TIMEOUT = 900.0
"""Seconds for one git command. A shallow clone of a very large repository takes some minutes on a slow connection."""

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
_LOCAL = (  # variables that bind git to another repository if we run from one of its hooks
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_NAMESPACE", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_CONFIG",
    "GIT_TEMPLATE_DIR",
)  # fmt: skip

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


class Result(NamedTuple):
    """Exit status and output of a command. Both texts are decoded, with invalid bytes replaced."""

    status: int
    output: str
    errors: str


class Git:
    """The git command for one remote repository, whose URL is used in error messages.

    `variables` are added to the environment of the command.
    """

    def __init__(
        self, remote: Remote, timeout: float, watch: Watch | None = None, variables: Mapping[str, str] | None = None
    ) -> None:
        self.remote = remote
        self.timeout = timeout
        self.watch = watch or Watch()
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
        """Run the git command `words` and return its result, whatever its exit status."""
        status, output, errors = self.read(*words, folder=folder)
        return Result(status, output.decode("utf-8", "replace"), errors)

    def read(self, *words: str, folder: Path | None = None, given: bytes | None = None) -> tuple[int, bytes, str]:
        """Run the git command `words`, and return its exit status, the bytes that it wrote, and its messages.

        `given` is its standard input.

        An interrupt, a cancellation (LoadCancelled) or a timeout (GitError) ends the command and all processes that it
        started.
        """
        self.watch.check()
        place = [] if folder is None else ["-C", str(folder)]
        # Without a folder, git must not use the repository of the working folder: its settings could start a program.
        nowhere = {"GIT_DIR": os.devnull} if folder is None else {}
        child = Child([*self._command, *place, *words], self._environment | nowhere, reads=given is not None)
        try:
            process = child.start()
            outcome = communicate(process, self.timeout, self.watch, given)
        except subprocess.TimeoutExpired:
            child.end()
            raise GitError(
                f"git took longer than {self.timeout:,.0f} seconds for {self.remote.shown!r}; "
                "clone it by hand and load the folder"
            ) from None
        except BaseException:
            child.end()
            raise
        return process.returncode, outcome.output, bytes(outcome.errors).decode("utf-8", "replace")

    def error(self, errors: str) -> GitError:
        """Return the error for a command that failed with the messages `errors`.

        It contains git's message without credentials, and the next step.
        """
        said = [re.sub(r"^(?:fatal|error|remote): ", "", line.strip()) for line in hidden(errors).splitlines()]
        message = "; ".join(line.rstrip(".;") for line in said if line)[:600] or "no reason given"
        hint = next((hint for sign, hint in _HINTS if sign in errors), f"Accepted forms: {FORMS}.")
        return GitError(f"git could not fetch {self.remote.shown!r}: {message}. {hint}")
