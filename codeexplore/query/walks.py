"""Options of a walk along the graph, checked: each comes back typed, or raises an error that lists what is known."""

from __future__ import annotations

import math
from collections.abc import Collection

from codeexplore.errors import QuestionError
from codeexplore.types import EDGE_KINDS, EdgeKind


def check_confidence(confidence: float) -> float:
    """The least confidence of an edge, 0 to 1."""
    given: object = confidence
    number = isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
    if not number or not 0 <= confidence <= 1:
        raise QuestionError(f"min_confidence must be a number from 0 to 1, not {confidence!r:.80}")
    return float(confidence)


def check_edge_kinds(kinds: Collection[str]) -> tuple[EdgeKind, ...]:
    """Kinds of edges, in the fixed order. One may be given as a plain string; case is ignored."""
    wanted = [str(kind).upper() for kind in ((kinds,) if isinstance(kinds, str) else kinds)]
    for kind in wanted:
        if kind not in EDGE_KINDS:
            raise QuestionError(f"unknown kind of edge {kind!r:.80}; known are {', '.join(EDGE_KINDS)}")
    if not wanted:
        raise QuestionError(f"kinds is empty; choose from {', '.join(EDGE_KINDS)}")
    return tuple(kind for kind in EDGE_KINDS if kind in wanted)
