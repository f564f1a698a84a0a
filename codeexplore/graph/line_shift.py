"""Line shifts: edits that change only the lines and positions in a file's facts, so that every edge remains valid.

Examples are a new comment, a blank line, a docstring, another number in an expression or another version in a constant.
The meaning of a reference depends on the order of lines, but not on line numbers. Two conditions are checked. Every row
of the new facts must equal the old row except for lines and positions, and the order of the lines must be the same.
Signatures of functions and types must be equal, those of values only in their modifiers.

`line_shift` compares the facts of a file. `shift_graph` returns the graph with the same edges at their new lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

import numpy as np

from codeexplore.graph.merge import RowMap, as_array, renumbered
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import Columns, Resolution, Words
from codeexplore.index.catalog import Catalog
from codeexplore.text.line_map import REMOVED
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Symbol

_PLACE = re.compile(r"(?<=[%<])(\w+):(\d+):(\d+)")
"""Position (line and column) inside an access path or a name: ``%fn:3:8``, ``<lambda:3:8>``."""

_ANYWHERE = frozenset({"static", "final", "private"})
"""Modifiers that resolution searches in the whole signature."""

_LISTS = ("imports", "exports", "bindings", "returns", "references", "bases")
_LINES = frozenset({"line", "sure"})


@dataclass(frozen=True, slots=True)
class LineShift:
    """New lines and new positions in one file. A position is a line and a column as text, such as "3:8"."""

    lines: Mapping[int, int]  # old line → new line
    places: Mapping[str, str]  # old position → new position: "3:8" → "5:8"

    def text(self, text: str) -> str | None:
        """Return `text` with its positions replaced by the new positions; None if a position is unknown."""
        missing = False

        def move(match: re.Match[str]) -> str:
            nonlocal missing
            place = self.places.get(f"{match[2]}:{match[3]}")
            missing = missing or place is None
            return f"{match[1]}:{place}"

        moved = _PLACE.sub(move, text)
        return None if missing else moved


def with_lines(text: str, lines: Mapping[int, int]) -> str:
    """Return `text` with the lines of its positions replaced by the new lines in `lines`. Other lines stay."""
    if "<" not in text and "%" not in text:
        return text
    return _PLACE.sub(lambda match: f"{match[1]}:{lines.get(int(match[2]), match[2])}:{match[3]}", text)


class _FactsDiffer(Exception):
    """Exception that ends a comparison of facts that differ in more than lines and positions."""


def line_shift(old: FileFacts, new: FileFacts) -> LineShift | None:
    """Return the new lines and positions after an edit; None if it changed more than lines and positions.

    `old` and `new` are facts of the same file.
    """
    if (old.path, old.language, old.module) != (new.path, new.language, new.module):
        return None
    matching = _Matching()
    try:
        matching.symbols(old, new)
        for name in _LISTS:
            matching.rows(getattr(old, name), getattr(new, name))
    except _FactsDiffer:
        return None
    return matching.moved()


class _Matching:
    """Comparison of old and new facts, row by row. It records the new line of each old line."""

    def __init__(self) -> None:
        self.lines: dict[int, int] = {}
        self.places: dict[str, str] = {}

    def symbols(self, old: FileFacts, new: FileFacts) -> None:
        if len(old.symbols) != len(new.symbols):
            raise _FactsDiffer
        for one, other in zip(old.symbols, new.symbols, strict=True):
            if (one.kind, one.language) != (other.kind, other.language) or not _same_signature(one, other):
                raise _FactsDiffer
            self.line(one.line, other.line)
            self.value(one.id, other.id)
            self.value(one.fqn, other.fqn)
            self.value(one.name, other.name)
            self.value(one.parent, other.parent)
            self.value(one.decorators, other.decorators)

    def rows(self, old: Sequence[Any], new: Sequence[Any]) -> None:
        if len(old) != len(new):
            raise _FactsDiffer
        if not old:
            return
        for place, name in enumerate(old[0]._fields):
            compare = self.line if name in _LINES else self.value
            for one, other in {(one[place], other[place]) for one, other in zip(old, new, strict=True)}:
                compare(one, other)

    def line(self, old: int, new: int) -> None:
        if self.lines.setdefault(old, new) != new or (old == 0) != (new == 0):
            raise _FactsDiffer

    def value(self, old: Any, new: Any) -> None:
        if isinstance(old, str) and isinstance(new, str):
            if "%" in old or "<" in old:
                self._text(old, new)
            elif old != new:
                raise _FactsDiffer
        elif isinstance(old, tuple) and isinstance(new, tuple):
            if len(old) != len(new):
                raise _FactsDiffer
            for one, other in zip(old, new, strict=True):
                self.value(one, other)
        elif old != new:
            raise _FactsDiffer

    def _text(self, old: str, new: str) -> None:
        if _PLACE.sub(r"\1", old) != _PLACE.sub(r"\1", new):
            raise _FactsDiffer
        for one, other in zip(_PLACE.finditer(old), _PLACE.finditer(new), strict=True):
            place = f"{other[2]}:{other[3]}"
            if self.places.setdefault(f"{one[2]}:{one[3]}", place) != place:
                raise _FactsDiffer
            self.line(int(one[2]), int(other[2]))

    def moved(self) -> LineShift | None:
        """Return the recorded shift; None if the order of lines changed."""
        if not _ascending([self.lines[line] for line in sorted(self.lines)]):
            return None
        order = sorted(self.places, key=_numbers)
        if not _ascending([_numbers(self.places[place]) for place in order]):
            return None
        return LineShift(self.lines, self.places)


def _same_signature(one: Symbol, other: Symbol) -> bool:
    """Return True if the two signatures agree in all parts that resolution reads.

    Of functions and types it may read everything: receivers, defaults, supertypes. Of values it reads the modifiers.
    """
    if one.signature == other.signature:
        return True
    words, others = one.signature.split(), other.signature.split()
    if one.kind in CALLABLE_KINDS | TYPE_KINDS or _ANYWHERE & set(words) != _ANYWHERE & set(others):
        return False
    return all(a == b or not (a.isalpha() or b.isalpha()) for a, b in zip_longest(words[:4], others[:4], fillvalue=""))


def _numbers(place: str) -> tuple[int, int]:
    line, _, column = place.partition(":")
    return int(line), int(column)


def _ascending(values: Sequence[Any]) -> bool:
    return all(one < other for one, other in pairwise(values))


def shift_graph(graph: CodeGraph, catalog: Catalog, moves: Mapping[int, LineShift]) -> CodeGraph | None:
    """Return the graph with all its edges at their new lines; None if the new line of a use is not known.

    `catalog` has the same files as before the edit, each with as many symbols in the same order. `moves` maps the
    number of each changed file to its line shift.
    """
    ids, paths = catalog.symbols.ids, graph.edges.paths
    lines = {}
    for number, moved in moves.items():
        lines[number] = np.full(max(moved.lines, default=0) + 2, REMOVED, np.int64)  # of the lines after the last, too
        lines[number][list(moved.lines)] = list(moved.lines.values())
    how = RowMap(np.arange(len(ids)), np.arange(len(paths)), lines)
    tables: list[Any] = []
    for table, texts in ((graph.edges, ()), (graph.unresolved, ("name", "receiver")), (graph.externals, ("name",))):
        columns = _moved(table.columns(), texts, moves, how)
        if columns is None:
            return None
        tables.append(type(table)(ids, paths, columns))
    made = Resolution(tables[0], tables[1], tables[2], graph.notes)
    new = CodeGraph(catalog, made)
    new.keep_structure(graph)
    return new


def _moved(
    columns: Columns, texts: tuple[str, ...], moves: Mapping[int, LineShift], how: RowMap
) -> dict[str, Any] | None:
    changed: dict[str, Any] = dict(columns)
    old = np.frombuffer(changed["site"], np.int64) if len(changed["site"]) else np.zeros(0, np.int64)
    sites, words = renumbered(old, how), Words(changed["words"])
    if bool((sites == REMOVED).any()):
        return None
    for file, moved in moves.items() if texts else ():
        rows = np.flatnonzero(old >> 32 == file)
        for name in texts:
            numbers: Any = changed[name]
            for row in rows.tolist():
                text = words.texts[numbers[row]]
                new = moved.text(text) if "%" in text or "<" in text else text
                if new is None:
                    return None
                if new != text:
                    numbers = numbers[:] if numbers is columns[name] else numbers
                    numbers[row] = words.number(new)
            changed[name] = numbers
    return {**changed, "site": as_array(sites, "q"), "words": words.texts}
