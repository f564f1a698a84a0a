"""Shallow clones of other people's repositories, by the user's own git."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from codeexplore.errors import GitError
from codeexplore.source.cachedir import VARIABLE, cache_folder, make_private
from codeexplore.source.gitcommand import NO_NETWORK, TIMEOUT, Git
from codeexplore.source.giturl import Remote, check_ref, parse_remote

_FULL_COMMIT = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_SHORT_COMMIT = re.compile(r"^[0-9a-f]{7,63}\Z")


class _Source(NamedTuple):
    fetched: str  # what to ask the remote for: a full ref or commit
    commit: str  # what it stands for; "" when only the whole history can tell


def clone(
    url: str, ref: str | None = None, *, dest: str | os.PathLike[str] | None = None, timeout: float = TIMEOUT
) -> Path:
    """Fetch one commit of a repository into a folder, without its history.

    Submodules and LFS files are left out. Nothing of the repository is run and nothing is asked for: a login must be
    one that git has without a prompt. After a failure nothing is left behind.

    Parameters
    ----------
    url
        https, ssh (also ``user@host:path``) or file URL, or the path of a local repository.
    ref
        Branch, tag or commit; None for the default branch. When a branch and a tag share the name it is the branch.
        A shortened commit costs the whole history.
    dest
        Folder to make; it must not exist or be empty. None: the cache folder, by URL and commit, where a clone that is
        there already is used again.
    timeout
        Seconds for each git command.

    Returns
    -------
    The folder, absolute.

    Raises
    ------
    GitError
        The URL or the ref is refused, or git failed; the message says what to do and holds no credentials.
    """
    remote = parse_remote(url)
    git = Git(remote, timeout)
    try:
        source = _resolve(git, remote, None if ref is None else check_ref(ref))
    except GitError as error:
        raise _with_earlier(error, remote) from None
    store = cache_folder() / "clones" / remote.folder
    if dest is None and source.commit and _complete(store / source.commit):
        return store / source.commit
    final = None if dest is None else _empty_place(dest)
    try:
        part = Path(tempfile.mkdtemp(prefix=".part-", dir=make_private(store if final is None else final.parent)))
    except OSError as error:
        raise GitError(f"can't write the clone: {error}. Set {VARIABLE} to a folder that can be written") from error
    try:
        commit = _fetch(git, source, part, ref)
        return _put(part, store / commit if final is None else final)
    finally:
        _remove(part)


def _with_earlier(error: GitError, remote: Remote) -> GitError:
    """The error, naming the newest clone of the same repository when the network is to blame."""
    store = cache_folder() / "clones" / remote.folder
    earlier = [clone for clone in store.glob("[0-9a-f]*") if _complete(clone)]
    if NO_NETWORK not in str(error) or not earlier:
        return error
    newest = max(earlier, key=lambda clone: clone.stat().st_mtime)
    return GitError(f"{error} An earlier clone is here: Workspace({str(newest)!r})")


def _complete(clone: Path) -> bool:
    return (clone / ".git" / "index").is_file()


def _empty_place(dest: str | os.PathLike[str]) -> Path:
    final = Path(dest).expanduser().absolute()
    if final.exists() and (not final.is_dir() or any(final.iterdir())):
        raise GitError(f"{str(final)!r} exists and is not empty; give another dest")
    return final


def _put(part: Path, final: Path) -> Path:
    """Move a finished clone to its place, where another process may have put the same one meanwhile."""
    try:
        if final.is_dir() and not any(final.iterdir()):
            final.rmdir()  # Windows replaces no folder, not even an empty one
        part.replace(final)
    except OSError as error:
        if not _complete(final):
            raise GitError(f"can't move the clone to {str(final)!r}: {error}") from error
    return final


# --------------------------------------------------------------------------- what to fetch


def _resolve(git: Git, remote: Remote, ref: str | None) -> _Source:
    """Ask the remote which commit a name stands for."""
    if ref is not None and _FULL_COMMIT.match(ref):
        return _Source(ref, ref)
    if ref is None:
        wanted = ["HEAD"]
    else:
        wanted = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    asked = [*wanted, *(f"{name}^{{}}" for name in wanted)]
    found = _listed(git.run("ls-remote", "--", remote.url, *asked))
    for name in wanted:
        if name in found:
            return _Source(name, found.get(f"{name}^{{}}", found[name]))
    if ref is None:
        raise GitError(f"{remote.shown!r} has no commits on its default branch; give ref=")
    if _SHORT_COMMIT.match(ref):
        return _Source(ref, "")
    raise _no_such_ref(git, remote, ref)


def _listed(output: str) -> dict[str, str]:
    """Ref → commit (or tag object), from the output of ls-remote."""
    rows = (line.split("\t", 1) for line in output.split("\n") if "\t" in line)
    return {name: commit for commit, name in rows}


def _no_such_ref(git: Git, remote: Remote, ref: str) -> GitError:
    names = _listed(git.run("ls-remote", "--heads", "--tags", "--", remote.url))
    short = sorted({name.split("/", 2)[2].removesuffix("^{}") for name in names if name.count("/") >= 2})
    alike = difflib.get_close_matches(ref, short, n=5, cutoff=0.4) or short[:5]
    hint = f"Nearest: {', '.join(alike)}" if alike else "It has no branches or tags"
    return GitError(f"{remote.shown!r} has no branch, tag or commit {ref!r}. {hint}")


def _fetch(git: Git, source: _Source, part: Path, ref: str | None) -> str:
    """Fill a folder with the files of one commit; returns the commit."""
    git.run("init", "--quiet", "--template=", "--", str(part))
    url = git.remote.url
    commit = ""
    if source.commit:
        result = git.attempt("fetch", "--quiet", "--depth=1", "--no-tags", "--", url, source.fetched, folder=part)
        if result.status == 0:
            commit = git.run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}", folder=part).strip()
        elif not _FULL_COMMIT.match(source.fetched):
            raise git.error(result.errors)
    if not commit:  # a shortened commit, or a server that gives out branches and tags only: look through all history
        names = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        git.run("fetch", "--quiet", "--", url, *names, folder=part)
        result = git.attempt("rev-parse", "--verify", "--quiet", f"{source.fetched}^{{commit}}", folder=part)
        if result.status != 0:
            raise _no_such_ref(git, git.remote, ref or source.fetched)
        commit = result.output.strip()
    git.run("checkout", "--quiet", "--detach", commit, folder=part)
    return commit


def _remove(folder: Path) -> None:
    """Delete a folder that may hold read-only files, as git's packs are on Windows; nothing to do when it is gone."""
    if not folder.exists():
        return

    def writable_then_again(again: Callable[..., object], path: str, _: object) -> None:
        Path(path).chmod(stat.S_IWRITE)
        again(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=writable_then_again)
    else:
        shutil.rmtree(folder, onerror=writable_then_again)
