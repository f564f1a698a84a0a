"""Fetch of one commit into a folder, in steps, so that an interrupted clone can be continued.

The commit's tree is fetched first, then the files in batches. Git records which files a shallow partial clone
(git-clone(1), ``--filter=blob:none``) does not have yet. Each batch is a separate fetch, so files that have arrived are
kept. A server that does not support filters sends everything at once.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import NamedTuple

from codeexplore.errors import GitError
from codeexplore.source.git_command import Git

FULL_COMMIT = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")

BATCH = 4_000
"""Files in one request. With a large batch, more is lost when the connection breaks; each batch costs a round trip."""


class Source(NamedTuple):
    """A commit to fetch."""

    fetched: str  # the full name of a ref, or a commit, as sent to the remote
    commit: str  # the commit of `fetched`; "" if it is found only in the whole history


def fetch(git: Git, source: Source, part: Path, ref: str | None) -> str:
    """Fetch the files of one commit into the folder `part`, and return the commit.

    The folder `part` may be new, or may be left from an earlier attempt.

    Raises
    ------
    GitError
        The remote has no such commit, or git failed.
    """
    git.run("init", "--quiet", "--template=", folder=part)
    commit = ""
    if source.commit:
        commit = _have(git, part, source.commit) or _shallow(git, source, part)
    if not commit:  # a shortened commit, or a server that sends branches and tags only: search the whole history
        names = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        git.run("fetch", "--progress", "--", git.remote.url, *names, folder=part)
        commit = _commit(git, part, source.fetched)
        if not commit:
            raise no_such_ref(git, ref or source.fetched)
    _fill(git, part, commit)
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
    """Fetch the commit and its tree, without files. Return "" if the server does not send single commits."""
    result = git.attempt(
        *_promised(git), "fetch", "--progress", "--depth=1", "--no-tags", "--filter=blob:none", "--",
        "origin", source.fetched, folder=part,
    )  # fmt: skip
    if result.status == 0:
        return _commit(git, part, "FETCH_HEAD")
    if FULL_COMMIT.match(source.fetched):
        return ""
    raise git.error(result.errors)


def _fill(git: Git, part: Path, commit: str) -> None:
    """Fetch the files that are missing.

    Files that the server refuses to send here are requested again by the checkout.
    """
    missing = _missing(git, part, commit)
    for done in range(0, len(missing), BATCH):
        git.watch.notify("git: files", done, len(missing))
        result = git.attempt(
            *_promised(git), "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags",
            "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin", "origin",
            folder=part, given="\n".join(missing[done : done + BATCH]) + "\n",
        )  # fmt: skip
        if result.status != 0:
            raise git.error(result.errors)
    if missing:
        git.watch.notify("git: files", len(missing), len(missing))


def _promised(git: Git) -> tuple[str, ...]:
    """Return settings that describe the remote for one git command.

    They are not stored, so that credentials in the URL do not get into the clone.
    """
    settings = ("url=" + git.remote.url, "promisor=true", "partialCloneFilter=blob:none")
    return tuple(word for setting in settings for word in ("-c", f"remote.origin.{setting}"))


def _missing(git: Git, part: Path, commit: str) -> list[str]:
    output = git.run(*_promised(git), "rev-list", "--objects", "--missing=print", "--max-count=1", commit, folder=part)
    return [line[1:] for line in output.split("\n") if line.startswith("?")]


def _have(git: Git, part: Path, commit: str) -> str:
    """Return `commit` if an earlier attempt fetched it with its whole tree; "" otherwise."""
    words = (*_promised(git), "rev-list", "--objects", "--missing=allow-promisor", "--max-count=1", "--quiet", commit)
    return commit if git.attempt(*words, folder=part).status == 0 else ""


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
