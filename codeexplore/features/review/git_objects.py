"""Files of commits, read from git's objects.

The work tree is never touched, and nothing of the repository runs. Only commands that start no program are used:
``rev-parse``, ``merge-base``, ``for-each-ref``, ``ls-files``, ``ls-tree`` and ``cat-file``, which neither check out nor
filter. Objects that a partial clone lacks are not fetched, because the repository's configuration chooses the program
that would fetch them.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from codeexplore.source.git_command import Git
from codeexplore.source.git_url import Remote
from codeexplore.source.safe_io import read_regular
from codeexplore.types.errors import GitError

MAX_TOTAL_BYTES = 1 << 30
"""Bytes of all files that one comparison reads from git's objects; more would fill the memory."""

MOST_OUTPUT = MAX_TOTAL_BYTES + (64 << 20)
"""Bytes that one command may write; a tree of a few objects can name billions of files."""

MOST_COPIES = 20
"""Files that a commit may name for each different content, above `FEW_FILES`. In a repository that people wrote it is
below two; a tree that names one folder many times was made to unfold."""

FEW_FILES = 20_000

_QUICK, _LONG = 4.0, 120.0  # seconds: of commands that read a few bytes, and of those that read trees and contents

_READ_BY_GIT = """
HEAD config config.worktree commondir gitdir index shallow packed-refs objects/info/alternates info/attributes
info/exclude info/grafts info/sparse-checkout
"""
_IN_WORK_TREE = (".mailmap", ".gitattributes", ".gitignore", ".gitmodules")
_VALUE = re.compile(rb'^[^=#;\n]*=[ \t]*"?([^"\n]+?)"?[ \t\r]*$', re.MULTILINE)
_MOST_CONFIG_BYTES, _MOST_VALUES = 1 << 20, 10_000

COMPARE_OTHERWISE = "compare with a folder (Path('before'), --base FOLDER), or give a patch (its text, --patch FILE)"

_VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "none",  # no such protocol: nothing is fetched
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
_MOST_REFERENCES = 60
_SUBMODULE, _REGULAR = "160000", ("100644", "100755", "100664")
_HEX = {40: "sha1", 64: "sha256"}


class TreeFile(NamedTuple):
    """An ordinary file of a commit. `id` is the hex digest of its object."""

    id: str
    size: int  # bytes


class Tree(NamedTuple):
    """Files of a commit below one folder. Paths are relative to the folder, with POSIX separators."""

    files: Mapping[str, TreeFile]
    submodules: Mapping[str, str]  # path → commit
    unnamed: int  # number of files whose names are not UTF-8


