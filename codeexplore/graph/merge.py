"""Edge tables of language families: split, renumbered, merged again, and serialized.

After an edit, only the edges of the edited language family are resolved again. The edges of the other families are
kept, at new symbol rows. The families are merged in the order of their first appearance, so that the tables are equal
to the tables of a full resolution. The tables are serialized for storage and for the transfer from the resolver
process.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from codeexplore.graph.tables import OF_SITES, EdgeTable, ExternalTable, Resolution, Table, UnresolvedTable
from codeexplore.index.columns import Strings, packed
from codeexplore.index.symbol_table import check_pointers, check_range, check_rows
from codeexplore.text.line_map import REMOVED
from codeexplore.types import EDGE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.columns import Member, Members

_WORDS = {"edges": ("manner", "rule", "site_rule"), "unresolved": ("name", "receiver", "kind"), "externals": ("name",)}
_TABLES: dict[str, type[Table]] = {"edges": EdgeTable, "unresolved": UnresolvedTable, "externals": ExternalTable}
LINE = 0xFFFFFFFF
"""Mask of the line in a site. The higher bits are the number of the file."""
TableColumns: TypeAlias = "dict[str, NDArray[Any]]"


class EdgeBlock(NamedTuple):
    """Some rows of the three tables of a resolution.

    `tables` has the columns by name, and `words` the texts to which numbers in the columns refer.
    """

    tables: Mapping[str, TableColumns]
    words: Mapping[str, Sequence[str]]


def piece_of(graph: CodeGraph | Resolution) -> EdgeBlock:
    """Return all rows of a graph's three tables as one block."""
    tables, words = {}, {}
    for name in _TABLES:
        columns = getattr(graph, name).columns()
        words[name] = columns["words"]
        tables[name] = {
            key: np.frombuffer(values, values.typecode) if len(values) else np.array(values)
            for key, values in columns.items()
            if key != "words"
        }
    return EdgeBlock(tables, words)


class RowMap(NamedTuple):
    """New row of each symbol and new number of each file; -1 for removed symbols and files."""

    symbols: NDArray[np.integer]
    files: NDArray[np.integer]
    lines: Mapping[int, NDArray[np.int64]] = {}  # old file number → new line of each old line, -1 if removed


def remap(piece: EdgeBlock, how: RowMap, wanted: NDArray[np.bool_] | None = None) -> EdgeBlock:
    """Return the block with symbol rows and file numbers replaced as `how` says.

    Rows that refer to removed symbols are left out, and rows that lost all their sites. `wanted` is a mask over the old
    symbol rows: only edges whose source is marked are taken.
    """
    tables = {}
    for name, columns in piece.tables.items():
        ends: list[str] = [end for end in ("source", "target") if end in columns]
        moved = {end: how.symbols[columns[end]].astype(columns[end].dtype, copy=False) for end in ends}
        keep = np.ones(len(columns["source"]), np.bool_) if wanted is None else wanted[columns["source"]]
        for became in moved.values():
            keep &= became >= 0
        made = {**columns, **moved}
        made = made if bool(keep.all()) else picked(made, np.flatnonzero(keep))
        tables[name] = _still_there({**made, "site": renumbered(made["site"], how)})
    return EdgeBlock(tables, piece.words)


def picked(columns: TableColumns, rows: NDArray[np.int64]) -> TableColumns:
    """Return the given rows of a table with their sites."""
    if "first_site" not in columns:
        return {name: values[rows] for name, values in columns.items()}
    first = columns["first_site"].astype(np.int64)
    sizes = np.diff(first)[rows]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(first[rows] - starts[:-1], sizes) + np.arange(int(starts[-1]))
    return _with_sites(columns, rows, places, starts)


def _with_sites(columns: TableColumns, rows: Any, sites: Any, starts: NDArray[np.int64]) -> TableColumns:
    """Return the rows of the table of edges that the index `rows` selects, with the sites that `sites` selects."""
    made = {
        name: values[sites if name in OF_SITES else rows] for name, values in columns.items() if name != "first_site"
    }
    return {**made, "first_site": starts.astype(columns["first_site"].dtype)}


def _still_there(columns: TableColumns) -> TableColumns:
    """Return the table without removed sites, and without rows whose sites were all removed."""
    sites = columns["site"]
    there = sites != REMOVED
    if bool(there.all()):
        return columns
    if "first_site" not in columns:
        return {name: values[there] for name, values in columns.items()}
    first = columns["first_site"]
    left = np.concatenate([[0], np.cumsum(there)])[first]  # number of kept sites before each row's first site
    rows = (np.diff(left) > 0) | (np.diff(first) == 0)
    return _with_sites(columns, rows, there, np.concatenate([[0], left[1:][rows]]))


