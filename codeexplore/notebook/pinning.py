"""What is pinned: the answer and the walk on display, as they stand without widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.html.elements import join
from codeexplore.html.search import answer_html

if TYPE_CHECKING:
    from codeexplore.results import GraphAnswer, PathsAnswer, SearchAnswer


def pinned_html(answer: SearchAnswer, walk: GraphAnswer | PathsAnswer | None) -> str:
    """The answer, then the walk with its still picture: small, and complete without scripts."""
    from codeexplore.html.drawing.vis_network import still_html
    from codeexplore.html.graph import graph_answer_html, paths_html
    from codeexplore.results import PathsAnswer

    parts = [answer_html(answer)]
    if isinstance(walk, PathsAnswer):
        parts.append(paths_html(walk))
    elif walk is not None:
        parts.append(graph_answer_html(walk, still_html(walk)))
    return join(parts)
