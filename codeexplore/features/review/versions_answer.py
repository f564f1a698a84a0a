"""Answers about two versions: the public interface, the structure, and what other code uses of what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Line, Row, notes
from codeexplore.answers.data import edge_dict, symbol_dict
from codeexplore.answers.exports import Exports
from codeexplore.answers.network import Network, Vertex, arcs_of, vertex_of
from codeexplore.answers.shown import ShownRows, place_of
from codeexplore.answers.wording import plural
from codeexplore.features.review.changed_symbol import ChangedSymbol, ChangedSymbols
from codeexplore.types import SCHEMA_VERSION, Edge, Site, Symbol

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.features.review.affected_uses import AffectedUse
    from codeexplore.features.review.answers import ChangesAnswer
    from codeexplore.features.review.versions import EdgeDifference, Structure
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.records import Cycle

_BRIEF = 12


class HasGraph(Protocol):
    """A workspace, as far as `VersionsAnswer.uses_in` needs it."""

    @property
    def name(self) -> str:
        """The name in displays."""

    @property
    def graph(self) -> CodeGraph:
        """The graph of symbols."""


@dataclass(frozen=True, repr=False)
class VersionsAnswer(ChangedSymbols, Exports):
    """Two versions compared: a sequence of the changes of the public interface, those that may break code first.

    `changes` has every symbol that differs, with its source before and after. `structure` has the edges, dependencies,
    hubs, cycles and dead code that differ; its parts are computed when they are first needed.
    """

    changes: ChangesAnswer
    structure: Structure = field(repr=False, compare=False)

    @cached_property
    def items(self) -> tuple[ChangedSymbol, ...]:
        """The changes of the public interface, in order."""
        wanted = {(each.kind, each.symbol.id) for each in self.structure.interface}
        return tuple(each for each in self.changes if (each.change.kind, each.symbol.id) in wanted)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notices about the answer, in sentences."""
        return self.changes.notes

    @property
    def headline(self) -> str:
        """The answer in one line."""
        old, new = self.changes.comparison.old.label, self.changes.comparison.new.label
        if not len(self):
            return f"The public interface is the same in {old} and {new}"
        broken = f"; {len(self.breaking)} may break code that uses them" if self.breaking else ""
        return f"{plural(len(self), 'public symbol')} changed from {old} to {new}: {self.counts()}{broken}"

    def uses_in(self, workspace: HasGraph) -> AffectedUsesAnswer:
        """List what changed and is used by other code: the answer for someone who upgrades a library.

        Parameters
        ----------
        workspace
            The workspace of the code that uses the older version. Its uses of outside names are looked up in the older
            version, as they are imported: ``flask.Flask`` means ``flask.app.Flask``.

        Raises
        ------
        GraphUnresolved
            The graph of the workspace could not be made.
        """
        from codeexplore.features.review.affected_uses import affected_uses

        found = affected_uses(self.changes.comparison, workspace.graph)
        return AffectedUsesAnswer(
            found, workspace.name, self.changes.comparison.old.label, self.changes.comparison.new.label
        )

    # ----------------------------------------------------------------- other forms

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
        """The answer as plain data for JSON. `schema` names its format."""
        made = self.structure
        return {
            "schema": SCHEMA_VERSION, "kind": "versions", "headline": self.headline,
            "base": self.changes.comparison.old.label, "target": self.changes.comparison.new.label,
            "interface": [each.to_dict() for each in self.items],
            "edges_added": _edges_dict(made.edges_added), "edges_removed": _edges_dict(made.edges_removed),
            "turned": [each._asdict() for each in made.turned],
            "hubs": [symbol_dict(self._symbol(hub.symbol_id)) | {"score": hub.score} for hub in made.hubs],
            "cycles": [{"kind": each.kind, "members": list(each.members)} for each in made.cycles],
            "dead": [symbol_dict(self._symbol(each.symbol_id)) for each in made.dead],
            "notes": list(self.notes),
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each change of the interface. Raises ImportError without pandas."""
        from codeexplore.answers.data import frame

        rows: list[dict[str, object]] = [
            {
                "change": each.kind, "symbol": each.symbol.fqn, "kind": each.symbol.kind, "path": each.symbol.path,
                "line": each.symbol.line, "breaking": list(each.breaking),
            }
            for each in self.items
        ]  # fmt: skip
        return frame(("change", "symbol", "kind", "path", "line", "breaking"), rows)

    def blocks(self) -> list[Block]:
        """The public interface by file, then dependencies, cycles, hubs, dead code and edges that differ."""
        shown: list[Block] = [b.Heading(self.headline)]
        rows = [
            Row(
                (
                    each.symbol.path, b.Words(each.kind), each.symbol, b.Words(each.symbol.kind),
                    b.Place(each.symbol.path, each.symbol.line), each.what,
                ),
                tuple((b.Piece("may break: ", "dim"), clause) for clause in each.breaking),
                (each.difference(aside=True),),
            )
            for each in self.items
        ]  # fmt: skip
        if rows:
            columns = ("file", "change", "symbol", "kind", "where", "what differs")
            shown.append(b.Table("Public interface, breaking changes first", columns, rows, "grouped"))
        made = self.structure
        lists: tuple[tuple[str, list[Line], str], ...] = (
            ("dependencies that turned", [_turned_line(*each) for each in made.turned], "structure.turned"),
            ("new cycles", [self._cycle_line(each) for each in made.cycles], "structure.cycles"),
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
        lines: list[Line] = [
            (side.catalog.symbol(edge.source), " → ", side.catalog.symbol(edge.target),
             "  ", b.Tint("edge", edge.kind, edge.kind.lower()))
            for edge in difference.edges
        ]  # fmt: skip
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


def _turned_line(source: str, target: str, before: int, after: int) -> Line:
    return (
        target, " → ", source,
        b.Piece(f"  {plural(after, 'edge')} now; before, {plural(before, 'edge')} the other way", "dim"),
    )  # fmt: skip


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
    def _records(self) -> Sequence[AffectedUse]:
        return self.items

    @property
    def breaking(self) -> tuple[AffectedUse, ...]:
        """The uses of symbols whose change may break code."""
        return tuple(each for each in self.items if each.change.breaking)

    @property
    def headline(self) -> str:
        """The answer in one line."""
        if not self.items:
            return f"{self.user} uses nothing that changed from {self.old} to {self.new}"
        places = sum(len(edge.sites) for each in self.items for edge in each.edges)
        broken = f"; {len(self.breaking)} may break it" if self.breaking else ""
        return (
            f"{self.user} uses {plural(len(self.items), 'symbol')} that changed from {self.old} to {self.new}, "
            f"at {plural(places, 'place')}{broken}"
        )

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` names its format."""
        items = [
            {
                "symbol": symbol_dict(each.change.symbol), "change": each.change.kind,
                "aspects": list(each.change.aspects), "breaking": list(each.change.breaking), "names": list(each.names),
                "users": [symbol_dict(user) for user in each.users], "edges": [edge_dict(edge) for edge in each.edges],
            }
            for each in self.items
        ]  # fmt: skip
        return {"schema": SCHEMA_VERSION, "kind": "affected uses", "headline": self.headline, "items": items}

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each user of each symbol. Raises ImportError without pandas."""
        from codeexplore.answers.data import frame

        rows: list[dict[str, object]] = [
            {
                "symbol": each.change.symbol.fqn, "change": each.change.kind, "breaking": list(each.change.breaking),
                "name": ", ".join(each.names), "user": user.fqn,
                "sites": [f"{site.path}:{site.line}" for site in _sites(each.edges, user)],
            }
            for each in self.items
            for user in each.users
        ]  # fmt: skip
        return frame(("symbol", "change", "breaking", "name", "user", "sites"), rows)

    def blocks(self) -> list[Block]:
        """The headline, and a table of the symbols with the places that use them."""
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
