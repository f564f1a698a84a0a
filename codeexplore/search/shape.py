"""How rankings become an answer: the options of a search that no lane sees, checked."""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.query.options import check_count, check_filters, check_positive
from codeexplore.ranking.fuse import Fusion, TermsOfLane, fusion_of
from codeexplore.types import Filters


class Shape(NamedTuple):
    """The checked options."""

    top_k: int
    per_file: int | None
    fusion: Fusion
    rrf_k: int
    timeout: float


def shape_of(top_k: int, per_file: int | None, fusion: str | TermsOfLane, rrf_k: int, timeout: float) -> Shape:
    """Check the options. Raises QuestionError, which names the value and what is known."""
    check_positive("rrf_k", rrf_k)
    limit = per_file if per_file is None else check_count("per_file", per_file)
    return Shape(check_count("top_k", top_k), limit, fusion_of(fusion), rrf_k, check_positive("timeout", timeout))


def checked(filters: Filters | None) -> Filters:
    """Filters with known languages and kinds; None restricts nothing. Raises QuestionError."""
    return Filters() if filters is None else check_filters(filters)
