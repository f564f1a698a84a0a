"""Views as aligned plain text: what `print` shows, and terminals in colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codeexplore.views.arithmetic import number, sum_line
from codeexplore.views.paint import Paint
from codeexplore.views.visible import cell_width, cut, one_line, pad, shorten, visible

if TYPE_CHECKING:
    from codeexplore.types import CallPath, Edge, Ranking, Site
    from codeexplore.views.graph import GraphAnswer, PathsAnswer
    from codeexplore.views.search import SearchAnswer, SearchHit

_NAME_COLUMNS = 56
_PATH_COLUMNS = 48
_MAX_ROWS = 50
_QUESTION_CHARS = 300
_MOST_SIGNALS = 3  # written out; `hit.adjustments` has them all


def search_text(answer: SearchAnswer, *, colour: bool = False, source_lines: int = 0) -> str:
    """A ranked answer: two lines per hit, its place and its arithmetic, then `source_lines` lines of its source."""
    paint = Paint(colour)
    count = len(answer)
    question = cut(one_line(answer.question), _QUESTION_CHARS)
    lines = [paint(f"{count or 'No'} hit{'' if count == 1 else 's'} for “{question}”", "bold")]
    lines.append(" · ".join([f"read as {answer.plan.kind}", *(_lane(ranking, paint) for ranking in answer.rankings)]))
    lines += [paint("! " + one_line(notice), "warning") for notice in answer.notices]
    rows = [
        (str(hit.rank), shorten(one_line(hit.name), _NAME_COLUMNS), hit.kind, _place(hit.location), number(hit.score))
        for hit in answer
    ]
    widths = _widths(rows)
    for hit, row in zip(answer, rows, strict=True):
        rank, name, kind, place, score = (pad(cell, width) for cell, width in zip(row, widths, strict=True))
        lines += ["", f"{' ' * (widths[0] - len(row[0]))}{rank.strip()}  {paint(name, 'bold')}  {kind}  "
                      f"{paint(place, 'place')}  {score}"]  # fmt: skip
        lines.append(" " * (widths[0] + 2) + _sum(hit, answer, paint))
        lines += [" " * (widths[0] + 2) + line for line in _source(hit, source_lines, paint)]
    return "\n".join(line.rstrip() for line in lines)


def graph_text(answer: GraphAnswer, *, colour: bool = False) -> str:
    """A traversal: its symbols by depth with the edge that led to each, then what is only possible by name."""
    paint = Paint(colour)
    lines = [paint(one_line(answer.headline), "bold")]
    if answer.absence:
        lines.append(one_line(answer.absence))
    depth = 0
    rows = [
        (shorten(one_line(symbol.fqn), _NAME_COLUMNS), symbol.kind, _place(f"{symbol.path}:{symbol.line}"))
        for symbol in answer.symbols
    ]
    widths = _widths(rows)
    for row, reached in zip(rows, answer.reached, strict=True):
        if reached.depth != depth:
            depth = reached.depth
            lines += ["", paint(f"depth {depth}", "dim")]
        name, kind, place = (pad(cell, width) for cell, width in zip(row, widths, strict=True))
        path = answer.catalog.symbol(reached.symbol_id).path
        how = "; ".join(edge_words(edge, path) for edge in answer.edges_to_seeds(reached)[:2])
        via = "" if depth == 1 or reached.via is None else f" via {one_line(answer.catalog.symbol(reached.via).name)}"
        lines.append(f"  {paint(name, 'bold')}  {kind}  {paint(place, 'place')}  {paint(how + via, 'dim')}")
    if answer.subgraph.cut:
        lines += ["", paint(f"! {answer.subgraph.cut} more symbols left out: too many to show", "warning")]
    lines += _possible(answer, paint)
    return "\n".join(line.rstrip() for line in lines)


def paths_text(answer: PathsAnswer, *, colour: bool = False) -> str:
    """Paths between two symbols, one step per line."""
    paint = Paint(colour)
    lines = [paint(one_line(answer.headline), "bold")]
    if answer.absence:
        lines.append(one_line(answer.absence))
    for order, path in enumerate(answer.paths, 1):
        lines += ["", f"{order}. {len(path.edges)} step{'' if len(path.edges) == 1 else 's'}"]
        lines += _steps(answer, path, paint)
    return "\n".join(line.rstrip() for line in lines)


def edge_words(edge: Edge, near: str = "") -> str:
    """``CALLS by import (1.00) at app.py:12, 40``: an edge, the rule that made it, its confidence and its places.

    `near` is a path that goes without saying: ``at line 12, 40``.
    """
    where = f" at {one_line(places(edge.sites, near))}" if edge.sites else ""
    return f"{edge.kind} by {edge.rule} ({edge.confidence:.2f}){where}"


def places(sites: Sequence[Site], near: str = "", limit: int = 4) -> str:
    """``app.py:12, 40; cli.py:7``: each file once, each line once, at most `limit` lines; `near` goes unnamed."""
    distinct = list(dict.fromkeys(sites))
    lines: dict[str, list[str]] = {}
    for site in distinct[:limit]:
        lines.setdefault(site.path, []).append(str(site.line))
    more = f" and {len(distinct) - limit} more" if len(distinct) > limit else ""
    return "; ".join(_lines(path, numbers, near) for path, numbers in lines.items()) + more


def _lines(path: str, numbers: Sequence[str], near: str) -> str:
    return f"{'line ' if path == near else path + ':'}{', '.join(numbers)}"


def counts(numbers: Mapping[str, int]) -> str:
    """``function 120, class 14``, zeros left out."""
    return ", ".join(f"{one_line(name)} {count:,}" for name, count in numbers.items() if count)


def plural(count: int, noun: str) -> str:
    """``1 file``, ``1,204 files``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _lane(ranking: Ranking, paint: Paint) -> str:
    if ranking.status in ("ok", "empty"):
        return f"{paint(ranking.lane, ranking.lane)} {plural(len(ranking.hits), 'hit')} {ranking.elapsed_ms:.0f} ms"
    return paint(f"{ranking.lane} {ranking.status}: {one_line(ranking.reason)}", "warning")


