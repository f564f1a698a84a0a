"""Reading of a candidate: the result is its decoded text, or the reason why it is not indexed."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

from codeexplore.languages.registry import by_content
from codeexplore.languages.resources import OTHER
from codeexplore.source import filters, skip_reasons
from codeexplore.source.discovery import NOTEBOOK, Candidate
from codeexplore.source.notebook import NotebookError, parse_notebook
from codeexplore.source.safe_io import failure, read_regular
from codeexplore.types import Skipped, SourceFile, settings

FALLBACK = "latin-1"
"""Encoding that is recorded for a file of unknown encoding: Latin-1 decodes any byte. If a file declares Latin-1, the
recorded name is "iso8859-1"."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark starts with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARATION = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?\r?$")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_SAMPLE = 4_096  # bytes examined to separate text from binary content
_TEXT_CONTROLS = bytes([*range(0x20, 0x7F), *range(0x80, 0x100), *b"\t\n\r\f\b\x1b\x1a"])

_NO_CHARSETS = frozenset(
    {"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined", "utf_7", "mbcs", "oem"}
)
"""Python codecs that a declaration may not select: they are slow, or their results are not text."""


class Decoded(NamedTuple):
    """Decoded text, which can be encoded to UTF-8, and the name of the original encoding."""

    text: str
    encoding: str


def decode(data: bytes, *, python: bool = False) -> Decoded | None:
    """Decode a source file; return None if it is not text.

    These are tried in order:

    1. a byte order mark;
    2. UTF-16 without a mark, if every other byte is NUL;
    3. with `python`, the encoding that the file declares (PEP 263);
    4. UTF-8;
    5. for other languages, an encoding that the file declares in the form of PEP 263;
    6. Latin-1.

    A mark is not part of the text. Line endings are kept.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _marked(data, encoding)
    if b"\0" in data:
        unmarked = _utf16_without_mark(data)
        return unmarked if unmarked is not None and "\0" not in unmarked.text else None
    if python and b"coding" in data[:_SAMPLE] and (declared := _declared(data)) is not None:
        return declared
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError:
        pass  # not UTF-8: one of the cases below
    sample = data[:_SAMPLE]
    if 10 * len(sample.translate(None, _TEXT_CONTROLS)) > len(sample):
        return None
    return _declared(data) or Decoded(data.decode(FALLBACK), FALLBACK)


def _marked(data: bytes, encoding: str) -> Decoded | None:
    """Return the text after the mark of `encoding`. The mark is certain, so invalid bytes become U+FFFD."""
    text = data.decode(encoding, "replace")
    return None if "\0" in text else Decoded(text, encoding)


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Return the text of a UTF-16 file without a byte order mark; None if the data does not look like UTF-16.

    In Latin scripts, one byte of each pair is usually NUL and the other byte never is.
    """
    sample = data[: _SAMPLE & ~1]
    if len(data) % 2 or len(sample) < 4:
        return None
    even, odd = sample[::2], sample[1::2]
    few, many = sorted((even.count(0), odd.count(0)))
    if few or 10 * many < 7 * len(even):
        return None
    encoding = "utf-16-le" if odd.count(0) else "utf-16-be"
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _declared(data: bytes) -> Decoded | None:
    """Return the text in the encoding that one of the first two lines declares; None if that is not possible."""
    lines = data[:_SAMPLE].split(b"\n", 2)[:2]
    found = _DECLARATION.match(lines[0])
    if found is None and len(lines) > 1 and _BLANK.match(lines[0]):
        found = _DECLARATION.match(lines[1])
    if found is None:
        return None
    try:
        codec = codecs.lookup(found.group(1).decode("ascii"))
        if codec.name.replace("-", "_") in _NO_CHARSETS:
            return None
        text = data.decode(codec.name)  # a LookupError for codecs that do not return text, such as hex
        text.encode()
    except (LookupError, UnicodeError):
        return None
    return Decoded(text, codec.name)


_PYTHON = "python"


def read(root: Path, candidate: Candidate, *, max_bytes: int = settings.MAX_FILE_BYTES) -> SourceFile | Skipped:
    """Read and decode one file.

    The file is read as it is now. If it changed after discovery, its new content is read. If it was deleted or is no
    longer an ordinary file, a skip is returned. The content of a repository never causes an exception.

    Parameters
    ----------
    root
        The folder that was walked (`Discovery.root`).
    candidate
        The file to read. A file that is minified or written by a tool is left out unless it is `wanted`, as in the
        search of code hosts, because nobody edits it, it repeats its source, and it displaces other code in results.
    max_bytes
        Size limit in bytes for a file that has grown since discovery, and for the text of a notebook's cells.
    """
    data = read_bytes(root, candidate, max_bytes)
    if isinstance(data, Skipped):
        return data
    return read_from(data, candidate, max_bytes=max_bytes)


def read_bytes(root: Path, candidate: Candidate, max_bytes: int = settings.MAX_FILE_BYTES) -> bytes | Skipped:
    """Read a file's bytes, or return the reason for skipping it. This is the first half of `read`."""
    try:
        return read_regular(f"{root}{os.sep}{candidate.path}", max(max_bytes, candidate.size) + 1)
    except OSError as error:
        return failure(candidate.path, error)


def read_from(data: bytes, candidate: Candidate, *, max_bytes: int = settings.MAX_FILE_BYTES) -> SourceFile | Skipped:
    """Decode the bytes of a file: the second half of `read`, which may run on another machine."""
    limit = max(max_bytes, candidate.size)
    if len(data) > limit:
        return Skipped(candidate.path, skip_reasons.TOO_LARGE, f"grew while it was read, the limit is {limit:,} bytes")
    decoded = decode(data, python=candidate.language == _PYTHON)
    if decoded is None:
        return Skipped(candidate.path, skip_reasons.BINARY, "NUL or control bytes")
    if candidate.language == OTHER.name and not candidate.wanted:
        if not decoded.encoding.startswith("utf"):
            return Skipped(candidate.path, skip_reasons.BINARY, "neither UTF-8 text nor a known format")
        if not decoded.text.strip():
            return Skipped(candidate.path, skip_reasons.DATA, "empty")
    digest = hashlib.sha256(data, usedforsecurity=False).hexdigest()
    if candidate.language == NOTEBOOK:
        return _notebook(candidate.path, decoded, digest, max_bytes)
    if not candidate.wanted:
        if marker := filters.generated(candidate.path, data):
            return Skipped(candidate.path, skip_reasons.GENERATED, marker)
        if why := filters.minified(candidate.path, data):
            return Skipped(candidate.path, skip_reasons.MINIFIED, why)
        if filters.is_qt_translation(candidate.path, data):
            return Skipped(candidate.path, skip_reasons.DATA, "translations for Qt")
    text = decoded.text
    if b"\r" in data:  # a carriage return alone ends a line, in editors and for most compilers
        text = _LONE_RETURN.sub("\n", text)
    language = by_content(candidate.language, candidate.path, text)
    return SourceFile(candidate.path, language, text, digest, decoded.encoding)


def _notebook(path: str, decoded: Decoded, digest: str, max_bytes: int) -> SourceFile | Skipped:
    try:
        text, cells = parse_notebook(decoded.text)
    except NotebookError as error:
        return Skipped(path, skip_reasons.NOTEBOOK, str(error))
    if len(text) > max_bytes:
        return Skipped(path, skip_reasons.TOO_LARGE, f"cells of {len(text):,} characters, the limit is {max_bytes:,}")
    return SourceFile(path, NOTEBOOK, text, digest, decoded.encoding, cells)
