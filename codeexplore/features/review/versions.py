"""The structure of two versions compared: public interface, edges, dependencies of files, hubs, cycles, dead code.

Symbols of the older version are mapped to their counterparts in the newer one, so a renamed or moved symbol is no
difference. Edges below a confidence of 0.6, edges in tests, and those from a type to its members are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Line, Row, notes
from codeexplore.answers.data import Exports, Frame, Network, Vertex, arcs_of, edge_dict, frame, symbol_dict, vertex_of
from codeexplore.answers.shown import ShownRows, place_of
from codeexplore.answers.wording import plural
from codeexplore.features.review.answers import ChangedSymbol, ChangedSymbols, heading
from codeexplore.features.review.public_interface import PublicInterface
from codeexplore.features.review.records import Comparison, Side, SymbolChange
from codeexplore.graph.external import with_externals
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.records import Cycle, DeadCandidate, Hub
from codeexplore.graph.surveys import Cycles, hubs, module_graph
from codeexplore.graph.usage.dead_code import DeadCode
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, Edge, EdgeKind, Site, Symbol
from codeexplore.types.certainty import LIKELY
from codeexplore.types.settings import RESOLVED_CONFIDENCE

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangesAnswer
    from codeexplore.workspace.workspace import Workspace

_Numbers: TypeAlias = "NDArray[np.int64]"
_HUBS = 20
_HUB_KINDS = tuple(sorted((TYPE_KINDS | CALLABLE_KINDS) - {"lambda"}))
_CYCLES: tuple[tuple[EdgeKind, float], ...] = (("IMPORTS", RESOLVED_CONFIDENCE), ("CALLS", LIKELY))
"""Kinds of cycles with the least confidence of their edges. Over weak calls, every wrapper would close a cycle."""


class TurnedDependency(NamedTuple):
    """Two files whose dependency has the opposite direction now.

    Before, `source` depended on `target` by `before` edges. Now, `target` depends on `source` by `after` edges.
    """

    source: str  # paths in the newer version
    target: str
    before: int
    after: int


class EdgeDifference(NamedTuple):
    """Edges that one version has and the other has not."""

    edges: tuple[Edge, ...]  # their symbols exist in both versions
    others: int  # number of edges of added or removed symbols


class Structure:
    """Compares the structure of two versions. Each part is computed when it is first needed.

    `root` is the folder with the manifests that declare scripts.
    """

    def __init__(self, comparison: Comparison, root: Path) -> None:
        self._comparison, self.root = comparison, root
        self._old, self._new = comparison.old, comparison.new

    @cached_property
    def interface(self) -> tuple[SymbolChange, ...]:
        """Changes of the public interface: symbols that were added or removed, or whose signature or name changed.

        Those that may break code outside are first, then those by file and line.
        """
        judge = PublicInterface(self._comparison.symbols, self._comparison.counterpart, self._old, self._new)
        found = [
            change
            for change in self._comparison.symbols
            if _concerns_users(change) and judge.includes(change) and not still_found(self._comparison, change)
        ]
        return tuple(sorted(found, key=lambda each: (not each.breaking, each.symbol.path, each.symbol.line)))

    def _now(self, symbol_id: str) -> str:
        return self._comparison.counterpart.get(symbol_id, symbol_id)

    @cached_property
    def _files(self) -> Mapping[str, str]:
        pairs = [(each.old, each.new) for each in self._comparison.symbols if each.old and each.new]
        return {old.path: new.path for old, new in pairs if old.kind == "module" and old.path != new.path}

    @cached_property
    def _rows(self) -> tuple[_Numbers, _Numbers]:
        """Row of each old and of each new symbol → row in the newer version; -1 if one version has the symbol."""
        old, new = self._old.graph.catalog, self._new.graph.catalog
        number = {symbol_id: row for row, symbol_id in enumerate(new.symbols.ids)}
        forth = np.array([number.get(self._now(each), -1) for each in old.symbols.ids], np.int64)
        here = np.full(len(new.symbols), -1, np.int64)
        both = forth[forth >= 0]
        here[both] = both
        return forth, here

    @cached_property
    def edges_added(self) -> EdgeDifference:
        """The edges that only the newer version has, in the order of its symbols."""
        forth, here = self._rows
        return _only_in(self._new.graph, here, self._old.graph, forth)

    @cached_property
    def edges_removed(self) -> EdgeDifference:
        """The edges that only the older version has, in the order of its symbols."""
        forth, here = self._rows
        return _only_in(self._old.graph, forth, self._new.graph, here)

    @cached_property
    def turned(self) -> tuple[TurnedDependency, ...]:
        """The pairs of files whose dependency has the opposite direction now, the strongest first."""
        before = {
            (self._files.get(edge.source, edge.source), self._files.get(edge.target, edge.target)): edge.count
            for edge in module_graph(self._old.graph, tests=False)[1]
        }
        after = {(edge.source, edge.target): edge.count for edge in module_graph(self._new.graph, tests=False)[1]}
        found = [
            TurnedDependency(one, other, before[one, other], after[other, one])
            for one, other in before
            if (other, one) not in before and (other, one) in after and (one, other) not in after
        ]
        return tuple(sorted(found, key=lambda each: (-each.before - each.after, each.source, each.target)))

    @cached_property
    def hubs(self) -> tuple[Hub, ...]:
        """The symbols that are among the 20 most central ones now and were not before."""
        before = {self._now(hub.symbol_id) for hub in _hubs(self._old)}
        return tuple(hub for hub in _hubs(self._new) if hub.symbol_id not in before)

    @cached_property
    def cycles(self) -> tuple[Cycle, ...]:
        """The cycles of imports and of calls that did not exist before, or have members that were not in them."""
        found: list[Cycle] = []
        for kind, minimum in _CYCLES:
            known = [
                {self._now(member) for member in cycle.members}
                for cycle in Cycles(self._old.graph, kind, minimum=minimum, tests=False).found()
            ]
            now = Cycles(self._new.graph, kind, minimum=minimum, tests=False).found()
            found += [each for each in now if not any(set(each.members) <= members for members in known)]
        return tuple(found)

    @cached_property
    def dead(self) -> tuple[DeadCandidate, ...]:
        """The symbols that nothing uses now, and that were used before or did not exist."""
        before = {self._now(each.symbol_id) for each in self._unused(self._old)}
        return tuple(each for each in self._unused(self._new) if each.symbol_id not in before)

    def _unused(self, side: Side) -> tuple[DeadCandidate, ...]:
        evidence = UsageEvidenceTable(side.graph, side.files, self.root, side.sources)
        return DeadCode(side.graph, evidence).found(("unused",))


def _concerns_users(change: SymbolChange) -> bool:
    """Return True for a change that a user of the symbol may notice before running it."""
    if change.inside and change.kind in ("removed", "renamed", "moved"):
        return False
    return bool(change.breaking) or change.kind in ("added", "removed", "renamed") or "signature" in change.aspects


def _hubs(side: Side) -> Iterable[Hub]:
    return hubs(side.graph, _HUBS, _HUB_KINDS, tests=False)


def _only_in(graph: CodeGraph, rows: _Numbers, other: CodeGraph, other_rows: _Numbers) -> EdgeDifference:
    """Return the edges of a graph that another one lacks.

    `rows` and `other_rows` have the row of each symbol in the newer version, -1 if it is not there.
    """
    wanted, keys, shared = _keys(graph, rows)
    missing = shared & ~np.isin(keys, _keys(other, other_rows)[1])
    return EdgeDifference(tuple(graph.edge(int(row)) for row in wanted[missing]), int((~shared).sum()))


def _keys(graph: CodeGraph, rows: _Numbers) -> tuple[_Numbers, _Numbers, NDArray[np.bool_]]:
    """Return the rows of the edges that count, a number for each, and True where both versions have the symbols.

    The number is the same for the same edge in the other version; -1 if that lacks a symbol.
    """
    edges = graph.edges
    confidence, in_test, kind = (np.asarray(each) for each in (edges.confidence, edges.in_test, edges.kind))
    inside = kind == EDGE_KINDS.index("CONTAINS")
    wanted = np.flatnonzero((confidence >= RESOLVED_CONFIDENCE - 1e-6) & (in_test == 0) & ~inside)
    source, target = (rows[np.asarray(each, np.int64)[wanted]] for each in (edges.source, edges.target))
    shared = (source >= 0) & (target >= 0)
    return wanted, np.where(shared, (source << 36) | (target << 4) | kind.astype(np.int64)[wanted], -1), shared


assert len(EDGE_KINDS) <= 16, "an edge kind has 4 bits in a key"
_BRIEF = 12


@dataclass(frozen=True, repr=False)
class VersionsAnswer(ChangedSymbols, Exports):
    """Two versions compared: a sequence of the changes of the public interface, those that may break code first.

    `changes` has every symbol that differs, with its source before and after. `structure` has the edges, dependencies,
    hubs, cycles and dead code that differ; its parts are computed when they are first needed.
    """

    changes: ChangesAnswer
    structure: Structure = field(repr=False, compare=False)
    _columns = ("change", "symbol", "kind", "path", "line", "breaking")

    @cached_property
    def items(self) -> tuple[ChangedSymbol, ...]:  # type: ignore[override]  # it is made
        wanted = {(each.kind, each.symbol.id) for each in self.structure.interface}
        return tuple(each for each in self.changes if (each.change.kind, each.symbol.id) in wanted)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.changes.notes

    @property
    def headline(self) -> str:
        old, new = self.changes.comparison.old.label, self.changes.comparison.new.label
        if not len(self):
            return f"The public interface is the same in {old} and {new}"
        broken = f"; {len(self.breaking)} may break code that uses them" if self.breaking else ""
        return f"{plural(len(self), 'public symbol')} changed from {old} to {new}: {self.counts()}{broken}"

    def uses_in(self, workspace: Workspace) -> AffectedUsesAnswer:
        """List what changed and is used by other code: the answer for someone who upgrades a library.

        `workspace` is that of the code that uses the older version. Its uses of outside names are looked up in the
        older version, as they are imported: ``flask.Flask`` means ``flask.app.Flask``. Raises GraphUnresolved if the
        graph of the workspace could not be made.
        """
        compared = self.changes.comparison
        found = affected_uses(compared, workspace.graph)
        return AffectedUsesAnswer(found, workspace.name, compared.old.label, compared.new.label)

    def network(self) -> Network:
        """The edges that were added and removed, with their symbols. The group of a vertex tells the version."""
        added, removed = self.structure.edges_added.edges, self.structure.edges_removed.edges
        old, new = self.changes.comparison.old.catalog, self.changes.comparison.new.catalog
        vertices: dict[str, Vertex] = {}
        for catalog, edges, group in ((new, added, "added"), (old, removed, "removed")):
            for symbol_id in dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)):
                vertices.setdefault(symbol_id, vertex_of(catalog.symbol(symbol_id), group=group))
        every = tuple(vertices.values())
        return Network(self.headline, every, (*arcs_of(added, every), *arcs_of(removed, every, certain=False)))

    def to_dict(self) -> dict[str, object]:
        made = self.structure
        return {
            **heading("versions", self.headline),
            **self.changes.comparison.labels(),
            "interface": [each.to_dict() for each in self.items],
            "edges_added": _edges_dict(made.edges_added),
            "edges_removed": _edges_dict(made.edges_removed),
            "turned": [each._asdict() for each in made.turned],
            "hubs": [symbol_dict(self._symbol(hub.symbol_id)) | {"score": hub.score} for hub in made.hubs],
            "cycles": [{"kind": each.kind, "members": list(each.members)} for each in made.cycles],
            "dead": [symbol_dict(self._symbol(each.symbol_id)) for each in made.dead],
            "notes": list(self.notes),
        }

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline), *self._table("Public interface, breaking changes first")]
        made = self.structure
        lists: tuple[tuple[str, list[Line], str], ...] = (
            ("dependencies that turned", list(map(_turned_line, made.turned)), "structure.turned"),
            ("new cycles", list(map(self._cycle_line, made.cycles)), "structure.cycles"),
            ("new among the most central symbols", [self._line(hub.symbol_id) for hub in made.hubs], "structure.hubs"),
            ("no longer used", [self._line(each.symbol_id) for each in made.dead], "structure.dead"),
        )
        for title, lines, attribute in lists:
            if lines:
                shown.append(b.Items(b.Words(f"{title}: {len(lines)}"), lines, attribute, brief=_BRIEF))
        for word, difference in (("added", made.edges_added), ("removed", made.edges_removed)):
            shown += self._edges(word, difference)
        return [*shown, *notes(self.notes)]

    def _edges(self, word: str, difference: EdgeDifference) -> list[Block]:
        side = self.changes.comparison.new if word == "added" else self.changes.comparison.old
        lines: list[Line] = []
        for edge in difference.edges:
            source, target = side.catalog.symbol(edge.source), side.catalog.symbol(edge.target)
            lines.append((source, " → ", target, "  ", b.Tint("edge", edge.kind, edge.kind.lower())))
        others = f"; {difference.others:,} more are of {word} symbols" if difference.others else ""
        title = b.Words(f"edges {word} between symbols of both versions: {len(lines):,}{others}")
        return [b.Items(title, lines, f"structure.edges_{word}", brief=_BRIEF)] if lines or others else []

    def _symbol(self, symbol_id: str) -> Symbol:
        return self.changes.comparison.new.catalog.symbol(symbol_id)

    def _line(self, symbol_id: str) -> Line:
        symbol = self._symbol(symbol_id)
        return (symbol, "  ", place_of(symbol))

    def _cycle_line(self, cycle: Cycle) -> Line:
        names = [self._symbol(member).fqn for member in cycle.path.symbol_ids]
        kind = "imports" if cycle.kind == "IMPORTS" else "calls"
        return (b.Words(f"{kind}, {plural(len(cycle.members), 'symbol')}: "), " → ".join(names))


def _turned_line(turned: TurnedDependency) -> Line:
    counts = f"  {plural(turned.after, 'edge')} now; before, {plural(turned.before, 'edge')} the other way"
    return turned.target, " → ", turned.source, b.Piece(counts, "dim")


def _edges_dict(difference: EdgeDifference) -> dict[str, object]:
    return {"edges": [edge_dict(edge) for edge in difference.edges], "others": difference.others}


@dataclass(frozen=True, repr=False)
class AffectedUsesAnswer(ShownRows["AffectedUse"]):
    """The changed symbols of a library that other code uses: a sequence of `AffectedUse`, breaking changes first."""

    items: tuple[AffectedUse, ...]
    user: str  # name of the workspace whose code uses the library
    old: str
    new: str

    @property
    def breaking(self) -> tuple[AffectedUse, ...]:
        return tuple(each for each in self.items if each.change.breaking)

    @property
    def headline(self) -> str:
        if not self.items:
            return f"{self.user} uses nothing that changed from {self.old} to {self.new}"
        places = sum(len(edge.sites) for each in self.items for edge in each.edges)
        broken = f"; {len(self.breaking)} may break it" if self.breaking else ""
        return (
            f"{self.user} uses {plural(len(self.items), 'symbol')} that changed from {self.old} to {self.new}, "
            f"at {plural(places, 'place')}{broken}"
        )

    def to_dict(self) -> dict[str, object]:
        items = []
        for each in self.items:
            change = {"symbol": symbol_dict(each.change.symbol), "change": each.change.kind}
            what = {"aspects": list(each.change.aspects), "breaking": list(each.change.breaking)}
            users, edges = [symbol_dict(user) for user in each.users], [edge_dict(edge) for edge in each.edges]
            items.append({**change, **what, "names": list(each.names), "users": users, "edges": edges})
        return {**heading("affected uses", self.headline), "items": items}

    def to_frame(self) -> Frame:
        rows = []
        for each in self.items:
            change = {"symbol": each.change.symbol.fqn, "change": each.change.kind, "name": ", ".join(each.names)}
            for user in each.users:
                sites = [f"{site.path}:{site.line}" for site in _sites(each.edges, user)]
                rows.append({**change, "breaking": list(each.change.breaking), "user": user.fqn, "sites": sites})
        return frame(("symbol", "change", "breaking", "name", "user", "sites"), rows)

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline)]
        rows = []
        for each in self.items:
            what = ", ".join(each.change.aspects) if each.change.kind == "changed" else each.change.kind
            below: list[Line] = [(b.Piece("may break: ", "dim"), clause) for clause in each.change.breaking]
            for user in each.users:
                sites = _sites(each.edges, user)
                below.append((user, "  ", *(part for site in sites[:4] for part in (site, " "))))
            rows.append(Row((", ".join(each.names), b.Words(what), each.change.symbol.fqn), tuple(below)))
        if rows:
            shown.append(b.Table("Breaking changes first", ("name in your code", "change", "symbol"), rows, "spaced"))
        return shown


def _sites(edges: Iterable[Edge], user: Symbol) -> list[Site]:
    return list(dict.fromkeys(site for edge in edges if edge.source == user.id for site in edge.sites))


class AffectedUse(NamedTuple):
    """A change of a library, and the places of other code that use what changed."""

    change: SymbolChange
    names: tuple[str, ...]  # as the code spells them: "flask.Flask.run"
    users: tuple[Symbol, ...]  # symbols of the code that use these names, by file and line
    edges: tuple[Edge, ...]  # from the users to the names, with their sites


def affected_uses(comparison: Comparison, graph: CodeGraph) -> tuple[AffectedUse, ...]:
    """Return the changes of a library that another repository uses, breaking ones first, then by file and line.

    The outside names of the other repository's graph are looked up in the older version.
    """
    changes = {
        each.old.id: each
        for each in comparison.symbols
        if each.old is not None and each.is_code and not still_found(comparison, each)
    }
    sought = {change.old.name for change in changes.values() if change.old is not None}
    extended = with_externals(graph)
    names: dict[str, dict[str, None]] = defaultdict(dict)
    edges: dict[str, list[Edge]] = defaultdict(list)
    for name in graph.externals.names():
        plain = plain_name(name)
        if plain.rpartition(".")[2] not in sought:
            continue
        for symbol in comparison.old.catalog.meant(plain):
            if symbol.id in changes and not name.endswith("()"):
                names[symbol.id][plain] = None
                vertex = extended.vertex(f"external:{name}")
                edges[symbol.id] += [extended.edge(row) for row in extended.incident(vertex, "in")]
    found = []
    for each, spelled in names.items():
        users = {edge.source: extended.catalog.symbol(edge.source) for edge in edges[each]}
        ordered = sorted(users.values(), key=lambda symbol: (symbol.path, symbol.line))
        found.append(AffectedUse(changes[each], tuple(spelled), tuple(ordered), tuple(edges[each])))
    return tuple(
        sorted(found, key=lambda use: (not use.change.breaking, use.change.symbol.path, use.change.symbol.line))
    )


def still_found(comparison: Comparison, change: SymbolChange) -> bool:
    """Return True if the old name of a removed or moved symbol is still right: a member moved to a supertype."""
    if change.kind not in ("removed", "moved") or change.old is None or "signature" in change.aspects:
        return False
    return bool(comparison.new.catalog.meant(change.old.fqn))


def plain_name(name: str) -> str:
    """Return the qualified name that an access path of outside code means.

    >>> plain_name("json.JSONDecoder().decode")
    'json.JSONDecoder.decode'
    """
    return name.replace("()", "").replace("[0]", "").replace("::", ".")
