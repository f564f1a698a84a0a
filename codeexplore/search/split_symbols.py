"""Symbols with several chunks: an answer shows only one of these chunks, the same for every lane.

A long symbol is split into parts. The heads of an overloaded function (``@overload``, TypeScript's declarations without
a body) are chunks of their own; the implementation is shown instead of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.languages.registry import languages
from codeexplore.types import HitColumns, Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Parts:
    """The chunks that are parts of split symbols, and the `heads` of overloaded functions, if these are wanted."""

    def __init__(self, catalog: Catalog, heads: bool = True) -> None:
        self._catalog = catalog
        of_parts = catalog.chunks.parts != 0
        self._owner: NDArray[np.int32] = np.where(of_parts, catalog.chunks.symbol_rows, np.int32(-1))  # -1: not a part
        self._shown: NDArray[np.int64] = np.arange(len(catalog.chunks))  # by row: the chunk shown in its place
        for head, row, symbol in _heads(catalog) if heads else ():
            self._owner[[head, row]] = symbol
            self._shown[head] = row

    def collapse(self, rankings: Sequence[Ranking]) -> tuple[Ranking, ...]:
        """Return the rankings with one hit for each split symbol, and with new ranks without gaps.

        In every lane, a symbol is shown by the part that has the best rank in any lane. If several lanes give the same
        rank, the first lane decides.
        """
        columns = [self._with_columns(ranking) for ranking in rankings]
        among = [self._among(ranking) for ranking in columns]
        best: dict[int, tuple[int, int]] = {}  # symbol → place and row of its best part
        for parts in among:
            for place, row, symbol in parts:
                if symbol not in best or place < best[symbol][0]:
                    best[symbol] = (place, row)
        return tuple([_with_one(ranking, parts, best) for ranking, parts in zip(columns, among, strict=True)])

    def _with_columns(self, ranking: Ranking) -> Ranking:
        if isinstance(ranking.hits, HitColumns) or not ranking.hits:
            return ranking
        rows = np.array([self._catalog.chunk_row(hit.chunk_id) for hit in ranking.hits])
        scores = np.array([hit.score for hit in ranking.hits], np.float64)
        return replace(ranking, hits=HitColumns(rows, scores, self._catalog.chunks.ids))

    def shown(self, chunk_id: str) -> str:
        """Return the chunk that is shown instead of `chunk_id`: of the implementation instead of an overload's head."""
        return self._catalog.chunks.ids[int(self._shown[self._catalog.chunk_row(chunk_id)])]

    def _among(self, ranking: Ranking) -> list[tuple[int, int, int]]:
        """Return (place, row, number of the symbol) of each part among a ranking's hits, in order."""
        if not ranking.hits:
            return []
        rows = self._shown[cast("HitColumns", ranking.hits).rows]
        owner = self._owner[rows]
        places = (owner >= 0).nonzero()[0]
        return list(zip(places.tolist(), rows[places].tolist(), owner[places].tolist(), strict=True))


def _heads(catalog: Catalog) -> Iterator[tuple[int, int, int]]:
    """Yield (row of an overload head's chunk, row of its implementation's chunk, number of the symbol)."""
    groups: dict[str, list[str]] = {}
    for symbol_id in catalog.symbols.ids:
        first, mark, number = symbol_id.rpartition("#")
        if mark and number.isdigit():
            groups.setdefault(first, [first]).append(symbol_id)
    heads_of = {language.name: language.is_overload_head for language in languages()}
    for ids in groups.values():
        symbols = [catalog.symbol(each) for each in ids if catalog.has_symbol(each)]
        is_head = heads_of.get(symbols[-1].language)
        rows = [] if is_head is None else [_own_row(catalog, symbol.id) for symbol in symbols]
        if is_head is None or rows[-1] is None or is_head(symbols[-1], _end(catalog, symbols[-1].id)):
            continue
        for symbol, row in zip(symbols[:-1], rows[:-1], strict=True):
            if row is not None and is_head(symbol, _end(catalog, symbol.id)):
                yield row, rows[-1], catalog.symbol_row(symbols[-1].id)


def _own_row(catalog: Catalog, symbol_id: str) -> int | None:
    """Return the row of the symbol's own chunk; None if it has none because a larger chunk contains it."""
    row = catalog.chunk_row_for(symbol_id)
    return row if row is not None and catalog.chunks[row].symbol == symbol_id else None


def _end(catalog: Catalog, symbol_id: str) -> str:
    chunks = catalog.chunks_of(symbol_id)
    return chunks[-1].text if chunks else ""


def _with_one(ranking: Ranking, parts: Sequence[tuple[int, int, int]], best: Mapping[int, tuple[int, int]]) -> Ranking:
    """Return a ranking in which each split symbol has only its best part."""
    if not parts:
        return ranking
    hits = cast("HitColumns", ranking.hits)
    standing, kept = hits.rows.copy(), np.ones(len(hits), np.bool_)
    seen: set[int] = set()
    for place, _, symbol in parts:
        standing[place] = best[symbol][1]
        kept[place] = symbol not in seen
        seen.add(symbol)
    return replace(ranking, hits=HitColumns(standing[kept], hits.scores[kept], hits.chunk_ids))
