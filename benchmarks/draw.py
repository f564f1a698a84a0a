"""Edges drawn at random, each with its source lines, to be checked by reading the code.

usage: python benchmarks/draw.py REPOSITORY [--seed N] [--number N] [--kind CALLS] [--about KIND] [--rule RULE]

The same seed draws the same edges from the same commit and the same version of the rules. What is drawn is resolved
(confidence 0.6 or more) and does not start in a test, unless ``--tests`` is given.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from codeexplore.graph.build.resolve import build_graph
from codeexplore.graph.model import CodeGraph
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source.discovery import discover
from codeexplore.types import EDGE_KINDS, Edge, FileIndex, Symbol, settings
from codeexplore.workspace.workers.pool import analyse_batch, batches
from tests.doubles import make_catalog

SHOWN_SITES = 3


class Use(NamedTuple):
    """An edge with its ends."""

    edge: Edge
    source: Symbol
    target: Symbol


Condition = Callable[[Use], bool]


def graph_of(root: Path) -> CodeGraph:
    """The graph of a repository, without the text lanes."""
    found = discover(root)
    layout = Layout(frozenset(candidate.path for candidate in found.candidates))
    results = [analyse_batch(found.root, batch, layout) for batch in batches(found.candidates)]
    files = [file.facts for result in results for file in result if isinstance(file, FileIndex)]
    return build_graph(make_catalog([symbol for facts in files for symbol in facts.symbols], []), files, found.root)


def conditions(graph: CodeGraph) -> dict[str, Condition]:
    """What an edge can be about, by name."""
    dispatched = {end for edge in graph.edges if edge.kind == "OVERRIDES" for end in (edge.source, edge.target)}
    alike = Counter(symbol.fqn for symbol in graph.catalog.symbols if symbol.kind in ("function", "method"))
    folder = {symbol.id: PurePosixPath(symbol.path).parent for symbol in graph.catalog.symbols}
    return {
        "any": lambda _: True,
        "files": lambda use: use.source.path != use.target.path,
        "folders": lambda use: folder[use.source.id] != folder[use.target.id],
        "dispatch": lambda use: use.target.id in dispatched,
        "overloads": lambda use: alike[use.target.fqn] > 1,
        "members": lambda use: use.target.kind == "method",
    }


def show(number: int, edge: Edge, graph: CodeGraph, root: Path) -> str:
    """One edge with the lines of its sites and its target's head."""
    source, target = graph.catalog.symbol(edge.source), graph.catalog.symbol(edge.target)
    lines = [f"{number}. {source.fqn} {edge.kind} {target.fqn}  [{edge.manner}, {edge.rule} {edge.confidence:.1f}]"]
    for site in edge.sites[:SHOWN_SITES]:
        text = (root / site.path).read_text("utf-8", "replace").split("\n")[site.line - 1].strip()
        lines.append(f"     {site.path}:{site.line}  {text}")
    lines.append(f"  => {target.path}:{target.line}  {target.signature}")
    return "\n".join(lines)


def main() -> None:
    """Print the drawn edges."""
    parser = argparse.ArgumentParser(description="Edges drawn at random, to be checked by hand")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=10)
    parser.add_argument("--kind", choices=EDGE_KINDS, default="CALLS")
    parser.add_argument("--rule", help="only edges of this rule")
    parser.add_argument("--tests", action="store_true", help="also edges that start in tests")
    parser.add_argument(
        "--about", default="any", choices=("any", "files", "folders", "dispatch", "overloads", "members"),
        help="only edges between files or folders, to methods, to those that override or are overridden, to overloads",
    )  # fmt: skip
    options = parser.parse_args()
    graph = graph_of(options.repository)
    wanted, symbol = conditions(graph)[options.about], graph.catalog.symbol
    pool = [
        edge
        for edge in graph.edges
        if edge.kind == options.kind
        and edge.confidence >= settings.RESOLVED_CONFIDENCE - 1e-6
        and (options.tests or not edge.in_test)
        and options.rule in (None, edge.rule)
        and wanted(Use(edge, symbol(edge.source), symbol(edge.target)))
    ]
    pool.sort(key=lambda edge: (edge.source, edge.target))
    drawn = random.Random(options.seed).sample(pool, min(options.number, len(pool)))
    print(f"{len(drawn)} of {len(pool)} edges, seed {options.seed}")
    for number, edge in enumerate(drawn, 1):
        print(show(number, edge, graph, options.repository))


if __name__ == "__main__":
    main()
