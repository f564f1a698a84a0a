"""The walk behind `discover`: one folder after the other, every entry a candidate or a counted skip."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from codeexplore import settings
from codeexplore.errors import RootNotFound, SourceError
from codeexplore.languages.base import Language
from codeexplore.source import artefacts, reasons
from codeexplore.source.files import failure, printable, read_regular
from codeexplore.source.place import Place, place_of_root
from codeexplore.types import Skipped

NOTEBOOK = "notebook"
"""Language name of Jupyter notebooks."""

_SHEBANG_BYTES = 200


class Languages(Protocol):
    """What discovery asks of `codeexplore.languages.registry`."""

    def by_path(self, path: str) -> Language | None:
        """The language of a file by its name."""

    def by_shebang(self, first_line: bytes) -> Language | None:
        """The language of a script by its first line."""


class Candidate(NamedTuple):
    """A file that is worth reading."""

    path: str  # relative to the root, POSIX separators
    size: int  # bytes
    mtime_ns: int  # nanoseconds since the epoch
    language: str  # a Language.name
    wanted: bool = False  # asked for by name: not left out for being generated or minified
    ctime_ns: int = 0  # nanoseconds since the epoch: when its inode changed; on Windows when it was made
    inode: int = 0  # 0 on Windows


class _Folder(NamedTuple):
    path: str  # relative to the root, "" or ending in a slash
    place: Place  # of the folder it lies in
    beside: frozenset[str] = frozenset()
    wanted: bool = False  # looked into whatever it holds


class Walk:
    """Collects `candidates` and `skipped`, in no particular order. `root` is absolute, its links resolved."""

    def __init__(self, root: Path, languages: Languages, max_bytes: int, include_ignored: bool) -> None:
        self.candidates: list[Candidate] = []
        self.skipped: list[Skipped] = []
        self._root = root
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._languages = languages
        self._max_bytes = max_bytes
        self._seen: set[tuple[int, int]] = set()  # device and inode of the folders walked
        self._outside, problems = place_of_root(root, include_ignored=include_ignored)
        self.skipped += problems

    def everything(self) -> None:
        """Walk the root. Raises SourceError when it can't be listed."""
        self._run(_Folder("", self._outside, wanted=True))

    def named(self, path: str) -> None:
        """Walk one file or folder of the root. Raises RootNotFound when it is not there."""
        try:
            state = os.lstat(self._prefix + path)
            if not Path(self._prefix + path).resolve(strict=True).is_relative_to(self._root):
                raise SourceError(f"{path!r} leads out of {str(self._root)!r}; make the folder it leads to the root")
            place = self._outside
            for end in [0, *(at + 1 for at, letter in enumerate(path) if letter == "/")]:
                place = self._enter(path[:end], place, _names(self._prefix + path[:end]))
        except (OSError, RuntimeError, ValueError) as error:
            raise RootNotFound(f"there is no {path!r} in {str(self._root)!r}: {error}") from error
        if stat.S_ISDIR(state.st_mode):
            self._run(_Folder(path + "/", place, wanted=True))
        else:
            self._file(path, state, place, named=True)

    # ----------------------------------------------------------------- folders

    def _run(self, first: _Folder) -> None:
        stack = [first]
        while stack:  # no recursion: a tree may be deeper than Python's stack
            stack.extend(self._folder(stack.pop()))

    def _folder(self, folder: _Folder) -> list[_Folder]:
        """Sort out the entries of one folder; returns the folders to look into."""
        try:
            with os.scandir(self._prefix + folder.path) as found:
                entries = list(found)
            state = os.stat(self._prefix + folder.path)  # noqa: PTH116 - a Path costs more than the call
        except OSError as error:
            if folder.path == "":
                raise SourceError(f"{str(self._root)!r} can't be listed: {error.strerror}") from error
            self.skipped.append(failure(folder.path, error))
            return []
        if (state.st_dev, state.st_ino) in self._seen:  # a mount or junction that leads back
            self._skip(folder.path, reasons.SYMLINK, "the same folder as one already walked")
            return []
        self._seen.add((state.st_dev, state.st_ino))
        names = frozenset(entry.name for entry in entries)
        if not folder.wanted and (why := self._artefact(folder, names)):
            self._skip(folder.path, reasons.ARTEFACTS, why)
            return []
        place = self._enter(folder.path, folder.place, names)
        inner = [self._entry(entry, folder.path, place, names) for entry in entries]
        return [entry for entry in inner if entry is not None]

    def _artefact(self, folder: _Folder, names: frozenset[str]) -> str:
        path = folder.path[:-1]
        return artefacts.by_content(path.rpartition("/")[2], names, folder.beside, folder.place.keeps(path))

    def _enter(self, path: str, place: Place, names: frozenset[str]) -> Place:
        place, problems = place.enter(path, names)
        self.skipped += problems
        return place

    def _entry(self, entry: os.DirEntry[str], parent: str, place: Place, beside: frozenset[str]) -> _Folder | None:
        path = parent + entry.name
        try:
            path.encode()
            if entry.is_symlink() or (_JUNCTIONS and _is_junction(entry)):
                self._link(path)
            elif entry.is_dir(follow_symlinks=False):
                return self._subfolder(path, entry.name, place, beside)
            else:
                self._file(path, entry, place)
        except UnicodeEncodeError:
            self._skip(printable(path), reasons.NAME, "")
        except OSError as error:
            self.skipped.append(failure(path, error))
        return None

    def _subfolder(self, path: str, name: str, place: Place, beside: frozenset[str]) -> _Folder | None:
        judgement = place.judge(path, is_folder=True)
        if not judgement.wanted and (why := artefacts.by_name(name)):
            self._skip(path + "/", reasons.ARTEFACTS, why)
            return None
        if judgement.hidden:
            self._skip(path + "/", reasons.IGNORED, judgement.hidden)
            return None
        if judgement.only_tracked != place.only_tracked:
            place = replace(place, only_tracked=judgement.only_tracked)
        return _Folder(path + "/", place, beside, judgement.wanted)

    # ----------------------------------------------------------------- files and links

    def _file(self, path: str, entry: os.DirEntry[str] | os.stat_result, place: Place, *, named: bool = False) -> None:
        name = path.rpartition("/")[2]
        language = self._languages.by_path(path)
        if language is None and "." in name:
            self._skip(path, reasons.NO_LANGUAGE, name[name.rindex(".") :].lower())
            return
        judgement = place.judge(path, is_folder=False)
        if judgement.hidden and not named:
            self._skip(path, reasons.IGNORED, judgement.hidden)
            return
        state = entry if isinstance(entry, os.stat_result) else entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(state.st_mode):
            self._skip(path, reasons.SPECIAL, _kind(state.st_mode))
            return
        if language is None and (language := self._by_first_line(path, state.st_size)) is None:
            self._skip(path, reasons.NO_LANGUAGE, "no extension")
            return
        limit = self._max_bytes
        if language.name == NOTEBOOK:
            limit = max(limit, settings.MAX_NOTEBOOK_BYTES)
        if state.st_size > limit:
            self._skip(path, reasons.TOO_LARGE, f"{state.st_size:,} bytes, the limit is {limit:,}")
            return
        wanted = named or judgement.wanted
        self.candidates.append(
            Candidate(path, state.st_size, state.st_mtime_ns, language.name, wanted, state.st_ctime_ns, state.st_ino)
        )

    def _by_first_line(self, path: str, size: int) -> Language | None:
        if size == 0:  # among them the endless files of /proc
            return None
        line = read_regular(self._prefix + path, _SHEBANG_BYTES).partition(b"\n")[0]
        return self._languages.by_shebang(line) if line.startswith(b"#!") else None

    def _link(self, path: str) -> None:
        try:
            target = Path(self._prefix + path).resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: Python up to 3.12 about a loop
            self._skip(path, reasons.SYMLINK, "leads nowhere, or in a circle")
            return
        if target.is_relative_to(self._root):
            self._skip(path, reasons.SYMLINK, f"leads to {printable(target.relative_to(self._root).as_posix())}")
        else:
            self._skip(path, reasons.SYMLINK, "leads out of the root")

    def _skip(self, path: str, reason: str, detail: str) -> None:
        self.skipped.append(Skipped(path, reason, detail))


_JUNCTIONS = os.name == "nt"


def _names(folder: str) -> frozenset[str]:
    with os.scandir(folder) as found:
        return frozenset(entry.name for entry in found)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a Windows junction, a link that `is_symlink` does not call one (told by Python 3.12 on)."""
    told = getattr(entry, "is_junction", None)
    return bool(told()) if told is not None else False


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "not an ordinary file")
