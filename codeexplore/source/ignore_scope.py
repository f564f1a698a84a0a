"""Ignore scope: the ignore files that apply in one folder of a walk, and the files that git tracks there.

Git is not run. The repository is untrusted, and git inside a repository obeys the repository's configuration:
``core.fsmonitor``, for example, names a program to start. Therefore only files are read: the index for the tracked
files, two settings, and the path of the exclude file.
"""

from __future__ import annotations

import bisect
import os
import re
import struct
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from codeexplore.source import skip_reasons
from codeexplore.source.gitignore import GITIGNORE, OWN, IgnoreFile, Scope, ignore_rules, read_ignore_file
from codeexplore.source.manifests import FILE, project_settings
from codeexplore.source.safe_io import read_regular
from codeexplore.types import Skipped

MAX_INDEX_BYTES = 256 << 20
"""Bytes. The index of a repository with two million files; a larger one is not read."""

_GITLINK = 0o160000
_EXTENDED = 0x4000


class Tracked:
    """The paths in a git index, as bytes relative to the worktree. The path of a folder has no slash at its end."""

    def __init__(self, files: Iterable[bytes] = (), modules: Iterable[bytes] = ()) -> None:
        self._files = frozenset(files)
        self._modules = frozenset(modules)
        self._ordered = sorted(self._files | self._modules)

    def has(self, file: bytes) -> bool:
        return file in self._files

    def has_below(self, folder: bytes) -> bool:
        """Return True if git tracks a file below `folder`, or if `folder` is a submodule."""
        if folder in self._modules:
            return True
        below = folder + b"/"
        place = bisect.bisect_left(self._ordered, below)
        return place < len(self._ordered) and self._ordered[place].startswith(below)


class IndexFormatError(Exception):
    """Signals a git index that is damaged or in a format that is not supported."""


@dataclass(frozen=True)
class Worktree:
    """A git checkout. `top` is the folder that contains the ``.git`` folder or file."""

    top: Path
    git_dir: Path
    common_dir: Path  # the git folder of the main checkout, if this checkout is linked to it

    @property
    def exclude_file(self) -> Path:
        """Path of ``info/exclude``, which need not exist."""
        return self.common_dir / "info" / "exclude"

    @cached_property
    def ignore_case(self) -> bool:
        """Value of ``core.ignorecase``, which git sets if the file system ignores case."""
        return bool(re.search(rb"(?mi)^[ \t]*ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)[ \t\r]*)?$", self._config))

    @cached_property
    def tracked(self) -> Tracked:
        """Return the paths in the index. There are none before the first ``git add``.

        Raises IndexFormatError if the index exists and can't be read.
        """
        try:
            data = read_regular(self.git_dir / "index", MAX_INDEX_BYTES + 1)
        except FileNotFoundError:
            return Tracked()
        except OSError as error:
            raise IndexFormatError(error.strerror or str(error)) from error
        if len(data) > MAX_INDEX_BYTES:
            raise IndexFormatError(f"larger than {MAX_INDEX_BYTES:,} bytes")
        return parse_index(data, 32 if re.search(rb"(?mi)^\s*objectformat\s*=\s*sha256", self._config) else 20)

    @cached_property
    def _config(self) -> bytes:
        try:
            return read_regular(self.common_dir / "config", 1 << 20)
        except OSError:
            return b""


def worktree_at(top: Path) -> Worktree | None:
    """Return the checkout whose ``.git`` folder or file is in the folder `top`; None if there is none."""
    marker = top / ".git"
    try:
        if marker.is_dir():
            git_dir = marker
        else:
            pointer = read_regular(marker, 4_096)
            if not pointer.startswith(b"gitdir:"):
                return None
            git_dir = top / pointer[7:].strip().decode("utf-8", "surrogateescape")
        if not os.path.isfile(git_dir / "HEAD"):  # noqa: PTH113 - Path.is_file raises for a name that is too long
            return None
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    try:
        common = git_dir / read_regular(git_dir / "commondir", 4_096).strip().decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        common = git_dir
    # a name that no folder can have, with a NUL or too long, is not searched
    return Worktree(top, git_dir, common if os.path.isdir(common) else git_dir)  # noqa: PTH112 - for the same reason


def worktree_around(folder: Path) -> Worktree | None:
    """Return the innermost checkout around `folder`, an absolute path; None if there is none."""
    return next((found for top in (folder, *folder.parents) if (found := worktree_at(top)) is not None), None)


