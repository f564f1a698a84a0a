"""The few kinds of control that the panels are made of. Each has a label, which is its name for screen readers too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets


def row(children: Sequence[Any], style: str = "") -> Any:
    """Controls side by side, wrapping where the page is narrow; `style` names its class in the style sheet."""
    made = widgets.HBox(list(children), layout=widgets.Layout(flex_flow="row wrap", align_items="center"))
    made.add_class("ce-row")
    if style:
        made.add_class(style)
    return made


def checkbox(label: str, tooltip: str, *, value: bool = True) -> Any:
    """A box to tick."""
    layout = widgets.Layout(width="auto")
    return widgets.Checkbox(value=value, description=label, tooltip=tooltip, indent=False, layout=layout)


def number(label: str, value: int, low: int, high: int, tooltip: str = "") -> Any:
    """A whole number between two others."""
    made = widgets.BoundedIntText(
        value=value, min=low, max=high, description=label, tooltip=tooltip, style=_AUTO, layout=_sized()
    )
    made.add_class("ce-number")
    return made


def fraction(label: str, value: float, low: float, high: float, step: float, tooltip: str = "") -> Any:
    """A number between two others."""
    made = widgets.BoundedFloatText(
        value=value, min=low, max=high, step=step, description=label, tooltip=tooltip, style=_AUTO, layout=_sized()
    )
    made.add_class("ce-number")
    return made


def choice(label: str, options: Sequence[Any], tooltip: str = "") -> Any:
    """One of several."""
    return widgets.Dropdown(options=options, description=label, tooltip=tooltip, style=_AUTO, layout=_sized())


def text(label: str, placeholder: str, tooltip: str = "") -> Any:
    """A line of text, obeyed on Enter or when it is left."""
    made = widgets.Text(
        description=label, placeholder=placeholder, tooltip=tooltip, continuous_update=False, style=_AUTO,
        layout=_sized(),
    )  # fmt: skip
    made.add_class("ce-text")
    return made


def button(label: str, tooltip: str) -> Any:
    """Something to press. Without an icon: a screen reader would read its letter of a private alphabet."""
    return widgets.Button(description=label, tooltip=tooltip, layout=widgets.Layout(width="auto"))


class Fold(widgets.VBox):
    """Controls behind a button. It stays open or closed until the button is pressed again.

    Parameters
    ----------
    label
        What the button says.
    tooltip
        What it shows.
    children
        The controls.
    """

    def __init__(self, label: str, tooltip: str, children: Sequence[Any]) -> None:
        self._folded = tuple(children)
        self.button = widgets.ToggleButton(
            value=False, description=label, tooltip=tooltip, layout=widgets.Layout(width="auto")
        )
        self.button.add_class("ce-fold")
        super().__init__([])
        self.button.observe(lambda change: self._toggle(bool(change["new"])), "value")

    def _toggle(self, opened: bool) -> None:
        self.children = self._folded if opened else ()


_AUTO = {"description_width": "auto"}


def _sized() -> Any:
    return widgets.Layout(width="auto")
