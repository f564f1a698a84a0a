"""The state of a workspace, as HTML."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.views.status import Problem, WorkspaceStatus, remark, status_rows
from codeexplore.views.visible import cut, one_line


def status_html(status: WorkspaceStatus) -> Html:
    """Age, content, lanes, model, cache and versions; problems below, each with its next step."""
    rows = [
        parts.row((tag("b", label), cut(one_line(text), 400)), unbroken=(0,))
        for label, text in status_rows(status)
        if text
    ]
    heading = tag("div", tag("b", cut(one_line(status.name), 80)), " ", parts.dim(remark(status)))
    problems = (_problem(problem) for problem in status.problems)
    return parts.page(heading, parts.table("State of the workspace", ("part", "state"), rows), *problems)


def _problem(problem: Problem) -> Html:
    sign = tag("b", "serious: ") if problem.serious else ""
    step = parts.dim(f" → {cut(one_line(problem.next_step), 300)}")
    return parts.warning(join((sign, cut(one_line(problem.what), 300), step)))
