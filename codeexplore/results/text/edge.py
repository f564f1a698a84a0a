"""The explanation of an edge as text and Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.results.frames import code_block, code_span
from codeexplore.results.text.clip import one_line, visible
from codeexplore.results.text.graph import use_lines
from codeexplore.results.text.phrases import plural
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, noted, wrap

if TYPE_CHECKING:
    from codeexplore.graph.records import Because
    from codeexplore.results.edge import WhyAnswer
    from codeexplore.types import CallPath

_MOST_UNRESOLVED = 8


def why_text(answer: WhyAnswer, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Return the summary, each edge with its rule and lines, and other paths between the symbols."""
    paint = Paint(colour)
    lines = [paint(line, "bold") for line in wrap(one_line(answer.headline), width, "  ")]
    for because in answer.why.links:
        lines += ["", *_edge(answer, because, paint, width)]
    for path in answer.chains:
        lines += ["", *wrap(f"  {chain_words(answer, path)}", width, "      ")]
    if answer.why.mentions:
        lines += ["", paint("lines that contain the name:", "dim"), *use_lines(answer.why.mentions, paint, width)]
    if answer.why.unresolved:
        lines += ["", paint("calls of the name that could not be resolved:", "dim")]
        for reference in answer.why.unresolved[:_MOST_UNRESOLVED]:
            lines.append(f"  {fit(one_line(use_words(reference.receiver, reference.name)), 60)}  "
                         f"{paint(one_line(f'{reference.site.path}:{reference.site.line}'), 'place')}")  # fmt: skip
    if answer.why.back:
        lines += ["", paint("in the other direction:", "dim")]
        for because in answer.why.back:
            lines += _edge(answer, because, paint, width)
    lines += noted(answer.notes, paint, width)
    return "\n".join(line.rstrip() for line in lines)


def edge_title(answer: WhyAnswer, because: Because) -> str:
    """``a.f CALLS b.g: the rule (rule scope, call, confidence 1.00)``."""
    edge = because.edge
    ends = f"{answer.catalog.symbol(edge.source).fqn} {edge.kind} {answer.catalog.symbol(edge.target).fqn}"
    tests = ", in a test" if edge.in_test else ""
    return f"{ends}: {because.words} (rule {edge.rule}, {edge.manner}, confidence {edge.confidence:.2f}{tests})"


def chain_words(answer: WhyAnswer, path: CallPath) -> str:
    """``a.f → CALLS → b.g ← OVERRIDES ← c.g``."""
    said = one_line(answer.catalog.symbol(path.symbol_ids[0]).fqn)
    for symbol_id, edge in zip(path.symbol_ids[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol_id else "←"
        said += f" {arrow} {edge.kind} {arrow} {one_line(answer.catalog.symbol(symbol_id).fqn)}"
    return said


def use_words(receiver: str, name: str) -> str:
    """``receiver.name`` as written."""
    return f"{receiver}.{name}" if receiver else name


def more_sites(because: Because) -> str:
    """Return a note about sites whose lines are not shown; "" when all are shown."""
    left = len(set(because.edge.sites)) - len(because.lines)
    return f"and {plural(left, 'more place')}" if left > 0 else ""


def why_markdown(answer: WhyAnswer) -> str:
    """The same as Markdown: lines of source in fenced blocks."""
    parts = [f"## {code_span(answer.headline)}"]
    for because in answer.why.links:
        parts += _markdown(answer, because)
    parts += [f"- {code_span(chain_words(answer, path))}" for path in answer.chains]
    if answer.why.mentions:
        items = [
            f"- {code_span(f'{use.site.path}:{use.site.line}')} {code_span(use.text)}" for use in answer.why.mentions
        ]
        parts += ["Lines that contain the name:", "\n".join(items)]
    if answer.why.unresolved:
        items = [
            f"- {code_span(use_words(u.receiver, u.name))} at {code_span(f'{u.site.path}:{u.site.line}')}"
            for u in answer.why.unresolved[:_MOST_UNRESOLVED]
        ]
        parts += ["Calls of the name that could not be resolved:", "\n".join(items)]
    if answer.why.back:
        parts.append("In the other direction:")
        for because in answer.why.back:
            parts += _markdown(answer, because)
    parts += [code_span(note) for note in answer.notes]
    return "\n\n".join(parts) + "\n"


def _markdown(answer: WhyAnswer, because: Because) -> list[str]:
    source = "\n".join(f"{visible(line.path)}:{line.line}: {visible(line.text).strip()}" for line in because.lines)
    found = [code_span(edge_title(answer, because))]
    return [*found, code_block(source, "text")] if source else found


def _edge(answer: WhyAnswer, because: Because, paint: Paint, width: int) -> list[str]:
    lines = wrap(f"  {one_line(edge_title(answer, because))}", width, "      ")
    for line in because.lines:
        place = one_line(f"{line.path}:{line.line}")
        text = fit(visible(line.text).strip().expandtabs(4), max(20, width - len(place) - 8))
        lines.append(f"      {paint(place, 'place')}  {text}")
    if more := more_sites(because):
        lines.append(f"      {paint(more, 'dim')}")
    return lines
