"""Commits of a repository with the files that each changes, read from git's objects in one pass.

``rev-list`` lists the commits and ``diff-tree`` compares each with its parent. Both are plumbing: they start no pager,
external diff or text conversion, whatever the configuration of the repository says. Merges are left out, because their
changes are in the commits that they merge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codeexplore.features.review.git_objects import GitObjects

MOST_COMMITS = 100_000
"""Commits that are read at most, the newest first. Linux has ten times as many; they take about a minute."""

_BATCH = 2_000  # commits of one command: progress and cancellation come between two
_RENAME_LIMIT = 300  # added times removed files up to its square are compared by content; git's own default is 1,000
_LATEST = 1 << 40  # seconds; a later time is damaged
_REGULAR = ("100644", "100755", "000000")  # modes of ordinary files, and of none
_ID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS = re.compile(r"([^\s@<>]+)@[^\s@<>]+")


class ChangedPath(NamedTuple):
    """A file in a commit. `old` is its path before, if it was renamed, else "". An id is "" if there was no file."""

    status: str  # "A" added, "M" changed, "D" deleted, "R" renamed, "T" its type changed
    path: str  # for a deleted file, its path before
    old: str = ""
    old_id: str = ""  # of its contents
    new_id: str = ""
    regular: bool = True  # no link or submodule


class LoggedCommit(NamedTuple):
    """A commit that is no merge. `author` is a name as .mailmap gives it, without an address."""

    id: str
    time: int  # seconds since the epoch, as the author's machine said
    author: str
    files: tuple[ChangedPath, ...]
    unnamed: int = 0  # files whose names are not UTF-8, left out of `files`


class Commits(NamedTuple):
    """The commits that can be reached from one: their ids, newest first, and what was left out."""

    head: str
    ids: tuple[str, ...]  # without merges
    merges: int
    cut: bool  # there are more than `MOST_COMMITS`
    shallow: bool  # the clone lacks older commits
    partial: bool  # the clone lacks contents, so only files that were renamed without another change are found


_RAW = ("--raw", "--no-abbrev", "--format=%H %at %aN")  # what `_parsed` reads


def list_commits(objects: GitObjects, ref: str = "HEAD") -> Commits:
    """Return the commits that can be reached from a reference. Raises GitError without such a commit."""
    head = objects.commit(ref)
    shallow = objects.is_shallow()
    output = objects.checked("rev-list", "--parents", f"--max-count={MOST_COMMITS + 1}", head)
    rows = [line.split() for line in output.decode("ascii").splitlines()]
    kept = rows[:MOST_COMMITS]
    # The parents of the oldest commits of a shallow clone are missing, so these commits seem to add all files.
    single = [row[0] for row in kept if len(row) == 2 or (len(row) == 1 and not shallow)]
    return Commits(
        head, tuple(single), sum(len(row) > 2 for row in kept), len(rows) > MOST_COMMITS, shallow, objects.is_partial()
    )


def read_log(objects: GitObjects, ids: Sequence[str], report: Callable[[int], None]) -> Iterator[LoggedCommit]:
    """Yield commits with their files, in the order of `ids`. Commits that change no file are left out.

    Paths are relative to the folder of `objects`. The path of a file outside of it begins with a slash and is relative
    to the top of the repository. `report` is called with the number of commits read so far. Raises GitError if a commit
    is missing or damaged, and LoadCancelled.
    """
    for end, output in _compared(objects, ids, _RAW):
        yield from _parsed(output, objects.prefix)
        report(end)


def _parsed(output: bytes, prefix: str) -> Iterator[LoggedCommit]:
    """Yield the commits of the output of ``diff-tree -z --raw``: fields that end in NUL.

    A field is the header of a commit, or a colon with modes, ids and a status. One or two paths follow a status, so a
    path is never mistaken for another field.
    """
    fields = iter(output.split(b"\0"))
    header: bytes | None = None
    files: list[ChangedPath] = []
    unnamed = 0
    for field in fields:
        text = field.lstrip(b"\n")
        if text.startswith(b":"):
            old_mode, new_mode, old_id, new_id, status = text[1:].decode("ascii").split()
            paths = [next(fields), next(fields)] if status[0] in "RC" else [next(fields)]
            try:
                old, new = (_below(each.decode("utf-8"), prefix) for each in (paths[0], paths[-1]))
            except UnicodeDecodeError:
                unnamed += 1
                continue
            regular = old_mode in _REGULAR and new_mode in _REGULAR
            before = old if status[0] == "R" else ""
            files.append(ChangedPath(status[0], new, before, _present(old_id), _present(new_id), regular))
        elif text:
            if header is not None:
                yield _commit(header, files, unnamed)
            header, files, unnamed = text, [], 0
    if header is not None:
        yield _commit(header, files, unnamed)


def _below(path: str, prefix: str) -> str:
    """Return a path relative to the loaded folder; a path outside of it begins with a slash."""
    if not prefix:
        return path
    return path.removeprefix(prefix) if path.startswith(prefix) else f"/{path}"


def _commit(header: bytes, files: list[ChangedPath], unnamed: int) -> LoggedCommit:
    object_id, _, rest = header.decode("utf-8", "replace").partition(" ")
    time, _, name = rest.partition(" ")
    seconds = int(time) if re.fullmatch(r"\d{1,13}", time) else 0
    shown = _ADDRESS.sub(r"\1@…", name.strip())[:200] or "unknown"
    return LoggedCommit(object_id, min(seconds, _LATEST), shown, tuple(files), unnamed)


def read_versions(objects: GitObjects, ids: Sequence[str], paths: Sequence[str]) -> Iterator[LoggedCommit]:
    """Yield commits with some of their files, as `read_log` does; all files if `paths` is empty.

    Files are given by every path that they had. Raises GitError and LoadCancelled.
    """
    from_top = [path[1:] if path.startswith("/") else objects.prefix + path for path in paths]
    limits = [f":(top,literal){path}" for path in from_top]
    for _, output in _compared(objects, ids, _RAW, limits):
        yield from _parsed(output, objects.prefix)


def read_changing(objects: GitObjects, ids: Sequence[str], text: str) -> Iterator[str]:
    """Yield the commits that change how often files contain a text, in the order of `ids`. Raises GitError."""
    for _, output in _compared(objects, ids, ["--name-only", "--format=%H", f"-S{text}"]):
        yield from (field.strip().decode() for field in output.split(b"\0") if _ID.fullmatch(field.strip()))


def _present(object_id: str) -> str:
    """Return an id; "" for that of zeros, which means no file."""
    return object_id if object_id.strip("0") else ""


def _compared(
    objects: GitObjects, ids: Sequence[str], words: Sequence[str], limits: Sequence[str] = ()
) -> Iterator[tuple[int, bytes]]:
    """Yield (number of commits so far, output of ``diff-tree`` for the next ones).

    A partial clone lacks the contents by which similar files are compared, so only equal ones are found there.
    """
    renames = "-M100%" if objects.is_partial() else "-M"
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        options = ("--stdin", "-r", "-z", "--root", renames, f"-l{_RENAME_LIMIT}", "--encoding=UTF-8", *words)
        given = "".join(f"{each}\n" for each in batch).encode()
        output = objects.checked("diff-tree", *options, "--", *limits, given=given)
        yield start + len(batch), output
