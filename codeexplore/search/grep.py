"""Exact text and regular expressions over every indexed file, matches grouped by the symbol they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from codeexplore.file_roles import path_role
from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import path_passes
from codeexplore.search.patterns import Find
from codeexplore.types import Filters, SourceFile, Symbol

MAX_MATCHES: Final = 100_000
"""Matches that are looked at. A pattern with more of them stands nearly everywhere, and the answer says so."""

MAX_LINES: Final = 1_000
"""Lines kept of one symbol; `count` counts all matches."""

_FIRST_ROLES: Final = {"source": 0, "compat": 1, "docs": 2}
_OTHER_ROLES: Final = 3


class GrepLine(NamedTuple):
    """A line with a match. `spans` are columns of the line, 0-based and half-open, in characters."""

    line: int  # 1-based
    text: str  # without its line ending
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class GrepGroup:
    """The matches inside one symbol and outside of the symbols within it."""

    path: str
    symbol_id: str | None  # None for lines that stand in no symbol
    count: int  # matches, several on one line counted
    lines: tuple[GrepLine, ...]
    defines: bool  # the symbol is called exactly what was looked for


@dataclass(frozen=True, slots=True)
class GrepResult:
    """Groups best first, at most as many as were wanted, and the totals over all."""

    groups: tuple[GrepGroup, ...]
    matches: int
    symbols: int  # groups before the cut
    files: int  # with a match
    cut: bool  # the search stopped at MAX_MATCHES


class _Found(NamedTuple):
    """The matches of one group while files are looked at: (start, end) in bytes of the file."""

    file: SourceFile
    symbol: Symbol | None
    spans: list[tuple[int, int]]
    first_line: int
    defines: bool


def grep(files: Iterable[SourceFile], catalog: Catalog, find: Find, filters: Filters, top_k: int) -> GrepResult:
    """Look for a pattern in all files that pass the filters.

    Order: the definition of what was matched, then code before compatibility code, documentation and tests, then more
    matches before fewer, then path and line. With `filters.kinds`, a match belongs to the innermost symbol of those
    kinds, and others are left out.
    """
    found: list[_Found] = []
    matches, with_match, cut = 0, 0, False
    for file in files:
        if cut or not _passes(file, filters):
            continue
        data = file.text.encode("utf-8", "replace")
        spans: list[tuple[int, int]] = []
        for span in find(data):
            if matches + len(spans) == MAX_MATCHES:
                cut = True
                break
            spans.append(span)
        groups = list(_by_symbol(file, data, spans, catalog, filters.kinds)) if spans else []
        found += groups
        with_match += bool(groups)
        matches += sum(len(group.spans) for group in groups)
    found.sort(key=_order)
    kept = tuple(_group(each) for each in found[:top_k])
    return GrepResult(kept, matches, len(found), with_match, cut)


def _passes(file: SourceFile, filters: Filters) -> bool:
    return (not filters.languages or file.language in filters.languages) and path_passes(file.path, filters)


def _order(found: _Found) -> tuple[bool, int, int, str, int]:
    role = _FIRST_ROLES.get(path_role(found.file.path), _OTHER_ROLES)
    return not found.defines, role, -len(found.spans), found.file.path, found.first_line


def _by_symbol(
    file: SourceFile, data: bytes, spans: Sequence[tuple[int, int]], catalog: Catalog, kinds: Sequence[str]
) -> Iterator[_Found]:
    """The matches of a file by the innermost symbol around their first line."""
    owners = _owners(catalog.in_file(file.path), kinds)
    groups: dict[str, _Found] = {}
    line, at = 1, 0
    for start, end in spans:
        line += data.count(b"\n", at, start)
        at = start
        symbol = owners[line] if line < len(owners) else None
        if symbol is None and kinds:
            continue
        key = symbol.id if symbol is not None else ""
        defines = symbol is not None and line == symbol.line and data[start:end] == symbol.name.encode()
        group = groups.get(key)
        if group is None:
            groups[key] = _Found(file, symbol, [(start, end)], line, defines)
        else:
            group.spans.append((start, end))
            if defines:
                groups[key] = group._replace(defines=True)
    yield from groups.values()


def _owners(symbols: Sequence[Symbol], kinds: Sequence[str]) -> list[Symbol | None]:
    """By line (1-based), the innermost symbol of these kinds; of all but anonymous ones when no kinds are given."""
    fitting = [symbol for symbol in symbols if (symbol.kind in kinds if kinds else symbol.kind != "lambda")]
    owners: list[Symbol | None] = [None] * (max((s.span.end_line for s in fitting), default=0) + 1)
    for symbol in sorted(fitting, key=lambda s: s.span.start_byte - s.span.end_byte):  # the largest first
        first, last = symbol.span.start_line, symbol.span.end_line
        owners[first : last + 1] = [symbol] * (last - first + 1)
    return owners


def _group(found: _Found) -> GrepGroup:
    data = found.file.text.encode("utf-8", "replace")
    by_line: dict[int, list[tuple[int, int]]] = {}
    starts: dict[int, int] = {}
    line, at = 1, 0
    for start, end in found.spans:
        line += data.count(b"\n", at, start)
        at = start
        if line not in by_line:
            if len(by_line) == MAX_LINES:
                break
            by_line[line], starts[line] = [], data.rfind(b"\n", 0, start) + 1
        by_line[line].append((start, end))
    lines = tuple(_line(data, number, starts[number], spans) for number, spans in by_line.items())
    symbol_id = found.symbol.id if found.symbol is not None else None
    return GrepGroup(found.file.path, symbol_id, len(found.spans), lines, found.defines)


def _line(data: bytes, number: int, begin: int, spans: Sequence[tuple[int, int]]) -> GrepLine:
    end = data.find(b"\n", begin)
    end = len(data) if end == -1 else end
    text = data[begin:end].decode("utf-8", "replace")
    columns = tuple(
        (
            len(data[begin:start].decode("utf-8", "replace")),
            len(data[begin : min(stop, end)].decode("utf-8", "replace")),
        )
        for start, stop in spans
    )
    return GrepLine(number, text.removesuffix("\r"), columns)
