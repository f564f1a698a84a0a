"""Questions, plans, the lanes' rankings and the fused one; the protocol of a lane's engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from codeexplore.types.brief import brief_repr
from codeexplore.types.graph import Absence, CallPath, Extent, PathsFound
from codeexplore.types.kinds import ConfidenceLevel, Direction, LaneName, LaneStatus, QuestionKind, Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Filters:
    """Restriction of a search's results; applied before each lane ranks. Empty means no restriction."""

    paths: tuple[str, ...] = ()  # globs over repository-relative paths
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tests: bool = True  # False leaves out test files


class Seed(NamedTuple):
    """A symbol a traversal starts from, and how it was found."""

    symbol_id: str
    source: Literal["name", "object", "description"]
    weight: float = 1.0
    reason: str = ""


class Reason(NamedTuple):
    """One choice of the planner in words: `choice` names the field ("kind", "lanes" …), `why` the evidence."""

    choice: str
    why: str


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """Plan for answering a question. The caller may override every field; `reasons` name the choices and why."""

    __repr__ = brief_repr

    text: str
    kind: QuestionKind
    tokens: tuple[str, ...]
    identifiers: tuple[str, ...] = ()  # names in the question that look like identifiers, as written
    relation: Relation | None = None
    direction: Direction | None = None
    depth: int = 1
    description: str = ""  # the part of a structural question that describes its symbol instead of naming it
    seeds: tuple[Seed, ...] = ()
    targets: tuple[Seed, ...] = ()  # the other end of a path question
    filters: Filters = Filters()
    lanes: Mapping[LaneName, float] = field(default_factory=dict)  # lane → weight, only the lanes that run
    reasons: tuple[Reason, ...] = ()
    target_description: str = ""  # description of the other end of a path question
    searched: str = ""  # text for the text lanes if it isn't the question: corrected names, a symbol's text


class Hit(NamedTuple):
    """One entry of a lane's ranking; `score` is the lane's own and comparable only within it."""

    chunk_id: str
    rank: int  # 1-based
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """One lane's answer. `status` separates an empty answer from a failure; `reason` is the explanation.

    "waiting" is a lane that is not ready yet.
    """

    __repr__ = brief_repr

    lane: str
    hits: Sequence[Hit]  # best first; a tuple, or columns that are equal to one
    elapsed_ms: float = 0.0
    status: LaneStatus = "ok"
    reason: str = ""


class Contribution(NamedTuple):
    """One lane's share of a fused score. Under RRF, value = weight / (rrf_k + rank)."""

    lane: str
    rank: int
    score: float
    weight: float
    value: float


class Adjustment(NamedTuple):
    """The amount that a named re-ranking signal added to (or subtracted from) a fused score."""

    signal: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class FusedHit:
    """``score == sum(c.value for c in contributions) + sum(a.value for a in adjustments)``, added in that order."""

    chunk_id: str
    rank: int
    score: float
    contributions: tuple[Contribution, ...]
    adjustments: tuple[Adjustment, ...] = ()
    role: str = ""  # in the answer to a relation: "caller", "described symbol", or "" for a hit that only shares words
    path: CallPath | None = None  # from a seed to this hit


class Confidence(NamedTuple):
    """Estimate of whether the repository contains an answer; the rule is in `search.confidence`.

    `absent` are words of the question that occur nowhere. `similarity` is the best cosine and `chance` the usual
    one for questions about other software; both are None where the embedding lane did not answer. `coverage` is the
    share of the question's words, by rarity, in one of the best chunks.
    """

    level: ConfidenceLevel
    absent: tuple[str, ...] = ()
    similarity: float | None = None
    chance: float | None = None
    coverage: float | None = None


ANSWERED: Final = Confidence("answered")


class StageTime(NamedTuple):
    """Duration of one stage of loading, or of a search."""

    stage: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A fused ranking with the plan, lanes and scores that led to it."""

    __repr__ = brief_repr

    plan: QueryPlan
    fusion: str
    rrf_k: int
    rankings: tuple[Ranking, ...]
    hits: tuple[FusedHit, ...]
    notices: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    stages: tuple[StageTime, ...] = ()  # plan, seeds, lanes, fuse, signals, finish; lanes have their own times
    confidence: Confidence = ANSWERED
    extent: Extent | None = None  # of a structural question that the graph answered
    paths: PathsFound | None = None  # of a question about a path, when both its ends are known
    absence: Absence | None = None  # of a structural question that the graph answered with nothing


class Retriever(Protocol):
    """A lane's engine: a plan in, at most `pool` hits out, best first, ranks 1, 2, 3 … and no chunk twice.

    `allowed` is a boolean mask over the chunks in index order, or None for all. It may raise any exception: the search
    isolates lanes from each other.
    """

    lane: LaneName

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Rank the chunks that answer `plan`."""
        ...
