"""`History`: the commits of a repository and the files that each changed, as columns.

Commits are rows, the newest first. A file that was renamed is one file, under its last path. A path that was deleted
and added again is two files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from codeexplore.index.columns import packed
from codeexplore.types.errors import DamagedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.features.review.history.git_log import Commits, LoggedCommit
    from codeexplore.index.archive import Archive
    from codeexplore.index.columns import Member


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
        from codeexplore.index.columns import Strings

        archive.verify()

        def texts(name: str) -> list[str]:
            return list(Strings.of(archive, f"history_{name}"))

        def column(name: str) -> NDArray[Any]:
            return archive.array(f"history_{name}").copy()  # so that the file can be replaced on Windows

        meta = archive.meta
        notes, merges = meta.get("notes"), meta.get("merges")
        facts: dict[str, Any] = {name: column(name) for name in _ARRAYS} | {name: texts(name) for name in _TEXTS}
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
