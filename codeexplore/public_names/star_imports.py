"""Star imports: whether a module offers a name to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from codeexplore.public_names.things import Module, Thing

_PASSES_ON: Final = re.compile(r"\b(?:import|export)\s*\*|::\s*\*|[{,]\s*\*\s*[,}]|\.\*;|\bmodule\.exports\b")
"""Matches every file that may offer names which do not occur in its text.

Such a file has star imports, or exports the value of another module."""


class StarImports:
    """Names that star imports of modules bind. `text` returns the text of the file at a path, "" if there is none."""

    def __init__(self, text: Callable[[str], str]) -> None:
        self._text = text
        self._passing: dict[str, bool] = {}  # path → True if the file may offer names that do not occur in its text

    def may_bind(self, thing: Thing, name: str) -> bool:
        """Return True if a star import of `thing` may bind `name`; False if it certainly does not."""
        return self._may_offer(thing, name) and self._gives_away(thing, name)

    def _gives_away(self, thing: Thing, name: str) -> bool:
        """Return True if a star import of `thing` imports `name`.

        If a module lists its exports (``__all__``), it exports only listed names. Otherwise it exports names that are
        not private.
        """
        if not isinstance(thing, Module):
            return True
        rules, files = thing.family.rules, thing.family.locator.units.files[thing.unit]
        listed = (
            {row.name for file in files for row in thing.family.facts(file).exports}
            if rules.modules.lists_exports
            else set()
        )
        if listed and "__all__" not in listed:
            return name in listed
        return name in listed or not (rules.modules.private_prefix and name.startswith(rules.modules.private_prefix))

    def _may_offer(self, thing: Thing, name: str) -> bool:
        """Return True if `name` occurs in a module's files, or if one of the files may re-export it.

        This check of the texts is cheaper than reading facts.
        """
        if not isinstance(thing, Module):
            return True
        units, files = thing.family.locator.units, thing.family.files
        if units.child(thing.unit, name) >= 0:
            return True
        paths = [files[file][0] for file in units.files[thing.unit]]
        return any(self._passes_on(path) for path in paths) or any(name in self._text(path) for path in paths)

    def _passes_on(self, path: str) -> bool:
        """Return True if a file may offer names that do not occur in its text."""
        known = self._passing.get(path)
        if known is None:
            text = self._text(path)
            known = self._passing[path] = not text or _PASSES_ON.search(text) is not None
        return known
