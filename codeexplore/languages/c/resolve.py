"""Rules of resolution of C and C++, which are resolved together."""

from __future__ import annotations

from functools import cache

from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """The rules of C and C++, which are resolved together."""
    return plain(
        "c",
        modules={"linked": True},
        classes={"open_types": True},
        overloading=Overloading(decides=True),
    )
