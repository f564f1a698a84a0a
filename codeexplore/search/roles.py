"""What each hit is in the answer to a relation: a caller, the symbol asked about, or only alike in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, runtime_checkable

from codeexplore import settings
from codeexplore.index.catalog import Catalog
from codeexplore.types import CallPath, Direction, FusedHit, QueryPlan, Relation

ASKED_ABOUT: Final = "asked about"
MAY_BE_MEANT: Final = "may be meant"
WORDS_ONLY: Final = "shares words"

_ROLES: Final[dict[tuple[Relation, Direction], str]] = {
    ("callers", "in"): "caller",
    ("callers", "out"): "callee",
    ("callees", "out"): "callee",
    ("callees", "in"): "caller",
    ("implementors", "in"): "implementor",
    ("implementors", "out"): "implemented",
    ("subclasses", "in"): "subclass",
    ("subclasses", "out"): "supertype",
    ("uses", "in"): "user",
    ("uses", "out"): "used",
    ("imports", "in"): "importer",
    ("imports", "out"): "imported",
    ("impact", "in"): "affected",
    ("impact", "out"): "dependency",
    ("path", "in"): "on the path",
    ("path", "out"): "on the path",
    ("path", "both"): "on the path",
}


@runtime_checkable
class KnowsTheWay(Protocol):
    """A lane that can tell how it came from a seed to a chunk."""

    def way(self, plan: QueryPlan, chunk_id: str) -> CallPath | None:
        """The path from a seed to a chunk."""
        ...


def with_roles(
    hits: Sequence[FusedHit], plan: QueryPlan, graph: object, catalog: Catalog, *, answered: bool = True
) -> tuple[FusedHit, ...]:
    """The hits, each with its role when the question asks for a relation, and with the graph's path to it.

    Unless the graph has `answered`, nobody knows that a hit only shares words.
    """
    seeds: dict[str, str] = {}  # chunk → its role if it is a seed
    for seed in plan.seeds if plan.relation is not None else ():
        chunk_id = catalog.chunk_id_for(seed.symbol_id)
        if chunk_id is not None:
            sure = seed.source != "description" or not seeds
            seeds.setdefault(chunk_id, ASKED_ABOUT if sure else MAY_BE_MEANT)
    way = graph.way if isinstance(graph, KnowsTheWay) else None
    told = []
    for hit in hits:
        reached = any(share.lane == "graph" for share in hit.contributions)
        path = way(plan, hit.chunk_id) if reached and way is not None else None
        role = ""
        if plan.relation is not None:
            role = _role(plan, path) if reached else WORDS_ONLY if answered else ""
            known = seeds.get(hit.chunk_id)
            if known is not None and (not reached or known == ASKED_ABOUT):
                role = known
        told.append(replace(hit, role=role, path=path) if role or path is not None else hit)
    return tuple(told)


def without_noise(hits: Sequence[FusedHit], plan: QueryPlan) -> tuple[FusedHit, ...]:
    """The hits without those that only share words with a question whose symbol is named and which the graph answered.

    Which symbol a description means is itself in doubt, so its answers keep them.
    """
    if any(seed.source == "description" for seed in (*plan.seeds, *plan.targets)):
        return tuple(hits)
    kept = (hit for hit in hits if hit.role != WORDS_ONLY)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(kept, 1))


def role_name(plan: QueryPlan) -> str:
    """What the answer to a plan's relation consists of, one of it: "caller"."""
    if plan.relation is None:
        return ""
    return _ROLES.get((plan.relation, plan.direction or "in"), plan.relation)


def _role(plan: QueryPlan, path: CallPath | None) -> str:
    name = role_name(plan)
    if path is None or not path.edges:
        return name
    if min(edge.confidence for edge in path.edges) < settings.RESOLVED_CONFIDENCE - 1e-6:
        return f"possible {name}"
    return name