def _sum(hit: SearchHit, answer: SearchAnswer, paint: Paint) -> str:
    return sum_line(hit.fused, answer.result, lambda name: paint(one_line(name), name), most=_MOST_SIGNALS)


def _source(hit: SearchHit, limit: int, paint: Paint) -> list[str]:
    shown = [(line, text) for line, text in hit.numbered_lines() if text.strip()][:limit]
    return [f"{paint(f'{line:>5}', 'dim')}  {shorten(visible(text).expandtabs(4), 100)}" for line, text in shown]


def _possible(answer: GraphAnswer, paint: Paint) -> list[str]:
    lines: list[str] = []
    if answer.possible:
        lines += ["", paint(f"possible by name alone: {len(answer.possible)}", "dim")]
    for edge in answer.possible[:_MAX_ROWS]:
        source, target = answer.catalog.symbol(edge.source), answer.catalog.symbol(edge.target)
        lines.append(f"  {one_line(source.fqn)} → {one_line(target.fqn)}  {paint(edge_words(edge), 'dim')}")
    if len(answer.possible) > _MAX_ROWS:
        lines.append(f"  … and {len(answer.possible) - _MAX_ROWS} more in .possible")
    if answer.unresolved:
        names = ", ".join(sorted({one_line(u.name) for u in answer.unresolved})[:5])
        share = "shares the name" if len(answer.unresolved) == 1 else "share the name"
        lines += ["", f"not resolved: {plural(len(answer.unresolved), 'reference')} {share} {names}"]
    return lines


def _steps(answer: PathsAnswer, path: CallPath, paint: Paint) -> list[str]:
    symbols = answer.symbols(path)
    lines = [f"   {paint(one_line(symbols[0].fqn), 'bold')}  {_place(f'{symbols[0].path}:{symbols[0].line}')}"]
    for symbol, edge in zip(symbols[1:], path.edges, strict=True):
        arrow = "→" if edge.target == symbol.id else "←"
        lines.append(
            f"   {arrow} {paint(one_line(symbol.fqn), 'bold')}  {_place(f'{symbol.path}:{symbol.line}')}  "
            f"{paint(edge_words(edge), 'dim')}"
        )
    return lines


def _place(location: str) -> str:
    return shorten(one_line(location), _PATH_COLUMNS)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(cell_width(cell) for cell in column) for column in zip(*rows, strict=True)]
