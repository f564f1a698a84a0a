"""Records of files: source files, notebook cells, spans of a text, and skipped files with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeexplore.types.brief import brief_repr


class Skipped(NamedTuple):
    """A file or folder that was not indexed, and why. `path` is relative to the root, POSIX."""

    path: str
    reason: str  # one of source.skip_reasons: "ignored", "too large", "binary", …
    detail: str = ""


class Cell(NamedTuple):
    """Position of one notebook cell in the notebook's joined text."""

    number: int  # 1-based, counting every cell of the notebook
    kind: Literal["code", "markdown", "raw"]
    start_line: int
    end_line: int
    language: str = ""  # of a code cell: the kernel's, or the one its %%magic names; "python" as a rule


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file. `text` keeps its line endings; a notebook's text is its joined cells."""

    __repr__ = brief_repr

    path: str  # relative to the root, POSIX separators
    language: str  # a Language.name
    text: str
    sha256: str  # of the bytes on disk, hex
    encoding: str = "utf-8"
    cells: tuple[Cell, ...] = ()


class Span(NamedTuple):
    """A span of one file: lines 1-based inclusive, bytes 0-based half-open over the UTF-8 text."""

    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
