"""Records of a search: the plan for a question, the rankings of the lanes and the fused ranking.

`Retriever` is the protocol of a lane's engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, overload

from codeexplore.types import settings
from codeexplore.types.displayed import Displayed, brief_repr
from codeexplore.types.facts import Skipped
from codeexplore.types.graph import CallPath, Edge, Extent, PathsFound, Verdict
from codeexplore.types.kinds import (
    SCHEMA_VERSION,
    ConfidenceLevel,
    Direction,
    LaneName,
    LaneStatus,
    QuestionKind,
    Relation,
)
from codeexplore.types.next_step import NextStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TokenStep(NamedTuple):
    """One step of the tokeniser: its name, and the tokens after this step."""

    name: str
    tokens: tuple[str, ...]


class TermScore(NamedTuple):
    """The share of one query term in a chunk's BM25 score. The shares of all terms add up to the score.

    `times` is how often the text that was searched has the term: ``score = times · idf · tf / (tf + K)``.
    """

    term: str
    tf: int
    df: int
    idf: float
    score: float
    times: int = 1


class ChunkLength(NamedTuple):
    """The numbers of a chunk's *K* in BM25: ``K = k1 · (1 − b + b · length / average)``. Lengths are in tokens."""

    n_chunks: int
    length: int
    average: float
    k1: float
    b: float


class Numbers(NamedTuple):
    """The numbers of BM25 and of PageRank, which a search may replace. Their defaults are in `settings`."""

    k1: float = settings.BM25_K1
    b: float = settings.BM25_B
    damping: float = settings.DAMPING
    edge_weights: tuple[tuple[str, float], ...] = ()  # kind → weight, of the kinds that are replaced


USUAL_NUMBERS: Final = Numbers()


class WordPair(NamedTuple):
    """The share of one pair (question word, chunk word) in the cosine similarity of a question and a chunk.

    The shares of all pairs add up to the similarity.
    """

    query_word: str
    chunk_word: str
    value: float


