"""The cache folder: one shelf for each repository and way to load it, holding the newest index.

An index is written under a new number and the older ones are deleted after that, so that a file which another process
has mapped is never replaced: Windows would refuse.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from codeexplore.errors import DamagedIndex
from codeexplore.persistence.archive import Archive, write_archive
from codeexplore.persistence.lock import locked
from codeexplore.source.cachedir import cache_folder, check_private, make_private

if TYPE_CHECKING:
    from codeexplore.persistence.archive import Member

LOCK_SECONDS = 20.0
"""How long a save waits for another process's save of the same index."""

STALE_SECONDS = 3600.0
"""Age at which what a killed save left behind is deleted."""

_NOTHING = "holds no index"
_INDEX = re.compile(r"index-(\d{6,})\.zip")


class Entry(NamedTuple):
    """One index in the cache, or what is wrong with it."""

    folder: Path
    root: str  # of the repository, "" when the index can't be read
    size: int  # bytes of the folder
    saved: float  # seconds since the epoch
    problem: str = ""
    name: str = ""  # of what is indexed: a package's differs from that of the folder it was installed in


def shelves() -> Path:
    """Where the shelves are; need not exist. Raises OSError when there is no place for a cache."""
    return cache_folder() / "indexes"


class Shelf:
    """The place of one repository's index.

    Parameters
    ----------
    root
        The repository, absolute, links resolved.
    settings
        Plain data that tells apart ways to load it.

    Raises
    ------
    OSError
        There is no place for a cache.
    """

    def __init__(self, root: Path, settings: Mapping[str, Any]) -> None:
        plain = json.dumps(settings, sort_keys=True, ensure_ascii=True)
        name = re.sub(r"[^A-Za-z0-9._-]", "_", root.name)[:40] or "root"
        self.folder = shelves() / f"{name}-{_hash(str(root))}" / _hash(plain)

    def newest(self) -> Path | None:
        """The newest index, if there is one. Raises OSError, also when others could have put it there."""
        numbered = _numbered(self.folder)
        if not numbered:
            return None
        check_private(self.folder)
        return numbered[max(numbered)]

    def put(self, meta: Mapping[str, Any], members: Mapping[str, Member]) -> Path:
        """Store an index and delete what it replaces.

        Raises
        ------
        OSError
            It can't be written (also TimeoutError: another process is writing); the old one is still there.
        """
        make_private(self.folder)
        with locked(self.folder / "lock", LOCK_SECONDS):
            numbered = _numbered(self.folder)
            path = self.folder / f"index-{max(numbered, default=0) + 1:06}.zip"
            write_archive(path, meta, members)
            for old in (*numbered.values(), *_leftovers(self.folder)):
                with contextlib.suppress(OSError):  # mapped by another process on Windows: the next save tries again
                    old.unlink()
        return path


def _numbered(folder: Path) -> dict[int, Path]:
    try:
        names = [file.name for file in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return {}
    matches = (_INDEX.fullmatch(name) for name in names)
    return {int(match[1]): folder / match[0] for match in matches if match is not None}


def _leftovers(folder: Path) -> list[Path]:
    """Parts of files that a killed process did not finish."""
    found = []
    for part in folder.glob(".part-*.tmp"):
        with contextlib.suppress(OSError):
            if part.stat().st_mtime < time.time() - STALE_SECONDS:
                found.append(part)
    return found


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# --------------------------------------------------------------------------- the whole cache


def entries(*, verify: bool = False) -> list[Entry]:
    """Every index in the cache, by repository; `verify` checks every byte of them. Raises OSError.

    What can't be read is an entry with its problem: it takes room, too, and hides nothing else. A shelf on which
    nothing could be put, for want of room, is none.
    """
    return [entry for entry in _all_entries(verify) if _counts(entry)]


def _counts(entry: Entry) -> bool:
    return bool(entry.size) or entry.problem != _NOTHING


def _all_entries(verify: bool = False) -> list[Entry]:
    return sorted(entry for folder in _folders(shelves()) for entry in _entries(folder, verify))


def _entries(repository: Path, verify: bool) -> Iterator[Entry]:
    """The indexes of one repository, one for each way to load it."""
    try:
        ways = _folders(repository)
    except OSError as error:
        yield Entry(repository, "", 0, 0.0, str(error))
        return
    for folder in ways:
        try:
            yield _entry(folder, verify=verify)
        except FileNotFoundError:  # another process clears or replaces it just now
            continue
        except OSError as error:
            yield Entry(folder, "", 0, 0.0, str(error))


def _folders(folder: Path) -> list[Path]:
    """The folders in a folder, none where it does not exist. Raises OSError."""
    try:
        with os.scandir(folder) as found:
            return [Path(each.path) for each in found if each.is_dir()]
    except FileNotFoundError:
        return []


def _entry(folder: Path, *, verify: bool) -> Entry:
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    numbered = _numbered(folder)
    if not numbered:
        return Entry(folder, "", size, 0.0, _NOTHING)
    path = numbered[max(numbered)]
    saved = path.stat().st_mtime
    try:
        archive = Archive(path)
        if verify:
            archive.verify()
    except DamagedIndex as error:
        return Entry(folder, "", size, saved, str(error))
    return Entry(folder, str(archive.meta.get("root", "")), size, saved, name=str(archive.meta.get("name", "")))


def clear(root: Path | None = None) -> list[Entry]:
    """Delete the indexes of one repository, or all; returns what was deleted. Raises OSError."""
    gone = []
    for entry in _all_entries():
        if root is None or entry.root == str(root):
            shutil.rmtree(entry.folder)
            with contextlib.suppress(OSError):
                entry.folder.parent.rmdir()
            gone.append(entry)
    return [entry for entry in gone if _counts(entry)]
