"""Seeds that can't stand in a relation, joined by those that can: nobody calls a field, but its type's methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Relation, Seed, Symbol

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph

EXPANDED: Final[frozenset[Relation | None]] = frozenset({"callers", "callees", "path"})
"""Relations between callables."""

SHARE: Final = 0.5
"""What a method weighs beside the field it was found by."""


def with_methods(seeds: Sequence[Seed], relation: Relation | None, graph: CodeGraph | None) -> tuple[Seed, ...]:
    """The seeds, and for each field the methods of its type: those that use it, all when none is known to.

    The expansion is CKB's (github.com/SimplyLiz/CodeMCP), which follows it for every question.
    """
    if graph is None or relation not in EXPANDED:
        return tuple(seeds)
    known = {seed.symbol_id for seed in seeds}
    found: list[Seed] = list(seeds)
    for seed in seeds:
        field = graph.catalog.symbol(seed.symbol_id)
        if field.kind not in ("field", "constant") or field.parent is None:
            continue
        owner = graph.catalog.symbol(field.parent)
        if owner.kind not in TYPE_KINDS:
            continue
        methods = [symbol for symbol in _methods(owner, graph) if symbol.id not in known]
        using = _users(field, graph)
        chosen = [method for method in methods if method.id in using] or methods
        known.update(method.id for method in chosen)
        how = "uses" if any(method.id in using for method in chosen) else "stands beside"
        found += [
            Seed(method.id, seed.source, SHARE * seed.weight, f"a method of `{owner.name}` that {how} `{field.name}`")
            for method in chosen
        ]
    return tuple(found)


def _methods(owner: Symbol, graph: CodeGraph) -> list[Symbol]:
    rows = graph.incident(graph.vertex(owner.id), "out", ("CONTAINS",))
    inside = (graph.symbol(graph.edges.target[row]) for row in rows)
    return [symbol for symbol in inside if symbol.kind in CALLABLE_KINDS]


def _users(field: Symbol, graph: CodeGraph) -> set[str]:
    return {graph.symbol(graph.edges.source[row]).id for row in graph.incident(graph.vertex(field.id), "in", ("USES",))}
