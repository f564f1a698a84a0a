"""Interface of a lane: `types.Retriever`, which every lane has, and methods that a lane may have beside it.

Callers ask with `isinstance` which of them a lane has, so a lane of one's own needs `retrieve` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from codeexplore.types import CallPath, ChunkLength, Extent, PathsFound, QueryPlan, SeedShare, TermScore, WordPair
from codeexplore.types.search import Numbers, Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Preparable(Protocol):
    """A lane that must load or build something before its first answer."""

    def prepare(self) -> None:
        """Prepare for the first answer. Do nothing if that was done before."""


@runtime_checkable
class KnowsWords(Protocol):
    """A lane that has statistics on words, and whose score depends on the length of a chunk: BM25."""

    def holds(self, token: str) -> bool:
        """Return True if any chunk contains `token`."""

    def idf(self, token: str) -> float:
        """Return the inverse document frequency of `token`, above 0. Unknown tokens have the largest value."""

    def coverage(self, tokens: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each chunk in `rows` the share of `tokens` that it contains, weighted by idf, 0–1."""

    def word_scores(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        """Return the BM25 scores of all chunks for `tokens`. A repeated token counts each time."""

    def file_scores(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        """Return the BM25 scores of whole files, or of other groups of chunks such as classes: shape (n_files,).

        `files` is the number of each chunk's file: shape (n_chunks,). A repeated token counts each time.
        """

    def files_containing(self, tokens: Sequence[str], files: NDArray[np.integer], n_files: int) -> NDArray[np.float64]:
        """Return the share of the distinct tokens, by idf, that each file contains: shape (n_files,)."""

    def length_of(self, chunk_id: str) -> ChunkLength:
        """Return the length of a chunk, and the numbers that it is compared with."""


@runtime_checkable
class Tunable(Protocol):
    """A lane that can be asked with other numbers: BM25."""

    def tuned(self, numbers: Numbers) -> Retriever:
        """Return the lane with other numbers, over the same chunks."""


@runtime_checkable
class KnowsMeaning(Protocol):
    """A lane with a vocabulary that knows how near words are, and unrelated questions to its chunks: embeddings."""

    def chance_level(self, questions: Sequence[str]) -> float:
        """Return the median of the best cosines of `questions`, which should be about something else."""

    @property
    def calibrated(self) -> bool:
        """True if the cosines are those for which `search.confidence` has its thresholds."""

    def nearest_words(self, words: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the cosine of each word with the nearest word of the chunks in `rows`: shape (n_words,)."""

    def knows_word(self, word: str) -> bool:
        """Return True if the vocabulary of the lane has the whole `word`, in small letters."""

    def word_similarities(self, words: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosine of each word with each of the others: shape (n_words, n_others)."""


@runtime_checkable
class ExplainsText(Protocol):
    """A lane whose score is a sum over terms or word pairs."""

    def explain(self, plan: QueryPlan, chunk_id: str) -> Sequence[TermScore] | Sequence[WordPair]:
        """Return the parts of the chunk's score."""


@runtime_checkable
class ExplainsWalk(Protocol):
    """A lane whose score is a sum over seeds, and which knows the paths and the extent of a walk: the graph."""

    def shares(self, plan: QueryPlan, chunk_id: str) -> tuple[SeedShare, ...]:
        """Return the parts of the chunk's score."""

    def way(self, plan: QueryPlan, chunk_id: str) -> CallPath | None:
        """Return the path in the graph from a seed to the chunk's symbol."""

    def extent(self, plan: QueryPlan) -> Extent:
        """Return the number of symbols that the plan's relation reaches, without filters and limits."""

    def between(self, plan: QueryPlan) -> PathsFound | None:
        """Return the paths for a question about a path; None if one of its ends is missing."""
