"""Role of each hit in the answer to a question about a relation.

A hit is a caller or similar, the symbol in question, or a hit that only shares words with the question. `notices`
returns sentences for the answer: on the result of the graph, on limits of the question, and on lanes without hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from codeexplore.index.catalog import Catalog
from codeexplore.search.lanes.interface import ExplainsWalk
from codeexplore.types import CallPath, Direction, Extent, Filters, FusedHit, QueryPlan, Ranking, Relation
from codeexplore.types.certainty import certainty

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


def with_roles(
    hits: Sequence[FusedHit], plan: QueryPlan, graph: object, catalog: Catalog, *, answered: bool = True
) -> tuple[FusedHit, ...]:
    """Return the hits with their paths in the graph and, if the question asks for a relation, their roles.

    If the graph lane has not `answered`, it is not known which hits only share words.
    """
    seeds: dict[str, str] = {}  # chunk → its role if it is a seed
    for seed in plan.seeds if plan.relation is not None else ():
        chunk_id = catalog.chunk_id_for(seed.symbol_id)
        if chunk_id is not None:
            sure = seed.source != "description" or not seeds
            seeds.setdefault(chunk_id, ASKED_ABOUT if sure else MAY_BE_MEANT)
    way = graph.way if isinstance(graph, ExplainsWalk) else None
    told = []
    for hit in hits:
        reached = any(share.lane == "graph" for share in hit.contributions)
        path = way(plan, hit.chunk_id) if reached and way is not None else None
        role = ""
        if plan.relation is not None:
            role = _role(plan, path, catalog) if reached else WORDS_ONLY if answered else ""
            known = seeds.get(hit.chunk_id)
            if known is not None and (not reached or known == ASKED_ABOUT):
                role = known
                ends = () if path is None else map(catalog.symbol, path.symbol_ids)
                path = None if any(each.kind == "lambda" for each in ends) else path  # inside of it: its own lambda
        told.append(replace(hit, role=role, path=path) if role or path is not None else hit)
    return tuple(told)


def without_noise(hits: Sequence[FusedHit], plan: QueryPlan) -> tuple[FusedHit, ...]:
    """Return the hits without those that only share words with the question.

    They are left out if the question names its symbol and the graph answered. If the question describes its symbol,
    they are kept, because it is not certain which symbol is meant.
    """
    if any(seed.source == "description" for seed in (*plan.seeds, *plan.targets)):
        return tuple(hits)
    kept = (hit for hit in hits if hit.role != WORDS_ONLY)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(kept, 1))


def role_name(plan: QueryPlan) -> str:
    """Return the role of a hit, such as "caller", if the plan has a relation; "" if it has none."""
    if plan.relation is None:
        return ""
    return _ROLES.get((plan.relation, plan.direction or "in"), plan.relation)


def _role(plan: QueryPlan, path: CallPath | None, catalog: Catalog) -> str:
    name = role_name(plan)
    if path is None or not path.edges:
        return name
    if name == "implementor" and not catalog.is_required(catalog.symbol(path.symbol_ids[0])):
        name = "override" if path.edges[-1].kind == "OVERRIDES" else name
    word = certainty(min(edge.confidence for edge in path.edges))
    if word == "certain":
        return name
    if name == "on the path":
        return f"{'may be' if word == 'possible' else word} {name}"
    return f"{'possibly' if word == 'possible' and name.endswith('ed') else word} {name}"  # affected, used


_MISSING: Final = {"waiting": "is not ready yet", "failed": "failed", "timed out": "timed out"}
_PLURALS: Final = {
    "implemented": "implemented types or methods",
    "used": "used symbols",
    "imported": "imported symbols",
    "affected": "affected symbols",
    "dependency": "dependencies",
    "subclass": "subclasses",
}
_WORDS_BELOW: Final = "The results below only share words with your question."
_WORDS_BESIDE: Final = "The other results only share words with your question."


def notices(
    plan: QueryPlan,
    rankings: Sequence[Ranking],
    extent: Extent | None,
    *,
    hits: Sequence[FusedHit],
    nothing_passes: bool,
) -> list[str]:
    """Return sentences on unusable questions or filters (`nothing_passes`), and on the results of graph and lanes."""
    said = [reason.why for reason in plan.reasons if reason.choice == "text"]
    if not plan.tokens and not plan.seeds and not hits:
        subject = "report" if plan.kind == "report" else "question"
        said.append(f"The {subject} has no word. Give words, or search for signs and operators with grep.")
    if nothing_passes:
        asked = _in_words(plan.filters)
        said.append(f"No chunk passes the filters: {asked}." if asked else "There is nothing else to rank.")
    graph = next((ranking for ranking in rankings if ranking.lane == "graph"), None)
    if plan.relation is not None:
        others = any(ranking.hits for ranking in rankings if ranking is not graph)
        beside = any(hit.role == WORDS_ONLY for hit in hits)
        said += _about_relation(plan, graph, extent, others=others, beside=beside)
    said += [_about_missing(ranking, alone=len(rankings) == 1) for ranking in rankings if ranking.status in _MISSING]
    return said


def _about_missing(ranking: Ranking, *, alone: bool) -> str:
    """Return a sentence on a lane that did not answer. `alone` is True if no other lane was searched."""
    if ranking.status == "waiting" and not alone:
        return (
            f"This answer was made without the {ranking.lane} lane: {ranking.reason}. The ranks may change; with "
            "wait=True, a search waits for it."
        )
    without = "" if alone else "; the other lanes answered without it"
    return f"The {ranking.lane} lane {_MISSING[ranking.status]}: {ranking.reason}{without}."


def _about_relation(
    plan: QueryPlan, graph: Ranking | None, extent: Extent | None, *, others: bool, beside: bool
) -> list[str]:
    """Return sentences on the hits of the text lanes beside those of the graph, or on why it was not searched.

    `others` is True if the text lanes found something. `beside` is True if their hits are shown together with the hits
    of the graph.
    """
    below = f" {_WORDS_BELOW}" if others else ""
    if graph is None:
        return [f"The graph lane is off, so {_many(plan)} were not looked up.{below}"]
    if not plan.seeds or graph.status not in ("ok", "empty"):
        return []
    if not (extent or Extent(len(graph.hits))).certain:
        return [_WORDS_BELOW] if others else []
    return [_WORDS_BESIDE] if beside else []


def _many(plan: QueryPlan) -> str:
    if plan.relation == "path":
        return "paths"
    one = role_name(plan)
    return _PLURALS.get(one, f"{one}s")


def _in_words(filters: Filters) -> str:
    named = (("path", filters.paths), ("language", filters.languages), ("kind", filters.kinds))
    words = [f"{name} {' or '.join(map(repr, values))}" for name, values in named if values]
    words += [] if filters.symbols is None else [f"{len(filters.symbols):,} chosen symbols"]
    return ", ".join(words if filters.tests else [*words, "no tests"])
