"""Checks of an index file that another user may have written: its members must be consistent before any question.

A correct checksum only proves that a file is unchanged. It does not prove that its author can be trusted, and people
share index files. All checks are vectorised and take time linear in the size of the file. After them, no question can
take more time than the size of the index allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from codeexplore.index.columns import Strings
from codeexplore.index.symbol_table import check_lines, check_pointers, check_range
from codeexplore.types import EDGE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.archive import Archive

FORMS: Mapping[str, tuple[str, str]] = {
    "file.sha256": ("|u1", "files, 32"),
    "file.odd": ("<i4", "odd"),
    "symbol.numbers": ("<i4", "symbols, 5"),
    "symbol.kind": ("|i1", "symbols"),
    "symbol.language": ("<i2", "symbols"),
    "symbol.parent": ("<i4", "symbols"),
    "symbol.path": ("<i4", "symbols"),
    "symbol.decorated": ("<i4", "symbols + 1"),
    "chunk.spans": ("<i4", "spans, 4"),
    "chunk.part": ("<i4", "chunks"),
    "chunk.language": ("<i2", "chunks"),
    "chunk.symbol": ("<i4", "chunks"),
    "chunk.path": ("<i4", "chunks"),
    "chunk.first_span": ("<i4", "chunks + 1"),
    "name.first": ("<i4", "names + 1"),
    "name.rows": ("<i4", "named"),
    "bm25.indptr": ("<i8", "tokens + 1"),
    "bm25.rows": ("<i4", "postings"),
    "bm25.times": ("<i4", "postings"),
    "bm25.lengths": ("<i4", "chunks"),
    "embedding.vectors": ("<f4", "chunks, dimensions"),
    "graph.pagerank": ("<f8", "symbols"),
    "edges.source": ("<i4", "edges"),
    "edges.target": ("<i4", "edges"),
    "edges.kind": ("|i1", "edges"),
    "edges.confidence": ("<f4", "edges"),
    "edges.in_test": ("|i1", "edges"),
    "edges.manner": ("<i2", "edges"),
    "edges.rule": ("<i2", "edges"),
    "edges.site": ("<i8", "sites"),
    "edges.site_rule": ("<i2", "sites"),
    "edges.first_site": ("<i4", "edges + 1"),
    "unresolved.source": ("<i4", "unresolved"),
    "unresolved.name": ("<i4", "unresolved"),
    "unresolved.receiver": ("<i4", "unresolved"),
    "unresolved.kind": ("<i4", "unresolved"),
    "unresolved.site": ("<i8", "unresolved"),
    "externals.source": ("<i4", "externals"),
    "externals.name": ("<i4", "externals"),
    "externals.kind": ("|i1", "externals"),
    "externals.site": ("<i8", "externals"),
    "facts.offsets": ("<i8", "files + 1"),
}
"""Array → its dtype and shape. A name in a shape, such as "symbols", stands for a count: it must have the same value in
all shapes."""

TEXTS: Mapping[str, str] = {
    **{f"file.{column}": "files" for column in ("path", "language", "encoding")},
    **{f"symbol.{column}": "symbols" for column in ("id", "fqn", "name", "signature", "doc")},
    **{f"chunk.{column}": "chunks" for column in ("id", "context")},
    "symbol.decorators": "decorators",
    "symbol.kinds": "kinds",
    "symbol.languages": "symbol languages",
    "chunk.languages": "chunk languages",
    "name": "names",
    "bm25.tokens": "tokens",
    "edges.words": "words of edges",
    "unresolved.words": "words of unresolved",
    "externals.words": "words of externals",
}
"""Column of texts → the name of the count of its texts, as in `FORMS`."""

_MOST_COPIES = 4
"""Limit of the text of all chunks, as a multiple of the text of all files. Chunks overlap because signatures are
repeated; measured values are 1.0 to 1.4."""


def check_members(archive: Archive) -> None:
    """Check the form of every member and that the members are consistent. Tables are made only after this check.

    Raises DamagedIndex or ValueError; the message names the member and its problem.
    """
    counts = _check_forms(archive)
    check_paths(Strings.of(archive, "file.path").all())
    sizes = _text_sizes(archive, counts["files"])
    _check_symbols(archive, counts, sizes)
    _check_chunks(archive, counts, sizes)
    _check_names(archive, counts)
    _check_scores(archive)
    _check_edges(archive, sizes)
    facts = len(archive.bytes("facts.jsonl.z"))
    _check_member("facts.offsets", check_pointers, archive.array("facts.offsets"), counts["files"], facts)


def _check_member(member: str, check: Any, *arguments: Any) -> None:
    """Run a check, and add the member's name to the error that it raises."""
    try:
        check(*arguments)
    except ValueError as error:
        raise ValueError(f"{member}: {error}") from error


