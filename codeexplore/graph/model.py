"""Code graph: symbols as vertices, resolved uses as edges. Only this module runs igraph.

igraph computes ranks, components, communities and layouts. Walks find the edges at a vertex in two flat arrays for each
direction, the edge rows grouped by vertex and the start of each group, because these are ready earlier. On the standard
library (91,245 symbols, 346,071 edges) they take 0.15 s and 8 MB, igraph's graph 0.42 s and 19 MB. A walk over three
levels of callers takes at most 1.6 ms with them, 9 ms with `incident` of igraph, which orders parallel edges in another
way, and 0.2 to 0.4 s if igraph selects the edges by kind and confidence (`es.select`, `subgraph_edges`,
`neighborhood`).

A *vertex* is the row of a symbol in the catalog, counted from 0. An edge is identified by its *row* in the edge table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable
from codeexplore.lazy_import import import_submodule
from codeexplore.types import EDGE_KINDS, Direction, Edge, EdgeKind, Symbol, settings

if TYPE_CHECKING:
    import igraph

    from codeexplore.index.catalog import Catalog


def _row_of(grouped: tuple[array[int], array[int]], vertex: int) -> list[int]:
    starts, rows = grouped
    return rows[starts[vertex] : starts[vertex + 1]].tolist()


def _grouped(by: Sequence[int], then: Sequence[int], n_vertices: int) -> tuple[array[int], array[int]]:
    """Group the edge rows by vertex `by`, ordered by vertex `then` within a group.

    Return the start of each vertex's group, shape (n_vertices + 1,), and the rows of all groups, shape (n_edges,).
    """
    import numpy as np

    keys, others = np.array(by, np.int64), np.array(then, np.int64)
    bits, row_bits = int(n_vertices).bit_length(), len(keys).bit_length()
    if 2 * bits + row_bits < 64:  # packed into one number, they sort ten times faster
        order = np.sort((((keys << bits) | others) << row_bits) | np.arange(len(keys))) & ((1 << row_bits) - 1)
    else:
        order = np.lexsort((others, keys))
    rows = order.astype(np.intc)
    starts = np.zeros(n_vertices + 1, np.intc)
    np.cumsum(np.bincount(keys, minlength=n_vertices), out=starts[1:])
    return array("i", starts.tobytes()), array("i", rows.tobytes())


_CODES: Mapping[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}
_USES, _CONTAINS = _CODES["USES"], _CODES["CONTAINS"]
_RANK_BITS = 34  # significant bits of a PageRank value that are kept: about ten decimal digits


class CodeGraph:
    """Symbols and edges of one snapshot.

    A vertex is the row of a symbol in the catalog. An edge is a row of `edges`. The symbol numbers in the tables of
    `resolution` are rows of `catalog`.
    """

    def __init__(self, catalog: Catalog, resolution: Resolution) -> None:
        self.catalog = catalog
        self.edges: EdgeTable = resolution.edges
        self.unresolved: UnresolvedTable = resolution.unresolved
        self.externals: ExternalTable = resolution.externals
        self.notes: tuple[str, ...] = resolution.notes
        self.damping: float = settings.DAMPING
        self.edge_weights: Mapping[str, float] = settings.EDGE_WEIGHTS

    def tuned(self, damping: float, edge_weights: Iterable[tuple[str, float]]) -> CodeGraph:
        """Return the graph with another damping of PageRank, and other weights of some kinds of edges."""
        other = copy(self)
        other.damping, other.edge_weights = damping, {**settings.EDGE_WEIGHTS, **dict(edge_weights)}
        for name in ("weights", "ranks", "importance"):
            other.__dict__.pop(name, None)
        return other

    @cached_property
    def _outgoing(self) -> tuple[array[int], array[int]]:
        return _grouped(self.edges.source, self.edges.target, len(self.catalog.symbols))

    @cached_property
    def _incoming(self) -> tuple[array[int], array[int]]:
        return _grouped(self.edges.target, self.edges.source, len(self.catalog.symbols))

    def prepare(self) -> None:
        """Load igraph and build the indexes of the edges, so that the first walk does not wait for them."""
        _core()
        if self.catalog.symbols:
            self.incident(0, "both")
        _ = self.weights

    def keep_structure(self, other: CodeGraph) -> None:
        """Take what was computed from the edges of `other`. Both graphs must have the same edge rows."""
        same_ids = self.catalog.symbols.ids == other.catalog.symbols.ids
        for name in ("_outgoing", "_incoming", "weights", "counts", "ranks", *(("importance",) if same_ids else ())):
            if name in other.__dict__:
                self.__dict__[name] = other.__dict__[name]

    # ----------------------------------------------------------------- neighbours

    def vertex(self, symbol_id: str) -> int:
        """Return the vertex of the symbol with this id. Raises KeyError if the id is unknown."""
        return self.catalog.symbol_row(symbol_id)

    def symbol(self, vertex: int) -> Symbol:
        return self.catalog.symbols[vertex]

    def edge(self, row: int) -> Edge:
        return self.edges[row]

    def incident(
        self,
        vertex: int,
        direction: Direction,
        kinds: Iterable[EdgeKind] | None = None,
        minimum: float = 0.0,
        tests: bool = True,
    ) -> list[int]:
        """Return the rows of the edges that enter (``in``), leave (``out``) or touch (``both``) the given vertex.

        They are ordered by the vertex at the other end, the leaving edges first. An edge from a vertex to itself is
        listed once. Only edges of `kinds` (None: all kinds) with at least the confidence `minimum` are returned, and
        without `tests` none that start in test files.
        """
        rows = [] if direction == "in" else _row_of(self._outgoing, vertex)
        if direction != "out":
            entering, source = _row_of(self._incoming, vertex), self.edges.source
            rows += entering if direction == "in" else [row for row in entering if source[row] != vertex]
        if kinds is not None:
            codes, kind = {_CODES[k] for k in kinds}, self.edges.kind
            rows = [row for row in rows if kind[row] in codes]
        if minimum > 0.0:
            confidence = self.edges.confidence
            rows = [row for row in rows if confidence[row] >= minimum - 1e-6]
        if not tests:
            in_test = self.edges.in_test
            rows = [row for row in rows if not in_test[row]]
        return rows

    def other(self, row: int, vertex: int) -> int:
        source = self.edges.source[row]
        return self.edges.target[row] if source == vertex else source

    def neighbours(
        self, vertex: int, direction: Direction, kinds: Iterable[EdgeKind] | None = None, minimum: float = 0.0
    ) -> list[int]:
        """Return the vertices at the other ends of the edges that `incident` returns."""
        return [self.other(row, vertex) for row in self.incident(vertex, direction, kinds, minimum)]

    @cached_property
    def counts(self) -> Mapping[EdgeKind, int]:
        """Number of edges of each kind. Edges below `settings.RESOLVED_CONFIDENCE` do not count."""
        import numpy as np

        sure = np.array(self.edges.confidence, np.float64) >= settings.RESOLVED_CONFIDENCE - 1e-6
        found = np.bincount(np.array(self.edges.kind, np.int8)[sure], minlength=len(EDGE_KINDS)).tolist()
        return dict(zip(EDGE_KINDS, found, strict=True))

    # ----------------------------------------------------------------- weights

    @cached_property
    def weights(self) -> list[float]:
        """Weight of each edge in a random walk, by edge row: the weight of the edge's kind times its confidence."""
        import numpy as np

        weight, edges = self.edge_weights, self.edges
        kinds, sources = np.array(edges.kind, np.int8), np.array(edges.source, np.int32)
        base = np.array([weight[kind] for kind in EDGE_KINDS])[kinds]
        modules = np.array([kind == "module" for kind in self.catalog.symbols.kinds], np.bool_)
        if len(edges):
            base[(kinds == _CONTAINS) & modules[sources]] = weight["MODULE"]
            base[(kinds == _USES) & np.array(edges.naming_types())] = weight["USES_TYPE"]
        found: list[float] = (base * np.array(edges.confidence, np.float64)).tolist()
        return found

    @cached_property
    def ranks(self) -> list[float]:
        """PageRank of each vertex."""
        pairs = list(zip(self.edges.source, self.edges.target, strict=True))
        return pagerank_of(len(self.catalog.symbols), pairs, self.weights, self.damping)

    @cached_property
    def importance(self) -> Mapping[str, float]:
        """Symbol id → importance: PageRank divided by the largest PageRank, 0–1."""
        top = max(self.ranks, default=0.0) or 1.0
        return {symbol_id: rank / top for symbol_id, rank in zip(self.catalog.symbols.ids, self.ranks, strict=True)}

    def personalised(self, vertices: Sequence[int], rows: Sequence[int], reset: Mapping[int, float]) -> list[float]:
        """Return personalised PageRank for each of `vertices`, on the subgraph with the edges `rows` between them.

        The random walk follows edges in both directions. It restarts at the vertices in `reset`, by their weights. The
        values add up to 1. Raises ValueError if no vertex has a positive weight.
        """
        place = {vertex: index for index, vertex in enumerate(vertices)}
        pairs, weights = [], []
        for row in rows:
            source, target = place[self.edges.source[row]], place[self.edges.target[row]]
            if source != target:
                pairs += [(source, target), (target, source)]
                weights += [self.weights[row]] * 2
        start = [reset.get(vertex, 0.0) for vertex in vertices]
        if not any(start):
            raise ValueError("personalised PageRank needs at least one vertex to start from, with a positive weight")
        return _pagerank(_core()(len(vertices), pairs, True), weights, start, self.damping)


