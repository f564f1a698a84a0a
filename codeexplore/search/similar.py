"""Plan for "symbols similar to this one": by the text of the symbol, and by its place in the graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from codeexplore.index.catalog import Catalog
from codeexplore.search.query.planner import chosen_lanes
from codeexplore.text.tokens import tokenize
from codeexplore.types import Chunk, Filters, LaneName, QueryPlan, Reason, Seed, Symbol
from codeexplore.types.errors import QuestionError

RELATED_WEIGHTS: Final[Mapping[LaneName, float]] = {"embedding": 1.0, "graph": 0.5}
"""Similar meaning first: a neighbour of a symbol in the graph need not be similar to it."""

RELATED_DEPTH: Final = 2
"""Edges: two symbols that call the same thing are two edges apart."""


def chunks_of_target(target: Symbol | Chunk, catalog: Catalog) -> tuple[Chunk, ...]:
    """Return the indexed chunks of a symbol or chunk.

    A symbol without chunks of its own gets the chunk that contains it. Raises QuestionError if there is none.
    """
    symbol = target if isinstance(target, Symbol) else catalog.symbol_of(target)
    if symbol is None:
        return (target,) if isinstance(target, Chunk) else ()
    covering = catalog.chunk_for(symbol.id)
    chunks = catalog.chunks_of(symbol.id) or ((covering,) if covering is not None else ())
    if not chunks:
        raise QuestionError(f"nothing of {symbol.fqn} is indexed, so similar symbols can't be found")
    return chunks


def rows_inside(symbol: Symbol | None, chunks: Sequence[Chunk], catalog: Catalog) -> list[int]:
    """Return the rows of the given chunks, and of the chunks of all symbols that are defined inside `symbol`."""
    rows = [catalog.chunk_row(chunk.id) for chunk in chunks]
    if symbol is not None and symbol.kind != "module":
        first, last = symbol.span.start_byte, symbol.span.end_byte
        for inner in catalog.in_file(symbol.path):
            if first <= inner.span.start_byte and inner.span.end_byte <= last:
                rows += [catalog.chunk_row(chunk.id) for chunk in catalog.chunks_of(inner.id)]
    return rows


def likeness_plan(
    chunks: Sequence[Chunk],
    symbol: Symbol | None,
    filters: Filters,
    *,
    lanes: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> QueryPlan:
    """Return a plan for symbols that are similar to a symbol, or to a chunk without one. Raises QuestionError."""
    from codeexplore.search.lanes.embedding import embedded_text

    text = "\n".join(embedded_text(chunk) for chunk in chunks)
    name = symbol.fqn if symbol is not None else f"{chunks[0].path}:{chunks[0].start_line}"
    reasons = [Reason("kind", f"it asks for symbols similar to `{name}`, by meaning and by neighbours in the graph")]
    running = chosen_lanes(RELATED_WEIGHTS, lanes, weights, reasons)
    seeds = () if symbol is None else (Seed(symbol.id, "object", 1.0, "the symbol that the others are compared with"),)
    return QueryPlan(
        text=f"like {name}",
        kind="related",
        tokens=tuple(tokenize(text)),
        depth=RELATED_DEPTH,
        seeds=seeds,
        filters=filters,
        lanes=running,
        reasons=tuple(reasons),
        searched=text,
    )
