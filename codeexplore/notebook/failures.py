"""Errors as the explorer's page shows them, with their next steps as requests."""

from __future__ import annotations

from typing import Any

from codeexplore.answers.wording import one_line, whereabouts
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


# method of the workspace → request of the page, and the words of its button
_CALLED = {
    "search": ("ask", "Ask “{}”"),
    "grep": ("grep", "Search the files for “{}”"),
    "source": ("source", "Open {}"),
    "symbol": ("ask", "Ask “{}”"),
    "refresh": ("refresh", "Load the changed files"),
}


def step_data(step: Any) -> dict[str, Any]:
    """Return a next step as a button: a request of the page in words, or the call in Python if the page has none."""
    argument = str(step.arguments[0]) if step.arguments else ""
    kind, words = _CALLED.get(step.call, ("", ""))
    label = words.format(one_line(argument)) if words else str(step)
    return {"label": label, "kind": kind, "argument": argument, "does": step.does}
