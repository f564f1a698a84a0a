r"""The records and protocols that are passed between layers.

Records are frozen, refer to each other by id and depend neither on engines nor on HTML. Rows of which a repository
has hundreds of thousands (`Span`, `Reference`, `Binding` …) are named tuples, the others slotted dataclasses.

Entry points: `Symbol`, `Chunk`, `Edge`, `FileFacts`, `QueryPlan`, `SearchResult`, `WorkspaceSummary`, and the protocol
`Retriever` of a lane.

Example: ``def total(cart: Cart): return cart.sum()`` in ``app.py`` becomes a `Symbol` with id ``app.py:app.total`` and
kind ``function``, a `Binding` of ``cart`` with type ``Cart`` and a `Reference` of kind ``call``, path ``cart.sum``.

Words: a *symbol* is a named definition, a *reference* an unresolved use, an *edge* a resolved one; a *chunk* is
the unit of retrieval; a *lane* is a retriever's named place in fusion; a *hit* is one entry of a lane's
*ranking*, a *fused hit* one entry of the merged ranking, a *contribution* one lane's share of its score.
Lines are 1-based and inclusive and end at ``\n`` only; bytes are 0-based, half-open, in UTF-8.
"""

from __future__ import annotations

from codeexplore.types.chunks import Chunk, FileIndex, WordCounts
from codeexplore.types.explained import SeedShare, TermScore, TokenStep, WordPair
from codeexplore.types.facts import (
    LEFT_OUT,
    METACLASS,
    STUB,
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
    Absence,
    AbsenceKind,
    CallPath,
    Edge,
    Extent,
    PathsFound,
    PossibleUse,
    Reached,
    Site,
    Subgraph,
    Unresolved,
)
from codeexplore.types.hit_columns import HitColumns
from codeexplore.types.kinds import (
    CALLABLE_KINDS,
    EDGE_KINDS,
    LANES,
    RELATIONS,
    SCHEMA_VERSION,
    SYMBOL_KINDS,
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
from codeexplore.types.rows import Rows
from codeexplore.types.search import (
    Adjustment,
    Confidence,
    Contribution,
    Filters,
    FusedHit,
    Hit,
    QueryPlan,
    Ranking,
    Reason,
    Retriever,
    SearchResult,
    Seed,
    StageTime,
)
from codeexplore.types.summary import WorkspaceSummary

__all__ = [
    "CALLABLE_KINDS",
    "EDGE_KINDS",
    "LANES",
    "LEFT_OUT",
    "METACLASS",
    "RELATIONS",
    "SCHEMA_VERSION",
    "STUB",
    "SYMBOL_KINDS",
    "TYPE_KINDS",
    "UNKNOWN",
    "Absence",
    "AbsenceKind",
    "Adjustment",
    "Base",
    "Binding",
    "CallPath",
    "Cell",
    "Chunk",
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
    "Subgraph",
    "Symbol",
    "SymbolKind",
    "TermScore",
    "TokenStep",
    "Unresolved",
    "WordCounts",
    "WordPair",
    "WorkspaceSummary",
]
