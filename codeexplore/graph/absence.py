"""What an empty answer means, and what may reach a symbol beside the answer, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codeexplore.graph.externals import is_external
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.standing import Standings
from codeexplore.graph.traverse import MAX_POSSIBLE, RELATING, Relating
from codeexplore.settings import RESOLVED_CONFIDENCE
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, Symbol, Unresolved

_NOT_CALLED = frozenset({"module", "constant", "field", "section"})
_OF_TYPES = frozenset({"implementors", "subclasses"})
_USING = frozenset({"callers", "uses", "callers or users"})
_MOST_SEEDS = 3  # whose standing is told; an answer about more is about none of them


def words(
    graph: CodeGraph,
    relating: Relating,
    seeds: Sequence[str],
    possible: Sequence[Edge],
    unresolved: Sequence[Unresolved],
    standings: Standings,
) -> str:
    """One or two sentences: nothing there, or nothing resolved; and whether the name stands anywhere else."""
    symbols = [graph.catalog.symbol(seed) for seed in seeds]
    if not symbols:
        return "no symbol to start from"
    noun = relating.noun
    if possible or unresolved:
        number = len(possible) + len(unresolved)
        cut = MAX_POSSIBLE in (len(possible), len(unresolved))
        return f"none resolved, but {'at least ' if cut else ''}{number} possible by name"
    if any(_recursive(graph, relating, seed) for seed in seeds):
        return f"no {noun} in this repository but itself: it is recursive"
    kinds = " or ".join(dict.fromkeys(symbol.kind for symbol in symbols))
    if noun in ("callers", "callees") and all(symbol.kind in _NOT_CALLED for symbol in symbols):
        return "no calls at its top" if kinds == "module" else (
            f"a {kinds} is not called and calls nothing; ask for its uses"
        )  # fmt: skip
    if noun in _OF_TYPES and relating.direction == "in" and not any(_may_have_subtypes(symbol) for symbol in symbols):
        return f"a {kinds} has no {noun}; ask for those of a type, or for a method's overrides"
    said = f"no {noun} in this repository"
    if relating.direction == "in" and len(symbols) == 1 and noun in _USING:
        said += _elsewhere(graph, relating, symbols[0], standings)
    return said


def notes(graph: CodeGraph, relating: Relating, seeds: Sequence[str], standings: Standings) -> tuple[str, ...]:
    """Why something else may use the seeds: exported, registered, started by name, found by strings; as sentences."""
    if relating.direction == "out" or len(seeds) > _MOST_SEEDS or relating.noun not in _USING:
        return ()
    symbols = [graph.catalog.symbol(seed) for seed in seeds if not is_external(seed)]
    found = [note for symbol in symbols for note in standings.of(symbol).notes]
    return tuple(dict.fromkeys(found))


def _may_have_subtypes(symbol: Symbol) -> bool:
    return symbol.kind in TYPE_KINDS or symbol.kind in ("method", "external")


def _elsewhere(graph: CodeGraph, relating: Relating, symbol: Symbol, standings: Standings) -> str:
    """What else leads to a symbol, and where its name stands beside; "" when nobody can tell."""
    if not standings.files or symbol.kind not in (*CALLABLE_KINDS, *TYPE_KINDS, "constant") or symbol.kind == "lambda":
        return ""
    users, importers = _users(graph, relating, symbol)
    said = ""
    if users:
        number = len({edge.source for edge in users})
        said = f"; {_many(number, 'symbol uses', 'symbols use')} it otherwise: ask for its uses"
    elif importers:
        said = f"; {_many(len({edge.source for edge in importers}), 'module imports', 'modules import')} it"
    known = {(site.path, site.line) for edge in (*users, *importers) for site in edge.sites}
    return said + _mentioned(symbol, standings, known)


def _users(graph: CodeGraph, relating: Relating, symbol: Symbol) -> tuple[list[Edge], list[Edge]]:
    """Resolved edges that lead to a symbol in other relations: those of its users, and of what imports it."""
    vertex = graph.vertex(symbol.id)
    found = []
    for kinds in (set(RELATING["uses"].kinds) - set(relating.kinds), RELATING["imports"].kinds):
        rows = graph.incident(vertex, "in", kinds, RESOLVED_CONFIDENCE) if kinds else []
        found.append([graph.edges[row] for row in rows if graph.edges.source[row] != vertex])
    return found[0], found[1]


def _mentioned(symbol: Symbol, standings: Standings, known: Collection[tuple[str, int]]) -> str:
    """Where a symbol's name stands, but at its own definition and at known places."""
    inside = range(symbol.span.start_line, symbol.span.end_line + 1)
    named = standings.mentions.words(symbol.name)
    sites = [s for s in named if (s.path != symbol.path or s.line not in inside) and (s.path, s.line) not in known]
    if not sites:
        return "" if known else f"; the name {symbol.name} stands nowhere else in the code"
    shown = ", ".join(f"{site.path}:{site.line}" for site in sites[:2])
    others = len(standings.graph.catalog.find(symbol.name)) - 1
    share = "definition shares" if others == 1 else "definitions share"
    means = f"{others} other {share} it" if others > 0 else "which resolves to nothing"
    places = f"{_many(len(sites), 'other place', 'other places')} ({shown}{' …' if len(sites) > 2 else ''})"
    return f"; its name {'also ' if known else ''}stands at {places}, {means}"


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _recursive(graph: CodeGraph, relating: Relating, seed: str) -> bool:
    """Whether a symbol stands in the relation to itself; a walk never leads back to where it starts."""
    vertex = graph.vertex(seed)
    rows = graph.incident(vertex, "out", relating.kinds, RESOLVED_CONFIDENCE)
    return any(graph.edges.target[row] == vertex for row in rows)
