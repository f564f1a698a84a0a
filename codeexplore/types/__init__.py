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

from codeexplore.types.facts import COMPARED as COMPARED
from codeexplore.types.facts import DEFAULTS as DEFAULTS
from codeexplore.types.facts import GUARD as GUARD
from codeexplore.types.facts import INDEX_MEMBER as INDEX_MEMBER
from codeexplore.types.facts import LEFT_OUT as LEFT_OUT
from codeexplore.types.facts import LOCAL_MARK as LOCAL_MARK
from codeexplore.types.facts import METACLASS as METACLASS
from codeexplore.types.facts import NOT as NOT
from codeexplore.types.facts import OPENING as OPENING
from codeexplore.types.facts import STAR as STAR
from codeexplore.types.facts import STUB as STUB
from codeexplore.types.facts import TRAILING as TRAILING
from codeexplore.types.facts import UNKNOWN as UNKNOWN
from codeexplore.types.facts import Base as Base
from codeexplore.types.facts import Binding as Binding
from codeexplore.types.facts import Cell as Cell

# a name after `as` is offered to other packages: type checkers and linters read it so
from codeexplore.types.facts import Chunk as Chunk
from codeexplore.types.facts import Export as Export
from codeexplore.types.facts import FileFacts as FileFacts
from codeexplore.types.facts import FileIndex as FileIndex
from codeexplore.types.facts import Import as Import
from codeexplore.types.facts import Reference as Reference
from codeexplore.types.facts import Return as Return
from codeexplore.types.facts import Skipped as Skipped
from codeexplore.types.facts import SourceFile as SourceFile
from codeexplore.types.facts import Span as Span
from codeexplore.types.facts import Symbol as Symbol
from codeexplore.types.facts import WordCounts as WordCounts
from codeexplore.types.graph import CallPath as CallPath
from codeexplore.types.graph import Edge as Edge
from codeexplore.types.graph import Extent as Extent
from codeexplore.types.graph import PathsFound as PathsFound
from codeexplore.types.graph import PossibleUse as PossibleUse
from codeexplore.types.graph import Reached as Reached
from codeexplore.types.graph import Site as Site
from codeexplore.types.graph import Subgraph as Subgraph
from codeexplore.types.graph import Unresolved as Unresolved
from codeexplore.types.graph import Verdict as Verdict
from codeexplore.types.graph import VerdictKind as VerdictKind
from codeexplore.types.kinds import CALLABLE_KINDS as CALLABLE_KINDS
from codeexplore.types.kinds import EDGE_KINDS as EDGE_KINDS
from codeexplore.types.kinds import EDGE_VERBS as EDGE_VERBS
from codeexplore.types.kinds import LANES as LANES
from codeexplore.types.kinds import RELATIONS as RELATIONS
from codeexplore.types.kinds import SCHEMA_VERSION as SCHEMA_VERSION
from codeexplore.types.kinds import SYMBOL_KINDS as SYMBOL_KINDS
from codeexplore.types.kinds import TEXT_KINDS as TEXT_KINDS
from codeexplore.types.kinds import TYPE_KINDS as TYPE_KINDS
from codeexplore.types.kinds import VALUE_KINDS as VALUE_KINDS
from codeexplore.types.kinds import ConfidenceLevel as ConfidenceLevel
from codeexplore.types.kinds import Direction as Direction
from codeexplore.types.kinds import EdgeKind as EdgeKind
from codeexplore.types.kinds import LaneName as LaneName
from codeexplore.types.kinds import LaneStatus as LaneStatus
from codeexplore.types.kinds import QuestionKind as QuestionKind
from codeexplore.types.kinds import Relation as Relation
from codeexplore.types.kinds import SymbolKind as SymbolKind
from codeexplore.types.next_step import NextStep as NextStep
from codeexplore.types.rows import Rows as Rows
from codeexplore.types.search import Adjustment as Adjustment
from codeexplore.types.search import ChunkLength as ChunkLength
from codeexplore.types.search import Confidence as Confidence
from codeexplore.types.search import Contribution as Contribution
from codeexplore.types.search import Filters as Filters
from codeexplore.types.search import FusedHit as FusedHit
from codeexplore.types.search import Hit as Hit
from codeexplore.types.search import HitColumns as HitColumns
from codeexplore.types.search import QueryPlan as QueryPlan
from codeexplore.types.search import Ranking as Ranking
from codeexplore.types.search import Reason as Reason
from codeexplore.types.search import Retriever as Retriever
from codeexplore.types.search import SearchResult as SearchResult
from codeexplore.types.search import Seed as Seed
from codeexplore.types.search import SeedShare as SeedShare
from codeexplore.types.search import StageTime as StageTime
from codeexplore.types.search import StoryStep as StoryStep
from codeexplore.types.search import TermScore as TermScore
from codeexplore.types.search import TokenStep as TokenStep
from codeexplore.types.search import WordPair as WordPair
from codeexplore.types.search import WorkspaceSummary as WorkspaceSummary
from codeexplore.types.search import lane_of as lane_of
