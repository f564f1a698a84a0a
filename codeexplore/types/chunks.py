"""Records of searchable text: chunks, their word counts, and a file with its facts and its chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeexplore.types.displayed import brief_repr
from codeexplore.types.facts import FileFacts
from codeexplore.types.files import SourceFile, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: the lines that one symbol owns, or a part of them.

    `text` is the source of `spans`, joined by newlines. There may be several spans, because the lines that a class owns
    are not contiguous. `context` (path, qualified name, signature) is indexed by both text lanes and is never displayed
    as source.
    """

    __repr__ = brief_repr

    id: str  # hash of path, symbol and text (and a number for equal chunks): edits of other code do not change it
    path: str
    spans: tuple[Span, ...]
    text: str
    language: str
    symbol: str | None  # Symbol.id
    context: str = ""
    part: int = 0  # 0 for a whole symbol; 1, 2 … for the parts of a split symbol

    @property
    def start_line(self) -> int:
        """First line of the chunk, 1-based."""
        return self.spans[0].start_line

    @property
    def end_line(self) -> int:
        """Last line of the chunk, 1-based and inclusive. The lines between its spans may belong to other chunks."""
        return self.spans[-1].end_line


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Word counts of chunks as a sparse matrix: one row for each chunk, one column for each word, in CSR form.

    Its shape is (n_chunks, n_words). The words of a chunk's text and context are counted together. They are split by
    `text.tokens.words`, and upper and lower case are distinguished. Both text lanes start from these counts, so that
    each distinct word is analysed only once and embedded only once.
    """

    __repr__ = brief_repr

    words: tuple[str, ...]
    indptr: NDArray[np.int64]  # (n_chunks + 1,)
    word_ids: NDArray[np.int32]  # (nnz,) indices into words, ascending within a row
    counts: NDArray[np.int32]  # (nnz,)


@dataclass(frozen=True, slots=True)
class FileIndex:
    """Facts and chunks of one file. `warnings` are displayed in the workspace's summary."""

    __repr__ = brief_repr

    file: SourceFile
    facts: FileFacts
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...] = ()
