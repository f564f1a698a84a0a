"""Rules of resolution of C and C++, which are resolved together."""

from __future__ import annotations

from functools import cache

from codeexplore.languages.resolution.plain import plain
from codeexplore.languages.resolution.rules import Overloading, Rules


@cache
def rules() -> Rules:
    """The rules of C and C++, which are resolved together."""
    return plain(
        "c",
        linked=True,
        open_types=True,
        overloading=Overloading(decides=True),
    )
