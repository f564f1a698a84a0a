"""Seeds of an answer: the symbols a question is about, by name or, for a description, by the text lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from codeexplore.search.context import Snapshot
from codeexplore.search.lane_queries import about, subject
from codeexplore.search.lane_runner import LaneRequest, ask
from codeexplore.search.ranking.fusion import rrf
from codeexplore.search.ranking.rerank import Signal, rerank
from codeexplore.search.seeds import (
    MAX_AROUND,
    MAX_DESCRIBED,
    as_seeds,
    describe_choice,
    described_seeds,
    named_seeds,
    with_methods,
)
from codeexplore.types import Hit, HitColumns, LaneName, QueryPlan, Ranking, Seed

TEXT_LANES: Final[tuple[LaneName, ...]] = ("bm25", "embedding")


class SeededPlan(NamedTuple):
    """A plan with its seeds, the rankings that were needed to find them, and the notices about the choice."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...] = ()
    notices: tuple[str, ...] = ()


class SeedFinder:
    """Finds seeds.

    Parameters
    ----------
    snapshot
        Used to look up names.
    signals
        They re-rank the symbols that a description may mean.
    """

    def __init__(self, snapshot: Snapshot, signals: Sequence[Signal]) -> None:
        self._snapshot = snapshot
        self._signals = signals

    def begin(self, plan: QueryPlan, given: Sequence[str | Seed], asking: LaneRequest) -> SeededPlan:
        """Find the symbols the question is about; `given` ones replace those that it names or describes."""
        snapshot = self._snapshot
        # "what calls the code that wraps Session.get?" asks about the described code, not about the name in it
        names = () if plan.description else plan.identifiers
        targets: tuple[str, ...] = ()
        if plan.relation == "path":
            targets = names[1:] if names else () if plan.target_description else plan.identifiers
            names = names[:1]
        found = named_seeds(names, snapshot.catalog, plan.relation, snapshot.outside)
        ends = named_seeds(targets, snapshot.catalog, plan.relation)
        said = [*found.notices, *ends.notices]
        seeds = as_seeds(given, plan) or with_methods(found.seeds, plan.relation, snapshot.graph)
        rankings: tuple[Ranking, ...] = ()
        if not seeds and "graph" in plan.lanes:
            wanted = subject(plan)
            rankings, seeds = self._described(wanted, plan, asking)
            if seeds and plan.relation is not None:
                said.append(describe_choice(seeds, wanted.text, snapshot.catalog))
        target_seeds = ends.seeds
        if not target_seeds and (plan.target_description or ends.unknown) and "graph" in plan.lanes:
            wanted = about(plan, plan.target_description or " ".join(ends.unknown))
            _, target_seeds = self._described(wanted, plan, asking)
            if target_seeds:
                said.append(describe_choice(target_seeds, wanted.text, snapshot.catalog))
        return SeededPlan(replace(plan, seeds=seeds, targets=target_seeds), rankings, tuple(said))

    def _described(
        self, wanted: QueryPlan, plan: QueryPlan, asking: LaneRequest
    ) -> tuple[tuple[Ranking, ...], tuple[Seed, ...]]:  # fmt: skip
        """Return the text lanes' rankings for a description (`wanted`'s text), and the symbols it may mean.

        The start of a relation may be excluded by the filters, which are about the answer: then the rankings are none.
        """
        snapshot = self._snapshot
        lanes = [lane for lane in TEXT_LANES if lane in snapshot.retrievers]
        everywhere = plan.relation is not None and asking.allowed is not None
        rankings = ask(lanes, wanted, asking._replace(allowed=None) if everywhere else asking)
        if plan.relation is None:  # the graph counts little here: the first hits are enough
            first = [replace(ranking, hits=_first(ranking.hits)) for ranking in rankings]
            fused = rrf(snapshot.parts.collapse(first))
            return rankings, described_seeds(fused, wanted.text, snapshot.catalog, MAX_AROUND)
        fused = rrf(snapshot.parts.collapse(rankings))
        conceptual = replace(wanted, kind="conceptual", relation=None)
        best = rerank(fused, snapshot.evidence(conceptual, None), self._signals, top_k=2 * MAX_DESCRIBED)
        return (() if everywhere else rankings), described_seeds(best, wanted.text, snapshot.catalog, MAX_DESCRIBED)


def _first(hits: Sequence[Hit]) -> Sequence[Hit]:
    return hits.first(4 * MAX_AROUND) if isinstance(hits, HitColumns) else hits[: 4 * MAX_AROUND]
