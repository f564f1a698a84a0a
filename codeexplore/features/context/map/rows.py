"""Rows of the map: texts at rising levels of detail, on one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.answers.wording import cut, one_line
from codeexplore.text.enumeration import shortened

if TYPE_CHECKING:
    from codeexplore.types import Symbol

MOST_ROWS: Final = 100  # of a section that are considered
NAMED: Final = 5  # dependencies, tests or members that one row names
MOST_NAMES: Final = 12  # methods or fields of a type, variables of a module, members of a cycle that one row names

_ROW_CHARS: Final = 600


class Detail(NamedTuple):
    """A row of a section: its texts at each level of detail, shortest first."""

    texts: tuple[str, ...]


def row(*texts: str) -> Detail:
    """Return a row with different texts, shortest first. Each is one line of limited length."""
    return Detail(tuple(dict.fromkeys(cut(one_line(text), _ROW_CHARS) for text in texts)))


def symbol_row(symbol: Symbol, said: str, *, name: str = "") -> Detail:
    """Return a row with the place of a symbol, its qualified name (or `name`), and a sentence if there is one."""
    brief = f"{symbol.path}:{symbol.line} {name or symbol.fqn}"
    return row(brief, f"{brief} — {said}") if said else row(brief)


def counted(numbers: Mapping[str, int], most: int = NAMED) -> str:
    """Return names with their numbers, largest first: ``a.py 3, b.py 1 and 2 more``."""
    order = sorted(numbers, key=lambda name: (-numbers[name], name))
    return shortened([f"{name} {numbers[name]:,}" for name in order], most)
