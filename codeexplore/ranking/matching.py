"""Which words of a question stand in a symbol's name, signature, owner and path, and how much they weigh.

A word weighs as much as it is rare in the repository (BM25's idf): that ``parse`` is in a parser's every name says
little, that ``heredoc`` is says all.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from codeexplore.index.catalog import Catalog
from codeexplore.ranking.columns import Columns
from codeexplore.text.tokens import analyze, parts, token_of, words
from codeexplore.types import QueryPlan

_REMEMBERED: Final = 20_000
"""Names and signatures whose words are kept: those that answers are made of, not all of a large repository."""


_WORD = re.compile(r"\w+")


class Asked(NamedTuple):
    """The tokens of a question with their weights; `total` is never 0."""

    weights: dict[str, float]
    total: float
    tokens: frozenset[str]

    def words_in(self, question: str, tokens: frozenset[str]) -> list[str]:
        """The words of a question that have one of these tokens, as the question writes them."""
        common = self.tokens & tokens
        found = (word for word in _WORD.findall(question) if not common.isdisjoint(analyze(word)))
        return list(dict.fromkeys(found))

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


class Words:
    """What is known of a catalog's chunks, and the names of what holds their symbols."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.own_at = lru_cache(maxsize=_REMEMBERED)(self._own_at)
        self.owner_at = lru_cache(maxsize=_REMEMBERED)(self._owner_at)
        self.signature_at = lru_cache(maxsize=_REMEMBERED)(self._signature_at)
        self._named = lru_cache(maxsize=_REMEMBERED)(self._named_of)  # of owners: one holds many

    def _own_at(self, row: int) -> Named | None:
        """The name of the symbol that the chunk in a row stands for."""
        symbol = self._catalog.chunk_symbol_row(row)
        return None if symbol < 0 else self._named_of(symbol)

    def _owner_at(self, row: int) -> Named | None:
        """The name of what holds that symbol; None for a module."""
        symbol = self._catalog.chunk_symbol_row(row)
        parent = -1 if symbol < 0 else self._catalog.symbol_parent(symbol)
        return None if parent < 0 else self._named(parent)

    def _signature_at(self, row: int) -> frozenset[str] | None:
        """The tokens of that symbol's signature."""
        symbol = self._catalog.chunk_symbol_row(row)
        return None if symbol < 0 else tokens_of(self._catalog.symbol_signature(symbol))

    def _named_of(self, symbol: int) -> Named:
        name, kind, path = self._catalog.symbol_name(symbol)
        return named(file_stem(path) if kind == "module" else name)

    @cached_property
    def columns(self) -> Columns:
        """What is known of every chunk; made for the first answer."""
        return Columns(self._catalog)


@lru_cache(maxsize=_REMEMBERED)
def named(name: str) -> Named:
    """A name and its tokens."""
    return Named(name, frozenset([token_of(part) for word in words(name) for part in parts(word)]))


@lru_cache(maxsize=_REMEMBERED)
def tokens_of(text: str) -> frozenset[str]:
    """The distinct tokens of a text."""
    return frozenset(chain.from_iterable(map(_analyzed, words(text))))


@lru_cache(maxsize=1 << 16)
def _analyzed(word: str) -> tuple[str, ...]:
    """The tokens of a word: names and signatures are made of few words, over and over."""
    return analyze(word)


@lru_cache(maxsize=_REMEMBERED)
def file_stem(path: str) -> str:
    """A file's name without its ending."""
    name = posixpath.basename(path)
    return name.rpartition(".")[0] or name


def listed(tokens: Iterable[str], limit: int = 4) -> str:
    """Tokens for a reason: at most `limit` of them."""
    shown = list(tokens)
    return ", ".join(shown[:limit]) + (" …" if len(shown) > limit else "")
