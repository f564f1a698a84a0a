"""Fetch of one commit into a new folder, without its history."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import NamedTuple

from codeexplore.errors import GitError
from codeexplore.source.git_command import Git

FULL_COMMIT = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")


class Source(NamedTuple):
    """A commit to fetch."""

    fetched: str  # the full name of a ref, or a commit, as sent to the remote
    commit: str  # the commit of `fetched`; "" if it is found only in the whole history


def fetch(git: Git, source: Source, part: Path, ref: str | None) -> str:
    """Fetch the files of one commit into the folder `part`, and return the commit.

    Raises
    ------
    GitError
        The remote has no such commit, or git failed.
    """
    git.run("init", "--quiet", "--template=", folder=part)
    commit = ""
    if source.commit:
        commit = _shallow(git, source, part)
    if not commit:  # a shortened commit, or a server that sends branches and tags only: search the whole history
        names = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        git.run("fetch", "--progress", "--", git.remote.url, *names, folder=part)
        commit = _commit(git, part, source.fetched)
        if not commit:
            raise no_such_ref(git, ref or source.fetched)
    git.run(*_no_filters(git, part), "checkout", "--progress", "--force", "--detach", commit, folder=part)
    return commit


def _no_filters(git: Git, part: Path) -> tuple[str, ...]:
    """Return git settings that disable all filters in the user's configuration.

    Otherwise the attributes in the repository could choose a filter to run.
    """
    keys = git.attempt("config", "--null", "--name-only", "--get-regexp", r"^filter\..*", folder=part).output
    names = {key.rpartition(".")[0] for key in keys.split("\0") if key}
    off = (f"{name}.{what}" for name in sorted(names) for what in ("smudge=", "process=", "clean=", "required=false"))
    return tuple(word for setting in off for word in ("-c", setting))


def _shallow(git: Git, source: Source, part: Path) -> str:
    """Fetch the commit with its files. Return "" if the server does not send single commits."""
    words = ("fetch", "--progress", "--depth=1", "--no-tags", "--", git.remote.url, source.fetched)
    result = git.attempt(*words, folder=part)
    if result.status == 0:
        return _commit(git, part, "FETCH_HEAD")
    if FULL_COMMIT.match(source.fetched):
        return ""
    raise git.error(result.errors)


def _commit(git: Git, part: Path, name: str) -> str:
    result = git.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=part)
    return result.output.strip() if result.status == 0 else ""


def listed(output: str) -> dict[str, str]:
    """Return a dict from ref to commit (or tag object), parsed from `output`, the output of git ls-remote."""
    rows = (line.split("\t", 1) for line in output.split("\n") if "\t" in line)
    return {name: commit for commit, name in rows}


def no_such_ref(git: Git, ref: str) -> GitError:
    """Return the error for a ref that the remote does not have. The message names similar refs."""
    names = listed(git.run("ls-remote", "--heads", "--tags", "--", git.remote.url))
    short = sorted({name.split("/", 2)[2].removesuffix("^{}") for name in names if name.count("/") >= 2})
    alike = difflib.get_close_matches(ref, short, n=5, cutoff=0.4)
    some = f"Some that it has: {', '.join(short[:5])}" if short else "It has no branches or tags"
    hint = f"Similar names: {', '.join(alike)}" if alike else some
    return GitError(f"{git.remote.shown!r} has no branch, tag or commit {ref!r}. {hint}")
