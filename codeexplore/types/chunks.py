"""Records of searchable text: chunks, their word counts, and a file with its facts and its chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeexplore.types.brief import brief_repr
from codeexplore.types.facts import FileFacts
from codeexplore.types.files import SourceFile, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: one symbol's own lines, or a part of them.

    `text` is the source of `spans` joined by newlines (a class's own lines are not contiguous). `context` (path words,
    qualified name, signature) is indexed by both text lanes and never shown as source.
    """

    __repr__ = brief_repr

    id: str  # hash of path, symbol and text (plus an ordinal for twins): edits elsewhere keep it
    path: str
    spans: tuple[Span, ...]
    text: str
    language: str
    symbol: str | None  # Symbol.id
    context: str = ""
    part: int = 0  # 0 for a whole symbol; 1, 2 … for the parts of a split one

    @property
    def start_line(self) -> int:
        """First line of the chunk, 1-based."""
        return self.spans[0].start_line

    @property
    def end_line(self) -> int:
        """Last line of the chunk, 1-based, inclusive. Lines between spans may belong to other chunks."""
        return self.spans[-1].end_line


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Word counts of chunks, as a sparse matrix by rows (CSR): shape (n_chunks, n_words).

    Words are split by `text.tokens.words`, not case-folded, with repeats counted, from text and context together. Both
    text lanes start from these counts: each distinct word is analysed, and embedded, once.
    """

    __repr__ = brief_repr

    words: tuple[str, ...]
    indptr: NDArray[np.int64]  # (n_chunks + 1,)
    word_ids: NDArray[np.int32]  # (nnz,) indices into words, ascending within a row
    counts: NDArray[np.int32]  # (nnz,)


@dataclass(frozen=True, slots=True)
class FileIndex:
    """One file after syntax: its facts and chunks. `warnings` are shown in the workspace's summary."""

    __repr__ = brief_repr

    file: SourceFile
    facts: FileFacts
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...] = ()
