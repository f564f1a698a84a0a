"""Surveys of the whole graph: cycles, entry points, dead code, hubs, modules, communities."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from codeexplore import answers
from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS, ENTRY_KINDS
from codeexplore.search.options import check_confidence, check_count, check_edge_kinds, one_of
from codeexplore.types import settings
from codeexplore.types.certainty import LIKELY
from codeexplore.workspace.view import SnapshotView, Viewed

if TYPE_CHECKING:
    from codeexplore.answers import (
        CommunitiesAnswer,
        CyclesAnswer,
        DeadCodeAnswer,
        EntryPointsAnswer,
        HubsAnswer,
        ModulesAnswer,
    )
    from codeexplore.types.kinds import EdgeKind

_CONFIDENT = settings.RESOLVED_CONFIDENCE
HUB_KINDS = ("class", "interface", "struct", "enum", "trait", "type", "function", "method")


class Surveys(Viewed):
    """Questions about the whole graph, as methods of a workspace."""

    def cycles(self, of: str = "calls", *, min_confidence: float = LIKELY, tests: bool = True) -> CyclesAnswer:
        """Find cycles: strongly connected components with one cycle of each as an example, the largest first.

        Parameters
        ----------
        of
            "calls" between functions, or "imports" between modules.
        tests
            False leaves out edges that start in tests.
        """
        from codeexplore.graph.surveys import Cycles

        view = self.view()
        kind: EdgeKind = "CALLS" if one_of("kind of cycle", of, ("calls", "imports")) == "calls" else "IMPORTS"
        found = Cycles(view.graph, kind, minimum=check_confidence(min_confidence), tests=tests)
        recursive = found.recursive() if kind == "CALLS" else ()
        return answers.CyclesAnswer(found.found(), view.catalog, view.graph_note, of, recursive)

    def entry_points(self, kinds: Collection[str] = ("main", "script", "module", "registered")) -> EntryPointsAnswer:
        """List the entry points of the program, each with its evidence.

        Parameters
        ----------
        kinds
            Kinds to list. They are "main" functions, "script" (objects that a manifest names), "module" (files that run
            as scripts), "registered" (functions that a decorator registers with a framework), "test" functions, and
            "exported" (functions that nothing in the repository calls).
        """
        from codeexplore.graph.usage.entry_points import entry_points as found

        view = self.view()
        wanted = _kinds(kinds, ENTRY_KINDS)
        return answers.EntryPointsAnswer(found(view.graph, view.evidence, wanted), view.catalog, view.graph_note)

    def dead_code(self, kinds: Collection[str] | None = None, *, tests: bool = True) -> DeadCodeAnswer:
        """List functions, methods and types that nothing in the repository uses, with the reason for each.

        If a symbol's name is called on any receiver, or occurs at a place that may use it, the symbol has the kind
        "mentioned" and is listed only if `kinds` contains this kind.

        Parameters
        ----------
        kinds
            Kinds to list. They are "unused" (no possible use is known), "dynamic" (strings or names built at run time
            may reach it), "registered" (a decorator may register it), "exported" (code outside the repository may use
            it) and "mentioned". None lists all kinds except "mentioned".
        tests
            With False, symbols that only tests use count as unused.
        """
        from codeexplore.graph.usage.dead_code import DeadCode

        view = self.view()
        wanted = CANDIDATE_KINDS if kinds is None else _kinds(kinds, DEAD_KINDS)
        texts = view.unread_texts()
        finder = DeadCode(view.graph, view.evidence, tests, lambda symbol: view.unread_uses([symbol], texts=texts))
        found = finder.found(DEAD_KINDS)
        listed = tuple(each for each in found if each.kind in wanted)
        mentioned = 0 if kinds else sum(each.kind == "mentioned" for each in found)
        return answers.DeadCodeAnswer(listed, view.catalog, view.graph_note, mentioned, tuple(sorted(finder.left_out)))

    def hubs(
        self,
        top_k: int = 20,
        *,
        kinds: Collection[str] = HUB_KINDS,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> HubsAnswer:
        """List the most central symbols: PageRank over resolved calls, uses and supertypes.

        Parameters
        ----------
        kinds
            Kinds of symbols to list.
        tests
            True also counts uses by tests.
        """
        from codeexplore.graph.surveys import hubs as found

        view = self.view()
        wanted, minimum = _kinds(kinds, HUB_KINDS), check_confidence(min_confidence)
        hubs = found(view.graph, check_count("top_k", top_k), wanted, minimum=minimum, tests=tests)
        return answers.HubsAnswer(hubs, view.catalog, view.graph_note)

    def modules(
        self,
        level: str | int = "file",
        *,
        kinds: Collection[EdgeKind] | None = None,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> ModulesAnswer:
        """List the dependencies between files or folders, strongest first. All resolved edges of a pair count together.

        Parameters
        ----------
        level
            "file", "folder", or a number of folders from the root: 1 groups files by their top folder.
        kinds
            Kinds of edges to count. None counts calls, uses, supertypes and imports.
        tests
            True also counts edges from tests.
        """
        from codeexplore.graph.surveys import DEPENDING, module_graph

        view = self.view()
        number = isinstance(level, int) or level.isdigit()
        chosen = str(check_count("level", int(level))) if number else one_of("level", str(level), ("file", "folder"))
        wanted = DEPENDING if kinds is None else check_edge_kinds(kinds)
        nodes, edges = module_graph(
            view.graph, chosen, kinds=wanted, minimum=check_confidence(min_confidence), tests=tests
        )
        return answers.ModulesAnswer(edges, view.catalog, view.graph_note, nodes, chosen)

    def communities(
        self, *, min_confidence: float = _CONFIDENT, tests: bool = False, least: int = 3
    ) -> CommunitiesAnswer:
        """List groups of functions and types that have more edges inside the group than to others, the largest first.

        The Leiden algorithm finds them from the weights of resolved edges. Its random numbers have a fixed seed, so the
        same repository gives the same groups. Each group is named after its most central symbols.

        Parameters
        ----------
        tests
            True also counts edges from tests.
        least
            Least number of members of a listed group.
        """
        from codeexplore.graph.surveys import communities as found

        view = self.view()
        minimum = check_confidence(min_confidence)
        groups = found(view.graph, minimum=minimum, tests=tests, least=check_count("least", least))
        return answers.CommunitiesAnswer(groups, view.catalog, view.graph_note)


def _kinds(values: Collection[str], known: Collection[str]) -> tuple[str, ...]:
    return tuple(one_of("kind", value, known) for value in ((values,) if isinstance(values, str) else values))


class SurveysOf(Surveys):
    """The surveys of one snapshot, for an answer that is made of several."""

    def __init__(self, view: SnapshotView) -> None:
        self._surveyed = view

    def view(self, **_: bool) -> SnapshotView:
        return self._surveyed
