"""Resolution rules of C and C++. Files of both languages are resolved together."""

from __future__ import annotations

from functools import cache

from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of C and C++."""
    return plain(
        "c",
        modules={"linked": True},
        classes={"open_types": True},
        overloading=Overloading(decides=True),
    )
