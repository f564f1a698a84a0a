"""A grep's answer as text and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.views.paint import Paint
from codeexplore.views.tables import code_block, code_span, markdown_table
from codeexplore.views.visible import cut, one_line, shorten, visible

if TYPE_CHECKING:
    from codeexplore.views.grep import GrepAnswer, GrepHit, GrepLine

_LINES = 4  # shown of a symbol; `.lines` has them all
_WIDTH = 110
_NAME_COLUMNS = 64


def grep_text(answer: GrepAnswer, *, colour: bool = False) -> str:
    """Symbols best first, each with its first lines."""
    paint = Paint(colour)
    lines = [paint(cut(one_line(answer.headline), 300), "bold")]
    lines += [paint("! " + one_line(notice), "warning") for notice in answer.notices]
    for hit in answer:
        name = paint(shorten(one_line(hit.name), _NAME_COLUMNS), "bold")
        counted = f"{hit.count} matches" if hit.count > 1 else ""
        told = " · ".join(filter(None, ["defines it" if hit.defines else "", counted]))
        lines += ["", f"{hit.rank}  {name}  {hit.kind}  {paint(one_line(hit.location), 'place')}  {paint(told, 'dim')}"]
        lines += [_line(each, paint) for each in hit.lines[:_LINES]]
        if len(hit.lines) > _LINES:
            lines.append(f"       … {len(hit.lines) - _LINES} more lines")
    return "\n".join(line.rstrip() for line in lines)


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


def _line(each: GrepLine, paint: Paint) -> str:
    """A line with its number; of a long one the stretch around the first match."""
    text, begin = each.text, 0
    first = each.spans[0][0] if each.spans else 0
    if len(text) > _WIDTH and first > _WIDTH - 30:
        begin = first - 30
    shown = ("…" if begin else "") + visible(text[begin:]).expandtabs(4).lstrip()
    return f"  {paint(f'{each.line:>5}', 'dim')}  {cut(shown, _WIDTH)}"
