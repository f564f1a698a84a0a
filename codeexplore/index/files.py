"""The files of an index with their texts and facts.

Each file comes from one of two sources. Files that were analysed in this process are in memory, as an `AnalysedFile` (a
*row*). The other files are read from a stored index (*below*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from codeexplore.index.catalog import Catalog
from codeexplore.index.chunk_table import ChunkTable
from codeexplore.index.columns import Columns
from codeexplore.index.facts import unpack_facts
from codeexplore.index.file_batch import extracted_facts
from codeexplore.index.sources import StoredSources
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.languages.extraction import Layout
from codeexplore.types import FileFacts, FileIndex, Skipped, SourceFile

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.file_batch import AnalysedFile, BatchResult
    from codeexplore.index.string_column import Member


class SourceTexts(Mapping[str, SourceFile]):
    """Mapping from path to `SourceFile`, in the order of discovery. A file's text is decoded when it is requested.

    Parameters
    ----------
    paths
        The paths of all files, in their order.
    rows
        The files in memory, by path.
    below
        The stored index that contains the remaining files; None if all files are in memory.
    """

    def __init__(
        self, paths: Iterable[str], rows: Mapping[str, AnalysedFile], below: StoredSources | None = None
    ) -> None:
        self.paths = list(paths)
        self._known = frozenset(self.paths)
        self.rows = {path: row for path, row in rows.items() if path in self._known}
        self.below = below

    def lacking_facts(self) -> list[str]:
        return [path for path in self.paths if (row := self.rows.get(path)) is not None and row.lacks_facts]

    def drop_facts_text(self) -> None:
        """Free the uncompressed form of the facts, which only a resolution needs. All facts must be extracted."""
        for path, row in self.rows.items():
            self.rows[path] = row.kept()

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8. Characters that can't be encoded are replaced. Raises KeyError."""
        row = self.rows.get(path)
        if row is not None:
            return row.utf8()
        return self._below(path).data(path)

    def _below(self, path: str) -> StoredSources:
        if self.below is None or path not in self._known:
            raise KeyError(path)
        return self.below

    def language(self, path: str) -> str:
        row = self.rows.get(path)
        return self._below(path).language(path) if row is None else row.language

    def __getitem__(self, path: str) -> SourceFile:
        row = self.rows.get(path)
        return self._below(path)[path] if row is None else row.file()

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def updated_sources(
    old: SourceTexts | StoredSources, paths: Iterable[str], rows: Mapping[str, AnalysedFile]
) -> SourceTexts:
    """Return the sources after an edit: of `paths`, those in `rows` are new or changed, the others are from `old`."""
    if isinstance(old, StoredSources):
        return SourceTexts(paths, rows, old)
    return SourceTexts(paths, {**old.rows, **rows}, old.below)


def opened(result: BatchResult) -> list[FileIndex | Skipped]:
    """Return the result of a batch as records, in the order of its files."""
    rows = result.rows()
    sources = SourceTexts([row.path for row in rows], {row.path: row for row in rows})
    files = FileFactsStore(sources, catalog_of(result.members, sources))
    return [file if isinstance(file, Skipped) else files[file.path] for file in result.files]


def catalog_of(members: Mapping[str, Member], sources: SourceTexts) -> Catalog:
    """Return a catalog over columns in memory."""
    columns = Columns(members)
    symbols = SymbolTable(columns, sources.paths)
    return Catalog(symbols, ChunkTable(columns, symbols, sources), columns)


class FileFactsStore(Mapping[str, FileIndex]):
    """Mapping from path to `FileIndex` (a file with its facts and chunks). Each access reads the facts again.

    Parameters
    ----------
    sources, catalog
        Texts, symbols and chunks of the files.
    stored
        Function that returns the stored line of facts (see `pack_facts`) of a file that is not in memory.
    layout
        The paths of all files, for files whose facts are not extracted yet. Their facts are extracted in this process
        when they are requested, and kept.
    """

    def __init__(
        self,
        sources: SourceTexts | StoredSources,
        catalog: Catalog,
        stored: Callable[[str], bytes] | None = None,
        layout: Layout | None = None,
    ) -> None:
        self._sources, self._catalog, self.stored = sources, catalog, stored
        self.layout = layout or Layout()
        self._rows = sources.rows if isinstance(sources, SourceTexts) else {}

    def line(self, path: str) -> bytes:
        """Return a file's facts as the compressed line that `pack_facts` makes. Raises KeyError and DamagedIndex."""
        row = self._row(path)
        if row is not None:
            return row.kept().line
        if self.stored is None or path not in self._sources:
            raise KeyError(path)
        return self.stored(path)

    def _row(self, path: str) -> AnalysedFile | None:
        """Return the row of a file in memory, with its facts. Several threads may call it at the same time."""
        row = self._rows.get(path)
        if row is not None and row.lacks_facts:
            facts, _ = extracted_facts(row, self.layout)
            row = self._rows[path] = row._replace(facts=facts)
        return row

    def facts(self, path: str) -> FileFacts:
        row, symbols = self._row(path), self._catalog.in_file(path)
        if row is not None and row.facts:
            return row.quick_facts(symbols)
        return unpack_facts(self.line(path), path, self._sources.language(path), symbols)[0]

    def __getitem__(self, path: str) -> FileIndex:
        line, file = self.line(path), self._sources[path]
        facts, warnings = unpack_facts(line, path, file.language, self._catalog.in_file(path))
        return FileIndex(file, facts, self._catalog.chunks_in(path), warnings)

    def __contains__(self, path: object) -> bool:
        return path in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)
