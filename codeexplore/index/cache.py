"""The cache of indexes. It has one slot for each repository and set of load settings, with the newest index.

An index is written under a new number, and older indexes are deleted afterwards. Therefore a file that another process
has mapped is never overwritten, which Windows would refuse.

Processes are synchronised by locks of the operating system, which are released even after a crash.

`index_versions` identifies the code that made an index, because another version may extract other facts from the same
files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from codeexplore.index.archive import Archive, write_archive
from codeexplore.languages.registry import installed_versions
from codeexplore.source.safe_io import cache_folder, check_private, make_private
from codeexplore.types.errors import DamagedIndex
from codeexplore.version import __version__

if TYPE_CHECKING:
    from codeexplore.index.columns import Member


_PAUSE = 0.05  # seconds between two attempts


def locked(path: Path, timeout: float) -> IO[bytes]:
    """Lock the file `path` until the returned stream is closed; a ``with`` statement closes it.

    The file is created if it does not exist.

    This is not a context manager, because an interrupt at the entry of a context manager could keep the lock as long as
    a traceback refers to the stream. Raises TimeoutError if another process or thread still has the lock after
    `timeout` seconds, and OSError if the file can't be created or locked.
    """
    stream = open(path, "ab", opener=partial(os.open, mode=0o600))  # noqa: SIM115 - the caller closes it
    try:
        deadline = time.monotonic() + timeout
        while not _try(stream.fileno()):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"another process has been writing for {timeout:g} seconds ({path})")
            time.sleep(_PAUSE)
    except BaseException:
        stream.close()
        raise
    return stream


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_PACKAGE = Path(__file__).parent.parent
_NO_INFLUENCE = frozenset({"notebook", "cli", "answers", "features", "sample_repos", "__pycache__"})
_SUFFIXES = (".py", ".scm", "CHECKSUMS")  # no compiled modules: they are made from these, and give the same bytes


@cache
def index_versions(code: str = "") -> dict[str, str]:
    """Return the versions of everything that influences the content of an index. `code` is the hash, if it is known."""
    return {
        "codeexplore": __version__,
        "code": code or code_hash(),
        "grammars": _version("tree-sitter-language-pack"),
        **({"languages": others} if (others := installed_versions()) else {}),
        "tree-sitter": _version("tree-sitter"),
        "python": "{}.{}".format(*sys.version_info),
    }


def form() -> str:
    """Return "compiled" or "Python". hatch_build.py compiles all modules or none, so one of them decides."""
    found = find_spec("codeexplore.resolution.solver")
    return "Python" if found is None or (found.origin or "").endswith(".py") else "compiled"


def bundled_model() -> str:
    """Return a hash that identifies the bundled model: the hash of the checksums that `Encoder.load` verifies."""
    return hashlib.sha256((_PACKAGE / "search" / "lanes" / "bundled" / "CHECKSUMS").read_bytes()).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


@cache
def code_hash() -> str:
    """Return a hash of the source files of this package that influence an index: two installations may share it."""
    digest = hashlib.blake2b(digest_size=8)
    for entry in sorted(_sources(), key=lambda each: each.path):  # folders have no order of their own
        data = Path(entry).read_bytes()
        digest.update(f"{Path(entry).relative_to(_PACKAGE).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


@cache
def installation() -> str:
    """Return a hash of the places, sizes and times of these files, for which they need not be read."""
    digest = hashlib.blake2b(digest_size=8)
    for entry in _sources():
        state = entry.stat()
        digest.update(f"{entry.path}\0{state.st_size}\0{state.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _sources() -> Iterator[os.DirEntry[str]]:
    folders = [str(_PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                if entry.is_dir() and entry.name not in _NO_INFLUENCE:
                    folders.append(entry.path)
                elif entry.name.endswith(_SUFFIXES):
                    yield entry


LOCK_SECONDS = 20.0
"""Seconds that a save waits while another process saves the same index."""

STALE_SECONDS = 3600.0
"""Age in seconds at which partial files of a killed process are deleted."""

MOST_BYTES = 5_000_000_000
"""Bytes of all indexes; above it the oldest are deleted."""

EXAMINED = 20  # of the oldest indexes that a save looks at: a millisecond each

_NOTHING = "holds no index"
_INDEX = re.compile(r"index-(\d{6,})\.zip")


class Entry(NamedTuple):
    """One index in the cache, or the problem that prevents reading it."""

    folder: Path
    root: str  # root folder of the repository; "" if the index can't be read
    size: int  # bytes of the folder
    saved: float  # seconds since the epoch
    problem: str = ""
    name: str = ""  # name of the repository or package; a package's root folder has another name


def cache_slots() -> Path:
    """Return the folder of the cache slots, which may not exist. Raises OSError for a user without a home folder."""
    return cache_folder() / "indexes"


class CacheSlot:
    """The place in the cache for one repository with one set of load settings, which are plain data.

    `root` is the repository's folder, absolute, with links resolved. Raises OSError if the user has no cache folder.
    """

    def __init__(self, root: Path, settings: Mapping[str, Any]) -> None:
        plain = json.dumps(settings, sort_keys=True, ensure_ascii=True)
        name = re.sub(r"[^A-Za-z0-9._-]", "_", root.name)[:40] or "root"
        self.folder = cache_slots() / f"{name}-{_hash(str(root))}" / _hash(plain)

    def newest(self) -> Path | None:
        """Return the newest index, if there is one. Raises OSError, for example if others may write to the slot."""
        numbered = _numbered(self.folder)
        if not numbered:
            return None
        check_private(self.folder)
        return numbered[max(numbered)]

    def put(self, meta: Mapping[str, Any], members: Mapping[str, Member]) -> Path:
        """Store an index and delete the older ones.

        Raises OSError if the index can't be written; the old one still exists. TimeoutError means that another process
        is writing.
        """
        make_private(self.folder)
        with locked(self.folder / "lock", LOCK_SECONDS):
            numbered = _numbered(self.folder)
            path = self.folder / f"index-{max(numbered, default=0) + 1:06}.zip"
            write_archive(path, meta, members)
            for old in (*numbered.values(), *_leftovers(self.folder)):
                # on Windows another process may have mapped it: the next save tries again
                with contextlib.suppress(OSError):
                    old.unlink()
        with contextlib.suppress(OSError):  # the next save tries again
            clean(kept=self.folder, examined=EXAMINED)
        return path


def _numbered(folder: Path) -> dict[int, Path]:
    try:
        names = [file.name for file in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return {}
    matches = (_INDEX.fullmatch(name) for name in names)
    return {int(match[1]): folder / match[0] for match in matches if match is not None}


def _leftovers(folder: Path) -> list[Path]:
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
    """Return every index in the cache, sorted by folder. With `verify`, every byte is checked. Raises OSError.

    An index that cannot be read is included with its problem, because it uses space and must not hide other indexes. An
    empty slot, as a full disk leaves it, is not included.
    """
    return [entry for entry in _all_entries(verify) if entry.size or entry.problem != _NOTHING]


def _all_entries(verify: bool = False) -> list[Entry]:
    return sorted(entry for folder in _folders(cache_slots()) for entry in _entries(folder, verify))


def _entries(repository: Path, verify: bool) -> Iterator[Entry]:
    """Yield the indexes of one repository, one for each set of load settings."""
    try:
        ways = _folders(repository)
    except OSError as error:
        yield Entry(repository, "", 0, 0.0, str(error))
        return
    for folder in ways:
        try:
            yield _entry(folder, verify=verify)
        except FileNotFoundError:  # another process is deleting or replacing it
            continue
        except OSError as error:
            yield Entry(folder, "", 0, 0.0, str(error))


def _folders(folder: Path) -> list[Path]:
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


def clean(*, kept: Path | None = None, examined: int | None = None) -> list[Entry]:
    """Delete indexes of folders that are gone, then the oldest ones above `MOST_BYTES`. Return them. Raises OSError.

    The slot `kept` stays. With `examined`, only so many of the oldest slots are looked at.
    """
    slots = [slot for repository in _folders(cache_slots()) for slot in _folders(repository) if slot != kept]
    sizes = {slot: sum(file.stat().st_size for file in slot.iterdir() if file.is_file()) for slot in slots}
    total, deleted = sum(sizes.values()), []
    for slot in sorted(slots, key=lambda each: each.stat().st_mtime)[:examined]:
        entry = _entry(slot, verify=False)
        if total > MOST_BYTES or (entry.root and not os.path.lexists(entry.root)):
            _delete(slot)
            total -= sizes[slot]
            deleted.append(entry)
    return deleted


def clear(root: Path | None = None) -> list[Entry]:
    """Delete the indexes of one repository, or of all if `root` is None. Return the deleted entries. Raises OSError."""
    deleted = [entry for entry in _all_entries() if root is None or entry.root == str(root)]
    for entry in deleted:
        _delete(entry.folder)
    return [entry for entry in deleted if entry.size or entry.problem != _NOTHING]


def _delete(slot: Path) -> None:
    shutil.rmtree(slot)
    with contextlib.suppress(OSError):  # other slots of the repository are left
        slot.parent.rmdir()
