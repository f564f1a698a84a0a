"""Line shifts: edits that change only the lines and positions in a file's facts, so that every edge remains valid.

Examples are a new comment, a blank line, a docstring, another number in an expression or another version in a constant.
The meaning of a reference depends on the order of lines, but not on line numbers. Two conditions are checked. Every row
of the new facts must equal the old row except for lines and positions, and the order of the lines must be the same.
Signatures of functions and types must be equal, those of values only in their modifiers.

`line_shift` compares the facts of a file. `shift_graph` returns the graph with the same edges at their new lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
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
_OF_SYMBOLS = ("kind", "language", "line", "id", "fqn", "name", "parent", "decorators")
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


def line_shift(old: FileFacts, new: FileFacts) -> LineShift | None:
    """Return the new lines and positions after an edit; None if it changed more than lines and positions.

    `old` and `new` are facts of the same file.
    """
    if (old.path, old.language, old.module) != (new.path, new.language, new.module):
        return None
    if len(old.symbols) != len(new.symbols) or not all(map(_same_signature, old.symbols, new.symbols)):
        return None
    columns, lines, places = _ranked(old)
    others, new_lines, new_places = _ranked(new)
    if columns != others or (0 in lines) != (0 in new_lines):  # 0 is no line
        return None
    pairs = zip(places, new_places, strict=True)
    moved = {f"{line}:{column}": f"{new_line}:{new_column}" for (line, column), (new_line, new_column) in pairs}
    return LineShift(dict(zip(lines, new_lines, strict=True)), moved)


def _ranked(facts: FileFacts) -> tuple[list[Any], list[int], list[tuple[int, int]]]:
    """Return the columns of a file's facts with ranks in place of lines and positions, and both in ascending order.

    The columns of two files are equal if these differ in nothing but lines and positions, whose order is the same.
    """
    symbols = [tuple(getattr(symbol, name) for name in _OF_SYMBOLS) for symbol in facts.symbols]
    columns = list(zip(_OF_SYMBOLS, zip(*symbols, strict=True), strict=True))
    for rows in (getattr(facts, name) for name in _LISTS):
        columns += zip(rows[0]._fields, zip(*rows, strict=True), strict=True) if len(rows) else ()
    values = {value for name, column in columns if name not in _LINES for value in column}
    texts = {text for value in values for text in (value if isinstance(value, tuple) else (value,))}
    marked = [text for text in texts if isinstance(text, str) and ("%" in text or "<" in text)]
    places = sorted({(int(at[2]), int(at[3])) for text in marked for at in _PLACE.finditer(text)})
    lines = {line for name, column in columns if name in _LINES for line in column} | {line for line, _ in places}
    ranks = {line: rank for rank, line in enumerate(sorted(lines))}
    rank_of = {place: f"{ranks[place[0]]}:{number}" for number, place in enumerate(places)}
    known = {text: _PLACE.sub(lambda at: f"{at[1]}:{rank_of[int(at[2]), int(at[3])]}", text) for text in marked}

    def ranked(value: Any) -> Any:
        return tuple(map(ranked, value)) if isinstance(value, tuple) else known.get(value, value)

    told = {value: ranked(value) for value in values}
    made = [(name, list(map((ranks if name in _LINES else told).__getitem__, column))) for name, column in columns]
    return made, list(ranks), places


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
