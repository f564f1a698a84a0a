"""Modules that import their exports lazily, on first access (PEP 562).

Such modules list their exports as strings: ``{"Session": ".orm"}``, ``_import_structure = {"orm": ["Session"]}`` or
``lazy_loader.attach(__name__, submod_attrs={"orm": ["Session"]})``. In each form both the name and the submodule that
defines it are quoted in the module's file.
"""

from __future__ import annotations

import re
from typing import Final

from codeexplore.resolution.module_tree import Units

_QUOTED: Final = re.compile(r"""(["'])([\w.]{1,200})\1""")


def submodules_named(units: Units, unit: int, name: str, text: str) -> list[int]:
    """Return the submodules of a module whose names are quoted in `text`; none if `name` is not quoted too.

    `text` is the source of the unit's file. The submodules are in the order of their occurrence. The name of a
    submodule may be relative to the package (``orm``, ``.orm``) or absolute.
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
