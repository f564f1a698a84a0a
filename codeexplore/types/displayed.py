"""Displays of results, by the methods that IPython, marimo and other hosts look for in an object.

So a result looks alike in every host, and nothing has to be registered or loaded first. The code that writes a display
is imported when it is first used. `brief_repr` is a short form of `repr` for large records: it shows every field by
name and shortens long values, so that a record fits on a screen.
"""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from codeexplore.types.features import load

_explaining = False


def explain(on: bool | None = None) -> bool:
    """Return True if answers show formulas and names of rules. A value sets this for the rest of the session."""
    global _explaining  # noqa: PLW0603 - a choice of the session, like the colours of a terminal
    _explaining = _explaining if on is None else on
    return _explaining


class Displayed:
    """A result that hosts of notebooks show as HTML, documents without HTML as Markdown, and terminals as text."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # IPython's printer would take the class's own __repr__ rather than a base's method
        cls._repr_pretty_ = Displayed._repr_pretty_  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return str(load("codeexplore.answers.html.writer:shown_html")(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - the signature is IPython's
        inside = len(getattr(printer, "stack", ())) > 1  # inside a list, a tuple or a dictionary
        written = load("codeexplore.answers.show:brief_text" if inside else "codeexplore.answers.show:shown_text")
        printer.text(written(self))

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        kinds = {
            "text/plain": load("codeexplore.answers.show:shown_text"),
            "text/html": type(self)._repr_html_,
            "text/markdown": load("codeexplore.answers.show:brief_markdown"),
        }
        wanted = set(include or _shown_kinds(kinds)) - set(exclude or ())
        return {kind: write(self) for kind, write in kinds.items() if kind in wanted}


def _shown_kinds(every: Collection[str]) -> Collection[str]:
    """Return the MIME types that the shell around us shows: in IPython's terminal text alone."""
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if get_ipython is None else get_ipython()
    return every if shell is None else shell.display_formatter.active_types


_VALUE_CHARS = 160
# at most six items of a collection and two levels, and long texts without their middle
_values = reprlib.Repr()
_values.maxlevel = 3
_values.maxstring = _values.maxother = _values.maxlong = 60


def brief_repr(record: Any) -> str:
    """Return ``Name(field=value, …)`` for a dataclass. Long values are cut and empty fields are left out.

    Each field takes at most about 200 characters.
    """
    shown = []
    for each in fields(record):
        value = getattr(record, each.name)
        if isinstance(value, (str, tuple, list, dict)) and not value:
            continue
        text = _values.repr(value)
        count = f" ({len(value):,} in all)" if isinstance(value, tuple | list) and len(value) > _values.maxtuple else ""
        shown.append(f"{each.name}={text if len(text) <= _VALUE_CHARS else text[: _VALUE_CHARS - 1] + '…'}{count}")
    return f"{type(record).__name__}({', '.join(shown)})"
