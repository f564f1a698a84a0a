"""An immutable snapshot of one loaded repository: what every answer is computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.catalog import Catalog
from codeexplore.types import FileIndex, SourceFile, WordCounts, WorkspaceSummary
from codeexplore.workspace.origin import Origin

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.search import SearchEngine


@dataclass(frozen=True, slots=True)
class Index:
    """Files, symbols, chunks, their arrays and the engines over them. Replaced as a whole, never changed."""

    root: Path
    name: str
    sources: Mapping[str, SourceFile]  # by path, in discovery order
    files: Mapping[str, FileIndex]  # the same with their facts and chunks; of a stored index they are read when asked
    catalog: Catalog
    counts: Callable[[], WordCounts]  # of a stored index they are read when asked for
    graph: CodeGraph
    engine: SearchEngine
    summary: WorkspaceSummary
    origin: Origin
    has_texts: bool = True  # False for a stored index that was saved without sources
    stored: str = ""  # the file it was read from; "" when it was made in this process
