"""Type of the members of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

Member: TypeAlias = "NDArray[Any] | bytes"
"""Array or bytes, by name in memory or in an archive."""
