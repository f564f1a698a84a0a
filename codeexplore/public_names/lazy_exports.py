"""Modules that import their exports lazily, on first access (PEP 562).

They name their exports as text: ``{"Session": ".orm"}``, ``_import_structure = {"orm": ["Session"]}``,
``lazy_loader.attach(__name__, submod_attrs={"orm": ["Session"]})``. In all these forms the name and the submodule that
defines it are both quoted in the module's file.
"""

from __future__ import annotations

import re
from typing import Final

from codeexplore.resolution.module_tree import Units

_QUOTED: Final = re.compile(r"""(["'])([\w.]{1,200})\1""")


def submodules_named(units: Units, unit: int, name: str, text: str) -> list[int]:
    """Return the submodules of a unit that the text of its file names between quotes, if it names `name` so too.

    In order of occurrence; a submodule may be named from its package (``orm``, ``.orm``) or in full.
    """
    quoted = dict.fromkeys(found[2] for found in _QUOTED.finditer(text))
    if name not in quoted:
        return []
    found: dict[int, None] = {}
    for each in quoted:
        parts = [part for part in each.split(".") if part]
        for start in range(len(parts)):
            place = units.walk(unit, parts[start:])
            if place >= 0 and place != unit:
                found[place] = None
                break
    return list(found)
