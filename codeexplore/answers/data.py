r"""Answers as plain data for JSON, as data frames, and as graphs: igraph, networkx, GraphML, DOT and Mermaid.

Names come from an untrusted repository, so every format escapes them in its own way. GraphML is XML 1.0, which allows
no control characters: they are written as visible text. In DOT, a quoted string ends at ``"``, and labels interpret
``\n`` and entities. Mermaid has no escape character, so every character that is not plain becomes a numeric entity.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from xml.sax.saxutils import escape

from codeexplore.answers.wording import one_line, shorten
from codeexplore.types import Edge, PossibleUse, Symbol, Unresolved, Verdict
from codeexplore.types.certainty import CERTAINTIES, Certainty
from codeexplore.types.visible import visible_json, visible_xml

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import pandas as pd


_T = TypeVar("_T")
Frame: TypeAlias = "pd.DataFrame"  # pandas is imported when a frame is made


class PlainData(ABC):
    """An answer that is plain data. Subclasses define `to_dict`."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""

    def to_json(self, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON text with invisible characters escaped. `indent` is as for `json.dumps`."""
        return visible_json(self.to_dict(), indent)


def symbol_dict(symbol: Symbol) -> dict[str, object]:
    return {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind, "path": symbol.path, "line": symbol.line}


def edge_dict(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "manner": edge.manner,
        "rule": edge.rule,
        "confidence": float(edge.confidence),
        "certainty": edge.certainty,
        "sites": [
            {**site._asdict(), "confidence": confidence}
            for site, confidence in zip(edge.sites, edge.site_confidences, strict=True)
        ],
        "in_test": edge.in_test,
    }


def verdict_dict(verdict: Verdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    mentions = [use_dict(use) for use in verdict.mentions]
    steps = [{**step._asdict(), "options": dict(step.options)} for step in verdict.next_steps]
    said: dict[str, object] = {"kind": verdict.kind, "text": verdict.text}
    said |= {str(word): count for word, count in zip(CERTAINTIES, verdict.counts, strict=True)}
    said |= {"whole": verdict.whole, "by_name": verdict.by_name, "outside": list(verdict.outside)}
    return {**said, "mentions": mentions, "min_confidence": verdict.min_confidence, "next_steps": steps}


def use_dict(use: PossibleUse) -> dict[str, object]:
    return {**use._asdict(), "site": use.site._asdict(), "targets": list(use.targets)}


def unresolved_dict(reference: Unresolved) -> dict[str, object]:
    return {**reference._asdict(), "site": reference.site._asdict()}


def frame(columns: Sequence[str], rows: Sequence[Mapping[str, object] | tuple[object, ...]]) -> Frame:
    """Return a data frame with the given columns in this order. Its texts start no formula of a spreadsheet.

    Raises ImportError if pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    made = pd.DataFrame(list(rows), columns=[no_formula(column) for column in columns])
    for place, dtype in enumerate(made.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):  # numbers alone: no text
            made.isetitem(place, made.iloc[:, place].map(no_formula).array)
    return made


_FORMULA = re.compile(r"[\s\0]*[=+\-@＝＋－＠]")  # the wide forms too: spreadsheets fold them


def no_formula(value: _T) -> _T | str:
    """Return a text that a spreadsheet would compute with an apostrophe before it, and any other value as it is."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


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

        Raises ImportError if networkx is not installed.
        """
        try:
            import networkx as nx
        except ImportError as error:
            raise ImportError("to_networkx() needs networkx: pip install networkx") from error
        network = self.network()
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(title=network.title)
        for vertex in network.vertices:
            values = asdict(vertex)
            graph.add_node(values.pop("id"), **values)
        for arc in network.arcs:
            values = asdict(arc)
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


def _columns(kind: type[Vertex | Arc], records: Sequence[Vertex | Arc]) -> dict[str, list[Any]]:
    return {name: [getattr(record, name) for record in records] for name in kind.__dataclass_fields__}


_LABEL_CHARS = 120
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile(r"[^\w .,:/()*=+-]|(?<!\w)_|_(?!\w)")
_TYPES = {bool: "boolean", int: "int", float: "double", str: "string"}
_DASHED = ' style="dashed"'


def graphml(network: Network) -> str:
    """Return GraphML with every field as a data key. Parsers of networkx, igraph, Gephi and yEd read it."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_keys("node", Vertex),
        *_keys("edge", Arc),
        '<graph id="G" edgedefault="directed">',
    ]
    for number, vertex in enumerate(network.vertices):
        lines.append(f'<node id="n{number}">{_data("node", vertex)}</node>')
    for number, arc in enumerate(network.arcs):
        ends = f'source="n{arc.source}" target="n{arc.target}"'
        lines.append(f'<edge id="e{number}" {ends}>{_data("edge", arc)}</edge>')
    return "\n".join([*lines, "</graph>", "</graphml>"]) + "\n"


def _keys(domain: str, record: type[Vertex | Arc]) -> list[str]:
    found = []
    for name, default in _written(record):
        key = f'id="{domain}_{name}" for="{domain}" attr.name="{_attribute(domain, name)}"'
        found.append(f'<key {key} attr.type="{_TYPES[type(default)]}"/>')
    return found


def _data(domain: str, record: Vertex | Arc) -> str:
    return "".join(
        f'<data key="{domain}_{name}">{_xml(getattr(record, name))}</data>' for name, _ in _written(type(record))
    )


def _written(record: type[Vertex | Arc]) -> Sequence[tuple[str, object]]:
    """Return (name, default value) of each field that is written as data. The value has the type of the field."""
    return [
        (each.name, "" if each.default is MISSING else each.default)
        for each in fields(record)
        if each.name not in ("source", "target")
    ]


def _attribute(domain: str, name: str) -> str:
    return "symbol" if (domain, name) == ("node", "id") else name  # "id" would hide the vertex's own in igraph


def _xml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = _UNWRITABLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", str(value))
    return visible_xml(escape(text))


# --------------------------------------------------------------------------- DOT


def dot(network: Network) -> str:
    """Return DOT. Vertices have short names and symbols as labels. Edges that are only possible are dashed."""
    lines = [
        f"digraph {_quoted(network.title)} {{",
        '  graph [rankdir="LR"];',
        '  node [shape="box" fontname="monospace"];',
    ]
    for number, vertex in enumerate(network.vertices):
        seed = ' style="rounded,bold"' if vertex.seed else ""
        place = f"{vertex.path}:{vertex.line}" if vertex.line else vertex.path
        tip = _quoted(f"{vertex.kind} {place}".strip())
        lines.append(f"  n{number} [label={_quoted(_label(vertex.label))} tooltip={tip}{seed}];")
    for arc in network.arcs:
        label = f"{arc.kind} {arc.count}" if arc.count > 1 and not arc.rule else arc.kind
        tip = _quoted(
            " ".join(filter(None, (arc.certainty, arc.rule, f"{arc.confidence:.2f}", shorten(arc.sites, 200))))
        )
        dashed = "" if arc.certain else _DASHED
        lines.append(f"  n{arc.source} -> n{arc.target} [label={_quoted(label)} tooltip={tip}{dashed}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    text = one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


# --------------------------------------------------------------------------- Mermaid


def mermaid(network: Network) -> str:
    """Return a flowchart from left to right. By default, Mermaid draws up to 500 edges."""
    lines = ["flowchart LR"]
    for number, vertex in enumerate(network.vertices):
        shape = f'(["{_entities(_label(vertex.label))}"])' if vertex.seed else f'["{_entities(_label(vertex.label))}"]'
        lines.append(f"  n{number}{shape}")
    for arc in network.arcs:
        label = f"{arc.kind} {arc.count}" if arc.count > 1 and not arc.rule else arc.kind
        arrow = "-->" if arc.certain else "-.->"
        lines.append(f'  n{arc.source} {arrow}|"{_entities(label)}"| n{arc.target}')
    return "\n".join(lines) + "\n"


def _entities(text: str) -> str:
    return _PLAIN.sub(lambda match: f"#{ord(match[0])};", text) or " "


def _label(text: str) -> str:
    return shorten(one_line(text), _LABEL_CHARS)
