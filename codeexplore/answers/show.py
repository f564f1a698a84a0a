"""Any result as blocks, as text for a stream, and as one line in a list."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any, TextIO

from codeexplore.answers.blocks import Block, Fold, Items, Line, Piece, Place, Quote, Row, Table, Text
from codeexplore.answers.markdown import markdown
from codeexplore.answers.shown import Shown
from codeexplore.answers.source import SourceText
from codeexplore.answers.terminal import More, terminal_has_colour, terminal_width, written
from codeexplore.answers.wording import counts, cut, one_line, plural
from codeexplore.types import Symbol, WorkspaceSummary

_MOST_WARNINGS = 20


def blocks_of(result: Any) -> list[Block]:
    """Return the blocks of a result, or of an object's summary. Raises TypeError if the object is not a result."""
    if isinstance(result, SourceText):
        return result.view.blocks()
    if isinstance(result, Shown):
        return result.blocks()
    if isinstance(result, Symbol):
        return _symbol(result)
    if isinstance(summary := getattr(result, "summary", result), WorkspaceSummary):
        return summary_blocks(summary)
    raise TypeError(f"{type(result).__name__} is not a result")


def shown_text(result: Any, stream: TextIO | None = None, more: More = "attribute") -> str:
    """Return any result as text for `stream` (standard output), its width and colours; without blocks, its repr.

    `more` is as for `terminal.Writer`.
    """
    stream = stream or sys.stdout
    try:
        blocks = blocks_of(result)
    except TypeError:
        return repr(result)
    return written(blocks, colour=terminal_has_colour(stream), width=terminal_width(stream), more=more)


def brief_markdown(result: Any) -> str:
    """Return any result as Markdown without the source of hits, for documents that show no HTML."""
    return markdown(blocks_of(result), max_lines=0)


def brief_text(result: Any) -> str:
    """Return a result as one line, for its place in a list or a tuple."""
    if isinstance(result, Symbol):
        place = f"{cut(one_line(result.path), 200)}:{result.line}"
        return f"<Symbol {cut(one_line(result.fqn), 200)} ({result.kind}, {place})>"
    if isinstance(result, Sequence) and not isinstance(result, str):
        headline = getattr(result, "headline", None) or getattr(result, "question", None) or plural(len(result), "row")
        return f"<{type(result).__name__}: {cut(one_line(headline), 200)}>"
    return cut(one_line(repr(result)), 400)


def _symbol(symbol: Symbol) -> list[Block]:
    place = Place(symbol.path, symbol.line, symbol.span.end_line)
    blocks: list[Block] = [Text((symbol, Piece(f"  {symbol.kind}  ", "kind"), place))]
    if symbol.signature:
        blocks.append(Text(("  ", Piece(symbol.signature, "code"))))
    if symbol.doc:
        blocks.append(Quote(symbol.doc.strip()))
    return blocks


def summary_blocks(summary: WorkspaceSummary, *, brief: bool = False) -> list[Block]:
    """Return the counts of a workspace and, unless `brief`, skipped files, seconds of each stage and warnings."""
    seconds = sum(stage.seconds for stage in summary.stages)
    each = ", ".join(f"{stage.stage} {stage.seconds:.2f}" for stage in summary.stages)
    facts: list[tuple[str, Line]] = [
        ("root", "" if brief else summary.root),
        ("files", (counts(summary.files), _reading(summary))),
        ("symbols", counts(summary.symbols)),
        ("edges", _edges(summary)),
        ("skipped", _skipped(summary)),
        ("model", "" if brief else summary.model),
        ("seconds", f"{seconds:.2f}: {each}" if each and not brief else ""),
    ]
    edges = "edges not known" if summary.graph else plural(sum(summary.edges.values()), "edge")
    totals = (
        plural(sum(numbers.values()), noun) for numbers, noun in ((summary.files, "file"), (summary.symbols, "symbol"))
    )
    head = " · ".join((*totals, plural(summary.chunks, "chunk"), edges))
    rows = [Row((label, line)) for label, line in facts if line]
    blocks: list[Block] = [
        Text((Piece(summary.name, "strong"), "  ", head)),
        Table("Workspace", ("part", "contents"), rows, "facts"),
    ]
    if brief:
        return blocks
    blocks += [Text(warning, "warning") for warning in summary.warnings[:_MOST_WARNINGS]]
    left = [(Piece(warning, "warning"),) for warning in summary.warnings[_MOST_WARNINGS:]]
    more = Items(plural(len(left), "more warning"), left, "summary.warnings", brief=0)
    return [*blocks, more] if left else blocks


def _reading(summary: WorkspaceSummary) -> Piece:
    findings = []
    if summary.lines:
        findings.append(f"{summary.lines:,} lines, {summary.bytes / 1e6:.1f} MB")
    if summary.with_errors:
        findings.append(f"{plural(summary.with_errors, 'file')} not parsed in part")
    if summary.encodings:
        findings.append(f"not UTF-8: {counts(summary.encodings)}")
    return Piece("".join(f"; {text}" for text in findings), "dim")


def _edges(summary: WorkspaceSummary) -> str:
    if summary.graph:
        return summary.graph
    possible = f"; {summary.possible:,} more possible" if summary.possible else ""
    unresolved = f"; {plural(summary.unresolved, 'reference')} not resolved" if summary.unresolved else ""
    return f"{counts({kind.lower(): number for kind, number in summary.edges.items()})}{possible}{unresolved}"


def _skipped(summary: WorkspaceSummary) -> Line:
    total = sum(summary.skipped.values())
    title = f"{total:,}: {counts(summary.skipped)}" if total else "nothing"
    by_reason = groupby(sorted(summary.skipped_files, key=lambda skipped: skipped.reason), lambda each: each.reason)
    lists: list[Block] = []
    for reason, group in by_reason:
        items = [(Piece(item.path, "code"), " ", Piece(item.detail, "dim")) for item in group]
        lists += [Text(Piece(reason, "dim")), Items("", items, "summary.skipped_files")]
    return Fold(title, tuple(lists), aside=True) if lists else title