class GitObjects:
    """The objects of the repository around a folder, given by its absolute path.

    `cancel` stops a command. `otherwise` is the next step for a folder without a repository or without commits, for
    error messages. Raises GitError if git is not installed, the folder is in no work tree, or git refuses to read it.
    """

    def __init__(self, root: Path, cancel: threading.Event | None = None, otherwise: str = COMPARE_OTHERWISE) -> None:
        self.root, self._otherwise = root, otherwise
        shown = str(root)
        remote = Remote(shown, shown, "")
        self._git = Git(remote, _LONG, cancel=cancel, variables=_VARIABLES, most_output=MOST_OUTPUT)
        self._quick = Git(remote, _QUICK, cancel=cancel, variables=_VARIABLES)
        _refuse_blocking(root)
        status, output, errors = self._read("rev-parse", "--is-inside-work-tree", "--show-prefix")
        inside, _, prefix = output.decode("utf-8", "surrogateescape").partition("\n")
        if inside == "false":
            raise GitError(
                f"{shown!r} has no work tree: it is a bare repository or inside .git. Give the folder of a checkout"
            )
        if status != 0:
            raise _unreadable(shown, errors, otherwise)
        self.prefix = prefix.removesuffix("\n")  # path of the folder below the top, "" or ending in a slash

    def references(self) -> list[str]:
        """Return the short names of branches and tags, the latest commit first. Raises GitError."""
        listed = ("--sort=-creatordate", f"--count={_MOST_REFERENCES}", "--format=%(refname:short)")
        output = self.checked("for-each-ref", *listed, "refs/heads", "refs/tags", "refs/remotes")
        return [name for name in output.decode("utf-8", "replace").splitlines() if name]

    def commit(self, ref: str) -> str:
        """Return the id of the commit that a reference or an expression such as ``HEAD~3`` names. Raises GitError."""
        if not ref.strip() or "\0" in ref or "\n" in ref:
            raise GitError(f"{ref!r:.80} is not a git reference; give a branch, a tag, a commit, or main...feature")
        status, output, errors = self._read("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
        if status == 0:
            return output.decode().strip()
        if "does not exist" in errors or "bad object" in errors or "unable to read" in errors:
            raise GitError(f"the commit {ref!r:.80} is not complete in this clone: {_last(errors)}")
        if ref == "HEAD":
            raise GitError(
                f"{str(self.root)!r} has no commit yet; commit first{self._otherwise and ', or '}{self._otherwise}"
            )
        raise GitError(f"no commit of {str(self.root)!r} is called {ref!r:.80}; {self._next_step()}")

    def merge_base(self, one: str, other: str) -> str:
        """Return the best common ancestor of two commits. Raises GitError if they have none."""
        status, output, _ = self._read("merge-base", one, other)
        if status != 0:
            raise GitError(f"{one[:12]} and {other[:12]} have no common ancestor here; {self._next_step()}")
        return output.decode().split()[0]

    def _next_step(self) -> str:
        if self.is_shallow():
            return "this clone is shallow: `git fetch --unshallow` gets the history before it"
        return "`git log --oneline` lists commits, `git branch -a` lists branches"

    def is_shallow(self) -> bool:
        return self._read("rev-parse", "--is-shallow-repository")[1].strip() == b"true"

    def is_partial(self) -> bool:
        """Return True if the clone lacks contents, which git would fetch when it needs them."""
        pattern = r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$"
        return self._read("config", "--get-regexp", pattern)[0] == 0

    def checked(self, *words: str, given: bytes | None = None) -> bytes:
        """Return the output of a plumbing command of git that starts no program. Raises GitError if it fails."""
        status, output, errors = self._read(*words, given=given)
        if status != 0:
            raise GitError(f"git {words[0]} failed in {str(self.root)!r}: {_last(errors)}")
        return output

    def blobs(self, ids: Iterable[str], max_bytes: int) -> dict[str, bytes]:
        """Return contents by object id, without those of more than `max_bytes`. Raises GitError as `contents` does."""
        sizes = self._sizes(ids)
        return self.contents(TreeFile(each, size) for each, size in sizes.items() if size <= max_bytes)

    def _sizes(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the sizes of blobs by object id. Raises GitError for a missing object."""
        wanted = dict.fromkeys(ids)
        if not wanted:
            return {}
        given = "".join(f"{each}\n" for each in wanted).encode()
        status, output, errors = self._read("cat-file", "--batch-check", given=given)
        if status != 0:
            raise _missing(next(iter(wanted)), _last(errors))
        sizes = {}
        for row in output.decode("ascii", "replace").splitlines():
            words = row.split()
            if len(words) != 3 or words[1] != "blob":
                raise _missing(words[0], row)
            sizes[words[0]] = int(words[2])
        return sizes

    def tree(self, commit: str) -> Tree:
        """Return the files of a commit below the folder. Raises GitError."""
        below = self.prefix or "."
        output = self.checked("ls-tree", "-r", "-z", "--full-tree", commit, "--", below)
        rows = [row.partition(b"\t") for row in output.split(b"\0")[:-1]]
        different = len({facts for facts, _, _ in rows})
        if len(rows) > max(FEW_FILES, MOST_COPIES * different):
            raise GitError(
                f"{commit[:12]} names {len(rows):,} files, of which {different:,} differ: its folders repeat "
                f"themselves{self._otherwise and '; '}{self._otherwise}"
            )
        ids: dict[str, str] = {}
        submodules: dict[str, str] = {}
        unnamed = 0
        skip = len(self.prefix.encode("utf-8", "surrogateescape"))
        for facts, _, name in rows:
            mode, _, object_id = facts.decode("ascii").split()
            try:
                path = name[skip:].decode("utf-8")
            except UnicodeDecodeError:
                unnamed += 1
                continue
            if mode == _SUBMODULE:
                submodules[path] = object_id
            elif mode in _REGULAR:  # not a link
                ids[path] = object_id
        sizes = self._sizes(ids.values())
        return Tree({path: TreeFile(each, sizes[each]) for path, each in ids.items()}, submodules, unnamed)

    def left_out(self) -> set[str]:
        """Return the tracked files that a sparse checkout leaves out, relative to the folder. Raises GitError."""
        rows = self.checked("ls-files", "-t", "-z").decode("utf-8", "surrogateescape").split("\0")
        return {row[2:] for row in rows if row.startswith("S ")}

    def contents(self, wanted: Iterable[TreeFile]) -> dict[str, bytes]:
        """Return contents by id. Raises GitError for a missing or damaged object, and above `MAX_TOTAL_BYTES`."""
        sizes = {each.id: each.size for each in wanted}
        if (total := sum(sizes.values())) > MAX_TOTAL_BYTES:
            raise GitError(
                f"the files that differ have {total / 1e9:.1f} GB; compare nearer commits, or load a "
                "smaller folder (only=)"
            )
        if not sizes:
            return {}
        given = "".join(f"{each}\n" for each in sizes).encode()
        status, output, errors = self._read("cat-file", "--batch", given=given)
        found: dict[str, bytes] = {}
        at = 0
        for object_id, size in sizes.items():
            end = output.find(b"\n", at)
            if status != 0 or end < 0 or output[at:end] != f"{object_id} blob {size}".encode():
                said = output[at:end].decode("utf-8", "replace")[:200] if end >= 0 else _last(errors)
                raise _missing(object_id, said)
            found[object_id] = output[end + 1 : end + 1 + size]
            at = end + 1 + size + 1
        return found

    def _read(self, *words: str, given: bytes | None = None) -> tuple[int, bytes, str]:
        long = words[0] in ("ls-tree", "ls-files", "cat-file", "rev-list", "diff-tree")
        return (self._git if long else self._quick).read(*words, folder=self.root, given=given)


def _refuse_blocking(root: Path) -> None:
    """Raise GitError if git would wait for a pipe or read a device without end.

    Looked at are the files that git always reads, and those that its configuration names.
    """
    for top in (root, *root.parents):
        dot = top / ".git"
        if not os.path.lexists(dot):
            continue
        folder = dot
        if not dot.is_dir():  # of a worktree: a line that names the folder
            link = _config(dot).partition(b"gitdir:")[2].strip()
            folder = top / os.fsdecode(link.replace(b"\0", b"")) if link else dot
        for each in (dot, *(folder / name for name in _READ_BY_GIT.split()), *(top / name for name in _IN_WORK_TREE)):
            _refuse_special(each)
        _refuse_special(folder / os.fsdecode(_config(folder / "HEAD").partition(b"ref: ")[2].strip()))
        seen, pending = set[Path](), [folder / "config", folder / "config.worktree"]
        while pending and len(seen) < _MOST_VALUES:
            config = pending.pop()
            for value in _VALUE.findall(_config(config))[:_MOST_VALUES]:
                named = os.path.expanduser(os.fsdecode(value))  # noqa: PTH111 - `Path` raises for an unknown user
                for start in (config.parent, top):
                    path = start / named
                    if "\0" not in named and path not in seen and len(named) < 4096:
                        seen.add(path)
                        _refuse_special(path)
                        if named.endswith(("config", ".inc", ".gitconfig")):
                            pending.append(path)
        return


def _refuse_special(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or path == Path(os.devnull)):
        raise GitError(f"git would wait for {str(path)!r}, which is no ordinary file; remove it")


def _config(path: Path) -> bytes:
    try:
        return read_regular(path, _MOST_CONFIG_BYTES)
    except OSError:  # git reports it, if it needs the file
        return b""


def object_id(data: bytes | memoryview, like: str) -> str:
    """Return the id that git gives to a file's content, by the hash function of the id `like`."""
    digest = hashlib.new(_HEX[len(like)], usedforsecurity=False)
    digest.update(b"blob %d\0" % len(data))
    digest.update(data)
    return digest.hexdigest()


def _missing(object_id: str, said: str) -> GitError:
    return GitError(
        f"git can't read the object {object_id[:12]}: {said}. It is damaged, or this partial clone lacks it; "
        "`git fetch --refetch --no-filter` gets all"
    )


def _unreadable(shown: str, errors: str, otherwise: str) -> GitError:
    if "dubious ownership" in errors:
        return GitError(
            f"another user owns the repository {shown!r}, so git does not read it; "
            f"git config --global --add safe.directory {shown!r} trusts it"
        )
    if "not a git repository" in errors:
        step = otherwise or "clone the repository with its history, and load the clone"
        return GitError(f"{shown!r} is not in a git repository; {step}")
    return GitError(f"git can't read the repository {shown!r}: {_last(errors)}")


def _last(errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    return lines[-1].removeprefix("fatal: ")[:300] if lines else "it gave no reason"
