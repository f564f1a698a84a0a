"""Requests of the explorer as records. A request can call the workspace, and can write the call as Python code.

`compared_html` compares the displayed answer with another: without a lane, by one lane alone, by another fusion, or an
earlier answer that the user kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from codeexplore.answers.html import components
from codeexplore.answers.score_terms import lane_words
from codeexplore.answers.search import Comparison, compare
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, Filters, LaneName, Reached, Subgraph, Verdict, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, PathsAnswer, SearchAnswer
    from codeexplore.types import Edge, Symbol
    from codeexplore.workspace.workspace import Workspace


_BOTH = "callers and callees"
_WALKS = ("callers", "callees", _BOTH, "implementors", "subclasses", "uses", "imports", "impact")
WALKS = {name: "callers" if name == _BOTH else name for name in _WALKS}
"""Name of a walk in the panel → method of the workspace."""
PATH = "path"
"""Name of the walk between two symbols. It is offered after questions that ask for a path."""
MOST_FOUND = 100
"""Symbols with a text that are listed."""
DEEP = ("callers", "callees", _BOTH, "impact")
"""Names of the walks that take a depth."""

EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question with the options that the user chose. The planner decides options that are None or empty."""

    question: str
    lanes: tuple[LaneName, ...] | None = None
    weights: tuple[tuple[str, float], ...] = ()
    top_k: int = settings.TOP_K
    rrf_k: int = settings.RRF_K
    fusion: str = "rrf"
    per_file: int | None = None
    relation: str | None = None
    direction: str | None = None
    depth: int | None = None
    filters: Filters = EVERYTHING

    def options(self) -> dict[str, Any]:
        chosen: dict[str, Any] = {
            name: value
            for name in ("lanes", "per_file", "relation", "direction", "depth")
            if (value := getattr(self, name)) is not None
        }
        if self.weights:
            chosen["weights"] = dict(self.weights)
        usual = (("top_k", settings.TOP_K), ("rrf_k", settings.RRF_K), ("fusion", "rrf"), ("filters", EVERYTHING))
        chosen |= {name: getattr(self, name) for name, value in usual if getattr(self, name) != value}
        return chosen

    def search(self, workspace: Workspace) -> SearchAnswer:
        """Search the workspace. Raises the errors of ``ws.search``, and QuestionError if no lane is selected."""
        if self.lanes == ():
            raise QuestionError("no lane is on: switch on words, meaning or call graph")
        return workspace.search(self.question, **self.options())

    def code(self, workspace: str) -> str:
        """Return the Python call of this search, such as ``ws.search('…', top_k=5)``."""
        return call(f"{workspace}.search", self.question, self.options())


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk from one symbol.

    `kinds` are the kinds of edges to follow; None follows the kinds of the relation. `depth` applies only to the walks
    in `DEEP`.
    """

    symbol: Symbol
    walk: str = "callers"
    depth: int = 1
    min_confidence: float = settings.RESOLVED_CONFIDENCE
    tests: bool = True
    kinds: tuple[str, ...] | None = None
    target: Symbol | None = None  # the end of a path
    others: tuple[Symbol, ...] = ()  # further start symbols, if an ambiguous name may mean several
    opened: tuple[Symbol, ...] = ()  # symbols from which one more step is shown

    def options(self) -> dict[str, Any]:
        chosen: dict[str, Any] = {"direction": "both"} if self.walk == _BOTH else {}
        if self.walk == "impact" or (self.walk in DEEP and self.depth != 1):
            chosen["depth"] = self.depth
        if self.min_confidence != settings.RESOLVED_CONFIDENCE:
            chosen["min_confidence"] = self.min_confidence
        if not self.tests:
            chosen["tests"] = False
        if self.kinds is not None and self.walk != PATH:
            chosen["kinds"] = self.kinds
        return chosen

    def answer(self, workspace: Workspace) -> GraphAnswer | PathsAnswer:
        """Run the walk. Raises the errors of the workspace's method, and QuestionError if no kind of edge is on."""
        if self.walk == PATH and self.target is not None:
            return workspace.paths(self.symbol, self.target, **self.options())
        if self.kinds == ():
            raise QuestionError("no kind of edge is on: tick at least one")
        if workspace.graph_state == "building":  # the page asks again when the graph is ready
            return self._start_alone(workspace)
        walk: Any = getattr(workspace, WALKS[self.walk])
        answer: GraphAnswer = walk((self.symbol, *self.others) if self.others else self.symbol, **self.options())
        for more in self._steps():
            grown = more.answer(workspace)
            if TYPE_CHECKING:
                assert isinstance(grown, GraphAnswer)
            answer |= grown
        return answer

    def _start_alone(self, workspace: Workspace) -> GraphAnswer:
        """Return the start symbols as an answer that says that the graph is being built."""
        from codeexplore.answers import GraphAnswer

        ids = tuple(symbol.id for symbol in (self.symbol, *self.others))
        what = f"{self.walk.capitalize()} of {self.symbol.fqn}"
        verdict = Verdict("unknown", "", headline=f"{what}: the graph is still being built")
        reached = tuple(Reached(each, 0, None, 1.0) for each in ids)
        return GraphAnswer(Subgraph(WALKS[self.walk], ids, reached, (), verdict=verdict), workspace.catalog)

    def _steps(self) -> list[Walk]:
        return [replace(self, symbol=each, others=(), opened=(), depth=1) for each in self.opened]

    def code(self, workspace: str) -> str:
        """Return this walk as Python, such as ``ws.callers('path:fqn', depth=2) | ws.callers('path:other')``."""
        if self.walk == PATH and self.target is not None:
            options = "".join(f", {name}={value!r}" for name, value in self.options().items())
            return f"{workspace}.paths({self.symbol.id!r}, {self.target.id!r}{options})"
        starts = (self.symbol.id, *(other.id for other in self.others)) if self.others else self.symbol.id
        first = call(f"{workspace}.{WALKS[self.walk]}", starts, self.options())
        return " | ".join([first, *(step.code(workspace) for step in self._steps())])