def parse_index(data: bytes, hash_bytes: int = 20) -> Tracked:
    """Return the paths in a git index, format versions 2 to 4 (gitformat-index(5)).

    Raises IndexFormatError if the index is damaged, has another version, or is split into a base and a difference.
    """
    try:
        magic, version, count = struct.unpack_from(">4sII", data)
        if magic != b"DIRC" or not 2 <= version <= 4:
            raise IndexFormatError(f"magic {magic!r}, version {version}")
        entries, at = _entries(data, version, count, hash_bytes)
        if data[at : at + 4] == b"link":
            raise IndexFormatError("a split index")
    except (struct.error, IndexError, ValueError) as error:
        raise IndexFormatError(str(error)) from error
    return Tracked(
        (path for path, mode in entries if mode != _GITLINK), (path for path, mode in entries if mode == _GITLINK)
    )


def _entries(data: bytes, version: int, count: int, hash_bytes: int) -> tuple[list[tuple[bytes, int]], int]:
    """Return (path, mode) of each entry in a git index, and the position after the entries.

    Raises ValueError or IndexError if the data is cut short.
    """
    fixed = 40 + hash_bytes + 2
    at, path = 12, b""
    room = 16 * len(data)  # limit for all paths: version 4 stores common prefixes only once
    found = []
    for _ in range(count):
        mode = int.from_bytes(data[at + 24 : at + 28], "big")
        start = at
        extended = data[at + fixed - 2] & (_EXTENDED >> 8)
        at += fixed + (2 if extended else 0)
        if version == 4:
            dropped, at = _varint(data, at)
            end = data.index(b"\0", at)
            path = path[: len(path) - dropped] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            path = data[at:end]
            at = start + (end - start + 8) // 8 * 8
        found.append((path.rstrip(b"/"), mode))
        room -= len(path)
        if room < 0:
            raise ValueError("paths that unpack to many times the index")
    return found, at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at position `at`, in the offset encoding of pack files, and the position after it."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1


class Judgement(NamedTuple):
    """Decision of the ignore rules about one file or folder."""

    hidden: str = ""  # the reason for leaving it out; "" if it is not left out
    wanted: bool = False  # a line of a .codeexploreignore includes it
    only_tracked: bool = False  # an ignored folder with tracked files: only its tracked files are candidates


_NO_RULE = Judgement()


