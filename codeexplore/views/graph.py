"""Answers of the graph: what a traversal reached, and the paths between two symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from codeexplore.types import SCHEMA_VERSION, CallPath, Edge, Reached, Subgraph, Symbol, Unresolved

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.catalog import Catalog

_COLUMNS = ("depth", "symbol", "kind", "path", "line", "via", "edge", "rule", "confidence", "sites")

# relation → (one, several) in "3 callers of X"
_NOUNS = {
    "callers": ("caller of", "callers of"),
    "callees": ("symbol called by", "symbols called by"),
    "implementors": ("implementor of", "implementors of"),
    "subclasses": ("subclass of", "subclasses of"),
    "uses": ("use of", "uses of"),
    "imports": ("import of", "imports of"),
    "impact": ("symbol reached by a change to", "symbols reached by a change to"),
}


@dataclass(frozen=True, slots=True, repr=False)
class GraphAnswer(Sequence[Symbol]):
    """What a traversal reached: a sequence of the symbols beyond the seeds, by depth, then confidence."""

    subgraph: Subgraph
    catalog: Catalog = field(repr=False, compare=False)

    @property
    def seeds(self) -> tuple[Symbol, ...]:
        """Where the traversal started."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in self.subgraph.seeds)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The reached symbols without the seeds, in order."""
        return tuple(self.catalog.symbol(reached.symbol_id) for reached in self.reached)

    @property
    def reached(self) -> tuple[Reached, ...]:
        """Depth, way and confidence of each of `symbols`."""
        seeds = set(self.subgraph.seeds)
        return tuple(reached for reached in self.subgraph.reached if reached.symbol_id not in seeds)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The resolved edges among seeds and symbols."""
        return self.subgraph.edges

    @property
    def possible(self) -> tuple[Edge, ...]:
        """Edges by name alone: some may be wrong, so they never count as resolved."""
        return self.subgraph.possible

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """References that share a seed's name and resolve to nothing."""
        return self.subgraph.unresolved

    @property
    def absence(self) -> str:
        """What an empty answer means, in words; "" when there is something."""
        return self.subgraph.absence

    @property
    def headline(self) -> str:
        """The answer in one line: ``3 callers of app.session.validate``."""
        count = len(self)
        one, several = _NOUNS.get(self.subgraph.relation, ("symbol around", "symbols around"))
        seeds = ", ".join(symbol.fqn for symbol in self.seeds[:3]) + (" …" if len(self.seeds) > 3 else "")
        return f"{count or 'No'} {one if count == 1 else several} {seeds}"

    def edges_to_seeds(self, reached: Reached) -> tuple[Edge, ...]:
        """The edges by which a symbol was reached, the strongest first.

        Those that join it with `via` or the constructor that stands for it, else those that join it with a member of
        what is nearer to the seeds. A USES edge that another one explains (a call uses the name of what it calls) is
        left out.
        """
        own = reached.symbol_id
        touching = [edge for edge in self.edges if own in (edge.source, edge.target) and edge.source != edge.target]
        via = reached.via
        joining = [edge for edge in touching if via in (edge.source, edge.target) or self._makes(edge, via)]
        if not joining:
            depth_of = self._depths()
            joining = [e for e in touching if depth_of(e.target if e.source == own else e.source) < reached.depth]
        called = {site for edge in joining if edge.kind != "USES" for site in edge.sites}
        telling = [edge for edge in joining if edge.kind != "USES" or not called.issuperset(edge.sites)]
        return tuple(sorted(telling, key=lambda edge: -edge.confidence))

    def _makes(self, edge: Edge, owner: str | None) -> bool:
        """Whether an edge makes an instance of a type by calling its constructor."""
        return owner is not None and edge.manner == "new" and self.catalog.symbol(edge.target).parent == owner

    def _depths(self) -> Callable[[str], int]:
        """Distance from the seeds; a member that was not itself reached stands as near as its nearest owner."""
        depths = {each.symbol_id: each.depth for each in self.subgraph.reached}

        def depth_of(symbol_id: str) -> int:
            current: str | None = symbol_id
            while current is not None and current not in depths:
                current = self.catalog.symbol(current).parent
            return 0 if current is None else depths[current]

        return depth_of

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` tells how to read it."""
        depth_of = {reached.symbol_id: reached for reached in self.subgraph.reached}
        return {
            "schema": SCHEMA_VERSION,
            "kind": "subgraph",
            "relation": self.subgraph.relation,
            "seeds": list(self.subgraph.seeds),
            "symbols": [
                _symbol_dict(symbol) | {"depth": depth_of[symbol.id].depth, "via": depth_of[symbol.id].via}
                for symbol in (*self.seeds, *self.symbols)
                if symbol.id in depth_of
            ],
            "edges": [_edge_dict(edge) for edge in self.edges],
            "possible": [_edge_dict(edge) for edge in self.possible],
            "unresolved": [
                {"source": u.source, "name": u.name, "receiver": u.receiver, "kind": u.kind, "site": u.site._asdict()}
                for u in self.unresolved
            ],
            "absence": self.absence,
            "cut": self.subgraph.cut,
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per symbol: depth, symbol, kind, path, line, via, edge, rule, confidence, sites.

        `possible` edges are not in it. Raises ImportError without pandas.
        """
        from codeexplore.views.tables import frame

        rows: list[dict[str, object]] = []
        for symbol, reached in zip(self.symbols, self.reached, strict=True):
            edges = self.edges_to_seeds(reached)
            rows.append(
                {
                    "depth": reached.depth,
                    "symbol": symbol.fqn,
                    "kind": symbol.kind,
                    "path": symbol.path,
                    "line": symbol.line,
                    "via": None if reached.via is None else self.catalog.symbol(reached.via).fqn,
                    "edge": edges[0].kind if edges else None,
                    "rule": edges[0].rule if edges else None,
                    "confidence": reached.confidence,
                    "sites": [f"{site.path}:{site.line}" for edge in edges for site in edge.sites],
                }
            )
        return frame(_COLUMNS, rows)

    def to_markdown(self) -> str:
        """The answer as Markdown: a table by depth, then what is only possible by name."""
        from codeexplore.views.markdown import graph_markdown

        return graph_markdown(self)

    @overload
    def __getitem__(self, index: int) -> Symbol: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Symbol, ...]: ...
    def __getitem__(self, index: int | slice) -> Symbol | tuple[Symbol, ...]:
        return self.symbols[index]

    def __len__(self) -> int:
        return len(self.reached)

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self.symbols)

    def __repr__(self) -> str:
        from codeexplore.views.text import graph_text

        return graph_text(self)


@dataclass(frozen=True, slots=True, repr=False)
class PathsAnswer(Sequence[CallPath]):
    """Ways between two symbols, shortest first. Empty with `absence` saying what that means.

    When no calls lead from source to target, the paths are those of calls from target to source, else one over edges of
    any kind and direction; `headline` says which.
    """

    paths: tuple[CallPath, ...]
    source: Symbol
    target: Symbol
    catalog: Catalog = field(repr=False, compare=False)
    absence: str = ""

    @property
    def headline(self) -> str:
        """The answer in one line; when calls lead only the other way, or other edges only, it says so."""
        count, source, target = len(self.paths), self.source.fqn, self.target.fqn
        paths = f"{count or 'No'} path{'' if count == 1 else 's'}"
        if all(_are_calls(path, path.symbol_ids[:-1]) for path in self.paths):
            return f"{paths} from {source} to {target}"
        if all(_are_calls(path, path.symbol_ids[1:]) for path in self.paths):
            return f"No calls lead from {source} to {target}; {paths} the other way round"
        return f"No calls lead from {source} to {target} or back; {paths} over other edges"

    def symbols(self, path: CallPath) -> tuple[Symbol, ...]:
        """The symbols along a path."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in path.symbol_ids)

    def to_dict(self) -> dict[str, object]:
        """The paths as plain data for JSON. `schema` tells how to read it."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "paths",
            "source": self.source.id,
            "target": self.target.id,
            "paths": [
                {
                    "symbols": [_symbol_dict(symbol) for symbol in self.symbols(path)],
                    "edges": [_edge_dict(edge) for edge in path.edges],
                }
                for path in self.paths
            ],
            "absence": self.absence,
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per step: path number, step, from, edge, to, rule, confidence. Raises ImportError without pandas."""
        from codeexplore.views.tables import frame

        rows: list[dict[str, object]] = [
            {
                "call_path": number,
                "step": step,
                "source": self.catalog.symbol(edge.source).fqn,
                "edge": edge.kind,
                "target": self.catalog.symbol(edge.target).fqn,
                "rule": edge.rule,
                "confidence": edge.confidence,
            }
            for number, path in enumerate(self.paths, 1)
            for step, edge in enumerate(path.edges, 1)
        ]
        return frame(("call_path", "step", "source", "edge", "target", "rule", "confidence"), rows)

    def to_markdown(self) -> str:
        """The paths as a Markdown list."""
        from codeexplore.views.markdown import paths_markdown

        return paths_markdown(self)

    @overload
    def __getitem__(self, index: int) -> CallPath: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[CallPath, ...]: ...
    def __getitem__(self, index: int | slice) -> CallPath | tuple[CallPath, ...]:
        return self.paths[index]

    def __len__(self) -> int:
        return len(self.paths)

    def __repr__(self) -> str:
        from codeexplore.views.text import paths_text

        return paths_text(self)


def _are_calls(path: CallPath, callers: Sequence[str]) -> bool:
    """Whether the steps of a path are calls, made by these symbols one after the other."""
    steps = zip(path.edges, callers, strict=True)
    return all(edge.kind == "CALLS" and edge.source == caller for edge, caller in steps)


def _symbol_dict(symbol: Symbol) -> dict[str, object]:
    return {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind, "path": symbol.path, "line": symbol.line}


def _edge_dict(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "manner": edge.manner,
        "rule": edge.rule,
        "confidence": float(edge.confidence),
        "sites": [site._asdict() for site in edge.sites],
        "in_test": edge.in_test,
    }
