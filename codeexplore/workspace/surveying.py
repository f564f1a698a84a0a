"""Answers of a `Workspace` about its whole graph: cycles, entry points, dead code, hubs, modules, communities."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from codeexplore import settings
from codeexplore.errors import QuestionError
from codeexplore.types import EdgeKind
from codeexplore.workspace.loaded import Loaded
from codeexplore.workspace.pinning import about_the_graph

if TYPE_CHECKING:
    from codeexplore.results import (
        CommunitiesAnswer,
        CyclesAnswer,
        DeadCodeAnswer,
        EntryPointsAnswer,
        HubsAnswer,
        ModulesAnswer,
    )

_CONFIDENT = settings.RESOLVED_CONFIDENCE
_CYCLES = 0.8  # values that flow far meet in wrappers, and every wrapper would close a cycle
_HUB_KINDS = ("class", "interface", "struct", "enum", "trait", "type", "function", "method")


@about_the_graph
class Surveying(Loaded):
    """Questions about the graph as a whole. Edges below `min_confidence` don't count."""

    def cycles(self, of: str = "calls", *, min_confidence: float = _CYCLES, tests: bool = True) -> CyclesAnswer:
        """What leads back to itself: strongly connected components, each with an actual cycle, the largest first.

        Parameters
        ----------
        of
            "calls" between functions, or "imports" between modules.
        tests
            False leaves out edges that start in test files.
        """
        from codeexplore.graph.cycles import Cycles
        from codeexplore.results import CyclesAnswer
        from codeexplore.search.query.options import check_confidence

        kind: EdgeKind = "CALLS" if _one_of("of", of, ("calls", "imports")) == "calls" else "IMPORTS"
        cycles = Cycles(self.graph, kind, minimum=check_confidence(min_confidence), tests=tests)
        recursive = cycles.recursive() if kind == "CALLS" else ()
        return CyclesAnswer(cycles.found(), of, recursive, self.catalog, self._graph_note())

    def entry_points(self, kinds: Collection[str] = ("main", "script", "module", "registered")) -> EntryPointsAnswer:
        """Where the program is entered, and what says so.

        Parameters
        ----------
        kinds
            ``main`` functions; ``script`` objects that a manifest names; ``module`` files that run as scripts;
            ``registered`` functions that a decorator hands to a framework; ``test`` functions; ``exported`` functions
            that nothing here calls.
        """
        from codeexplore.graph.records import ENTRY_KINDS
        from codeexplore.graph.usage.entry_points import entry_points
        from codeexplore.results import EntryPointsAnswer

        wanted = _all_of("kinds", kinds, ENTRY_KINDS)
        return EntryPointsAnswer(entry_points(self.graph, self._standings, wanted), self.catalog, self._graph_note())

    def dead_code(self, kinds: Collection[str] | None = None, *, tests: bool = True) -> DeadCodeAnswer:
        """Functions, methods and types that nothing in the repository uses, with the reason for each.

        A name that is called on any receiver, or mentioned in a way that may be a use, is not listed unless
        ``mentioned`` is asked for.

        Parameters
        ----------
        kinds
            Of ``unused`` (no known use of any sort), ``dynamic``, ``registered``, ``exported`` (code outside the
            repository may use it) and ``mentioned``; None for all but ``mentioned``.
        tests
            False counts what only tests use as unused.
        """
        from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS
        from codeexplore.graph.usage.dead_code import DeadCode
        from codeexplore.results import DeadCodeAnswer

        wanted = CANDIDATE_KINDS if kinds is None else _all_of("kinds", kinds, DEAD_KINDS)
        found = DeadCode(self.graph, self._standings, tests).found(wanted)
        return DeadCodeAnswer(found, self.catalog, self._graph_note())

    def hubs(
        self,
        top_k: int = 20,
        *,
        kinds: Collection[str] = _HUB_KINDS,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> HubsAnswer:
        """The most central symbols: PageRank over resolved calls, uses and supertypes.

        Parameters
        ----------
        kinds
            Kinds of symbols to list.
        tests
            True counts uses by tests too.
        """
        from codeexplore.graph.communities import hubs
        from codeexplore.results import HubsAnswer
        from codeexplore.search.query.options import check_confidence, check_count

        wanted = _all_of("kinds", kinds, _HUB_KINDS)
        minimum = check_confidence(min_confidence)
        found = hubs(self.graph, check_count("top_k", top_k), wanted, minimum=minimum, tests=tests)
        return HubsAnswer(found, self.catalog, self._graph_note())

    def modules(
        self,
        level: str | int = "file",
        *,
        kinds: Collection[EdgeKind] | None = None,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> ModulesAnswer:
        """How files or folders depend on each other: every pair's resolved edges as one, the strongest first.

        Parameters
        ----------
        level
            "file", "folder", or how many folders from the root make a group (1: the top ones).
        kinds
            Edges to count; None for calls, uses, supertypes and imports.
        tests
            True counts edges from tests too.
        """
        from codeexplore.graph.communities import DEPENDING, module_graph
        from codeexplore.results import ModulesAnswer
        from codeexplore.search.query.options import check_confidence, check_count, check_edge_kinds

        number = isinstance(level, int) or level.isdigit()
        chosen = str(check_count("level", int(level))) if number else _one_of("level", str(level), ("file", "folder"))
        wanted = DEPENDING if kinds is None else check_edge_kinds(kinds)
        nodes, edges = module_graph(
            self.graph, chosen, kinds=wanted, minimum=check_confidence(min_confidence), tests=tests
        )
        return ModulesAnswer(edges, nodes, chosen, self.catalog, self._graph_note())

    def communities(
        self, *, min_confidence: float = _CONFIDENT, tests: bool = False, least: int = 3
    ) -> CommunitiesAnswer:
        """Groups of functions and types that have more to do with each other than with the rest, the largest first.

        The Leiden algorithm over the weights of resolved edges, seeded: the same repository gives the same groups. Each
        is called by its most central symbols.

        Parameters
        ----------
        tests
            True lets edges from tests count.
        least
            Members a group must have to be listed.
        """
        from codeexplore.graph.communities import communities
        from codeexplore.results import CommunitiesAnswer
        from codeexplore.search.query.options import check_confidence, check_count

        found = communities(
            self.graph, minimum=check_confidence(min_confidence), tests=tests, least=check_count("least", least)
        )
        return CommunitiesAnswer(found, self.catalog, self._graph_note())


def _one_of(what: str, value: Any, known: Collection[str]) -> str:
    if value not in known:
        raise QuestionError(f"{what} must be one of {', '.join(known)}, not {value!r:.80}")
    return str(value)


def _all_of(what: str, values: Collection[str], known: Collection[str]) -> tuple[str, ...]:
    wanted = (values,) if isinstance(values, str) else tuple(values)
    for value in wanted:
        if value not in known:
            raise QuestionError(f"unknown {value!r:.80} in {what}; known are {', '.join(known)}")
    return wanted
