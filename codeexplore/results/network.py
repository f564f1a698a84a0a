"""An answer as vertices and arcs, whatever it was an answer to: the one form that every export is written from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeexplore.results.dicts import json_text
from codeexplore.types import Edge, Symbol

if TYPE_CHECKING:
    import igraph
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Vertex:
    """One vertex; `depth` is -1 where an answer has no depths, `line` 0 outside the repository."""

    id: str
    label: str
    kind: str
    path: str = ""
    line: int = 0
    depth: int = -1
    seed: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Arc:
    """One directed edge between two vertices, by their positions. `certain` is False if only a name suggests it."""

    source: int
    target: int
    kind: str
    manner: str = ""
    rule: str = ""
    confidence: float = 1.0
    count: int = 1
    sites: str = ""  # "app.py:3 app.py:9"
    in_test: bool = False
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Network:
    """A directed graph with a title."""

    title: str
    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]


class Exports:
    """Conversions of every answer that is a graph. Sub-classes define `network` and `to_dict`."""

    __slots__ = ()

    def network(self) -> Network:
        """The answer's vertices and arcs."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data."""
        raise NotImplementedError

    def to_json(self, indent: int | None = 2) -> str:
        """`to_dict` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_igraph(self) -> igraph.Graph:
        """A directed igraph; vertices and edges carry their fields as attributes, `name` being the symbol's id."""
        from codeexplore.graph.model import labelled_graph

        network = self.network()
        vertices, arcs = _columns(Vertex, network.vertices), _columns(Arc, network.arcs)
        vertices["name"] = vertices.pop("id")
        pairs = list(zip(arcs.pop("source"), arcs.pop("target"), strict=True))
        return labelled_graph(len(network.vertices), pairs, vertices, arcs)

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """A directed networkx multigraph over symbol ids; edges are keyed by their kind.

        Raises
        ------
        ImportError
            networkx is not installed.
        """
        try:
            import networkx as nx
        except ImportError as error:
            raise ImportError("to_networkx() needs networkx: pip install networkx") from error
        network = self.network()
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(title=network.title)
        for vertex in network.vertices:
            values = _fields(vertex)
            graph.add_node(values.pop("id"), **values)
        for arc in network.arcs:
            values = _fields(arc)
            ends = network.vertices[values.pop("source")].id, network.vertices[values.pop("target")].id
            graph.add_edge(*ends, key=arc.kind if arc.certain else f"{arc.kind}?", **values)
        return graph

    def to_graphml(self) -> str:
        """GraphML, for Gephi, yEd, Cytoscape, networkx and igraph."""
        from codeexplore.results.graph_formats import graphml

        return graphml(self.network())

    def to_dot(self) -> str:
        """Graphviz's DOT."""
        from codeexplore.results.graph_formats import dot

        return dot(self.network())

    def to_mermaid(self) -> str:
        """A Mermaid flowchart, for Markdown pages."""
        from codeexplore.results.graph_formats import mermaid

        return mermaid(self.network())


def vertex_of(symbol: Symbol, *, depth: int = -1, seed: bool = False, group: str = "") -> Vertex:
    """A symbol as a vertex."""
    return Vertex(symbol.id, symbol.fqn, symbol.kind, symbol.path, symbol.line, depth, seed, group)


def arcs_of(edges: Iterable[Edge], vertices: Sequence[Vertex], *, certain: bool = True) -> list[Arc]:
    """Edges as arcs among vertices; those with an end that is not among them are left out."""
    position = {vertex.id: number for number, vertex in enumerate(vertices)}
    return [
        Arc(
            position[edge.source], position[edge.target], edge.kind, edge.manner, edge.rule, float(edge.confidence),
            len(edge.sites), " ".join(f"{site.path}:{site.line}" for site in edge.sites), edge.in_test, certain,
        )
        for edge in edges
        if edge.source in position and edge.target in position
    ]  # fmt: skip


def _fields(record: Vertex | Arc) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _columns(kind: type[Vertex | Arc], records: Sequence[Vertex | Arc]) -> dict[str, list[Any]]:
    return {name: [getattr(record, name) for record in records] for name in kind.__dataclass_fields__}