def graph_of(answer: PathsAnswer) -> GraphAnswer:
    """Return paths as a graph, for the list beside a drawing. A depth is the number of steps from the start."""
    from codeexplore.answers import GraphAnswer

    reached = {answer.source.id: Reached(answer.source.id, 0, None, 1.0)}
    edges: dict[tuple[str, str, str], Edge] = {}
    for path in answer.paths:
        confidence = 1.0
        steps = zip(path.symbol_ids, path.symbol_ids[1:], path.edges, strict=False)
        for depth, (before, symbol_id, edge) in enumerate(steps, 1):
            confidence = min(confidence, edge.confidence)
            reached.setdefault(symbol_id, Reached(symbol_id, depth, before, confidence))
            edges.setdefault((edge.source, edge.target, edge.kind), edge)
    ordered = tuple(sorted(reached.values(), key=lambda each: each.depth))
    graph = Subgraph("path", (answer.source.id,), ordered, tuple(edges.values()), verdict=answer.absence)
    return GraphAnswer(graph, answer.catalog)


def call(function: str, first: object, options: dict[str, Any]) -> str:
    """Return a call as Python source. Values are written by `repr`, so that any text is reproduced exactly."""
    arguments = [repr(first), *(f"{name}={_written(value)}" for name, value in options.items())]
    return f"{function}({', '.join(arguments)})"


def _written(value: Any) -> str:
    if isinstance(value, Filters):
        usual = EVERYTHING
        fields = ("paths", "languages", "kinds", "tests")
        given = {name: getattr(value, name) for name in fields if getattr(value, name) != getattr(usual, name)}
        return f"Filters({', '.join(f'{name}={each!r}' for name, each in given.items())})"
    return repr(value)


def code_of(
    workspace: Workspace | None,
    asked: SearchRequest | None,
    walk: Walk | None,
    name: str | None = None,
    where: str = "",
    others: Mapping[str, Callable[[str], str]] = MappingProxyType({}),
) -> str:
    """Return Python statements that open the workspace, and compute and show ``answer``, ``walk`` and others again.

    If `name` is a variable that contains the workspace, the statements use it. `where` is the path, package or URL from
    which the workspace was opened; "" if it is unknown. `others` maps further variables to functions that return their
    expressions for a variable of the workspace; "" if the panel shows nothing.
    """
    if workspace is None:
        return "# no repository is open"
    bound = name or _bound_name(workspace)
    lines: list[str] = []
    imports = ["Filters"] if asked is not None and "filters" in asked.options() else []
    if bound is None:
        bound = "ws"
        lines.append(f"ws = {call('open_workspace', where, {}) if where else workspace.to_code()}")
        if where:
            lines.insert(0, "from codeexplore.workspace.open import open_workspace\n")
        else:
            imports.append("Workspace")
    if imports:
        lines.insert(0, f"from codeexplore import {', '.join(sorted(imports))}" + ("" if len(lines) > 1 else "\n"))
    shown = {"answer": asked.code(bound)} if asked is not None else {}
    shown |= {"walk": walk.code(bound)} if walk is not None else {}
    shown |= {variable: written for variable, code in others.items() if (written := code(bound))}
    lines += [f"{variable} = {written}" for variable, written in shown.items()]
    if shown:
        *before, last = shown
        if before:
            lines.insert(0, "from IPython.display import display\n")
        lines += [*(f"display({variable})" for variable in before), last]
    return "\n".join(lines)


