"""The same results for terminals: aligned text, coloured where the terminal has colours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from codeexplore.types import Symbol
from codeexplore.views import Explanation, GraphAnswer, PathsAnswer, SearchAnswer
from codeexplore.views.explained import explanation_text
from codeexplore.views.paint import Paint, terminal_has_colour
from codeexplore.views.text import counts, graph_text, paths_text, plural, search_text
from codeexplore.views.visible import one_line, pad, visible

if TYPE_CHECKING:
    from codeexplore.types import WorkspaceSummary

_MAX_WARNINGS = 20
_MAX_DOC_LINES = 20


def answer_text(answer: SearchAnswer | GraphAnswer | PathsAnswer, stream: TextIO | None = None) -> str:
    """Any answer as it should look on `stream` (standard output when None)."""
    colour = terminal_has_colour(stream or sys.stdout)
    if isinstance(answer, SearchAnswer):
        return search_text(answer, colour=colour, source_lines=3)
    if isinstance(answer, GraphAnswer):
        return graph_text(answer, colour=colour)
    return paths_text(answer, colour=colour)


def shown_text(result: Any, stream: TextIO | None = None) -> str:
    """The text of an answer, a symbol, a summary, or of whatever has a summary."""
    if isinstance(result, SearchAnswer | GraphAnswer | PathsAnswer):
        return answer_text(result, stream)
    colour = terminal_has_colour(stream or sys.stdout)
    if isinstance(result, Explanation):
        return explanation_text(result, colour=colour)
    if isinstance(result, Symbol):
        return symbol_text(result, colour=colour)
    return summary_text(getattr(result, "summary", result), colour=colour)


def symbol_text(symbol: Symbol, *, colour: bool = False) -> str:
    """Name, kind and place of a symbol; its signature and documentation."""
    paint = Paint(colour)
    place = paint(one_line(f"{symbol.path}:{symbol.span.start_line}"), "place")
    lines = [f"{paint(one_line(symbol.fqn), 'bold')}  {symbol.kind}  {place}"]
    if symbol.signature:
        lines.append(f"  {one_line(symbol.signature)}")
    if symbol.doc:
        doc = visible(symbol.doc).strip().split("\n")[:_MAX_DOC_LINES]
        lines += [f"  {paint(line, 'dim')}".rstrip() for line in doc]
    return "\n".join(lines)


def summary_text(summary: WorkspaceSummary, *, colour: bool = False) -> str:
    """What a workspace holds, what was left out and how long it took."""
    paint = Paint(colour)
    seconds = sum(stage.seconds for stage in summary.stages)
    head = (
        f"{plural(sum(summary.files.values()), 'file')} · {plural(sum(summary.symbols.values()), 'symbol')} · "
        f"{plural(summary.chunks, 'chunk')} · {plural(sum(summary.edges.values()), 'edge')}"
    )
    edges = counts(summary.edges)
    if summary.possible:
        edges += f"; {summary.possible:,} more possible by name"
    if summary.unresolved:
        edges += f"; {plural(summary.unresolved, 'reference')} to nothing in here"
    skipped = sum(summary.skipped.values())
    rows = [
        ("files", counts(summary.files)),
        ("symbols", counts(summary.symbols)),
        ("edges", edges),
        ("skipped", f"{skipped:,}: {counts(summary.skipped)}" if skipped else "nothing"),
        ("seconds", f"{seconds:.1f}: " + ", ".join(f"{stage.stage} {stage.seconds:.1f}" for stage in summary.stages)),
    ]
    lines = [f"{paint(one_line(summary.name), 'bold')}  {head}"]
    lines += [f"  {paint(pad(label, 8), 'dim')} {text}" for label, text in rows if text]
    lines += [paint("! " + one_line(warning), "warning") for warning in summary.warnings[:_MAX_WARNINGS]]
    return "\n".join(lines)
