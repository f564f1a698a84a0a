"""Results as pages of HTML: whole answers for notebooks, and parts of answers for the explorer.

>>> from codeexplore import Workspace, sample_repo
>>> shown_html(Workspace(sample_repo("webshop")).hubs(1)).partition("</style>")[2][:40]
'<div><b>The most central symbol</b></div'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.answers import GraphAnswer
from codeexplore.answers.blocks import Block, Items, Table
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html, join
from codeexplore.answers.html.links import linked
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.show import blocks_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@linked
def shown_html(result: object, *, opened: int = 0) -> Html:
    """Return a result as HTML for a notebook. The source of the first `opened` hits is unfolded."""
    return components.page(*Writer(opened).html(blocks_of(result)))


_MORE_IN_EXPLORER = "choose a symbol with fewer of them, or copy the call from “Python code” and add top_k=1000 to it"


@linked
def drawn_html(answer: GraphAnswer, drawing: Html | None = None, *, listed: bool = True) -> Html:
    """Return the answer to a walk with the given drawing. The table of its symbols is included if `listed` is True.

    Without the table it is part of the explorer, which has no control for `top_k`.
    """
    found = answer.blocks() if listed else answer.blocks(_MORE_IN_EXPLORER)
    tests = [block for block in found if isinstance(block, Items) and block.attribute == "in_tests"]
    blocks = found if listed else [each for each in found if not (isinstance(each, Table) or each in tests)]
    return components.page(*Writer(drawing=drawing or join(())).html(blocks))


def blocks_html(blocks: Sequence[Block]) -> Html:
    return components.page(*Writer().html(blocks))
