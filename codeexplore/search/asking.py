"""Which lanes are asked what for a plan, and what stands for those that can't be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from codeexplore import settings
from codeexplore.search.lanes import Job, run_lanes
from codeexplore.search.subject import asked_of
from codeexplore.types import Hit, LaneName, LaneStatus, QueryPlan, Ranking, Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Prepares(Protocol):
    """A lane that has to load or build something before its first answer."""

    def prepare(self) -> None:
        """Get ready; nothing is left to do when that was done before."""
        ...


class Absent:
    """Stands for a lane that is still being made, or could not be made. It has no hits.

    Parameters
    ----------
    lane
        The lane.
    reason
        Why it is not there.
    failed
        Whether nobody is making it.
    """

    def __init__(self, lane: LaneName, reason: str, *, failed: bool) -> None:
        self.lane: LaneName = lane
        self.reason = reason
        self.status: LaneStatus = "failed" if failed else "waiting"

    def retrieve(
        self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None  # noqa: ARG002 - as all lanes
    ) -> Sequence[Hit]:  # fmt: skip
        """Nothing."""
        return ()


class Asking(NamedTuple):
    """What stays the same while one question is answered."""

    retrievers: Mapping[LaneName, Retriever]
    allowed: NDArray[np.bool_] | None
    timeout: float


def ask(lanes: Sequence[LaneName], plan: QueryPlan, asking: Asking) -> tuple[Ranking, ...]:
    """The rankings of some lanes, asked at once."""
    jobs: dict[LaneName, Job] = {}
    answered: dict[str, Ranking] = {}
    for lane in lanes:
        retriever = asking.retrievers.get(lane)
        if retriever is None:
            answered[lane] = Ranking(lane, (), 0.0, "failed", "this workspace has no such lane")
        elif isinstance(retriever, Absent):
            answered[lane] = Ranking(lane, (), 0.0, retriever.status, retriever.reason)
        elif lane == "graph" and not plan.seeds:
            answered[lane] = Ranking(lane, (), 0.0, "empty", "no symbol to start from was found")
        else:
            jobs[lane] = _job(retriever, asked_of(lane, plan), asking)
    answered |= {ranking.lane: ranking for ranking in run_lanes(jobs, asking.timeout)}
    return tuple(answered[lane] for lane in lanes)


def ask_missing(plan: QueryPlan, early: Sequence[Ranking], asking: Asking) -> tuple[Ranking, ...]:
    """The rankings of the plan's lanes: those already there for the same words, the others asked at once."""
    there = {ranking.lane: ranking for ranking in early}
    missing = [lane for lane in plan.lanes if lane not in there]
    there |= {ranking.lane: ranking for ranking in ask(missing, plan, asking)}
    return tuple(there[lane] for lane in plan.lanes)


def _job(retriever: Retriever, plan: QueryPlan, asking: Asking) -> Job:
    prepare = retriever.prepare if isinstance(retriever, Prepares) else None
    return Job(lambda: retriever.retrieve(plan, settings.POOL, asking.allowed), prepare)
