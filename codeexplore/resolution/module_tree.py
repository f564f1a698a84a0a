"""Module tree: the modules that an import can name.

A *unit* is a module, package or namespace. It offers the names of its files' module scopes, and its child units.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from codeexplore.types import FileFacts


class Located(NamedTuple):
    """Target of a module string in an import: a unit (-1 for none), else a dotted name outside the repository.

    Both may be missing: a relative import that leads nowhere is neither.
    """

    unit: int
    external: str = ""
    rest: tuple[str, ...] = ()  # names below the unit: a nested type, for example
    partial: bool = False  # only the unit's own contents are meant: others may offer more under its name


NOWHERE = Located(-1)


class Units:
    """Units by number; `files`, `children` and `parent` are columns."""

    def __init__(self) -> None:
        self.files: list[list[int]] = []  # indices of the files whose names the unit offers
        self.children: list[dict[str, int]] = []
        self.parent: list[int] = []
        self.name: list[str] = []

    def add(self, name: str, parent: int = -1) -> int:
        """Return a new unit, known to its parent by `name`."""
        unit = len(self.files)
        self.files.append([])
        self.children.append({})
        self.parent.append(parent)
        self.name.append(name)
        if parent >= 0:
            self.children[parent][name] = unit
        return unit

    def child(self, unit: int, name: str) -> int:
        """Return the child unit of that name; -1 when there is none."""
        return self.children[unit].get(name, -1)

    def walk(self, unit: int, parts: list[str]) -> int:
        """Follow names downwards; -1 when one is missing."""
        for part in parts:
            unit = self.children[unit].get(part, -1)
            if unit < 0:
                return -1
        return unit

    def make(self, root: int, parts: list[str]) -> int:
        """Return the unit reached by names downwards, making missing units."""
        unit = root
        for part in parts:
            known = self.children[unit].get(part, -1)
            unit = known if known >= 0 else self.add(part, unit)
        return unit


class ModuleResolver(Protocol):
    """Finds the unit a module string means. Built once for all files of a language family."""

    units: Units

    def unit_of(self, file: int) -> int:
        """Return the unit that a file's own names belong to."""

    def locate(self, file: int, module: str) -> Located:
        """Return the target of `module`, as written in an import of `file`."""


def imported(locator: ModuleResolver, file: int, module: str, member: str) -> tuple[Located, str]:
    """Return the target of an import of a member: the unit, and the member in it.

    Of a `partial` unit only its own contents are meant. Other names may be in another unit of that name, which then is
    the member; or outside.
    """
    found = locator.locate(file, module)
    if not found.partial or member == "*" or locator.units.child(found.unit, member) >= 0:
        return found, member
    further = locator.locate(file, f"{module}.{member}") if member else NOWHERE
    if further.unit >= 0:
        return further, ""
    return Located(-1, "" if module.startswith(".") else module), member


class FlatLocator:
    """Every file is a unit of its own and no import is followed: languages without resolution rules."""

    def __init__(self, files: list[FileFacts]) -> None:
        self.units = Units()
        for index, facts in enumerate(files):
            self.units.files[self.units.add(facts.module)].append(index)

    def unit_of(self, file: int) -> int:
        """Return the file's own unit."""
        return file

    def locate(self, file: int, module: str) -> Located:
        """Always outside."""
        return Located(-1, module)
