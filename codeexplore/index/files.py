"""The files of an index, their texts and facts: from bytes in memory, from a stored file below, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from codeexplore.index.chunk_table import ChunkTable
from codeexplore.index.columns import Columns
from codeexplore.index.facts import unpack_facts
from codeexplore.index.sources import StoredSources
from codeexplore.index.stored_catalog import StoredCatalog
from codeexplore.index.symbol_table import SymbolTable
from codeexplore.types import FileFacts, FileIndex, Skipped, SourceFile

if TYPE_CHECKING:
    from codeexplore.index.archive import Member
    from codeexplore.index.catalog import Catalog
    from codeexplore.index.file_batch import AnalysedFile, BatchResult
    from codeexplore.index.string_column import Strings


class SourceTexts(Mapping[str, SourceFile]):
    """Path → file, in the order of discovery; a file's text is decoded on demand.

    Parameters
    ----------
    paths
        All files, in their order.
    rows
        Files in memory.
    below
        Contains the others.
    """

    def __init__(
        self, paths: Iterable[str], rows: Mapping[str, AnalysedFile], below: StoredSources | None = None
    ) -> None:
        self.paths = list(paths)
        self._known = frozenset(self.paths)
        self.rows = {path: row for path, row in rows.items() if path in self._known}
        self.below = below

    def drop_facts_text(self) -> None:
        """Free the form of facts that is quicker to read, which only a resolution needs."""
        for path, row in self.rows.items():
            self.rows[path] = row.kept()

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8; characters that cannot be encoded are replaced. Raises KeyError."""
        row = self.rows.get(path)
        if row is not None:
            return row.utf8()
        return self._below(path).data(path)

    def _below(self, path: str) -> StoredSources:
        if self.below is None or path not in self._known:
            raise KeyError(path)
        return self.below

    def language(self, path: str) -> str:
        """Return the language of a file. Raises KeyError."""
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


def renewed_sources(
    old: SourceTexts | StoredSources, paths: Iterable[str], rows: Mapping[str, AnalysedFile]
) -> SourceTexts:
    """Return the files at `paths`: those of `rows`, and old ones."""
    if isinstance(old, StoredSources):
        return SourceTexts(paths, rows, old)
    return SourceTexts(paths, {**old.rows, **rows}, old.below)


def opened(result: BatchResult) -> list[FileIndex | Skipped]:
    """Return the files of a batch's result as records."""
    rows = result.rows()
    sources = SourceTexts([row.path for row in rows], {row.path: row for row in rows})
    files = FileFactsStore(sources, catalog_of(result.members, sources))
    return [file if isinstance(file, Skipped) else files[file.path] for file in result.files]


def catalog_of(
    members: Mapping[str, Member], sources: SourceTexts, texts: Mapping[str, Strings] | None = None
) -> StoredCatalog:
    """Return the catalog over columns in memory; `texts` as in `Columns`."""
    columns = Columns(members, texts)
    symbols = SymbolTable(columns, sources.paths)
    return StoredCatalog(symbols, ChunkTable(columns, symbols, sources), columns)


class FileFactsStore(Mapping[str, FileIndex]):
    """Path → file with its facts and chunks, read again at each access.

    Parameters
    ----------
    sources, catalog
        The files' texts, symbols and chunks.
    stored
        Returns the line that `pack_facts` made of a file which is not in memory.
    """

    def __init__(
        self, sources: SourceTexts | StoredSources, catalog: Catalog, stored: Callable[[str], bytes] | None = None
    ) -> None:
        self._sources, self._catalog, self.stored = sources, catalog, stored
        self._rows = sources.rows if isinstance(sources, SourceTexts) else {}

    def line(self, path: str) -> bytes:
        """Return the line that `pack_facts` made of a file. Raises KeyError and DamagedIndex."""
        row = self._rows.get(path)
        if row is not None:
            return row.kept().line
        if self.stored is None or path not in self._sources:
            raise KeyError(path)
        return self.stored(path)

    def facts(self, path: str) -> FileFacts:
        """Return the facts of a file. Raises KeyError and DamagedIndex."""
        return unpack_facts(self.line(path), path, self._sources.language(path), self._catalog.in_file(path))[0]

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
