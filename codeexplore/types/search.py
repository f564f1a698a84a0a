"""Records of a search: the plan for a question, the rankings of the lanes and the fused ranking.

`Retriever` is the protocol of a lane's engine.
"""

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
    """Restrictions of a search's results, applied before each lane ranks. An empty field is no restriction."""

    paths: tuple[str, ...] = ()  # globs over repository-relative paths
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tests: bool = True  # False leaves out test files
    symbols: frozenset[str] | None = None  # ids, such as those of the functions that ran; None is no restriction


class Seed(NamedTuple):
    """A symbol at which a traversal starts, and the way in which it was found."""

    symbol_id: str
    source: Literal["name", "object", "description"]
    weight: float = 1.0
    reason: str = ""


class Reason(NamedTuple):
    """A decision of the planner.

    `choice` names the field of the plan ("kind", "lanes" …), `why` is the evidence in words.
    """

    choice: str
    why: str


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """Plan for answering a question. The caller may override every field. `reasons` explain the planner's decisions."""

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
    # lane → weight; a lane that is not in it does not run
    lanes: Mapping[LaneName, float] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    target_description: str = ""  # description of the other end of a path question
    # text that the text lanes search instead of the question: with corrected names, or the text of a symbol
    searched: str = ""


def lane_of(ranking: str) -> str:
    """Return the lane that a ranking comes from: ``bm25`` for ``title-bm25``, the BM25 ranking of a report's title."""
    return ranking.rpartition("-")[2]


class Hit(NamedTuple):
    """One entry of a lane's ranking. Scores of different lanes or rankings cannot be compared."""

    chunk_id: str
    rank: int  # 1-based
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answer of one lane.

    `status` distinguishes an empty answer from a failure, and `reason` explains it. The status "waiting" means that the
    lane is not ready yet.
    """

    __repr__ = brief_repr

    lane: str
    hits: Sequence[Hit]  # best first; a tuple, or a `HitColumns`, which equals a tuple
    elapsed_ms: float = 0.0
    status: LaneStatus = "ok"
    reason: str = ""


class Contribution(NamedTuple):
    """The share of one lane in a fused score. Under RRF, value = weight / (rrf_k + rank)."""

    lane: str
    rank: int
    score: float
    weight: float
    value: float


class Adjustment(NamedTuple):
    """The amount that a re-ranking signal added to a fused score, negative if it was subtracted."""

    signal: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class FusedHit:
    """One entry of the fused ranking.

    ``score == sum(c.value for c in contributions) + sum(a.value for a in adjustments)``, added in this order.
    """

    chunk_id: str
    rank: int
    score: float
    contributions: tuple[Contribution, ...]
    adjustments: tuple[Adjustment, ...] = ()
    role: str = ""  # in the answer to a relation: "caller", "described symbol", or "" for a hit that only shares words
    path: CallPath | None = None  # path in the graph from a seed to this hit


class Confidence(NamedTuple):
    """Estimate of whether the repository contains an answer to the question. `search.confidence` has the rule.

    `absent` are words of the question that occur nowhere in the repository. `similarity` is the best cosine similarity
    of a chunk, and `chance` the best cosine that is usual for questions about other software. Both are None if the
    embedding lane did not answer. `coverage` is a share of the question's words, weighted by rarity: the highest share
    that one of the best chunks contains.
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
    """A fused ranking, with the plan, the lanes' rankings and the scores that led to it."""

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
    # ranking → weight; of a bug report each part has one. Rankings that are missing here weigh as in `plan.lanes`
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """The question in short: of a bug report its title, and its beginning where it has none."""
        return self.plan.searched or self.plan.text if self.plan.kind == "report" else self.plan.text


class Retriever(Protocol):
    """The engine of a lane. For a plan it returns at most `pool` hits, best first.

    The ranks are 1, 2, 3 …, and no chunk occurs twice. `allowed` is a boolean mask over the chunks in index order; None
    allows all chunks. An engine may raise any exception, because a search continues with the other lanes.
    """

    lane: LaneName

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the chunks that answer `plan`, ranked."""
        ...
