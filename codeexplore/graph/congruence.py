"""Edits that move no edge: new facts that differ from the old ones in nothing but where things stand.

A comment, a blank line, a docstring, a number in an expression, another version in a constant: such an edit moves
lines and says nothing new, and what references mean depends on the order of lines, never on their numbers. So when
every row of a file's facts equals its old row but for lines and places, and the new lines stand in the same order as
the old, the old edges hold. Of signatures only what resolution reads of them has to be the same: modifiers, and with
which bracket a method begins; parameters and types are rows of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from codeexplore.types import FileFacts, Symbol

_PLACE = re.compile(r"(?<=[%<])(\w+):(\d+):(\d+)")
"""A place inside an access path or a name: ``%fn:3:8``, ``<lambda:3:8>``."""

_ANYWHERE = frozenset({"static", "final", "private"})
"""Words that are looked for in whole signatures."""

_HEAD = re.compile(r"[^(]*(?:\((?:implicit\b|using\b)?)?")
"""What tells a method that is called by reading it."""

_LISTS = ("imports", "exports", "bindings", "returns", "references", "bases")
_LINES = frozenset({"line", "sure"})


@dataclass(frozen=True, slots=True)
class Moved:
    """Where lines and places of one file went."""

    lines: Mapping[int, int]
    places: Mapping[str, str]  # "3:8" → "5:8"

    def text(self, text: str) -> str | None:
        """A text with its places moved; None when it holds one that is not known."""
        missing = False

        def move(match: re.Match[str]) -> str:
            nonlocal missing
            place = self.places.get(f"{match[2]}:{match[3]}")
            missing = missing or place is None
            return f"{match[1]}:{place}"

        moved = _PLACE.sub(move, text)
        return None if missing else moved


def with_lines(text: str, lines: Mapping[int, int]) -> str:
    """A text whose places stand on the lines to which theirs went; those on other lines stay."""
    if "<" not in text and "%" not in text:
        return text
    return _PLACE.sub(lambda match: f"{match[1]}:{lines.get(int(match[2]), match[2])}:{match[3]}", text)


class _Unlike(Exception):
    """The two don't say the same."""


def moved_lines(old: FileFacts, new: FileFacts) -> Moved | None:
    """How the lines of a file moved, None when its facts differ in more than that.

    Parameters
    ----------
    old, new
        Facts of the same path.
    """
    if (old.path, old.language, old.module) != (new.path, new.language, new.module):
        return None
    matching = _Matching()
    try:
        matching.symbols(old, new)
        for name in _LISTS:
            matching.rows(getattr(old, name), getattr(new, name))
    except _Unlike:
        return None
    return matching.moved()


class _Matching:
    """Compares row by row and collects which line became which."""

    def __init__(self) -> None:
        self.lines: dict[int, int] = {}
        self.places: dict[str, str] = {}

    def symbols(self, old: FileFacts, new: FileFacts) -> None:
        if len(old.symbols) != len(new.symbols):
            raise _Unlike
        for one, other in zip(old.symbols, new.symbols, strict=True):
            if (one.kind, one.language) != (other.kind, other.language) or not _same_signature(one, other):
                raise _Unlike
            self.line(one.line, other.line)
            self.value(one.id, other.id)
            self.value(one.fqn, other.fqn)
            self.value(one.name, other.name)
            self.value(one.parent, other.parent)
            self.value(one.decorators, other.decorators)

    def rows(self, old: Sequence[Any], new: Sequence[Any]) -> None:
        if len(old) != len(new):
            raise _Unlike
        if not old:
            return
        for place, name in enumerate(old[0]._fields):
            say = self.line if name in _LINES else self.value
            for one, other in {(one[place], other[place]) for one, other in zip(old, new, strict=True)}:
                say(one, other)

    def line(self, old: int, new: int) -> None:
        if self.lines.setdefault(old, new) != new or (old == 0) != (new == 0):
            raise _Unlike

    def value(self, old: Any, new: Any) -> None:
        if isinstance(old, str) and isinstance(new, str):
            if "%" in old or "<" in old:
                self._text(old, new)
            elif old != new:
                raise _Unlike
        elif isinstance(old, tuple) and isinstance(new, tuple):
            if len(old) != len(new):
                raise _Unlike
            for one, other in zip(old, new, strict=True):
                self.value(one, other)
        elif old != new:
            raise _Unlike

    def _text(self, old: str, new: str) -> None:
        if _PLACE.sub(r"\1", old) != _PLACE.sub(r"\1", new):
            raise _Unlike
        for one, other in zip(_PLACE.finditer(old), _PLACE.finditer(new), strict=True):
            place = f"{other[2]}:{other[3]}"
            if self.places.setdefault(f"{one[2]}:{one[3]}", place) != place:
                raise _Unlike
            self.line(int(one[2]), int(other[2]))

    def moved(self) -> Moved | None:
        """What was collected, None unless all stands in the same order as before."""
        if not _ascending([self.lines[line] for line in sorted(self.lines)]):
            return None
        order = sorted(self.places, key=_numbers)
        if not _ascending([_numbers(self.places[place]) for place in order]):
            return None
        return Moved(self.lines, self.places)


def _same_signature(one: Symbol, other: Symbol) -> bool:
    """Whether resolution reads the same in two signatures.

    It looks for modifiers among the first words, for a few anywhere, with which bracket a method begins, and for the
    semicolon that ends a declaration without a body.
    """
    if one.signature == other.signature:
        return True
    if one.signature.endswith(";") != other.signature.endswith(";"):
        return False
    words, others = one.signature.split(), other.signature.split()
    if words[:1] != others[:1] or _ANYWHERE & set(words) != _ANYWHERE & set(others):
        return False
    if any(a != b and (a.isalpha() or b.isalpha()) for a, b in zip_longest(words[:4], others[:4], fillvalue="")):
        return False
    return one.kind != "method" or _HEAD.match(one.signature)[0] == _HEAD.match(other.signature)[0]  # type: ignore[index]


def _numbers(place: str) -> tuple[int, int]:
    line, _, column = place.partition(":")
    return int(line), int(column)


def _ascending(values: Sequence[Any]) -> bool:
    return all(one < other for one, other in pairwise(values))
