"""The same results for terminals: aligned text, coloured where the terminal has colours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TextIO

from codeexplore.results import (
    Explanation,
    GraphAnswer,
    GrepAnswer,
    GrepHit,
    PathsAnswer,
    SearchAnswer,
    SearchHit,
    WhyAnswer,
)
from codeexplore.results.source import SourceText, SourceView
from codeexplore.results.status import WorkspaceStatus, status_text
from codeexplore.results.table import Listing
from codeexplore.results.text.clip import cut, one_line, pad, visible
from codeexplore.results.text.edge import why_text
from codeexplore.results.text.explanation import explanation_text
from codeexplore.results.text.graph import graph_text, paths_text
from codeexplore.results.text.grep import grep_hit_text, grep_text
from codeexplore.results.text.phrases import counts, plural
from codeexplore.results.text.search import hit_text, search_text
from codeexplore.results.text.source import source_text, workspaces_text
from codeexplore.results.text.table import listing_text
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, terminal_has_colour, terminal_width, wrap
from codeexplore.results.workspaces import WorkspaceList
from codeexplore.types import Symbol, WorkspaceSummary

_SOURCE_LINES = 3  # of each hit
_MAX_WARNINGS = 20
_MAX_DOC_LINES = 20


def shown_text(result: Any, stream: TextIO | None = None) -> str:
    """Any result as it should look on `stream` (standard output when None): as wide and colourful as it is.

    An object with a summary shows it; an object without a text form shows its repr.
    """
    stream = stream or sys.stdout
    result = result.view if isinstance(result, SourceText) else getattr(result, "summary", result)
    show = next((show for kind, show in _TEXTS.items() if isinstance(result, kind)), None)
    if show is None:
        return repr(result)
    return show(result, colour=terminal_has_colour(stream), width=terminal_width(stream))


def brief_text(result: Any) -> str:
    """A result within a list or a tuple, on one line."""
    if isinstance(result, Symbol):
        place = f"{cut(one_line(result.path), 200)}:{result.line}"
        return f"<Symbol {cut(one_line(result.fqn), 200)} ({result.kind}, {place})>"
    if isinstance(result, Sequence) and not isinstance(result, str):
        headline = getattr(result, "headline", None) or getattr(result, "question", None) or plural(len(result), "row")
        return f"<{type(result).__name__}: {cut(one_line(headline), 200)}>"
    return cut(one_line(repr(result)), 400)


def symbol_text(symbol: Symbol, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Name, kind and place of a symbol; its signature and documentation."""
    paint = Paint(colour)
    place = paint(one_line(f"{symbol.path}:{symbol.span.start_line}"), "place")
    lines = wrap(f"{paint(one_line(symbol.fqn), 'bold')}  {symbol.kind}  {place}", width, "  ")
    if symbol.signature:
        lines += wrap(f"  {one_line(symbol.signature)}", width, "      ")
    if symbol.doc:
        doc = visible(symbol.doc).strip().split("\n")
        shown = [part for line in doc[:_MAX_DOC_LINES] for part in wrap("  " + line, width, "    ") or [""]]
        lines += [paint(line, "dim").rstrip() for line in shown]
        if len(doc) > _MAX_DOC_LINES:
            lines.append(paint(f"  … {len(doc) - _MAX_DOC_LINES} more lines", "dim"))
    return "\n".join(lines)


def summary_text(summary: WorkspaceSummary, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Return the contents of a workspace, the skipped files and the seconds of each stage."""
    paint = Paint(colour)
    seconds = sum(stage.seconds for stage in summary.stages)
    head = (
        f"{plural(sum(summary.files.values()), 'file')} · {plural(sum(summary.symbols.values()), 'symbol')} · "
        f"{plural(summary.chunks, 'chunk')} · "
        f"{'edges not known' if summary.graph else plural(sum(summary.edges.values()), 'edge')}"
    )
    edges = one_line(summary.graph) or counts(summary.edges)
    if summary.possible:
        edges += f"; {summary.possible:,} more matched by name only"
    if summary.unresolved:
        edges += f"; {plural(summary.unresolved, 'reference')} not resolved"
    skipped = sum(summary.skipped.values())
    rows = [
        ("files", counts(summary.files)),
        ("symbols", counts(summary.symbols)),
        ("edges", edges),
        ("skipped", f"{skipped:,}: {counts(summary.skipped)}" if skipped else "nothing"),
        ("seconds", f"{seconds:.1f}: " + ", ".join(f"{stage.stage} {stage.seconds:.1f}" for stage in summary.stages)),
    ]
    lines = wrap(f"{paint(one_line(summary.name), 'bold')}  {head}", width, "  ")
    for label, text in rows:
        if text:
            lines += wrap(f"  {paint(pad(label, 8).rstrip(), 'dim')}{' ' * (9 - len(label))}{text}", width, " " * 11)
    for warning in summary.warnings[:_MAX_WARNINGS]:
        lines += [paint(line, "warning") for line in wrap("! " + one_line(warning), width, "  ")]
    if len(summary.warnings) > _MAX_WARNINGS:
        lines.append(paint(f"! {len(summary.warnings) - _MAX_WARNINGS} more in .warnings", "warning"))
    return "\n".join(lines)


def _search(answer: SearchAnswer, *, colour: bool, width: int) -> str:
    return search_text(answer, colour=colour, width=width, source_lines=_SOURCE_LINES)


_TEXTS: Mapping[type, Callable[..., str]] = MappingProxyType(
    {
        SearchAnswer: _search,
        SearchHit: hit_text,
        GraphAnswer: graph_text,
        PathsAnswer: paths_text,
        WhyAnswer: why_text,
        Listing: listing_text,
        Explanation: explanation_text,
        GrepAnswer: grep_text,
        GrepHit: grep_hit_text,
        SourceView: source_text,
        Symbol: symbol_text,
        WorkspaceList: workspaces_text,
        WorkspaceSummary: summary_text,
        WorkspaceStatus: status_text,
    }
)
