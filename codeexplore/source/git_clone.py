"""Shallow clones of git repositories, made with the user's own git, and the clones that are kept in the cache.

A clone is made in a work folder and renamed when it is complete, so a folder that has the name of a commit is a
complete clone. Before it is used again, ``git status`` must find no change.
"""

from __future__ import annotations

import difflib
import logging
import os
import re
import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from stat import S_IWRITE
from typing import NamedTuple

from codeexplore.source.git_command import NO_NETWORK, TIMEOUT, Git, Report
from codeexplore.source.git_url import Remote, check_ref, parse_remote
from codeexplore.source.safe_io import VARIABLE, cache_folder, check_private, make_private
from codeexplore.types.errors import GitError

logger = logging.getLogger("codeexplore")

_KEPT_SECONDS = 7 * 24 * 3600
_WORK, _CHANGED = ".part-", ".changed-"  # prefixes of work folders, and of clones that somebody changed
_FULL_COMMIT = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_SHORT_COMMIT = re.compile(r"^[0-9a-f]{7,63}\Z")

_EXACT = "* -text -filter -ident -working-tree-encoding\n"
"""Attributes that take precedence over those in the repository: files are checked out as they are stored. So the
repository cannot choose a filter in the user's configuration, which would run a program."""

_WRITTEN = """
core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode
core.symlinks extensions.objectformat extensions.refstorage
"""
_OWN_SETTINGS = frozenset(_WRITTEN.split())
"""Settings that ``git init`` may write into a repository. A clone with others was changed."""


