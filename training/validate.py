"""How well vectors find chunks in packages that training has not seen. The benchmark has no part in this."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from training.corpus import SORTS, Corpus

PER_PACKAGE = 120
"""Questions of a sort and package."""


def validate(corpus: Corpus, vectors: np.ndarray, context_times: float = 2) -> dict[str, float]:
    """Mean over packages of three measures, and their mean.

    symbol
        MRR@10 of the chunk that a documentation's first sentence describes; no chunk shows any documentation.
    file
        NDCG@10, one hit a file, of the file that a type's or file's summary describes; chunks show their documentation,
        that chunk lacks the sentence.
    test
        MRR@10 of the chunk that a test's name or description belongs to; chunks show their documentation.
    """
    n = len(vectors)
    vectors = vectors.astype(np.float32)
    bare = corpus.context.matrix(n) * np.float32(context_times) + corpus.body.matrix(n)
    shown = bare + corpus.doc.matrix(n)
    sums = {"symbol": bare @ vectors, "file": shown @ vectors, "test": shown @ vectors}
    asked = corpus.question.matrix(n) @ vectors
    found: dict[str, list[float]] = {name: [] for name in sums}
    candidates = np.flatnonzero(~corpus.test)
    for package in range(len(corpus.packages)):
        rows = candidates[corpus.package[candidates] == package]
        for name, sort in (("symbol", "first"), ("file", "type"), ("test", "test")):
            questions = _some(
                np.flatnonzero((corpus.sort == SORTS.index(sort)) & (corpus.package[corpus.answer] == package))
            )
            if len(questions) < 8:
                continue
            held = sums[name]
            scores = _cosines(asked[questions], held[rows])
            own = np.searchsorted(rows, corpus.answer[questions])
            if name == "file":
                less = held[corpus.answer[questions]] - asked[questions]
                scores[np.arange(len(questions)), own] = (_unit(asked[questions]) * _unit(less)).sum(axis=1)
                found[name].append(_file_ndcg(scores, corpus.file[rows], own))
            else:
                ranks = 1 + (scores > scores[np.arange(len(own)), own][:, None]).sum(axis=1)
                found[name].append(float(np.where(ranks <= 10, 1 / ranks, 0).mean()))
    result = {name: float(np.mean(values)) for name, values in found.items()}
    result["mean"] = float(np.mean(list(result.values())))
    return result


def _some(questions: np.ndarray) -> np.ndarray:
    """A fixed sample."""
    keys = [
        hashlib.sha1(str(number - questions[0]).encode(), usedforsecurity=False).digest()
        for number in questions.tolist()
    ]
    order = sorted(range(len(questions)), key=keys.__getitem__)[:PER_PACKAGE]
    return questions[np.sort(np.array(order, np.int64))]


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def _cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    scores: np.ndarray = _unit(left) @ _unit(right).T
    return scores


def _file_ndcg(scores: np.ndarray, files: np.ndarray, own: np.ndarray) -> float:
    order = np.argsort(files, kind="stable")
    starts = np.flatnonzero(np.diff(files[order], prepend=-1))
    best = np.maximum.reduceat(scores[:, order], starts, axis=1)
    place = np.searchsorted(files[order][starts], files[own])
    ranks = 1 + (best > best[np.arange(len(own)), place][:, None]).sum(axis=1)
    return float(np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0).mean())


def describe(result: dict[str, Any]) -> str:
    """A line of text."""
    return "  ".join(f"{name} {value:.4f}" for name, value in result.items())