def _check_forms(archive: Archive) -> dict[str, int]:
    """Return the value of each count in `FORMS`. Raises ValueError if members contradict each other."""
    counts: dict[str, int] = {}
    forms = {**FORMS, **{f"{name}.offsets": ("<i8", f"{count} + 1") for name, count in TEXTS.items()}}
    for name, (dtype, form) in forms.items():
        array = archive.array(name)
        shape = tuple(
            _size(part.strip(), found, counts) for part, found in zip(form.split(","), array.shape, strict=False)
        )
        if array.dtype.str != dtype or array.shape != shape or (array.ndim != form.count(",") + 1):
            raise ValueError(f"{name} has type {array.dtype.str} and shape {array.shape}, not {dtype} and ({form})")
    for name, count in TEXTS.items():
        offsets, data = archive.array(f"{name}.offsets"), archive.bytes(f"{name}.txt")
        _check_member(f"{name}.offsets", check_pointers, offsets, counts[count], len(data))
    return counts


def _size(part: str, found: int, counts: dict[str, int]) -> int:
    """Return the length that one dimension in `FORMS` requires.

    `part` is a number, or a count such as "symbols" or "symbols + 1". The value of a count is set by the array in which
    it occurs first, whose length is `found`.
    """
    if part.isdigit():
        return int(part)
    count, _, more = part.partition(" + ")
    return counts.setdefault(count, found - int(more or 0)) + int(more or 0)


def check_paths(paths: Sequence[str]) -> None:
    check_unique("file.path", paths)
    for path in paths:
        if not path or "\0" in path or path.startswith("/") or (".." in path and ".." in path.split("/")):
            raise ValueError(f"file.path: {path[:80]!r} leads out of the repository")


def _text_sizes(archive: Archive, n_files: int) -> NDArray[np.int64]:
    """Return the bytes of each file's text. If texts were not saved, return the largest allowed size for every file."""
    if "file.text.txt" not in archive.members():
        return np.full(n_files, np.iinfo(np.int32).max, np.int64)
    offsets = archive.array("file.text.offsets")
    if offsets.dtype.str != "<i8" or offsets.ndim != 1:
        raise ValueError("file.text.offsets is no list of numbers")
    _check_member("file.text.offsets", check_pointers, offsets, n_files, len(archive.bytes("file.text.txt")))
    return np.diff(offsets)


def _check_symbols(archive: Archive, counts: Mapping[str, int], sizes: NDArray[np.int64]) -> None:
    paths, numbers = archive.array("symbol.path"), archive.array("symbol.numbers")
    _check_member("symbol.path", _check_ascending, paths, len(sizes))
    _check_member("symbol.numbers", check_spans, numbers, sizes[paths])
    if bool(((numbers[:, 4] < numbers[:, 0]) | (numbers[:, 4] > numbers[:, 1])).any()):
        raise ValueError("symbol.numbers: a definition's line that lies outside it")
    parents = archive.array("symbol.parent")
    _check_member("symbol.parent", check_range, parents, -1, len(parents))
    children = np.flatnonzero(parents >= 0)
    if bool((paths[parents[children]] != paths[children]).any()):
        raise ValueError("symbol.parent: the parent of a symbol is in another file")
    decorated = archive.array("symbol.decorated")
    _check_member("symbol.decorated", check_pointers, decorated, counts["symbols"], counts["decorators"])


def _check_chunks(archive: Archive, counts: Mapping[str, int], sizes: NDArray[np.int64]) -> None:
    paths, first, spans = (archive.array(f"chunk.{column}") for column in ("path", "first_span", "spans"))
    _check_member("chunk.path", _check_ascending, paths, len(sizes))
    _check_member("chunk.first_span", check_pointers, first, counts["chunks"], counts["spans"])
    _check_member("chunk.spans", check_spans, spans, sizes[np.repeat(paths, np.diff(first))])
    chunk_bytes = int((spans[:, 3].astype(np.int64) - spans[:, 2]).sum())
    if chunk_bytes > _MOST_COPIES * max(int(sizes.sum()), 1):
        raise ValueError(f"chunk.spans: chunks of {chunk_bytes:,} bytes in a text of {int(sizes.sum()):,}")
    symbols, symbol_paths = archive.array("chunk.symbol"), archive.array("symbol.path")
    _check_member("chunk.symbol", check_range, symbols, -1, counts["symbols"])
    whose = np.flatnonzero(symbols >= 0)
    if bool((symbol_paths[symbols[whose]] != paths[whose]).any()):
        raise ValueError("chunk.symbol: a chunk that stands for a symbol of another file")
    _check_member("chunk.part", check_range, archive.array("chunk.part"), 0, counts["chunks"] + 1)


