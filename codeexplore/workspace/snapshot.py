"""An immutable snapshot of a loaded repository, from which every answer is computed, and the state of its graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from codeexplore.names import PublicNames
from codeexplore.source.manifests import manifests_of
from codeexplore.text.enumeration import shortened
from codeexplore.types import NextStep, Skipped, SourceFile, WorkspaceSummary
from codeexplore.workspace.fingerprints import Fingerprint

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.files import FileFactsStore, SourceTexts, StoredSources
    from codeexplore.search.engine import SearchEngine

GraphState: TypeAlias = Literal["ready", "outdated", "building", "failed"]

_UNKNOWN = "calls, uses and supertypes are not known"
_NAMED = 3


class Pending(NamedTuple):
    """Missing parts of a graph.

    `families` are the language families that must be resolved. `paths` are the files whose edges are outdated or
    unknown.
    """

    families: frozenset[str]
    paths: tuple[str, ...]
    not_built: bool = False  # nothing was resolved yet, so that the graph has no edges
    reason: str = ""  # the reason that it is not being resolved; "" while it is

    @property
    def note(self) -> str:
        if self.not_built and self.reason:
            return f"references were not resolved, so {_UNKNOWN}: {self.reason}"
        if self.not_built:
            return f"the graph is still being built: {_UNKNOWN} yet"
        older = f"the call graph is older than {shortened(self.paths, _NAMED)}"
        return f"{older}: it could not be updated, {self.reason}" if self.reason else f"{older}: it is being updated"

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        if not self.reason:
            return (NextStep("wait_for_graph", "waits for it"),)
        part = NextStep(
            "Workspace", "loads a part of a repository that is too large", ("path",), (("only", ["folder"]),)
        )
        return NextStep("wait_for_graph", "tries again"), part


def state_of(pending: Pending | None) -> GraphState:
    """Return the state of a graph with the missing parts `pending`; see `Workspace.graph_state`."""
    if pending is None:
        return "ready"
    if not pending.not_built:
        return "outdated"
    return "failed" if pending.reason else "building"


@dataclass(frozen=True)
class Index:
    """Files, symbols and chunks of a repository, their arrays, and the search engine over them.

    An index is never changed, but replaced as a whole.
    """

    root: Path
    name: str
    sources: SourceTexts | StoredSources  # by path, in discovery order
    files: FileFactsStore  # the same with their facts and chunks, which are read on demand
    catalog: Catalog
    graph: CodeGraph
    engine: SearchEngine
    summary: WorkspaceSummary
    origin: Fingerprint
    has_texts: bool = True  # False for a stored index that was saved without sources
    stored: str = ""  # the file it was read from; "" when it was made in this process
    pending: Pending | None = None  # the missing parts of the graph, while it is being resolved

    def __post_init__(self) -> None:
        self.catalog.root = str(self.root)
        if self.catalog.public_names is None:
            held: Mapping[str, SourceFile] = self.sources if self.has_texts else {}
            self.catalog.public_names = PublicNames(
                self.catalog,
                self.files.facts,
                lambda path: held[path].text if path in held else "",
                partial(manifests_of, self.root),
            )

    @cached_property
    def evidence(self) -> UsageEvidenceTable:
        """Evidence of use besides edges, which all calls on this snapshot share."""
        from codeexplore.graph.usage.evidence import UsageEvidenceTable

        return UsageEvidenceTable(self.graph, self.files, self.root, self.sources if self.has_texts else {})


@dataclass(frozen=True, slots=True)
class IndexParts:
    """Parts of an index without its lanes and its graph."""

    sources: SourceTexts
    files: FileFactsStore
    catalog: Catalog
    skipped: Sequence[Skipped]
    warnings: Sequence[str]
    origin: Fingerprint
    pending: Pending | None = None  # the missing parts of the graph


Parts: TypeAlias = Index | IndexParts
"""An index, or the parts of one that is being built."""
