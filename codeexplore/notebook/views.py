"""The names of the explorer's two views. They need no widgets, so that the magics can be loaded without them."""

from __future__ import annotations

from typing import Final

from codeexplore.types.errors import QuestionError

ASK: Final = "ask"
LAB: Final = "lab"
VIEWS: Final = (ASK, LAB)
"""The views: ``ask`` has question, answer and call graph, ``lab`` has every step of the search with its controls."""


def checked_view(view: object) -> str:
    """Return `view` if it is a view. Raises QuestionError."""
    if view not in VIEWS:
        raise QuestionError(f"the view must be {' or '.join(map(repr, VIEWS))}, not {view!r:.80}")
    return str(view)
