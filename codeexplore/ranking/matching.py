"""Which words of a question stand in a symbol's name, signature, owner and path, and how much they weigh.

A word weighs as much as it is rare in the repository (BM25's idf): that ``parse`` is in a parser's every name says
little, that ``heredoc`` is says all.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from codeexplore.tokens import fold, parts, stem, tokenize, words
from codeexplore.types import QueryPlan, Symbol


class Asked(NamedTuple):
    """The tokens of a question with their weights; `total` is never 0."""

    weights: dict[str, float]
    total: float

    def common(self, tokens: frozenset[str]) -> list[str]:
        """The tokens of the question that are among these, in the question's order."""
        return [token for token in self.weights if token in tokens]

    def share(self, tokens: frozenset[str]) -> float:
        """How much of the question's weight these tokens hold, 0–1."""
        weights = self.weights
        common = tokens & weights.keys()
        return sum([weight for token, weight in weights.items() if token in common]) / self.total if common else 0.0

    def cover(self, tokens: frozenset[str]) -> float:
        """How many of these tokens the question holds, 0–1."""
        return len(tokens & self.weights.keys()) / len(tokens) if tokens else 0.0


def asked(plan: QueryPlan, idf: Callable[[str], float]) -> Asked:
    """What a plan's question asks for; `idf` tells how rare a token is."""
    weights = {token: idf(token) for token in plan.tokens}
    return Asked(weights, sum(weights.values()) or 1.0)


def shown_name(symbol: Symbol) -> str:
    """A symbol's own name; for a module the name of its file."""
    return file_stem(symbol.path) if symbol.kind == "module" else symbol.name


@lru_cache(maxsize=1 << 16)
def file_stem(path: str) -> str:
    """A file's name without its ending."""
    name = posixpath.basename(path)
    return name.rpartition(".")[0] or name


@lru_cache(maxsize=1 << 17)
def name_parts(name: str) -> frozenset[str]:
    """The parts of a name as tokens, without the whole: what a person who describes it would say."""
    return frozenset(stem(fold(part)) for word in words(name) for part in parts(word))


@lru_cache(maxsize=1 << 17)
def tokens_of(text: str) -> frozenset[str]:
    """The tokens of a short text, wholes and parts."""
    return frozenset(tokenize(text))


def listed(tokens: Iterable[str], limit: int = 4) -> str:
    """Tokens for a reason: at most `limit` of them."""
    shown = list(tokens)
    return ", ".join(shown[:limit]) + (" …" if len(shown) > limit else "")
