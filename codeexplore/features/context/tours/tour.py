"""Tours: an order of symbols that explains a repository, with the reasons for each step, and how they are chosen.

A tour has two parts. The first three quarters of its steps show how the repository is used: the symbols with the most
evidence (`evidence`), or the best hits of a question, each after the symbols that it builds on, and otherwise in the
order of the documentation and the tests. If no example shows the function from which most of the code is reached, the
tour begins with it and with the types in its signature. The other steps show how the repository works: the main calls,
and then the symbols that the steps before depend on most by personalised PageRank, in the order of the calls that lead
to them. A program that users only start has one step of the first part, the function that is started.

Every sentence is a quotation of documentation, or states edges of the graph.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block
from codeexplore.answers.data import symbol_dict
from codeexplore.answers.shown import ShownRows
from codeexplore.answers.wording import cut, first_sentence, member_name, one_line, plural
from codeexplore.features.context.tours.evidence import LEADING
from codeexplore.graph.traversal import is_constructor, members
from codeexplore.types import SCHEMA_VERSION, TYPE_KINDS, EdgeKind, Site, Symbol
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE
from codeexplore.types.visible import visible_json

if TYPE_CHECKING:
    from codeexplore.features.context.tours.evidence import TourEvidence
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import SourceFile

_SCHEMA: Final = "https://aka.ms/codetour-schema"
VERBS: Final[Mapping[str, str]] = {
    "CALLS": "calls",
    "USES": "uses",
    "EXTENDS": "extends",
    "IMPLEMENTS": "implements",
    "CONTAINS": "defines",
}
"""Verbs for the kinds of edges that lead from step to step."""
_CHARS: Final = 160  # of a signature
_LINES: Final = 40  # of a symbol that a step shows at first


class Lead(NamedTuple):
    """An edge from a step to a later one: the number of the later step, the kind of the edge, and its place."""

    to: int
    kind: EdgeKind  # CONTAINS leads from a type to its member
    path: str
    line: int


class Step(NamedTuple):
    number: int  # 1-based
    symbol: Symbol
    said: str  # a sentence from its documentation, or from its edges
    why: tuple[str, ...]  # clauses: why it is in the tour, and why here
    leads: tuple[Lead, ...]  # to later steps
    part: Literal["use", "inside"]  # how the repository is used, or how it works


@dataclass(frozen=True, slots=True, repr=False)
class Tour(ShownRows[Step]):
    """An order in which to read the symbols of a repository. It is a sequence of `Step`."""

    _records_in: ClassVar[str] = "steps"

    name: str  # of the repository
    question: str  # "" for a tour of the whole repository
    steps: tuple[Step, ...]
    sources: Mapping[str, SourceFile] = field(repr=False, compare=False)
    catalog: Catalog = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"Tour of {one_line(self.name)}" + (f": {one_line(self.question)}" if self.question else "")

    def lines(self, step: Step) -> list[tuple[int, str]]:
        span = step.symbol.span
        lines = self.sources[step.symbol.path].text.split("\n")[span.start_line - 1 : span.end_line]
        return [(number, line.rstrip()) for number, line in enumerate(lines, span.start_line)]

    def blocks(self) -> list[Block]:
        said: list[Block] = [b.Heading((b.Piece(self.title, "strong"), f"  {len(self.steps)} steps"))]
        for step in self.steps:
            if step.part == "inside" and self.steps[step.number - 2].part == "use":
                said.append(b.Text(b.Words("How it works"), apart=True))
            said += self.step_blocks(step)
        return [*said, *b.notes(self.notes)]

    def step_blocks(self, step: Step, *, opened: bool = False) -> list[Block]:
        """Return the blocks of one step. The source is folded below the signature, unless `opened`."""
        symbol = step.symbol
        place = Site(symbol.path, symbol.line)
        title = (b.Piece(f"{step.number}. "), symbol, b.Piece(f"  {symbol.kind} ", "kind"), place)
        code = b.Source(self.lines(step), symbol.language, brief=_LINES, path=symbol.path)
        return [
            b.Text(title, apart=True),
            b.Text(step.said),
            *([b.Text(f"Why here: {'; '.join(step.why)}", "dim")] if step.why else []),
            *([b.Text(f"Leads to: {self.led(step)}", "dim")] if step.leads else []),
            code
            if opened
            else b.Fold(b.Piece(cut(one_line(symbol.signature or symbol.name), _CHARS), "code"), (code,), aside=True),
        ]

    def led(self, step: Step) -> str:
        """Return the later steps that a step leads to, as ``4 Flask.route (defines, app.py:12)``."""
        names = {each.number: one_line(member_name(each.symbol)) for each in self.steps}
        return ", ".join(
            f"{lead.to} {names[lead.to]} ({VERBS[lead.kind]}, {lead.path}:{lead.line})" for lead in step.leads
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "kind": "tour",
            "repository": self.name,
            "question": self.question,
            "steps": [
                step._asdict()
                | {"symbol": symbol_dict(step.symbol), "why": list(step.why)}
                | {"leads": [lead._asdict() for lead in step.leads]}
                for step in self.steps
            ],
            "notes": list(self.notes),
        }

    def to_codetour(self) -> str:
        """Return the tour as the JSON of a ``.tour`` file, which the editor extension CodeTour plays.

        Save it in the folder ``.tours`` of the repository. The steps name files by their path in the repository.
        """
        from codeexplore.answers.markdown import markdown

        steps = []
        for step in self.steps:
            description = markdown([block for block in self.step_blocks(step)[1:] if not isinstance(block, b.Fold)])
            place = {"file": step.symbol.path, "line": step.symbol.line, "title": one_line(member_name(step.symbol))}
            steps.append({**place, "description": description})
        return visible_json({"$schema": _SCHEMA, "title": self.title, "steps": steps})


Preference: TypeAlias = Mapping[tuple[str, str], float]
"""(a, b) → how strongly a should come before b. It is negative if b should come first."""


def in_order(ids: Sequence[str], prerequisites: Mapping[str, Collection[str]], prefer: Preference) -> list[str]:
    """Return the ids in an order in which prerequisites come first and few preferences are violated.

    The next id is the one that wins most against the remaining ids (the greedy order of Cohen, Schapire and Singer,
    Learning to Order Things, 1999, whose agreement is at least half of the best possible). Its prerequisites come
    directly before it; those that are not in `ids` are ignored. Ties are decided by the given order. If prerequisites
    form a circle, the one that closes the circle is ignored.
    """
    wins = {a: sum(prefer.get((a, b), 0.0) - prefer.get((b, a), 0.0) for b in ids if b != a) for a in ids}
    waiting, placed = dict.fromkeys(ids), list[str]()

    def place(best: str) -> None:
        del waiting[best]
        for before in sorted(prerequisites.get(best, ()), key=lambda a: -wins.get(a, 0.0)):
            if before in waiting:
                place(before)
        placed.append(best)
        for a in waiting:
            wins[a] -= prefer.get((a, best), 0.0) - prefer.get((best, a), 0.0)

    while waiting:
        place(max(waiting, key=lambda a: wins[a]))  # the first of equal ones
    return placed


_REACH: Final = 2  # edges from a shown symbol to the symbols that show how it works
_INSIDE: Final = 4  # one of so many steps shows how the repository works
_NAMED: Final = 3


class _Link(NamedTuple):
    source: str
    target: str
    kind: EdgeKind
    path: str
    line: int


class TourPlanner:
    def __init__(self, graph: CodeGraph, evidence: TourEvidence) -> None:
        self._graph, self._evidence = graph, evidence

    def steps(self, size: int, asked: Mapping[str, float] | None = None, main: Sequence[Symbol] = ()) -> list[Step]:
        """Return at most `size` steps.

        `asked` maps ids to their share of the hits of a question, for a tour that answers it. Without it, the tour is
        of the whole repository, and `main` are the functions of the main calls.
        """
        met = self._evidence.scores if asked is None else asked
        way = list(dict.fromkeys(s.id for each in main if (s := self._evidence.standing_for(each)) is not None))
        begins = self._beginning(way, size - size // _INSIDE)
        first = begins
        if self._evidence.is_library or not self._evidence.entries.keys() & begins:  # else it is only started
            order = sorted(met, key=lambda each: (-met[each], each))
            first = self._chosen([*begins, *order], size - size // _INSIDE, least=2)
        room = size - len(first)
        followed = [each for each in way if each not in first]
        followed = self._chosen(followed, room - max(1, room // _INSIDE), least=1, known=first)
        shown = {each: met.get(each, 0.0) for each in first} | dict.fromkeys(followed, 1.0)
        then = self._depended_on(shown, room - len(followed))
        symbol, all_around = self._graph.catalog.symbol, self._graph.catalog.all_around
        owners = {each: [owner.id for owner in all_around(symbol(each))] for each in first}
        around = [each for each in (*followed, *then) if any(each in owned for owned in owners.values())]
        first = [*first, *around]
        followed, then = ([each for each in part if each not in around] for part in (followed, then))
        links = self._links([*first, *followed, *then])
        prefer = self._evidence.preferences(first)
        if asked is not None:
            for link in links:
                prefer.setdefault((link.source, link.target), 1.0)
        leading: dict[str, set[str]] = defaultdict(set)
        for link in links:
            leading[link.target].add(link.source)
        placed = [*begins, *in_order([each for each in first if each not in begins], owners, prefer)]
        placed += [*followed, *in_order(then, leading, {})]
        hits = sorted(asked, key=lambda each: -asked[each]) if asked is not None else []
        return self._explained(placed, links, len(first), hits, way)

    def _beginning(self, way: Sequence[str], size: int) -> list[str]:
        """Return the first main call, after the type around it, and the public types that its signature names.

        There is none if examples show the first main call: then they show the beginning.
        """
        graph, evidence = self._graph, self._evidence
        if not way or any(way[0] in ids for ids in evidence.exemplified):
            return []
        start = graph.catalog.symbol(way[0])
        ends = map(graph.symbol, graph.neighbours(graph.vertex(start.id), "out", ("USES",), RESOLVED_CONFIDENCE))
        used = {end.name: end.id for end in ends}
        named = [used[word] for word in re.findall(r"\w+", start.signature) if used.get(word) in evidence.public]
        around = [start.parent] if start.parent in evidence.candidates else []
        return list(dict.fromkeys([*filter(None, around), start.id, *named]))[:size]

    def _chosen(self, order: Iterable[str], size: int, *, least: int, known: Collection[str] = ()) -> list[str]:
        """Return the first ids of an order, and each type, if not `known`, with so many members among them."""
        found, members = dict[str, None](), dict[str, int]()
        for each in order:
            owner = self._graph.catalog.symbol(each).parent
            if owner is not None and owner in self._evidence.candidates:
                members[owner] = members.get(owner, 0) + 1
            needed = [owner] if owner is not None and members.get(owner, 0) == least else []
            needed = [each for each in needed if each not in found and each not in known]
            if len(found) + len(needed) + (each not in found) > size:
                break
            found.update(dict.fromkeys([*needed, each]))
        return list(found)

    def _depended_on(self, shown: Mapping[str, float], count: int) -> list[str]:
        """Return `count` symbols on which the given ones depend most, by personalised PageRank over resolved edges."""
        graph, evidence = self._graph, self._evidence
        reset = {graph.vertex(each): score for each, score in shown.items()}
        seen, rows, waiting = set(reset), dict[int, None](), list(reset)
        for _ in range(_REACH):
            reached = []
            for vertex in waiting:
                for user in (vertex, *self._members(vertex)):
                    for row in graph.incident(user, "out", LEADING, RESOLVED_CONFIDENCE):
                        rows[row] = None
                        reached += [user, graph.edges.target[row]]
            waiting = [vertex for vertex in dict.fromkeys(reached) if vertex not in seen]
            seen.update(waiting)
        if not any(reset.values()):
            return []
        vertices = sorted(seen)
        near: dict[str, float] = defaultdict(float)
        for vertex, rank in zip(vertices, graph.personalised(vertices, list(rows), reset), strict=True):
            standing = evidence.standing_for(graph.symbol(vertex))
            if standing is not None and standing.id not in shown:
                near[standing.id] += rank
        return sorted(near, key=lambda each: (-near[each], each))[:count]

    def _members(self, vertex: int) -> list[int]:
        return members(self._graph, vertex) if self._graph.symbol(vertex).kind in TYPE_KINDS else []

    def _links(self, ids: Sequence[str]) -> list[_Link]:
        """Return an edge, calls first, for each pair of symbols. Constructors and methods count for their type."""
        graph, among, found = self._graph, set(ids), dict[tuple[str, str], _Link]()
        for each in ids:
            symbol, vertex = graph.catalog.symbol(each), graph.vertex(each)
            if symbol.parent in among and symbol.parent is not None:
                found[symbol.parent, each] = _Link(symbol.parent, each, "CONTAINS", symbol.path, symbol.line)
            users = [v for v in self._members(vertex) if graph.symbol(v).id not in among]
            for kind in LEADING:
                rows = (graph.incident(user, "out", (kind,), RESOLVED_CONFIDENCE) for user in (vertex, *users))
                for row in chain.from_iterable(rows):
                    target = self._evidence.standing_for(graph.symbol(graph.edges.target[row]))
                    sites = graph.edge(row).sites
                    if target is not None and target.id in among and target.id != each and sites:
                        link = _Link(each, target.id, kind, sites[0].path, sites[0].line)
                        found.setdefault((each, target.id), link)
        return list(found.values())

    def _explained(
        self, placed: Sequence[str], links: Sequence[_Link], first: int, hits: Sequence[str], way: Sequence[str]
    ) -> list[Step]:
        number = {each: n for n, each in enumerate(placed, 1)}
        onward = [link for link in links if number[link.source] < number[link.target]]
        leads = grouped((link.source, link) for link in onward)
        before = grouped((link.target, link) for link in onward)
        steps = []
        for n, each in enumerate(placed, 1):
            symbol = self._graph.catalog.symbol(each)
            following = sorted(leads[each], key=lambda link: number[link.target])
            to = tuple(Lead(number[link.target], link.kind, link.path, link.line) for link in following)
            why = self._chosen_for(symbol, hits, way)
            why += self._why(symbol, sorted(before[each], key=lambda link: number[link.source]), number)
            steps.append(Step(n, symbol, self.said(symbol), tuple(why), to, "use" if n <= first else "inside"))
        return steps

    def said(self, symbol: Symbol) -> str:
        """Return a sentence about a symbol: the first one of its documentation, else its edges in words."""
        if said := first_sentence(symbol.doc):
            return said
        edges = self.edges_in_words(symbol)
        return f"No documentation: the {symbol.kind} {edges}" if edges else "No documentation"

    def edges_in_words(self, symbol: Symbol) -> str:
        """Return ``calls open and close and is called by 2 functions``, for a type what it extends and defines."""
        graph = self._graph
        vertex = graph.vertex(symbol.id)
        if symbol.kind in TYPE_KINDS:
            defined = [graph.symbol(v).name for v in self._members(vertex) if not is_constructor(graph, v)]
            facts = {"extends": self._names(symbol, ("EXTENDS", "IMPLEMENTS")), "defines": defined}
        else:
            facts = {"calls": self._names(symbol, ("CALLS",))}
        clauses = [f"{verb} {_listed(names)}" for verb, names in facts.items() if names]
        callers = len(graph.incident(vertex, "in", ("CALLS",), RESOLVED_CONFIDENCE))
        clauses += [f"is called by {plural(callers, 'function')}"] if callers else []
        return _listed(clauses) if clauses else ""

    def _names(self, symbol: Symbol, kinds: Sequence[EdgeKind]) -> list[str]:
        """Return the names of the symbols to which edges lead, types in the place of their constructors."""
        graph = self._graph
        ends = map(graph.symbol, graph.neighbours(graph.vertex(symbol.id), "out", kinds, RESOLVED_CONFIDENCE))
        named = ((self._evidence.standing_for(end) or end).name for end in ends if end.kind != "lambda")
        return list(dict.fromkeys(named))

    def _chosen_for(self, symbol: Symbol, hits: Sequence[str], way: Sequence[str]) -> list[str]:
        if symbol.id in hits:
            return [f"hit {hits.index(symbol.id) + 1} of the question"]
        if symbol.id in way:
            return ["one of the main calls" if symbol.id != way[0] else "the main calls begin here"]
        return []

    def _why(self, symbol: Symbol, before: Sequence[_Link], number: Mapping[str, int]) -> list[str]:
        evidence, reasons = self._evidence, list[str]()
        if (shown := evidence.shown.get(symbol.id)) is not None:
            reasons.append(f"{one_line(shown.path)}:{shown.line} shows it")
        if (users := evidence.users.get(symbol.id, 0)) > 0:
            reasons.append(f"{users:,} {'tests or examples use' if users > 1 else 'test or example uses'} it")
        if symbol.id in evidence.entries:
            reasons.append(evidence.entries[symbol.id])
        for verb, numbers in grouped((VERBS[link.kind], number[link.source]) for link in before).items():
            shown_verb = verb if len(numbers) == 1 else verb.removesuffix("s")
            reasons.append(f"step{'s' * (len(numbers) > 1)} {_listed(list(map(str, numbers)))} {shown_verb} it")
        if symbol.id in self._ranks:
            reasons.append(f"rank {self._ranks[symbol.id]:,} of {len(self._ranks):,} by PageRank")
        return reasons

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        values = self._evidence.importance
        return {each: n for n, each in enumerate(sorted(values, key=lambda each: (-values[each], each)), 1)}


def _listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``, at most `_NAMED` names."""
    shown = [one_line(name) for name in names[:_NAMED]]
    shown += [f"{len(names) - _NAMED} more"] * (len(names) > _NAMED)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
