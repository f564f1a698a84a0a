"""Action "Pack" of the explorer: context for a language model from the displayed answer."""

from __future__ import annotations

from codeexplore.answers.html import components
from codeexplore.answers.html.show import shown_html
from codeexplore.notebook.panels.toolbar import Host


def packed_html(host: Host) -> str:
    """Return the pack of the displayed answer as HTML, with a button that copies its text."""
    if host.workspace is None or host.answer is None:
        return components.page(components.dim("Ask a question first: its answer can be packed."))
    return shown_html(host.workspace.context.pack(host.answer))
