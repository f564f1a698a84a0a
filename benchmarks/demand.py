"""How estimates of callers, callees, implementors and single edges agree with the whole graph, and what they cost.

usage: python benchmarks/demand.py FOLDER [--symbols N] [--seeds S …] [--verbose] [--json OUT]

Loads FOLDER with its graph, then asks an index without a graph, as it is right after the first answer of a cold load:
`callers` and `callees` of N drawn functions and types, `implementors` of N drawn types and methods, and `why` for N
drawn calls. An edge is a source, a target and a kind, at the confidence that answers show (0.6). Prints for each
question the share of the graph's edges that the estimate has (recall), the share of its edges that the graph has
(precision), and the median and the 95th percentile of processor seconds and of seconds for one answer.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeexplore import Workspace
from codeexplore.languages.registry import family_of
from codeexplore.source.manifests import manifests_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, Symbol
from codeexplore.workspace.demand import estimates
from codeexplore.workspace.partial_resolve import State
from codeexplore.workspace.view import SnapshotView, ViewCache

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index

SURE = 0.6
MOST = 100_000  # symbols in one answer: none is cut
_SHOWN = 3
Keys = frozenset[tuple[str, str, str]]


@dataclass
class Figures:
    """Sums over the answers to one kind of question."""

    answers: int = 0
    edges: int = 0  # of the whole graph
    found: int = 0  # of these
    wrong: int = 0
    equal: int = 0  # answers with exactly the edges of the graph
    unasked: int = 0  # questions that waited for the graph
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        """The figures as a row of a table."""
        said = self.found + self.wrong
        recall, precision = self.found / max(self.edges, 1), self.found / max(said, 1)
        cpu, wall = ([float(np.percentile(each or [0.0], q)) for q in (50, 95)] for each in (self.cpu, self.wall))
        return (
            f"| {name} | {self.answers} | {self.found:,} of {self.edges:,} ({100 * recall:.1f} %) | "
            f"{100 * precision:.1f} % ({self.wrong} wrong) | {self.equal} | {self.unasked} | "
            f"{cpu[0]:.2f} / {cpu[1]:.2f} s | {wall[0]:.2f} / {wall[1]:.2f} s |"
        )


HEAD = (
    "| question | answers | edges found | precision | equal to the graph | waited | processor, median / 95 % "
    "| time, median / 95 % |\n|---|---|---|---|---|---|---|---|"
)


def early(index: Index) -> Index:
    """The index as it is before its graph is ready."""
    files = [(path, index.sources.language(path)) for path in index.sources.paths]
    origin = replace(index.origin, texts=manifests_of(index.root, files))
    state = State(index.sources, index.files, index.catalog, origin.manifest_texts)
    return replace(index, graph=state.no_graph(), pending=state.all_pending(), origin=origin)


def keys(edges: tuple[Edge, ...]) -> Keys:
    """The edges as source, target and kind."""
    return frozenset((edge.source, edge.target, edge.kind) for edge in edges if edge.confidence >= SURE - 1e-6)


Question = tuple[str, Callable[[], Keys | None], Callable[[], Keys]]
"""What is asked, the estimate (None if it waits), and the answer of the graph."""


def questions(ws: Workspace, view: SnapshotView, number: int, seed: int) -> Iterator[tuple[str, Question]]:
    """Drawn questions, each with the name of its kind."""
    drawn = random.Random(seed)
    symbols = [symbol for symbol in ws.symbols if family_of(symbol.language)]
    named = [symbol for symbol in symbols if symbol.kind in CALLABLE_KINDS | TYPE_KINDS and symbol.kind != "lambda"]
    types = [symbol for symbol in named if symbol.kind in TYPE_KINDS or symbol.kind == "method"]
    for relation, among in (("callers", named), ("callees", named), ("implementors", types)):
        for symbol in drawn.sample(among, min(number, len(among))):
            yield relation, _walk(ws, view, relation, symbol)
    calls = [edge for edge in ws.graph.edges if edge.kind == "CALLS" and edge.confidence >= SURE]
    for edge in drawn.sample(calls, min(number, len(calls))):
        yield "why", _why(ws, view, edge)


def _walk(ws: Workspace, view: SnapshotView, relation: str, symbol: Symbol) -> Question:
    depth = None if relation == "implementors" else 1

    def estimate() -> Keys | None:
        answer = estimates.walk(view, relation, symbol, depth, top_k=MOST)
        return None if answer is None else keys(answer.edges)

    return f"{relation} of {symbol.id}", estimate, lambda: keys(getattr(ws, relation)(symbol, top_k=MOST).edges)


def _why(ws: Workspace, view: SnapshotView, edge: Edge) -> Question:
    wanted = (edge.source, edge.target, edge.kind)

    def estimate() -> Keys | None:
        answer = estimates.why(view, ws.symbol(edge.source), ws.symbol(edge.target))
        return None if answer is None else keys(tuple(link.edge for link in answer.links)) & {wanted}

    return f"why {edge.source} → {edge.target}", estimate, lambda: frozenset({wanted})


def measured(ws: Workspace, number: int, seed: int, verbose: bool = False) -> dict[str, Figures]:
    """The figures of each kind of question about a workspace that has its graph."""
    view = SnapshotView(early(ws._holder.current), ViewCache())
    found: Mapping[str, Figures] = defaultdict(Figures)
    for kind, (asked, estimate, whole) in questions(ws, view, number, seed):
        figures, started, processor = found[kind], time.perf_counter(), time.process_time()
        told = estimate()
        if told is None and kind != "why":
            figures.unasked += 1
            continue
        figures.cpu.append(time.process_time() - processor)
        figures.wall.append(time.perf_counter() - started)
        right, said = whole(), told or frozenset()
        figures.answers += 1
        figures.edges += len(right)
        figures.found += len(right & said)
        figures.wrong += len(said - right)
        figures.equal += said == right
        figures.unasked += told is None
        if verbose and said != right:
            print(f"{asked} ({figures.cpu[-1]:.2f} s)")
            for what, edges in (("missing", right - said), ("wrong", said - right)):
                for source, target, edge_kind in sorted(edges)[:_SHOWN]:
                    print(f"  {what} {edge_kind} {source} → {target}")
    return dict(found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--symbols", type=int, default=200)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    ws = Workspace(given.folder)
    rows = {}
    for seed in given.seeds:
        rows[seed] = measured(ws, given.symbols, seed, given.verbose)
        print(f"\n{ws.name}, seed {seed}\n\n{HEAD}")
        for name, figures in rows[seed].items():
            print(figures.line(name), flush=True)
    if given.json:
        found = {seed: {name: asdict(each) for name, each in by_kind.items()} for seed, by_kind in rows.items()}
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
