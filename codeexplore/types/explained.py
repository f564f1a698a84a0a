"""What the scores of a lane are made of, for explanations."""

from __future__ import annotations

from typing import NamedTuple


class TokenStep(NamedTuple):
    """One step of the tokeniser: its name and the tokens after it."""

    name: str
    tokens: tuple[str, ...]


class TermScore(NamedTuple):
    """What one query term gave to a chunk's BM25 score: the scores of all terms add up to the hit's."""

    term: str
    tf: int
    df: int
    idf: float
    score: float


class WordPair(NamedTuple):
    """What one (question word, chunk word) pair gave to the cosine: all pairs add up to it."""

    query_word: str
    chunk_word: str
    value: float


class SeedShare(NamedTuple):
    """What one seed gave to a symbol's score in the graph lane. All of them add up to the score.

    `value` is given by `formula` from the other numbers: edges away, confidence of the weakest edge on the way, and
    nearness (personalised PageRank over PageRank, 0–1 within the walk).
    """

    seed: str  # Symbol id
    weight: float
    distance: int
    confidence: float
    nearness: float
    value: float
    formula: str
