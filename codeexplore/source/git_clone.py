"""Shallow clones of git repositories, made with the user's own git."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

from codeexplore.errors import GitError
from codeexplore.source import kept_clones
from codeexplore.source.cache_dir import VARIABLE, cache_folder, check_private, make_private
from codeexplore.source.git_command import NO_NETWORK, TIMEOUT, Git
from codeexplore.source.git_fetch import FULL_COMMIT, Source, fetch, listed, no_such_ref
from codeexplore.source.git_progress import Report, Watch
from codeexplore.source.git_url import Remote, check_ref, parse_remote

_SHORT_COMMIT = re.compile(r"^[0-9a-f]{7,63}\Z")


def clone(
    url: str,
    ref: str | None = None,
    *,
    dest: str | os.PathLike[str] | None = None,
    timeout: float = TIMEOUT,
    progress: Report | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Fetch one commit of a repository into a folder, without its history.

    Submodules and LFS files are not fetched. No code of the repository is run, and git does not prompt: credentials
    must be available without a prompt. A clone that fails or is interrupted leaves nothing.

    Parameters
    ----------
    url
        https, ssh (also ``user@host:path``) or file URL, or the path of a local repository.
    ref
        Branch, tag or commit; None for the default branch. If a branch and a tag have the same name, the branch is
        fetched. For a shortened commit, the whole history must be fetched.
    dest
        Folder to create; it must not exist, or be empty. None means a folder in the cache, named by URL and commit.
        An existing clone there is reused if it is complete, unchanged and owned by this user; otherwise it is moved
        aside.
    timeout
        Seconds for each git command.
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
    git = Git(remote, timeout, Watch(progress, cancel))
    try:
        source = _resolve(git, remote, None if ref is None else check_ref(ref))
    except GitError as error:
        raise _with_earlier(error, remote) from None
    final = None if dest is None else _empty_place(dest)
    store = _store(remote) if final is None else final.parent
    if final is None and _kept_here(store, source.commit):
        return store / source.commit
    part = kept_clones.new_place(store)
    try:
        _make(part, store)
        commit = fetch(git, source, part, ref)
        if final is not None:
            return _put(part, final)
        kept_clones.seal(part, commit)
        return _keep(part, store / commit)
    except OSError as error:
        raise GitError(f"can't move the clone to {str(store)!r}: {error}") from error
    finally:
        kept_clones.remove(part)


def _kept_here(store: Path, commit: str) -> bool:
    """Return True if the cache contains a clone of `commit` that can be reused.

    Raises GitError if other users may write to the folder of clones.
    """
    try:
        check_private(store)
        return bool(commit) and _is_kept(store / commit)
    except OSError as error:
        raise _unwritable(error) from error


def _make(part: Path, store: Path) -> None:
    """Create the work folder, in which the clone is made. Raises GitError."""
    try:
        make_private(store)
        kept_clones.sweep(store)
        part.mkdir(mode=0o700)
    except OSError as error:
        raise _unwritable(error) from error


def _unwritable(error: OSError) -> GitError:
    return GitError(f"can't write the clone: {error}. Set {VARIABLE} to a folder that can be written")


def _with_earlier(error: GitError, remote: Remote) -> GitError:
    """Return `error` with a longer message after a network failure: it names the newest clone in the cache."""
    if NO_NETWORK not in str(error):
        return error
    try:
        earlier = [clone for clone in _store(remote).glob("[0-9a-f]*") if kept_clones.is_sealed(clone)]
    except GitError:  # no folder for clones, so no earlier clone
        return error
    if not earlier:
        return error
    newest = max(earlier, key=lambda clone: clone.stat().st_mtime)
    return GitError(f"{error} An earlier clone is here: {str(newest)!r}")


def _store(remote: Remote) -> Path:
    """Return the cache folder for the clones of `remote`. Raises GitError if the user has no cache folder."""
    try:
        return cache_folder() / "clones" / remote.folder
    except OSError as error:
        raise GitError(f"there is no folder for clones: {error}") from error


def _is_kept(clone: Path) -> bool:
    """Return True if the clone in the folder `clone` can be reused. A changed clone is moved aside. Raises OSError."""
    if not os.path.lexists(clone):
        return False
    check_private(clone)
    if kept_clones.is_unchanged(clone, clone.name):
        return True
    kept_clones.set_aside(clone)
    return False


def _keep(part: Path, final: Path) -> Path:
    """Move a finished clone from `part` to `final` in the cache, and return its path.

    If another process has stored the same clone meanwhile, that clone is used.
    """
    try:
        return _put(part, final)
    except OSError:
        return final if _is_kept(final) else _put(part, final)


def _empty_place(dest: str | os.PathLike[str]) -> Path:
    final = Path(dest).expanduser().absolute()
    if final.exists() and (not final.is_dir() or any(final.iterdir())):
        raise GitError(f"{str(final)!r} exists and is not empty; give another dest")
    return final


def _put(part: Path, final: Path) -> Path:
    """Move a finished clone from `part` to `final`. Raises OSError if that path is in use."""
    if final.is_dir() and not any(final.iterdir()):
        final.rmdir()  # Windows does not replace a folder, not even an empty one
    return part.replace(final)


# --------------------------------------------------------------------------- refs


def _resolve(git: Git, remote: Remote, ref: str | None) -> Source:
    """Return the commit that the branch, tag or commit `ref` has on the remote."""
    if ref is not None and FULL_COMMIT.match(ref):
        return Source(ref, ref)
    if ref is None:
        wanted = ["HEAD"]
    else:
        wanted = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    asked = [*wanted, *(f"{name}^{{}}" for name in wanted)]
    found = listed(git.run("ls-remote", "--", remote.url, *asked))
    for name in wanted:
        if name in found:
            return Source(name, found.get(f"{name}^{{}}", found[name]))
    if ref is None:
        raise GitError(f"{remote.shown!r} has no commits on its default branch; give ref=")
    if _SHORT_COMMIT.match(ref):
        return Source(ref, "")
    raise no_such_ref(git, ref)
