"""Resolution rules of Swift."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from codeexplore.languages.swift.shape import SHAPE
from codeexplore.resolution.default_rules import TYPES, plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of Swift."""
    return plain(
        "swift",
        modules={"linked": True},
        classes={"own_type_names": frozenset({"Self"})},
        functions={"read_signature": SHAPE.read_signature},
        builtins={"types": MappingProxyType({**TYPES, "Self": "self"})},
        overloading=Overloading(decides=True),
    )
