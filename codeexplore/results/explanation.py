"""The complete derivation of a hit's rank, number by number, joined with the symbols it names."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from codeexplore.types import SCHEMA_VERSION, Adjustment, Reason, Seed

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.results.search import SearchHit
    from codeexplore.search.explain import Derivation, LaneDerivation
    from codeexplore.types import SearchResult


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """The derivation of a hit's score and rank.

    ``score == sum(lane.value for lane in lanes) + sum(a.value for a in adjustments)``, exactly; and in each lane
    ``lane.score == sum(lane.parts) + lane.rounding``, the rounding below 1e-6.
    """

    derivation: Derivation
    hit: SearchHit
    result: SearchResult = field(compare=False)
    catalog: Catalog = field(compare=False)

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.result.plan.text

    @property
    def rank(self) -> int:
        """The hit's place in the answer, from 1."""
        return self.derivation.rank

    @property
    def score(self) -> float:
        """The fused score."""
        return self.derivation.score

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The choices of the query plan, each with its reason."""
        return self.derivation.reasons

    @property
    def seeds(self) -> tuple[Seed, ...]:
        """The symbols that the graph started from."""
        return self.derivation.seeds

    @property
    def lanes(self) -> tuple[LaneDerivation, ...]:
        """The contribution of each lane: formula, numbers and parts."""
        return self.derivation.lanes

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The amount that each signal added or subtracted, with the reason."""
        return self.derivation.adjustments

    @property
    def missing(self) -> tuple[Reason, ...]:
        """The lanes without a contribution to this hit, each with the reason."""
        return self.derivation.missing

    def name_of(self, symbol_id: str) -> str:
        """The fqn of a symbol of a path or a seed."""
        return self.catalog.symbol(symbol_id).fqn

    def to_dict(self) -> dict[str, object]:
        """The derivation as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "explanation",
            "question": self.question,
            "rank": self.rank,
            "score": self.score,
            "symbol": None if self.hit.symbol is None else self.hit.symbol.id,
            "path": self.hit.path,
            "start_line": self.hit.start_line,
            "end_line": self.hit.end_line,
            "fusion": self.derivation.fusion,
            "plan": {
                "kind": self.result.plan.kind,
                "reasons": [reason._asdict() for reason in self.reasons],
                "seeds": [seed._asdict() for seed in self.seeds],
            },
            "lanes": [_lane_dict(lane) for lane in self.lanes],
            "missing": [reason._asdict() for reason in self.missing],
            "adjustments": [adjustment._asdict() for adjustment in self.adjustments],
        }

    def __repr__(self) -> str:
        from codeexplore.results.text.explanation import explanation_text

        return explanation_text(self)


def _lane_dict(lane: LaneDerivation) -> dict[str, object]:
    return {
        "lane": lane.lane,
        "rank": lane.rank,
        "score": lane.score,
        "weight": lane.weight,
        "value": lane.value,
        "formula": lane.working.formula,
        "inputs": dict(lane.working.inputs),
        "chunk_id": lane.chunk_id,
        "terms": [term._asdict() for term in lane.terms],
        "pairs": [pair._asdict() for pair in lane.pairs],
        "seeds": [share._asdict() for share in lane.seeds],
        "path": None if lane.path is None else asdict(lane.path),
        "rounding": lane.rounding,
    }
