"""Which words of a question stand in a symbol's name, signature, owner and path, and how much they weigh.

A word weighs as much as it is rare in the repository (BM25's idf): that ``parse`` is in a parser's every name says
little, that ``heredoc`` is says all.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from codeexplore.catalog import Catalog
from codeexplore.tokens import analyze, parts, words
from codeexplore.types import QueryPlan, Symbol

_REMEMBERED: Final = 20_000
"""Symbols whose words are kept: those that answers are made of, not all of a large repository."""


class Asked(NamedTuple):
    """The tokens of a question with their weights; `total` is never 0."""

    weights: dict[str, float]
    total: float
    tokens: frozenset[str]

    def common(self, tokens: frozenset[str]) -> list[str]:
        """The tokens of the question that are among these, in the question's order."""
        return [token for token in self.weights if token in tokens]

    def share(self, tokens: frozenset[str]) -> float:
        """How much of the question's weight these tokens hold, 0–1."""
        held = 0.0
        if not self.tokens.isdisjoint(tokens):
            for token, weight in self.weights.items():
                if token in tokens:
                    held += weight
        return held / self.total

    def cover(self, tokens: frozenset[str]) -> float:
        """How many of these tokens the question holds, 0–1."""
        held = len(self.tokens & tokens)
        return held / len(tokens) if held else 0.0


def asked(plan: QueryPlan, idf: Callable[[str], float]) -> Asked:
    """What a plan's question asks for; `idf` tells how rare a token is."""
    weights = {token: idf(token) for token in plan.tokens}
    return Asked(weights, sum(weights.values()) or 1.0, frozenset(weights))


class Named(NamedTuple):
    """A name with the tokens of its parts, which a description would say."""

    name: str
    parts: frozenset[str]

    @property
    def tokens(self) -> frozenset[str]:
        """All its tokens, the whole name included."""
        return tokens_of(self.name)


class SymbolWords(NamedTuple):
    """The words that stand for a symbol. `owner` is None for a module."""

    own: Named
    owner: Named | None
    signature: frozenset[str]


class Known(NamedTuple):
    """What signals look at in a chunk, the same for every question: its file and its symbol."""

    path: str
    symbol: Symbol | None


class Words:
    """The words of a catalog's symbols, worked out when first asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.of = lru_cache(maxsize=_REMEMBERED)(self._of)
        self.known = lru_cache(maxsize=_REMEMBERED)(self._known)

    def _known(self, chunk_id: str) -> Known:
        return Known(*self._catalog.place_of(chunk_id))

    def _of(self, symbol_id: str) -> SymbolWords:
        symbol = self._catalog.symbol(symbol_id)
        parent = None if symbol.parent is None else self._catalog.symbol(symbol.parent)
        owner = None if parent is None else named(shown_name(parent))
        return SymbolWords(named(shown_name(symbol)), owner, tokens_of(symbol.signature))


@lru_cache(maxsize=_REMEMBERED)
def named(name: str) -> Named:
    """A name and its tokens."""
    return Named(name, frozenset([_analyzed(part)[0] for word in words(name) for part in parts(word)]))


def tokens_of(text: str) -> frozenset[str]:
    """The distinct tokens of a text."""
    return frozenset(chain.from_iterable(map(_analyzed, words(text))))


@lru_cache(maxsize=1 << 16)
def _analyzed(word: str) -> tuple[str, ...]:
    """The tokens of a word: names and signatures are made of few words, over and over."""
    return analyze(word)


def shown_name(symbol: Symbol) -> str:
    """A symbol's own name; for a module the name of its file."""
    return file_stem(symbol.path) if symbol.kind == "module" else symbol.name


@lru_cache(maxsize=_REMEMBERED)
def file_stem(path: str) -> str:
    """A file's name without its ending."""
    name = posixpath.basename(path)
    return name.rpartition(".")[0] or name


def listed(tokens: Iterable[str], limit: int = 4) -> str:
    """Tokens for a reason: at most `limit` of them."""
    shown = list(tokens)
    return ", ".join(shown[:limit]) + (" …" if len(shown) > limit else "")
