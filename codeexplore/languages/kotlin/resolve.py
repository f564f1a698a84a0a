"""Resolution rules of Kotlin."""

from __future__ import annotations

from functools import cache

from codeexplore.languages.kotlin.shape import SHAPE
from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of Kotlin."""
    return plain(
        "kotlin",
        scopes={"blocks_on_any": True},
        functions={"read_signature": SHAPE.read_signature},
        overloading=Overloading(decides=True),
    )
