"""Unified diffs, read and applied in memory. Nothing is written, and no program runs.

The formats are those of ``git diff``, ``git format-patch``, ``hg diff --git`` and ``diff -u``. A hunk is applied where
all its lines fit, at its own place or at the nearest one; it is never applied to lines that differ.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from codeexplore.types.errors import PatchError

MAX_PATCH_BYTES = 256 << 20
"""Bytes of a patch. A larger one is a data dump, not a change that somebody reviews."""

MOST_SEARCHES = 200
"""Hunks of one file that are looked for away from their place; lines added above shift all of them at once."""

_HUNK = re.compile(rb"^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_ESCAPE = re.compile(rb"\\([abtnvfr\"\\]|[0-7]{3})")
_ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


class Hunk(NamedTuple):
    """Lines of a file before (`old`) and after (`new`) a patch, without line ends."""

    start: int  # number of the first old line, 1-based; 0 if there is none, as in a new file
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    new_start: int
    line: int  # of the patch


@dataclass(slots=True)
class FilePatch:
    """Changes of one file. A path is "" where the file does not exist."""

    old: str
    new: str
    hunks: list[Hunk] = field(default_factory=list)
    binary: bool = False


def parse_patch(data: bytes) -> list[FilePatch]:
    """Return the files of a patch, in order.

    Raises PatchError for a text that is no unified diff, is incomplete, is the combined diff of a merge, has a path
    that leads out of the repository, or is larger than `MAX_PATCH_BYTES`.
    """
    if len(data) > MAX_PATCH_BYTES:
        raise PatchError(
            f"the patch has {len(data) / 1e6:,.0f} MB, the limit is {MAX_PATCH_BYTES / 1e6:,.0f} MB; compare with the "
            "commit instead of a patch"
        )
    found = list(_Parser(data).files())
    if not found:
        raise PatchError("the text is no patch: it has no line such as `--- a/path`, or `diff --git a/path b/path`")
    return found


class _Parser:
    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")
        self._at = 0

    def files(self) -> Iterator[FilePatch]:
        current: FilePatch | None = None
        while self._at < len(self._lines):
            line = self._lines[self._at].removesuffix(b"\r")
            if line.startswith((b"diff --cc ", b"diff --combined ", b"@@@ ")):
                raise PatchError(
                    f"line {self._at + 1} of the patch starts the combined diff of a merge, which has no single state "
                    "before it; `git diff main...feature` gives one"
                )
            if line.startswith(b"diff --git "):
                if current is not None:
                    yield current
                current = self._git_header(line)
            elif line.startswith(b"--- ") and self._next().startswith(b"+++ "):
                old, new = _path(line[4:], self._at), _path(self._next()[4:], self._at + 1)
                if current is None or current.hunks:
                    if current is not None:
                        yield current
                    current = FilePatch(*_without_prefix(old, new))
                else:
                    current.old, current.new = _without_prefix(old, new)
                self._at += 2
                continue
            elif current is not None and line.startswith(b"@@ "):
                current.hunks.append(self._hunk(line))
                continue
            elif current is not None and line.startswith((b"Binary files ", b"GIT binary patch")):
                current.binary = True
            self._at += 1
        if current is not None:
            yield current

    def _next(self) -> bytes:
        return self._lines[self._at + 1].removesuffix(b"\r") if self._at + 1 < len(self._lines) else b""

    def _git_header(self, line: bytes) -> FilePatch:
        """Return the paths in git's header of a file. Paths in later lines ``---`` and ``+++`` replace them."""
        names = _two_paths(line[len(b"diff --git ") :], self._at)
        old, new = _without_prefix(*names)
        for offset in range(1, 12):
            if self._at + offset >= len(self._lines):
                break
            each = self._lines[self._at + offset].removesuffix(b"\r")
            if each.startswith((b"diff --git ", b"@@ ", b"--- ")):
                break
            if each.startswith(b"rename from "):
                old = _path(each[len(b"rename from ") :], self._at + offset)
            elif each.startswith((b"rename to ", b"copy to ")):
                new = _path(each.partition(b" to ")[2], self._at + offset)
            elif each.startswith((b"copy from ", b"new file mode")):
                old = ""  # a copied file stays
            elif each.startswith(b"deleted file mode"):
                new = ""
        return FilePatch(old, new)

    def _hunk(self, line: bytes) -> Hunk:
        match = _HUNK.match(line)
        if match is None:
            raise PatchError(
                f"line {self._at + 1} of the patch is no hunk header: {line[:80].decode('utf-8', 'replace')!r}"
            )
        first = self._at + 1
        n_old, n_new = (int(match[n]) if match[n] is not None else 1 for n in (2, 4))
        old: list[bytes] = []
        new: list[bytes] = []
        self._at += 1
        while len(old) < n_old or len(new) < n_new:
            if self._at >= len(self._lines):
                raise PatchError(f"the patch ends inside the hunk that starts at its line {first}")
            row = self._lines[self._at].removesuffix(b"\r")
            sign, text = row[:1], row[1:]
            if sign in (b" ", b""):  # mail programs remove the space of an empty line
                old.append(text)
                new.append(text)
            elif sign == b"-":
                old.append(text)
            elif sign == b"+":
                new.append(text)
            elif sign != b"\\":  # "\ No newline at end of file"
                raise PatchError(
                    f"line {self._at + 1} of the patch is not part of a hunk: {row[:80].decode('utf-8', 'replace')!r}"
                )
            self._at += 1
        return Hunk(int(match[1]), tuple(old), tuple(new), int(match[3]), first)


