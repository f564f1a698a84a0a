"""Results of graph walks as text: symbols by depth with the edges by which they were reached, and call paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.index.qualified_names import shown_name
from codeexplore.results.text.clip import cell_width, one_line, pad
from codeexplore.results.text.phrases import edge_words, plural, unresolved_words, whereabouts
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, noted, shown_width, widths, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeexplore.results.graph import GraphAnswer
    from codeexplore.results.paths import PathsAnswer
    from codeexplore.types import Absence, CallPath, PossibleUse, Reached, Symbol

_MAX_ROWS = 50
_NAME, _PLACE = 0, 2
_LEAST = {_NAME: 16, _PLACE: 14}
_MOST_TESTS = 6
_MOST_MENTIONS = 12  # places that may be uses, of an empty answer
_MOST_EDGES = 2  # shown of one symbol; `edges_to_seeds` returns all


def graph_text(answer: GraphAnswer, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Return a traversal as text: symbols by depth with the edge to each, then those that are only possible by name.

    `width` is in terminal columns; if an edge does not fit beside its symbol, all edges are written below.
    """
    paint = Paint(colour)
    lines = [*_head(answer.headline, paint, width), *absent_lines(answer.absence, paint, width)]
    rows = [_cells(symbol) for symbol in answer.symbols]
    edges = [_how(answer, reached) for reached in answer.reached]
    across = widths(rows, width - 2, _LEAST) if rows else []
    beside = all(sum(across) + 8 + shown_width(how) <= width for how in edges)
    depth = 0
    for row, how, reached in zip(rows, edges, answer.reached, strict=True):
        if reached.depth != depth:
            depth = reached.depth
            lines += ["", paint(f"depth {depth}", "dim")]
        line = "  " + _row(row, across, paint)
        if beside:
            lines.append(f"{line}  {paint(how, 'dim')}")
        else:
            lines += [line, *(paint(part, "dim") for part in wrap("      " + how, width, "        "))]
    if answer.subgraph.cut:
        lines += ["", paint(f"{answer.subgraph.cut} more symbols are not listed; raise top_k.", "dim")]
    lines += [*_apart(answer, paint, width), *_beside(answer, paint, width)]
    return "\n".join(line.rstrip() for line in lines)


def paths_text(answer: PathsAnswer, *, colour: bool = False, width: int = REPR_WIDTH) -> str:
    """Paths between two symbols, one step per line."""
    paint = Paint(colour)
    lines = [*_head(answer.headline, paint, width), *absent_lines(answer.absence, paint, width)]
    lines += path_lines(answer, paint, width)
    lines += noted(answer.notes, paint, width)
    return "\n".join(line.rstrip() for line in lines)


def use_lines(uses: Sequence[PossibleUse], paint: Paint, width: int) -> list[str]:
    """Return places that may be uses, a line each, with the source line and the target it resolves to instead."""
    lines = []
    for use in uses:
        place = one_line(f"{use.site.path}:{use.site.line}")
        targets = f"  → {', '.join(use.targets[:2])}" if use.targets else ""
        shown = fit(one_line(use.text + targets), max(20, width - cell_width(place) - 4))
        lines.append(f"  {paint(place, 'place')}  {shown}")
    return lines


def path_lines(answer: PathsAnswer, paint: Paint, width: int) -> list[str]:
    """The paths, a line for each step with its edge, rule, confidence and place."""
    lines: list[str] = []
    for order, path in enumerate(answer.paths, 1):
        lines += ["", f"{order}. {plural(len(path.edges), 'step')}", *_steps(answer, path, paint, width)]
    return lines


def _head(headline: str, paint: Paint, width: int) -> list[str]:
    return [paint(line, "bold") for line in wrap(one_line(headline), width, "  ")]


def absent_lines(absence: Absence | None, paint: Paint, width: int) -> list[str]:
    """Return the meaning of an empty answer, then the places that may be uses, a line each."""
    if absence is None:
        return []
    lines = wrap(one_line(absence.text), width)
    lines += use_lines(absence.mentions[:_MOST_MENTIONS], paint, width)
    if len(absence.mentions) > _MOST_MENTIONS:
        lines.append(f"  … and {len(absence.mentions) - _MOST_MENTIONS} more in .absence.mentions")
    return lines


