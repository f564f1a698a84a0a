"""Things that a name may mean: modules, definitions, literals, and instances of definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from codeexplore.public_names.packages import Family
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol


class Module(NamedTuple):
    """A module, package or namespace of a family. `unit` is its number."""

    family: Family
    unit: int


class Definition(NamedTuple):
    """A symbol, by its family, its file and its position in the facts of the file."""

    family: Family
    file: int
    scope: int  # index of the symbol in the facts of its file

    @property
    def symbol(self) -> Symbol:
        """The defined symbol."""
        return self.family.facts(self.file).symbols[self.scope]


class Literal(NamedTuple):
    """A dictionary or object literal whose entries have names.

    `root` is its name in the facts, such as ``%dict:3:8``.
    """

    family: Family
    file: int
    scope: int
    root: str


class Instance(NamedTuple):
    """A value made by calling a type or function, or declared with a type."""

    of: Definition


Thing: TypeAlias = "Module | Definition | Literal | Instance"


def is_code(thing: Thing) -> bool:
    """Return True if `thing` is a type or a callable."""
    return isinstance(thing, Definition) and thing.symbol.kind in (TYPE_KINDS | CALLABLE_KINDS)


def distinct(things: Iterable[Thing]) -> list[Thing]:
    """Return the things without repeats, in order of first appearance."""
    return list(dict.fromkeys(things))
