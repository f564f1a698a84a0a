"""Controls that the panels of features share, made of ipywidgets.

Each control has a label, which screen readers use as its name. `Message` is a line for state and errors; screen readers
read it out when it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import ipywidgets as widgets

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import WARNING, tag
from codeexplore.notebook.background import CallbackGuard
from codeexplore.types.errors import CodeExploreError

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer
    from codeexplore.notebook.requests import SearchRequest
    from codeexplore.workspace.workspace import Workspace


class Message(widgets.HTML):
    """A status line, which can also show an error as an alert."""

    value: str  # ipywidgets' trait

    def show(self, text: str) -> None:
        self.value = components.page(tag("div", text, role="status", aria_live="polite")) if text else ""

    def busy(self, text: str) -> None:
        """Show `text`, the name of the running work, with a spinner."""
        spinner = tag("span", class_="ce-spinner", aria_hidden="true")
        self.value = components.page(tag("div", spinner, text, role="status", aria_live="polite"))

    def alert(self, error: Exception) -> None:
        """Show an error. For an error of codeexplore only the message is shown, for other errors the type too."""
        said = str(error) if isinstance(error, CodeExploreError) else f"{type(error).__name__}: {error}"
        style = f"color:{WARNING};white-space:pre-wrap"
        self.value = components.page(tag("div", "⚠ ", said, role="alert", class_="ce-warning", style=style))


def row(children: Sequence[Any], style: str = "") -> Any:
    """Return controls in a row that wraps on a narrow page. `style` is the name of a class in the style sheet."""
    made = widgets.HBox(list(children), layout=widgets.Layout(flex_flow="row wrap", align_items="center"))
    made.add_class("ce-row")
    if style:
        made.add_class(style)
    return made


def checkbox(label: str, tooltip: str, *, value: bool = True) -> Any:
    layout = widgets.Layout(width="auto")
    return widgets.Checkbox(value=value, description=label, tooltip=tooltip, indent=False, layout=layout)


def _labelled(kind: Any, label: str, tooltip: str, look: str = "", **options: Any) -> Any:
    """Return a control of a kind of ipywidgets. `look` is the name of a class in the style sheet."""
    layout, style = widgets.Layout(width="auto"), {"description_width": "auto"}
    made = kind(description=label, tooltip=tooltip, style=style, layout=layout, **options)
    return made.add_class(look) if look else made


def number(label: str, value: int, low: int, high: int, tooltip: str = "") -> Any:
    return _labelled(widgets.BoundedIntText, label, tooltip, "ce-number", value=value, min=low, max=high)


def fraction(label: str, value: float, low: float, high: float, step: float, tooltip: str = "") -> Any:
    bounds = {"min": low, "max": high, "step": step}
    return _labelled(widgets.BoundedFloatText, label, tooltip, "ce-number", value=value, **bounds)


def choice(label: str, options: Sequence[Any], tooltip: str = "") -> Any:
    return _labelled(widgets.Dropdown, label, tooltip, options=options)


def text(label: str, placeholder: str, tooltip: str = "") -> Any:
    """Return a box for a line of text. Its value changes on Enter and when the box loses the focus."""
    return _labelled(widgets.Text, label, tooltip, "ce-text", placeholder=placeholder, continuous_update=False)


def button(label: str, tooltip: str) -> Any:
    """Return a button. It has no icon, because a screen reader would read the icon's private-use letter."""
    return widgets.Button(description=label, tooltip=tooltip, layout=widgets.Layout(width="auto"))


class Fold(widgets.VBox):
    """Controls behind a button. It stays open or closed until the button is pressed again."""

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


class Host(Protocol):
    """The explorer, as panels and actions of features see it."""

    workspace: Workspace | None
    guard: CallbackGuard

    @property
    def answer(self) -> SearchAnswer | None:
        """The displayed answer."""

    @property
    def asked(self) -> SearchRequest | None:
        """The question of the displayed answer, with its options."""

    def update_code(self) -> None:
        """Show the new code of a panel, if code is displayed."""
