"""A grep's answer as HTML: the symbols that hold a text, each with its lines and the matches set off."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.html import Html, join, tag
from codeexplore.render.palette import MARK, PANEL
from codeexplore.views import GrepAnswer, GrepHit
from codeexplore.views.text import plural
from codeexplore.views.visible import cut, one_line, visible

_LINES = 5  # of a symbol before it is unfolded
_MOST_LINES = 60
_LINE_CHARS = 200
_BEFORE = 60  # characters kept before the first match of a long line
_TEXT_CHARS = 300
_MATCHES_HEADER = ("#", "symbol", "where", "matches")
_PRE = (
    f"margin:2px 0;padding:4px 8px;overflow-wrap:anywhere;background:{PANEL};color:inherit;border-radius:4px;border:0;"
    "font-family:monospace;font-size:12px;line-height:1.45;white-space:pre-wrap;text-align:left"
)
_MARK = f"background:{MARK};color:inherit;border-radius:2px"


def grep_html(answer: GrepAnswer) -> Html:
    """The symbols best first, each with its first lines."""
    blocks = [
        tag("div", tag("b", cut(one_line(answer.headline), _TEXT_CHARS))),
        *(parts.warning(cut(one_line(notice), _TEXT_CHARS)) for notice in answer.notices),
    ]
    if answer.hits:
        rows = [row for hit in answer for row in _rows(hit)]
        blocks.append(parts.table("Definitions first, then by number of matches", _MATCHES_HEADER, rows))
    return parts.page(*blocks)


def grep_hit_html(hit: GrepHit) -> Html:
    """One symbol by itself."""
    where = parts.place(hit.path, hit.start_line)
    return parts.page(tag("div", f"{hit.rank}. ", _name(hit), " ", where), _lines(hit, 0, _MOST_LINES))


def _rows(hit: GrepHit) -> list[Html]:
    told = join(
        (plural(hit.count, "match").replace("matchs", "matches"), parts.dim(" defines it" if hit.defines else ""))
    )
    cells = (str(hit.rank), _name(hit), parts.place(hit.path, hit.start_line), told)
    content = _lines(hit, 0, _LINES)
    if len(hit.lines) > _LINES:
        rest = _lines(hit, _LINES, _MOST_LINES)
        content = join((content, parts.folded(f"{len(hit.lines) - _LINES} more lines", rest)))
    return [parts.row(cells, unbroken=(0, 3)), parts.wide_row(content, len(_MATCHES_HEADER))]


def _name(hit: GrepHit) -> Html:
    if hit.symbol is None:
        return parts.name(hit.path.rpartition("/")[2], hit.kind, title=hit.path)
    return parts.symbol_name(hit.symbol)


def _lines(hit: GrepHit, start: int, stop: int) -> Html:
    shown = hit.lines[start:stop]
    width = len(str(shown[-1].line)) if shown else 1
    rows = [join((parts.dim(f"{each.line:>{width}}  "), _marked(each.text, each.spans))) for each in shown]
    if len(hit.lines) > stop >= _MOST_LINES:
        rows.append(parts.dim(f"{len(hit.lines) - stop} more"))
    return tag("pre", join(rows, "\n"), style=_PRE)


def _marked(text: str, spans: tuple[tuple[int, int], ...]) -> Html:
    """A line with its matches set off; of a long one the stretch around the first."""
    begin = max(0, spans[0][0] - _BEFORE) if spans and len(text) > _LINE_CHARS else 0
    end = begin + _LINE_CHARS
    pieces: list[str] = ["…"] if begin else []
    position = begin
    for first, last in spans:
        if first >= end:
            break
        pieces.append(_told(text[position:first]))
        pieces.append(tag("mark", _told(text[first : min(last, end)]), style=_MARK))
        position = last
    pieces.append(_told(text[position:end]))
    if len(text) > end:
        pieces.append("…")
    return join(pieces)


def _told(text: str) -> str:
    return visible(text).expandtabs(4)
