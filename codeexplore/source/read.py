"""Reading of a candidate: the result is its decoded text, or the reason why it is not indexed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from codeexplore import settings
from codeexplore.languages.registry import by_content
from codeexplore.languages.resources import OTHER
from codeexplore.source import filters, skip_reasons
from codeexplore.source.candidates import NOTEBOOK, Candidate
from codeexplore.source.encoding import Decoded, decode
from codeexplore.source.notebook import NotebookError, parse_notebook
from codeexplore.source.safe_io import failure, read_regular
from codeexplore.types import Skipped, SourceFile

_PYTHON = "python"


def read(
    root: Path, candidate: Candidate, *, max_bytes: int = settings.MAX_FILE_BYTES, include_generated: bool = False
) -> SourceFile | Skipped:
    """Read and decode one file.

    The file is read as it is now. If it changed after discovery, its new content is read. If it was deleted or is no
    longer an ordinary file, a skip is returned. The content of a repository never causes an exception.

    Parameters
    ----------
    root
        The folder that was walked (`Discovery.root`).
    candidate
        The file to read. A candidate that is `wanted` is read even if it is minified or generated.
    max_bytes
        Size limit in bytes for a file that has grown since discovery, and for the text of a notebook's cells.
    include_generated
        Also return files that are marked as written by a tool. By default they are left out, as in the search of
        code hosts, because nobody edits them, they repeat their source, and they displace other code in results.
    """
    data = read_bytes(root, candidate, max_bytes)
    if isinstance(data, Skipped):
        return data
    return read_from(data, candidate, max_bytes=max_bytes, include_generated=include_generated)


def read_bytes(root: Path, candidate: Candidate, max_bytes: int = settings.MAX_FILE_BYTES) -> bytes | Skipped:
    """Read a file's bytes, or return the reason for skipping it. This is the first half of `read`."""
    try:
        return read_regular(f"{root}{os.sep}{candidate.path}", max(max_bytes, candidate.size) + 1)
    except OSError as error:
        return failure(candidate.path, error)


def read_from(
    data: bytes,
    candidate: Candidate,
    *,
    max_bytes: int = settings.MAX_FILE_BYTES,
    include_generated: bool = False,
) -> SourceFile | Skipped:
    """Decode the bytes of a file.

    This is the second half of `read`; it may run on a machine that does not have the files.
    """
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
        if not include_generated and (marker := filters.generated(candidate.path, data)):
            return Skipped(candidate.path, skip_reasons.GENERATED, marker)
        if why := filters.minified(candidate.path, data):
            return Skipped(candidate.path, skip_reasons.MINIFIED, why)
    language = by_content(candidate.language, candidate.path, decoded.text)
    return SourceFile(candidate.path, language, decoded.text, digest, decoded.encoding)


def _notebook(path: str, decoded: Decoded, digest: str, max_bytes: int) -> SourceFile | Skipped:
    try:
        text, cells = parse_notebook(decoded.text)
    except NotebookError as error:
        return Skipped(path, skip_reasons.NOTEBOOK, str(error))
    if len(text) > max_bytes:
        return Skipped(path, skip_reasons.TOO_LARGE, f"cells of {len(text):,} characters, the limit is {max_bytes:,}")
    return SourceFile(path, NOTEBOOK, text, digest, decoded.encoding, cells)
