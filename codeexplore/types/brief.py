"""The short ``repr`` of large records: every field by name, long values cut, so that a record fits a screen."""

from __future__ import annotations

import reprlib
from dataclasses import fields
from typing import Any

_VALUE_CHARS = 160


class _Values(reprlib.Repr):
    """Values of fields: at most six items of a sequence or mapping, two levels deep, long texts cut in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = self.maxlong = 60


_values = _Values()


def brief_repr(record: Any) -> str:
    """Return ``Name(field=value, …)`` of a dataclass with long values cut and empty fields left out.

    The length is at most some 200 characters for each field.
    """
    shown = []
    for each in fields(record):
        value = getattr(record, each.name)
        if isinstance(value, (str, tuple, list, dict)) and not value:
            continue
        text = _values.repr(value)
        count = f" ({len(value):,} in all)" if isinstance(value, tuple | list) and len(value) > _values.maxtuple else ""
        shown.append(f"{each.name}={text if len(text) <= _VALUE_CHARS else text[: _VALUE_CHARS - 1] + '…'}{count}")
    return f"{type(record).__name__}({', '.join(shown)})"
