"""The two columns of the explorer: the ranking and the call graph. On a narrow page only one of them is visible."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

RANKING, GRAPH = "Ranking", "Call graph"


class Columns(widgets.VBox):
    """The ranking beside the call graph. On a narrow page the style sheet shows buttons to choose one of the two.

    Parameters
    ----------
    ranking, graph
        Widgets in the two columns.
    """

    def __init__(self, ranking: Any, graph: Any) -> None:
        self.choice = widgets.ToggleButtons(
            options=(RANKING, GRAPH), value=RANKING, description="Show", style={"description_width": "auto"}
        )
        self.choice.add_class("ce-tabs")
        self._both = widgets.HBox([ranking, graph])
        self._both.add_class("ce-columns")
        super().__init__([self.choice, self._both])
        self.choice.observe(lambda change: self._choose(change["new"]), "value")

    def with_graph(self, shown: bool) -> None:
        """Show the column of the call graph if `shown`. It is hidden before the first question."""
        change = self.remove_class if shown else self.add_class
        change("ce-alone")

    def _choose(self, chosen: str) -> None:
        if chosen == GRAPH:
            self._both.add_class("ce-graph-chosen")
        else:
            self._both.remove_class("ce-graph-chosen")
