"""Answers as HTML: pages for notebooks, and parts of answers for the explorer.

Only this module decides how each block and each piece of a line look in a notebook.

>>> from codeexplore import Workspace, sample_repo
>>> shown_html(Workspace(sample_repo("webshop")).hubs(1)).partition("</style>")[2][:40]
'<div><b>The most central symbol</b></div'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import assert_never

from codeexplore.answers import GraphAnswer
from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, BlockWriter, Inline, Items, Line, Table, pieces, where
from codeexplore.answers.drawing.vis_network import drawing_html
from codeexplore.answers.html import components
from codeexplore.answers.html import elements as look
from codeexplore.answers.html.code import MAX_FOLDED, MAX_LINES, sought_tokens, source_html
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.links import linked
from codeexplore.answers.score_terms import number
from codeexplore.answers.show import blocks_of
from codeexplore.answers.wording import cut, flat
from codeexplore.types import Site, Symbol
from codeexplore.types.visible import visible

MAX_ROWS = 60
"""Rows and items in sight; others are folded."""

MAX_FOLDED_ROWS = 400
"""Rows that are folded; a notebook must stay a file that can be opened. The answer has all."""

_LINE_CHARS = 600
_CODE_CHARS = 200
_QUOTE_CHARS = 2_000
_UNBROKEN = 12  # characters of a cell that stay on one line
_BAR_PIXELS = 84
_WIDE_BAR_PIXELS = 168
_METER_PIXELS = 120
_COLOURED = 12  # lines of source in an answer kept in a notebook: their markup makes it large
LINE_MARKUP = 40
"""Characters of markup that a line of source without colours takes."""

_FOLDED_CHARS = 20_000  # of source that unfolds in one answer's output: a notebook must stay small
_VERDICTS: Mapping[str, str] = MappingProxyType({"good": look.lane_colour("graph"), "bad": look.WARNING})
_LIST = "margin:2px 0"
_CODE = "background:transparent;color:inherit;padding:0"

# source and arithmetic are beside each other where the width allows it
_BEFORE = "float:left;max-width:100%;margin-right:10px"  # the place is on the line that unfolds the hit
_SIDE_BY_SIDE = "clear:both;display:flex;flex-wrap:wrap;gap:0 20px;align-items:flex-start"
_BESIDE = "flex:1 1 340px;min-width:0"
_ROLE = (
    f"border:1px solid {look.LINE};border-radius:8px;padding:0 6px;margin-right:8px;font-size:11.5px;"
    "display:inline-block"
)


class Writer(BlockWriter[Html]):
    """Writer of the blocks of one result.

    `opened` hits are unfolded at first. `chars` limits the characters of source that can be unfolded in the whole
    answer. `drawing` takes the place of the drawing that the answer would get.
    """

    def __init__(self, opened: int = 0, chars: int | None = _FOLDED_CHARS, drawing: Html | None = None) -> None:
        self._opened, self._chars, self._drawn = opened, chars, drawing

    def html(self, blocks: Iterable[Block]) -> list[Html]:
        """Return each block as markup. Several paths after each other become one numbered list."""
        written: list[Html] = []
        for kind, group in groupby(blocks, type):
            parts = [self.write(block) for block in group]
            written += [tag("ol", *parts, style="margin:4px 0")] if kind is b.Steps else parts
        return written

    # ----------------------------------------------------------------------- lines

    def line(self, line: Line) -> Html:
        return join(self._piece(piece) for piece in pieces(line))

    def _piece(self, piece: Inline) -> str:
        if isinstance(piece, Html):
            return piece
        if isinstance(piece, str):
            return cut(flat(piece), _LINE_CHARS)
        if isinstance(piece, b.Fold):
            return self._fold(piece)
        if isinstance(piece, Symbol):
            return components.symbol_name(piece)
        if isinstance(piece, Site):
            return components.place(piece.path, piece.line)
        if isinstance(piece, b.Place):
            return components.place(*piece)
        if isinstance(piece, b.Name):
            return components.name(piece.short, piece.kind, title=piece.text)
        if isinstance(piece, b.Piece):
            return _styled(piece)
        if isinstance(piece, b.Tint):
            return _tinted(piece)
        if isinstance(piece, b.Meter):
            return _meter(piece)
        if isinstance(piece, b.Bar):
            return _bar(piece)
        assert_never(piece)

    def _heading(self, block: b.Heading) -> Html:
        return tag("div", *(p if isinstance(p, Html) else tag("b", p) for p in map(self._piece, pieces(block.line))))

    def _text(self, block: b.Text) -> Html:
        line = self.line(block.line)
        if block.style == "warning":
            return components.warning(line)
        return tag("div", components.dim(line) if block.style == "dim" else line)

    def _items(self, block: b.Items) -> Html:
        box = (Html('<input type="checkbox">'), " ") if block.boxes else ()
        items = [
            tag("li", tag("label", *box, self.line(item)) if box else self.line(item))
            for item in block.items[:MAX_ROWS]
        ]
        if len(block.items) > MAX_ROWS:
            where = f" in .{block.attribute}" if block.attribute else ""
            items.append(tag("li", f"and {len(block.items) - MAX_ROWS:,} more{where}"))
        listed = tag("ul", *items, style=f"{_LIST};list-style:none;padding-left:1.1em" if box else _LIST)
        return components.folded(self.line(block.title), listed, opened=block.opened) if block.title else listed

    def _steps(self, block: b.Steps) -> Html:
        steps = [tag("div", self.line(_end(block.symbols[0])))]
        for symbol, arrow, edge in zip(block.symbols[1:], block.arrows, block.edges, strict=True):
            steps.append(tag("div", self.line((f"{arrow} ", *_end(symbol), "  ", edge)), style="padding-left:1.2em"))
        return tag("li", *steps, style="margin:4px 0")

    def _fold(self, block: b.Fold) -> Html:
        if not block.blocks:  # below folds, as far from the edge as their titles
            return tag("div", self.line(block.title), style="padding-left:1.1em")
        return components.folded(self.line(block.title), *self.html(block.blocks), opened=block.opened)

    def _source(self, block: b.Source) -> Html:
        source = source_html(
            block.lines,
            "" if block.spans else block.language,
            limit=block.limit,
            folded=60 if block.spans else MAX_FOLDED,
            light=bool(block.spans),
            spans=block.spans,
        )
        if not block.path:
            return source
        place = components.place(block.path, block.lines[0][0], block.lines[-1][0])
        return join((tag("div", place), source))

    def _plain(self, block: b.Plain) -> Html:
        return tag("pre", "\n".join(map(visible, block.lines)), style=_PLAIN)

    def _quote(self, block: b.Quote) -> Html:
        style = f"white-space:pre-wrap;margin:4px 0;padding:6px 8px;background:{look.PANEL};border-radius:4px"
        return tag("div", cut(visible(block.text), _QUOTE_CHARS), style=style)

    def _own(self, block: b.Own) -> Html:
        return join((block.as_html(self),))

    def _drawing(self, block: b.Drawing) -> Html:
        return join((drawing_html(block.answer) or "",)) if self._drawn is None else self._drawn

    def _copy(self, block: b.Copy) -> Html:
        button = components.copy_button(block.what, visible(block.text))
        return tag("div", button, components.small(f" {block.what}"))

    def _legend(self, block: b.Legend) -> Html:
        lines = (tag("div", components.small(self.line(line))) for line in block.lines)
        return tag("div", *lines, style="margin:4px 0")

    # ----------------------------------------------------------------------- tables

    def _table(self, block: b.Table) -> Html:
        if not block.rows:
            return join(())
        shown = [n for n in block.shown("html") if block.columns[n] != "kind"]  # names carry it
        rest = block.rows[MAX_ROWS : MAX_ROWS + MAX_FOLDED_ROWS]
        blocks = [self._rows(block, shown, block.rows[:MAX_ROWS], block.caption)]
        if rest:
            folded = self._rows(block, shown, rest, "The rest")
            blocks.append(components.folded(f"{len(block.rows) - MAX_ROWS:,} more", folded))
        if (left := len(block.rows) - MAX_ROWS - MAX_FOLDED_ROWS) > 0:
            blocks.append(components.warning(f"{left:,} rows not shown; the answer has them all"))
        return tag("div", *blocks, class_=f"ce-{block.dim}", style="opacity:.6") if block.dim else join(blocks)

    def _rows(self, block: b.Table, shown: Sequence[int], rows: Sequence[b.Row], caption: str) -> Html:
        header = [self._header(block.columns[n]) for n in shown] + ([block.beside] if block.beside else [])
        wide = 1 if any(isinstance(column, b.Column) for column in block.columns) else None
        marked: list[Html] = []
        for row in rows:
            cells: list[str] = [self.line(row.cells[n]) for n in shown]
            if block.layout == "facts":
                cells[0] = tag("b", cells[0])
            if block.beside:
                cells.append(join((self.line(each) for each in row.below), ", "))
            short = [place for place, n in enumerate(shown) if place != wide and _short(row.cells[n])]
            marked.append(components.row(cells, unbroken=short, wide=wide))
            dim = () if block.beside else (tag("div", components.dim(self.line(each))) for each in row.below)
            if below := [*dim, *self.html(row.blocks)]:
                marked.append(components.wide_row(join(below), len(shown)))
        return components.table(caption, header, marked, hidden=wide is not None)

    def _header(self, column: str | b.Column) -> str:
        if not isinstance(column, b.Column):
            return column
        name = join(column.name.split("\n"), Html("<br>"))
        underlined = (
            f"border-bottom:2px solid {look.lane_colour(column.lane)};padding-bottom:1px" if column.lane else None
        )
        return tag("span", name, style=underlined, title=column.title or None)

    # ----------------------------------------------------------------------- ranked hits

    def _hit(self, block: b.Hit) -> Html:
        """Return a hit: its role, its place and, folded, its source beside the terms of its score."""
        light = self._chars is not None
        limit = _COLOURED if light else MAX_LINES
        lines = block.source.lines
        sought, folded = sought_tokens(block.result.plan), self._take(lines, limit)
        source = source_html(lines, block.source.language, limit=limit, folded=folded, light=light, sought=sought)
        summands = self.html(block.summands())
        score = (
            [tag("div", tag("div", *summands, style=_SCORE, class_="ce-dim ce-why"), style=_BESIDE)] if summands else []
        )
        content = tag("div", tag("div", source, style=_BESIDE), *score, style=_SIDE_BY_SIDE)
        role = tag("span", block.short_role, class_="ce-role", style=_ROLE, title=block.role) if block.role else ""
        place = tag("div", components.place(*block.place, copy=True), style=_BEFORE)
        opened = block.fused.rank <= self._opened
        if block.sentence:
            said = tag("div", role, cut(flat(block.sentence), _LINE_CHARS), class_="ce-sentence")
            about = (
                [tag("div", tag("code", cut(flat(block.signature), _CODE_CHARS), style=_CODE))]
                if block.signature
                else []
            )
            about += [tag("div", cut(flat(block.doc), _LINE_CHARS))] if block.doc else []
            return join((*about, said, place, components.folded("source", content, opened=opened)))
        return join((place, components.folded(join((role, "source and score")), content, opened=opened)))

    def fits(self, chars: int) -> bool:
        """Count characters of markup as used; return False if an answer that a notebook stores has too many."""
        if self._chars is None:
            return True
        self._chars -= chars
        return self._chars >= 0

    def _take(self, lines: Sequence[tuple[int, str]], limit: int) -> int:
        """Return how many lines of a hit's source can be unfolded within the limit, and count them as used."""
        count = 0
        for _, text in lines[limit : limit + MAX_FOLDED]:
            if not self.fits(len(text) + LINE_MARKUP):
                break
            count += 1
        return count


