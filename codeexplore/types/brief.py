"""Short form of `repr` for large records.

It shows every field by name and shortens long values, so that a record fits on a screen.
"""

from __future__ import annotations

import reprlib
from dataclasses import fields
from typing import Any

_VALUE_CHARS = 160
# at most six items of a collection and two levels, and long texts without their middle
_values = reprlib.Repr()
_values.maxlevel = 3
_values.maxstring = _values.maxother = _values.maxlong = 60


def brief_repr(record: Any) -> str:
    """Return ``Name(field=value, …)`` for a dataclass. Long values are cut and empty fields are left out.

    Each field takes at most about 200 characters.
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
