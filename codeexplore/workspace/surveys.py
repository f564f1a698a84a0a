"""Analyses of the whole graph: cycles, entry points, dead code, hubs, modules, communities.

Each function takes the arguments of the `Workspace` method with the same name. It raises QuestionError for arguments
that are out of range.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from codeexplore.errors import QuestionError
from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS, ENTRY_KINDS
from codeexplore.results import (
    CommunitiesAnswer,
    CyclesAnswer,
    DeadCodeAnswer,
    EntryPointsAnswer,
    HubsAnswer,
    ModulesAnswer,
)
from codeexplore.search.query.options import check_confidence, check_count, check_edge_kinds

if TYPE_CHECKING:
    from codeexplore.types import EdgeKind
    from codeexplore.workspace.view import SnapshotView

HUB_KINDS = ("class", "interface", "struct", "enum", "trait", "type", "function", "method")


def cycles(view: SnapshotView, of: str, min_confidence: float, tests: bool) -> CyclesAnswer:
    """Find strongly connected components."""
    from codeexplore.graph.surveys import Cycles

    kind: EdgeKind = "CALLS" if _one_of("of", of, ("calls", "imports")) == "calls" else "IMPORTS"
    found = Cycles(view.graph, kind, minimum=check_confidence(min_confidence), tests=tests)
    recursive = found.recursive() if kind == "CALLS" else ()
    return CyclesAnswer(found.found(), of, recursive, view.catalog, view.graph_note)


def entry_points(view: SnapshotView, kinds: Collection[str]) -> EntryPointsAnswer:
    """List entry points with their evidence."""
    from codeexplore.graph.usage.entry_points import entry_points as found

    wanted = _all_of("kinds", kinds, ENTRY_KINDS)
    return EntryPointsAnswer(found(view.graph, view.evidence, wanted), view.catalog, view.graph_note)


def dead_code(view: SnapshotView, kinds: Collection[str] | None, tests: bool) -> DeadCodeAnswer:
    """List symbols that nothing in the repository uses."""
    from codeexplore.graph.usage.dead_code import DeadCode

    wanted = CANDIDATE_KINDS if kinds is None else _all_of("kinds", kinds, DEAD_KINDS)
    return DeadCodeAnswer(DeadCode(view.graph, view.evidence, tests).found(wanted), view.catalog, view.graph_note)


def hubs(
    view: SnapshotView, top_k: int, kinds: Collection[str], min_confidence: float, tests: bool
) -> HubsAnswer:  # fmt: skip
    """List the most central symbols."""
    from codeexplore.graph.surveys import hubs as found

    wanted, minimum = _all_of("kinds", kinds, HUB_KINDS), check_confidence(min_confidence)
    hubs = found(view.graph, check_count("top_k", top_k), wanted, minimum=minimum, tests=tests)
    return HubsAnswer(hubs, view.catalog, view.graph_note)


def modules(
    view: SnapshotView, level: str | int, kinds: Collection[EdgeKind] | None, min_confidence: float, tests: bool
) -> ModulesAnswer:
    """List the dependencies between files or folders."""
    from codeexplore.graph.surveys import DEPENDING, module_graph

    number = isinstance(level, int) or level.isdigit()
    chosen = str(check_count("level", int(level))) if number else _one_of("level", str(level), ("file", "folder"))
    wanted = DEPENDING if kinds is None else check_edge_kinds(kinds)
    nodes, edges = module_graph(
        view.graph, chosen, kinds=wanted, minimum=check_confidence(min_confidence), tests=tests
    )  # fmt: skip
    return ModulesAnswer(edges, nodes, chosen, view.catalog, view.graph_note)


def communities(view: SnapshotView, min_confidence: float, tests: bool, least: int) -> CommunitiesAnswer:
    """List groups of symbols that have more edges inside the group than to other symbols."""
    from codeexplore.graph.surveys import communities as found

    minimum = check_confidence(min_confidence)
    groups = found(view.graph, minimum=minimum, tests=tests, least=check_count("least", least))
    return CommunitiesAnswer(groups, view.catalog, view.graph_note)


def _one_of(what: str, value: Any, known: Collection[str]) -> str:
    if value not in known:
        raise QuestionError(f"{what} must be one of {', '.join(known)}, not {value!r:.80}")
    return str(value)


def _all_of(what: str, values: Collection[str], known: Collection[str]) -> tuple[str, ...]:
    wanted = (values,) if isinstance(values, str) else tuple(values)
    for value in wanted:
        if value not in known:
            raise QuestionError(f"unknown {value!r:.80} in {what}; known: {', '.join(known)}")
    return wanted
