"""Batches of questions and the chunks that answer them, in groups of one package."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from training.bags import Bags
from training.corpus import SORTS, Corpus

FRAMES = (
    "how does work", "how is implemented", "where is", "how are", "what", "code that", "how to", "implementation of",
    "where are handled", "which function", "how", "logic for", "support for", "handling of", "find the",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """Some texts as flat arrays for an embedding bag: ids, how much each counts, and where each text begins."""

    ids: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions, chunks (those that answer question i at row i, then negatives), and pairs that are no negatives."""

    questions: Side
    chunks: Side
    neither: np.ndarray  # (n_questions, n_chunks) bool: a twin of the question, another answer to it


class Sampler:
    """Draws batches from a corpus; the same seed draws the same ones."""

    def __init__(self, corpus: Corpus, options: dict[str, Any], frames: Bags, seed: int) -> None:
        self.corpus, self.options, self.frames = corpus, options, frames
        self.random = np.random.default_rng(seed)
        weights = np.array([options[name] for name in SORTS])
        self._weight = weights[corpus.sort]
        drawn = np.flatnonzero(self._weight > 0)
        package = corpus.package[corpus.answer[drawn]]
        order = np.argsort(package, kind="stable")
        ends = np.searchsorted(package[order], np.arange(len(corpus.packages) + 1))
        self._questions = [drawn[order[begin:end]] for begin, end in itertools.pairwise(ends)]
        self._shares = self._package_shares()
        by_file = np.argsort(corpus.file, kind="stable")
        self._by_file, self._file_sorted = by_file, corpus.file[by_file]
        self._tests = np.flatnonzero(corpus.test)
        self._hash = self.random.integers(1, 1 << 62, 1 << 16)

    def _package_shares(self) -> np.ndarray:
        corpus, options = self.corpus, self.options
        main = np.zeros(len(corpus.packages), np.int64)  # each package's language
        sizes = np.zeros(len(corpus.packages))
        for number, questions in enumerate(self._questions):
            if len(questions) >= options["group"] // 4:
                main[number] = np.bincount(corpus.language[corpus.answer[questions]]).argmax()
                sizes[number] = len(questions)
        shares = sizes ** options["package_power"] * (sizes > 0)
        questions_of = np.bincount(main, sizes, minlength=len(corpus.languages))
        shares_of = np.bincount(main, shares, minlength=len(corpus.languages))
        shares = (
            np.where(shares_of[main] > 0, shares / np.maximum(shares_of[main], 1e-9), 0)
            * questions_of[main] ** options["language_power"]
        )
        return np.asarray(shares / shares.sum())

    def draw(self) -> Batch:
        """The next batch."""
        options, corpus = self.options, self.corpus
        groups = self.random.choice(len(self._shares), options["pairs"] // options["group"], p=self._shares)
        asked = np.concatenate([self._group(number) for number in groups])
        sort, answer = corpus.sort[asked], corpus.answer[asked].copy()
        wide = sort == SORTS.index("type")
        moved = wide & (self.random.random(len(asked)) < options["mate"])
        answer[moved] = self._mates(answer[moved])
        negatives = self.random.choice(self._tests, options["test_negatives"]) if len(self._tests) else self._tests
        questions = self._asked(asked)
        chunks = self._chunks(asked, sort, answer, negatives)
        rows = np.concatenate([answer, negatives])
        file = corpus.file
        neither = (rows[None, :] == answer[:, None]) | (wide[:, None] & (file[rows][None, :] == file[answer][:, None]))
        twins = self._digest(asked)
        neither[:, : len(asked)] |= twins[:, None] == twins[None, :]
        neither[np.arange(len(asked)), np.arange(len(asked))] = False
        return Batch(questions, chunks, neither)

    def _group(self, number: int) -> np.ndarray:
        questions = self._questions[number]
        weights = self._weight[questions]
        size = min(self.options["group"], len(questions))
        return self.random.choice(questions, size, replace=False, p=weights / weights.sum())

    def _mates(self, chunks: np.ndarray) -> np.ndarray:
        """For each chunk one of its file, itself included."""
        begin = np.searchsorted(self._file_sorted, self.corpus.file[chunks])
        end = np.searchsorted(self._file_sorted, self.corpus.file[chunks], side="right")
        return self._by_file[begin + (self.random.random(len(chunks)) * (end - begin)).astype(np.int64)]

    def _digest(self, asked: np.ndarray) -> np.ndarray:
        sizes, ids, counts = self.corpus.question.take(asked)
        return np.add.reduceat(np.append(self._hash[ids] * counts, 0), np.cumsum(sizes) - sizes) * (sizes > 0)

    def _asked(self, asked: np.ndarray) -> Side:
        sizes, ids, counts = self.corpus.question.take(asked)
        rows = np.repeat(np.arange(len(asked)), sizes)
        kept = self.random.random(len(ids)) >= self.options["drop"]
        parts = [(rows[kept], ids[kept], counts[kept].astype(np.float32))]
        framed = np.flatnonzero(self.random.random(len(asked)) < self.options["frame"])
        sizes, ids, counts = self.frames.take(self.random.integers(0, len(self.frames.indptr) - 1, len(framed)))
        parts.append((np.repeat(framed, sizes), ids, counts.astype(np.float32)))
        return _side(parts, len(asked))

    def _chunks(self, asked: np.ndarray, sort: np.ndarray, answer: np.ndarray, negatives: np.ndarray) -> Side:
        """Chunks as they are indexed, without what would give the answer away: the question itself, the name."""
        options, corpus = self.options, self.corpus
        rows = np.concatenate([answer, negatives])
        n = len(asked)
        chance = self.random.random(len(rows))
        first, name = np.zeros(len(rows), bool), np.zeros(len(rows), bool)
        first[:n] = sort == SORTS.index("first")
        name[:n] = sort == SORTS.index("name")
        parts = []
        for bag, factor in (
            (corpus.context, np.where(name, 0.0, options["context_times"])),
            (corpus.body, np.ones(len(rows))),
            (corpus.doc, np.where(first & (chance >= options["keep_doc"]), 0.0, 1.0)),
        ):
            used = np.flatnonzero(factor)
            sizes, ids, counts = bag.take(rows[used])
            parts.append((np.repeat(used, sizes), ids, counts * np.repeat(factor[used], sizes).astype(np.float32)))
        own = np.flatnonzero((sort < 2) | (sort == SORTS.index("type")))  # sentences of the documentation
        own = own[(corpus.answer[asked[own]] == answer[own]) & ~(first[own] & (chance[own] >= options["keep_doc"]))]
        sizes, ids, counts = corpus.question.take(asked[own])
        parts.append((np.repeat(own, sizes), ids, -counts.astype(np.float32)))
        return _side(parts, len(rows), at_least=0.0)


def _side(parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], n: int, at_least: float | None = None) -> Side:
    """Join (row, id, weight) triples by rows; with `at_least`, those of the same row and id are added up first."""
    rows, ids, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
    if at_least is None:
        order = np.argsort(rows, kind="stable")
        rows, ids, weights = rows[order], ids[order].astype(np.int64), weights[order]
    else:
        keys, inverse = np.unique((rows.astype(np.int64) << 16) | ids, return_inverse=True)
        weights = np.bincount(inverse, weights, len(keys)).astype(np.float32)
        keys, weights = keys[weights > at_least], weights[weights > at_least]
        rows, ids = keys >> 16, keys & 0xFFFF
    return Side(ids, weights, np.searchsorted(rows, np.arange(n)).astype(np.int64))
