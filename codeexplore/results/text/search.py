"""A ranked answer as text: aligned, each hit with a bar and the sum behind its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.index.qualified_names import shown_name
from codeexplore.results.score_terms import number, sum_line, terms
from codeexplore.results.text.clip import cell_width, cut, one_line, pad
from codeexplore.results.text.graph import absent_lines, path_lines
from codeexplore.results.text.phrases import confidence_words, numbered, plural
from codeexplore.results.text.terminal import REPR_WIDTH, Paint, fit, shown_width, widths, wrap
from codeexplore.types import LANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeexplore.results.score_terms import Term
    from codeexplore.results.search import SearchAnswer, SearchHit
    from codeexplore.types import Ranking

_QUESTION_CHARS = 300
_MOST_SIGNALS = 3  # written out; `hit.adjustments` has them all
_BAR = 12  # columns of the longest bar
_FILLS: dict[str, str] = dict(zip(LANES, "█▓▒", strict=True))  # distinct without colour too
_SIGNAL = "░"
_NAME, _PLACE = 1, 3  # the columns that shrink
_LEAST = {_NAME: 16, _PLACE: 14}


def search_text(answer: SearchAnswer, *, colour: bool = False, source_lines: int = 0, width: int = REPR_WIDTH) -> str:
    """A ranked answer: two lines per hit, its place and its arithmetic, then `source_lines` lines of its source.

    `width` is in terminal columns. Bars show the positive summands; subtractions are only in the score.
    """
    paint = Paint(colour)
    question = cut(one_line(answer.question), _QUESTION_CHARS)
    lines = wrap(f"{plural(len(answer), 'hit') if len(answer) else 'No hits'} for “{question}”", width, "  ")
    lines = [paint(line, "bold") for line in lines]
    lanes = " · ".join([f"read as {answer.plan.kind}", *(_lane(ranking, paint) for ranking in answer.rankings)])
    lines += wrap(lanes, width, "  ")
    if said := confidence_words(answer):
        style = "warning" if answer.confidence != "answered" else ""
        lines += [paint(line, style) if style else line for line in wrap(said, width, "  ")]
    if answer.absence is not None and answer.absence.mentions:
        lines += absent_lines(answer.absence, paint, width)[len(wrap(one_line(answer.absence.text), width)) :]
    if answer.paths is not None:
        lines += path_lines(answer.paths, paint, width)
    for notice in answer.notices:
        lines += wrap(one_line(notice), width, "  ")
    rows = [
        (str(hit.rank), one_line(shown_name(hit.name)), hit.kind, one_line(hit.location), number(hit.score))
        for hit in answer
    ]
    across = widths(rows, width, _LEAST) if rows else []
    longest = max((sum(max(0.0, term.value) for term in terms(hit.fused, answer.result)) for hit in answer), default=0)
    for hit, row in zip(answer, rows, strict=True):
        shown = _row(row, across, paint)
        lines += ["", shown if answer.confidence == "answered" else paint(_row(row, across, Paint(False)), "dim")]
        indent = " " * (across[0] + 2)
        if role := answer.role_of(hit):
            lines.append(indent + paint(fit(role, width - len(indent)), "dim"))
        bar = _bar(terms(hit.fused, answer.result), longest, paint)
        lines += wrap(f"{indent}{bar}  {_sum(hit, answer, paint)}", width, indent + " " * (_BAR + 2))
        lines += [indent + line for line in numbered(hit.numbered_lines(), source_lines, width - len(indent), paint)]
    return "\n".join(line.rstrip() for line in lines)


def hit_text(hit: SearchHit, *, colour: bool = False, width: int = REPR_WIDTH, source_lines: int = 12) -> str:
    """Return one hit: its name, place and shares, then its source."""
    paint = Paint(colour)
    name, place = one_line(hit.name), one_line(hit.location)
    head = f"{hit.rank}. {paint(fit(name, width), 'bold')}  {hit.kind}  {paint(fit(place, width), 'place')}"
    shares = [(share.value, share.lane) for share in hit.contributions]
    shares += [(adjustment.value, adjustment.signal) for adjustment in hit.adjustments]
    total = " + ".join(f"{number(value)} {paint(one_line(name), name)}" for value, name in shares).replace("+ −", "− ")
    lines = [*wrap(head, width, "   "), *wrap(f"   {total or '0'} = {number(hit.score)}", width, "   "), ""]
    lines += [f"   {line}" for line in numbered(hit.numbered_lines(), source_lines, width - 3, paint)]
    return "\n".join(line.rstrip() for line in lines)


def _row(row: Sequence[str], across: Sequence[int], paint: Paint) -> str:
    rank, name, kind, place, score = (fit(cell, width) for cell, width in zip(row, across, strict=True))
    return "  ".join(
        (
            " " * (across[0] - cell_width(rank)) + rank,
            paint(name, "bold") + " " * (across[1] - cell_width(name)),
            pad(kind, across[2]),
            paint(place, "place") + " " * (across[3] - cell_width(place)),
            " " * (across[4] - cell_width(score)) + score,
        )
    )


def _bar(summands: Sequence[Term], longest: float, paint: Paint) -> str:
    """Return the added amounts as a bar of whole columns, at least one for each positive summand."""
    bar, used, total = "", 0, 0.0
    for term in summands:
        if term.value <= 0 or not longest:
            continue
        total += term.value
        end = min(_BAR, max(used + 1, round(_BAR * total / longest)))
        fill = _FILLS.get(term.source, _SIGNAL) if term.kind == "lane" else _SIGNAL
        bar += paint(fill * (end - used), term.source)
        used = end
    return bar + " " * (_BAR - used)


def _lane(ranking: Ranking, paint: Paint) -> str:
    if ranking.status in ("ok", "empty"):
        mark = paint(_FILLS.get(ranking.lane, _SIGNAL), ranking.lane)
        name = paint(ranking.lane, ranking.lane)
        return f"{mark} {name} {plural(len(ranking.hits), 'hit')} {ranking.elapsed_ms:.0f} ms"
    message = f"{ranking.lane} {ranking.status}: {one_line(ranking.reason)}"
    return message if ranking.status == "waiting" else paint(message, "warning")


def _sum(hit: SearchHit, answer: SearchAnswer, paint: Paint) -> str:
    line = sum_line(hit.fused, answer.result, lambda name: paint(one_line(name), name), most=_MOST_SIGNALS)
    return line if shown_width(line) < 4 * REPR_WIDTH else cut(line, 4 * REPR_WIDTH)
