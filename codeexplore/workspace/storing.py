"""An index → the members of an archive, and back: a stored index answers like the one it was made from."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from codeexplore.errors import DamagedIndex
from codeexplore.persistence.archive import Archive
from codeexplore.persistence.catalog import StoredCatalog, name_members
from codeexplore.persistence.chunks import ChunkTable, chunk_members
from codeexplore.persistence.facts import pack_facts, unpack_facts
from codeexplore.persistence.sources import StoredSources, source_members
from codeexplore.persistence.strings import Strings, packed
from codeexplore.persistence.symbols import Codes, SymbolTable, symbol_members
from codeexplore.source.walk import Candidate
from codeexplore.types import FileIndex, Skipped, StageTime, WordCounts, WorkspaceSummary
from codeexplore.workspace.index import Index
from codeexplore.workspace.origin import Origin, Seen, Told
from codeexplore.workspace.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable

    from codeexplore.graph.model import CodeGraph
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane
    from codeexplore.lanes.encoder import Encoder
    from codeexplore.persistence.archive import Member

LAZY = ("facts.jsonl.z", "counts.words.txt", "counts.ids.npy", "counts.times.npy", "bm25.times.npy")
"""Members that only a refresh reads: they are verified then."""

_TABLES = ("edges", "unresolved", "externals")
_STORED_TYPES = {"b": "<i1", "h": "<i2", "i": "<i4", "q": "<i8", "f": "<f4"}


# --------------------------------------------------------------------------- to members


def meta_of(index: Index) -> dict[str, Any]:
    """What the manifest tells of an index: plain data."""
    plain = {each.name: getattr(index.summary, each.name) for each in fields(index.summary)}
    origin = index.origin
    return {
        "name": index.name,
        "root": str(index.root),
        "model": _embedding(index).encoder.fingerprint,
        "taken_ns": origin.taken_ns,
        "prefix": origin.prefix,
        "manifests": origin.manifests,
        "graph_notes": index.graph.notes,
        "bm25_chunks": _bm25(index).postings.n_chunks,
        "summary": plain,
    }


def members_of(index: Index, sources: bool = True) -> dict[str, Member]:
    """The members that hold an index. Raises ValueError or KeyError for what the format can't hold."""
    paths = Codes()
    paths.of(tuple(index.sources))
    catalog, counts = index.catalog, index.counts()
    symbols = {symbol.id: symbol for symbol in catalog.symbols}
    found = _bm25(index).postings
    seen = [[list(each.candidate), each.sha256, each.skipped, each.told] for each in index.origin.seen.values()]
    facts = [_facts_line(index.files, path) for path in index.sources]
    members = {
        "origin.json": json.dumps(seen, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        **source_members([index.sources[path] for path in index.sources], sources),
        **symbol_members(catalog.symbols, paths),
        **chunk_members(catalog.chunks, symbols, paths),
        **name_members(catalog.names()),
        **packed("bm25.tokens", found.tokens),
        "bm25.indptr": found.indptr,
        "bm25.rows": found.rows,
        "bm25.times": found.times,
        "bm25.scores": found.scores,
        "embedding.vectors": _embedding(index).embeddings,
        **_graph_members(index.graph),
        "facts.jsonl.z": b"".join(facts),
        "facts.offsets": np.cumsum([0, *map(len, facts)]).astype(np.int64),
        **packed("counts.words", counts.words),
        "counts.indptr": counts.indptr,
        "counts.ids": counts.word_ids,
        "counts.times": counts.counts,
    }
    if len(paths.number) != len(index.sources):
        raise ValueError("a symbol or chunk lies in a file that is not indexed")
    return members


def _facts_line(files: Mapping[str, FileIndex], path: str) -> bytes:
    """A file's line; one that is stored already is taken as it is."""
    if isinstance(files, Overlay) and path not in files.above:
        files = files.below
    return files.line(path) if isinstance(files, StoredFiles) else pack_facts(files[path])


def _bm25(index: Index) -> Bm25Lane:
    return cast("Bm25Lane", index.engine.retrievers["bm25"])


def _embedding(index: Index) -> EmbeddingLane:
    return cast("EmbeddingLane", index.engine.retrievers["embedding"])


def _graph_members(graph: CodeGraph) -> dict[str, Member]:
    from codeexplore.graph.rank import importance_of

    members: dict[str, Member] = {"graph.pagerank": np.array(importance_of(graph), np.float64)}
    for name in _TABLES:
        for column, values in getattr(graph, name).columns().items():
            if isinstance(values, list):
                members |= packed(f"{name}.{column}", values)
            else:
                members[f"{name}.{column}"] = np.array(values, _STORED_TYPES[values.typecode])
    return members


# --------------------------------------------------------------------------- and back


def index_of(archive: Archive, root: Path, load_encoder: Callable[[], Encoder]) -> Index:
    """The index that an archive holds, its big arrays where they lie in the file.

    Parameters
    ----------
    archive
        Its members are verified but for `LAZY`.
    root
        Where the sources lie now.
    load_encoder
        Loads the model that made the embeddings.

    Raises
    ------
    DamagedIndex
        Members are missing or don't fit each other.
    """
    from codeexplore.graph.rank import remember_importance
    from codeexplore.lanes.bm25 import Bm25Lane
    from codeexplore.lanes.embedding import EmbeddingLane
    from codeexplore.lanes.graph import GraphLane
    from codeexplore.lanes.postings import Postings
    from codeexplore.search import SearchEngine

    meta = archive.meta
    try:
        sources = StoredSources(archive)
        symbols = SymbolTable(archive, sources.paths)
        catalog = StoredCatalog(archive, symbols, ChunkTable(archive, symbols, sources))
        graph = _graph(archive, catalog, sources.paths)
        remember_importance(graph, archive.array("graph.pagerank").tolist())
        found = Postings(
            Strings.of(archive, "bm25.tokens").all(), archive.array("bm25.indptr"), archive.array("bm25.rows"),
            archive.array("bm25.times"), archive.array("bm25.scores"), int(meta["bm25_chunks"]),
        )  # fmt: skip
        bm25 = Bm25Lane.of_postings(catalog, found)
        embedding = EmbeddingLane.stored(catalog, archive.array("embedding.vectors"), load_encoder)
        lanes = {"bm25": bm25, "embedding": embedding, "graph": GraphLane(catalog, graph)}
        engine = SearchEngine(catalog, cast("Any", lanes), graph)
        summary, origin = _summary(meta["summary"]), _origin(archive)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise DamagedIndex(f"{archive.path} holds parts that don't fit each other ({error})") from error
    files = StoredFiles(archive, sources, catalog)
    return Index(
        root, str(meta["name"]), sources, files, catalog, lambda: _counts(archive), graph, engine, summary, origin,
        sources.included, str(archive.path),
    )  # fmt: skip


def _graph(archive: Archive, catalog: StoredCatalog, paths: list[str]) -> CodeGraph:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable

    ids = catalog.symbol_ids()
    tables: list[Any] = []
    for name, table in zip(_TABLES, (EdgeTable, UnresolvedTable, ExternalTable), strict=True):
        empty: Any = table((), ())
        columns: dict[str, Any] = {}
        for column, values in empty.columns().items():
            if isinstance(values, list):
                columns[column] = Strings.of(archive, f"{name}.{column}").all()
            else:
                stored = archive.array(f"{name}.{column}").astype(_native(values.typecode), copy=False)
                columns[column] = array(values.typecode, stored.tobytes())
        n = len(columns["source"])
        for column in ("source", "target"):
            rows = columns.get(column)
            if rows and (min(rows) < 0 or max(rows) >= len(ids) or len(rows) != n):
                raise ValueError(f"{name}.{column} is out of range")
        tables.append(cast("Any", table).of_columns(ids, paths, columns))
    edges, unresolved, externals = tables
    return CodeGraph(catalog, Resolution(edges, unresolved, externals, tuple(archive.meta["graph_notes"])))


def _native(typecode: str) -> np.dtype[Any]:
    return np.dtype(_STORED_TYPES[typecode]).newbyteorder("=")


def _summary(plain: Mapping[str, Any]) -> WorkspaceSummary:
    return WorkspaceSummary(
        **{
            **plain,
            "stages": tuple(StageTime(*stage) for stage in plain["stages"]),
            "warnings": tuple(plain["warnings"]),
            "skipped_files": tuple(Skipped(*item) for item in plain["skipped_files"]),
        }
    )


def _origin(archive: Archive) -> Origin:
    rows = json.loads(str(archive.bytes("origin.json"), "utf-8", "surrogatepass"))
    seen = {
        candidate[0]: Seen(
            Candidate(*candidate),
            sha256,
            None if skipped is None else Skipped(*skipped),
            None if told is None else Told._make((*told[:-1], tuple(told[-1]))),
        )
        for candidate, sha256, skipped, told in rows
    }
    meta = archive.meta
    return Origin(seen, int(meta["taken_ns"]), str(meta["prefix"]), str(meta["manifests"]))


def _counts(archive: Archive) -> WordCounts:
    archive.verify(*(member for member in LAZY if member != "facts.jsonl.z"))
    words = tuple(Strings.of(archive, "counts.words").all())
    return WordCounts(words, archive.array("counts.indptr"), archive.array("counts.ids"), archive.array("counts.times"))


class StoredFiles(Mapping[str, FileIndex]):
    """Path → file with its facts and chunks, read anew each time it is asked for."""

    def __init__(self, archive: Archive, sources: StoredSources, catalog: StoredCatalog) -> None:
        self._archive, self._sources, self._catalog = archive, sources, catalog
        self._row = {path: row for row, path in enumerate(sources)}
        self._verified = False
        self._offsets = archive.array("facts.offsets")

    def line(self, path: str) -> bytes:
        """What `pack_facts` made of a file. Raises DamagedIndex."""
        if not self._verified:
            self._archive.verify("facts.jsonl.z")
            self._verified = True
        start, end = self._offsets[self._row[path] : self._row[path] + 2].tolist()
        return bytes(self._archive.bytes("facts.jsonl.z")[start:end])

    def __getitem__(self, path: str) -> FileIndex:
        line, file = self.line(path), self._sources[path]
        facts, warnings = unpack_facts(line, path, file.language, self._catalog.in_file(path))
        return FileIndex(file, facts, self._catalog.chunks_in(path), warnings)

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)
