"""An immutable snapshot of one loaded repository: what every answer is computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.catalog import Catalog
from codeexplore.types import FileIndex, WordCounts, WorkspaceSummary

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.search import SearchEngine


@dataclass(frozen=True, slots=True)
class Index:
    """Files, symbols, chunks, their arrays and the engines over them. Replaced as a whole, never changed."""

    root: Path
    name: str
    files: Mapping[str, FileIndex]  # by path, in discovery order
    catalog: Catalog
    counts: WordCounts
    graph: CodeGraph
    engine: SearchEngine
    summary: WorkspaceSummary
