"""A grep's answer as text and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.results.frames import code_block, code_span, markdown_table
from codeexplore.results.text.clip import cut, one_line, pad, visible
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, widths, wrap

if TYPE_CHECKING:
    from codeexplore.results.grep import GrepAnswer, GrepHit
    from codeexplore.search.grep import GrepLine

_LINES = 4  # shown of a symbol; `.lines` has them all


def grep_text(answer: GrepAnswer, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Symbols best first, each with its first lines; `width` is in terminal columns."""
    paint = Paint(colour)
    lines = [paint(line, "bold") for line in wrap(cut(one_line(answer.headline), 300), width, "  ")]
    for notice in answer.notices:
        lines += wrap(one_line(notice), width, "  ")
    rows = [(str(hit.rank), one_line(hit.name), hit.kind, one_line(hit.location), _summary(hit)) for hit in answer]
    across = widths(rows, width, {1: 16, 3: 14}) if rows else []
    for hit, row in zip(answer, rows, strict=True):
        rank, name, kind, place, found = (pad(fit(cell, each), each) for cell, each in zip(row, across, strict=True))
        lines += [
            "",
            f"{rank}  {paint(name, 'bold')}  {kind}  {paint(place, 'place')}  {paint(found.rstrip(), 'dim')}",
        ]
        lines += [_line(each, paint, width) for each in hit.lines[:_LINES]]
        if len(hit.lines) > _LINES:
            lines.append(f"       … {len(hit.lines) - _LINES} more lines")
    return "\n".join(line.rstrip() for line in lines)


def grep_hit_text(hit: GrepHit, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Return one symbol with all its lines."""
    paint = Paint(colour)
    head = f"{hit.rank}. {paint(fit(one_line(hit.name), width), 'bold')}  {hit.kind}  "
    head += f"{paint(fit(one_line(hit.location), width), 'place')}  {_summary(hit)}"
    return "\n".join([*wrap(head, width, "   "), *(_line(each, paint, width) for each in hit.lines)])


def _summary(hit: GrepHit) -> str:
    counted = f"{hit.count} matches" if hit.count > 1 else ""
    return " · ".join(filter(None, ["defines it" if hit.defines else "", counted]))


def grep_markdown(answer: GrepAnswer) -> str:
    """A table of the symbols, then each one's lines."""
    parts = [f"## {code_span(cut(answer.headline, 300))}", *(f"> {code_span(notice)}" for notice in answer.notices)]
    rows = [(str(hit.rank), code_span(hit.name), hit.kind, code_span(hit.location), str(hit.count)) for hit in answer]
    if rows:
        parts.append(markdown_table(("#", "symbol", "kind", "where", "matches"), rows))
    parts += [_block(hit) for hit in answer]
    return "\n\n".join(parts) + "\n"


def _block(hit: GrepHit) -> str:
    text = "\n".join(f"{each.line}: {visible(each.text)}" for each in hit.lines)
    return f"### {hit.rank}. {code_span(hit.name)} ({code_span(hit.location)})\n\n{code_block(text, '')}"


def _line(each: GrepLine, paint: Paint, width: int) -> str:
    """A line with its number; of a long one the stretch around the first match."""
    columns = max(20, width - 9)
    text, begin = each.text, 0
    first = each.spans[0][0] if each.spans else 0
    if len(text) > columns and first > columns - 30:
        begin = max(0, first - 30)
    shown = ("…" if begin else "") + visible(text[begin : begin + 4 * columns]).expandtabs(4).lstrip()
    return f"  {paint(f'{each.line:>5}', 'dim')}  {fit(cut(shown, columns), columns)}"
