"""Lookup tables that all answers about one snapshot share. They are computed once.

`Parts` has the symbols with several chunks, of which an answer shows only one, the same for every lane. A long symbol
is split into parts. The heads of an overloaded function (``@overload``, TypeScript's declarations without a body) are
chunks of their own; the implementation is shown instead of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.registry import is_text, languages
from codeexplore.search.lanes.interface import KnowsWords
from codeexplore.search.options import allowed_chunks
from codeexplore.search.ranking.rerank import Words
from codeexplore.search.seeds import MEMBER, Corrector, definitions
from codeexplore.types import TEXT_KINDS, TYPE_KINDS, HitColumns, LaneName, Ranking, Retriever, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.model import CodeGraph


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


_COMMENTS: Final = ("//", "#", "*", "/*", "--")
_LOCAL: Final = (
    r"\b(?:const|let|var|val|auto|mut|type|final)[ \t]+{0}\s*(?::[^=\n]{{1,80}})?(?:=(?![=>])|;)"
    r"|(?<![\w.]){0}\s*:=|(?P<plain>^[ \t]*{0}\s*=(?![=>]))"
)
_UNDECLARED: Final = frozenset({"python", "ruby"})  # languages in which an assignment makes a local
_SELVES: Final = frozenset({"self", "this", "cls", "Self"})
_NAMES: Final = 4096
"""Number of names cached as a symbol's or not: a question asks several times."""


class Snapshot:
    """Symbols, graph and statistics of lanes, for planning, seed finding and signals. The graph may be None."""

    def __init__(self, catalog: Catalog, retrievers: Mapping[LaneName, Retriever], graph: CodeGraph | None) -> None:
        self.catalog = catalog
        self.retrievers = retrievers
        self.graph = graph
        self.words = Words(catalog)
        self.knows = lru_cache(maxsize=_NAMES)(  # headings of texts do not count
            lambda name: any(symbol.kind not in TEXT_KINDS for symbol in self.catalog.find(name))
        )
        self.places = lru_cache(maxsize=64)(self._places)
        self.allowed = lru_cache(maxsize=16)(lambda filters: allowed_chunks(filters, self.catalog))

    def names(self, name: str) -> bool:
        """Return True if `name`, or the end of it, means a symbol, a ``path:line`` or a name outside the repository."""
        return bool(definitions(name, self.catalog)[0] or self.outside(name))

    def outside(self, name: str) -> tuple[str, ...]:
        if self.graph is None:
            return ()
        from codeexplore.graph.external import named

        return named(self.graph, name)

    def used(self, name: str) -> tuple[Site, ...]:
        """Return the places where a name is used and no symbol is known that it means: none of another receiver."""
        *_, around, last = ("", "", *name_parts(name))
        if self.graph is None or not last:
            return ()
        left = tuple(self.graph.unresolved.named(last))
        own = tuple(each.site for each in left if not around or (name_parts(each.receiver) or ("",))[-1] == around)
        member = MEMBER.format(re.escape(around), re.escape(last))
        own = own or (self.places(member, member, last) if around else self.local(last))
        any_may = around in _SELVES or any(each.kind in TYPE_KINDS for each in self.catalog.named(around))
        return own or tuple(each.site for each in left if any_may)  # an object of the type has any name

    def local(self, name: str) -> tuple[Site, ...]:
        """Return the lines of a name where functions, or the bodies of types, declare it without being a symbol."""
        return self.places(_LOCAL.format(name), name, name) if name.isidentifier() else ()

    def _places(self, pattern: str, word: str, last: str) -> tuple[Site, ...]:
        """Return the lines of code with `word`, no comments, of the chunks that have `last` and match `pattern`."""
        form, own, found = re.compile(pattern, re.MULTILINE), re.compile(rf"(?<!\w){word}(?!\w)"), list[Site]()
        for chunk in (each for each in self.catalog.chunks if last in each.text):
            plain = chunk.language in _UNDECLARED
            fits = any(plain or not each.groupdict().get("plain") for each in form.finditer(chunk.text))
            if fits and not is_text(chunk.language):
                lines = [line for span in chunk.spans for line in span.lines]
                for number, line in zip(lines, chunk.text.split("\n"), strict=False):
                    if own.search(line) and not line.lstrip().startswith(_COMMENTS):
                        found.append(Site(chunk.path, number))
        return tuple(dict.fromkeys(found))

    @cached_property
    def word_lane(self) -> KnowsWords | None:
        return next((lane for lane in self.retrievers.values() if isinstance(lane, KnowsWords)), None)

    @property
    def idf(self) -> Callable[[str], float]:
        """Function that returns the rarity of a token; all are equally rare if no lane knows words."""
        return (lambda _: 1.0) if self.word_lane is None else self.word_lane.idf

    @cached_property
    def corrector(self) -> Corrector:
        """The corrector of misspelt names. If no lane knows all words, it corrects only case and underscores."""
        holds = (lambda _: False) if self.word_lane is None else self.word_lane.holds
        return Corrector(self.catalog, holds, lambda name: bool(self.used(name) or self.outside(name)))

    @cached_property
    def parts(self) -> Parts:
        return Parts(self.catalog)

    @cached_property
    def parts_of_files(self) -> Parts:
        """The same for answers with one hit per file: the head of an overloaded function is evidence for its file."""
        return Parts(self.catalog, heads=False)

    @cached_property
    def chunk_importance(self) -> dict[str, float]:
        """Chunk id → PageRank of its symbol divided by the largest PageRank, 0–1; for the fusion `rrf_pagerank`."""
        if self.graph is None:
            return {}
        ranks = self.graph.importance
        return {chunk.id: ranks.get(chunk.symbol or "", 0.0) for chunk in self.catalog.chunks}

    def nearness(self, ranking: Ranking) -> dict[str, float]:
        """Return for each hit its personalised PageRank from all hits, divided by the largest; for `lexical_ppr`.

        The walks go along the edges of the hits' symbols, and begin at a hit by 1 / rank.
        """
        graph, symbols = self.graph, {hit.chunk_id: self.catalog.chunk(hit.chunk_id).symbol for hit in ranking.hits}
        if graph is None or not any(symbols.values()):
            return {}
        reset: dict[int, float] = {}
        for hit in ranking.hits:
            if symbol := symbols[hit.chunk_id]:
                reset.setdefault(graph.vertex(symbol), 1.0 / hit.rank)
        rows = dict.fromkeys(row for vertex in reset for row in graph.incident(vertex, "both"))
        ends = {end for row in rows for end in (graph.edges.source[row], graph.edges.target[row])}
        vertices = sorted(ends | reset.keys())
        ranks = dict(zip(vertices, graph.personalised(vertices, list(rows), reset), strict=True))
        top = max(ranks[vertex] for vertex in reset)
        return {chunk: ranks[graph.vertex(symbol)] / top for chunk, symbol in symbols.items() if symbol}
