"""Files of a wheel, an sdist or another archive, read into memory.

Nothing is written to the disk, so no name in an archive can leave a folder, and nothing of it runs. Links and devices
are left out. All sizes are limited by the bytes that are really read, not by those that the archive declares.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import posixpath
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

from codeexplore.source.safe_io import open_given
from codeexplore.types.errors import SourceError
from codeexplore.types.rows import grouped

MOST_ARCHIVE_BYTES = 512 << 20
"""Largest archive. PyPI accepts 100 MB unless a project asks for more."""

MOST_TOTAL_BYTES = 1 << 30
"""Bytes that are unpacked from one archive."""

MOST_MEMBERS = 200_000

_MOST_DIRECTORY = 64 << 20  # bytes of the directory of a ZIP file; `zipfile` needs 20 times as much memory
_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_ZIP = (".whl", ".zip", ".egg", ".jar")
# What zipfile, tarfile and the decompressors raise for damaged or encrypted data; they share no base class.
_UNPACKING = (zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)
_ERRORS = (OSError, EOFError, ValueError, RuntimeError, struct.error, *_UNPACKING)


class ArchiveFiles(NamedTuple):
    """The wanted files of an archive by path, and how many were left out, by the reason."""

    files: dict[str, bytes]
    left_out: dict[str, int]


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith((*_TAR, *_ZIP))


def read_archive(path: Path, wanted: Callable[[str], bool], max_file_bytes: int) -> ArchiveFiles:
    """Read the files of a wheel, ZIP or TAR file (also gzip, bzip2 or xz) whose POSIX paths are wanted.

    Files of more than `max_file_bytes` are left out and counted. Raises SourceError if the archive is damaged,
    encrypted, or larger than the limits.
    """
    shown = str(path)
    found: dict[str, bytes] = {}
    left_out: Counter[str] = Counter()
    total = 0
    try:
        if path.stat().st_size > MOST_ARCHIVE_BYTES:
            raise SourceError(f"{shown!r} has more than {MOST_ARCHIVE_BYTES >> 20} MB; unpack it, and give the folder")
        members = _zip_members if path.name.lower().endswith(_ZIP) else _tar_members
        for number, (name, read) in enumerate(members(path)):
            if number >= MOST_MEMBERS:
                raise SourceError(f"{shown!r} has more than {MOST_MEMBERS:,} files; unpack it, and give the folder")
            safe = _safe(name)
            if read is None or not safe:
                left_out["links and special files" if safe else "names that leave the archive"] += 1
            elif wanted(safe):
                data = read(max_file_bytes + 1)
                total += len(data)
                if total > MOST_TOTAL_BYTES:
                    raise _too_large(shown)
                if len(data) > max_file_bytes:
                    left_out[f"files of more than {max_file_bytes:,} bytes"] += 1
                else:
                    found[safe] = data
    except SourceError:
        raise
    except _ERRORS as error:
        raise SourceError(
            f"the archive {shown!r} can't be read: {str(error) or type(error).__name__}; unpack it, and give the folder"
        ) from error
    return ArchiveFiles(found, dict(left_out))


_Members = Iterator["tuple[str, Callable[[int], bytes] | None]"]


def _zip_members(path: Path) -> _Members:
    """Yield (name, function that reads at most n bytes) of each file; None in place of the function for a link."""
    with open_given(path) as stream:
        stream.seek(max(0, os.fstat(stream.fileno()).st_size - 66_000))
        end = stream.read()
        at = end.rfind(b"PK\x05\x06")
        if at < 0 or len(end) < at + 22:
            raise zipfile.BadZipFile("it is not a ZIP file, or is cut off")
        if struct.unpack_from("<L", end, at + 12)[0] > _MOST_DIRECTORY:
            raise zipfile.BadZipFile("its directory is too long")
        with zipfile.ZipFile(stream) as archive:
            for info in archive.infolist():
                if info.is_dir():
                    continue
                link = (info.external_attr >> 28) == 0xA

                def read(size: int, info: zipfile.ZipInfo = info) -> bytes:
                    with archive.open(info) as member:
                        return member.read(size)

                yield info.filename, None if link else read


def _tar_members(path: Path) -> _Members:
    """Yield (name, function that reads at most n bytes) of each file; None in place of the function for a link."""
    with open_given(path) as raw:
        start = raw.read(6)
        raw.seek(0)
        packed = _unpacked(raw, start)
        with tarfile.open(fileobj=_Limited(packed, str(path)), mode="r|") as archive:
            for member in archive:
                if member.isdir():
                    continue
                stream = archive.extractfile(member) if member.isreg() else None
                yield member.name, None if stream is None else stream.read


def _unpacked(raw: IO[bytes], start: bytes) -> IO[bytes]:
    """Return the stream of an unpacked file, by its first bytes. It is closed with `raw`, of which it owns nothing."""
    if start[:2] == b"\x1f\x8b":
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if start[:3] == b"BZh":
        return cast("IO[bytes]", bz2.BZ2File(raw))
    if start == b"\xfd7zXZ\0":
        return cast("IO[bytes]", lzma.LZMAFile(raw))
    return raw


class _Limited(io.RawIOBase):
    """A stream that raises SourceError after `MOST_TOTAL_BYTES`: a small archive may contain a very long file."""

    def __init__(self, stream: IO[bytes], shown: str) -> None:
        self._stream, self._shown, self._left = stream, shown, MOST_TOTAL_BYTES

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._shown)
        return data


def _too_large(shown: str) -> SourceError:
    return SourceError(f"{shown!r} contains more than {MOST_TOTAL_BYTES >> 30} GB; unpack it, and give the folder")


def _safe(name: str) -> str:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return ""
    parts = name.removeprefix("./").split("/")
    if "\0" in name or "\\" in name or ":" in parts[0] or any(part in ("", ".", "..") for part in parts):
        return ""
    return "/".join(parts)


class Alignment(NamedTuple):
    """The rule that turns paths of one version into those of the other: `add` replaces the prefix `strip`."""

    strip: str
    add: str

    def of(self, path: str) -> str | None:
        """Return the path in the other version; None if it is outside of the compared folder."""
        return self.add + path[len(self.strip) :] if path.startswith(self.strip) else None


def aligned(known: Collection[str], others: Collection[str]) -> Alignment:
    """Return the alignment by which most paths of `others` are among the `known` ones.

    An sdist has its files below ``name-1.0/``, perhaps in ``src/``; a wheel begins with the package.
    """
    by_name = grouped((posixpath.basename(path), path) for path in known)
    votes: Counter[Alignment] = Counter()
    for path in others:
        for other in by_name[posixpath.basename(path)][:50]:
            one, two = path.split("/"), other.split("/")
            same = 0
            while same < min(len(one), len(two)) and one[-1 - same] == two[-1 - same]:
                same += 1
            votes[Alignment(_folder(one[: len(one) - same]), _folder(two[: len(two) - same]))] += 1
    return max(votes, key=lambda each: (votes[each], -len(each.strip) - len(each.add)), default=Alignment("", ""))


def _folder(parts: list[str]) -> str:
    return "".join(f"{part}/" for part in parts)