def renumbered(sites: NDArray[np.int64], how: RowMap) -> NDArray[np.int64]:
    """Return sites with their new files and lines, `REMOVED` for those that do not exist any more."""
    made = sites
    for file, became in how.lines.items():
        rows = np.flatnonzero((sites >= file << 32) & (sites < (file + 1) << 32))
        if len(rows):
            made = np.frombuffer(_copied(sites, "q"), np.int64) if made is sites else made
            lines = became[np.minimum(sites[rows] & LINE, len(became) - 1)]
            made[rows] = np.where(lines < 0, REMOVED, file << 32 | lines)
    if np.array_equal(how.files, np.arange(len(how.files))):
        return made
    files = how.files[made >> 32].astype(np.int64)
    return np.where((made == REMOVED) | (files < 0), REMOVED, files << 32 | (made & LINE))


def joined(pieces: Sequence[EdgeBlock], ids: Sequence[str], paths: Sequence[str], notes: Sequence[str]) -> Resolution:
    """Return several blocks as one resolution, block by block, with the symbol ids and file paths of the result."""
    tables: dict[str, Any] = {}
    for name, table in _TABLES.items():
        number: dict[str, int] = {}
        parts = []
        if len(pieces) == 1:
            whole = _concatenated([pieces[0].tables[name]], table) | {"words": pieces[0].words[name]}
            tables[name] = table(ids, paths, whole)
            continue
        for piece in pieces:
            codes = np.array([number.setdefault(word, len(number)) for word in piece.words[name]], np.int64)
            columns = dict(piece.tables[name])
            for column in _WORDS[name]:
                if len(columns[column]):
                    columns[column] = codes[columns[column]].astype(columns[column].dtype)
            parts.append(columns)
        tables[name] = table(ids, paths, _concatenated(parts, table) | {"words": list(number)})
    return Resolution(**tables, notes=tuple(notes))


def _concatenated(parts: Sequence[TableColumns], table: type[Table]) -> dict[str, Any]:
    made = {}
    for column, code in table.TYPES.items():
        if len(parts) == 1:
            made[column] = as_array(parts[0][column], code)
            continue
        if column == "first_site":
            values, end = [np.zeros(1, np.int64)], 0
            for part in parts:
                values.append(part[column][1:].astype(np.int64) + end)
                end += int(part[column][-1])
        else:
            values = [part[column] for part in parts]
        made[column] = as_array(np.concatenate([np.zeros(0, code), *values]), code)
    return made


def as_array(values: NDArray[Any], typecode: str) -> Any:
    """Return a table column as an `array`.

    An unchanged column is the array that `piece_of` read. Other columns are copied.
    """
    seen: Any = getattr(values.base, "obj", None)
    if isinstance(seen, array) and seen.typecode == typecode and len(seen) == len(values):
        return seen
    return _copied(values, typecode)


def _copied(values: NDArray[Any], typecode: str) -> Any:
    made: Any = array(typecode)
    made.frombytes(np.ascontiguousarray(values, np.dtype(typecode)).data.cast("B"))
    return made


_STORED_TYPES = {"b": "<i1", "h": "<i2", "i": "<i4", "q": "<i8", "f": "<f4"}


def members_of_tables(resolution: Resolution | CodeGraph) -> dict[str, Member]:
    members: dict[str, Member] = {}
    for name in _TABLES:
        for column, values in getattr(resolution, name).columns().items():
            if isinstance(values, list):
                members |= packed(f"{name}.{column}", values)
            else:
                members[f"{name}.{column}"] = np.array(values, _STORED_TYPES[values.typecode])
    return members


def tables_of_members(members: Members, ids: Sequence[str], paths: Sequence[str], notes: Sequence[str]) -> Resolution:
    """Read the tables from archive members. `ids` are the symbol ids by row, `paths` the paths by file number.

    Raises ValueError if the columns do not fit each other.
    """
    tables: dict[str, Any] = {}
    for name, table in _TABLES.items():
        columns: dict[str, Any] = {"words": Strings.of(members, f"{name}.words").all()}
        for column, code in table.TYPES.items():
            stored = members.array(f"{name}.{column}").astype(
                np.dtype(_STORED_TYPES[code]).newbyteorder("="), copy=False
            )
            columns[column] = array(code, stored.tobytes())
        _check(columns, len(ids), len(paths), len(EDGE_KINDS) if name == "edges" else None)
        tables[name] = table(ids, paths, columns)
    return Resolution(**tables, notes=tuple(notes))


def _check(columns: Mapping[str, Any], n_ids: int, n_paths: int, n_kinds: int | None) -> None:
    """Raise ValueError if a number in a column is out of range, before it causes an error far away."""
    n, n_words = len(columns["source"]), len(columns["words"])
    stops = {"source": n_ids, "target": n_ids, "manner": n_words, "rule": n_words, "name": n_words, "receiver": n_words}
    if "receiver" in columns or n_kinds is not None:
        stops["kind"] = n_words if n_kinds is None else n_kinds
    for column, stop in stops.items():
        if column in columns:
            check_rows(n, columns[column])
            check_range(np.asarray(columns[column]), 0, stop)
    sites = np.asarray(columns["site"])
    check_range(sites >> 32, 0, n_paths)
    if "first_site" in columns:
        check_pointers(np.asarray(columns["first_site"]), n, len(sites))
        check_rows(len(sites), columns["site_rule"])
        check_range(np.asarray(columns["site_rule"]), 0, n_words)
    else:
        check_rows(n, sites)
