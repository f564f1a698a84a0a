"""Answers about the whole graph: cycles, hubs, modules, communities, entry points and dead code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from codeexplore.answers.blocks import Row
from codeexplore.answers.data import Arc, Exports, Network, Vertex, arcs_of, edge_dict, symbol_dict, vertex_of
from codeexplore.answers.shown import Listing, T, place_of
from codeexplore.answers.wording import edge_words, plural
from codeexplore.graph.records import (
    Community,
    Cycle,
    DeadCandidate,
    DeadKind,
    Entry,
    Hub,
    ModuleEdge,
    ModuleNode,
)
from codeexplore.index.qualified_names import last_two
from codeexplore.text.enumeration import shortened
from codeexplore.types import CallPath, Symbol

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog

# in "12 with no sign of use"
_SAID: dict[DeadKind, str] = {
    "unused": "with no sign of use",
    "dynamic": "that dynamic code may reach",
    "registered": "that a decorator may register",
    "exported": "that code outside this repository may use",
    "mentioned": "whose name is used somewhere",
}


@dataclass(frozen=True, slots=True, repr=False)
class _Survey(Listing[T]):
    """Records about the symbols of a repository."""

    items: tuple[T, ...]
    catalog: Catalog = field(repr=False, compare=False)
    pending: str = ""


C = TypeVar("C", DeadCandidate, Entry)


class _SymbolsByKind(_Survey[C]):
    """Symbols of the repository, each with a kind and what is known about it."""

    __slots__ = ()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(self.catalog.symbol(item.symbol_id) for item in self.items)

    def only(self, *kinds: str) -> Self:
        """Return the items of the given kinds: ``answer.only("unused")``, ``answer.only("script", "main")``."""
        kept: Any = tuple(item for item in self.items if item.kind in kinds)  # a C, which mypy takes for any T here
        return replace(self, items=kept)


@dataclass(frozen=True, slots=True, repr=False)
class DeadCodeAnswer(_SymbolsByKind[DeadCandidate]):
    """Candidates for dead code, each with its reasons. Only candidates of the kind ``unused`` have no sign of use.

    `mentioned` counts those that are not listed because their names are used where they may be meant. `left_out` names
    the kinds of files whose definitions are no candidates: tests, vendored code.
    """

    mentioned: int = 0
    left_out: tuple[str, ...] = ()
    columns: ClassVar = ("status", "symbol", "kind", "where", "lines")

    @property
    def headline(self) -> str:
        """``3 functions and types without a known use: 1 with no sign of use, 2 that code outside … may use``."""
        counted = Counter(item.kind for item in self.items)
        parts = [f"{counted[kind]} {said}" for kind, said in _SAID.items() if counted[kind]]
        noun = "1 function or type" if len(self.items) == 1 else f"{len(self.items):,} functions and types"
        said = f"{noun} without a known use: {', '.join(parts)}" if parts else "No unused function or type was found"
        said += (
            f"; {self.mentioned} more of the kind `mentioned`, whose names are used elsewhere" if self.mentioned else ""
        )
        return f"{said}; symbols in {' and '.join(self.left_out)} are left out" if self.left_out else said

    def row(self, item: DeadCandidate, number: int) -> Row:  # noqa: ARG002 - they are grouped, not numbered
        symbol = self.catalog.symbol(item.symbol_id)
        return Row((item.kind, symbol, symbol.kind, place_of(symbol), str(item.lines)), item.reasons)

    def record(self, item: DeadCandidate) -> dict[str, object]:
        symbol = symbol_dict(self.catalog.symbol(item.symbol_id))
        return {**symbol, "status": item.kind, "lines": item.lines, "reasons": list(item.reasons)}


class EntryPointsAnswer(_SymbolsByKind[Entry]):
    """The entry points of a program, each with its evidence."""

    __slots__ = ()
    columns: ClassVar = ("entry", "symbol", "kind", "where")

    @property
    def headline(self) -> str:
        """``4 entry points: main 1, module 3``."""
        counted = Counter(item.kind for item in self.items)
        said = ", ".join(f"{kind} {count}" for kind, count in counted.items())
        apart = sum(self.catalog.roles.of(each.path) in ("test", "example", "benchmark") for each in self.symbols)
        said += f"; {apart:,} in tests and examples" if apart else ""
        return f"{plural(len(self.items), 'entry point')}: {said}" if self.items else "No entry point was found"

    def row(self, item: Entry, number: int) -> Row:  # noqa: ARG002 - they are grouped, not numbered
        symbol = self.catalog.symbol(item.symbol_id)
        return Row((item.kind, symbol, symbol.kind, place_of(symbol)), (item.reason,))

    def record(self, item: Entry) -> dict[str, object]:
        return {**symbol_dict(self.catalog.symbol(item.symbol_id)), "entry": item.kind, "reason": item.reason}


_MOST_OTHERS = 8  # named below a row


def _names(symbols: list[Symbol]) -> str:
    """Return the last two parts of each symbol's name, or the path of a module, joined by commas."""
    return shortened([named(symbol) for symbol in symbols], _MOST_OTHERS)


