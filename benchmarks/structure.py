"""Are structural questions answered with every caller on top? In several wordings, by name and by description.

usage: python benchmarks/structure.py [FOLDER …] [--symbols N] [--short] [--json OUT]

Without folders: the sample repositories, whose truth files say who calls whom, whatever our graph believes. With
folders: real repositories, N called functions and methods of each (always the same), and what the call graph resolves
should be shown. That measures the way from a question to the graph's answer, not the graph (truth.py does).

Printed for each wording: how many of a symbol's n callers are among the first n hits, and among the first ten (or n, if
that is more), and for how many questions all of them are. Described symbols are asked for by the first sentence of
their documentation, which is there to be found; the mixed development set (lane_subsets.py) has it removed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from codeexplore import Workspace, sample_repo
from codeexplore.features.lab.evaluation.fixtures import document_of
from codeexplore.types import Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE
from tests.sample_truth import REPOSITORIES, Names, truth

WORDINGS = (
    "what calls {}?",
    "who calls {}",
    "callers of {}",
    "which functions call {}?",
    "where is {} called?",
    "what code uses {}?",
    "find all callers of `{}`",
)
DESCRIBED = "what calls the code that {}?"
MOST_CALLERS = 30
TIMEOUT = 60.0  # seconds: a busy machine must not change what is measured
SEED = 11


class Case(NamedTuple):
    """A symbol and the documents (see `document_of`) that must be shown for its callers."""

    symbol: Symbol
    callers: frozenset[str]


class Tally:
    """Sums over the questions of one wording."""

    def __init__(self) -> None:
        self.questions = self.complete = 0
        self.first_n = self.first_ten = self.seed_first = self.seed_any = 0.0

    def add(self, shown: Sequence[str], callers: frozenset[str]) -> None:
        """Count one answer; `shown` are its documents, best first."""
        count = len(callers)
        self.questions += 1
        self.first_n += len(callers.intersection(shown[:count])) / count
        found = len(callers.intersection(shown[: max(10, count)]))
        self.first_ten += found / count
        self.complete += found == count

    def figures(self) -> dict[str, float]:
        """Shares of the questions."""
        total = max(self.questions, 1)
        return {
            "questions": self.questions,
            "callers in first n": self.first_n / total,
            "callers in first 10": self.first_ten / total,
            "complete": self.complete / total,
            "meant symbol is first seed": self.seed_first / total,
            "is among the seeds": self.seed_any / total,
        }


def by_truth(workspace: Workspace, repository: str) -> list[Case]:
    """Every callable symbol of a sample repository that has callers which static analysis can know."""
    names = Names(workspace.symbols)
    ids = {plain: symbol_id for symbol_id, plain in reversed(names.of.items())}
    ids |= {f"{symbol.path}::": symbol.id for symbol in workspace.symbols if symbol.parent is None}
    callers: dict[str, set[str]] = defaultdict(set)
    for edge in truth(repository)["edges"]:
        demanded = edge["kind"] == "CALLS" and edge["decidable"] and edge["manner"] not in ("protocol", "wrapper")
        if demanded and edge["caller"] in ids and edge["callee"] in ids:
            callers[ids[edge["callee"]]].add(ids[edge["caller"]])
    return _cases(workspace, callers)


def by_graph(workspace: Workspace, count: int) -> list[Case]:
    """A sample of the symbols that have resolved callers."""
    callers: dict[str, set[str]] = defaultdict(set)
    for edge in workspace.graph.edges:
        if edge.kind == "CALLS" and edge.confidence >= RESOLVED_CONFIDENCE and edge.source != edge.target:
            callers[edge.target].add(edge.source)
    cases = _cases(workspace, callers)
    return random.Random(SEED).sample(cases, min(count, len(cases)))


def _cases(workspace: Workspace, callers: Mapping[str, set[str]]) -> list[Case]:
    """Symbols that a name can mean alone, so that the question is clear; recursion and hits of their own set aside."""
    catalog = workspace.catalog
    cases = []
    for symbol_id, sources in sorted(callers.items()):
        symbol, own = catalog.symbol(symbol_id), catalog.chunk_for(symbol_id)
        chunks = [catalog.chunk_for(source) for source in sources]
        documents = {document_of(chunk) for chunk in chunks if chunk is not None}
        if own is not None:
            documents.discard(document_of(own))
        if symbol.kind in ("function", "method") and name_of(workspace, symbol) and 0 < len(documents) <= MOST_CALLERS:
            cases.append(Case(symbol, frozenset(documents)))
    return cases


def name_of(workspace: Workspace, symbol: Symbol) -> str:
    """The shortest name that means this symbol alone: its last one, two or three parts; "" when none does."""
    parts = symbol.fqn.replace("::", ".").replace("/", ".").split(".")
    for count in (1, 2, 3):
        name = ".".join(parts[-count:])
        meant = workspace.catalog.meant(name)
        if len(meant) == 1 and meant[0].id == symbol.id:
            return name
    return ""


def asked(workspace: Workspace, cases: Sequence[Case]) -> dict[str, dict[str, float]]:
    """Every wording for every case."""
    tallies: dict[str, Tally] = {wording: Tally() for wording in (*WORDINGS, DESCRIBED)}
    for case in cases:
        for wording in WORDINGS:
            _ask(workspace, wording.format(name_of(workspace, case.symbol)), case, tallies[wording])
        sentence = " ".join(case.symbol.doc.split("\n\n")[0].partition(". ")[0].split()).rstrip(".")
        if 4 <= len(sentence.split()) <= 25:
            _ask(workspace, DESCRIBED.format(sentence[0].lower() + sentence[1:]), case, tallies[DESCRIBED])
    return {wording: tally.figures() for wording, tally in tallies.items()}


def _ask(workspace: Workspace, question: str, case: Case, tally: Tally) -> None:
    result = workspace.engine.search(question, top_k=max(10, len(case.callers)), timeout=TIMEOUT)
    tally.add([document_of(workspace.catalog.chunk(hit.chunk_id)) for hit in result.hits], case.callers)
    seeds = [seed.symbol_id for seed in result.plan.seeds]
    tally.seed_first += seeds[:1] == [case.symbol.id]
    tally.seed_any += case.symbol.id in seeds


def show(name: str, count: int, figures: Mapping[str, Mapping[str, float]]) -> None:
    print(f"\n{name}, {count} symbols\n")
    columns = ["wording", *next(iter(figures.values()))]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for wording, row in figures.items():
        shares = " | ".join(f"{value:.3f}" for key, value in row.items() if key != "questions")
        print(f"| {wording.format('X')} | {row['questions']:.0f} | {shares} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--symbols", type=int, default=60, metavar="N", help="of each folder (default 60)")
    parser.add_argument("--short", action="store_true", help="one sample repository only")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    options = parser.parse_args()
    collected: dict[str, Any] = {}
    for name in () if options.folders else REPOSITORIES[: 1 if options.short else None]:
        workspace = Workspace(sample_repo(name), progress=lambda *_: None)
        cases = by_truth(workspace, name)
        collected[name] = asked(workspace, cases)
        show(f"{name}, by its truth file", len(cases), collected[name])
    for folder in options.folders:
        workspace = Workspace(folder, progress=lambda *_: None)
        cases = by_graph(workspace, options.symbols)
        collected[folder.name] = asked(workspace, cases)
        show(f"{folder.name}, by the call graph", len(cases), collected[folder.name])
    if options.json:
        options.json.write_text(json.dumps(collected, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
