"""Answers while the graph is being built. Each says that it is an estimate, and what it was made from.

Only questions about edges at one symbol are answered: callers, callees, users, subtypes, and the edge between two
symbols. Everything that needs more of the graph (several steps, impact, paths, surveys) waits for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from codeexplore.errors import SymbolNotFound
from codeexplore.results import GraphAnswer, WhyAnswer
from codeexplore.search.query.options import check_confidence, check_count
from codeexplore.types import Absence
from codeexplore.workspace.targets import Target
from codeexplore.workspace.walk_options import DEFAULTS, WalkOptions
from codeexplore.workspace.walks import start_of

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.types import Symbol
    from codeexplore.workspace.demand.questions import Found
    from codeexplore.workspace.view import SnapshotView

_DEEP = frozenset({"implementors", "subclasses", "overrides"})
"""Relations that are answered at any depth: the types below a type are found one by one."""

_KNOWN = frozenset({"callers", "callees", "uses"}) | _DEEP
_MOST_NAMED = 3


def can_answer(
    relation: str,
    depth: int | None,
    direction: str | None = None,
    kinds: Collection[str] | None = None,
    include_externals: bool = False,
) -> bool:
    """Return True if a walk with these options can be answered before the graph is ready."""
    both = relation == "callers" and direction == "both"
    plain = (direction is None or both) and kinds is None and not include_externals
    return relation in _KNOWN and plain and (relation in _DEEP or depth == 1)


def walk(
    view: SnapshotView, relation: str, target: Target, depth: int | None, **given: Unpack[WalkOptions]
) -> GraphAnswer | None:
    """Answer a walk from a slice of the repository. Return None if the graph is ready, or if the walk must wait for it.

    Raises AmbiguousSymbol and QuestionError.
    """
    options = DEFAULTS | given
    direction, kinds, include_externals = options["direction"], options["kinds"], options["include_externals"]
    if not _is_building(view) or not can_answer(relation, depth, direction, kinds, include_externals):
        return None
    symbols, note = _symbols(view, target)
    if not symbols:
        return None
    minimum, limit = check_confidence(options["min_confidence"]), check_count("top_k", options["top_k"])
    questions = view.cache.questions(view.index)
    if direction == "both":
        found = [questions.users(symbols), questions.used(symbols)]
    elif relation == "callees":
        found = [questions.used(symbols)]
    else:
        found = [(questions.below if relation in _DEEP else questions.users)(symbols)]
    from codeexplore.graph import queries

    graph = _graph(view, found)
    answer = queries.walk(
        graph, relation, [symbol.id for symbol in symbols], depth=depth, direction=direction, minimum=minimum,
        tests=options["tests"], limit=limit,
    )  # fmt: skip
    said = _said(symbols, found, relation)
    absence = answer.absence
    if absence is not None:
        noun = queries.noun_of(relation)
        absence = Absence("unknown", f"No {noun} found so far. The graph is still being built; it may have some.")
    return GraphAnswer(replace(answer, absence=absence, notes=(), estimate=said), graph.catalog, note)


def why(view: SnapshotView, caller: Target, callee: Target) -> WhyAnswer | None:
    """Explain the edge between two symbols if a slice contains it. Return None otherwise: the graph may tell more."""
    if not _is_building(view):
        return None
    sources, note = _symbols(view, caller)
    targets, other = _symbols(view, callee)
    if not sources or not targets:
        return None
    from codeexplore.graph.explain_edge import explain

    questions = view.cache.questions(view.index)
    for ask in (partial(questions.users, targets, sources[0]), partial(questions.used, sources)):
        graph = _graph(view, [ask()])
        answer = explain(graph, sources[0].id, targets[0].id, lambda path: view.index.sources[path].text)
        if answer.verdict == "edge" and answer.links[0].edge.kind != "CONTAINS":
            said = "This is an estimate, because the graph is still being built. There may be further edges."
            return WhyAnswer(answer, graph.catalog, tuple(filter(None, (note, other))), said)
    return None


def _is_building(view: SnapshotView) -> bool:
    pending = view.index.pending
    building = pending is not None and pending.not_built and not pending.reason
    if not building:
        view.cache.forget_questions()
    return building


def _symbols(view: SnapshotView, target: Target) -> tuple[Sequence[Symbol], str]:
    """Return the symbols of a target and a note on their choice.

    There are none for outside names, for texts, and for symbols of several language families.
    """
    from codeexplore.languages.registry import family_of

    try:
        start = start_of(view, target)
    except SymbolNotFound:
        return (), ""
    families = {family_of(symbol.language) for symbol in start.symbols}
    return (start.symbols, start.note) if len(families) == 1 and "" not in families else ((), "")


def _graph(view: SnapshotView, found: Sequence[Found]) -> CodeGraph:
    """Return a graph with the found edges alone."""
    from codeexplore.graph.importance import remember_importance
    from codeexplore.graph.incremental.provisional import merge_edges
    from codeexplore.graph.merge import joined
    from codeexplore.graph.model import CodeGraph

    blocks = [found[0].edges]
    for each in found[1:]:
        blocks = merge_edges(blocks, each.edges)
    graph = CodeGraph(view.catalog, joined(blocks, view.catalog.symbol_ids(), view.index.sources.paths, ()))
    remember_importance(graph, [0.0] * len(view.catalog.symbols))  # a rank needs the whole graph
    return graph


def _said(symbols: Sequence[Symbol], found: Sequence[Found], relation: str) -> str:
    """Return the sentences that say what an estimate was made from."""
    first = "This is an estimate, because the graph is still being built."
    places, looked = max(each.places for each in found), max(each.looked for each in found)
    names = ", ".join(dict.fromkeys(symbol.name for symbol in symbols[:_MOST_NAMED]))
    if relation == "callees":
        second = "It was made from the source of the symbol and of what it names."
    elif looked < places:
        second = f"Of {places:,} files that may use {names} by their text, {looked:,} were looked at."
    else:
        second = f"All files that may use {names} by their text were looked at ({places:,})."
    third = " Some values were not followed, because they lead too far." if any(each.cut for each in found) else ""
    return f"{first} {second}{third} There may be further edges."
