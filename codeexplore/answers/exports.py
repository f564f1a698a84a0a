"""Conversions of every answer that is a graph to igraph, networkx and graph formats."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codeexplore.answers.data import PlainData
from codeexplore.answers.graph_formats import dot, graphml, mermaid
from codeexplore.answers.network import Arc, Network, Vertex

if TYPE_CHECKING:
    import igraph
    import networkx as nx


class Exports(PlainData):
    """Conversions for answers that are graphs. Subclasses define `network` and `to_dict`."""

    __slots__ = ()

    @abstractmethod
    def network(self) -> Network:
        """Return the answer as vertices and arcs."""

    def to_igraph(self) -> igraph.Graph:
        """Return a directed igraph graph.

        The fields of vertices and edges are their attributes. The attribute `name` of a vertex is the symbol's id.
        """
        from codeexplore.graph.model import labelled_graph  # imports NumPy and igraph

        network = self.network()
        vertices, arcs = _columns(Vertex, network.vertices), _columns(Arc, network.arcs)
        vertices["name"] = vertices.pop("id")
        pairs = list(zip(arcs.pop("source"), arcs.pop("target"), strict=True))
        return labelled_graph(len(network.vertices), pairs, vertices, arcs)

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Return a directed networkx multigraph whose vertices are symbol ids. The key of an edge is its kind.

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
        """Return the answer as GraphML, for Gephi, yEd, Cytoscape, networkx and igraph."""
        return graphml(self.network())

    def to_dot(self) -> str:
        """Return the answer in Graphviz's format DOT."""
        return dot(self.network())

    def to_mermaid(self) -> str:
        """Return the answer as a Mermaid flowchart, for Markdown pages."""
        return mermaid(self.network())


def _fields(record: Vertex | Arc) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _columns(kind: type[Vertex | Arc], records: Sequence[Vertex | Arc]) -> dict[str, list[Any]]:
    return {name: [getattr(record, name) for record in records] for name in kind.__dataclass_fields__}
