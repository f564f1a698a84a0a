"""What is left of the explorer where no widget can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codeexplore.notebook.explorer import Explorer

_SECONDS = 5.0  # that text waits for an answer


def in_terminal(shell: Any) -> bool:
    """Whether an IPython shell shows text only: it has no kernel."""
    return getattr(shell, "kernel", None) is None


def explorer_text(explorer: Explorer) -> str:
    """What to do instead, and the answer when a question was asked."""
    from codeexplore.results.text.show import shown_text

    told = "The explorer is a widget: it needs JupyterLab, Notebook or another front end with ipywidgets.\n"
    told += "As text: ws.search('how are …?'), ws.callers('name'), or %load_ext codeexplore and %ask how are …?"
    explorer.settle(_SECONDS)
    return told if explorer.result is None else f"{told}\n\n{shown_text(explorer.result)}"
