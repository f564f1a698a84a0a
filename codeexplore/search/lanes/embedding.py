"""The embedding lane: cosine between a question and every chunk, explained word by word.

In a separable model, a chunk is the sum over its words, and each distinct word is embedded once: for Python's standard
library (63,327 chunks) this takes 6 s, and model2vec's ``encode`` of all texts 76 s. Other models encode texts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.search.lanes.rows import best_rows, in_two, least_of_best
from codeexplore.text.tokens import fold, parts
from codeexplore.text.tokens import words as split_words
from codeexplore.text.word_counts import WordMap, count_texts, indexed_text, project
from codeexplore.types import Chunk, Hit, HitColumns, LaneName, QueryPlan, WordCounts, WordPair
from codeexplore.types.errors import DamagedIndex
from codeexplore.types.settings import CONTEXT_TIMES, EMBEDDED_CONTEXT_TIMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.search.lanes.encoder import Encoder  # its libraries are loaded with a model


def _products(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    found = np.empty(len(rows), np.float32)
    in_two(lambda begin, end: np.vecdot(rows[begin:end], vector, out=found[begin:end]), len(rows))
    return found


MAX_PAIRS = 2_000
"""Word pairs listed by an explanation; the sum of the smaller ones is one last pair."""

_CHANCE_ROWS = 20_000
"""Chunks at most whose cosines give the chance level: more take longer, and raise the best cosine by little."""

_READ = 4_000
"""Characters at most of a chunk whose words are compared with those of a question."""

_ROUNDING = 4e-6
"""More than twice the rounding error of a float32 cosine: rows this close to the last hit are computed again."""


class EmbeddingLane:
    """Cosine similarity over all chunks of a catalog.

    `embeddings` are the result of `embed_chunks`: shape (n_chunks, dim), rows of length 1, or 0 for chunks without a
    known word; float32, because NumPy has fast products for it and not for float16. `load` returns the model that made
    them, for the first question.

    The cosines of all chunks are sums over rows (`numpy.vecdot`), not one matrix product. OpenBLAS would divide a
    matrix product among threads, which keep their processors busy for milliseconds afterwards and wait for each other
    on a busy machine. For 63,000 chunks, sums over rows take 2.2 ms, and a matrix product takes 2.8 to 16 ms. Two
    threads of our own share the rows; see `rows.in_two`.
    """

    lane: LaneName = "embedding"

    def __init__(self, catalog: Catalog, embeddings: NDArray[np.float32], load: Callable[[], Encoder]) -> None:
        if embeddings.ndim != 2 or len(embeddings) != len(catalog.chunks):
            raise ValueError(f"embeddings of shape {embeddings.shape} for {len(catalog.chunks)} chunks")
        self._catalog, self._load, self.embeddings = catalog, load, np.ascontiguousarray(embeddings)

    def renewed(self, catalog: Catalog, fresh: NDArray[np.float32], order: NDArray[np.int64]) -> Self:
        """Return the lane over the chunks after an edit. `fresh` are their new vectors; see `Postings.renewed`."""
        encoder, n_old = self.encoder, len(self.embeddings)
        is_old = order < n_old
        found = np.empty((len(order), encoder.dim), np.float32)
        found[is_old], found[~is_old] = self.embeddings[order[is_old]], fresh[order[~is_old] - n_old]
        return type(self)(catalog, found, lambda: encoder)

    def prepare(self) -> None:
        _ = self.encoder, self._catalog.chunks.ids

    @cached_property
    def encoder(self) -> Encoder:
        """The model that made the embeddings. Raises DamagedIndex if stored embeddings have another dimension."""
        encoder = self._load()
        if encoder.dim != self.embeddings.shape[1]:
            raise DamagedIndex(f"embeddings of {self.embeddings.shape[1]} dimensions, and a model of {encoder.dim}")
        return encoder

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the chunks with the highest cosine to the question's text, if the cosine is positive.

        Chunks without a word that the model knows are never returned. A question without such a word has no hits.
        """
        question = self.encoder.encode_text(plan.text)
        if pool <= 0 or not question.any():
            return ()
        rows = self._near(question, pool, allowed)
        # a fast sum may round equal rows differently, by their position; the sum over each row alone does not
        exact = (self.embeddings[rows].astype(np.float64) * question).sum(axis=1)
        best = best_rows(exact, exact > 0, pool, None)
        return HitColumns(rows[best], exact[best], self._catalog.chunks.ids)

    def chance_level(self, questions: Sequence[str]) -> float:
        """Return the median of the best cosines of `questions`. It is computed once.

        If there are more than 20,000 chunks, an evenly spread sample of 20,000 chunks is used.
        """
        known = self._chances.get(tuple(questions))
        if known is None:
            step = -(-max(len(self._catalog.chunks), 1) // _CHANCE_ROWS)
            sample = self.embeddings[::step]
            vectors = map(self.encoder.encode_text, questions)
            best = sorted(float(_products(sample, vector).max(initial=0.0)) for vector in vectors)
            # the median; NumPy's function and the standard library's import other packages, which takes longer
            middle = (best[(len(best) - 1) // 2] + best[len(best) // 2]) / 2 if best else 0.0
            known = self._chances[tuple(questions)] = middle
        return known

    @property
    def calibrated(self) -> bool:
        from codeexplore.search.lanes.encoder import BUNDLED_NAME

        return self.encoder.name == BUNDLED_NAME

    def nearest_words(self, words: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        # the words of a chunk are the parts of its identifiers and texts, of three letters or more
        chunks = (self._catalog.chunks[row] for row in rows.tolist())
        there = {word for chunk in chunks for word in split_words(f"{chunk.context} {chunk.text}"[:_READ])}
        told = {fold(part) for word in there for part in parts(word) if len(part) > 2}
        nearest = np.ones(len(words), np.float32)
        others = [index for index, word in enumerate(words) if word not in told]  # mostly few: encoding takes longest
        if others:
            cosines = self.word_similarities([words[index] for index in others], sorted(told))
            nearest[others] = cosines.max(axis=1, initial=0.0)
        return nearest

    def knows_word(self, word: str) -> bool:
        return self.encoder.knows(word)

    def word_similarities(self, words: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        from codeexplore.search.lanes.encoder import unit_rows

        encode = self.encoder.encode_words if self.encoder.separable else self.encoder.encode_texts
        cosines: NDArray[np.float32] = unit_rows(encode(words)) @ unit_rows(encode(others)).T
        return cosines

    @cached_property
    def _chances(self) -> dict[tuple[str, ...], float]:
        return {}

    def _near(self, question: NDArray[np.float32], pool: int, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        rough = _products(self.embeddings, question)
        if allowed is not None:
            rough[~allowed] = -1.0
        return np.flatnonzero(rough > np.float32(max(least_of_best(rough, pool), 0.0) - _ROUNDING))

    def explain(self, plan: QueryPlan, chunk_id: str) -> tuple[WordPair, ...]:
        """Return the share of each pair (question word, chunk word), with all its occurrences, in the cosine.

        The pair with the largest absolute value is first, and the values add up to the cosine within 1e-6. Pairs with
        the value 0 are left out. Pairs after the first MAX_PAIRS are added up in one pair called "…". For a model that
        is not separable, the pairs consist of tokens instead of words. Raises KeyError for an unknown chunk.
        """
        chunk = self._catalog.chunk(chunk_id)
        question_words, question = self.encoder.shares(plan.text)
        chunk_words, held = self.encoder.shares(embedded_text(chunk))
        lengths = np.linalg.norm(question.sum(axis=0)) * np.linalg.norm(held.sum(axis=0))
        if not lengths > 0:
            return ()
        values = (question @ held.T / lengths).ravel()
        order = np.argsort(-np.abs(values), kind="stable")[: np.count_nonzero(values)]
        pairs = [
            WordPair(question_words[place // len(chunk_words)], chunk_words[place % len(chunk_words)], value)
            for place, value in zip(order[:MAX_PAIRS].tolist(), values[order[:MAX_PAIRS]].tolist(), strict=True)
        ]
        if len(order) > MAX_PAIRS:
            pairs.append(WordPair("…", "…", float(values[order[MAX_PAIRS:]].sum())))
        return tuple(pairs)


def embedded_text(chunk: Chunk) -> str:
    return indexed_text(chunk, EMBEDDED_CONTEXT_TIMES)


def embed_chunks(
    chunks: Sequence[Chunk], contexts: Iterable[str], counts: WordCounts, encoder: Encoder
) -> NDArray[np.float32]:
    """Return the embeddings of all chunks, within 1e-5 those of model2vec's own ``encode``: shape (n_chunks, dim)."""
    if len(counts.indptr) - 1 != len(chunks):
        raise ValueError(f"{len(counts.indptr) - 1} rows of word counts for {len(chunks)} chunks")
    if not encoder.separable:
        return encoder.encode_texts([embedded_text(chunk) for chunk in chunks])
    more = EMBEDDED_CONTEXT_TIMES - CONTEXT_TIMES
    return embed_counts(counts, count_texts(contexts) if more else None, WordTokens(encoder))


class WordTokens(WordMap):
    """The tokens of words in a separable model. Each distinct word is tokenised once; see `Encoder.word_tokens`."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def _look_up(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.encoder.word_tokens(words)


def embed_counts(counts: WordCounts, contexts: WordCounts | None, words: WordTokens) -> NDArray[np.float32]:
    """Return the embedding of every chunk as `embed_chunks` does for a separable model.

    `contexts` are the word counts of the chunks' contexts alone. They are not needed if `EMBEDDED_CONTEXT_TIMES` is
    `CONTEXT_TIMES`.
    """
    from codeexplore.search.lanes.encoder import unit_rows

    encoder = words.encoder
    map_indptr, word_tokens = words.of(counts.words)
    used, map_ids = np.unique(word_tokens, return_inverse=True)  # a small repository uses few of the model's tokens
    vectors = encoder.vectors_of(used)
    held = counts if contexts is None else _with_more_context(counts, contexts)
    indptr, tokens, times = project(held.indptr, held.word_ids, held.counts, map_indptr, map_ids, len(vectors))
    found, factors = np.zeros((len(indptr) - 1, encoder.dim), np.float32), times.astype(np.float32)
    # one small product a row: the part of `vectors` for a row fits a processor's cache, that for a block does not
    for row, (begin, end) in enumerate(itertools.pairwise(indptr.tolist())):
        np.dot(factors[begin:end], vectors.take(tokens[begin:end], axis=0), out=found[row])
    return unit_rows(found)


def _with_more_context(counts: WordCounts, contexts: WordCounts) -> WordCounts:
    """Return the counts in which each chunk's context counts as often as `embedded_text` repeats it."""
    number = {word: place for place, word in enumerate(counts.words)}
    renumbered = np.array([number[word] for word in contexts.words], np.int32)
    rows = [np.repeat(np.arange(len(each.indptr) - 1), np.diff(each.indptr)) for each in (counts, contexts)]
    by_row = np.argsort(np.concatenate(rows), kind="stable")
    ids = np.concatenate([counts.word_ids, renumbered[contexts.word_ids]])[by_row]
    times = np.concatenate([counts.counts, (EMBEDDED_CONTEXT_TIMES - CONTEXT_TIMES) * contexts.counts])[by_row]
    return WordCounts(counts.words, counts.indptr + contexts.indptr, ids, times)
