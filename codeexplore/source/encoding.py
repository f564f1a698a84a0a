"""Bytes → text: detection of a source file's encoding."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

FALLBACK = "latin-1"
"""Recorded for files of unknown encoding, in which any byte is a letter. A declared Latin-1 is "iso8859-1"."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark starts with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARATION = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?\r?$")
_SAMPLE = 4_096  # bytes examined to separate text from binary content
_TEXT_CONTROLS = bytes([*range(0x20, 0x7F), *range(0x80, 0x100), *b"\t\n\r\f\b\x1b\x1a"])

_NO_CHARSETS = frozenset(
    {"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined", "utf_7", "mbcs", "oem"}
)
"""Python's text codecs that are not character sets: slow to decode, or with results that are not text."""


class Decoded(NamedTuple):
    """Text that encodes to UTF-8, and the encoding it was in."""

    text: str
    encoding: str


def decode(data: bytes, *, python: bool = False) -> Decoded | None:
    """Decode a source file; None if it is not text.

    In order: a byte order mark; UTF-16 without one, if every other byte is NUL; with `python`, the declared encoding
    (PEP 263); UTF-8; a declaration in any other language; Latin-1. A mark is not part of the text; line endings are
    kept.
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
    """Return the text after a byte order mark. Invalid bytes become U+FFFD, since the mark is certain evidence."""
    text = data.decode(encoding, "replace")
    return None if "\0" in text else Decoded(text, encoding)


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Decode UTF-16 if every other byte at the beginning is mostly NUL and the rest never is, as in Latin scripts."""
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
    """Decode by the encoding declared in one of the first two lines; None if there is none or it does not fit."""
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