def _without_prefix(old: str, new: str) -> tuple[str, str]:
    """Return two paths without the prefixes ``a/`` and ``b/`` (also git's other prefixes: ``i/``, ``w/`` …)."""
    if all(not each or (each[1:2] == "/" and each[0] in "abciwo12") for each in (old, new)):
        return old[2:], new[2:]
    return old, new


def _two_paths(text: bytes, at: int) -> tuple[str, str]:
    """Return the two paths of a ``diff --git`` line. Paths without quotes are split in the middle if they are equal."""
    if text.startswith(b'"'):
        end = text.index(b'"', 1) if b'"' in text[1:] else len(text)
        while end < len(text) and text[end - 1 : end] == b"\\" and b'"' in text[end + 1 :]:
            end = text.index(b'"', end + 1)
        return _path(text[: end + 1], at), _path(text[end + 1 :].strip(), at)
    middle = len(text) // 2
    if text[middle : middle + 1] == b" ":
        return _path(text[:middle], at), _path(text[middle + 1 :], at)
    first, _, second = text.partition(b" ")
    return _path(first, at), _path(second, at)


def _path(text: bytes, at: int) -> str:
    """Return a path of a patch without quotes and time stamp; "" for /dev/null. Raises PatchError."""
    text = text.removesuffix(b"\r")
    if text.startswith(b'"') and (quoted := text.rstrip(b" \t")).endswith(b'"') and len(quoted) > 1:
        text = _ESCAPE.sub(lambda m: bytes([_ESCAPES.get(m[1]) or int(m[1], 8) & 255]), quoted[1:-1])
    else:
        text = text.partition(b"\t")[0].rstrip()
    if text == b"/dev/null":
        return ""
    path = text.decode("utf-8", "backslashreplace").replace(os.sep, "/")
    parts = path.split("/")
    if not path or path.startswith("/") or ".." in parts or "\0" in path:
        raise PatchError(f"line {at + 1} of the patch names {path[:200]!r}, which is not a path inside the repository")
    return path


def applied(patch: FilePatch, data: bytes, *, backwards: bool = False) -> bytes:
    """Return the content after a patch was applied or, `backwards`, undone. Raises PatchError if it fits nowhere."""
    ending = b"\r\n" if b"\r\n" in data[:8192] else b"\n"
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    ended = bool(lines) and lines[-1] == b""
    if ended:
        lines.pop()
    made: list[bytes] = []
    at = shift = searches = 0
    for hunk in patch.hunks:
        before, after, start = (hunk.new, hunk.old, hunk.new_start) if backwards else (hunk.old, hunk.new, hunk.start)
        own = start - 1 if before else start
        place = min(max(at, own + shift), len(lines))
        if tuple(lines[place : place + len(before)]) != before:
            searches += 1
            place = _nearest(lines, before, place, at) if searches <= MOST_SEARCHES else -1
        if place < 0:
            raise PatchError(
                f"the hunk at line {hunk.line} of the patch does not fit {patch.new or patch.old!r} at its line {start}"
            )
        shift = place - own
        made += lines[at:place]
        made += after
        at = place + len(before)
    made += lines[at:]
    return ending.join(made) + (ending if made and (ended or not data) else b"")


def _nearest(lines: Sequence[bytes], wanted: Sequence[bytes], near: int, least: int) -> int:
    """Return the index nearest to `near`, at least `least`, at which the wanted lines are; -1 if there is none."""
    earlier = lines[least : near + len(wanted) - 1][::-1]  # in which the first one is the last before `near`
    before, after = _first(earlier, wanted[::-1]), _first(lines[near:], wanted)
    found = [least + len(earlier) - before - len(wanted)] if before >= 0 else []
    found += [near + after] if after >= 0 else []
    return min(found, key=lambda place: abs(place - near), default=-1)


def _first(lines: Sequence[bytes], wanted: Sequence[bytes]) -> int:
    """Return the first index at which the wanted lines are; -1 if there is none. The search of bytes is linear."""
    text, part = (b"\n" + b"".join(line + b"\n" for line in each) for each in (lines, wanted))
    place = text.find(part)
    return text.count(b"\n", 0, place) if place >= 0 else -1
