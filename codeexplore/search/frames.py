"""Symbols that a report names: by its stack frames, and by names that it writes as code.

Both rankings are exact. The file of a frame is the indexed file whose path has the longest end in common with the path
in the report, because the reporter has other folders. In this file, a symbol with the function name of the frame comes
before the symbol at the line of the frame, because the reporter may have another version.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import is_test_path
from codeexplore.search.query.tracebacks import Frame
from codeexplore.search.seeds import MAX_NAMED
from codeexplore.types import TEXT_KINDS, HitColumns, QueryPlan, Symbol, TermScore

if TYPE_CHECKING:
    from numpy.typing import NDArray


class LocatedFrame(NamedTuple):
    """A stack frame, and the symbol in which it ran."""

    frame: Frame
    symbol: Symbol


_HASH: Final = re.compile(r"::h[0-9a-f]{16}$")  # Rust
_ALIAS: Final = re.compile(r" \[as .*\]$")  # JavaScript
_ENDS: Final = re.compile(r"[.:/\s$]+")


def located(frames: Sequence[Frame], catalog: Catalog) -> tuple[LocatedFrame, ...]:
    """Return the frames that are in the repository, in their order, each with its symbol."""
    if not frames:
        return ()
    paths: dict[str, list[str]] = defaultdict(list)
    for path in catalog.paths():
        paths[path.rpartition("/")[2]].append(path)
    found = ((frame, _symbol_of(frame, paths, catalog)) for frame in frames)
    return tuple(LocatedFrame(frame, symbol) for frame, symbol in found if symbol is not None)


def _symbol_of(frame: Frame, paths: dict[str, list[str]], catalog: Catalog) -> Symbol | None:
    written = [part for part in frame.path.split("/") if part not in ("", ".", "..", "~")]
    alike = {path: _common_end(written, path.split("/")) for path in paths.get(written[-1] if written else "", ())}
    most = max(alike.values(), default=0)
    likely = [path for path, length in alike.items() if length == most]
    name = _function_name(frame.function)
    for path in likely if name else ():
        rows = catalog.symbol_rows_in(path)
        named = [catalog.symbols[row] for row in rows if catalog.symbol_name(row)[0] == name]
        if named:
            return min(named, key=lambda symbol: _distance(symbol, frame.line))
    # a file's name alone is too little evidence: every project has a utils.py
    sure = len(likely) == 1 and (most > 1 or most == len(likely[0].split("/")))
    return catalog.at(likely[0], frame.line) if sure and not (name and most < 2) else None


def _common_end(written: Sequence[str], parts: Sequence[str]) -> int:
    length = 0
    while length < min(len(written), len(parts)) and written[-1 - length] == parts[-1 - length]:
        length += 1
    return length


def _function_name(function: str) -> str:
    """Return the last name of a frame's function; "" for the frame of a module or of a function without a name."""
    name = _ALIAS.sub("", _HASH.sub("", function)).removesuffix("()")
    name = re.sub(r"\{\{closure\}\}|\.func\d+(?:\.\d+)*$|[()*]", "", name).strip(".: ")
    last = _ENDS.split(name)[-1] if name else ""
    return "" if last.startswith("<") else last


def _distance(symbol: Symbol, line: int) -> int:
    """Return the number of lines from a symbol to `line`; 0 if the line is inside the symbol."""
    return max(symbol.span.start_line - line, line - symbol.span.end_line, 0)


class ExactHits:
    """A ranking of named places. Each place is a term of the score, so that scores can be explained.

    Parameters
    ----------
    terms
        For each chunk, by row: the places that lead to it, and their scores.
    catalog
        The chunks.
    """

    def __init__(self, terms: dict[int, dict[str, float]], catalog: Catalog) -> None:
        self._terms, self._catalog = terms, catalog

    def __bool__(self) -> bool:
        return bool(self._terms)

    def hits(self, pool: int, allowed: NDArray[np.bool_] | None) -> HitColumns:
        """Return at most `pool` hits, best first. Hits with equal scores are in the order in which they were found."""
        scores = {row: sum(found.values()) for row, found in self._terms.items() if allowed is None or allowed[row]}
        rows = sorted(scores, key=lambda row: -scores[row])[:pool]
        return HitColumns(
            np.array(rows, np.int64), np.array([scores[row] for row in rows], np.float64), self._catalog.chunk_ids()
        )

    def explain(self, plan: QueryPlan, chunk_id: str) -> tuple[TermScore, ...]:  # noqa: ARG002 — as all lanes
        """Return the places that lead to a chunk, with their scores. The scores add up to the chunk's score."""
        found = self._terms.get(self._catalog.chunk_row(chunk_id), {})
        return tuple(TermScore(place, 1, 1, 0.0, score) for place, score in found.items())


def frame_hits(frames: Sequence[LocatedFrame], catalog: Catalog) -> ExactHits:
    """Return a ranking of the symbols in `frames`.

    The score of a frame is 1 / (1 + number of frames of the repository before it).
    """
    terms: dict[int, dict[str, float]] = defaultdict(dict)
    for place, (frame, symbol) in enumerate(frames):
        row = catalog.chunk_row_for(symbol.id)
        if row is not None:
            file = frame.path.rpartition("/")[2]
            terms[row].setdefault(f"{file}:{frame.line} {frame.function}".strip(), 1.0 / (1 + place))
    return ExactHits(terms, catalog)


def _ending_in(name: str, catalog: Catalog) -> Sequence[Symbol]:
    """Return the symbols whose qualified name has the longest end in common with `name`.

    ``Cart.total`` is found for ``shop.Cart.total``. Aliases and re-exports are not followed. A report has hundreds of
    names, most of them from other programs, and each would be searched in all imports of the repository.
    """
    parts = name_parts(name)
    symbols = [symbol for symbol in catalog.named(parts[-1]) if symbol.kind not in TEXT_KINDS] if parts else []
    for start in range(len(parts)):
        found = [symbol for symbol in symbols if name_parts(symbol.fqn)[start - len(parts) :] == parts[start:]]
        if found:
            return [symbol for symbol in found if symbol.kind != "module"] or found
    return []


def name_hits(names: Sequence[str], catalog: Catalog) -> ExactHits:
    """Return a ranking of the symbols that `names` mean.

    If several symbols have a name, they share a score of 1 equally.
    """
    terms: dict[int, dict[str, float]] = defaultdict(dict)
    for name in names:
        symbols = [symbol for symbol in _ending_in(name, catalog) if not is_test_path(symbol.path)]
        if len(symbols) > MAX_NAMED:
            continue  # a word like ``get``: it says nothing
        for symbol in symbols:
            row = catalog.chunk_row_for(symbol.id)
            if row is not None:
                terms[row][name] = 1.0 / len(symbols)
    return ExactHits(terms, catalog)
