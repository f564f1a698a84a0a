"""The candidates of an answer while signals work on them: what they are, and their scores so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codeexplore.index.catalog import Catalog
from codeexplore.ranking.fused import Fused
from codeexplore.ranking.matching import Asked, Words, asked
from codeexplore.types import Contribution, QueryPlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def equally_rare(token: str) -> float:  # noqa: ARG001 — stands for an idf
    """The weight of a token where nobody knows how rare it is."""
    return 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What signals may look at besides the ranking."""

    plan: QueryPlan
    catalog: Catalog
    words: Words
    allowed: NDArray[np.bool_] | None = None  # over the catalog's chunks; None for all
    idf: Callable[[str], float] = equally_rare  # how rare a token is in the repository

    def allows(self, chunk_id: str) -> bool:
        """Whether the filters let a chunk through."""
        return self.allowed is None or bool(self.allowed[self.catalog.chunk_row(chunk_id)])


class Pool:
    """The candidates by position: those that a lane returned in fused order, then those that signals brought in.

    Attributes
    ----------
    scores : ndarray
        Scores so far, shape (n,).
    unit : float
        The best fused score: signals are worth shares of it, so that they mean the same under every fusion.
    """

    def __init__(self, fused: Fused, evidence: Evidence) -> None:
        self.fused = fused
        self.evidence = evidence
        self.chunk_ids: list[str] = list(fused.chunk_ids)
        self.scores: NDArray[np.float64] = fused.scores.copy()
        known = None if fused.rows is None else fused.rows.tolist()
        self._rows: list[int] = known or [evidence.catalog.chunk_row(chunk_id) for chunk_id in self.chunk_ids]
        top = float(fused.scores[0]) if len(fused) else 0.0
        self.unit = top if top > 0.0 else 1.0

    def __len__(self) -> int:
        return len(self.chunk_ids)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of each candidate among the catalog's chunks."""
        import numpy as np

        return np.array(self._rows, np.int64)

    def rows_of(self, positions: Sequence[int]) -> list[int]:
        """The rows of some candidates."""
        rows = self._rows
        return [rows[position] for position in positions]

    def row(self, position: int) -> int:
        """The row of a candidate."""
        return self._rows[position]

    def path(self, position: int) -> str:
        """The file of a candidate."""
        return self.evidence.words.columns.paths[self._rows[position]]

    @property
    def paths(self) -> list[str]:
        """The file of every candidate."""
        paths = self.evidence.words.columns.paths
        return [paths[row] for row in self._rows]

    def contributions(self, position: int) -> tuple[Contribution, ...]:
        """What the lanes made of a candidate; empty when no lane returned it."""
        return self.fused.contributions(position) if position < len(self.fused) else ()

    def zeros(self) -> NDArray[np.float64]:
        """One number for each candidate."""
        import numpy as np

        return np.zeros(len(self))

    @cached_property
    def asked(self) -> Asked:
        """The words of the question."""
        return asked(self.evidence.plan, self.evidence.idf)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {chunk_id: position for position, chunk_id in enumerate(self.chunk_ids)}

    def enter(self, chunk_id: str) -> int:
        """The position of a chunk, which joins the pool with score 0 when no lane returned it."""
        import numpy as np

        position = self._position.setdefault(chunk_id, len(self))
        if position == len(self):
            self.chunk_ids.append(chunk_id)
            self._rows.append(self.evidence.catalog.chunk_row(chunk_id))
            self.scores = np.append(self.scores, 0.0)
        return position

    def best_of_files(self) -> dict[str, int]:
        """The position with the highest score so far of every file; the earlier one among equals."""
        best: dict[str, int] = {}
        scores = self.scores.tolist()
        for position, path in enumerate(self.paths):
            known = best.setdefault(path, position)
            if scores[position] > scores[known]:
                best[path] = position
        return best
