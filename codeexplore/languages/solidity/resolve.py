"""Resolution rules of Solidity."""

from __future__ import annotations

from functools import cache

from codeexplore.resolution.default_rules import plain
from codeexplore.resolution.language_rules import Overloading, Rules


@cache
def rules() -> Rules:
    """Return the resolution rules of Solidity. Overloads are chosen by the number and the types of the arguments."""
    return plain(
        "solidity",
        overloading=Overloading(decides=True),
    )
