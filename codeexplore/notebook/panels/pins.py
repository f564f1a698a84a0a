"""Results pinned below an explorer: HTML in the notebook's own output, which outlives widgets and kernels.

A pin contains the displayed answer and walk, as they are shown without widgets.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from IPython.display import HTML, display, update_display

from codeexplore.html import components
from codeexplore.html.elements import LINE, Html, join, tag
from codeexplore.html.show import drawn_html, shown_html

if TYPE_CHECKING:
    from codeexplore.results import GraphAnswer, PathsAnswer, SearchAnswer


def pinned_html(answer: SearchAnswer, walk: GraphAnswer | PathsAnswer | None) -> str:
    """The answer, then the walk with its still picture: small, and complete without scripts."""
    from codeexplore.html.drawing.vis_network import still_html
    from codeexplore.results import PathsAnswer

    parts = [shown_html(answer)]
    if isinstance(walk, PathsAnswer):
        parts.append(shown_html(walk))
    elif walk is not None:
        parts.append(drawn_html(walk, still_html(walk)))
    return join(parts)


class Pins:
    """A place in the output of a cell, filled later.

    A widget's callback can't write to a cell. But a cell may contain a named output, which any code that knows the name
    can change; the notebook saves this output.
    """

    def __init__(self) -> None:
        self._name = f"codeexplore-{secrets.token_hex(6)}"
        self._placed = False
        self.pinned: list[Html] = []

    def place(self) -> None:
        """Put the (still empty) place into the output of the cell that runs now."""
        display(self._html(), display_id=self._name)
        self._placed = True

    def pin(self, result: str) -> None:
        """Add a result below those already pinned. Without an output for pins it is displayed at once."""
        style = f"border-top:1px solid {LINE};margin-top:10px;padding-top:6px"
        self.pinned.append(tag("div", Html(result), style=style))
        if self._placed:
            update_display(self._html(), display_id=self._name)
        else:
            self.place()

    def _html(self) -> HTML:
        return HTML(components.page(join(self.pinned)) if self.pinned else "")
