"""The status and the summary of a workspace as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Protocol

from codeexplore.html import components
from codeexplore.html.elements import Html, join, tag
from codeexplore.results.status import Problem, WorkspaceStatus, remark, status_rows
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import counts, plural
from codeexplore.types import Skipped, WorkspaceSummary


class Summarised(Protocol):
    """An object with a summary: a workspace, which this package must not import."""

    @property
    def summary(self) -> WorkspaceSummary:
        """The counts, skipped files and stage times of the load."""


_BRIEF = ("files", "symbols", "edges", "skipped")
_MAX_LISTED = 30
"""Skipped files named per reason; `ws.summary.skipped_files` has them all."""


def workspace_html(workspace: Summarised) -> Html:
    """Return a workspace as its summary."""
    return summary_html(workspace.summary)


def summary_html(summary: WorkspaceSummary, *, brief: bool = False) -> Html:
    """Return counts by language, kind and edge; skipped files with reasons; seconds per stage; warnings.

    A `brief` one has the counts of files, symbols and edges alone.
    """
    heading = tag(
        "div", tag("b", cut(one_line(summary.name), 80)), " ", components.dim(cut(one_line(summary.root), 200))
    )
    facts = [fact for fact in _facts(summary) if not brief or fact[0] in _BRIEF]
    rows = [components.row((tag("b", label), content), unbroken=(0,)) for label, content in facts if content]
    table = components.table("Workspace", ("part", "contents"), rows)
    if brief:
        return components.page(table)
    warnings = [components.warning(cut(one_line(text), 300)) for text in summary.warnings[:_MAX_LISTED]]
    if len(summary.warnings) > _MAX_LISTED:
        warnings.append(components.warning(f"and {len(summary.warnings) - _MAX_LISTED} more in ws.summary.warnings"))
    return components.page(heading, table, *warnings)


def _facts(summary: WorkspaceSummary) -> list[tuple[str, str]]:
    edges = _edges(summary)
    return [
        ("files", join((_total(summary.files, "file", "files"), _reading(summary)))),
        ("symbols", _total(summary.symbols, "symbol", "symbols")),
        ("chunks", plural(summary.chunks, "chunk")),
        ("edges", edges),
        ("skipped", _skipped(summary)),
        ("model", one_line(summary.model)),
        ("seconds", _seconds(summary)),
    ]


def _edges(summary: WorkspaceSummary) -> Html | str:
    if summary.graph:
        return one_line(summary.graph)
    edges = _total(summary.edges, "edge", "edges")
    if summary.possible:
        edges = join((edges, components.dim(f"; {summary.possible:,} more matched by name only")))
    if summary.unresolved:
        edges = join((edges, components.dim(f"; {plural(summary.unresolved, 'unresolved reference')}")))
    return edges


def _total(numbers: Mapping[str, int], one: str, several: str) -> Html:
    total = sum(numbers.values())
    return join((f"{total:,} {one if total == 1 else several}", components.dim(f" · {counts(numbers)}")))


def _reading(summary: WorkspaceSummary) -> Html:
    """Return the findings of reading the files."""
    findings = []
    if summary.lines:
        findings.append(f"{summary.lines:,} lines, {summary.bytes / 1e6:.1f} MB")
    if summary.with_errors:
        findings.append(f"{plural(summary.with_errors, 'file')} with syntax errors")
    if summary.encodings:
        findings.append(f"not UTF-8: {counts(summary.encodings)}")
    return components.dim("".join(f"; {text}" for text in findings))


def _skipped(summary: WorkspaceSummary) -> str:
    total = sum(summary.skipped.values())
    if not total:
        return "nothing"
    heading = f"{total:,}: {counts(summary.skipped)}"
    if not summary.skipped_files:
        return heading
    by_reason = sorted(summary.skipped_files, key=lambda skipped: skipped.reason)
    lists = [_reason(reason, list(group)) for reason, group in groupby(by_reason, key=lambda skipped: skipped.reason)]
    return components.folded(heading, *lists)


def _reason(reason: str, skipped: list[Skipped]) -> Html:
    items = []
    for item in skipped[:_MAX_LISTED]:
        detail = f" {one_line(item.detail)}" if item.detail else ""
        items.append(tag("li", tag("code", cut(one_line(item.path), 160)), components.dim(detail)))
    if len(skipped) > _MAX_LISTED:
        items.append(tag("li", f"and {len(skipped) - _MAX_LISTED:,} more in ws.summary.skipped_files"))
    return tag("div", tag("i", reason), tag("ul", *items, style="margin:0"))


def _seconds(summary: WorkspaceSummary) -> str:
    if not summary.stages:
        return ""
    total = sum(stage.seconds for stage in summary.stages)
    each = ", ".join(f"{stage.stage} {stage.seconds:.2f}" for stage in summary.stages)
    return join((f"{total:.2f}", components.dim(f" · {each}")))


def status_html(status: WorkspaceStatus) -> Html:
    """Age, content, lanes, model, cache and versions; problems below, each with its next step."""
    rows = [
        components.row((tag("b", label), cut(one_line(text), 400)), unbroken=(0,))
        for label, text in status_rows(status)
        if text
    ]
    heading = tag("div", tag("b", cut(one_line(status.name), 80)), " ", components.dim(remark(status)))
    problems = (_problem(problem) for problem in status.problems)
    return components.page(heading, components.table("State of the workspace", ("part", "state"), rows), *problems)


def _problem(problem: Problem) -> Html:
    sign = tag("b", "serious: ") if problem.serious else ""
    step = components.dim(f" → {cut(one_line(problem.next_step), 300)}")
    return components.warning(join((sign, cut(one_line(problem.what), 300), step)))
