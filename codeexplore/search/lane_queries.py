"""Queries of the lanes: text lanes search for the symbol asked about, the graph lane gets the plan itself."""

from __future__ import annotations

from dataclasses import replace

from codeexplore.text.tokens import tokenize_question
from codeexplore.types import QueryPlan


def asked_of(lane: str, plan: QueryPlan) -> QueryPlan:
    """Return the plan as a lane gets it."""
    return plan if lane == "graph" else subject(plan)


def subject(plan: QueryPlan) -> QueryPlan:
    """Return the query of the text lanes: the symbol asked about, not the words of the relation."""
    if plan.kind == "related":
        return replace(plan, text=plan.searched)
    if plan.description:
        return about(plan, plan.description)
    if plan.identifiers and plan.kind in ("identifier", "structural"):
        return replace(about(plan, " ".join(plan.identifiers)), identifiers=plan.identifiers)
    return about(plan, plan.searched) if plan.searched else plan


def about(plan: QueryPlan, text: str) -> QueryPlan:
    """Return the same plan for the text lanes, about other words."""
    return replace(
        plan, text=text, tokens=tuple(tokenize_question(text)), description="", identifiers=(), searched=""
    )  # fmt: skip
