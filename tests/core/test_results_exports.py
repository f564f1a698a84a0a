"""Graphs for other programs: whatever a repository calls its symbols, what is written can be read back as it was."""

from __future__ import annotations

import html
import io
import json
import re
import shutil
import subprocess
import sys

import igraph
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.answers.data import Arc, Network, Vertex, dot, graphml, mermaid
from codeexplore.answers.wording import one_line
from tests.answers import HOSTILE, empty_graph_answer, graph_answer, paths_answer

NAMES = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=30),
    st.text(alphabet="\"\\<>&;#`|[](){}%\n\r\t'-=ae_1", max_size=20),
)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Small networks whose every text is whatever hypothesis makes up."""
    texts = draw(st.lists(NAMES, min_size=1, max_size=5))
    vertices = tuple(
        Vertex(f"{index}:{text}", text, draw(st.sampled_from(("function", "class", "external"))), draw(NAMES), index)
        for index, text in enumerate(texts)
    )
    ends = st.integers(0, len(vertices) - 1)
    arcs = tuple(
        Arc(
            draw(ends),
            draw(ends),
            draw(st.sampled_from(("CALLS", "USES"))),
            draw(NAMES),
            draw(NAMES),
            0.5,
            2,
            draw(NAMES),
        )
        for _ in range(draw(st.integers(0, 4)))
    )
    return Network(draw(NAMES), vertices, arcs)


def written(text: str) -> str:
    """What XML can hold of a text."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", lambda m: f"⟨U+{ord(m[0]):04X}⟩", text)


@settings(deadline=None)
@given(network=networks())
def test_graphml_comes_back_through_networkx(network: Network) -> None:
    graph = nx.read_graphml(io.BytesIO(graphml(network).encode()), force_multigraph=True)
    assert list(graph) == [f"n{index}" for index in range(len(network.vertices))]
    for index, vertex in enumerate(network.vertices):
        data = graph.nodes[f"n{index}"]
        assert data["symbol"] == written(vertex.id)
        assert (data.get("label", ""), data["line"]) == (written(vertex.label), vertex.line)
    found = sorted((a, b, data["kind"], data["confidence"], data["certain"]) for a, b, data in graph.edges(data=True))
    assert found == sorted((f"n{a.source}", f"n{a.target}", a.kind, a.confidence, a.certain) for a in network.arcs)


@settings(deadline=None, max_examples=40)
@given(network=networks())
def test_graphml_comes_back_through_igraph(network: Network, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("graphml") / "graph.graphml"
    path.write_text(graphml(network), "utf-8", newline="")
    graph = igraph.Graph.Read_GraphML(str(path))
    assert graph.vs["symbol"] == [written(vertex.id) for vertex in network.vertices]
    assert [edge.tuple for edge in graph.es] == [(arc.source, arc.target) for arc in network.arcs]


DOT_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*|\d+)|(->|[{}\[\]=;]))')


def dot_tokens(text: str) -> list[str]:
    """The tokens of DOT as its grammar defines them; nothing may be left over."""
    tokens, position = [], 0
    while text[position:].strip():
        match = DOT_TOKEN.match(text, position)
        assert match is not None, text[position : position + 80]
        tokens.append(match[0].strip())
        position = match.end()
    return tokens


def dot_label(quoted: str) -> str:
    """What Graphviz shows for a quoted label."""
    return html.unescape(re.sub(r"\\(.)", r"\1", quoted[1:-1]))


@settings(deadline=None)
@given(network=networks())
def test_dot_has_the_statements_it_should_and_no_others(network: Network) -> None:
    tokens = dot_tokens(dot(network))
    assert tokens[0] == "digraph"
    assert dot_label(tokens[1]) == one_line(network.title)
    assert (tokens[2], tokens[-1]) == ("{", "}")
    assert tokens.count("->") == len(network.arcs)
    assert tokens.count(";") == 2 + len(network.vertices) + len(network.arcs)
    labels = [dot_label(tokens[i + 2]) for i, token in enumerate(tokens) if token == "label"]
    shown = [one_line(vertex.label) for vertex in network.vertices]
    for label, text in zip(labels, shown, strict=False):
        assert label == text or (len(text) > 120 and len(label) == 120)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@settings(deadline=None, max_examples=15)
