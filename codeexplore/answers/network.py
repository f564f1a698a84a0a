"""An answer as vertices and arcs. All exports of graphs are written from this form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codeexplore.types import Edge, Symbol
from codeexplore.types.certainty import Certainty


@dataclass(frozen=True, slots=True)
class Vertex:
    """One vertex. `depth` is -1 in answers without depths, and `line` is 0 outside the repository."""

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
    """One directed edge between two vertices, given by their positions.

    `certainty` is the word for `confidence`. `certain` is False if the edge is only possible.
    """

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
    certainty: Certainty = "certain"


@dataclass(frozen=True, slots=True)
class Network:
    """A directed graph with a title."""

    title: str
    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]


def vertex_of(symbol: Symbol, *, depth: int = -1, seed: bool = False, group: str = "") -> Vertex:
    return Vertex(symbol.id, symbol.fqn, symbol.kind, symbol.path, symbol.line, depth, seed, group)


def arcs_of(edges: Iterable[Edge], vertices: Sequence[Vertex], *, certain: bool = True) -> list[Arc]:
    """Return the arcs for `edges`. An edge is left out if one of its ends is not among `vertices`."""
    position = {vertex.id: number for number, vertex in enumerate(vertices)}
    arcs = []
    for edge in edges:
        if edge.source in position and edge.target in position:
            one, other, confidence = position[edge.source], position[edge.target], float(edge.confidence)
            count, sites = len(edge.sites), " ".join(f"{site.path}:{site.line}" for site in edge.sites)
            word = edge.certainty if certain else "possible"
            how = edge.kind, edge.manner, edge.rule, confidence, count, sites, edge.in_test
            arcs.append(Arc(one, other, *how, word != "possible", word))
    return arcs
