"""Records of files: source files, notebook cells, spans of a text, and skipped files with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeexplore.types.displayed import brief_repr


class Skipped(NamedTuple):
    """A file or folder that was not indexed, with the reason. `path` is relative to the root, POSIX."""

    path: str
    reason: str  # one of source.skip_reasons: "ignored", "too large", "binary", …
    detail: str = ""


class Cell(NamedTuple):
    """Position of one notebook cell in the notebook's joined text."""

    number: int  # 1-based, counting every cell of the notebook
    kind: Literal["code", "markdown", "raw"]
    start_line: int
    end_line: int
    language: str = ""  # of a code cell: the language of its %%magic, else of the kernel; usually "python"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file. `text` contains the original line endings. The text of a notebook is its joined cells."""

    __repr__ = brief_repr

    path: str  # relative to the root, POSIX separators
    language: str  # a Language.name
    text: str
    sha256: str  # of the bytes on disk, hex
    encoding: str = "utf-8"
    cells: tuple[Cell, ...] = ()


class Span(NamedTuple):
    """A range in one file. Lines are 1-based and inclusive; bytes are 0-based and half-open, in the UTF-8 text."""

    start_line: int
    end_line: int
    start_byte: int
    end_byte: int

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.start_line, self.end_line + 1)
