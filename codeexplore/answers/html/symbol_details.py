"""Details of a selected symbol in a graph: its first lines, and the places of its edges.

The frame of a drawing gets them as data. The list beside the drawing shows the same details.
"""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.answers import GraphAnswer
from codeexplore.answers.html import components
from codeexplore.answers.html.code import source_html
from codeexplore.answers.html.elements import EDGES, Html, tag
from codeexplore.answers.wording import code_text, cut, edge_words, one_line, whereabouts
from codeexplore.types import Edge, Symbol

MAX_LINES = 12
_LINE_CHARS = 110
_MAX_LINKS = 6
_NAME_CHARS = 80


class Details(NamedTuple):
    """The first lines of a symbol with their numbers, and its edges in words."""

    symbol: Symbol
    lines: tuple[tuple[int, str], ...]
    more: int  # lines that are not among `lines`
    links: tuple[tuple[str, str], ...]  # (kind of the edge, words)


def details_of(answer: GraphAnswer, symbol_id: str, *, lines: int = MAX_LINES) -> Details:
    symbol = answer.catalog.symbol(symbol_id)
    chunk = answer.catalog.chunk_for(symbol_id)
    numbered: list[tuple[int, str]] = []
    if chunk is not None:
        numbers = (line for span in chunk.spans for line in span.lines)
        span = symbol.span
        numbered = [
            (line, text) for line, text in zip(numbers, chunk.text.split("\n"), strict=False) if line in span.lines
        ]
    touching = [edge for edge in (*answer.edges, *answer.possible) if symbol_id in (edge.source, edge.target)]
    links = [_link(edge, symbol_id, answer) for edge in touching[:_MAX_LINKS]]
    if len(touching) > _MAX_LINKS:
        links.append(("", f"and {len(touching) - _MAX_LINKS} more"))
    return Details(symbol, tuple(numbered[:lines]), max(0, len(numbered) - lines), tuple(links))


def details_html(details: Details) -> Html:
    symbol = details.symbol
    heading = tag("div", components.symbol_name(symbol), "\u2002", _place(symbol))
    blocks: list[Html] = [heading]
    for kind, words in details.links:
        mark = components.swatch(EDGES[kind]) if kind in EDGES else ""
        blocks.append(tag("div", mark, components.dim(words), style="font-size:12px"))
    if details.lines:
        blocks.append(source_html(details.lines, symbol.language))
    if details.more:
        blocks.append(components.dim(f"{details.more} more lines"))
    return components.page(*blocks)


def _place(symbol: Symbol) -> Html:
    return components.place(symbol.path, symbol.line) if symbol.path else components.dim("outside")


def details_data(details: Details) -> dict[str, object]:
    """Return the details as plain data for the script in the frame, which shows them as text."""
    symbol = details.symbol
    return {
        "name": cut(one_line(symbol.fqn), _NAME_CHARS),
        "where": f"{symbol.kind} at {cut(one_line(whereabouts(symbol)), _NAME_CHARS)}",
        "links": [words for _, words in details.links],
        "code": [[line, cut(code_text(text), _LINE_CHARS)] for line, text in details.lines],
        "more": details.more,
    }


def _link(edge: Edge, symbol_id: str, answer: GraphAnswer) -> tuple[str, str]:
    """Return (kind, text) for an edge of the symbol `symbol_id`.

    The text is ``→ webshop.cli.main  calls by import at cli.py:12, 40``. The arrow ← stands for an edge that enters the
    symbol.
    """
    outgoing = edge.source == symbol_id
    other = cut(one_line(answer.catalog.symbol(edge.target if outgoing else edge.source).fqn), _NAME_CHARS)
    ends = f"→ {other}" if outgoing else f"← {other}"
    if edge.source == edge.target:
        ends = "→ itself"
    return edge.kind, cut(f"{ends}  {edge_words(edge)}", 240)