@dataclass(frozen=True, slots=True)
class IgnoreScope:
    """The ignore rules inside one folder.

    `top` is the outermost folder whose rules apply to the root. Paths of type `bytes` are relative to `top`; paths of
    type `str` are relative to the root.
    """

    top: Path
    lead: bytes = b""  # the root's path below `top`, b"" or ending in a slash
    include_ignored: bool = False  # git's ignore files don't count
    scope: Scope = field(default_factory=Scope)
    worktree: Worktree | None = None
    base: bytes = b""  # the worktree's path below `top`, b"" or ending in a slash
    tracked: Tracked = field(default_factory=Tracked)
    only_tracked: bool = False

    def judge(self, path: str, *, is_folder: bool) -> Judgement:
        """Return whether an entry of this folder is left out, and why.

        `path` is relative to the root, without a final slash.
        """
        scope = self.scope
        if not (scope.own or self.only_tracked or (scope.git and not self.include_ignored)):
            return _NO_RULE
        raw = self.lead + path.encode()
        own = self.scope.by_own(raw, is_folder)
        if own is not None:
            # "!*/" of a list of files to keep must not include node_modules: only a pattern with a folder's name does
            wanted = not is_folder or path.rpartition("/")[2] in own.line
            return Judgement(hidden=own.why) if own.ignored else Judgement(wanted=wanted)
        if self.only_tracked:
            why = "in an ignored folder"
        elif self.include_ignored or (verdict := self.scope.by_git(raw, is_folder)) is None or not verdict.ignored:
            return Judgement()
        else:
            why = verdict.why
        if self._tracks(raw, is_folder=is_folder):
            return Judgement(only_tracked=is_folder)
        return Judgement(hidden=why)

    def keeps(self, folder: str) -> bool:
        """Return True if there is evidence that `folder` contains own source and not build results.

        One kind of evidence is that git tracks a file in it. The other is that ignore files apply there and do not
        exclude the folder: they would name a folder of build results.
        """
        return self.include_ignored or bool(self.scope.git) or self._tracks(self.lead + folder.encode(), is_folder=True)

    def _tracks(self, raw: bytes, *, is_folder: bool) -> bool:
        inside = raw[len(self.base) :]
        return self.tracked.has_below(inside) if is_folder else self.tracked.has(inside)

    def enter(self, folder: str, names: AbstractSet[str]) -> tuple[IgnoreScope, list[Skipped]]:
        """Return the ignore scope inside `folder`, and the ignore rules that could not be used.

        Parameters
        ----------
        folder
            Path relative to the root: "", or a path ending in a slash.
        names
            Names of the folder's entries.
        """
        inner: IgnoreScope = self
        problems: list[Skipped] = []
        raw = self.lead + folder.encode()
        if ".git" in names and (self.worktree is None or raw != self.base):
            worktree = worktree_at(self.on_disk(raw))
            if worktree is not None:
                inner, problems = self.checkout(worktree, raw)
        if folder == "" and FILE in names:
            inner, more = inner.with_settings(raw)
            problems.extend(more)
        for name in (GITIGNORE, OWN):
            if name in names:
                inner, more = inner.with_file(name, raw)
                problems.extend(more)
        return inner, problems

    def with_settings(self, folder: bytes) -> tuple[IgnoreScope, list[Skipped]]:
        """Return the ignore scope with the patterns that the settings of the repository list."""
        found = project_settings(self.on_disk(folder))
        problems = [Skipped(FILE, skip_reasons.RULE, problem) for problem in found.problems]
        rules, refused = ignore_rules("\n".join(found.ignore).encode("utf-8", "surrogateescape"), FILE, folder)
        return self._with_own(rules), [*problems, *refused]

    def _with_own(self, rules: IgnoreFile | None) -> IgnoreScope:
        return self if rules is None else replace(self, scope=Scope(self.scope.git, (*self.scope.own, rules)))

    def checkout(self, worktree: Worktree, base: bytes) -> tuple[IgnoreScope, list[Skipped]]:
        """Return the ignore scope at the top of a git checkout, and the ignore rules that could not be used.

        Git's rules start anew there, even if the checkout is inside another checkout.
        """
        problems: list[Skipped] = []
        shown = self._shown(base) + ".git/"
        scope = Scope(own=self.scope.own)
        if not self.include_ignored and worktree.exclude_file.is_file():
            rules, refused = read_ignore_file(
                worktree.exclude_file, f"{shown}info/exclude", base, ignore_case=worktree.ignore_case
            )
            problems += refused
            scope = Scope(() if rules is None else (rules,), self.scope.own)
        try:
            tracked = worktree.tracked
        except IndexFormatError as error:
            tracked = Tracked()
            detail = f"{error}; files that are both tracked and ignored are left out"
            problems.append(Skipped(f"{shown}index", skip_reasons.UNREADABLE, detail))
        inner = replace(self, scope=scope, worktree=worktree, base=base, tracked=tracked, only_tracked=False)
        return inner, problems

    def with_file(self, name: str, folder: bytes) -> tuple[IgnoreScope, list[Skipped]]:
        """Return the ignore scope with the rules of one more ignore file, and the problems of reading this file."""
        if name == GITIGNORE and self.include_ignored:
            return self, []
        ignore_case = self.worktree is not None and self.worktree.ignore_case
        file = self.on_disk(folder) / name
        rules, problems = read_ignore_file(file, self._shown(folder) + name, folder, ignore_case=ignore_case)
        if rules is None:
            return self, problems
        if name == GITIGNORE:
            return replace(self, scope=Scope((*self.scope.git, rules), self.scope.own)), problems
        return self._with_own(rules), problems

    def on_disk(self, raw: bytes) -> Path:
        return self.top / os.fsdecode(raw)

    def _shown(self, raw: bytes) -> str:
        """Return the path `raw` for messages: relative to the root, with ``../`` for folders above the root."""
        if raw.startswith(self.lead):
            return raw[len(self.lead) :].decode("utf-8", "backslashreplace")
        return "../" * self.lead[len(raw) :].count(b"/")


def scope_of_root(root: Path, *, include_ignored: bool) -> tuple[IgnoreScope, list[Skipped]]:
    """Return the ignore scope of the root, and the rules that could not be used.

    `root` is an absolute path with links resolved. If it is in a git checkout, the rules of the folders above it apply
    too. They do not apply if they ignore the root itself, because a user who names an ignored folder wants to see its
    files.
    """
    worktree = worktree_around(root)
    if worktree is None or worktree.top == root:
        return IgnoreScope(root, include_ignored=include_ignored), []
    above = root.relative_to(worktree.top).as_posix() + "/"
    lead = os.fsencode(above)
    outermost = IgnoreScope(worktree.top, lead, include_ignored)
    outer, problems = outermost.checkout(worktree, b"")
    unruled = replace(outer, scope=Scope())
    at = -1
    while (start := at + 1) < len(lead):
        folder = lead[:start]
        names = {name for name in (GITIGNORE, OWN) if (outer.on_disk(folder) / name).is_file()}
        for name in sorted(names, reverse=True):
            outer, more = outer.with_file(name, folder)
            problems += more
        at = lead.index(b"/", start)
        verdict = outer.scope.by_own(lead[:at], is_folder=True) or outer.scope.by_git(lead[:at], is_folder=True)
        if verdict is not None and verdict.ignored:
            return unruled, []
    return outer, problems
