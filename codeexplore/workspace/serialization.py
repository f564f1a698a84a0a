"""Conversion of an index to the members of an archive, and back. A stored index gives the same answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from codeexplore.graph.merge import members_of_tables, tables_of_members
from codeexplore.index.archive import Archive, json_of
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import Strings, packed
from codeexplore.index.files import FileFactsStore, StoredSources, check_line, source_members
from codeexplore.index.integrity import check_members, check_paths, check_unique
from codeexplore.index.symbol_table import ChunkTable, SymbolTable, check_pointers, check_range, check_rows
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles
from codeexplore.source.discovery import Candidate
from codeexplore.types import Skipped, StageTime, WorkspaceSummary
from codeexplore.types.errors import DamagedIndex, QuestionError
from codeexplore.workspace.fingerprints import FileSummary, Fingerprint, Seen
from codeexplore.workspace.pipeline import text_lanes
from codeexplore.workspace.snapshot import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from codeexplore.index.columns import Member
    from codeexplore.search.lanes.bm25 import Postings
    from codeexplore.search.lanes.encoder import Encoder

LAZY = ("facts.jsonl.z",)
"""Members that only a refresh and readers of facts use; they are verified then."""


# --------------------------------------------------------------------------- to members


def meta_of(index: Index) -> dict[str, Any]:
    """Return the entries about an index in the manifest of its archive, as plain data."""
    plain = {each.name: getattr(index.summary, each.name) for each in fields(index.summary)}
    origin = index.origin
    return {
        "name": index.name,
        "root": str(index.root),
        "model": text_lanes(index).embedding.encoder.fingerprint,
        "taken_ns": origin.taken_ns,
        "prefix": origin.prefix,
        "manifests": origin.manifests,
        "tests": index.catalog.roles.tests,
        "graph_notes": index.graph.notes,
        "summary": plain,
    }


def members_of(index: Index, sources: bool = True) -> dict[str, Member]:
    """Return the archive members that store an index. Raises ValueError or KeyError for data that cannot be stored."""
    found = text_lanes(index).bm25.postings
    seen = [[list(each.candidate), each.sha256, each.skipped, each.summary] for each in index.origin.seen.values()]
    facts = [index.files.line(path) for path in index.sources]
    return {
        "origin.json": json.dumps(seen, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        **source_members([index.sources[path] for path in index.sources], sources),
        **index.catalog.members(),
        **packed("bm25.tokens", found.tokens),
        "bm25.indptr": found.indptr,
        "bm25.rows": found.rows,
        "bm25.times": found.times,
        "bm25.lengths": found.lengths,
        "embedding.vectors": text_lanes(index).embedding.embeddings,
        **members_of_tables(index.graph),
        "graph.pagerank": np.array(index.graph.ranks, np.float64),
        "facts.jsonl.z": b"".join(facts),
        "facts.offsets": np.cumsum([0, *map(len, facts)]).astype(np.int64),
    }


# --------------------------------------------------------------------------- and back


def index_of(archive: Archive, root: Path, load_encoder: Callable[[], Encoder], *, foreign: bool = False) -> Index:
    """Return the index in an archive. Its large arrays are not copied: they remain in the mapped file.

    Parameters
    ----------
    archive
        The archive, whose members are verified, except those in `LAZY`. Raises DamagedIndex if they do not fit each
        other.
    foreign
        True if another user may have written the file. Then all of it is checked, which takes an eighth of the time for
        opening it. The cache contains only files of this user; see `CacheSlot`.
    """
    from codeexplore.graph.model import CodeGraph
    from codeexplore.search.engine import SearchEngine
    from codeexplore.search.lanes.bm25 import Bm25Lane
    from codeexplore.search.lanes.embedding import EmbeddingLane
    from codeexplore.search.lanes.graph import GraphLane

    meta = archive.meta
    try:
        if foreign:
            check_members(archive)
        sources = StoredSources(archive)
        for language in set(sources.languages):
            registry.by_name(language)
        symbols = SymbolTable(archive, sources.paths)
        catalog = Catalog(symbols, ChunkTable(archive, symbols, sources), archive, names=True)
        catalog.roles = PathRoles(map(str, meta.get("tests", ())))
        notes = archive.meta["graph_notes"]
        graph = CodeGraph(catalog, tables_of_members(archive, catalog.symbols.ids, sources.paths, notes))
        importance, vectors = archive.array("graph.pagerank"), archive.array("embedding.vectors")
        check_rows(len(symbols), importance)
        check_rows(len(catalog.chunks), vectors)
        graph.ranks = importance.tolist()
        bm25 = Bm25Lane(catalog, _postings(archive, len(catalog.chunks)))
        embedding = EmbeddingLane(catalog, vectors, load_encoder)
        lanes = {"bm25": bm25, "embedding": embedding, "graph": GraphLane(catalog, graph)}
        engine = SearchEngine(catalog, cast("Any", lanes), graph)
        if foreign:
            _check_keys(catalog, bm25.postings)
        summary, origin = _summary(meta["summary"]), _origin(archive, sources.paths)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, QuestionError) as error:
        raise DamagedIndex(f"{archive.path} contains parts that don't fit together ({error})") from error
    files = FileFactsStore(sources, catalog, StoredLines(archive, sources.paths))
    return Index(
        root,
        str(meta["name"]),
        sources,
        files,
        catalog,
        graph,
        engine,
        summary,
        origin,
        sources.included,
        str(archive.path),
    )


def _postings(archive: Archive, n_chunks: int) -> Postings:
    """Return BM25's arrays. Raises ValueError if they do not fit each other."""
    from codeexplore.search.lanes.bm25 import Postings

    tokens = Strings.of(archive, "bm25.tokens").all()
    indptr, rows = archive.array("bm25.indptr"), archive.array("bm25.rows")
    times, lengths = archive.array("bm25.times"), archive.array("bm25.lengths")
    check_range(rows, 0, n_chunks)
    check_pointers(indptr, len(tokens), len(rows))
    check_rows(len(rows), times)
    check_rows(n_chunks, lengths)
    return Postings(tokens, indptr, rows, times, lengths)