def _core() -> Callable[[int, list[tuple[int, int]], bool], Any]:
    """Return igraph's core class without igraph's package, which imports matplotlib if that is installed."""
    graph: Callable[[int, list[tuple[int, int]], bool], Any] = import_submodule("igraph", "_igraph").GraphBase
    return graph


def _pagerank(
    graph: Any, weights: list[float], reset: list[float] | None, damping: float = settings.DAMPING
) -> list[float]:
    """Return weighted PageRank by PRPACK, igraph's default implementation.

    PRPACK stops when changes are below 1e-10, so smaller digits may differ between processes. They are rounded away,
    because they would order vertices of equal rank differently in each process.
    """
    import numpy as np

    ranks = graph.personalized_pagerank(weights=weights or None, damping=damping, reset=reset)
    fraction, power = np.frexp(np.array(ranks, np.float64))
    cut: list[float] = np.ldexp(np.rint(np.ldexp(fraction, _RANK_BITS)), power - _RANK_BITS).tolist()
    return cut


def labelled_graph(
    n_vertices: int, pairs: Sequence[tuple[int, int]], vertices: Mapping[str, Any], edges: Mapping[str, Any]
) -> igraph.Graph:
    """Return a directed igraph graph; an attribute's name maps to a value for each vertex or edge."""
    import igraph

    return igraph.Graph(n_vertices, list(pairs), directed=True, vertex_attrs=dict(vertices), edge_attrs=dict(edges))


