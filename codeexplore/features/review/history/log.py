"""The commits of a repository with the files that each changed: read from git's objects, and kept as columns.

``rev-list`` lists the commits and ``diff-tree`` compares each with its parent, in one pass. Both are plumbing: they
start no pager, external diff or text conversion, whatever the configuration of the repository says. Merges are left
out, because their changes are in the commits that they merge.

Commits are rows, the newest first. A file that was renamed is one file, under its last path. A path that was deleted
and added again is two files.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.index.archive import Archive, write_archive
from codeexplore.index.columns import Strings, packed
from codeexplore.source.safe_io import make_private
from codeexplore.types.errors import DamagedIndex
from codeexplore.workspace.cache import slot_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from codeexplore.index.columns import Member
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress

logger = logging.getLogger(__name__)
_FILE = "history.zip"

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


_ARRAYS = ("times", "authors", "starts", "files", "called", "sizes")
_TEXTS = ("ids", "names", "paths", "spellings")


@dataclass(frozen=True, eq=False)
class History:
    """The commits that lead to `head`, without merges.

    The file with the number ``files[k]`` was changed by the commit whose row r has ``starts[r] <= k < starts[r + 1]``.
    """

    head: str
    ids: Sequence[str]  # of each commit, hexadecimal
    times: NDArray[np.int64]  # of each commit, seconds since the epoch
    authors: NDArray[np.int32]  # of each commit, number in `names`
    starts: NDArray[np.int64]  # one more than commits
    files: NDArray[np.int32]  # number in `paths`
    called: NDArray[np.int32]  # path in that commit, number in `spellings`
    sizes: NDArray[np.int32]  # of each commit: files that it changed, with those outside of the loaded folder
    names: Sequence[str]  # of the authors
    paths: Sequence[str]  # of the files, the last path of each
    spellings: Sequence[str]  # every path that a file ever had
    merges: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, commits: Commits, log: Iterable[LoggedCommit]) -> History:
        """Return the history of commits in the order of ``git log``, the newest first. Renames are followed back."""
        now: dict[str, int] = {}  # path at the commit in turn → number of the file
        paths: list[str] = []
        names: dict[str, int] = {}
        spellings: dict[str, int] = {}
        ids: list[str] = []
        times, authors, sizes, counts = [], [], [], []
        files: list[int] = []
        called: list[int] = []
        unnamed = 0
        for commit in log:
            inside = [each for each in commit.files if not each.path.startswith("/")]
            for each in inside:
                if each.path not in now:
                    now[each.path] = len(paths)
                    paths.append(each.path)
                files.append(now[each.path])
                called.append(spellings.setdefault(each.path, len(spellings)))
            for each in inside:
                if each.status in ("A", "R"):
                    number = now.pop(each.path)
                    if each.old and not each.old.startswith("/"):
                        now[each.old] = number
            ids.append(commit.id)
            times.append(commit.time)
            authors.append(names.setdefault(commit.author, len(names)))
            sizes.append(len(commit.files) + commit.unnamed)
            counts.append(len(inside))
            unnamed += commit.unnamed
        return cls(
            head=commits.head,
            ids=ids,
            times=np.array(times, np.int64),
            authors=np.array(authors, np.int32),
            starts=np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64),
            files=np.array(files, np.int32),
            called=np.array(called, np.int32),
            sizes=np.array(sizes, np.int32),
            names=list(names),
            paths=paths,
            spellings=list(spellings),
            merges=commits.merges,
            notes=_notes(commits, len(ids), unnamed),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _number(self) -> Mapping[str, int]:
        """Path → number of the newest file that has it as its last path."""
        found: dict[str, int] = {}
        for number, path in enumerate(self.paths):
            found.setdefault(path, number)  # files are numbered from the newest commit on
        return found

    @cached_property
    def _by_file(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows of commits sorted by file, and where the rows of each file begin."""
        rows = np.repeat(np.arange(len(self.ids)), np.diff(self.starts))
        order = np.argsort(self.files, kind="stable")
        return rows[order], np.searchsorted(self.files[order], np.arange(len(self.paths) + 1))

    def file(self, path: str) -> int | None:
        """Return the number of the file that has this path now; None if no commit changed it."""
        return self._number.get(path)

    def rows_of(self, file: int) -> NDArray[np.int64]:
        """Return the rows of the commits that changed a file, newest first."""
        rows, starts = self._by_file
        return rows[starts[file] : starts[file + 1]]

    def commits_of(self, path: str) -> NDArray[np.int64]:
        """Return the rows of the commits that changed the file with this path, newest first. They may be none."""
        number = self.file(path)
        return np.zeros(0, np.int64) if number is None else self.rows_of(number)

    def last_path(self, path: str) -> str | None:
        """Return the last path of the newest file that ever had this path; None if no file had it."""
        if path in self._number:
            return path
        if path not in self.spellings:
            return None
        rows = np.flatnonzero(self.called == self.spellings.index(path))
        return self.paths[int(self.files[rows[0]])]

    def files_of(self, row: int) -> NDArray[np.int32]:
        return self.files[self.starts[row] : self.starts[row + 1]]

    def spellings_of(self, path: str) -> tuple[str, ...]:
        """Return every path that a file had, the last first."""
        number = self.file(path)
        codes = self.called[self.files == number] if number is not None else ()
        return tuple(dict.fromkeys((path, *(self.spellings[code] for code in codes))))

    def author(self, row: int) -> str:
        return self.names[int(self.authors[row])]

    def date(self, row: int) -> str:
        return day(int(self.times[row]))

    def members(self) -> dict[str, Member]:
        found: dict[str, Member] = {f"history_{name}": getattr(self, name) for name in _ARRAYS}
        for name in _TEXTS:
            found |= packed(f"history_{name}", getattr(self, name))
        return found

    def meta(self) -> dict[str, object]:
        return {"head": self.head, "merges": self.merges, "notes": list(self.notes)}

    @classmethod
    def stored(cls, archive: Archive) -> History:
        """Return the history in an archive. Raises DamagedIndex."""
        archive.verify()
        meta = archive.meta
        notes, merges = meta.get("notes"), meta.get("merges")
        # columns are copied, so that the file can be replaced on Windows
        facts: dict[str, Any] = {name: archive.array(f"history_{name}").copy() for name in _ARRAYS}
        facts |= {name: list(Strings.of(archive, f"history_{name}")) for name in _TEXTS}
        facts["merges"] = merges if isinstance(merges, int) else 0
        facts["notes"] = tuple(map(str, notes)) if isinstance(notes, list) else ()
        made = cls(head=str(meta.get("head")), **facts)
        _check(made)
        return made


