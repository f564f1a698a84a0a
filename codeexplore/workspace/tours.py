"""Tours of a workspace: finds the evidence or the hits from which `codeexplore.tours` makes a tour."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from codeexplore.errors import QuestionError
from codeexplore.results.search import confidence_words
from codeexplore.search.query.options import check_count
from codeexplore.settings import POOL
from codeexplore.text.enumeration import shortened
from codeexplore.tours.planner import TourPlanner
from codeexplore.tours.tour import Tour
from codeexplore.types import Filters
from codeexplore.workspace import searches
from codeexplore.workspace.packs import outdated

if TYPE_CHECKING:
    from codeexplore.tours.evidence import TourEvidence
    from codeexplore.workspace.view import SnapshotView

_MOST_STEPS: Final = 50
_PATIENCE: Final = 10.0  # seconds of a lane: a tour is read for longer than an answer


def toured(view: SnapshotView, question: str, steps: int, filters: Filters | None) -> Tour:
    """Return the tour of a repository, or the tour that answers a question."""
    from codeexplore.packs.organiser import MainCalls, Material

    if not isinstance(question, str):
        raise QuestionError(f"the question must be a text, not {question!r:.80}")
    if check_count("steps", steps) > _MOST_STEPS:
        raise QuestionError(f"steps must be at most {_MOST_STEPS}, not {steps}")
    material = Material(view.graph, view.evidence, view.sources)
    planner = TourPlanner(view.graph, material.tour)
    if question.strip():
        asked, notes = _asked(view, material.tour, question, filters)
        made = planner.steps(steps, asked)
    else:
        notes = ()
        main = MainCalls(material).steps
        made = planner.steps(steps, main=[step.symbol for step in main])
    if not made:
        notes = (*notes, "No function, method or type was found in the source files")
    changed = outdated(view, sorted({step.symbol.path for step in made}))
    if changed:
        notes = (*notes, f"Outdated: files changed since the last load or refresh: {shortened(changed, 5)}")
    notes = (*notes, *view.graph_notes)
    return Tour(view.index.name, question.strip(), tuple(made), view.sources, view.catalog, notes)


def _asked(
    view: SnapshotView, evidence: TourEvidence, question: str, filters: Filters | None
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return id → share of the scores of a question's hits, for the hits that a tour may contain; and its notes."""
    answer = searches.search(view, question, seeds=None, tests=None, filters=filters, top_k=POOL, timeout=_PATIENCE)
    shares: dict[str, float] = defaultdict(float)
    for hit in answer.hits:
        standing = None if hit.symbol is None else evidence.standing_for(hit.symbol)
        if standing is not None:
            shares[standing.id] += max(0.0, hit.score) / hit.rank
    notes = tuple(said for said in (confidence_words(answer), *answer.notices) if said)
    return dict(shares), notes