def strong_components(n_vertices: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the strongly connected components of a directed graph, each with its vertices in ascending order."""
    found: dict[int, list[int]] = {}
    for vertex, number in enumerate(_core()(n_vertices, list(pairs), True).connected_components("strong")):
        found.setdefault(number, []).append(vertex)
    return [found[number] for number in sorted(found)]


def dominators(n_vertices: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the immediate dominator of each vertex of a directed graph (Lengauer and Tarjan 1979).

    It is the last vertex before it that all paths from vertex 0 pass through. It is negative for vertex 0 and for
    vertices that no path reaches.
    """
    found: list[int] = _core()(n_vertices, list(pairs), True).dominator(0)
    return found


def pagerank_of(
    n_vertices: int, pairs: Sequence[tuple[int, int]], weights: Sequence[float], damping: float = settings.DAMPING
) -> list[float]:
    return _pagerank(_core()(n_vertices, list(pairs), True), list(weights), None, damping) if n_vertices else []


def betweenness(n_vertices: int, pairs: Sequence[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """Return the betweenness of each vertex and of each edge of a graph without directions and weights.

    The betweenness is the number of shortest paths between other vertices that pass through (Freeman 1977; Brandes
    2001). If two vertices have n shortest paths, each of these counts 1/n.
    """
    graph = _core()(n_vertices, list(pairs), False)
    vertices: list[float] = [round(value, 6) for value in graph.betweenness(directed=False)]
    edges: list[float] = [round(value, 6) for value in graph.edge_betweenness(directed=False)]
    return vertices, edges


def leiden(n_vertices: int, pairs: Sequence[tuple[int, int]], weights: Sequence[float], seed: int) -> list[int]:
    """Return the community number of each vertex, found by the Leiden algorithm for modularity.

    The same graph and seed give the same numbers.
    """
    import random

    import igraph

    graph = igraph.Graph(n_vertices, list(pairs))
    igraph.set_random_number_generator(random.Random(seed))
    try:
        found = graph.community_leiden("modularity", weights=list(weights) or None, n_iterations=-1)
    finally:
        igraph.set_random_number_generator(random)  # igraph's own default
    membership: list[int] = found.membership
    return membership


def layered_order(layers: Sequence[int], pairs: Iterable[tuple[int, int]]) -> tuple[float, ...]:
    """Return for each vertex its position within its layer, chosen so that few lines between layers cross.

    This is the layout of Sugiyama, Tagawa and Toda 1981 for given layers. `layers` has the layer of each vertex.
    Pairs that skip a layer are left out, because igraph 1.0 crashes on some graphs that have them. Hundreds of vertices
    take milliseconds, and the result does not depend on random numbers.
    """
    near = [(a, b) for a, b in pairs if abs(layers[a] - layers[b]) <= 1]
    graph = _core()(len(layers), near, False)
    places, _ = graph._layout_sugiyama(list(layers), None, 1, 1, 100)  # weights, gaps, iterations
    return tuple(float(place[0]) for place in places[: len(layers)])  # igraph adds helper vertices at the end
