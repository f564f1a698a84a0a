"""Errors as the explorer's page shows them, with their next steps as requests."""

from __future__ import annotations

from typing import Any

from codeexplore.answers.wording import whereabouts
from codeexplore.types.errors import AmbiguousSymbol, CodeExploreError, SymbolNotFound


def failure(error: Exception) -> dict[str, Any]:
    """Return an error for the page, with its next steps as requests."""
    known = isinstance(error, CodeExploreError)
    said = error.message if isinstance(error, CodeExploreError) else f"{type(error).__name__}: {error}"
    steps = [step_data(step) for step in error.next_steps] if isinstance(error, CodeExploreError) else []
    if isinstance(error, AmbiguousSymbol):
        steps += [{"label": whereabouts(each), "kind": "source", "argument": each.id} for each in error.choices[:6]]
    if isinstance(error, SymbolNotFound):
        steps += [{"label": name, "kind": "ask", "argument": name} for name in error.nearest[:4]]
    return {"ok": False, "error": said, "known": known, "steps": steps}


_CALLED = {"search": "ask", "grep": "grep", "source": "source", "symbol": "ask", "refresh": "refresh"}


def step_data(step: Any) -> dict[str, Any]:
    """Return a next step as a button: its words, and a request of the page if it has one for this call."""
    argument = str(step.arguments[0]) if step.arguments else ""
    return {"label": str(step), "kind": _CALLED.get(step.call, ""), "argument": argument}
