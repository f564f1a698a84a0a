"""The view Lab: the controls of a search in the order of its steps, each step with its numbers and an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from codeexplore.answers.blocks import Line, Text
from codeexplore.answers.chain import ABOUT, about_blocks, chain
from codeexplore.answers.html.show import blocks_html
from codeexplore.notebook.panels.toolbar import Fold, row

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer

_TITLES = {
    "question": ("Question", "What is a word?", "how the question is split into words"),
    "reading": ("Query plan", "What is a query plan?", "how the question was understood"),
    "lanes": ("Lanes", "What is a lane?", "the searches that run at the same time"),
    "fusion": ("Fusion", "What is fusion?", "how the rankings of the lanes become one"),
    "signals": ("Signals", "What is a signal?", "further evidence that changes a score, such as a matching name"),
    "ranking": ("Ranking", "What is the ranking?", "the order of the hits"),
}


class ChainStepPanel(widgets.VBox):
    """One step: its number and name, its numbers for the answer, its controls, and a button that explains it.

    `name` is the key of the step in `answers.chain.ABOUT`.
    """

    def __init__(self, number: int, name: str, controls: Sequence[Any]) -> None:
        title, question, gist = _TITLES[name]
        self.numbers, self._about = widgets.HTML(), widgets.HTML()
        self.numbers.add_class("ce-step-numbers")
        self._name = name
        heading = widgets.HTML(f'<span class="ce-step-title"><b>{number}</b> {title}</span>')
        self.fold = Fold(question, f"Explain step {number}, {gist}, with values from your question", [self._about])
        super().__init__([row([heading, self.numbers, self.fold.button], "ce-step-line"), *controls, self.fold])
        self.add_class("ce-step")
        self.clear()

    def show(self, numbers: Line, formula: Sequence[str]) -> None:
        self.numbers.value = blocks_html([Text(numbers, "dim")])
        self._about.value = blocks_html(about_blocks(self._name, formula))

    def clear(self) -> None:
        self.numbers.value = ""
        self._about.value = blocks_html(about_blocks(self._name, ()))


class ChainPanel(widgets.VBox):
    """The steps with their controls. `controls` maps names of steps to widgets."""

    def __init__(self, controls: Mapping[str, Sequence[Any]]) -> None:
        self.steps = {
            name: ChainStepPanel(number, name, controls.get(name, ())) for number, name in enumerate(ABOUT, 1)
        }
        super().__init__(list(self.steps.values()))
        self.add_class("ce-chain")

    def show(self, answer: SearchAnswer) -> None:
        for name, step in chain(answer).items():
            self.steps[name].show(step.numbers, step.formula)

    def clear(self) -> None:
        for step in self.steps.values():
            step.clear()
