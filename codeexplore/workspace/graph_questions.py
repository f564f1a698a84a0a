"""The graph's answers: walks along edges (who calls, uses or extends a symbol), paths, explanations of edges, surveys.

`GraphQuestions` has them as methods. The surveys, such as cycles and dead code, are about the whole graph. A target may
also be an external name, or a list of targets. From a list, the walk starts at all its targets. QuestionError is raised
for options that are out of range.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from inspect import Parameter
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from codeexplore import answers
from codeexplore.graph.records import CANDIDATE_KINDS, DEAD_KINDS, ENTRY_KINDS
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import EXTERNAL, can_be, chosen_types, is_place, other_name
from codeexplore.languages.registry import is_part, record_of
from codeexplore.search.options import (
    check_confidence,
    check_count,
    check_direction,
    check_edge_kinds,
    one_of,
    takes_options,
)
from codeexplore.types import settings
from codeexplore.types.certainty import LIKELY
from codeexplore.types.errors import SymbolNotFound
from codeexplore.types.facts import Symbol
from codeexplore.types.kinds import CALLABLE_KINDS, TYPE_KINDS, Direction, EdgeKind
from codeexplore.workspace.view import SnapshotView, Target, Viewed

if TYPE_CHECKING:
    from codeexplore.answers import (
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
    from codeexplore.graph.model import CodeGraph

_CONFIDENT = settings.RESOLVED_CONFIDENCE
_CALLS: tuple[EdgeKind, ...] = ("CALLS",)
HUB_KINDS = ("class", "interface", "struct", "enum", "trait", "type", "function", "method")
_MOST_NAMES = 200  # external names that one prefix may mean


class WalkOptions(TypedDict, total=False):
    """Options of every walk besides its target and depth. `DOC` describes them."""

    direction: Direction | None
    min_confidence: float
    tests: bool
    kinds: Collection[EdgeKind] | None
    top_k: int
    include_externals: bool


DEFAULTS: WalkOptions = {
    "direction": None,
    "min_confidence": settings.RESOLVED_CONFIDENCE,
    "tests": True,
    "kinds": None,
    "top_k": settings.MAX_GRAPH_VERTICES,
    "include_externals": False,
}
"""Their defaults, in the order in which they are shown."""

DOC = """
Parameters
----------
target
    A name, ``"path:line"``, a symbol, a hit, a live Python object, a name outside the repository, or a list of these.
depth
    Maximal number of steps, at least 1. None means any number.
direction
    "in", "out" or "both". None takes the usual direction of the walk.
min_confidence
    Edges of a lower confidence are not followed; they are listed in `possible`. 1.0 is certain, 0.9
    likely, 0.65 possible: about the measured share of true edges (docs/call-graph.md). Guesses have 0.5.
tests
    False leaves out edges that start in tests.
kinds
    Kinds of edges to follow instead of the walk's own kinds, for example ``("CALLS", "USES")``.
top_k
    Maximal number of symbols. Further symbols are only counted.
include_externals
    True also shows names outside the repository.
explain
    True names the rule and the confidence of each edge, in this answer and in later ones of the session.

Raises
------
SymbolNotFound, AmbiguousSymbol
    The target does not mean one symbol.
QuestionError
    An option is out of range or unknown.

