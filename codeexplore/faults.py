"""Faults of this package in reading one file or one language: told as a warning, while the rest is read.

The rules of languages meet code of every kind. A rule that fails must not cost its user the whole repository.
"""

from __future__ import annotations

import os
from typing import Final

STRICT: Final = "CODEEXPLORE_STRICT"
"""Environment variable. If it is set, as in the tests, a fault is an error."""
_MOST_CHARS = 200


def fault(error: Exception) -> str:
    """Return a clause on an error that a rule raised: ``IndexError in codeexplore, please report it: …``.

    Raises `error` again if it tells of no fault (MemoryError), and any error if ``CODEEXPLORE_STRICT`` is set.
    """
    if isinstance(error, MemoryError) or os.environ.get(STRICT):
        raise error
    return f"{type(error).__name__} in codeexplore, please report it: {error}"[:_MOST_CHARS]
