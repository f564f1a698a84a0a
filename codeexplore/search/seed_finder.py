"""Search for the seeds of an answer: the symbols that a question names, or that fit its description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from codeexplore.search.context import Snapshot
from codeexplore.search.lane_runner import LaneRequest, about, ask, subject
from codeexplore.search.ranking.candidates import Evidence
from codeexplore.search.ranking.fusion import rrf
from codeexplore.search.ranking.rerank import Signal, rerank
from codeexplore.search.seeds import (
    MAX_AROUND,
    MAX_DESCRIBED,
    as_seeds,
    describe_choice,
    described_seeds,
    named_seeds,
    of_language,
)
from codeexplore.types import Hit, HitColumns, LaneName, QueryPlan, Ranking, Seed

TEXT_LANES: Final[tuple[LaneName, ...]] = ("bm25", "embedding")


class SeededPlan(NamedTuple):
    """A plan with its seeds, the rankings that were needed to find them, and notices about the choice."""

    plan: QueryPlan
    rankings: tuple[Ranking, ...] = ()
    notices: tuple[str, ...] = ()


class SeedFinder:
    """Finder of the symbols that a question is about. `signals` re-rank what a description may mean."""

    def __init__(self, snapshot: Snapshot, signals: Sequence[Signal]) -> None:
        self._snapshot = snapshot
        self._signals = signals

    def begin(self, plan: QueryPlan, given: Sequence[str | Seed], asking: LaneRequest) -> SeededPlan:
        """Return the plan with the symbols that the question names or describes, or with those in `given`."""
        snapshot = self._snapshot
        # "what calls the code that wraps Session.get?" asks about the described code, not about the name in it
        names = () if plan.description else plan.identifiers
        targets: tuple[str, ...] = ()
        if plan.relation == "path":
            targets = names[1:] if names else () if plan.target_description else plan.identifiers
            names = names[:1]
        catalog, used, local = snapshot.catalog, snapshot.used, snapshot.local
        found = named_seeds(names, catalog, plan.relation, snapshot.outside, used, local)
        ends = named_seeds(targets, catalog, plan.relation, lambda _: (), used, local)
        said = [*(() if given else found.notices), *ends.notices]  # with seeds, no name is followed
        seeds = as_seeds(given, plan) or found.seeds
        rankings: tuple[Ranking, ...] = ()
        if (
            not seeds
            and "graph" in plan.lanes
            and not (plan.relation is not None and any(map(self._is_code, found.unknown)))
        ):
            wanted = subject(plan)
            rankings, seeds = self._described(wanted, plan, asking)
            if seeds and plan.relation is not None:
                said.append(describe_choice(seeds, wanted.text, snapshot.catalog))
        target_seeds = ends.seeds
        unclear = plan.target_description or (ends.unknown and not any(map(_IN_CODE, ends.unknown)))
        if not target_seeds and unclear and "graph" in plan.lanes:
            wanted = about(plan, plan.target_description or " ".join(ends.unknown))
            _, target_seeds = self._described(wanted, plan, asking)
            if target_seeds:
                said.append(describe_choice(target_seeds, wanted.text, snapshot.catalog))
        return SeededPlan(replace(plan, seeds=seeds, targets=target_seeds), rankings, tuple(said))

    def _is_code(self, name: str) -> bool:
        snapshot = self._snapshot
        return bool(_IN_CODE(name) or snapshot.used(name) or of_language(name, snapshot.catalog))

    def _described(
        self, wanted: QueryPlan, plan: QueryPlan, asking: LaneRequest
    ) -> tuple[tuple[Ranking, ...], tuple[Seed, ...]]:
        """Return the rankings of the text lanes for a description, and the symbols that it may mean.

        The description is the text of `wanted`. Filters apply to the answer and may exclude the described symbol. In
        that case the rankings cannot be used for the answer, and none are returned.
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
        catalog, shown = snapshot.catalog, snapshot.parts.shown
        evidence = Evidence(conceptual, catalog, snapshot.words, None, shown, snapshot.word_lane)
        best = rerank(fused, evidence, self._signals, top_k=2 * MAX_DESCRIBED)
        return (() if everywhere else rankings), described_seeds(best, wanted.text, catalog, MAX_DESCRIBED)


_IN_CODE: Final = re.compile(r"\w[A-Z_\d]|[.:#/]\w").search
"""Finds that a name is none of a language: it describes nothing, and nothing but a symbol of this name is meant."""


def _first(hits: Sequence[Hit]) -> Sequence[Hit]:
    return hits.first(4 * MAX_AROUND) if isinstance(hits, HitColumns) else hits[: 4 * MAX_AROUND]
