"""Results as pages of HTML: whole answers for notebooks, and parts of answers for the explorer.

>>> from codeexplore import Workspace, sample_repo
>>> shown_html(Workspace(sample_repo("webshop")).hubs(1)).partition("</style>")[2][:40]
'<div><b>The most central symbol</b></div'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.answers import GraphAnswer, SearchAnswer
from codeexplore.answers.blocks import Block, Table, Tint
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html, join
from codeexplore.answers.html.links import linked
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.plain_words import lane_line
from codeexplore.answers.score_list import score_blocks
from codeexplore.answers.show import blocks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeexplore.types import Ranking


@linked
def shown_html(result: object, *, opened: int = 0) -> Html:
    """Return a result as HTML for a notebook. The source of the first `opened` hits is unfolded."""
    return components.page(*Writer(opened).html(blocks_of(result)))


@linked
def found_html(answer: SearchAnswer) -> Html:
    """Return hits and notices for the explorer, which itself shows the question, the plan and the paths."""
    return components.page(*Writer(chars=None).html(answer.found_blocks()))


_MORE_IN_EXPLORER = "choose a symbol with fewer of them, or copy the call from “Python code” and add top_k=1000 to it"


@linked
def drawn_html(answer: GraphAnswer, drawing: Html | None = None, *, listed: bool = True) -> Html:
    """Return the answer to a walk with the given drawing. The table of its symbols is included if `listed` is True.

    Without the table it is part of the explorer, which has no control for `top_k`.
    """
    found = answer.blocks() if listed else answer.blocks(_MORE_IN_EXPLORER)
    blocks = (block for block in found if listed or not isinstance(block, Table))
    return components.page(*Writer(drawing=drawing or join(())).html(blocks))


@linked
def plain_html(answer: SearchAnswer) -> Html:
    """Return the hits for the explorer's view Ask: a bar and a sentence each."""
    return components.page(*Writer(chars=None).html(answer.plain_blocks()))


@linked
def scores_html(answer: SearchAnswer) -> Html:
    return components.page(*Writer().html(score_blocks(answer)))


def blocks_html(blocks: Sequence[Block]) -> Html:
    return components.page(*Writer().html(blocks))


def health_html(lane: str, rankings: Sequence[Ranking]) -> Html:
    """Return the number of hits and the milliseconds of a lane, or its problem.

    There are no rankings if the question did not use the lane. A bug report searches a lane several times. Then the
    hits are added up, and the first problem is shown.
    """
    line = lane_line(rankings) if rankings else (components.dim("not used"),)
    return components.page(Writer().line((Tint("lane", lane, ""), *line)))