def clone(
    url: str,
    ref: str | None = None,
    *,
    progress: Report | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Fetch one commit of a repository into a folder of the cache, without its history.

    The folder is named by URL and commit. A clone that is there is reused if it is complete, unchanged and owned by
    this user; otherwise it is moved aside.

    Files are written as the repository stores them: submodules and LFS files are not fetched, and line ends are not
    converted. No code of the repository is run, and git does not prompt: credentials must be available without a
    prompt. A clone that fails or is interrupted leaves nothing.

    Parameters
    ----------
    url
        https, ssh (also ``user@host:path``) or file URL, or the path of a local repository.
    ref
        Branch, tag or commit; None for the default branch. If a branch and a tag have the same name, the branch is
        fetched. For a shortened commit, the whole history must be fetched.
    progress
        Called with (stage, done, total) while git works.
    cancel
        Set this event from another thread to stop the clone.

    Returns
    -------
        The absolute path of the folder.

    Raises
    ------
    GitError
        The URL or the ref is refused, or git failed; the message names the next step and contains no credentials.
    LoadCancelled
        `cancel` was set.
    """
    remote = parse_remote(url)
    git = Git(remote, TIMEOUT, progress, cancel)
    try:
        source = _resolve(git, None if ref is None else check_ref(ref))
    except GitError as error:
        raise _with_earlier(error, remote) from None
    store = _store(remote)
    # the path is known before the folder is made, so that the folder can always be deleted
    part = store / f"{_WORK}{secrets.token_hex(8)}"
    try:
        check_private(store)
        if source.commit and _is_kept(git, store / source.commit):
            return store / source.commit
        make_private(store)
        _sweep(store)
        part.mkdir(mode=0o700)
        commit = _fetch(git, source, part, ref)
        return _keep(git, part, store / commit)
    except OSError as error:
        raise GitError(f"can't write the clone: {error}. Set {VARIABLE} to a folder that can be written") from error
    finally:
        _remove(part)


# --------------------------------------------------------------------------- fetch


class _Source(NamedTuple):
    """A commit to fetch."""

    fetched: str  # the full name of a ref, or a commit, as sent to the remote
    commit: str  # the commit of `fetched`; "" if it is found only in the whole history


def _resolve(git: Git, ref: str | None) -> _Source:
    if ref is not None and _FULL_COMMIT.match(ref):
        return _Source(ref, ref)
    if ref is None:
        wanted = ["HEAD"]
    else:
        wanted = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    found = _listed(git.run("ls-remote", "--", git.remote.url, *wanted, *(f"{name}^{{}}" for name in wanted)))
    for name in wanted:
        if name in found:
            return _Source(name, found.get(f"{name}^{{}}", found[name]))
    if ref is None:
        raise GitError(f"{git.remote.shown!r} has no commits on its default branch; give ref=")
    if _SHORT_COMMIT.match(ref):
        return _Source(ref, "")
    raise _no_such_ref(git, ref)


def _fetch(git: Git, source: _Source, part: Path, ref: str | None) -> str:
    """Fetch the files of one commit into the empty folder `part`, and return the commit. Raises GitError."""
    git.run("init", "--quiet", "--template=", folder=part)
    (part / ".git" / "info").mkdir()
    (part / ".git" / "info" / "attributes").write_text(_EXACT)
    fetch, url, commit = ("fetch", "--progress"), git.remote.url, ""
    if source.commit:
        shallow = git.attempt(*fetch, "--depth=1", "--no-tags", "--", url, source.fetched, folder=part)
        if shallow.status == 0:
            commit = _commit(git, part, "FETCH_HEAD")
        elif not _FULL_COMMIT.match(source.fetched):
            raise git.error(shallow.errors)
    if not commit:  # a shortened commit, or a server that sends branches and tags only: search the whole history
        names = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        git.run(*fetch, "--", url, *names, folder=part)
        commit = _commit(git, part, source.fetched)
        if not commit:
            raise _no_such_ref(git, ref or source.fetched)
    git.run("checkout", "--progress", "--force", "--detach", commit, folder=part)
    return commit


def _commit(git: Git, part: Path, name: str) -> str:
    result = git.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=part)
    return result.output.strip() if result.status == 0 else ""


def _listed(output: str) -> dict[str, str]:
    rows = (line.split("\t", 1) for line in output.split("\n") if "\t" in line)
    return {name: commit for commit, name in rows}


def _no_such_ref(git: Git, ref: str) -> GitError:
    """Return the error for a ref that the remote does not have. The message names similar refs."""
    names = _listed(git.run("ls-remote", "--heads", "--tags", "--", git.remote.url))
    short = sorted({name.split("/", 2)[2].removesuffix("^{}") for name in names if name.count("/") >= 2})
    alike = difflib.get_close_matches(ref, short, n=5, cutoff=0.4)
    some = f"Some that it has: {', '.join(short[:5])}" if short else "It has no branches or tags"
    hint = f"Similar names: {', '.join(alike)}" if alike else some
    return GitError(f"{git.remote.shown!r} has no branch, tag or commit {ref!r}. {hint}")


# --------------------------------------------------------------------------- clones on disk


def _store(remote: Remote) -> Path:
    """Return the cache folder for the clones of `remote`. Raises GitError if the user has no cache folder."""
    try:
        return cache_folder() / "clones" / remote.folder
    except OSError as error:
        raise GitError(f"there is no folder for clones: {error}") from error


def _with_earlier(error: GitError, remote: Remote) -> GitError:
    """Return `error` with a longer message after a network failure: it names the newest clone in the cache."""
    if NO_NETWORK not in str(error):
        return error
    try:
        earlier = list(_store(remote).glob("[0-9a-f]*"))
    except GitError:  # no folder for clones, so no earlier clone
        return error
    if not earlier:
        return error
    newest = max(earlier, key=lambda clone: clone.stat().st_mtime)
    return GitError(f"{error} An earlier clone is here: {str(newest)!r}")


def _is_kept(git: Git, clone: Path) -> bool:
    """Return True if the clone in the folder `clone`, named by its commit, can be reused.

    A changed clone is renamed, in case somebody wants the changes, and deleted a week later. Raises OSError.
    """
    if not os.path.lexists(clone):
        return False
    check_private(clone)
    if _is_unchanged(git, clone):
        return True
    aside = clone.with_name(f"{_CHANGED}{secrets.token_hex(8)}")
    clone.rename(aside)
    os.utime(aside)
    logger.warning("the clone %s was changed or is incomplete: it is renamed to %s, and cloned again", clone, aside)
    return False


def _is_unchanged(git: Git, clone: Path) -> bool:
    # before the other command: a setting could run a program in it
    listed = git.attempt("config", "--local", "--null", "--name-only", "--list", folder=clone)
    if listed.status != 0 or not _OWN_SETTINGS.issuperset(listed.output.split("\0")[:-1]):
        return False
    words = ("--porcelain=v2", "--branch", "--untracked-files=all", "--ignored", "--ignore-submodules=all")
    rows = git.attempt("status", *words, folder=clone).output.splitlines()
    return f"# branch.oid {clone.name}" in rows and all(row.startswith("#") for row in rows)


def _keep(git: Git, part: Path, final: Path) -> Path:
    """Move a finished clone into the cache. If another process has stored the same clone meanwhile, use that one."""
    try:
        return part.replace(final)
    except OSError:
        return final if _is_kept(git, final) else part.replace(final)


def _sweep(store: Path) -> None:
    """Delete old work folders, which killed processes have left, and old changed clones."""
    oldest = time.time() - _KEPT_SECONDS
    for folder in [*store.glob(f"{_WORK}*"), *store.glob(f"{_CHANGED}*")]:
        if folder.lstat().st_mtime < oldest:
            _remove(folder)


def _remove(folder: Path) -> None:
    """Delete `folder`, which may contain read-only files (on Windows, git's packs are). A missing folder is ignored."""
    if folder.is_symlink():
        folder.unlink()
    if not folder.exists():
        return

    def writable_then_again(again: Callable[..., object], path: str, _: object) -> None:
        Path(path).chmod(S_IWRITE)
        again(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=writable_then_again)
    else:
        shutil.rmtree(folder, onerror=writable_then_again)
