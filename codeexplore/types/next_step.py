"""The next step after an error or an empty answer, as data: each surface writes it in its own form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class NextStep(NamedTuple):
    """A call that helps, and what it does: ``NextStep("search", "finds its uses", ("Cart",))``.

    `call` is a method or property of `Workspace`, or "Workspace" and a constructor of it. It is "" if only `options`
    must be added to the call that was made. `arguments` is None for a property. ``str(step)`` is Python.
    """

    call: str
    does: str
    arguments: tuple[object, ...] | None = ()
    options: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self.options]
        if not self.call:
            return f"{', '.join(options)} {self.does}"
        call = self.call if self.call.startswith("Workspace") else f"ws.{self.call}"
        given = "" if self.arguments is None else f"({', '.join([*map(repr, self.arguments), *options])})"
        return f"{call}{given} {self.does}"


def with_steps(text: str, steps: Iterable[NextStep], form: Callable[[NextStep], str] = str) -> str:
    """Return `text` followed by the steps as `form` writes them. A step for which it returns "" is left out."""
    written = "; ".join(filter(None, map(form, steps)))
    if not written:
        return text
    return f"{text} {written}." if text.endswith((".", "?")) else f"{text}; {written}"
