"""Records as columns: what goes in comes out, whole or field by field."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.types import Reference, Rows

NUMBERS = st.integers(0, 2**31 - 1)
RECORDS = st.builds(
    Reference, NUMBERS, st.sampled_from(["call", "read"]), st.text(), NUMBERS, st.lists(st.text()).map(tuple)
)


@given(st.lists(RECORDS))
def test_rows_are_the_records_they_were_made_of(records: list[Reference]) -> None:
    rows = Rows(Reference, records)
    assert list(rows) == records
    assert all(type(row) is Reference for row in rows)
    assert len(rows) == len(records)
    assert [rows[place] for place in range(len(rows))] == records
    assert rows[1:3] == tuple(records[1:3])
    assert list(rows.fields("line", "path")) == [(record.line, record.path) for record in records]


def test_tables_share_equal_texts_and_tuples() -> None:
    shared: dict[Any, Any] = {}
    name = "".join(["sa", "me"])
    one, other = (Rows(Reference, [Reference(0, "call", text, 1, (text,))], shared)[0] for text in (name, "same"))
    assert one == other
    assert one.path is other.path
    assert one.args is other.args


def test_rows_of_rows_are_the_same() -> None:
    rows = Rows(Reference, [Reference(0, "call", "f", 1)])
    assert Rows.of(Reference, rows) is rows
