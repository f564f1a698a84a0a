"""The explanation of an edge as HTML: each rule in words over the source lines it was applied to."""

from __future__ import annotations

from itertools import groupby

from codeexplore.graph.records import Because
from codeexplore.html import components
from codeexplore.html.code import source_html
from codeexplore.html.elements import EDGES, Html, join, tag
from codeexplore.html.links import linked
from codeexplore.results import WhyAnswer
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.edge import more_sites, use_words
from codeexplore.results.text.phrases import whereabouts
from codeexplore.types import CallPath, Symbol

_MOST_UNRESOLVED = 20


@linked
def why_html(answer: WhyAnswer) -> Html:
    """Return the summary, the edges with their source, the paths in between, and places that only share the name."""
    why = answer.why
    blocks = [tag("div", tag("b", cut(one_line(answer.headline), 600)))]
    blocks += [_edge(because, answer) for because in why.links]
    if answer.chains:
        items = [tag("li", _chain(path, answer)) for path in answer.chains]
        blocks.append(tag("ol", *items, style="margin:4px 0"))
    if why.mentions:
        items = [
            tag("li", components.place(use.site.path, use.site.line), " ", tag("code", cut(one_line(use.text), 200)))
            for use in why.mentions
        ]
        blocks.append(
            components.folded("lines that contain the name", tag("ul", *items, style="margin:2px 0"), opened=True)
        )
    if why.unresolved:
        items = [
            tag("li", tag("code", cut(one_line(use_words(u.receiver, u.name)), 120)), " ",
                components.place(u.site.path, u.site.line))
            for u in why.unresolved[:_MOST_UNRESOLVED]
        ]  # fmt: skip
        title = f"calls of the name that could not be resolved: {len(why.unresolved)}"
        blocks.append(components.folded(title, tag("ul", *items, style="margin:2px 0"), opened=True))
    if why.back:
        blocks.append(components.folded("in the other direction", *(_edge(because, answer) for because in why.back)))
    return components.page(*blocks, *components.notes(answer.notes))


def _edge(because: Because, answer: WhyAnswer) -> Html:
    edge = because.edge
    source, target = answer.catalog.symbol(edge.source), answer.catalog.symbol(edge.target)
    ends = (components.symbol_name(source), " → ", components.symbol_name(target))
    title = join((components.swatch(EDGES.get(edge.kind, EDGES["USES"])), tag("b", edge.kind), " ", *ends))
    test = ", in a test" if edge.in_test else ""
    rule = f"{because.words} (rule {edge.rule}, {edge.manner}, confidence {edge.confidence:.2f}{test})"
    pieces = [tag("div", title), tag("div", components.dim(rule))]
    for path, group in groupby(because.lines, key=lambda line: line.path):
        lines = list(group)
        language = source.language if path == source.path else ""
        pieces.append(tag("div", components.place(path, lines[0].line, lines[-1].line)))
        pieces.append(source_html([(line.line, line.text) for line in lines], language or source.language))
    if more := more_sites(because):
        pieces.append(tag("div", components.dim(more)))
    return tag("div", *pieces, style="margin:6px 0")


def _chain(path: CallPath, answer: WhyAnswer) -> Html:
    pieces: list[str] = [_end(answer.catalog.symbol(path.symbol_ids[0]))]
    for symbol_id, edge in zip(path.symbol_ids[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol_id else "←"
        pieces += [f" {arrow} ", tag("b", edge.kind), f" {arrow} ", _end(answer.catalog.symbol(symbol_id))]
    return join(pieces)


def _end(symbol: Symbol) -> Html:
    return join((components.symbol_name(symbol), " ", where(symbol)))


def where(symbol: Symbol) -> Html:
    """A symbol's place, or a note that it is outside the repository."""
    return components.place(symbol.path, symbol.line) if symbol.path else components.dim(whereabouts(symbol))
