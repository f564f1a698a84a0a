"""Small source trees as graphs, for tests: real extractors, real resolution."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from codeexplore.graph.build.resolve import build_graph
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.languages import registry
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.syntax.analyse import analyse
from codeexplore.types import Edge, FileFacts, FileIndex, SourceFile
from tests.doubles import make_catalog


def facts_of(sources: Mapping[str, str]) -> list[FileFacts]:
    """The facts of source texts by path, in the order of the paths given."""
    layout = Layout(paths=frozenset(sources))
    found = []
    for path, text in sources.items():
        language = registry.by_path(path)
        assert language is not None, path
        found.append(analyse(SourceFile(path, language.name, dedent(text), ""), layout).facts)
    return found


def graph_of(sources: Mapping[str, str], root: Path | None = None) -> CodeGraph:
    """The code graph of source texts by path."""
    facts = facts_of(sources)
    return graph_of_facts(facts, root)


def graph_of_facts(facts: list[FileFacts], root: Path | None = None) -> CodeGraph:
    """The code graph of facts."""
    return build_graph(make_catalog([symbol for file in facts for symbol in file.symbols], []), facts, root)


def files_of(sources: Mapping[str, str]) -> dict[str, FileIndex]:
    """The analysed files of source texts by path: texts and facts, without chunks."""
    found = {}
    for facts, (path, text) in zip(facts_of(sources), sources.items(), strict=True):
        found[path] = FileIndex(SourceFile(path, facts.language, dedent(text), ""), facts, ())
    return found


def standings_of(sources: Mapping[str, str], root: Path | None = None) -> UsageEvidenceTable:
    """What speaks for the symbols of source texts, with their graph."""
    files = files_of(sources)
    return UsageEvidenceTable(graph_of_facts([file.facts for file in files.values()], root), files, root)


def edges(graph: CodeGraph, kind: str = "CALLS") -> dict[tuple[str, str], Edge]:
    """Edges of a kind by the fqns of their ends, ``#2`` kept for redefinitions."""

    def name(symbol_id: str) -> str:
        return symbol_id.partition(":")[2]

    return {(name(e.source), name(e.target)): e for e in graph.edges if e.kind == kind}


def calls(source: str, kind: str = "CALLS", **more: str) -> dict[tuple[str, str], Edge]:
    """The edges of one Python module called ``m``; further modules by name."""
    files = {"m.py": source, **{f"{name}.py": text for name, text in more.items()}}
    return edges(graph_of(files), kind)
