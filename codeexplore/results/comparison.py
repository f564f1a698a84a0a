"""Two answers to one question side by side: hits that rose, fell, are new or are missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codeexplore.results.hit import SearchHit
    from codeexplore.results.search import SearchAnswer


class Move(NamedTuple):
    """One hit's rank before and after; None where it is not among the hits."""

    name: str
    location: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rank changes from one answer to another: hits by their previous rank, then the new hits."""

    before: SearchAnswer
    after: SearchAnswer
    moves: tuple[Move, ...]

    def shown(self, top_k: int) -> tuple[Move, ...]:
        """The moves from or to a rank of at most `top_k`."""
        return tuple(m for m in self.moves if min(m.before or top_k + 1, m.after or top_k + 1) <= top_k)


def compare(before: SearchAnswer, after: SearchAnswer) -> Comparison:
    """Match the hits of two answers by their symbol, or by their piece of a file."""
    new = {_key(hit): hit for hit in after}
    moves = []
    for hit in before:
        other = new.pop(_key(hit), None)
        moves.append(Move(hit.name, hit.location, hit.rank, None if other is None else other.rank))
    moves += [Move(hit.name, hit.location, None, hit.rank) for hit in new.values()]
    return Comparison(before, after, tuple(moves))


def _key(hit: SearchHit) -> str:
    return hit.chunk.id if hit.symbol is None else hit.symbol.id
