"""How IPython shows what the façade returns: HTML in notebooks, coloured text in terminals.

Types are named, not imported: registering costs nothing, and each renderer loads with the first result it shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SHOWN = (
    ("codeexplore.views.search", "SearchAnswer"),
    ("codeexplore.views.search", "SearchHit"),
    ("codeexplore.views.graph", "GraphAnswer"),
    ("codeexplore.views.graph", "PathsAnswer"),
    ("codeexplore.types", "Symbol"),
    ("codeexplore.types", "WorkspaceSummary"),
    ("codeexplore.workspace.workspace", "Workspace"),
)
_COLOURED = ("SearchAnswer", "GraphAnswer", "PathsAnswer", "Symbol", "Workspace", "WorkspaceSummary")


def register(shell: Any) -> None:
    """Teach an IPython shell to show results. Doing it twice changes nothing."""
    html, text = _formatters(shell)
    for module, name in _SHOWN:
        html.for_type_by_name(module, name, _HTML[name])
        if name in _COLOURED:
            text.for_type_by_name(module, name, _print_text)


def unregister(shell: Any) -> None:
    """Undo `register`: results show as their plain repr."""
    html, text = _formatters(shell)
    for module, name in _SHOWN:
        html.pop(f"{module}.{name}", None)
        text.pop(f"{module}.{name}", None)


def _formatters(shell: Any) -> tuple[Any, Any]:
    formatters = shell.display_formatter.formatters
    return formatters["text/html"], formatters["text/plain"]


def _print_text(result: Any, printer: Any, cycle: bool) -> None:  # noqa: ARG001 - the signature is IPython's
    from codeexplore.render.text import shown_text

    printer.text(shown_text(result))


def _search_answer(answer: Any) -> str:
    from codeexplore.render.result import answer_html

    return answer_html(answer)


def _search_hit(hit: Any) -> str:
    from codeexplore.render.result import hit_html

    return hit_html(hit)


def _graph_answer(answer: Any) -> str:
    from codeexplore.render.graph import drawing_html
    from codeexplore.render.subgraph import graph_answer_html

    return graph_answer_html(answer, drawing_html(answer))


def _paths_answer(answer: Any) -> str:
    from codeexplore.render.subgraph import paths_html

    return paths_html(answer)


def _symbol(symbol: Any) -> str:
    from codeexplore.render.symbol import symbol_html

    return symbol_html(symbol)


def _summary(summary: Any) -> str:
    from codeexplore.render.summary import summary_html

    return summary_html(summary)


def _workspace(workspace: Any) -> str:
    return _summary(workspace.summary)


_HTML: dict[str, Callable[[Any], str]] = {
    "SearchAnswer": _search_answer,
    "SearchHit": _search_hit,
    "GraphAnswer": _graph_answer,
    "PathsAnswer": _paths_answer,
    "Symbol": _symbol,
    "WorkspaceSummary": _summary,
    "Workspace": _workspace,
}
