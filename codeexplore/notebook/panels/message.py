"""One line of state and one of trouble, both read out by a screen reader when they change."""

from __future__ import annotations

import ipywidgets as widgets

from codeexplore.errors import CodeExploreError
from codeexplore.html import components
from codeexplore.html.elements import WARNING, tag


class Message(widgets.HTML):
    """A status line that can turn into an alert."""

    value: str  # ipywidgets' trait

    def tell(self, text: str) -> None:
        """Show a sentence of state."""
        self.value = components.page(tag("div", text, role="status", aria_live="polite"))

    def busy(self, text: str) -> None:
        """Show what is being worked on, with a spinner."""
        spinner = tag("span", class_="ce-spinner", aria_hidden="true")
        self.value = components.page(tag("div", spinner, text, role="status", aria_live="polite"))

    def alert(self, error: Exception) -> None:
        """Show an error: those raised on purpose in their own words, others with their type."""
        said = str(error) if isinstance(error, CodeExploreError) else f"{type(error).__name__}: {error}"
        style = f"color:{WARNING};white-space:pre-wrap"
        self.value = components.page(tag("div", "⚠ ", said, role="alert", class_="ce-warning", style=style))
