"""Discovery of the files of a folder to index, and of the reasons for skipping the other files.

`discover` only lists files. It opens ignore files, and it reads the first line of scripts without an extension. In its
walk, every entry of a folder becomes a candidate, a folder to enter, or a counted skip.

It chooses the files that git regards as part of the repository: tracked files, and untracked files that are not
ignored. It leaves out build directories (`filters`), files of unknown languages and files that are too large. A
``.codeexploreignore`` (same syntax as ``.gitignore``, in any folder) has precedence: its lines hide more files, its
``!lines`` include files again.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.source import filters, skip_reasons
from codeexplore.source.ignore_scope import IgnoreScope, scope_of_root
from codeexplore.source.safe_io import failure, printable, read_regular
from codeexplore.types import NextStep, Skipped, settings
from codeexplore.types.errors import NothingToIndex, RootNotAFolder, RootNotFound, SourceError

NOTEBOOK = "notebook"
"""Language name of Jupyter notebooks."""

_SHEBANG_BYTES = 200  # read from a script's first line; kernels read 256 at most
_JUNCTIONS = os.name == "nt"

_LIMITS = {
    each.name: settings.MAX_DATA_BYTES if each.structure.data else settings.MAX_RESOURCE_BYTES
    for each in registry.LANGUAGES
    if each.structure is not None
} | {NOTEBOOK: settings.MAX_NOTEBOOK_BYTES}
"""Language → limit in bytes that differs from the limit of code: lower, for notebooks higher."""


class Candidate(NamedTuple):
    """A file that discovery has chosen for reading."""

    path: str  # relative to the root, POSIX separators
    size: int  # bytes
    mtime_ns: int  # nanoseconds since the epoch
    language: str  # a Language.name
    wanted: bool = False  # asked for by the user: not left out as generated or minified
    ctime_ns: int = 0  # nanoseconds since the epoch: last change of the inode; on Windows, creation of the file
    inode: int = 0  # 0 on Windows


class Folder(NamedTuple):
    """A folder that the walk will enter."""

    path: str  # relative to the root, "" or ending in a slash
    ignore_scope: IgnoreScope  # the scope of the parent folder
    beside: frozenset[str] = frozenset()  # names of the entries in the parent folder
    wanted: bool = False  # asked for by the user: entered even if its content marks it as a build directory


@dataclass(frozen=True, slots=True)
class Discovery:
    """Result of a walk over a folder. Both tuples are sorted by path, in the order of code points."""

    root: Path  # absolute, links resolved
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]  # a folder that was not entered is one entry, its path ends in "/"
    taken_ns: int = field(compare=False)  # when the walk began, nanoseconds since the epoch


def discover(
    root: str | os.PathLike[str],
    *,
    only: Sequence[str] = (),
    max_bytes: int = settings.MAX_FILE_BYTES,
    include_ignored: bool = False,
    resources: bool = True,
) -> Discovery:
    """List the files of a folder that are worth indexing.

    Parameters
    ----------
    root
        The folder. If it is inside an ignored folder or among installed packages, only the ignore rules inside it
        count.
    only
        Files and folders below the root, relative to it. The walk is limited to these entries. An entry named here is
        included even if a rule would hide it; the rules still apply to files inside a named folder.
    max_bytes
        Size limit per file. Notebooks have their own limit, because their pictures are not indexed.
    include_ignored
        Also include files that git ignores, and folders that look like build results. Build directories known by name
        and entries in ``.codeexploreignore`` are still excluded.
    resources
        Also list files that are not code: configuration, schemas, templates, styles and other text.

    Raises
    ------
    RootNotFound, RootNotAFolder
        The root, or an entry of `only`, does not exist.
    SourceError
        The root can't be listed, or an entry of `only` is outside it.
    """
    folder, began = resolve_root(root), time.time_ns()
    walk = Walk(folder, max_bytes, include_ignored, resources)
    if only:
        named = {_inside(folder, entry) for entry in only}
        for entry in sorted(named):
            if not any(entry.startswith(f"{other}/") for other in named):  # its entries are included with it
                walk.named(entry)
    else:
        walk.everything()
    return Discovery(folder, tuple(sorted(walk.candidates)), tuple(sorted(walk.skipped)), began)


def resolve_root(root: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a folder to explore, with links resolved. Raises the errors of `discover`."""
    given = os.fspath(root)
    if not given.strip():
        raise RootNotFound("the path is empty; give a folder, '.' for the current folder")
    try:
        folder = Path(given).expanduser().resolve(strict=True)
        is_folder = folder.is_dir()
    except FileNotFoundError as error:
        text, steps = _other_way(given)
        raise RootNotFound(f"there is no folder {given!r}. {text}", next_steps=steps) from error
    except PermissionError as error:
        raise SourceError(f"{given!r} may not be read by this user: {error.strerror}") from error
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL
        raise RootNotFound(f"{given[:200]!r} can't be a folder: {error}") from error
    if not is_folder:
        raise RootNotAFolder(f"{given!r} is a file; give its folder, {str(folder.parent)!r}")
    return folder