def day(seconds: int) -> str:
    """Return a day in UTC, such as ``2024-05-31``, from seconds since the epoch; "" for a time after the year 9999."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return ""


def _notes(commits: Commits, read: int, unnamed: int) -> tuple[str, ...]:
    found = []
    if commits.shallow:
        found.append(f"This clone is shallow: it has {read:,} of the commits. `git fetch --unshallow` gets the others.")
    if commits.cut:
        found.append(f"Only the newest {read:,} commits were read.")
    if commits.partial:
        found.append(
            "This partial clone lacks file contents: a file that was renamed and edited at once counts as a new one."
        )
    if unnamed:
        found.append(f"{unnamed:,} changes of files whose names are not UTF-8 were left out.")
    return tuple(found)


def _check(history: History) -> None:
    commits, rows = len(history.ids), len(history.files)
    fits = (
        len(history.times) == len(history.authors) == len(history.sizes) == commits
        and len(history.starts) == commits + 1
        and len(history.called) == rows
        and int(history.starts[0]) == 0
        and int(history.starts[-1]) == rows
        and bool(np.all(np.diff(history.starts) >= 0))
    )
    columns = [(history.files, history.paths), (history.called, history.spellings), (history.authors, history.names)]
    if not fits or any(len(c) and not (0 <= int(c.min()) <= int(c.max()) < len(names)) for c, names in columns):
        raise DamagedIndex("the stored history does not fit together")


class HistoryStore:
    """The history of one workspace. It is read again when HEAD has moved."""

    def __init__(self, options: LoadOptions, *, cached: bool) -> None:
        self._options, self._cached = options, cached
        self._known: History | None = None

    def read(self, root: Path, progress: Progress) -> tuple[History, GitObjects]:
        """Return the history up to HEAD, and the objects of the repository. Raises GitError and LoadCancelled."""
        objects = GitObjects(root, progress.cancel, otherwise="")
        head = objects.commit("HEAD")
        known = self._known
        if known is None or known.head != head:
            known = self._stored(root, head)
        if known is None:
            commits = list_commits(objects, head)
            with progress.stage("history", len(commits.ids)) as report:
                known = History.of(commits, read_log(objects, commits.ids, report))
            self._store(root, known)
        self._known = known
        return known, objects

    def _stored(self, root: Path, head: str) -> History | None:
        if not self._cached:
            return None
        try:
            path = slot_of(root, self._options).folder / _FILE
            history = History.stored(Archive(path))
        except FileNotFoundError:
            return None
        except (OSError, DamagedIndex, ValueError) as error:
            logger.warning("the stored history is not used, so it is read again: %s", error)
            return None
        return history if history.head == head else None

    def _store(self, root: Path, history: History) -> None:
        if not self._cached:
            return
        try:
            folder = slot_of(root, self._options).folder
            make_private(folder)
            write_archive(folder / _FILE, {"root": str(root), **history.meta()}, history.members())
        except OSError as error:
            logger.warning("the history could not be stored in the cache: %s", error)


# --------------------------------------------------------------------------- co-change
# Support and confidence are those of association rules over commits, as in ROSE (Zimmermann, Weißgerber, Diehl, Zeller:
# Mining Version Histories to Guide Software Changes, ICSE 2004). The order differs: a shared commit counts less if it
# changed many files, and less the more commits of the target came after it. benchmarks/cochange.py compares the orders.
MOST_FILES = 30
"""Files of a commit that counts. A larger one is a mass change (a new licence header, a formatter), which says nothing
about any two of its files. The bound is that of ROSE."""
HALF_LIFE = 20
"""Commits of the target after which a shared commit counts half."""
T = TypeVar("T", bound=Hashable)


class Shared(NamedTuple):
    """The commits that an item shares with the target: their rows, newest first, and their weight."""

    rows: tuple[int, ...]
    weight: float


def counted(history: History, rows: Iterable[int]) -> list[int]:
    return [int(row) for row in rows if history.sizes[row] <= MOST_FILES]


def shared(commits: Sequence[tuple[int, Iterable[T]]]) -> dict[T, Shared]:
    """Return item → what it shares with the target, the heaviest first.

    `commits` has the row of each commit of the target, newest first, and the items that it changed besides the target.
    """
    weights: dict[T, float] = defaultdict(float)
    rows: dict[T, list[int]] = defaultdict(list)
    for age, (row, items) in enumerate(commits):
        others = list(items)
        for item in others:
            weights[item] += 0.5 ** (age / HALF_LIFE) / len(others)
            rows[item].append(row)
    order = sorted(weights, key=lambda item: (-weights[item], -len(rows[item])))
    return {item: Shared(tuple(rows[item]), weights[item]) for item in order}


def files_together(history: History, file: int) -> tuple[dict[int, Shared], int]:
    """Return number of a file → what it shares with `file`, the heaviest first, and the number of commits counted."""
    rows = counted(history, history.rows_of(file))
    commits = [(row, [int(each) for each in history.files_of(row) if each != file]) for row in rows]
    return shared(commits), len(rows)
