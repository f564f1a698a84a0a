"""The questions of a `Workspace` to its graph.

`GraphQueries` walks along edges: who calls, uses or extends a symbol, and how one symbol leads to another.
`GraphSurveys` analyses the whole graph: cycles, entry points, dead code, hubs, modules, communities.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from codeexplore import settings
from codeexplore.errors import QuestionError, SymbolNotFound
from codeexplore.types import Direction, EdgeKind, Symbol
from codeexplore.workspace.base import WorkspaceBase
from codeexplore.workspace.consistent_reads import about_the_graph
from codeexplore.workspace.targets import Target, is_place, publicly
from codeexplore.workspace.walk_options import WalkOptions, takes_walk_options

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.results import (
        CommunitiesAnswer,
        CyclesAnswer,
        DeadCodeAnswer,
        EntryPointsAnswer,
        GraphAnswer,
        HubsAnswer,
        ModulesAnswer,
        PathsAnswer,
        WhyAnswer,
    )


_CONFIDENT = settings.RESOLVED_CONFIDENCE
_CYCLES = 0.8  # values that flow far meet in wrappers, and every wrapper would close a cycle
_HUB_KINDS = ("class", "interface", "struct", "enum", "trait", "type", "function", "method")


@about_the_graph
class GraphSurveys(WorkspaceBase):
    """Questions about the graph as a whole. Edges below `min_confidence` don't count."""

    def cycles(self, of: str = "calls", *, min_confidence: float = _CYCLES, tests: bool = True) -> CyclesAnswer:
        """Find cycles: strongly connected components, each with an actual cycle, the largest first.

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
        """List the entry points of the program, each with its evidence.

        Parameters
        ----------
        kinds
            ``main`` functions; ``script`` objects that a manifest names; ``module`` files that run as scripts;
            ``registered`` functions that a decorator registers with a framework; ``test`` functions; ``exported``
            functions that nothing here calls.
        """
        from codeexplore.graph.records import ENTRY_KINDS
        from codeexplore.graph.usage.entry_points import entry_points
        from codeexplore.results import EntryPointsAnswer

        wanted = _all_of("kinds", kinds, ENTRY_KINDS)
        return EntryPointsAnswer(
            entry_points(self.graph, self._usage_evidence, wanted), self.catalog, self._graph_note()
        )

    def dead_code(self, kinds: Collection[str] | None = None, *, tests: bool = True) -> DeadCodeAnswer:
        """List functions, methods and types that nothing in the repository uses, with the reason for each.

        A name that is called on any receiver, or mentioned in a way that may be a use, is not listed unless
        ``mentioned`` is asked for.

        Parameters
        ----------
        kinds
            Of ``unused`` (no known use of any sort), ``dynamic``, ``registered``, ``exported`` (code outside the
            repository may use it) and ``mentioned``; None for all but ``mentioned``.
        tests
            False counts symbols that only tests use as unused.
        """
        from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS
        from codeexplore.graph.usage.dead_code import DeadCode
        from codeexplore.results import DeadCodeAnswer

        wanted = CANDIDATE_KINDS if kinds is None else _all_of("kinds", kinds, DEAD_KINDS)
        found = DeadCode(self.graph, self._usage_evidence, tests).found(wanted)
        return DeadCodeAnswer(found, self.catalog, self._graph_note())

    def hubs(
        self,
        top_k: int = 20,
        *,
        kinds: Collection[str] = _HUB_KINDS,
        min_confidence: float = _CONFIDENT,
        tests: bool = False,
    ) -> HubsAnswer:
        """List the most central symbols: PageRank over resolved calls, uses and supertypes.

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
        """List the dependencies between files or folders: every pair's resolved edges as one, the strongest first.

        Parameters
        ----------
        level
            "file", "folder", or the number of folders from the root that make a group (1: the top ones).
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
        """List groups of functions and types that have more edges inside than to the rest, the largest first.

        The Leiden algorithm over the weights of resolved edges, seeded: the same repository gives the same groups. Each
        is named after its most central symbols.

        Parameters
        ----------
        tests
            True counts edges from tests too.
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


_CALLS: tuple[EdgeKind, ...] = ("CALLS",)
_MOST_NAMES = 200  # external names that one prefix may mean


class Start(NamedTuple):
    """The start of a walk: its symbols, its graph, and the notes about the choice."""

    symbols: tuple[Symbol, ...]
    graph: CodeGraph
    note: str = ""


