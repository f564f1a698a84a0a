"""Comparison of two answers to one question: hits that rose, fell, are new or are missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codeexplore.answers.hit import SearchHit
    from codeexplore.answers.search import SearchAnswer


class Move(NamedTuple):
    """The rank of one hit before and after; None if it is not among the hits."""

    name: str
    location: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rank changes from one answer to another. Hits are ordered by their previous rank; new hits follow."""

    before: SearchAnswer
    after: SearchAnswer
    moves: tuple[Move, ...]

    def shown(self, top_k: int) -> tuple[Move, ...]:
        """Return the moves from or to a rank of at most `top_k`."""
        return tuple(m for m in self.moves if min(m.before or top_k + 1, m.after or top_k + 1) <= top_k)


def compare(before: SearchAnswer, after: SearchAnswer) -> Comparison:
    """Return the rank changes from `before` to `after`. Hits match by their symbol, or by their chunk of a file."""
    new = {_key(hit): hit for hit in after}
    moves = []
    for hit in before:
        other = new.pop(_key(hit), None)
        moves.append(Move(hit.name, hit.location, hit.rank, None if other is None else other.rank))
    moves += [Move(hit.name, hit.location, None, hit.rank) for hit in new.values()]
    return Comparison(before, after, tuple(moves))


def _key(hit: SearchHit) -> str:
    return hit.chunk.id if hit.symbol is None else hit.symbol.id
