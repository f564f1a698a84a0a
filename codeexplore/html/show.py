"""Pages of results: any answer as it stays in a notebook, and the parts of one that the explorer shows.

>>> from codeexplore import Workspace, sample_repo
>>> shown_html(Workspace(sample_repo("webshop")).hubs(1)).partition("</style>")[2][:40]
'<div><b>The most central symbol</b></div'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.html import components
from codeexplore.html.elements import Html, join
from codeexplore.html.links import linked
from codeexplore.html.writer import Writer
from codeexplore.results import GraphAnswer, SearchAnswer
from codeexplore.results.blocks import Table, Tint
from codeexplore.results.search import lane_line, reading
from codeexplore.results.show import blocks_of, summary_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeexplore.types import Ranking, SearchResult, WorkspaceSummary


@linked
def shown_html(result: object, *, opened: int = 0) -> Html:
    """Return a result as it stays in a notebook; the first `opened` hits show their source unasked."""
    return components.page(*Writer(opened).html(blocks_of(result)))


@linked
def found_html(answer: SearchAnswer) -> Html:
    """Return the hits and their notices for the explorer, which shows the question, its reading and paths itself."""
    return components.page(*Writer(chars=None).html(answer.found_blocks()))


@linked
def drawn_html(answer: GraphAnswer, drawing: Html | None = None, *, listed: bool = True) -> Html:
    """Return the answer to a walk with this drawing or none, without the table of its symbols unless `listed`."""
    blocks = (block for block in answer.blocks() if listed or not isinstance(block, Table))
    return components.page(*Writer(drawing=drawing or join(())).html(blocks))


def brief_html(summary: WorkspaceSummary) -> Html:
    """Return the counts of a workspace's files, symbols, edges and skipped files."""
    return components.page(*Writer().html(summary_blocks(summary, brief=True)))


def reading_html(result: SearchResult) -> Html:
    """Return how a question was read; it unfolds to the reasons."""
    return components.page(*Writer().html([reading(result)]))


def health_html(lane: str, rankings: Sequence[Ranking]) -> Html:
    """Return a lane's hits and milliseconds, or its problem; no rankings if the question did not use it.

    A bug report asks a lane several times: then the hits are added up, and the first problem is shown.
    """
    line = lane_line(rankings) if rankings else (components.dim("not used"),)
    return components.page(Writer().line((Tint("lane", lane, ""), *line)))