def _check_names(archive: Archive, counts: Mapping[str, int]) -> None:
    """Check that each symbol is listed under at most two names: its name and the last part of its qualified name."""
    first, rows = archive.array("name.first"), archive.array("name.rows")
    _check_member("name.first", check_pointers, first, counts["names"], counts["named"])
    _check_member("name.rows", check_range, rows, 0, counts["symbols"])
    if len(rows) > 2 * counts["symbols"]:
        raise ValueError("name.rows: more names than symbols can have")


def _check_scores(archive: Archive) -> None:
    vectors, ranks = archive.array("embedding.vectors"), archive.array("graph.pagerank")
    _check_member("embedding.vectors", check_between, vectors, -1.001, 1.001)  # each has length 1
    _check_member("graph.pagerank", check_between, ranks, 0.0, 1.001)
    indptr, rows = archive.array("bm25.indptr"), archive.array("bm25.rows")
    _check_member("bm25.times", check_between, archive.array("bm25.times"), 1, np.inf)  # scores divide by it
    _check_member("bm25.lengths", check_between, archive.array("bm25.lengths"), 0, np.inf)
    _check_member("bm25.indptr", check_pointers, indptr, len(indptr) - 1, len(rows))
    falling = np.diff(rows) <= 0
    starts = indptr[1:-1]
    falling[starts[(starts > 0) & (starts < len(rows))] - 1] = False
    if bool(falling.any()):
        raise ValueError("bm25.rows: chunks that are not in order")


def _check_edges(archive: Archive, sizes: NDArray[np.int64]) -> None:
    """Check that two symbols have at most one edge of each kind, so that a traversal follows each edge once."""
    source, target, kind = (
        archive.array(f"edges.{column}").astype(np.int64) for column in ("source", "target", "kind")
    )
    _check_member("edges.kind", check_range, kind, 0, len(EDGE_KINDS))
    pairs = np.sort((source << 32 | target) * len(EDGE_KINDS) + kind)
    if bool((pairs[1:] == pairs[:-1]).any()):
        raise ValueError("edges: two of one kind between the same symbols")
    most = int(np.diff(archive.array("edges.first_site")).max(initial=0))
    if most > max(int(sizes.sum()), 1):
        raise ValueError(f"edges.first_site: an edge of {most:,} sites")
    _check_member("edges.confidence", check_between, archive.array("edges.confidence"), 0.0, 1.0)
    _check_member("edges.in_test", check_range, archive.array("edges.in_test"), 0, 2)
    _check_member("externals.kind", check_range, archive.array("externals.kind"), 0, len(EDGE_KINDS))
    for table in ("edges", "unresolved", "externals"):
        check_unique(f"{table}.words", Strings.of(archive, f"{table}.words").all())
        sites = archive.array(f"{table}.site")
        files, lines = sites >> 32, sites & 0xFFFFFFFF
        _check_member(f"{table}.site", check_range, files, 0, len(sizes))
        if bool((lines > sizes[files] + 1).any()):
            raise ValueError(f"{table}.site: a line that no text has")


def _check_ascending(files: NDArray[Any], n_files: int) -> None:
    """Check that rows are in the order of their files, so that each text is read only once."""
    check_range(files, 0, n_files)
    if bool((files[1:] < files[:-1]).any()):
        raise ValueError("rows that are not in the order of files")


def check_spans(spans: NDArray[Any], sizes: NDArray[np.int64]) -> None:
    """Raise ValueError unless each span is inside the text of its file.

    `spans` has shape (n, 4 or more), `sizes` has shape (n,) and contains the bytes of each span's file.
    """
    check_lines(spans)
    if len(spans) and bool(((spans[:, 3] > sizes) | (spans[:, 0] - 1 > spans[:, 2])).any()):
        raise ValueError("a span that its file does not hold")


def check_between(numbers: NDArray[Any], low: float, high: float) -> None:
    """Raise ValueError unless all numbers are from `low` to `high`. NaN is refused too."""
    if numbers.size and not (float(numbers.min()) >= low and float(numbers.max()) <= high):
        raise ValueError(f"a number that is not between {low:g} and {high:g}")


def check_unique(member: str, keys: Sequence[str]) -> None:
    if len(set(keys)) < len(keys):
        raise ValueError(f"{member}: {len(keys) - len(set(keys)):,} of {len(keys):,} occur twice")
