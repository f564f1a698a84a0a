"""Resolution rules of C#."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from codeexplore.languages.csharp.shape import SHAPE
from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of C#."""
    return plain(
        "csharp",
        modules={"outer_packages": True},
        classes={"open_types": True},
        functions={"read_signature": SHAPE.read_signature, "signature_roles": MappingProxyType({"static": "static"})},
        overloading=Overloading(decides=True),
    )
