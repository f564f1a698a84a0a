"""Loading of a repository with the cache: valid parts of the stored index are used, changed parts are built again.

`members_of` and `index_of` convert an index to the members of an archive, and back. A stored index gives the same
answers.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from codeexplore.gc_pause import gc_paused
from codeexplore.graph.merge import members_of_tables, tables_of_members
from codeexplore.index.archive import Archive, json_of, write_archive
from codeexplore.index.cache import CacheSlot, bundled_model, index_versions, installation
from codeexplore.index.catalog import Catalog
from codeexplore.index.columns import Strings, packed
from codeexplore.index.files import FileFactsStore, StoredSources, check_line, source_members
from codeexplore.index.integrity import check_members, check_paths, check_unique
from codeexplore.index.symbol_table import ChunkTable, SymbolTable, check_pointers, check_range, check_rows
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles
from codeexplore.source.discovery import Candidate, Discovery, resolve_root
from codeexplore.source.safe_io import VARIABLE, given_path
from codeexplore.trusted_imports import explore
from codeexplore.types import NextStep, Skipped, StageTime, WorkspaceSummary
from codeexplore.types.errors import DamagedIndex, IndexFileError, QuestionError
from codeexplore.workspace.fingerprints import FileSummary, Fingerprint, Seen, drift
from codeexplore.workspace.load import Make, PendingLoad, load_files
from codeexplore.workspace.pipeline import LoadOptions, text_lanes, walk, with_skipped
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.snapshot import Index

if TYPE_CHECKING:
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
        "vendored": index.catalog.roles.vendored,
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
        catalog.roles = PathRoles(map(str, meta.get("tests", ())), map(str, meta.get("vendored", ())))
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


logger = logging.getLogger("codeexplore")

_OTHER_CACHE = f"{VARIABLE} sets another folder, cache=False uses no cache"
_SAVE = NextStep("save", "writes an index", ("path",))


class Load(NamedTuple):
    """Result of a load: an index and, if its graph is added later, the running resolution."""

    made: Index
    rest: PendingLoad | None = None
    said: str = ""  # a warning about the cache

    @property
    def make(self) -> Make | None:
        """Return a function that returns the complete index; None if no resolution is running."""
        rest = self.rest
        return None if rest is None else lambda progress: _telling(rest.whole(progress), self.said)

    def drop(self) -> None:
        if self.rest is not None:
            self.rest.close()


def load(
    root: Path, name: str, options: LoadOptions, progress: Progress, *, cache: bool, background: bool = False
) -> Load:
    """Return the index of the folder `root` as it is now. Valid parts come from the cache, the others are built.

    With `background`, the index may not have its graph yet.

    Raises the exceptions of `walk` and `load_files`.
    """
    root = resolve_root(root)
    explore(root)
    slot, said = None, ""
    try:
        slot = slot_of(root, options) if cache else None
    except OSError as error:
        said = f"no cache: {error}"
    found = walk(root, options, progress)
    index, rest = None, None
    if slot is not None:
        try:
            index = _stored(slot, found, name, options, progress, background)
        except DamagedIndex as error:
            said = f"the cached index cannot be used, so the repository is indexed again: {error}"
        except OSError as error:
            slot, said = None, f"no cache: {error}; {_OTHER_CACHE}"
    if said:
        logger.warning("%s", said)
    if index is None:
        index, rest = gc_paused(lambda: load_files(found, name, options, progress, background=background))
    if slot is not None and not index.stored and index.pending is None:
        with progress.stage("save"):
            said = keep(slot, index, options) or said
    return Load(_telling(index, said), rest, said)


def _telling(index: Index, said: str) -> Index:
    """Return the index with the text `said` added to its warnings; unchanged if `said` is ""."""
    if not said:
        return index
    return replace(index, summary=replace(index.summary, warnings=(*index.summary.warnings, said)))


def slot_of(root: Path, options: LoadOptions) -> CacheSlot:
    """Return the slot for the index of a repository. Raises OSError if there is no cache folder."""
    settings = {
        "max_file_bytes": options.max_file_bytes,
        "include_ignored": options.include_ignored,
        "only": sorted(options.only),
        "resources": options.resources,
        "model": None if options.model is None else str(options.model),
    }
    return CacheSlot(root, settings)


def keep(slot: CacheSlot, index: Index, options: LoadOptions) -> str:
    """Store an index in the cache. Return a text that describes the problem, or "" if there was none."""
    try:
        slot.put(_meta(index, options), members_of(index))
    except (OSError, ValueError, KeyError) as error:
        said = f"the index could not be stored in the cache: {error}; {_OTHER_CACHE}"
        logger.warning("%s", said)
        return said
    return ""


def _meta(index: Index, options: LoadOptions) -> dict[str, object]:
    bundled = bundled_model() if options.model is None else ""
    return {**meta_of(index), "bundled": bundled, "made_by": index_versions(), "installation": installation()}


# --------------------------------------------------------------------------- from the cache


def _stored(
    slot: CacheSlot, found: Discovery, name: str, options: LoadOptions, progress: Progress, background: bool
) -> Index | None:
    """Return the stored index, updated to the present files; None if no index is stored."""
    path = slot.newest()
    if path is None:
        return None
    with progress.stage("open"):
        archive = Archive(path)
        _check_maker(archive, options)
        archive.verify(*(member for member in archive.members() if member not in LAZY))
        index = replace(index_of(archive, found.root, _encoder_loader(archive, options)), name=name)
    with progress.stage("compare"):
        changed = drift(index.origin, found.root, found.candidates)
    if changed:
        from codeexplore.workspace.refresh import refresh

        return refresh(index, found, changed, options, progress, background=background)
    index = with_skipped(index, found, index.origin)
    summary = replace(index.summary, name=name, root=str(index.root), stages=tuple(progress.stages))
    return replace(index, summary=summary)


def _check_maker(archive: Archive, options: LoadOptions) -> None:
    """Raise DamagedIndex if the index was made by another version of the code or of the model."""
    makers = archive.meta.get("made_by")
    known = makers if isinstance(makers, dict) else {}
    own = archive.meta.get("installation") == installation()
    here = index_versions(str(known.get("code", "")) if own else "")
    if known != here:
        others = [name for name in {**here, **known} if known.get(name) != here.get(name)]
        named = dict.fromkeys("codeexplore" if name == "code" else name for name in others)
        raise DamagedIndex(f"it was made with another version of {', '.join(named)}")
    if options.model is None and archive.meta.get("bundled") != bundled_model():
        raise DamagedIndex("it was made with another bundled model")


def _encoder_loader(archive: Archive, options: LoadOptions) -> Callable[[], Encoder]:
    """Return a loader for the model of a stored index, which loads a bundled model only at the first question."""
    from codeexplore.search.lanes.encoder import Encoder

    if options.model is None:  # its checksums were compared, and loading checks its files against them
        return Encoder.load
    encoder = Encoder.load(options.model)
    if encoder.fingerprint != archive.meta.get("model"):
        raise DamagedIndex(f"it was made with another model than {encoder.name!r} is now")
    return lambda: encoder


# --------------------------------------------------------------------------- portable files


def save_portable(index: Index, path: Path, options: LoadOptions, *, sources: bool) -> Path:
    """Write an index to a file of the user's choice. Raises IndexFileError; an existing file is then unchanged."""
    path = given_path(path)
    try:
        if path.is_dir():
            raise IsADirectoryError(f"{str(path)!r} is a folder; give a file name")
        if not path.absolute().parent.is_dir():
            raise NotADirectoryError(f"there is no folder {str(path.parent)!r}; make it first")
        write_archive(path.absolute(), _meta(index, options) | {"portable": True}, members_of(index, sources))
    except (OSError, ValueError, KeyError) as error:
        raise IndexFileError(f"the index can't be saved to {str(path)!r}: {error}") from error
    return path


def open_portable(path: str | os.PathLike[str], model: str | Path | None) -> tuple[Index, LoadOptions]:
    """Return the index in a saved file, and the options for its refresh.

    Raises IndexFileError and DamagedIndex if the file cannot be read, and ModelError.
    """
    place = given_path(path)
    options = LoadOptions(model=model)
    try:
        archive = Archive(place)
        archive.verify()
    except OSError as error:
        raise IndexFileError(f"{str(place)!r} can't be opened: {error}.", next_steps=(_SAVE,)) from error
    except DamagedIndex as error:
        raise DamagedIndex(f"{error}. Load the repository again.", next_steps=(_SAVE,)) from error
    bundled = archive.meta.get("bundled")
    if model is None and bundled != bundled_model():
        raise DamagedIndex(
            f"{str(place)!r} was made with "
            + ("another bundled model" if bundled else "a model of its own: give model=")
            + ". Load the repository again, or open it with the version of codeexplore that saved it"
        )
    root = Path(str(archive.meta.get("root", "")).replace("\0", ""))
    index = index_of(archive, root, _encoder_loader(archive, options), foreign=True)
    return index, options
