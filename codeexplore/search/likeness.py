"""What "symbols like this one" asks of the lanes: the text of the symbol, and its place in the graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from codeexplore.errors import QuestionError
from codeexplore.query.options import check_lanes, check_weights
from codeexplore.tokens import tokenize
from codeexplore.types import LANES, Chunk, Filters, LaneName, QueryPlan, Reason, Seed, Symbol

RELATED_WEIGHTS: Final[Mapping[LaneName, float]] = {"embedding": 1.0, "graph": 1.0}
"""Likeness of meaning and nearness in the graph, equally."""

RELATED_DEPTH: Final = 2
"""Edges: two symbols that call the same thing are two edges apart."""


def likeness_plan(
    chunks: Sequence[Chunk],
    symbol: Symbol | None,
    text: str,
    filters: Filters,
    *,
    lanes: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> QueryPlan:
    """A plan for what is like a symbol, or a chunk that belongs to none.

    Parameters
    ----------
    chunks
        What it consists of; not empty.
    symbol
        The symbol, where the graph starts.
    text
        What the text lanes index of it.
    """
    name = symbol.fqn if symbol is not None else f"{chunks[0].path}:{chunks[0].start_line}"
    chosen: dict[LaneName, float] = dict(RELATED_WEIGHTS)
    reasons = [
        Reason("kind", f"it asks for what is like `{name}`: in the meaning of its words, and in what it is joined to")
    ]
    if lanes is not None:
        chosen = {lane: RELATED_WEIGHTS.get(lane, 1.0) for lane in check_lanes(lanes)}
        reasons.append(Reason("lanes", f"lanes={tuple(chosen)!r} was given"))
    if weights is not None:
        chosen.update(check_weights(weights))
        reasons.append(Reason("weights", f"weights={dict(weights)!r} was given"))
    running = {lane: chosen[lane] for lane in LANES if chosen.get(lane, 0.0) > 0.0}
    if not running:
        raise QuestionError("no lane is left to answer: every weight is 0")
    seeds = () if symbol is None else (Seed(symbol.id, "object", 1.0, "what the others are to be like"),)
    return QueryPlan(
        text=f"like {name}", kind="related", tokens=tuple(tokenize(text)), depth=RELATED_DEPTH, seeds=seeds,
        filters=filters, lanes=running, reasons=tuple(reasons), searched=text,
    )  # fmt: skip