def named(symbol: Symbol) -> str:
    """Return the last two parts of a name; of a module its path, since files of a package share its name."""
    return symbol.path if symbol.kind == "module" else last_two(symbol.fqn)


@dataclass(frozen=True, slots=True, repr=False)
class CyclesAnswer(_Survey[Cycle], Exports):
    """The cycles of the graph, the largest first. Functions that only call themselves are in `recursive`."""

    columns: ClassVar = ("#", "symbols", "from", "where")

    of: str = "calls"  # or "imports"
    recursive: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """``2 cycles of calls; 3 functions call themselves``."""
        count = len(self.items)
        said = f"{count or 'No'} cycle{'' if count == 1 else 's'} of {self.of}"
        if count and self.of == "imports":
            said += f" among {plural(sum(len(item.members) for item in self.items), 'file')}"
        own = len(self.recursive)
        return said + (f"; {own} function{' calls itself' if own == 1 else 's call themselves'}" if own else "")

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the functions that only call themselves, and further notices."""
        own = [self.catalog.symbol(symbol_id) for symbol_id in self.recursive]
        said = (self.pending,) if self.pending else ()
        return (f"Calling themselves: {_names(own)}", *said) if own else said

    def symbols(self, path: CallPath) -> tuple[Symbol, ...]:
        """Return the symbols along a cycle. The last symbol is the first symbol again."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in path.symbol_ids)

    def row(self, item: Cycle, number: int) -> Row:
        way = self.symbols(item.path)
        steps = tuple(
            f"→ {symbol.fqn}  {edge_words(edge)}" for symbol, edge in zip(way[1:], item.path.edges, strict=True)
        )
        others = [self.catalog.symbol(each) for each in item.members if each not in item.path.symbol_ids]
        also = (f"also in it: {_names(others)}",) if others else ()
        return Row((str(number), str(len(item.members)), way[0], place_of(way[0])), (*steps, *also))

    def record(self, item: Cycle) -> dict[str, object]:
        return {
            "size": len(item.members),
            "members": list(item.members),
            "cycle": list(item.path.symbol_ids),
            "edges": [edge_dict(edge) for edge in item.path.edges],
        }

    def network(self) -> Network:
        """Return the members of all cycles, and the steps of one cycle of each."""
        vertices = tuple(
            vertex_of(self.catalog.symbol(each), seed=each == cycle.members[0], group=f"cycle {number}")
            for number, cycle in enumerate(self.items, 1)
            for each in cycle.members
        )
        edges = [edge for cycle in self.items for edge in cycle.path.edges]
        if self.of == "imports":  # an import of a symbol is one of its module
            steps = [(c.path.symbol_ids[i : i + 2], e) for c in self.items for i, e in enumerate(c.path.edges)]
            position = {vertex.id: number for number, vertex in enumerate(vertices)}
            arcs = [Arc(position[a], position[b], e.kind, e.manner, e.rule, e.confidence) for (a, b), e in steps]
            return Network(self.headline, vertices, tuple(arcs))
        return Network(self.headline, vertices, tuple(arcs_of(edges, vertices)))


