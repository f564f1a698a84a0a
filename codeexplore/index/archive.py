"""The file format of an index: a ZIP file of uncompressed members. Arrays are ``.npy``, others are JSON or bytes.

The file contains no code. Members are aligned to 64 bytes, so that arrays can be used directly in the memory-mapped
file. `numpy.load` can read the arrays too.

The CRC-32 of each member is in the directory of the ZIP file. The manifest repeats it with the member's size, and also
lists the required members.

A file is written under a temporary name beside its destination and then renamed. Therefore a reader sees either the
complete old file or the complete new file.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import mmap
import os
import re
import secrets
import struct
import zipfile
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from codeexplore.index.columns import decode_text
from codeexplore.interrupts import interrupts_first
from codeexplore.source.safe_io import open_given
from codeexplore.types.errors import DamagedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.columns import Member

FORMAT = 4
"""Version of the format. It is increased if a reader of the previous version could misread a file, or if files of the
previous version may contain wrong facts."""

MANIFEST = "manifest.json"
KIND = "codeexplore index"

_ALIGNMENT = 64  # bytes; NumPy pads .npy headers to it
_MOST_DIRECTORY = 1 << 17  # bytes; an index has a hundred members, each with about 170
_LOCAL_HEADER = 30  # bytes of a ZIP member's fixed header
_PADDING_FIELD = 0xD935  # id of the extra field for padding, as used by Android's zipalign
_EPOCH = (1980, 1, 1, 0, 0, 0)
_NPY_HEADER = re.compile(
    rb"(?P<start>\x93NUMPY\x01\x00(?P<length>..))"
    rb"\{'descr': '(?P<descr>[<>|][iuf][1248])', 'fortran_order': (?P<fortran>True|False), "
    rb"'shape': \((?P<shape>[\d, ]{0,60})\), \}",
    re.DOTALL,
)
"""Pattern of the headers that `_npy` writes, for arrays of numbers. NumPy's own reader evaluates the header as a Python
literal, so a manipulated header could make it raise any exception."""


def write_archive(path: Path, meta: Mapping[str, Any], members: Mapping[str, Member]) -> None:
    """Write an archive. A reader never sees a partial file.

    The archive is written to a temporary file beside `path`, flushed to the disk, and renamed.

    Parameters
    ----------
    path
        Its folder must exist. An existing file is replaced.
    meta
        Plain data for the manifest.
    members
        Name → array or bytes.

    Raises
    ------
    OSError
        The archive can't be written. No partial file remains, and an existing file at `path` is unchanged.
    """
    # chosen before the file exists, so that it is deleted after an interrupt
    part = path.with_name(f".part-{secrets.token_hex(8)}.tmp")
    try:
        with open(part, "xb", opener=partial(os.open, mode=0o600)) as stream:
            with interrupts_first():
                _write(stream, meta, members)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    _sync_folder(path.parent)


class _Writer(zipfile.ZipFile):
    """A ZIP file that is not completed by the garbage collector after an interrupt."""

    def __del__(self) -> None:
        """Do nothing. The method of `ZipFile` would write its directory here, perhaps into a closed file."""


def _write(stream: Any, meta: Mapping[str, Any], members: Mapping[str, Member]) -> None:
    with _Writer(stream, "w", zipfile.ZIP_STORED) as archive:
        listed: dict[str, dict[str, int]] = {}
        for name, member in members.items():
            data: list[Any] = [member] if isinstance(member, bytes) else _npy(member)
            file = name if isinstance(member, bytes) else f"{name}.npy"
            listed[file] = _add(archive, stream, file, data)
        manifest = {"kind": KIND, "format": FORMAT, "members": listed, "meta": meta}
        _add(archive, stream, MANIFEST, [json.dumps(manifest, ensure_ascii=False).encode("utf-8", "surrogatepass")])


def _add(archive: _Writer, stream: Any, file: str, blocks: list[Any]) -> dict[str, int]:
    info = zipfile.ZipInfo(file, _EPOCH)
    info.external_attr = 0o600 << 16
    start = stream.tell() + _LOCAL_HEADER + len(file.encode()) + 4
    padding = -start % _ALIGNMENT
    info.extra = struct.pack("<HH", _PADDING_FIELD, padding) + bytes(padding)
    size = crc = 0
    info.file_size = sum(len(block) if isinstance(block, bytes) else block.nbytes for block in blocks)
    with archive.open(info, "w") as target:
        for block in blocks:
            target.write(block)
            size += len(block) if isinstance(block, bytes) else block.nbytes
            crc = zlib.crc32(block, crc)
    return {"size": size, "crc": crc}


def _npy(array: NDArray[Any]) -> list[Any]:
    """Return an array as the blocks of a .npy file: the header and the data. Contiguous data is not copied."""
    fortran = array.flags.f_contiguous and not array.flags.c_contiguous
    contiguous = array if fortran else np.ascontiguousarray(array)
    if contiguous.dtype.hasobject:
        raise ValueError("arrays of objects can't be stored")
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": contiguous.dtype.str, "fortran_order": fortran, "shape": contiguous.shape}
    )
    flat = contiguous.reshape(-1, order="A")
    return [head.getvalue(), flat.view(np.uint8).data if flat.size else b""]


def _sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, if the system supports it. Then a rename in the folder survives a power failure."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems refuse; the rename itself was done
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Archive:
    """An open archive, mapped into memory. Opening it does not check the members; `verify` does.

    Raises DamagedIndex if the file is not an index, is cut off, or has another format version; the message names the
    problem. Raises OSError if the file can't be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_given(path) as stream:
            self.size = os.fstat(stream.fileno()).st_size
            if not self.size:
                raise DamagedIndex(f"{path} is empty")
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            self._places = self._directory(stream)
        manifest = self._manifest()
        self.meta: Mapping[str, Any] = manifest["meta"]
        self._listed: Mapping[str, Mapping[str, int]] = manifest["members"]
        self._compare()

    def _directory(self, stream: Any) -> dict[str, tuple[int, int, int]]:
        self._check_directory_size()
        try:
            with interrupts_first(), zipfile.ZipFile(stream) as archive:
                infos = archive.infolist()
        except (zipfile.BadZipFile, ValueError, OverflowError, struct.error, NotImplementedError) as error:
            raise DamagedIndex(f"{self.path} is not an index, or is cut off ({error})") from error
        places = {}
        for info in infos:
            head = self._map[info.header_offset : info.header_offset + _LOCAL_HEADER]
            if len(head) < _LOCAL_HEADER or info.compress_type != zipfile.ZIP_STORED:
                raise DamagedIndex(f"{self.path} is damaged at {info.filename!r:.80}")
            name_bytes, extra_bytes = struct.unpack("<HH", head[26:30])
            start = info.header_offset + _LOCAL_HEADER + name_bytes + extra_bytes
            if start + info.file_size > self.size:
                raise DamagedIndex(f"{self.path} is cut off")
            places[info.filename] = (start, info.file_size, info.CRC)
        return places

    def _check_directory_size(self) -> None:
        """Raise DamagedIndex if the directory of the ZIP file is too long.

        `zipfile` needs 1 kB of memory for an entry, which may have only 46 bytes in the file. Both fields from which
        `zipfile` reads the size are checked. The second exists only in files beyond 4 GB.
        """
        end, end64 = self._map[-22:], self._map[-98:-42]
        is_whole = len(end) == 22 and end.startswith(b"PK\x05\x06")
        sizes = [struct.unpack_from("<L", end, 12)[0]] if is_whole else [1 << 32]
        if self._map[-42:-22].startswith(b"PK\x06\x07") and len(end64) == 56:
            sizes.append(struct.unpack_from("<Q", end64, 40)[0])
        if max(sizes) > _MOST_DIRECTORY:
            raise DamagedIndex(f"{self.path} is not an index, or is cut off")

    def _manifest(self) -> Mapping[str, Any]:
        data = self.bytes(MANIFEST)
        if zlib.crc32(data) != self._places[MANIFEST][2]:
            raise DamagedIndex(f"{self.path} is damaged: the checksum of its manifest does not match")
        try:
            manifest = json_of(data, MANIFEST)
        except (ValueError, DamagedIndex) as error:
            raise DamagedIndex(f"{self.path} has a manifest that can't be read ({error})") from error
        if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
            raise DamagedIndex(f"{self.path} is not an index of codeexplore")
        version = manifest.get("format")
        if version != FORMAT:
            age = "a newer" if isinstance(version, int) and version > FORMAT else "an older"
            raise DamagedIndex(f"{self.path} was written by {age} version of codeexplore (format {version!r:.20})")
        if not isinstance(manifest.get("meta"), dict) or not isinstance(manifest.get("members"), dict):
            raise DamagedIndex(f"{self.path} has a manifest without its parts")
        return manifest

    def _compare(self) -> None:
        """Compare the directory with the manifest, which finds a damaged byte in one of them. Raises DamagedIndex."""
        found = {name: {"size": size, "crc": crc} for name, (_, size, crc) in self._places.items() if name != MANIFEST}
        if found != self._listed:
            raise DamagedIndex(f"{self.path} is damaged: its directory and its manifest differ")

    def verify(self, *files: str) -> None:
        """Check the CRC-32 of the given members; without arguments, of all members. Raises DamagedIndex."""
        names = files or tuple(self._places)

        def matches(name: str) -> bool:
            return zlib.crc32(self.bytes(name)) == self._place(name)[2]

        with ThreadPoolExecutor(min(4, len(names) or 1)) as pool:  # zlib releases the interpreter's lock
            for name, good in zip(names, pool.map(matches, names), strict=True):
                if not good:
                    raise DamagedIndex(f"{self.path} is damaged: the checksum of {name} does not match")

    def members(self) -> tuple[str, ...]:
        return tuple(self._places)

    def _place(self, file: str) -> tuple[int, int, int]:
        place = self._places.get(file)
        if place is None:
            raise DamagedIndex(f"{self.path} lacks {file}")
        return place

    def bytes(self, file: str) -> memoryview:
        """Return the bytes of a member, neither checked nor copied. Raises DamagedIndex if there is none."""
        start, size, _ = self._place(file)
        return memoryview(self._map)[start : start + size]

    def array(self, name: str) -> NDArray[Any]:
        """Return the array called `name`, read-only, directly from the mapped file. Raises DamagedIndex."""
        data = self.bytes(f"{name}.npy")
        try:
            head = _NPY_HEADER.match(data)
            if head is None:
                raise ValueError("a .npy header that is not written here")
            descr, fortran, sizes = (part.decode() for part in head.group("descr", "fortran", "shape"))
            shape = tuple(int(size) for size in sizes.replace(",", " ").split())
            count = math.prod(shape)
            start = head.end("start") + int.from_bytes(head["length"], "little")
            flat = np.frombuffer(data, descr, count, start) if count else np.zeros(0, descr)
            return flat.reshape(shape, order="F" if fortran == "True" else "C")
        except (ValueError, TypeError, OverflowError) as error:
            raise DamagedIndex(f"{self.path} contains {name} in an unusable form ({error})") from error


_BYTES_A_VALUE = 2.5
"""Fewest bytes of JSON for each value; measured values are 3.9 and more. The limit is needed because JSON can use far
more memory than text: each empty list takes 3 bytes of text and 80 bytes of memory."""

_FEW_VALUES = 10_000
"""Number of values that is always accepted, for the index of a small repository."""


def json_of(data: Any, what: str) -> Any:
    """Return the data in `data`, the JSON text of an untrusted file.

    A text with more values than its length allows is refused. Raises DamagedIndex or
    ValueError if the data is not JSON, or would need far more memory than its text. The message begins with `what`.
    """
    raw = np.frombuffer(data, np.uint8)
    values = int(np.count_nonzero(raw == ord(","))) + int(np.count_nonzero(raw == ord("[")))
    if values > _FEW_VALUES + len(raw) / _BYTES_A_VALUE:
        raise ValueError(f"{what}: {values:,} values in {len(raw):,} bytes")
    try:
        return json.loads(decode_text(data))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what}: no JSON ({type(error).__name__})") from error
