"""An immutable snapshot of a loaded repository, from which every answer is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.names import PublicNames
from codeexplore.source.manifests import manifests_of
from codeexplore.types import Skipped, SourceFile, WorkspaceSummary
from codeexplore.workspace.fingerprints import Fingerprint

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.files import FileFactsStore, SourceTexts
    from codeexplore.index.sources import StoredSources
    from codeexplore.search.engine import SearchEngine
    from codeexplore.workspace.graph_status import Pending


@dataclass(frozen=True, slots=True)
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
            text = partial(_text, self.sources if self.has_texts else {})
            self.catalog.public_names = PublicNames(
                self.catalog, self.files.facts, text, partial(manifests_of, self.root)
            )


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


def _text(sources: Mapping[str, SourceFile], path: str) -> str:
    file = sources.get(path)
    return "" if file is None else file.text