class SeedShare(NamedTuple):
    """The share of one seed in a symbol's score in the graph lane. The shares of all seeds add up to the score.

    A seed is a symbol at which the graph lane starts. `formula` says how `value` is computed from the other numbers.
    `distance` is the number of edges from the seed to the symbol. `confidence` is the confidence of the weakest edge on
    the path.
    """

    seed: str  # Symbol.id
    weight: float
    distance: int
    confidence: float
    value: float
    formula: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Restrictions of a search's results, applied before each lane ranks. An empty field is no restriction."""

    paths: tuple[str, ...] = ()  # globs over repository-relative paths
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tests: bool = True  # False leaves out tests: files of them, and tests in source files
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
    added: tuple[str, ...] = ()  # words of the code that the question does not have, and which are searched for too
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

    `absent` are words of the question that occur nowhere in the repository, and `misspelt` those that are one typing
    error away from a word that occurs, with that word. `meant` are words of the repository's names that may say what
    the question says, nearest first; they are only looked for if the answer is not sure, or the question plain.
    `similarity` is the best cosine of a chunk, and `chance` the best cosine that is usual for questions about other
    software: None if the embedding lane did not answer. `mean_similarity` is the mean cosine of the ten best chunks and
    `nearness` the mean, over the question's telling words, of the cosine of the nearest word in them: None if another
    model than the bundled one answered. Then `coverage` decides, a share of the question's words, weighted by rarity:
    the highest share that one of the best chunks contains.
    """

    level: ConfidenceLevel
    absent: tuple[str, ...] = ()
    misspelt: tuple[tuple[str, str], ...] = ()
    meant: tuple[str, ...] = ()
    similarity: float | None = None
    chance: float | None = None
    mean_similarity: float | None = None
    nearness: float | None = None
    coverage: float | None = None


ANSWERED: Final = Confidence("answered")


class StageTime(NamedTuple):
    """Duration of one stage of loading, or of a search."""

    stage: str
    seconds: float


class StoryStep(NamedTuple):
    """A call in the order of the lines: the called symbol, its edge, and its level below the symbol in question."""

    level: int
    symbol_id: str
    edge: Edge
    start: str  # id of the symbol in question: each overload has a story of its own


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
    verdict: Verdict | None = None  # of a structural question that the graph answered
    story: tuple[StoryStep, ...] = ()  # of a question about what happens when a symbol runs
    surveys: tuple[NextStep, ...] = ()  # that answer a question about the whole repository
    whole: bool = False  # the question is about the whole repository, and its notices answer it
    # ranking → weight; of a bug report each part has one. Rankings that are missing here weigh as in `plan.lanes`
    weights: Mapping[str, float] = field(default_factory=dict)
    numbers: Numbers = USUAL_NUMBERS

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


class HitColumns(Sequence[Hit]):
    """Hits of a lane, best first. A record is made when it is read. The object equals the tuple of all records.

    Parameters
    ----------
    rows
        Rows of the chunks in the catalog, without repeats: shape (n,).
    scores
        The lane's scores: shape (n,).
    chunk_ids
        The id of every chunk in the catalog, by row.
    """

    __slots__ = ("_made", "chunk_ids", "rows", "scores")

    def __init__(self, rows: NDArray[np.int64], scores: NDArray[np.float64], chunk_ids: Sequence[str]) -> None:
        self.rows, self.scores, self.chunk_ids = rows, scores, chunk_ids
        self._made: tuple[Hit, ...] | None = None

    def all(self) -> tuple[Hit, ...]:
        """Return the records of all hits."""
        if self._made is None:
            ids = self.chunk_ids
            numbered = enumerate(zip(self.rows.tolist(), self.scores.tolist(), strict=True), 1)
            self._made = tuple([Hit(ids[row], rank, score) for rank, (row, score) in numbered])
        return self._made

    def first(self, count: int) -> HitColumns:
        """Return the best `count` hits."""
        return HitColumns(self.rows[:count], self.scores[:count], self.chunk_ids)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        if isinstance(place, slice) or self._made is not None:
            return self.all()[place]
        at = range(len(self))[place]
        return Hit(self.chunk_ids[int(self.rows[at])], at + 1, float(self.scores[at]))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, HitColumns | tuple):
            return self.all() == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.all())

    def __repr__(self) -> str:
        return repr(self.all())


@dataclass(frozen=True, slots=True)
class WorkspaceSummary(Displayed):
    """Summary of a workspace: indexed files, symbols and edges, skipped files with reasons, and durations.

    Displays show the mappings in their order.
    """

    __repr__ = brief_repr

    name: str
    root: str  # folder of the sources, as the user gave it or with links resolved
    files: Mapping[str, int]  # language title → files
    symbols: Mapping[str, int]  # symbol kind → symbols
    chunks: int
    edges: Mapping[str, int]  # edge kind → resolved edges
    possible: int = 0  # edges that are only "possible by name"
    unresolved: int = 0  # references that resolve to nothing in the repository
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → files or folders
    stages: tuple[StageTime, ...] = ()
    warnings: tuple[str, ...] = ()
    bytes: int = 0  # of the indexed texts as UTF-8
    lines: int = 0
    with_errors: int = 0  # files with syntax errors; the symbols around them are kept
    encodings: Mapping[str, int] = field(default_factory=dict)  # encoding → files that are not UTF-8
    skipped_files: tuple[Skipped, ...] = ()  # every file and folder that `skipped` counts
    model: str = ""  # the embedding model
    graph: str = ""  # the reason why no edges are known; "" if references were resolved

    def to_dict(self) -> dict[str, object]:
        """Return the summary as plain data, with the schema's version."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["skipped_files"] = [item._asdict() for item in self.skipped_files]
        plain["stages"] = [item._asdict() for item in self.stages]
        return {"schema": SCHEMA_VERSION, "kind": "summary", **plain}
