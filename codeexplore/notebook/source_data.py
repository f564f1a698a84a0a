"""Source as plain data for the page: coloured pieces of lines, of which names that the graph knows are links.

The graph stores the line of each use. Its column is found when the source is shown: the names on the line are compared
with the name of what is used there, and with the names under which the file imports it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from codeexplore.answers.html.code import pieces, styled_lines
from codeexplore.types import EdgeKind
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.types import Symbol
    from codeexplore.workspace.workspace import Workspace

MOST_LINES = 1_000
"""Lines in one answer; the page asks for those after them."""

_LINE_CHARS = 400
_WORD = re.compile(r"[^\W\d]\w*")
_NO_NAMES = ("cc", "cs", "cm", "ck")  # classes of comments, strings, numbers and keywords
_FOLLOWED: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "IMPORTS")
_CALL = re.compile(r"\s*(?:[!(]|::<|<[^<>]*>\()")

Links = Mapping[int, Mapping[str, Sequence[tuple[str, bool]]]]
"""Line → name on it → (id of a symbol that it may mean, True if it is called there)."""


def links_of(workspace: Workspace, path: str, first: int, last: int) -> Links:
    """Return the uses that the graph knows on these lines of a file. While the graph is being built there are none."""
    found: defaultdict[int, defaultdict[str, list[tuple[str, bool]]]] = defaultdict(lambda: defaultdict(list))
    if workspace.graph_state not in ("ready", "outdated"):
        return found
    graph, catalog = workspace.graph, workspace.catalog
    for vertex in catalog.symbol_rows_in(path):
        span = graph.symbol(vertex).span
        if span.start_line > last or span.end_line < first:
            continue
        for row in graph.incident(vertex, "out", _FOLLOWED):
            edge = graph.edge(row)
            target = catalog.symbol(edge.target)
            for site in edge.sites:
                if site.path == path and first <= site.line <= last:
                    for name in _names(target, catalog):
                        entry = (target.id, edge.kind == "CALLS")
                        if entry not in found[site.line][name]:
                            found[site.line][name].append(entry)
    return found


def _names(target: Symbol, catalog: Any) -> tuple[str, ...]:
    """Return the names by which source uses a symbol: its own, and for constructors that of the type."""
    owner = target.parent and catalog.symbol(target.parent)
    if target.kind in ("method", "constructor") and owner and owner.kind != "module":
        return (target.name, owner.name)
    return (target.name,)


def line_data(
    lines: Sequence[tuple[int, str]], language: str, links: Links, sought: Collection[str]
) -> list[list[Any]]:
    """Return [number, pieces] for each line: [text, class, 1 if it is sought, ids of its symbols].

    The text of a link with a sought part is a list of such pieces: it is one link all the same.
    """
    texts = [text[:_LINE_CHARS] + (" …" if len(text) > _LINE_CHARS else "") for _, text in lines]
    data: list[list[Any]] = []
    for (number, _), text, styled in zip(lines, texts, styled_lines(texts, language), strict=False):
        names, row, column = links.get(number, {}), list[list[Any]](), 0
        for style, piece in styled:
            known = {} if style in _NO_NAMES else names
            for part, ids in _linked(piece, column, text, known):
                shown = [(visible(each).expandtabs(4), hit) for each, hit in pieces(part, sought)]
                plain = [[each, style, int(hit)] if hit or style else [each] for each, hit in shown]
                if not ids:
                    row += plain
                elif len(shown) == 1:
                    row.append([shown[0][0], style, int(shown[0][1]), ids])
                else:
                    row.append([[[each, "", int(hit)] for each, hit in shown], style, 0, ids])
            column += len(piece)
        data.append([number, row])
    return data


def _linked(
    piece: str, column: int, text: str, known: Mapping[str, Sequence[tuple[str, bool]]]
) -> list[tuple[str, list[str]]]:
    """Return (text, ids) for the parts of a piece that begins at a column of `text`.

    Of several equal names on a line, those that are called are links to what is called: in ``now = clock.now()`` only
    the second.
    """
    parts: list[tuple[str, list[str]]] = []
    position = 0
    for match in _WORD.finditer(piece) if known else ():
        targets = known.get(match[0], ())
        if targets and not _CALL.match(text, column + match.end()) and _is_called(text, match[0]):
            targets = [target for target in targets if not target[1]]
        if targets:
            if match.start() > position:
                parts.append((piece[position : match.start()], []))
            parts.append((match[0], list(dict.fromkeys(target for target, _ in targets))))
            position = match.end()
    if position < len(piece):
        parts.append((piece[position:], []))
    return parts


def _is_called(text: str, name: str) -> bool:
    return any(_CALL.match(text, match.end()) for match in re.finditer(rf"\b{re.escape(name)}\b", text))