def _check_keys(catalog: Catalog, found: Postings) -> None:
    """Raise ValueError if two rows have the same key, because a lookup of one row would find the other."""
    check_unique("symbol.id", catalog.symbols.ids)
    check_unique("chunk.id", catalog.chunks.ids)
    check_unique("name", list(catalog.by_name))
    check_unique("bm25.tokens", found.tokens)


def _summary(plain: Mapping[str, Any]) -> WorkspaceSummary:
    """Return the summary from a manifest. Raises ValueError and TypeError for values of wrong types."""
    made = WorkspaceSummary(
        **{
            **plain,
            "stages": tuple(StageTime(str(stage), float(seconds)) for stage, seconds in plain["stages"]),
            "warnings": tuple(map(str, plain["warnings"])),
            "skipped_files": tuple(Skipped(*map(str, item)) for item in plain["skipped_files"]),
        }
    )
    for each in fields(made):
        value = getattr(made, each.name)
        counts = value.values() if isinstance(value, dict) else (value,)
        if type(value) is not _TYPES.get(str(each.type), type(value)) or (
            str(each.type) in ("int", "Mapping[str, int]") and not all(type(n) is int and n >= 0 for n in counts)
        ):
            raise ValueError(f"a summary whose {each.name} is {value!r:.40}")
    return made


_TYPES: Mapping[str, type] = {"int": int, "str": str, "Mapping[str, int]": dict}


def _origin(archive: Archive, paths: Sequence[str]) -> Fingerprint:
    """Return the fingerprint of an index, whose files are `paths`. Raises ValueError and TypeError."""
    seen: dict[str, Seen] = {}
    rows = json_of(archive.bytes("origin.json"), "origin.json")
    for candidate, sha256, skipped, summary in rows:
        path, size, mtime, language, wanted, ctime, inode = candidate
        at = Candidate(str(path), int(size), int(mtime), str(language), bool(wanted), int(ctime), int(inode))
        why = None if skipped is None else Skipped(*map(str, skipped))
        if (why is None) != (summary is not None):
            raise ValueError(f"origin.json: {at.path[:80]!r} is neither indexed nor skipped")
        seen[at.path] = Seen(at, str(sha256), why, None if summary is None else _file_summary(*summary))
    if [path for path, each in seen.items() if each.skipped is None] != list(paths):
        raise ValueError("origin.json: its indexed files are not the files of the index")
    check_paths(list(seen))
    meta = archive.meta
    return Fingerprint(seen, int(meta["taken_ns"]), str(meta["prefix"]), str(meta["manifests"]))


def _file_summary(language: Any, size: Any, lines: Any, with_errors: Any, encoding: Any, warnings: Any) -> FileSummary:
    return FileSummary(
        str(language), int(size), int(lines), bool(with_errors), str(encoding), tuple(map(str, warnings))
    )


class StoredLines:
    """Lines into which `pack_facts` packed the facts of each file. They are verified when the first line is read."""

    def __init__(self, archive: Archive, paths: Sequence[str]) -> None:
        self._archive = archive
        self._row = {path: row for row, path in enumerate(paths)}
        self._verified = False
        self._offsets = archive.array("facts.offsets")
        self._texts = archive.array("file.text.offsets") if "file.text.txt" in archive.members() else None

    def __call__(self, path: str) -> bytes:
        """Return the line of the file `path`. Raises DamagedIndex."""
        if not self._verified:
            self._archive.verify("facts.jsonl.z")
            self._verified = True
        row = self._row[path]
        start, end = self._offsets[row : row + 2].tolist()
        line = bytes(self._archive.bytes("facts.jsonl.z")[start:end])
        check_line(line, path, None if self._texts is None else int(self._texts[row + 1] - self._texts[row]))
        return line
