"""What a person should know about how an answer came to be, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codeexplore.types import Filters, QueryPlan, Ranking

_MISSING: Final = {"waiting": "is not there yet", "failed": "failed", "timed out": "timed out"}


def notices(plan: QueryPlan, rankings: Sequence[Ranking], *, nothing_passes: bool) -> list[str]:
    """Sentences about a cut or wordless question, filters that let nothing through, and lanes that gave nothing."""
    said = [reason.why for reason in plan.reasons if reason.choice == "text"]
    if not plan.tokens and not plan.seeds:
        said.append("the question holds no word; signs alone are found by ws.grep(), and `codeexplore grep`")
    if nothing_passes:
        asked = _in_words(plan.filters)
        said.append(f"no chunk passes the filters: {asked}" if asked else "there is nothing else to rank")
    graph = next((ranking for ranking in rankings if ranking.lane == "graph"), None)
    if plan.relation is not None and plan.seeds and graph is not None and graph.status == "empty":
        said.append(f"the graph has no {plan.relation} here; what follows was found by words alone")
    others = any(ranking.hits for ranking in rankings if ranking is not graph)
    if plan.relation is not None and graph is not None and graph.hits and others:
        alone = "hits that share words alone follow: a call may leave no trace in the source"
        said.append(f"{len(graph.hits)} by the graph ({plan.relation}); {alone}")
    without = "; the others answered without it" if len(rankings) > 1 else ""
    said += [
        f"the {ranking.lane} lane {_MISSING[ranking.status]}: {ranking.reason}{without}"
        for ranking in rankings
        if ranking.status in _MISSING
    ]
    return said


def _in_words(filters: Filters) -> str:
    """What is asked of a hit, each value quoted."""
    named = (("path", filters.paths), ("language", filters.languages), ("kind", filters.kinds))
    words = [f"{name} {' or '.join(map(repr, values))}" for name, values in named if values]
    return ", ".join(words if filters.tests else [*words, "no tests"])
