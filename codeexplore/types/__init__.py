r"""Records and protocols that packages pass to each other.

Records are frozen, refer to each other by id, and depend neither on engines nor on HTML. A large repository has
hundreds of thousands of `Span`, `Reference`, `Binding` and similar records, so these are named tuples. The others are
dataclasses with slots.

Entry points: `Symbol`, `Chunk`, `Edge`, `FileFacts`, `QueryPlan`, `SearchResult`, `WorkspaceSummary`, and the protocol
`Retriever` of a lane.

Example: ``def total(cart: Cart): return cart.sum()`` in ``app.py`` becomes a `Symbol` with id ``app.py:app.total`` and
kind ``function``, a `Binding` of ``cart`` with type ``Cart`` and a `Reference` of kind ``call``, path ``cart.sum``.

Words used in all packages:

- symbol: a named definition. Reference: a use of a name in the source. Edge: a reference whose target is known.
- chunk: the unit of retrieval, usually the lines of one symbol.
- lane: one of the retrievers whose rankings are fused (BM25, embedding, graph). Hit: one entry of a lane's ranking.
- fused hit: one entry of the fused ranking. Contribution: the share of one lane in the score of a fused hit.
- seed: a symbol at which a traversal of the graph starts.
- scope: a symbol in whose body names are bound and used.

Lines are 1-based and inclusive and end at ``\n`` only; bytes are 0-based, half-open, in UTF-8.
"""

from __future__ import annotations

from codeexplore.types.chunks import Chunk, FileIndex, WordCounts
from codeexplore.types.facts import (
    COMPARED,
    DEFAULTS,
    GUARD,
    INDEX_MEMBER,
    LEFT_OUT,
    LOCAL_MARK,
    METACLASS,
    STAR,
    STUB,
    TRAILING,
    UNKNOWN,
    Base,
    Binding,
    Export,
    FileFacts,
    Import,
    Reference,
    Return,
    Symbol,
)
from codeexplore.types.files import Cell, Skipped, SourceFile, Span
from codeexplore.types.graph import (
    CallPath,
    Edge,
    Extent,
    PathsFound,
    PossibleUse,
    Reached,
    Site,
    Subgraph,
    Unresolved,
    Verdict,
    VerdictKind,
)
from codeexplore.types.kinds import (
    CALLABLE_KINDS,
    EDGE_KINDS,
    EDGE_VERBS,
    LANES,
    RELATIONS,
    SCHEMA_VERSION,
    SYMBOL_KINDS,
    TEXT_KINDS,
    TYPE_KINDS,
    ConfidenceLevel,
    Direction,
    EdgeKind,
    LaneName,
    LaneStatus,
    QuestionKind,
    Relation,
    SymbolKind,
)
from codeexplore.types.next_step import NextStep
from codeexplore.types.rows import Rows
from codeexplore.types.search import (
    Adjustment,
    ChunkLength,
    Confidence,
    Contribution,
    Filters,
    FusedHit,
    Hit,
    HitColumns,
    QueryPlan,
    Ranking,
    Reason,
    Retriever,
    SearchResult,
    Seed,
    SeedShare,
    StageTime,
    StoryStep,
    TermScore,
    TokenStep,
    WordPair,
    WorkspaceSummary,
    lane_of,
)

__all__ = [
    "CALLABLE_KINDS",
    "COMPARED",
    "DEFAULTS",
    "EDGE_KINDS",
    "EDGE_VERBS",
    "GUARD",
    "INDEX_MEMBER",
    "LANES",
    "LEFT_OUT",
    "LOCAL_MARK",
    "METACLASS",
    "RELATIONS",
    "SCHEMA_VERSION",
    "STAR",
    "STUB",
    "SYMBOL_KINDS",
    "TEXT_KINDS",
    "TRAILING",
    "TYPE_KINDS",
    "UNKNOWN",
    "Adjustment",
    "Base",
    "Binding",
    "CallPath",
    "Cell",
    "Chunk",
    "ChunkLength",
    "Confidence",
    "ConfidenceLevel",
    "Contribution",
    "Direction",
    "Edge",
    "EdgeKind",
    "Export",
    "Extent",
    "FileFacts",
    "FileIndex",
    "Filters",
    "FusedHit",
    "Hit",
    "HitColumns",
    "Import",
    "LaneName",
    "LaneStatus",
    "NextStep",
    "PathsFound",
    "PossibleUse",
    "QueryPlan",
    "QuestionKind",
    "Ranking",
    "Reached",
    "Reason",
    "Reference",
    "Relation",
    "Retriever",
    "Return",
    "Rows",
    "SearchResult",
    "Seed",
    "SeedShare",
    "Site",
    "Skipped",
    "SourceFile",
    "Span",
    "StageTime",
    "StoryStep",
    "Subgraph",
    "Symbol",
    "SymbolKind",
    "TermScore",
    "TokenStep",
    "Unresolved",
    "Verdict",
    "VerdictKind",
    "WordCounts",
    "WordPair",
    "WorkspaceSummary",
    "lane_of",
]
