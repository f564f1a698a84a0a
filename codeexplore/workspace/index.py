"""An immutable snapshot of one loaded repository: what every answer is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.types import WorkspaceSummary
from codeexplore.workspace.origin import Origin

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.persistence.catalog import StoredCatalog
    from codeexplore.persistence.sources import StoredSources
    from codeexplore.search import SearchEngine
    from codeexplore.workspace.held import Files, HeldSources
    from codeexplore.workspace.pending import Pending


@dataclass(frozen=True, slots=True)
class Index:
    """Files, symbols, chunks, their arrays and the engines over them. Replaced as a whole, never changed."""

    root: Path
    name: str
    sources: HeldSources | StoredSources  # by path, in discovery order
    files: Files  # the same with their facts and chunks, which are read when asked for
    catalog: StoredCatalog
    graph: CodeGraph
    engine: SearchEngine
    summary: WorkspaceSummary
    origin: Origin
    has_texts: bool = True  # False for a stored index that was saved without sources
    stored: str = ""  # the file it was read from; "" when it was made in this process
    pending: Pending | None = None  # what the graph lacks, while it is being resolved
