"""Settings of ``%config CodeExplore`` (the default values of the magics' options), and the explorer's two views.

The module needs no widgets, so that the magics can be loaded without them.
"""

from __future__ import annotations

from typing import Final

from traitlets import Bool, CaselessStrEnum, Float, Int, List
from traitlets.config import Configurable

from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, settings
from codeexplore.types.errors import QuestionError

ASK: Final = "ask"
LAB: Final = "lab"
VIEWS: Final = (ASK, LAB)
"""The views: ``ask`` has question, answer and call graph, ``lab`` has every step of the search with its controls."""


def checked_view(view: object) -> str:
    """Return `view` if it is a view. Raises QuestionError."""
    if view not in VIEWS:
        raise QuestionError(f"the view must be {' or '.join(map(repr, VIEWS))}, not {view!r:.80}")
    return str(view)


class CodeExplore(Configurable):
    """Defaults of the magics: ``%config CodeExplore.top_k = 5``, or ``c.CodeExplore.top_k = 5`` in IPython's config."""

    top_k = Int(settings.TOP_K, min=1, help="Hits of an answer.").tag(config=True)
    lanes = List(CaselessStrEnum(list(LANES)), help="Lanes to search; empty lets the planner choose.").tag(config=True)
    rrf_k = Int(settings.RRF_K, min=1, help="Constant of reciprocal rank fusion, in ranks.").tag(config=True)
    fusion = CaselessStrEnum(list(FUSIONS), "rrf", help="How rankings are merged.").tag(config=True)
    per_file = Int(0, min=0, help="Maximal number of hits from one file; 0 for no limit.").tag(config=True)
    tests = Bool(True, help="Whether answers include tests.").tag(config=True)
    resources = Bool(True, help="Whether %explore also loads files that are not code.").tag(config=True)
    view = CaselessStrEnum(list(VIEWS), ASK, help="View in which %explore opens the explorer.").tag(config=True)
    help = Bool(True, help="Whether obj? and Shift+Tab tell the callers of an object of a workspace.").tag(config=True)
    depth = Int(1, min=1, help="Number of calls that %callers and %callees follow.").tag(config=True)
    min_confidence = Float(
        settings.RESOLVED_CONFIDENCE, min=0.0, max=1.0, help="Confidence below which an edge counts as only possible."
    ).tag(config=True)