def _bound_name(workspace: Workspace) -> str | None:
    """Return the name of a variable of this notebook whose value is the workspace; None if there is none."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return None
    names = [name for name, value in list(shell.user_ns.items()) if value is workspace and not name.startswith("_")]
    return min(names, key=lambda name: (name != "ws", name), default=None)


_EACH, KEPT = "each lane left out", "the answer you kept"
_WITHOUT = {f"without {lane_words(lane)}": lane for lane in LANES}
_ALONE = {f"{lane_words(lane)} alone": lane for lane in LANES}
_OTHERS = {f"fusion {name}": name for name in FUSIONS}
OTHERS = (_EACH, KEPT, *_WITHOUT, *_ALONE, *_OTHERS)
"""What an answer can be compared with."""

_DEEP = 50  # minimal number of ranks compared: "12" is more informative than "below 10"


class Compared(NamedTuple):
    """Input of a comparison: the displayed answer, its request, the chosen other settings, and the kept answer."""

    workspace: Workspace
    asked: SearchRequest
    answer: SearchAnswer
    other: str
    kept: tuple[SearchRequest, SearchAnswer] | None


def compared_html(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import slope_html

    asked, answer = compared.asked, compared.answer
    if compared.other == _EACH:
        return _each_lane_left_out(compared)
    if compared.other == KEPT and compared.kept is not None:
        before, old = compared.kept
        titles, from_, to = (_title(before, asked), _title(asked, before)), old, answer
    else:
        titles, from_, to = ("now", compared.other), answer, _other(compared).search(compared.workspace)
    return components.page(slope_html(compare(from_, to), titles, max(len(from_), asked.top_k)))


def _each_lane_left_out(compared: Compared) -> str:
    from codeexplore.answers.html.rank_changes import whatif_html

    lanes = tuple(compared.answer.plan.lanes)
    if len(lanes) < 2:
        return components.page(
            components.dim(f"Only {lane_words(lanes[0])} was searched: without this lane there is no answer.")
        )
    found: dict[str, Comparison] = {}
    for lane in lanes:
        other = _with_lanes(compared, tuple(other for other in lanes if other != lane))
        found[lane] = compare(compared.answer, other.search(compared.workspace))
    return components.page(whatif_html(compared.answer, found))


def _other(compared: Compared) -> SearchRequest:
    asked, lanes = compared.asked, tuple(compared.answer.plan.lanes)
    if compared.other in _OTHERS:
        return replace(asked, fusion=_OTHERS[compared.other], top_k=_deep(compared))
    if compared.other in _ALONE:
        return _with_lanes(compared, tuple(lane for lane in LANES if lane == _ALONE[compared.other]))
    return _with_lanes(compared, tuple(lane for lane in lanes if lane != _WITHOUT[compared.other]))


def _with_lanes(compared: Compared, lanes: tuple[LaneName, ...]) -> SearchRequest:
    """Return the request with these lanes. Leaving out a lane must not change the weight of another lane."""
    weights = tuple((lane, weight) for lane, weight in compared.answer.plan.lanes.items() if lane in lanes)
    return replace(compared.asked, lanes=lanes, weights=weights, top_k=_deep(compared))


def _deep(compared: Compared) -> int:
    return max(_DEEP, compared.asked.top_k)


def _title(asked: SearchRequest, other: SearchRequest) -> str:
    """Return the question of `asked`, or if `other` has the same question, the options that differ."""
    if asked.question != other.question:
        return asked.question
    mine, yours = asked.options(), other.options()
    differences = [f"{name} {value}" for name, value in mine.items() if yours.get(name) != value]
    differences += [f"usual {name}" for name in yours if name not in mine]
    return ", ".join(differences) or "the same settings"