class HubsAnswer(_Survey[Hub]):
    """The most central symbols, by PageRank."""

    __slots__ = ()
    columns: ClassVar = ("#", "symbol", "kind", "where", "score", "callers", "users", "files")

    @property
    def headline(self) -> str:
        """``The 20 most central symbols``."""
        count = len(self.items)
        if not count:
            return "No symbol is used by another"
        return "The most central symbol" if count == 1 else f"The {count:,} most central symbols"

    def row(self, item: Hub, number: int) -> Row:
        symbol = self.catalog.symbol(item.symbol_id)
        counts = (f"{item.score:.2f}", str(item.callers), str(item.users), str(item.files))
        return Row((str(number), symbol, symbol.kind, place_of(symbol), *counts))

    def record(self, item: Hub) -> dict[str, object]:
        counts = {"score": item.score, "callers": item.callers, "users": item.users, "files": item.files}
        return {**symbol_dict(self.catalog.symbol(item.symbol_id)), **counts}


@dataclass(frozen=True, slots=True, repr=False)
class ModulesAnswer(_Survey[ModuleEdge], Exports):
    """The dependencies between files or folders, the strongest first.

    All resolved edges of a pair are one dependency.
    """

    columns: ClassVar = ("from", "to", "edges", "kinds")

    nodes: tuple[ModuleNode, ...] = ()
    level: str = "file"

    @property
    def headline(self) -> str:
        """``8 folders, 15 dependencies between them``."""
        noun = "file" if self.level == "file" else "folder"
        said = f"{len(self.items):,} dependenc{'y' if len(self.items) == 1 else 'ies'} between them"
        return f"{plural(len(self.nodes), noun)}, {said}" if self.nodes else f"No {noun} depends on another"

    def row(self, item: ModuleEdge, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        kinds = ", ".join(f"{kind} {count}" for kind, count in item.kinds.items())
        return Row((item.source, item.target, str(item.count), kinds))

    def record(self, item: ModuleEdge) -> dict[str, object]:
        return {"source": item.source, "target": item.target, "count": item.count, "kinds": dict(item.kinds)}

    def network(self) -> Network:
        """Return the modules, and one arc for each dependency. `count` is its number of edges."""
        vertices = tuple(Vertex(node.path, node.path, self.level, node.path) for node in self.nodes)
        position = {node.path: number for number, node in enumerate(self.nodes)}
        arcs = tuple(
            Arc(position[edge.source], position[edge.target], "DEPENDS", count=edge.count) for edge in self.items
        )
        return Network(self.headline, vertices, arcs)


class CommunitiesAnswer(_Survey[Community]):
    """Groups of symbols that have more edges to each other than to other symbols, the largest first."""

    __slots__ = ()
    columns: ClassVar = ("#", "around", "members", "inside", "folders")

    @property
    def headline(self) -> str:
        """``12 communities of 340 symbols``."""
        members = sum(len(item.members) for item in self.items)
        count = len(self.items)
        return f"{count or 'No'} communit{'y' if count == 1 else 'ies'}" + (
            f" of {plural(members, 'symbol')}" if count else ""
        )

    def row(self, item: Community, number: int) -> Row:
        """Return a community as a row. `inside` is the share of the weight of its edges that stays inside it."""
        folders = ", ".join(f"{folder} {count}" for folder, count in list(item.folders.items())[:3])
        symbols = [self.catalog.symbol(symbol_id) for symbol_id in item.members]
        return Row((str(number), item.name, str(len(item.members)), f"{item.inside:.0%}", folders), (_names(symbols),))

    def record(self, item: Community) -> dict[str, object]:
        return {
            "name": item.name,
            "size": len(item.members),
            "inside": item.inside,
            "central": list(item.central),
            "folders": dict(item.folders),
            "members": list(item.members),
        }

    def of(self, symbol: Symbol | str) -> Community | None:
        """Return the community to which a symbol (or its id) belongs; None if no listed community contains it."""
        wanted = symbol if isinstance(symbol, str) else symbol.id
        return next((item for item in self.items if wanted in item.members), None)
