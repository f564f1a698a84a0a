"""How IPython shows what the façade returns: HTML in notebooks, coloured text in terminals.

Types are named, not imported: registering costs nothing, and each renderer loads with the first result it shows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any

# module, type → the function that makes its HTML, by module and name
_SHOWN = MappingProxyType(
    {
        ("codeexplore.results.search", "SearchAnswer"): ("result", "answer_html"),
        ("codeexplore.results.search", "SearchHit"): ("result", "hit_html"),
        ("codeexplore.results.explanation", "Explanation"): ("explained", "explanation_html"),
        ("codeexplore.results.grep", "GrepAnswer"): ("grepped", "grep_html"),
        ("codeexplore.results.grep", "GrepHit"): ("grepped", "grep_hit_html"),
        ("codeexplore.results.graph", "GraphAnswer"): ("subgraph", "drawn_html"),
        ("codeexplore.results.paths", "PathsAnswer"): ("subgraph", "paths_html"),
        ("codeexplore.results.edge", "WhyAnswer"): ("edges", "why_html"),
        ("codeexplore.results.table", "Listing"): ("listing", "listing_html"),  # and whatever derives from it
        ("codeexplore.results.source", "SourceView"): ("listed", "source_view_html"),
        ("codeexplore.results.source", "SourceText"): ("listed", "source_text_html"),
        ("codeexplore.results.workspaces", "WorkspaceList"): ("listed", "workspaces_html"),
        ("codeexplore.results.status", "WorkspaceStatus"): ("status", "status_html"),
        ("codeexplore.types.facts", "Symbol"): ("symbol", "symbol_html"),
        ("codeexplore.types.summary", "WorkspaceSummary"): ("summary", "summary_html"),
        ("codeexplore.workspace.workspace", "Workspace"): ("summary", "workspace_html"),
        ("codeexplore.evaluation.records", "Evaluation"): ("codeexplore.evaluation.page", "evaluation_html"),
        ("codeexplore.evaluation.table", "SettingsTable"): ("codeexplore.evaluation.page", "table_html"),
        ("codeexplore.evaluation.comparing", "Comparison"): ("codeexplore.evaluation.page", "comparison_html"),
    }
)


def register(shell: Any) -> None:
    """Teach an IPython shell to show results. Doing it twice changes nothing."""
    html, text = _formatters(shell)
    for (module, name), (room, function) in _SHOWN.items():
        html.for_type_by_name(module, name, partial(_html, room, function))
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


def _html(room: str, function: str, result: Any) -> str:
    """Markup of a result; the renderer is imported with the first result that needs it."""
    renderer: Callable[[Any], str] = getattr(import_module(_module(room)), function)
    return renderer(result)


def _module(room: str) -> str:
    return room if "." in room else f"codeexplore.html.{room}"


def _print_text(result: Any, printer: Any, cycle: bool) -> None:  # noqa: ARG001 - the signature is IPython's
    from codeexplore.results.text.show import brief_text, shown_text

    inside = len(getattr(printer, "stack", ())) > 1  # of a list, a tuple, a dictionary
    printer.text(brief_text(result) if inside else shown_text(result))