def nothing_to_index(root: Path, skipped: Sequence[Skipped]) -> NothingToIndex:
    """Return the error for a folder without any file to index, with the reasons counted."""
    if not skipped:
        return NothingToIndex(f"{str(root)!r} is empty; give a folder that contains source files")
    counts = skip_reasons.counts(skipped)
    found = ", ".join(f"{reason}: {count:,}" for reason, count in counts.items())
    steps = ["Give another folder"]
    if skip_reasons.IGNORED in counts or skip_reasons.ARTEFACTS in counts:
        steps.append("include ignored files (include_ignored=True)")
    if skip_reasons.MINIFIED in counts or skip_reasons.GENERATED in counts:
        steps.append("include a file again by a line !path in .codeexploreignore")
    if skip_reasons.TOO_LARGE in counts:
        steps.append("raise the limit (max_file_bytes)")
    return NothingToIndex(
        f"{str(root)!r} contains no file that could be indexed. Skipped: {found}. {', or '.join(steps)}"
    )


def _other_way(given: str) -> tuple[str, tuple[NextStep, ...]]:
    """Return a sentence on what was given, and the calls that may have been meant."""
    where = f"The current folder is {str(Path.cwd())!r}."
    if "://" in given or given.startswith("git@"):
        return where, (NextStep("Workspace.from_git", "clones a repository", (given,)),)
    if given.replace(".", "_").isidentifier():
        does = "explores an installed package of that name"
        return where, (NextStep("Workspace.from_package", does, (given,)),)
    return where, ()


def _inside(root: Path, entry: str) -> str:
    """Return `entry` of `only` as a POSIX path relative to the root. Raises SourceError if it is outside."""
    parts = Path(entry).parts
    if not parts or Path(entry).is_absolute() or ".." in parts:
        raise SourceError(f"only={entry!r} is outside of {str(root)!r}; give paths relative to that folder")
    return "/".join(parts)