def _cells(symbol: Symbol) -> tuple[str, str, str]:
    return one_line(shown_name(symbol.fqn)), symbol.kind, one_line(whereabouts(symbol))


def _row(row: Sequence[str], across: Sequence[int], paint: Paint) -> str:
    name, kind, place = (fit(cell, width) for cell, width in zip(row, across, strict=True))
    return "  ".join(
        (
            paint(name, "bold") + " " * (across[0] - cell_width(name)),
            pad(kind, across[1]),
            paint(place, "place") + " " * (across[2] - cell_width(place)),
        )
    )


def _how(answer: GraphAnswer, reached: Reached) -> str:
    path = answer.catalog.symbol(reached.symbol_id).path
    how = "; ".join(edge_words(edge, path) for edge in answer.edges_to_seeds(reached)[:_MOST_EDGES])
    via = "" if reached.depth == 1 or reached.via is None else one_line(answer.catalog.symbol(reached.via).name)
    return f"{how} via {via}" if via else how


def _apart(answer: GraphAnswer, paint: Paint, width: int) -> list[str]:
    """Return the symbols and places that are uncertain."""
    lines: list[str] = []
    if answer.possible:
        lines += ["", paint(f"matched by name only: {plural(len(answer.possible), 'edge')}", "dim")]
    for edge in answer.possible[:_MAX_ROWS]:
        source, target = answer.catalog.symbol(edge.source), answer.catalog.symbol(edge.target)
        ends = f"{one_line(shown_name(source.fqn))} → {one_line(shown_name(target.fqn))}"
        words = edge_words(edge)
        if cell_width(ends) + cell_width(words) + 4 <= width:
            lines.append(f"  {ends}  {paint(words, 'dim')}")
        else:
            lines += [
                f"  {fit(ends, width - 2)}",
                *(paint(line, "dim") for line in wrap(f"      {words}", width, " " * 8)),
            ]
    if len(answer.possible) > _MAX_ROWS:
        lines.append(f"  … and {len(answer.possible) - _MAX_ROWS} more in .possible")
    if answer.unresolved and answer.absence is None:
        lines += ["", *wrap(f"{unresolved_words(answer.unresolved)}; .unresolved lists them", width, "  ")]
    return lines


def _beside(answer: GraphAnswer, paint: Paint, width: int) -> list[str]:
    """Return other ways by which the seeds may be used, and the tests that would run them."""
    lines: list[str] = []
    if answer.tests:
        shown = ", ".join(one_line(f"{test.fqn} ({test.path}:{test.line})") for test in answer.tests[:_MOST_TESTS])
        more = f" and {len(answer.tests) - _MOST_TESTS} more in .tests" if len(answer.tests) > _MOST_TESTS else ""
        reach = "reaches" if len(answer.tests) == 1 else "reach"
        lines += ["", *wrap(f"{plural(len(answer.tests), 'test')} {reach} it: {shown}{more}", width, "  ")]
    return lines + noted(answer.notes, paint, width)


def _steps(answer: PathsAnswer, path: CallPath, paint: Paint, width: int) -> list[str]:
    symbols = answer.symbols(path)
    lines = [f"   {_end(symbols[0], paint, width - 3)}"]
    for symbol, edge in zip(symbols[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol.id else "←"
        end, words = _end(symbol, paint, width - 5), edge_words(edge)
        if shown_width(end) + cell_width(words) + 7 <= width:
            lines.append(f"   {arrow} {end}  {paint(words, 'dim')}")
        else:
            below = wrap(f"        {words}", width, " " * 10)
            lines += [f"   {arrow} {end}", *(paint(line, "dim") for line in below)]
    return lines


def _end(symbol: Symbol, paint: Paint, width: int) -> str:
    name, _, place = _cells(symbol)
    across = widths([(name, place)], width, {0: 16, 1: 14})
    return f"{paint(fit(name, across[0]), 'bold')}  {paint(fit(place, across[1]), 'place')}"