@given(network=networks())
def test_graphviz_reads_the_dot(network: Network) -> None:
    done = subprocess.run(["dot", "-Tdot_json"], input=dot(network).encode(), capture_output=True, check=True)
    read = json.loads(done.stdout.decode("utf-8", "replace"))
    assert len(read.get("objects", [])) == len(network.vertices)
    assert len(read.get("edges", [])) == len(network.arcs)


MERMAID_LINE = re.compile(r'  (?:n(\d+)(?:\(\["(.*)"\]\)|\["(.*)"\])|n(\d+) (-->|-\.->)\|"(.*)"\| n(\d+))')


def mermaid_text(label: str) -> str:
    assert re.fullmatch(r"(?:[\w .,:/()*=+-]|#\d+;)*", label), label
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label)


@settings(deadline=None)
@given(network=networks())
def test_mermaid_has_one_line_for_each_vertex_and_arc(network: Network) -> None:
    head, *lines = mermaid(network).rstrip("\n").split("\n")
    assert head == "flowchart LR"
    read = [MERMAID_LINE.fullmatch(line) for line in lines]
    assert all(read)
    assert len(read) == len(network.vertices) + len(network.arcs)
    for match, vertex in zip(read, network.vertices, strict=False):
        label = mermaid_text(match[2] if match[2] is not None else match[3])
        shown = one_line(vertex.label)
        assert label == (shown or " ") or (len(shown) > 120 and len(label) == 120)
    arcs = read[len(network.vertices) :]
    assert [(int(m[4]), int(m[7])) for m in arcs] == [(arc.source, arc.target) for arc in network.arcs]


def test_hostile_answers_convert() -> None:
    for number in range(len(HOSTILE)):
        names = HOSTILE[number:] + HOSTILE[:number]
        answer = graph_answer(names)
        graph = answer.to_igraph()
        assert graph.vs["label"] == [symbol.fqn for symbol in (*answer.seeds, *answer.symbols)] + [names[3]]
        assert nx.read_graphml(io.BytesIO(answer.to_graphml().encode())).number_of_nodes() == 4
        assert dot_tokens(answer.to_dot()).count("->") == 4
        assert mermaid_text(MERMAID_LINE.fullmatch(answer.to_mermaid().split("\n")[1])[2])


def test_igraph_and_networkx_carry_the_fields() -> None:
    answer = graph_answer()
    graph = answer.to_igraph()
    assert graph.is_directed()
    assert graph.vs["name"][0] == answer.seeds[0].id
    assert graph.vs["depth"] == [0, 1, 2, -1]
    assert graph.es["certain"] == [True, True, True, False]
    found = answer.to_networkx()
    near, seed = answer.symbols[0].id, answer.seeds[0].id
    assert found.edges[near, seed, "CALLS"]["confidence"] == 1.0
    assert found.edges[near, seed, "CALLS"]["sites"] == "app/1.py:3 app/1.py:7"
    assert found.number_of_edges() == 4
    assert [key for _, _, key in found.edges(keys=True)].count("CALLS?") == 1
    assert found.graph["title"] == answer.headline


def test_networkx_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="pip install networkx"):
        graph_answer().to_networkx()


def test_paths_and_empty_answers_convert_too() -> None:
    paths = paths_answer()
    assert paths.to_igraph().vs["label"] == ["app.start", "app.end"]
    assert json.loads(paths.to_json())["kind"] == "paths"
    empty = empty_graph_answer()
    assert empty.to_igraph().vcount() == 1
    assert nx.read_graphml(io.BytesIO(empty.to_graphml().encode())).number_of_edges() == 0
    assert json.loads(empty.to_json(indent=None))["absence"]