@about_the_graph
class GraphQueries(GraphSurveys):
    """Questions that follow edges.

    A target may be an external name: ``ws.callers("requests.get")``, or ``ws.uses("requests")`` for all of it; or a
    list of targets, from all of which the walk starts.

    Each raises SymbolNotFound or AmbiguousSymbol for a target that does not mean one symbol, and QuestionError for an
    option that is out of range or unknown.
    """

    @takes_walk_options
    def callers(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the callers of a symbol, up to `depth` calls away.

        Callers that are only possible by name are listed separately, and an empty answer explains its meaning.

        >>> ws.callers("Session.get", depth=2, tests=False)
        """
        return self._walk("callers", target, depth, **options)

    @takes_walk_options
    def callees(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the functions that a symbol calls, up to `depth` calls away.

        >>> ws.callees("checkout", min_confidence=0.9)
        """
        return self._walk("callees", target, depth, **options)

    @takes_walk_options
    def implementors(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the types that implement an interface or trait, or extend a class, at any depth.

        For a method: its overrides.

        With ``direction="out"``: the types that a type implements and extends.

        >>> ws.implementors("Serializer")
        """
        return self._walk("implementors", target, depth, **options)

    @takes_walk_options
    def subclasses(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the types below a type, at any depth. With ``direction="out"``: those above it.

        >>> ws.subclasses("Base", direction="out")
        """
        return self._walk("subclasses", target, depth, **options)

    @takes_walk_options
    def overrides(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the overrides of a method, or of a type's methods. With ``direction="out"``: the methods it overrides.

        >>> ws.overrides("Base.save")
        """
        return self._walk("overrides", target, depth, **options)

    @takes_walk_options
    def uses(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that mention a symbol: calls, references, annotations, decorators, supertypes.

        With ``direction="out"``: the symbols that it uses itself.

        >>> ws.uses("requests")
        """
        return self._walk("uses", target, depth, **options)

    @takes_walk_options
    def imports(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the modules that import a module or symbol. With ``direction="out"``: those that the module imports.

        >>> ws.imports("app.models")
        """
        return self._walk("imports", target, depth, **options)

    @takes_walk_options
    def impact(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that a change of a symbol may break: its callers and users, their callers, and so on.

        `path_to` of the answer shows how each was reached, and `tests` the tests that would run the symbol.

        >>> ws.impact("Session.get", depth=3)
        """
        return self._walk("impact", target, depth, **options)

    # ----------------------------------------------------------------- between two symbols

    def paths(
        self,
        source: Target,
        target: Target,
        top_k: int = 10,
        *,
        min_confidence: float = _CONFIDENT,
        kinds: Collection[EdgeKind] = _CALLS,
        tests: bool = True,
    ) -> PathsAnswer:
        """Find chains of calls from one symbol to another, no symbol twice, shortest first.

        When there are none, chains of calls in the other direction, else one over edges of any kind.

        Parameters
        ----------
        top_k
            Paths at most.
        min_confidence
            Edges of a lower confidence are not followed. A confidence is the share of edges of one rule that are true
            calls, 0 to 1, as measured (docs/call-graph.md); those below 0.6 are only possible by name.
        kinds
            Edges to follow.
        tests
            False leaves out edges that start in test files.
        """
        from codeexplore.graph import paths
        from codeexplore.graph.usage.path_absence import leads_along, path_absence
        from codeexplore.results import PathsAnswer
        from codeexplore.search.query.options import check_confidence, check_count, check_edge_kinds

        start, end = self._start(source), self._start(target)
        graph = end.graph if end.graph is not self.graph else start.graph
        first, last = start.symbols[0], end.symbols[0]
        kinds, minimum = check_edge_kinds(kinds), check_confidence(min_confidence)
        found = paths.paths(
            graph, first.id, last.id, limit=check_count("top_k", top_k), minimum=minimum, kinds=kinds, tests=tests
        )  # fmt: skip
        absence = None
        if not found or not leads_along(found[0], kinds):
            absence = path_absence(graph, first.id, last.id, kinds=kinds, minimum=minimum, tests=tests)
        known = absence if absence is None else self._as_far_as_known(absence, (first,))
        notes = (*_said(start, end), *self._graph_notes())
        return PathsAnswer(found, first, last, graph.catalog, known, notes)

    def path(self, source: Target, target: Target, **options: Any) -> PathsAnswer:
        """Find the shortest of `paths`."""
        return self.paths(source, target, 1, **options)

    def why(self, caller: Target, callee: Target) -> WhyAnswer:
        """Explain the edge from one symbol to another: the rule in words, the lines of source, the confidence.

        Without an edge, it reports the nearest known facts: the other direction, overrides in between, a name that may
        mean it, a longer path, or nothing.
        """
        from codeexplore.graph.explain_edge import explain
        from codeexplore.results import WhyAnswer

        start, end = self._start(caller), self._start(callee)
        graph = end.graph if end.graph is not self.graph else start.graph
        found = explain(graph, start.symbols[0].id, end.symbols[0].id, lambda path: self._index.sources[path].text)
        return WhyAnswer(found, graph.catalog, (*_said(start, end), *self._graph_notes()))

    # ----------------------------------------------------------------- external names

    def externals(self, prefix: str = "", top_k: int = 1_000) -> tuple[str, ...]:
        """List at most `top_k` external names that the repository uses, with a `prefix`, most used first."""
        from codeexplore.graph.external import with_prefix

        return with_prefix(self.graph, prefix, top_k)

    # ----------------------------------------------------------------- the walk

    def _walk(
        self,
        relation: str,
        target: Target,
        depth: int | None,
        *,
        direction: Direction | None = None,
        min_confidence: float = _CONFIDENT,
        tests: bool = True,
        kinds: Collection[EdgeKind] | None = None,
        top_k: int = settings.MAX_GRAPH_VERTICES,
        include_externals: bool = False,
    ) -> GraphAnswer:
        from codeexplore.graph import queries
        from codeexplore.graph.external import with_externals
        from codeexplore.results import GraphAnswer
        from codeexplore.search.query.options import check_confidence, check_count, check_direction, check_edge_kinds

        start = self._start(target)
        graph = with_externals(self.graph) if include_externals else start.graph
        answer = queries.walk(
            graph, relation, [symbol.id for symbol in start.symbols],
            depth=None if depth is None else check_count("depth", depth),
            direction=None if direction is None else check_direction(direction),
            minimum=check_confidence(min_confidence), tests=tests, limit=check_count("top_k", top_k),
            kinds=None if kinds is None else check_edge_kinds(kinds), standings=self._usage_evidence,
        )  # fmt: skip
        absence = answer.absence if answer.absence is None else self._as_far_as_known(answer.absence, start.symbols)
        answer = replace(answer, absence=absence, notes=(*answer.notes, *self._graph_notes()))
        return GraphAnswer(answer, graph.catalog, start.note)

    def _start(self, target: Target) -> Start:
        """Return the symbols that a target means, or the targets of a list, else the external names."""
        from codeexplore.graph import external
        from codeexplore.index.qualified_names import EXTERNAL

        if isinstance(target, (list, tuple)):
            return self._starts(target)
        name = target.id if isinstance(target, Symbol) and target.kind == "external" else target
        wanted = name if isinstance(name, str) else ""
        if not wanted.startswith(EXTERNAL):
            try:
                symbol = self.symbol(target)
            except SymbolNotFound as error:
                if not external.named(self.graph, wanted):
                    raise _hinted(error, self.graph, wanted) from None
            else:
                same = wanted in self.graph.externals and wanted != symbol.fqn
                note = f"{wanted} is also a name outside; ask for {EXTERNAL}{wanted}" if same else ""
                named = isinstance(target, str) and target != symbol.id and not is_place(target)
                named = named or symbol.signature.endswith(";")  # it only describes the function with a body
                overloads = self.catalog.overloads([symbol])[0] if named else ()  # a call of one is a call of the name
                note = note or publicly(target, symbol)
                return Start((symbol, *overloads), self.graph, note)
        found = external.named(self.graph, wanted)
        if not found:
            raise SymbolNotFound(f"nothing here uses {wanted.removeprefix(EXTERNAL)!r:.80} from outside")
        graph = external.with_externals(self.graph)
        symbols = tuple(graph.catalog.symbol(EXTERNAL + each) for each in found[:_MOST_NAMES])
        cut = f"only the {_MOST_NAMES} most used of {len(found)} names" if len(found) > _MOST_NAMES else ""
        return Start(symbols, graph, cut)

    def _starts(self, targets: Sequence[Target]) -> Start:
        """Return several targets as one start."""
        if not targets:
            raise SymbolNotFound("no symbol to start from: the list of targets is empty")
        found = [self._start(each) for each in targets]
        graph = next((start.graph for start in found if start.graph is not self.graph), self.graph)
        symbols = dict.fromkeys(symbol for start in found for symbol in start.symbols)
        return Start(tuple(symbols), graph, "; ".join(dict.fromkeys(start.note for start in found if start.note)))


def _hinted(error: SymbolNotFound, graph: CodeGraph, name: str) -> SymbolNotFound:
    """Return the error as it is, or with external names that end alike."""
    last = name.rpartition(".")[2]
    alike = [each for each in graph.externals.names() if last and each.endswith("." + last) and "(" not in each][:3]
    return SymbolNotFound(f"{error} Used from outside: {', '.join(alike)}.", error.nearest) if alike else error


def _said(*starts: Start) -> tuple[str, ...]:
    """Return the notes about the choice of symbols."""
    return tuple(start.note for start in starts if start.note)
