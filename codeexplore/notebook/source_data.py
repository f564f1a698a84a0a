"""Source as plain data for the page: coloured pieces of lines, of which names that the graph knows are links.

The graph stores the line of each use. Its column is found when the source is shown: the names on the line are compared
with the name of what is used there; then a call of a variable gets the only called name that is left.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from codeexplore.answers.html.code import pieces, styled_lines
from codeexplore.answers.wording import code_text
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import EdgeKind

if TYPE_CHECKING:
    from codeexplore.types import Reference, Symbol
    from codeexplore.workspace.workspace import Workspace

MOST_LINES = 1_000
"""Lines in one answer; the page asks for those after them."""

_LINE_CHARS = 400
_WORD = re.compile(r"[^\W\d]\w*")
_NO_NAMES = ("cc", "cs", "cm", "ck")  # classes of comments, strings, numbers and keywords
_FOLLOWED: tuple[EdgeKind, ...] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS", "IMPORTS")
_CALL = re.compile(r"\s*(?:[!(]|::<|<[^<>]*>\()")

_Use: TypeAlias = tuple[str, bool]
"""Id of a symbol that a name may mean, and True if it is called there."""

Links: TypeAlias = Mapping[int, Mapping[str, Sequence[_Use]]]
"""Line → name on it → its uses."""


def links_of(workspace: Workspace, path: str, lines: Sequence[tuple[int, str]]) -> Links:
    """Return the uses that the graph knows on these lines of a file. While the graph is being built there are none."""
    found: defaultdict[int, defaultdict[str, list[_Use]]] = defaultdict(lambda: defaultdict(list))
    if workspace.graph_state not in ("ready", "outdated") or not lines:
        return found
    graph, catalog = workspace.graph, workspace.catalog
    words = {number: set(_WORD.findall(text[:_LINE_CHARS])) for number, text in lines}
    nameless: defaultdict[int, list[tuple[Symbol, bool]]] = defaultdict(list)
    for vertex in catalog.symbol_rows_in(path):
        span = graph.symbol(vertex).span
        if span.start_line > lines[-1][0] or span.end_line < lines[0][0]:
            continue
        for row in graph.incident(vertex, "out", _FOLLOWED):
            edge = graph.edge(row)
            target, use = catalog.symbol(edge.target), (edge.target, edge.kind == "CALLS")
            for line in dict.fromkeys(site.line for site in edge.sites if site.path == path and site.line in words):
                names = [name for name in _names(target, catalog) if name in words[line]]
                for name in names:
                    if use not in found[line][name]:
                        found[line][name].append(use)
                if not names:
                    nameless[line].append((target, edge.kind == "CALLS" and edge.manner == "call"))
    if nameless:
        _add_written(found, nameless, words, workspace.view().index.files.facts(path).references)
    return found


def _add_written(
    found: defaultdict[int, defaultdict[str, list[_Use]]],
    nameless: Mapping[int, Sequence[tuple[Symbol, bool]]],
    words: Mapping[int, Collection[str]],
    references: Sequence[Reference],
) -> None:
    """Add uses whose symbol has another name than the line has, with True if it is called there.

    In an expression of several lines the name is below. A call of a variable is that of the only bare name that is
    called on the line without another target; a call that the syntax makes, without a name, stays without a link.
    """
    called: defaultdict[int, set[str]] = defaultdict(set)
    hidden = set[tuple[int, str]]()
    for reference in references:
        name = last_name(reference.path)[0]
        if reference.kind == "call" and (
            reference.path == name or reference.path[-1:] in ")]"
        ):  # or what a call returns is called
            called[reference.line].add(reference.path)
        elif reference.kind in ("implicit", "operator"):
            hidden.add((reference.line, name))
    for line, uses in nameless.items():
        left = called[line].difference(found[line])
        for target, calls in uses:
            if (line, target.name) in hidden:
                continue
            below = next((each for each in range(line + 1, line + 4) if target.name in words.get(each, ())), 0)
            if below and target.name not in found[below]:
                found[below][target.name].append((target.id, calls))
            elif calls and len(left) == 1 and left <= set(words[line]):
                found[line][next(iter(left))].append((target.id, True))


def _names(target: Symbol, catalog: Any) -> tuple[str, ...]:
    """Return the names by which source uses a symbol: its own as a word (`empty` of `empty?`), and that of its type."""
    owner, name = target.parent and catalog.symbol(target.parent), target.name.rstrip("?!=") or target.name
    if target.kind in ("method", "constructor") and owner and owner.kind != "module":
        return (name, owner.name)
    return (name,)


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
                shown = [(code_text(each), hit) for each, hit in pieces(part, sought)]
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
