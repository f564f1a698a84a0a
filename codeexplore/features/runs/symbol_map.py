"""From traced functions to symbols: by file, first line and qualified name.

The first line of a function's code is that of its first decorator, as is the first line of its symbol. If a file was
edited after it was loaded, its lines are first mapped to those of the loaded text; a function whose line does not fit
is found by its qualified name if that is unique in the file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.features.runs.records import Code
    from codeexplore.index.catalog import Catalog

Match: TypeAlias = Literal["exact", "moved", "none"]
"""How a traced function was found: at its line, elsewhere in the file by its name, or not at all."""

LineMap: TypeAlias = Callable[[str, int], int]
"""(path, line of the file that ran) → line of the loaded text; 0 if it is not there."""

_LAMBDA = re.compile(r"<lambda(?::(?P<line>\d+):(?P<column>\d+))?>")


@dataclass(frozen=True, slots=True)
class MappedCodes:
    """The symbol of each traced function, by its number in the trace; None for functions that match no symbol."""

    symbols: tuple[Symbol | None, ...]
    matches: tuple[Match, ...]


def map_codes(codes: Sequence[Code], catalog: Catalog, line_of: LineMap) -> MappedCodes:
    """Return the symbols of the traced functions."""
    files: dict[str, _File] = {}
    symbols: list[Symbol | None] = []
    matches: list[Match] = []
    for code in codes:
        file = files.get(code.path)
        if file is None:
            file = files[code.path] = _File(catalog.in_file(code.path))
        symbol, match = file.find(code, line_of(code.path, code.line), line_of(code.path, code.body[0]))
        symbols.append(symbol)
        matches.append(match)
    return MappedCodes(tuple(symbols), tuple(matches))


class _File:
    """The symbols of one file by qualified name, without the name of the module."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._module = symbols[0] if symbols else None
        self._named: dict[str, list[Symbol]] = defaultdict(list)
        beginning = len(symbols[0].fqn) + 1 if symbols else 0
        for symbol in symbols:
            if symbol.kind in CALLABLE_KINDS or symbol.kind in TYPE_KINDS:
                self._named[_LAMBDA.sub("<lambda>", symbol.fqn[beginning:])].append(symbol)

    def find(self, code: Code, line: int, body: int) -> tuple[Symbol | None, Match]:
        if self._module is None:
            return None, "none"
        if code.kind == "module":
            return self._module, "exact"
        if code.kind == "comprehension":
            return self._around(code, line)
        named = self._named.get(code.qualname, [])
        if code.kind == "lambda":
            return _lambda_at(named, body or line, code.body[1])
        exact = [symbol for symbol in named if symbol.span.start_line == line]
        if exact:
            return exact[0], "exact"
        return (named[0], "moved") if len(named) == 1 else (None, "none")

    def _around(self, code: Code, line: int) -> tuple[Symbol | None, Match]:
        """Return the function, class or module whose code a comprehension belongs to."""
        owner, _, _ = code.qualname.rpartition(".")
        while owner.endswith(("comp>", "<genexpr>")):
            owner, _, _ = owner.rpartition(".")
        if not owner:
            return self._module, "exact"
        named = self._named.get(owner, [])
        around = [symbol for symbol in named if symbol.span.start_line <= line <= symbol.span.end_line]
        if around:
            return max(around, key=lambda symbol: symbol.span.start_line), "exact"
        return (named[0], "moved") if len(named) == 1 else (None, "none")


def _lambda_at(named: Sequence[Symbol], line: int, column: int) -> tuple[Symbol | None, Match]:
    """Return the last of the lambdas that begin before the place of the first instruction and contain its line.

    Python 3.12 has no column for a lambda that returns a constant. It is found if it is the only one of its line.
    """
    found: list[tuple[int, int, Symbol]] = []
    for symbol in named:
        match = _LAMBDA.search(symbol.name)
        start = (int(match["line"]), int(match["column"])) if match and match["line"] else (symbol.span.start_line, 0)
        if start <= (line, column or 1_000_000) and line <= symbol.span.end_line:
            found.append((*start, symbol))
    if len(found) == 1 or (found and column):
        return max(found, key=lambda each: each[:2])[2], "exact"
    return (named[0], "moved") if len(named) == 1 else (None, "none")
