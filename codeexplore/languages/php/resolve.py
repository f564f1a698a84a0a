"""Resolution rules of PHP."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from codeexplore.resolution.default_rules import TYPES, plain
from codeexplore.resolution.language_rules import Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of PHP."""
    return plain(
        "php",
        modules={"linked": True},
        builtins={"types": MappingProxyType({**TYPES, "self": "self", "static": "self"})},
    )
