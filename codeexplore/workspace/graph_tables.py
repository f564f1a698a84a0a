"""The code graph's tables as members: how they are stored, and how they come from the process that resolved them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from codeexplore.persistence.strings import Strings, packed

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.tables import Resolution
    from codeexplore.persistence.archive import Member
    from codeexplore.persistence.columns import Members

TABLES = ("edges", "unresolved", "externals")
_STORED_TYPES = {"b": "<i1", "h": "<i2", "i": "<i4", "q": "<i8", "f": "<f4"}


def members_of_tables(resolution: Resolution | CodeGraph) -> dict[str, Member]:
    """The members that hold finished tables."""
    members: dict[str, Member] = {}
    for name in TABLES:
        for column, values in getattr(resolution, name).columns().items():
            if isinstance(values, list):
                members |= packed(f"{name}.{column}", values)
            else:
                members[f"{name}.{column}"] = np.array(values, _STORED_TYPES[values.typecode])
    return members


def tables_of_members(members: Members, ids: Sequence[str], paths: Sequence[str], notes: Sequence[str]) -> Resolution:
    """The tables over symbols (`ids` by row) and files (`paths` by number).

    Raises
    ------
    ValueError
        Columns don't fit each other.
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
        n = len(columns["source"])
        for column in ("source", "target"):
            rows = columns.get(column)
            if rows and (min(rows) < 0 or max(rows) >= len(ids) or len(rows) != n):
                raise ValueError(f"{name}.{column} is out of range")
        tables.append(cast("Any", table).of_columns(ids, paths, columns))
    edges, unresolved, externals = tables
    return Resolution(edges, unresolved, externals, tuple(notes))


def _native(typecode: str) -> np.dtype[Any]:
    return np.dtype(_STORED_TYPES[typecode]).newbyteorder("=")