class Walk:
    """A walk over a root. It collects `candidates` and `skipped`, in no particular order.

    `root` is absolute, with links resolved.
    """

    def __init__(self, root: Path, max_bytes: int, include_ignored: bool, resources: bool = True) -> None:
        self.candidates: list[Candidate] = []
        self.skipped: list[Skipped] = []
        self._root = root
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._max_bytes = max_bytes
        self._resources = resources
        self._seen: set[tuple[int, int]] = set()  # device and inode of the folders walked
        self._outside, problems = scope_of_root(root, include_ignored=include_ignored)
        self.skipped += problems

    def everything(self) -> None:
        """Walk the root. Raises SourceError if it can't be listed."""
        self._run(Folder("", self._outside, wanted=True))

    def named(self, path: str) -> None:
        """Walk one file or folder below the root. Raises RootNotFound if it does not exist."""
        try:
            state = os.lstat(self._prefix + path)
            if not Path(self._prefix + path).resolve(strict=True).is_relative_to(self._root):
                raise SourceError(f"{path!r} leads out of {str(self._root)!r}; open its target as the root")
            ignore_scope = self._outside
            for end in [0, *(at + 1 for at, letter in enumerate(path) if letter == "/")]:
                ignore_scope, problems = ignore_scope.enter(path[:end], _names(self._prefix + path[:end]))
                self.skipped += problems
        except (FileNotFoundError, NotADirectoryError) as error:
            hint = "; only= takes files and folders, no patterns" if set(path) & set("*?[") else ""
            raise RootNotFound(f"there is no {path!r} in {str(self._root)!r}{hint}") from error
        except (OSError, RuntimeError, ValueError) as error:
            raise RootNotFound(f"{path!r} in {str(self._root)!r} can't be examined: {error}") from error
        if stat.S_ISDIR(state.st_mode):
            self._run(Folder(path + "/", ignore_scope, wanted=True))
        else:
            self._file(path, lambda: state, ignore_scope, named=True)

    # ----------------------------------------------------------------- folders

    def _run(self, first: Folder) -> None:
        stack = [first]
        while stack:  # no recursion: a tree may be deeper than Python's stack
            stack.extend(self._folder(stack.pop()))

    def _folder(self, folder: Folder) -> list[Folder]:
        """List `folder`: its entries become candidates, skips, or the folders to enter, which are returned."""
        try:
            with os.scandir(self._prefix + folder.path) as found:
                entries = list(found)
            state = os.stat(self._prefix + folder.path)  # noqa: PTH116 - a Path costs more than the call
        except OSError as error:
            if folder.path == "":
                raise SourceError(f"{str(self._root)!r} can't be listed: {error.strerror}") from error
            self.skipped.append(failure(folder.path, error))
            return []
        if (state.st_dev, state.st_ino) in self._seen:  # already walked: a mount or junction that leads back
            self._skip(folder.path, skip_reasons.SYMLINK, "the same folder as one already walked")
            return []
        self._seen.add((state.st_dev, state.st_ino))
        names = frozenset(entry.name for entry in entries)
        if not folder.wanted and (why := self._artefact(folder, names)):
            self._skip(folder.path, skip_reasons.ARTEFACTS, why)
            return []
        ignore_scope, problems = folder.ignore_scope.enter(folder.path, names)
        self.skipped += problems
        inner: list[Folder] = []
        for entry in entries:
            path = folder.path + entry.name
            try:
                path.encode()
                if entry.is_symlink() or (_JUNCTIONS and _is_junction(entry)):
                    self._link(path)
                elif entry.is_dir(follow_symlinks=False):
                    inner += self._subfolder(path, entry.name, ignore_scope, names)
                else:
                    self._file(path, partial(entry.stat, follow_symlinks=False), ignore_scope)
            except UnicodeEncodeError:
                self._skip(printable(path), skip_reasons.NAME, "")
            except OSError as error:
                self.skipped.append(failure(path, error))
        return inner

    def _artefact(self, folder: Folder, names: frozenset[str]) -> str:
        path = folder.path[:-1]
        return filters.by_content(path.rpartition("/")[2], names, folder.beside, folder.ignore_scope.keeps(path))

    def _subfolder(self, path: str, name: str, ignore_scope: IgnoreScope, beside: frozenset[str]) -> list[Folder]:
        """Return the folder `path` if the walk enters it; else skip it."""
        judgement = ignore_scope.judge(path, is_folder=True)
        if not judgement.wanted and (why := filters.by_name(name)):
            self._skip(path + "/", skip_reasons.ARTEFACTS, why)
        elif judgement.hidden:
            self._skip(path + "/", skip_reasons.IGNORED, judgement.hidden)
        else:
            if judgement.only_tracked != ignore_scope.only_tracked:
                ignore_scope = replace(ignore_scope, only_tracked=judgement.only_tracked)
            return [Folder(path + "/", ignore_scope, beside, judgement.wanted)]
        return []

    # ----------------------------------------------------------------- files

    def _file(
        self, path: str, status: Callable[[], os.stat_result], ignore_scope: IgnoreScope, *, named: bool = False
    ) -> None:
        """Add the file `path` to the candidates, or skip it. Raises OSError if its `status` can't be read."""
        language = self._by_path(path, path.rpartition("/")[2])
        if isinstance(language, Skipped):
            self.skipped.append(language)
            return
        judgement = ignore_scope.judge(path, is_folder=False)
        if judgement.hidden and not named:
            self._skip(path, skip_reasons.IGNORED, judgement.hidden)
            return
        state = status()
        if not stat.S_ISREG(state.st_mode):
            self._skip(path, skip_reasons.SPECIAL, kind_of(state.st_mode))
            return
        if language is None and (language := self._by_first_line(path, state.st_size)) is None:
            self._skip(path, skip_reasons.NO_LANGUAGE, "no extension")
            return
        wanted = named or judgement.wanted
        if language.structure is not None and not wanted and (skip := self._data(path, language)):
            self.skipped.append(skip)
            return
        limit = self._limit(language.name, wanted)
        if state.st_size > limit:
            self._skip(path, skip_reasons.TOO_LARGE, f"{state.st_size:,} bytes, the limit is {limit:,}")
            return
        self.candidates.append(
            Candidate(path, state.st_size, state.st_mtime_ns, language.name, wanted, state.st_ctime_ns, state.st_ino)
        )

    def _by_path(self, path: str, name: str) -> Language | Skipped | None:
        """Return the language of a file by its name, or the skip; None if its first line decides."""
        language = registry.by_path(path)
        if language is None and "." in name:
            language = registry.by_default(path)
            if language is None:
                return Skipped(path, skip_reasons.NO_LANGUAGE, name[name.rindex(".") :].lower())
        return language

    def _data(self, path: str, language: Language) -> Skipped | None:
        """Return the skip of a file that is not code, if it may hold keys or is data."""
        if why := filters.secret(path):
            return Skipped(path, skip_reasons.SECRET, why)
        if not self._resources:
            return Skipped(path, skip_reasons.NOT_CODE, language.title)
        why = filters.data(path, registry.by_path(path) is not None)
        return Skipped(path, skip_reasons.DATA, why) if why else None

    def _limit(self, language: str, wanted: bool) -> int:
        limit = _LIMITS.get(language)
        if limit is None or language == NOTEBOOK:
            return max(self._max_bytes, limit or 0)
        return self._max_bytes if wanted else min(self._max_bytes, limit)

    def _by_first_line(self, path: str, size: int) -> Language | None:
        if size == 0:  # files of /proc have size 0 too, and some of them never end
            return None
        start = read_regular(self._prefix + path, _SHEBANG_BYTES)
        line = start.partition(b"\n")[0]
        found = registry.by_shebang(line) if line.startswith(b"#!") else None
        return found if found is not None or b"\0" in start else registry.by_default(path)

    def _link(self, path: str) -> None:
        try:
            target = Path(self._prefix + path).resolve(strict=True)
        except (OSError, RuntimeError):  # Python up to 3.12 raises RuntimeError for a loop of links
            self._skip(path, skip_reasons.SYMLINK, "leads nowhere, or in a circle")
            return
        if target.is_relative_to(self._root):
            self._skip(path, skip_reasons.SYMLINK, f"leads to {printable(target.relative_to(self._root).as_posix())}")
        else:
            self._skip(path, skip_reasons.SYMLINK, "leads out of the root")

    def _skip(self, path: str, reason: str, detail: str) -> None:
        self.skipped.append(Skipped(path, reason, detail))


def _names(folder: str) -> frozenset[str]:
    with os.scandir(folder) as found:
        return frozenset(entry.name for entry in found)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Return True for a Windows junction, which `is_symlink` does not report. Before Python 3.12 always False."""
    is_junction = getattr(entry, "is_junction", None)
    return bool(is_junction()) if is_junction is not None else False


def kind_of(mode: int) -> str:
    """Return a word such as "pipe" for an entry that is not an ordinary file. `mode` is the mode of its status."""
    kinds = {
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "not an ordinary file")