Examples
--------"""


takes_walk_options = takes_options(
    [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in DEFAULTS.items()], DOC, ">>> "
)
"""Method decorator for walks, whose ``**options`` are `WalkOptions`. The docstring ends with an example."""


# --------------------------------------------------------------------------- walks, paths, explanations


class Start(NamedTuple):
    """The start of a walk: its symbols, its graph, and notes on how the symbols were chosen."""

    symbols: tuple[Symbol, ...]
    graph: CodeGraph
    note: str = ""


def walk(
    view: SnapshotView, relation: str, target: Target, depth: int | None, **given: Unpack[WalkOptions]
) -> GraphAnswer:
    """Follow a relation, such as "callers", from `target`."""
    from codeexplore.graph import queries
    from codeexplore.graph.external import with_externals

    options = DEFAULTS | given
    direction, kinds = options["direction"], options["kinds"]
    start = start_of(view, target, relation)
    graph = with_externals(view.graph) if options["include_externals"] else start.graph
    answer = queries.walk(
        graph,
        relation,
        [symbol.id for symbol in start.symbols],
        depth=None if depth is None else check_count("depth", depth),
        direction=None if direction is None else check_direction(direction),
        minimum=check_confidence(options["min_confidence"]),
        tests=options["tests"],
        limit=check_count("top_k", options["top_k"]),
        kinds=None if kinds is None else check_edge_kinds(kinds),
        usage_evidence=view.evidence,
    )
    unread = view.unread_uses(start.symbols, answer.direction)
    verdict = answer.verdict and view.as_far_as_known(answer.verdict, unread)
    beside = (unread,) if unread and answer.verdict is not None and answer.verdict.kind == "found" else ()
    marks = view.marks()
    if marks is not None and verdict is not None and verdict.kind != "found":
        verdict = marks.absence(verdict, answer.seeds, relation)
    answer = replace(answer, verdict=verdict, notes=(*answer.notes, *beside, *view.graph_notes))
    return answers.GraphAnswer(answer, graph.catalog, start.note, marks)


# --------------------------------------------------------------------------- the start


def _describes(view: SnapshotView, symbol: Symbol) -> bool:
    """Return True for a definition that only describes the function with a body, as the head of an overload does."""
    head = record_of(symbol.language).is_overload_head if symbol.kind in CALLABLE_KINDS else None
    lines = view.index.sources[symbol.path].text.split("\n") if head is not None else []
    text = "\n".join(lines[symbol.span.start_line - 1 : symbol.span.end_line])
    return symbol.signature.endswith(";") or (head is not None and head(symbol, text))


def start_of(view: SnapshotView, target: Target, relation: str = "") -> Start:
    """Return the start for a target or a list: symbols, or external names if it means no symbol of the relation."""
    from codeexplore.graph import external

    if isinstance(target, (list, tuple)):
        return _starts(view, target, relation)
    name = target.id if isinstance(target, Symbol) and target.kind == "external" else target
    wanted = name if isinstance(name, str) else ""
    if not can_be(view.catalog.meant(wanted), relation) and external.named(view.graph, wanted):
        wanted = EXTERNAL + wanted.removeprefix(EXTERNAL)
    if not wanted.startswith(EXTERNAL):
        try:
            symbol = _behind(view.catalog, view.symbol(_type_meant(view, wanted, relation) or target), relation)
        except SymbolNotFound as error:
            if not external.named(view.graph, wanted):
                raise _hinted(view.undefined(error, target), view.graph, wanted) from None
        else:
            same = wanted in view.graph.externals and wanted != symbol.fqn
            note = f"{wanted} is also a name outside the repository; ask for {EXTERNAL}{wanted}" if same else ""
            named = isinstance(target, str) and target != symbol.id and not is_place(target)
            named = named and not chosen_types(wanted)
            named = named or _describes(view, symbol)
            overloads = view.catalog.overloads([symbol])[0] if named or is_part(symbol) else ()  # a call is of the name
            note = note or (other_name(target, symbol, view.catalog.find) if named and isinstance(target, str) else "")
            return Start((symbol, *overloads), view.graph, note)
    found = external.named(view.graph, wanted)
    if not found:
        raise SymbolNotFound(f"nothing here uses the outside name {wanted.removeprefix(EXTERNAL)!r:.80}")
    graph = external.with_externals(view.graph)
    symbols = tuple(graph.catalog.symbol(EXTERNAL + each) for each in found[:_MOST_NAMES])
    cut = f"only the {_MOST_NAMES} most used of {len(found)} names" if len(found) > _MOST_NAMES else ""
    return Start(symbols, graph, cut)


def _type_meant(view: SnapshotView, name: str, relation: str) -> Symbol | None:
    """Return the type beside functions of the same qualified name, if its subtypes are asked for."""
    meant = view.catalog.meant(name) if relation in ("implementors", "subclasses") else ()
    types = [symbol for symbol in meant if symbol.kind in TYPE_KINDS]
    return types[0] if len(types) == 1 and len({symbol.fqn for symbol in meant}) == 1 else None


def _behind(catalog: Catalog, symbol: Symbol, relation: str) -> Symbol:
    """Return the function that a constant or field is another name of, if its calls are asked for; else the symbol."""
    if relation in ("callers", "callees") and symbol.kind in ("constant", "field") and catalog.public_names is not None:
        return next((s for s in catalog.public_names.named_by(symbol) if s.kind in CALLABLE_KINDS), symbol)
    return symbol


def _starts(view: SnapshotView, targets: Sequence[Target], relation: str) -> Start:
    if not targets:
        raise SymbolNotFound("no symbol to start from: the list of targets is empty")
    found = [start_of(view, each, relation) for each in targets]
    graph = next((start.graph for start in found if start.graph is not view.graph), view.graph)
    symbols = dict.fromkeys(symbol for start in found for symbol in start.symbols)
    return Start(tuple(symbols), graph, "; ".join(dict.fromkeys(start.note for start in found if start.note)))


def _hinted(error: SymbolNotFound, graph: CodeGraph, name: str) -> SymbolNotFound:
    """Return `error`, with external names added that end in `name`, if there are any."""
    last = name.rpartition(".")[2]
    alike = [each for each in graph.externals.names() if last and each.endswith("." + last) and "(" not in each][:3]
    if not alike:
        return error
    said = f"{error.message} Used from outside: {', '.join(alike)}."
    return SymbolNotFound(said, error.nearest, next_steps=error.next_steps)


def _notes(view: SnapshotView, *starts: Start) -> tuple[str, ...]:
    return (*(start.note for start in starts if start.note), *view.graph_notes)


# --------------------------------------------------------------------------- the methods of a workspace


class GraphQuestions(Viewed):
    """Questions to the graph, as methods of a workspace. The decorator describes the options of a walk."""

    @takes_walk_options
    def callers(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the callers of a symbol, up to `depth` calls away.

        Callers that are only possible by name are listed separately. An empty answer explains why it is empty.

        >>> ws.callers("Session.get", depth=2, tests=False)
        """
        return walk(self.view(), "callers", target, depth, **options)

    @takes_walk_options
    def callees(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the functions that a symbol calls, up to `depth` calls away.

        >>> ws.callees("checkout", min_confidence=0.9)
        """
        return walk(self.view(), "callees", target, depth, **options)

    @takes_walk_options
    def implementors(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the types that implement an interface or trait, or extend a class, at any depth.

        For a method, list the methods that override it. With ``direction="out"``, list the types that a type implements
        and extends.

        >>> ws.implementors("Serializer")
        """
        return walk(self.view(), "implementors", target, depth, **options)

    @takes_walk_options
    def subclasses(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the subtypes of a type, at any depth. With ``direction="out"``, list its supertypes.

        >>> ws.subclasses("Base", direction="out")
        """
        return walk(self.view(), "subclasses", target, depth, **options)

    @takes_walk_options
    def overrides(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the methods that override a method, or the methods of a type.

        With ``direction="out"``, list the methods that a method overrides.

        >>> ws.overrides("Base.save")
        """
        return walk(self.view(), "overrides", target, depth, **options)

    @takes_walk_options
    def uses(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that use a symbol: calls, references, annotations, decorators, supertypes.

        With ``direction="out"``, list the symbols that a symbol uses.

        >>> ws.uses("requests")
        """
        return walk(self.view(), "uses", target, depth, **options)

    @takes_walk_options
    def imports(self, target: Target, depth: int = 1, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the modules that import a module or symbol.

        With ``direction="out"``, list the modules that a module imports.

        >>> ws.imports("app.models")
        """
        return walk(self.view(), "imports", target, depth, **options)

    @takes_walk_options
    def impact(self, target: Target, depth: int | None = None, **options: Unpack[WalkOptions]) -> GraphAnswer:
        """List the symbols that a change of a symbol may break: its callers and users, their callers, and so on.

        The answer's `path_to` shows how each symbol is reached. Its `tests` are the tests that reach the symbol.
        ``ws.review.impact`` adds what often changed together with it.

        >>> ws.impact("Session.get", depth=3)
        """
        return walk(self.view(), "impact", target, depth, **options)

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
        """Find chains of calls from one symbol to another, shortest first. No chain contains a symbol twice.

        If there are none, find chains of calls in the opposite direction. If there are none either, find one chain over
        edges of any kind.

        Parameters
        ----------
        top_k
            Maximal number of paths.
        min_confidence
            Edges of a lower confidence are not followed. 1.0 is certain, 0.9 likely, 0.65 possible: about
            the measured share of true edges (docs/call-graph.md). Edges of 0.5 are guesses.
        kinds
            Kinds of edges to follow.
        tests
            False leaves out edges that start in tests.
        """
        from codeexplore.graph.usage.path_verdict import paths_between

        view = self.view()
        start, end = start_of(view, source), start_of(view, target)
        graph = end.graph if end.graph is not view.graph else start.graph
        found = paths_between(
            graph,
            [symbol.id for symbol in start.symbols],
            [symbol.id for symbol in end.symbols],
            limit=check_count("top_k", top_k),
            kinds=check_edge_kinds(kinds),
            minimum=check_confidence(min_confidence),
            tests=tests,
            usage_evidence=view.evidence,
        )
        verdict = found.verdict and view.as_far_as_known(found.verdict, view.unread_uses(end.symbols[:1]))
        first, last = graph.catalog.symbol(found.source), graph.catalog.symbol(found.target)
        return answers.PathsAnswer(found.paths, first, last, graph.catalog, verdict, _notes(view, start, end))

    def path(self, source: Target, target: Target, **options: Any) -> PathsAnswer:
        """Find the shortest of the chains that `paths` finds. The options are those of `paths`."""
        return self.paths(source, target, 1, **options)

    def why(self, caller: Target, callee: Target) -> WhyAnswer:
        """Explain the edge from one symbol to another: the rule in words, the lines of source, the confidence.

        If there is no edge, report what is known: an edge in the opposite direction, an override between the two
        symbols, a name that may mean the callee, or a longer path.
        """
        from codeexplore.graph.explain_edge import explain
        from codeexplore.graph.usage.path_verdict import paths_between

        view = self.view()
        start, end = start_of(view, caller), start_of(view, callee)
        graph = end.graph if end.graph is not view.graph else start.graph
        source = start.symbols[0]  # what a function without a name does may count for the code around it
        while (
            source.kind == "lambda"
            and source.parent
            and not graph.incident(graph.vertex(source.id), "out", ("CALLS", "USES"))
        ):
            source = graph.catalog.symbol(source.parent)
        sources = [source.id, *(each.id for each in start.symbols[1:])]
        targets = [each.id for each in end.symbols]
        text_of, overloads = (lambda path: view.index.sources[path].text), (sources[1:], targets[1:])
        found = explain(graph, source.id, targets[0], text_of, overloads)
        if found.verdict == "absent" and graph is view.graph:
            verdict = paths_between(graph, sources, targets, usage_evidence=view.evidence).verdict
            if verdict is not None and verdict.kind == "possible":
                found = replace(found, verdict="possible", summary=verdict.text.removesuffix("."))
        return answers.WhyAnswer(found, graph.catalog, _notes(view, start, end))

    def externals(self, prefix: str = "", top_k: int = 1_000) -> tuple[str, ...]:
        """List the names outside the repository that it uses and that begin with `prefix`, most used first.

        At most `top_k` names are returned.
        """
        from codeexplore.graph.external import with_prefix

        return with_prefix(self.view().graph, prefix, top_k)

    # ----------------------------------------------------------------- surveys of the whole graph

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


class QuestionsOf(GraphQuestions):
    """The questions about one snapshot, for an answer that is made of several."""

    def __init__(self, view: SnapshotView) -> None:
        self._surveyed = view

    def view(self, **_: bool) -> SnapshotView:
        return self._surveyed
