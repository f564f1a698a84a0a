"""Records of the parts that add up to a lane's score, for explanations."""

from __future__ import annotations

from typing import NamedTuple


class TokenStep(NamedTuple):
    """One step of the tokeniser: its name, and the tokens after this step."""

    name: str
    tokens: tuple[str, ...]


class TermScore(NamedTuple):
    """The share of one query term in a chunk's BM25 score. The shares of all terms add up to the score."""

    term: str
    tf: int
    df: int
    idf: float
    score: float


class WordPair(NamedTuple):
    """The share of one pair (question word, chunk word) in the cosine similarity of a question and a chunk.

    The shares of all pairs add up to the similarity.
    """

    query_word: str
    chunk_word: str
    value: float


class SeedShare(NamedTuple):
    """The share of one seed in a symbol's score in the graph lane. The shares of all seeds add up to the score.

    A seed is a symbol at which the graph lane starts. `formula` says how `value` is computed from the other numbers.
    `distance` is the number of edges from the seed to the symbol. `confidence` is the confidence of the weakest edge on
    the path. `nearness` is personalised PageRank divided by PageRank, scaled to 0–1 within the walk.
    """

    seed: str  # Symbol.id
    weight: float
    distance: int
    confidence: float
    nearness: float
    value: float
    formula: str
