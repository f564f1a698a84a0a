"""Resolution rules of Ruby."""

from __future__ import annotations

from functools import cache

from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of Ruby."""
    return plain(
        "ruby",
        modules={"linked": True},
        scopes={"blocks_on_any": True},
        classes={"open_types": True, "mixins": True, "class_attribute": "class"},
    )
