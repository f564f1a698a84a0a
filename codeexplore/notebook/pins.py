"""Results saved below an explorer ("pins"). They are HTML in the notebook's output, which outlives widgets and kernels.

A pin contains the displayed answer and walk as HTML without widgets.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from IPython.core.getipython import get_ipython
from IPython.display import HTML, display, update_display

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import LINE, Html, join, tag
from codeexplore.answers.html.show import drawn_html, shown_html

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, GrepAnswer, PathsAnswer, SearchAnswer
    from codeexplore.answers.source import SourceView


def pinned_html(answer: SearchAnswer | GrepAnswer | SourceView | None, walk: GraphAnswer | PathsAnswer | None) -> str:
    """Return the answer, and the walk with a still picture, as HTML. It is small and complete without scripts."""
    from codeexplore.answers import PathsAnswer
    from codeexplore.answers.drawing.vis_network import still_html

    parts = [] if answer is None else [shown_html(answer)]
    if isinstance(walk, PathsAnswer):
        parts.append(shown_html(walk))
    elif walk is not None:
        parts.append(drawn_html(walk, still_html(walk)))
    return join(parts)


_EARLIER: dict[str, tuple[int, list[Pins]]] = {}
"""Cell → number of its last run, and the pins of the explorers that this run displayed."""


class Pins:
    """A named output in a cell. It is empty at first, and results are added later.

    A widget's callback cannot write to a cell, but any code can change a named output whose name it knows. The notebook
    saves this output. A further run of the cell removes it, so the first explorer of that run takes the results over.
    """

    def __init__(self) -> None:
        self._name, self.newest = f"codeexplore-{secrets.token_hex(6)}", ""
        self._placed = False
        self.pinned: list[Html] = []

    def place(self) -> None:
        cell, run = _running_cell()
        before, earlier = _EARLIER.get(cell, (run, []))
        if cell and before != run:
            self.pinned = [html for each in earlier if each is not self for html in each.pinned] + self.pinned
            earlier = []
        _EARLIER[cell] = run, [*earlier, self]
        display(self._html(), display_id=self._name)
        self._placed = True

    def pin(self, result: str) -> None:
        """Add a result below the earlier ones. If `place` was not called, the output is created now."""
        style = f"border-top:1px solid {LINE};margin-top:10px;padding-top:6px"
        self.newest = f"{self._name}-{len(self.pinned)}"
        self.pinned.append(tag("div", Html(result), class_=self.newest, style=style))
        if self._placed:
            update_display(self._html(), display_id=self._name)
        else:
            self.place()

    def clear(self) -> None:
        self.pinned.clear()
        update_display(self._html(), display_id=self._name)

    def _html(self) -> HTML:
        return HTML(components.page(join(self.pinned)) if self.pinned else "")


def _running_cell() -> tuple[str, int]:
    """Return the id of the cell that runs, as its notebook tells it (or ""), and the number of the run."""
    shell: Any = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str(parent.get("metadata", {}).get("cellId", "")), getattr(shell, "execution_count", 0)
