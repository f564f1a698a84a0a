"""Results of a traversal as HTML: a drawing, a list by depth, and separately the symbols only possible by name."""

from __future__ import annotations

from codeexplore.html import components
from codeexplore.html.drawing.vis_network import drawing_html
from codeexplore.html.edges import where
from codeexplore.html.elements import EDGES, Html, depth_colour, join, tag
from codeexplore.html.links import linked
from codeexplore.index.qualified_names import shown_name
from codeexplore.results import GraphAnswer, PathsAnswer
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import edge_words, plural, unresolved_words
from codeexplore.types import Absence, CallPath, Edge, PossibleUse, Reached, Symbol

_MAX_LISTED = 60
_HEADER = ("depth", "symbol", "where", "reached by")


@linked
def drawn_html(answer: GraphAnswer) -> Html:
    """Return the answer with its drawing, as a notebook shows it."""
    return graph_answer_html(answer, drawing_html(answer))


@linked
def graph_answer_html(answer: GraphAnswer, drawing: Html | None = None, *, listed: bool = True) -> Html:
    """Return the answer in words, then `drawing` if given, then the list of symbols if `listed`."""
    blocks = [tag("div", tag("b", _headline(answer.headline)))]
    blocks += absence_html(answer.absence)
    if answer.subgraph.cut:
        blocks.append(components.warning(f"{plural(answer.subgraph.cut, 'more symbol')} not listed; raise top_k="))
    if drawing is not None:
        blocks.append(drawing)
    if listed and len(answer):
        pairs = list(zip(answer.symbols, answer.reached, strict=True))
        rows = [_row(symbol, reached, answer) for symbol, reached in pairs[:_MAX_LISTED]]
        blocks.append(components.table("By depth, then confidence", _HEADER, rows))
        if len(pairs) > _MAX_LISTED:
            rest = [_line(symbol, reached) for symbol, reached in pairs[_MAX_LISTED:]]
            blocks.append(components.folded(f"{len(rest)} more", tag("ul", *rest, style="margin:2px 0")))
    blocks += [*_apart(answer), *_beside(answer)]
    return components.page(*blocks)


@linked
def paths_html(answer: PathsAnswer) -> Html:
    """Each path as a line of symbols and the edges between them."""
    blocks = [tag("div", tag("b", _headline(answer.headline)))]
    blocks += absence_html(answer.absence)
    return components.page(*blocks, *path_lists(answer), *components.notes(answer.notes))


def path_lists(answer: PathsAnswer) -> list[Html]:
    """The paths in order, a line for each step with its edge, rule, confidence and place."""
    items = [tag("li", _path(answer, path), style="margin:4px 0") for path in answer.paths]
    return [tag("ol", *items, style="margin:4px 0")] if items else []


def absence_html(absence: Absence | None) -> list[Html]:
    """Return the meaning of an empty answer and the places that may be uses; an empty list for None."""
    if absence is None:
        return []
    blocks = [tag("div", cut(one_line(absence.text), 600), class_=f"ce-absence-{absence.kind}")]
    items = [use_item(use) for use in absence.mentions[:_MAX_LISTED]]
    if len(absence.mentions) > _MAX_LISTED:
        items.append(tag("li", f"and {len(absence.mentions) - _MAX_LISTED} more in .absence.mentions"))
    if items:
        listed = tag("ul", *items, style="margin:2px 0")
        blocks.append(components.folded(plural(len(absence.mentions), "place") + " to look at", listed, opened=True))
    return blocks


def use_item(use: PossibleUse) -> Html:
    """Return a place that may be a use, with the source line and the target it resolves to instead."""
    targets = components.dim(cut(one_line(f" → {', '.join(use.targets[:2])}"), 200)) if use.targets else ""
    return tag(
        "li", components.place(use.site.path, use.site.line), " ", tag("code", cut(one_line(use.text), 200)), targets
    )


