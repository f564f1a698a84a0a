"""Resolution rules of Scala."""

from __future__ import annotations

from functools import cache

from codeexplore.languages.scala.shape import SHAPE
from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of Scala."""
    return plain(
        "scala",
        modules={"outer_packages": True},
        classes={"object_word": "object"},
        functions={"read_signature": SHAPE.read_signature},
        overloading=Overloading(decides=True),
    )
