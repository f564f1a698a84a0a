"""Base of the parts of a `Workspace`: the loaded index and the lookup of symbols."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from codeexplore.errors import SourceNotIncluded
from codeexplore.workspace.consistent_reads import consistent, held
from codeexplore.workspace.targets import Target, resolve_target
from codeexplore.workspace.unread_files import unread_files

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.index.catalog import Catalog
    from codeexplore.search.engine import SearchEngine
    from codeexplore.types import Absence, SourceFile, Symbol
    from codeexplore.workspace.snapshot import Index


GraphState: TypeAlias = Literal["ready", "provisional", "building", "failed"]


@consistent
class WorkspaceBase(ABC):
    """One loaded index."""

    _current: Index  # replaced as a whole by a refresh

    @property
    def _index(self) -> Index:
        return held(self) or self._current

    @property
    def _sources(self) -> Mapping[str, SourceFile]:
        """Return the files by path. Raises SourceNotIncluded when their texts are not in the index."""
        index = self._index
        if not index.has_texts:
            raise SourceNotIncluded(
                f"this index was saved without its sources (sources=False); load the repository itself, {index.root}"
            )
        return index.sources

    def _graph_note(self) -> str:
        """Return the note of answers while edges of the graph are outdated, or may be missing anywhere."""
        from codeexplore.resolution.work_limit import cut_short

        pending = self._index.pending
        if pending is None:
            return cut_short(self._index.graph.notes)
        return "" if pending.not_built else pending.note

    def _graph_notes(self) -> tuple[str, ...]:
        """Return the same as notes of an answer."""
        said = self._graph_note()
        return (said,) if said else ()

    @property
    def root(self) -> Path:
        """The repository's folder."""
        return self._index.root

    @property
    def catalog(self) -> Catalog:
        """Every symbol and chunk, by id, name and place."""
        return self._index.catalog

    @abstractmethod
    def _graph_there(self) -> Index:
        """Return the present state once its graph is made. Raises GraphUnresolved where it could not be made."""

    @property
    def graph(self) -> CodeGraph:
        """The typed graph of symbols; waits for it while it is being made. Raises GraphUnresolved."""
        return (held(self) or self._graph_there()).graph

    @property
    def graph_state(self) -> GraphState:
        """State of the graph.

        "ready"; "provisional": edges of edited files are outdated; "building": it is still being made, and questions
        about it wait; "failed": references could not be resolved, and questions about it raise GraphUnresolved.
        """
        pending = self._index.pending
        if pending is None:
            return "ready"
        if not pending.not_built:
            return "provisional"
        return "failed" if pending.reason else "building"

    @property
    def engine(self) -> SearchEngine:
        """The search chain over this snapshot, for comparing its parts; `search` is the method for questions."""
        return self._index.engine

    def symbol(self, target: Target) -> Symbol:
        """Return the one symbol that a target means.

        Raises
        ------
        SymbolNotFound
            Nothing fits; the nearest names are listed.
        AmbiguousSymbol
            Several symbols fit; they are listed.
        """
        return resolve_target(self.catalog, self.root, target)

    @property
    def _usage_evidence(self) -> UsageEvidenceTable:
        """Return the evidence of use of symbols beside edges; computed once for each index."""
        from codeexplore.graph.usage.evidence import UsageEvidenceTable

        known: UsageEvidenceTable | None = self.__dict__.get("_standings_known")
        if known is None or known.graph is not self.graph:
            index = self._index
            known = UsageEvidenceTable(index.graph, index.files, index.root, index.sources if index.has_texts else {})
            self.__dict__["_standings_known"] = known
        return known

    def _as_far_as_known(self, absence: Absence, symbols: Collection[Symbol]) -> Absence:
        """Return the absence, weakened while edges are estimates or files that may contain a use were not read."""
        if absence.kind != "none":
            return absence
        if self._graph_note():
            return replace(absence, kind="unknown", text=f"{absence.text} The call graph is not up to date yet.")
        unread = unread_files(self._index.summary.skipped_files, symbols)
        if not unread:
            return absence
        files = "1 file was not read" if len(unread) == 1 else f"{len(unread)} files were not read"
        shown = ", ".join(f"{file.path} ({file.reason})" for file in unread[:2]) + (" …" if len(unread) > 2 else "")
        return replace(absence, kind="unknown", text=f"{absence.text} But {files}, which may use it: {shown}.")