_PLAIN = (  # `word-break`: JupyterLab breaks lines of <pre> within words
    "margin:2px 0 4px 1.1em;padding:0;background:transparent;color:inherit;border:0;font-family:monospace;"
    "font-size:12px;line-height:1.4;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;text-align:left"
)
_SCORE = f"color:{look.DIM};font-size:12px;margin:2px 0"


def _short(cell: Line) -> bool:
    """Return True if a cell contains text without a name, which is kept on one line."""
    if isinstance(cell, b.Bar):
        return True
    text = "".join(
        p if isinstance(p, str) else p.text if isinstance(p, b.Piece | b.Tint) else " " * 99 for p in pieces(cell)
    )
    return len(text) <= _UNBROKEN


def _end(symbol: Symbol) -> tuple[Inline, ...]:
    return symbol, " ", where(symbol)


def _styled(piece: b.Piece) -> Html:
    text = cut(flat(piece.text), _CODE_CHARS if piece.style == "code" else _LINE_CHARS)
    if piece.style == "kind":
        return join("  ")
    if piece.style == "dim":
        return components.dim(text)
    if piece.style == "warning":
        return tag("span", f"⚠ {text}", class_="ce-warning", style=f"color:{look.WARNING}")
    if piece.style == "code":
        return tag("code", text, style=_CODE)
    colour = _VERDICTS.get(piece.style)
    return tag("b", text, style=colour and f"color:{colour}") if piece.style else join((text,))


