"""Search for exact text and regular expressions in every indexed file. Matches are grouped by the symbol around them.

`compile_pattern` makes a function that finds a pattern in UTF-8 bytes in linear time. `grep` applies it to the files.
Regular expressions are RE2's. No pattern can be slow, but there are no backreferences and no look-around. Only this
module and `source.gitignore` import google-re2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from codeexplore.index.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles, is_inline_test
from codeexplore.search.options import path_passes
from codeexplore.types import Filters, SourceFile, Symbol
from codeexplore.types.errors import QuestionError

Find: TypeAlias = Callable[[bytes], Iterator[tuple[int, int]]]
"""Function of a text that returns (start, end) of each match in bytes, ascending, none overlapping or empty."""

MAX_PATTERN_CHARS: Final = 10_000
"""Characters. Longer patterns are pasted by mistake."""

_MEMORY: Final = 8 << 20
"""Bytes for one compiled pattern, RE2's own default: a pattern that needs more is refused."""

_LINES: Final = b"(?m)"
"""Prefix of a regular expression: ^ and $ match the ends of lines."""

_NOT_IN_RE2: Final = {
    "invalid perl operator": "RE2, which matches in linear time, has no look-around and no backreferences",
    "invalid escape sequence": "RE2 has no such escape; a backslash before a punctuation character matches it as it is",
    "pattern too large": "a smaller repeat count makes it smaller",
}
_PLAIN: Final = "as a plain text it is searched exactly as written"


def compile_pattern(pattern: str, *, regex: bool = False, ignore_case: bool = False) -> Find:
    """Return a function that finds a pattern. Raises QuestionError for a pattern that cannot be searched for.

    In a regular expression, ``^`` and ``$`` match the start and the end of a line, and ``.`` does not match a newline.
    A line ends in a line feed: `grep` reads Windows line endings as such.
    """
    if not isinstance(pattern, str):
        raise QuestionError(f"a pattern is a string, not {type(pattern).__name__}: {pattern!r:.80}")
    if not pattern:
        raise QuestionError("the pattern is empty; give a text that is in the code, such as 'connection refused'")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise QuestionError(f"the pattern has {len(pattern):,} characters; at most {MAX_PATTERN_CHARS:,} are allowed")
    encoded = pattern.encode("utf-8", "replace")
    if not regex and not ignore_case:
        return lambda data: _exact(data, encoded)
    return _with_re2(pattern, encoded, regex, ignore_case)


def _searched(file: SourceFile) -> bytes:
    """Return the text of a file with line feeds as its line endings, whatever the platform on which it was saved."""
    return file.text.replace("\r\n", "\n").encode("utf-8", "replace")


def _exact(data: bytes, wanted: bytes) -> Iterator[tuple[int, int]]:
    size = len(wanted)
    at = data.find(wanted)
    while at != -1:
        yield at, at + size
        at = data.find(wanted, at + size)


def _with_re2(pattern: str, encoded: bytes, regex: bool, ignore_case: bool) -> Find:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.case_sensitive = not ignore_case
    options.literal = not regex
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(_LINES + encoded if regex else encoded, options)
    except re2.error as error:
        raise _refused(pattern, error) from error

    def found(data: bytes) -> Iterator[tuple[int, int]]:
        for match in compiled.finditer(data):
            start, end = match.span()
            if start < end:
                yield start, end

    return found


def _refused(pattern: str, error: Exception) -> QuestionError:
    told = error.args[0] if error.args else ""
    why = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    why = why.replace(_LINES.decode(), "", 1)
    hint = next((hint for start, hint in _NOT_IN_RE2.items() if why.startswith(start)), _PLAIN)
    return QuestionError(f"{pattern!r:.120} is not a regular expression: {why}; {hint}")


MAX_MATCHES: Final = 100_000
"""Limit of matches that are examined. A pattern with more of them occurs nearly everywhere, and the answer says so."""

MAX_LINES: Final = 1_000
"""Lines kept of one symbol; `count` counts all matches."""

_FIRST_ROLES: Final = {"source": 0, "compat": 1, "docs": 2}
_OTHER_ROLES: Final = 3


class GrepLine(NamedTuple):
    """One line with a match. `spans` are columns of the line, 0-based and half-open, in characters."""

    line: int  # 1-based
    text: str  # without its line ending
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class GrepGroup:
    """The matches inside one symbol, without matches inside its nested symbols."""

    path: str
    symbol_id: str | None  # None for lines outside any symbol
    count: int  # matches, several on one line counted
    lines: tuple[GrepLine, ...]
    defines: bool  # the symbol's name is exactly the text looked for


