"""Serialization of the code graph's tables, for storage and for the transfer from the resolver process."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from codeexplore.index.string_column import Strings, packed
from codeexplore.index.symbol_table import check_pointers, check_range, check_rows
from codeexplore.types import EDGE_KINDS

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.tables import Resolution
    from codeexplore.index.string_column import Member, Members

TABLES = ("edges", "unresolved", "externals")
_STORED_TYPES = {"b": "<i1", "h": "<i2", "i": "<i4", "q": "<i8", "f": "<f4"}


def members_of_tables(resolution: Resolution | CodeGraph) -> dict[str, Member]:
    members: dict[str, Member] = {}
    for name in TABLES:
        for column, values in getattr(resolution, name).columns().items():
            if isinstance(values, list):
                members |= packed(f"{name}.{column}", values)
            else:
                members[f"{name}.{column}"] = np.array(values, _STORED_TYPES[values.typecode])
    return members


def tables_of_members(members: Members, ids: Sequence[str], paths: Sequence[str], notes: Sequence[str]) -> Resolution:
    """Read the tables from archive members. `ids` are the symbol ids by row, `paths` the paths by file number.

    Raises
    ------
    ValueError
        The columns do not fit each other.
    """
    from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable

    tables: list[Any] = []
    for name, table in zip(TABLES, (EdgeTable, UnresolvedTable, ExternalTable), strict=True):
        empty: Any = table((), ())
        columns: dict[str, Any] = {}
        for column, values in empty.columns().items():
            if isinstance(values, list):
                columns[column] = Strings.of(members, f"{name}.{column}").all()
            else:
                stored = members.array(f"{name}.{column}").astype(_native(values.typecode), copy=False)
                columns[column] = array(values.typecode, stored.tobytes())
        _check(columns, len(ids), len(paths), len(EDGE_KINDS) if name == "edges" else None)
        tables.append(cast("Any", table).of_columns(ids, paths, columns))
    edges, unresolved, externals = tables
    return Resolution(edges, unresolved, externals, tuple(notes))


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
    else:
        check_rows(n, sites)


def _native(typecode: str) -> np.dtype[Any]:
    return np.dtype(_STORED_TYPES[typecode]).newbyteorder("=")
