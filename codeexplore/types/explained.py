"""The terms of a lane's scores, for explanations."""

from __future__ import annotations

from typing import NamedTuple


class TokenStep(NamedTuple):
    """One step of the tokeniser: its name and the tokens after it."""

    name: str
    tokens: tuple[str, ...]


class TermScore(NamedTuple):
    """The share of one query term in a chunk's BM25 score: the scores of all terms add up to the hit's."""

    term: str
    tf: int
    df: int
    idf: float
    score: float


class WordPair(NamedTuple):
    """The share of one (question word, chunk word) pair in the cosine: all pairs add up to it."""

    query_word: str
    chunk_word: str
    value: float


class SeedShare(NamedTuple):
    """The share of one seed in a symbol's score in the graph lane. All shares add up to the score.

    `value` is computed by `formula` from the other numbers: distance in edges, confidence of the weakest edge on the
    path, and nearness (personalised PageRank over PageRank, 0–1 within the walk).
    """

    seed: str  # Symbol id
    weight: float
    distance: int
    confidence: float
    nearness: float
    value: float
    formula: str