@dataclass(frozen=True, slots=True)
class GrepResult:
    """Groups of matches, best first, at most as many as requested, and the totals of all matches."""

    groups: tuple[GrepGroup, ...]
    matches: int
    symbols: int  # groups before the cut
    files: int  # with a match
    cut: bool  # the search stopped at MAX_MATCHES


class _Found(NamedTuple):
    """Matches in one symbol of a file, or outside of all its symbols: `spans` are pairs (start, end) in bytes."""

    file: SourceFile
    symbol: Symbol | None
    spans: list[tuple[int, int]]
    first_line: int
    defines: bool


def grep(files: Iterable[SourceFile], catalog: Catalog, find: Find, filters: Filters, top_k: int) -> GrepResult:
    """Search for a pattern in all files that pass the filters.

    The definition of the matched name comes first. Then code comes before compatibility code, documentation and tests.
    Among these, groups with more matches come first, then the order is by path and line. With `filters.kinds`, a match
    belongs to the innermost symbol of these kinds; matches outside of such symbols are left out.
    """
    found: list[_Found] = []
    matches, with_match, cut = 0, 0, False
    for file in files:
        wanted = not filters.languages or file.language in filters.languages
        if cut or not wanted or not path_passes(file.path, filters, catalog.roles):
            continue
        data = _searched(file)
        spans: list[tuple[int, int]] = []
        for span in find(data):
            if matches + len(spans) == MAX_MATCHES:
                cut = True
                break
            spans.append(span)
        groups = list(_by_symbol(file, data, spans, catalog, filters.kinds)) if spans else []
        if not filters.tests:
            groups = [each for each in groups if each.symbol is None or not is_inline_test(each.symbol)]
        found += groups
        with_match += bool(groups)
        matches += sum(len(group.spans) for group in groups)
    found.sort(key=partial(_order, roles=catalog.roles))
    kept = tuple(_group(each) for each in found[:top_k])
    return GrepResult(kept, matches, len(found), with_match, cut)


def may_match(path: str, filters: Filters, roles: PathRoles) -> bool:
    """Return True if the filters would let a file pass that was not read."""
    language = registry.by_path(path)
    known = not filters.languages or (language is not None and language.name in filters.languages)
    return known and path_passes(path, filters, roles)


def _order(found: _Found, roles: PathRoles) -> tuple[bool, int, int, str, int]:
    role = _FIRST_ROLES.get(roles.of(found.file.path), _OTHER_ROLES)
    return not found.defines, role, -len(found.spans), found.file.path, found.first_line


def _by_symbol(
    file: SourceFile, data: bytes, spans: Sequence[tuple[int, int]], catalog: Catalog, kinds: Sequence[str]
) -> Iterator[_Found]:
    """Yield the matches in a file, grouped by the innermost symbol around their first line."""
    owners = _owners(catalog.in_file(file.path), kinds)
    groups: dict[str, _Found] = {}
    for line, start, end in _by_line(data, spans):
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


def _by_line(data: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield (line, start, end) for spans in ascending order."""
    line, at = 1, 0
    for start, end in spans:
        line += data.count(b"\n", at, start)
        at = start
        yield line, start, end


def _owners(symbols: Sequence[Symbol], kinds: Sequence[str]) -> list[Symbol | None]:
    """Return for each line (1-based) the innermost symbol of one of `kinds`; without kinds, not of an anonymous one."""
    fitting = [symbol for symbol in symbols if (symbol.kind in kinds if kinds else symbol.kind != "lambda")]
    owners: list[Symbol | None] = [None] * (max((s.span.end_line for s in fitting), default=0) + 1)
    for symbol in sorted(fitting, key=lambda s: s.span.start_byte - s.span.end_byte):  # the largest first
        first, last = symbol.span.start_line, symbol.span.end_line
        owners[first : last + 1] = [symbol] * (last - first + 1)
    return owners


def _group(found: _Found) -> GrepGroup:
    data = _searched(found.file)
    by_line: dict[int, list[tuple[int, int]]] = {}
    starts: dict[int, int] = {}
    for line, start, end in _by_line(data, found.spans):
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
    return GrepLine(number, text, columns)
