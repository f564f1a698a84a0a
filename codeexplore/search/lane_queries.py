"""Queries for the lanes: text lanes search for the symbol in question, the graph lane gets the plan itself."""

from __future__ import annotations

from dataclasses import replace

from codeexplore.text.tokens import tokenize_question
from codeexplore.types import QueryPlan


def asked_of(lane: str, plan: QueryPlan) -> QueryPlan:
    """Return the plan that `lane` gets."""
    return plan if lane == "graph" else subject(plan)


def subject(plan: QueryPlan) -> QueryPlan:
    """Return the plan for the text lanes.

    Its text is the symbol in question, without the words that ask for the relation.
    """
    if plan.kind == "related":
        return replace(plan, text=plan.searched)
    if plan.description:
        return about(plan, plan.description)
    if plan.identifiers and plan.kind in ("identifier", "structural"):
        return replace(about(plan, " ".join(plan.identifiers)), identifiers=plan.identifiers)
    return about(plan, plan.searched) if plan.searched else plan


def about(plan: QueryPlan, text: str) -> QueryPlan:
    """Return the plan with `text` as the text for which the text lanes search."""
    return replace(
        plan, text=text, tokens=tuple(tokenize_question(text)), description="", identifiers=(), searched=""
    )  # fmt: skip
