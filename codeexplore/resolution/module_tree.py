"""Module tree: the modules that an import can name.

A *unit* is the number of a module, package or namespace. A module offers the names in the module scopes of its files,
and its child modules.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from codeexplore.types import FileFacts


class Located(NamedTuple):
    """Target of a module string in an import: a module of the repository, or a dotted name outside of it.

    `unit` is the number of the module, -1 for none. A relative import that leads nowhere has neither a module nor an
    outside name.
    """

    unit: int
    external: str = ""
    rest: tuple[str, ...] = ()  # names below the unit: a nested type, for example
    partial: bool = False  # the import means the unit's own contents only: other units may share its name


NOWHERE = Located(-1)


class Units:
    """All modules of a family.

    `files`, `children`, `parent` and `name` are columns, indexed by the number of a module.
    """

    def __init__(self) -> None:
        self.files: list[list[int]] = []  # indices of the files whose names the unit offers
        self.children: list[dict[str, int]] = []
        self.parent: list[int] = []
        self.name: list[str] = []

    def add(self, name: str, parent: int = -1) -> int:
        """Add a module as a child of the module `parent`, and return its number."""
        unit = len(self.files)
        self.files.append([])
        self.children.append({})
        self.parent.append(parent)
        self.name.append(name)
        if parent >= 0:
            self.children[parent][name] = unit
        return unit

    def child(self, unit: int, name: str) -> int:
        """Return the number of the child module with this name; -1 for none."""
        return self.children[unit].get(name, -1)

    def walk(self, unit: int, parts: list[str]) -> int:
        """Return the module that the names of children lead to, from the module `unit` on; -1 if a name is missing."""
        for part in parts:
            unit = self.children[unit].get(part, -1)
            if unit < 0:
                return -1
        return unit

    def make(self, root: int, parts: list[str]) -> int:
        """Return the module that the names of children lead to, from the module `root` on.

        Missing modules are added.
        """
        unit = root
        for part in parts:
            known = self.children[unit].get(part, -1)
            unit = known if known >= 0 else self.add(part, unit)
        return unit


class ModuleResolver(Protocol):
    """Finds the module that a module string means. It is built once for all files of a language family."""

    units: Units

    def unit_of(self, file: int) -> int:
        """Return the number of the module that offers the names of a file."""

    def locate(self, file: int, module: str) -> Located:
        """Return the target of `module`, as written in an import of `file`."""


def imported(locator: ModuleResolver, file: int, module: str, member: str) -> tuple[Located, str]:
    """Return the module or outside name that an imported member comes from, and the member's name in it.

    If `module` is `partial` and has no child `member`, then ``module.member`` may be a module in another place. In this
    case the result is that module and "". If it is not found either, the member is outside the repository.
    """
    found = locator.locate(file, module)
    if not found.partial or member == "*" or locator.units.child(found.unit, member) >= 0:
        return found, member
    further = locator.locate(file, f"{module}.{member}") if member else NOWHERE
    if further.unit >= 0:
        return further, ""
    return Located(-1, "" if module.startswith(".") else module), member


class FlatLocator:
    """Module resolver that follows no imports: every file is a module of its own.

    It is for languages without resolution rules.
    """

    def __init__(self, files: list[FileFacts]) -> None:
        self.units = Units()
        for index, facts in enumerate(files):
            self.units.files[self.units.add(facts.module)].append(index)

    def unit_of(self, file: int) -> int:
        return file

    def locate(self, file: int, module: str) -> Located:
        return Located(-1, module)