def _tinted(piece: b.Tint) -> Html:
    colours: Mapping[str, Callable[[str], str]] = {
        "lane": look.lane_colour,
        "signal": lambda _: look.SIGNAL,
        "edge": lambda kind: look.EDGES.get(kind, look.EDGES["USES"]),
        "depth": lambda depth: look.depth_colour(int(depth)),
    }
    return join((components.swatch(colours[piece.family](piece.key)), cut(flat(piece.text), _LINE_CHARS)))


def _meter(piece: b.Meter) -> Html:
    frame = f"width:{_METER_PIXELS}px;height:9px;border-radius:2px;background:rgba(127,127,127,0.18)"
    share = 0 if piece.value != piece.value else round(piece.value * _METER_PIXELS)  # NaN: nothing was scored
    inner = f"width:{share}px;height:9px;border-radius:2px;background:{look.lane_colour('graph')}"
    return tag("div", tag("div", style=inner), style=frame)


def _bar(bar: b.Bar) -> Html:
    """Return the summands as a bar; subtracted amounts are hollow, at the end. The sum is written beside it."""
    segments = []
    width = _WIDE_BAR_PIXELS if bar.wide else _BAR_PIXELS
    for term in sorted(bar.terms, key=lambda summand: summand.value < 0):
        pixels = max(2, round(width * abs(term.value) / bar.longest))
        colour = look.lane_colour(term.source) if term.kind == "lane" else look.SIGNAL
        fill = f"background:{colour}" if term.value >= 0 else f"border:1px dashed {look.WARNING};box-sizing:border-box"
        style = f"display:inline-block;height:10px;width:{pixels}px;margin-right:1px;{fill}"
        segments.append(tag("span", style=style, title=f"{term.source} {number(term.value)}"))
    return tag("div", *segments, aria_hidden="true", style="white-space:nowrap;line-height:1;padding-top:5px")


@linked
def shown_html(result: object, *, opened: int = 0) -> Html:
    """Return a result as HTML for a notebook. The source of the first `opened` hits is unfolded."""
    return components.page(*Writer(opened).html(blocks_of(result)))


_MORE_IN_EXPLORER = "choose a symbol with fewer of them, or copy the call from “Python code” and add top_k=1000 to it"


@linked
def drawn_html(answer: GraphAnswer, drawing: Html | None = None, *, listed: bool = True) -> Html:
    """Return the answer to a walk with the given drawing. The table of its symbols is included if `listed` is True.

    Without the table it is part of the explorer, which has no control for `top_k`.
    """
    found = answer.blocks() if listed else answer.blocks(_MORE_IN_EXPLORER)
    tests = [block for block in found if isinstance(block, Items) and block.attribute == "in_tests"]
    blocks = found if listed else [each for each in found if not (isinstance(each, Table) or each in tests)]
    return components.page(*Writer(drawing=drawing or join(())).html(blocks))


def blocks_html(blocks: Sequence[Block]) -> Html:
    return components.page(*Writer().html(blocks))
