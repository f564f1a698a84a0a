"""`Exports`: the conversions of every answer that is a graph, to igraph, networkx and graph formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codeexplore.results.dicts import json_text
from codeexplore.results.graph_formats import dot, graphml, mermaid
from codeexplore.results.network import Arc, Network, Vertex

if TYPE_CHECKING:
    import igraph
    import networkx as nx


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
        from codeexplore.graph.model import labelled_graph  # imports NumPy and igraph

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
        return graphml(self.network())

    def to_dot(self) -> str:
        """Graphviz's DOT."""
        return dot(self.network())

    def to_mermaid(self) -> str:
        """A Mermaid flowchart, for Markdown pages."""
        return mermaid(self.network())


def _fields(record: Vertex | Arc) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _columns(kind: type[Vertex | Arc], records: Sequence[Vertex | Arc]) -> dict[str, list[Any]]:
    return {name: [getattr(record, name) for record in records] for name in kind.__dataclass_fields__}