def _row(symbol: Symbol, reached: Reached, answer: GraphAnswer) -> Html:
    mark = components.swatch(depth_colour(reached.depth))
    edges = answer.edges_to_seeds(reached)
    via = ""
    if reached.via is not None and reached.depth > 1:
        via = f" via {cut(one_line(answer.catalog.symbol(reached.via).name), 80)}"
    how = join((_edge(edge, symbol.path) for edge in edges[:3]), ", ")
    more = f" and {len(edges) - 3} more" if len(edges) > 3 else ""
    cells = (
        join((mark, str(reached.depth))),
        components.symbol_name(symbol),
        where(symbol),
        join((how, more, components.dim(via))),
    )
    return components.row(cells, unbroken=(0,))


def _line(symbol: Symbol, reached: Reached) -> Html:
    """A symbol beyond those of the table: a quarter of a row's bytes."""
    place = f"{cut(one_line(symbol.path), 100)}:{symbol.line}"
    return tag(
        "li", f"{reached.depth}  ", tag("b", cut(one_line(shown_name(symbol.fqn)), 120)), f"  {symbol.kind}, {place}"
    )


def _edge(edge: Edge, near: str) -> Html:
    return join((components.swatch(EDGES.get(edge.kind, EDGES["USES"])), cut(edge_words(edge, near), 300)))


def _apart(answer: GraphAnswer) -> list[Html]:
    """Return the symbols and places that are uncertain."""
    blocks = []
    if answer.possible:
        items = [
            tag("li", _end(answer, edge.source), " → ", _end(answer, edge.target), "  ", components.dim(_words(edge)))
            for edge in answer.possible[:_MAX_LISTED]
        ]
        if len(answer.possible) > _MAX_LISTED:
            items.append(tag("li", f"and {len(answer.possible) - _MAX_LISTED} more in .possible"))
        title = f"matched by name only: {plural(len(answer.possible), 'edge')}"
        blocks.append(components.folded(title, tag("ul", *items, style="margin:2px 0")))
    if answer.unresolved and answer.absence is None:
        items = [
            tag("li", tag("code", cut(_use(u.receiver, u.name), 120)), " ", components.place(u.site.path, u.site.line))
            for u in answer.unresolved[:_MAX_LISTED]
        ]
        if len(answer.unresolved) > _MAX_LISTED:
            items.append(tag("li", f"and {len(answer.unresolved) - _MAX_LISTED} more in .unresolved"))
        blocks.append(components.folded(unresolved_words(answer.unresolved), tag("ul", *items, style="margin:2px 0")))
    return blocks


def _beside(answer: GraphAnswer) -> list[Html]:
    """Return the tests that would run the seeds, and other ways by which the seeds may be used."""
    blocks = []
    if answer.tests:
        items = [tag("li", components.symbol_name(t), " ", where(t)) for t in answer.tests[:_MAX_LISTED]]
        if len(answer.tests) > _MAX_LISTED:
            items.append(tag("li", f"and {len(answer.tests) - _MAX_LISTED} more in .tests"))
        title = f"{plural(len(answer.tests), 'test')} {'reaches' if len(answer.tests) == 1 else 'reach'} it"
        blocks.append(components.folded(title, tag("ul", *items, style="margin:2px 0")))
    return blocks + components.notes(answer.notes)


def _path(answer: PathsAnswer, path: CallPath) -> Html:
    symbols = answer.symbols(path)
    steps = [tag("div", components.symbol_name(symbols[0]), " ", where(symbols[0]))]
    for symbol, edge in zip(symbols[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol.id else "←"
        ends = join((f"{arrow} ", components.symbol_name(symbol), " ", where(symbol), "  "))
        steps.append(tag("div", ends, _edge(edge, ""), style="padding-left:1.2em"))
    return join(steps)


def _end(answer: GraphAnswer, symbol_id: str) -> Html:
    return tag(
        "code", cut(one_line(shown_name(answer.catalog.symbol(symbol_id).fqn)), 120), style="background:transparent"
    )


def _words(edge: Edge) -> str:
    return cut(one_line(edge_words(edge)), 300)


def _use(receiver: str, name: str) -> str:
    return one_line(f"{receiver}.{name}" if receiver else name)


def _headline(text: str) -> str:
    return cut(one_line(text), 300)
