"""Signals about the words that a question shares with a symbol: in its name, its owner's, its signature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from codeexplore.ranking.matching import Asked, Named, Words, listed
from codeexplore.ranking.pool import Pool

_NameOf: TypeAlias = "Callable[[int], Named | None]"
"""The name that counts for the chunk in a row."""


class _WordMatch(ABC):
    """Gives each hit at most its share, for the words of the question that something of its symbol's holds."""

    structural = False
    grouped = False
    share: float

    def values(self, pool: Pool) -> Mapping[int, float]:
        """The share times how much is said, for each hit."""
        return dict(enumerate(self.at(pool, range(len(pool)))))

    def most(self, pool: Pool) -> float:
        """What it gives at most."""
        return self.share * pool.unit

    @abstractmethod
    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""


class _NamedMatch(_WordMatch):
    """It counts how much of a name the question says, as if every name had one part more than it has.

    A name of one part would else be said in full by any question with that word: ``get`` by “get the user”.
    """

    whose = ""  # words before the name, where it is not the symbol's own

    @abstractmethod
    def name_of(self, words: Words) -> _NameOf:
        """What gives the name by the row of a chunk."""

    def most(self, pool: Pool) -> float:
        """What it gives at most: to a name that consists of the question's words."""
        asked = len(pool.asked.tokens)
        return self.share * pool.unit * asked / (asked + 1)

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""
        names = map(self.name_of(pool.evidence.words), pool.rows_of(positions))
        return _covered(pool.asked, names, self.share * pool.unit)

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        name = self.name_of(pool.evidence.words)(pool.row(position))
        if name is None:
            return ""
        shared = listed(pool.asked.words_in(pool.evidence.plan.text, name.tokens))
        return f"{self.whose}`{name.name}`{', which' if self.whose else ''} contains the question's “{shared}”"


class NameMatch(_NamedMatch):
    """Words of the question in the symbol's own name: the shortest description its author could give."""

    name = "name match"
    share = 0.5

    def name_of(self, words: Words) -> _NameOf:
        """The symbol's own name."""
        return words.own_at


class OwnerMatch(_NamedMatch):
    """Words of the question in the name of the type or module that holds the symbol."""

    name = "owner match"
    share = 0.3
    whose = "it belongs to "

    def name_of(self, words: Words) -> _NameOf:
        """The owner's name."""
        return words.owner_at


class SignatureMatch(_WordMatch):
    """Words of the question in the signature: parameters and types say what a symbol works on.

    It counts the part of the question's weight that the signature holds.
    """

    name = "signature match"
    share = 0.3

    def at(self, pool: Pool, positions: Sequence[int]) -> list[float]:
        """The values of some positions."""
        most, share = self.share * pool.unit, pool.asked.share
        found = map(pool.evidence.words.signature_at, pool.rows_of(positions))
        return [0.0 if tokens is None else most * share(tokens) for tokens in found]

    def reason(self, pool: Pool, position: int) -> str:
        """The words in common."""
        held = pool.evidence.words.signature_at(pool.row(position)) or frozenset()
        return f"the signature contains the question's “{listed(pool.asked.words_in(pool.evidence.plan.text, held))}”"


def _covered(asked: Asked, names: Iterable[Named | None], most: float) -> list[float]:
    tokens = asked.tokens
    return [
        0.0 if name is None or not (held := len(name.parts & tokens)) else most * held / (len(name.parts) + 1)
        for name in names
    ]
