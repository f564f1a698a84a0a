"""Time of a search over many chunks, and of making its index, beside semble's in the same run.

usage: python benchmarks/search_latency.py [PATH] [--semble PYTHON] [--questions N] [--short] [--json OUT]

PATH defaults to the running interpreter's standard library. PYTHON is the interpreter of an environment that has semble
(``python -m venv peer && peer/bin/pip install semble==0.7.0``); semble is given our bundled model, so that both embed
alike. Every question is asked once, of us and of semble in turn, after others have warmed both up: whatever else the
machine does falls on both. Questions are made from the repository's own names and documentation, always the same ones.

Wall-clock times are what a person waits; CPU times hardly depend on what else runs.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore import Workspace
from codeexplore.answers import SearchAnswer
from codeexplore.answers.html.writer import shown_html
from codeexplore.features.lab.evaluation.metrics import percentile
from codeexplore.search.lanes.encoder import BUNDLED
from codeexplore.source.discovery import discover
from codeexplore.types import CALLABLE_KINDS, LANES, TYPE_KINDS, SearchResult, Symbol

TOP_K = 10
_GROUPS = ("stage", "lane", "kind")  # of rows, after those of whole searches
WARM_UP = 16
SEED = 7
PEER = Path(__file__).parent / "peers" / "ask_semble.py"


class Question(NamedTuple):
    """What is asked, and which of the kinds it is."""

    kind: str
    query: str


def questions_about(workspace: Workspace, count: int) -> list[Question]:
    """Questions of eight kinds about random symbols, in random order; the same ones on every run."""
    chooser = random.Random(SEED)
    named = [
        s for s in workspace.symbols if s.kind in CALLABLE_KINDS and len(s.name) > 3 and not s.name.startswith("_")
    ]
    types = [s for s in workspace.symbols if s.kind in TYPE_KINDS]
    told = [s for s in named if 4 <= len(_sentence(s).split()) <= 20]
    kinds = {
        "name": (named, lambda s: s.name),
        "qualified name": (named, lambda s: ".".join(s.fqn.split(".")[-2:])),
        "description": (told, lambda s: f"how does it {_sentence(s)}?"),
        "callers": (named, lambda s: f"what calls {s.name}?"),
        "described callers": (told, lambda s: f"what calls the code that {_sentence(s)}?"),
        "impact": (named, lambda s: f"what breaks if {s.name} changes?"),
        "subclasses": (types, lambda s: f"subclasses of {s.name}"),
        "mixed": (told, lambda s: f"where does {s.fqn.split('.')[-2]} {_sentence(s)}"),
    }
    made = [
        Question(kind, ask(chooser.choice(symbols)))
        for kind, (symbols, ask) in kinds.items()
        for _ in range(max(count // len(kinds), 1))
        if symbols
    ]
    chooser.shuffle(made)
    return made


def _sentence(symbol: Symbol) -> str:
    first = symbol.doc.split("\n\n")[0].partition(". ")[0]
    return " ".join(first.split()).rstrip(".").lower() if "." in symbol.fqn else ""


class Peer:
    """semble in a process of its own; None of it runs while we do."""

    def __init__(self, python: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            [python, str(PEER), str(folder), str(BUNDLED)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.index: Mapping[str, Any] = self._answer()

    def ask(self, query: str) -> Mapping[str, Any]:
        """Milliseconds of one search."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"query": query, "top_k": TOP_K}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"semble ended with status {self._process.wait()}")
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


Times = dict[str, list[float]]
"""What was timed → milliseconds, one for each question."""


def timed(
    workspace: Workspace, question: Question, times: Times, lanes: Sequence[str] | None, name: str
) -> SearchResult:
    """One search; `name` is what its time is called. The time without planning is listed besides."""
    started, cpu = time.perf_counter(), time.process_time()
    result = workspace.engine.search(question.query, top_k=TOP_K, lanes=lanes)
    spent = (time.perf_counter() - started) * 1e3
    times.setdefault(name, []).append(spent)
    times.setdefault(f"{name}, CPU", []).append((time.process_time() - cpu) * 1e3)
    planning = sum(stage.seconds for stage in result.stages if stage.stage == "plan") * 1e3
    times.setdefault(f"{name}, planning apart", []).append(spent - planning)
    return result


def steps(result: SearchResult, times: Times) -> None:
    """The stages of a search, and each lane's own time: lanes run at once, and some of them within `seeds`."""
    for stage in result.stages:
        times.setdefault(f"stage: {stage.stage}", []).append(stage.seconds * 1e3)
    for ranking in result.rankings:
        times.setdefault(f"lane: {ranking.lane}", []).append(ranking.elapsed_ms)


def ask_all(workspace: Workspace, questions: Sequence[Question], peer: Peer | None) -> tuple[Times, Times]:
    """Every question, of us and of the peer; the first `WARM_UP` are not counted."""
    ours: Times = {}
    theirs: Times = {}
    for number, question in enumerate(questions):
        if number == WARM_UP:
            ours.clear()
            theirs.clear()
        result = timed(workspace, question, ours, LANES, "all three lanes")
        steps(result, ours)
        ours.setdefault(f"kind: {question.kind}", []).append(ours["all three lanes"][-1])
        timed(workspace, questions[number - 1], ours, None, "the planner's choice of lanes")
        started = time.perf_counter()
        shown_html(SearchAnswer.of(result, workspace.catalog))
        ours.setdefault("rendering as HTML, besides", []).append((time.perf_counter() - started) * 1e3)
        if peer is not None:
            told = peer.ask(question.query)
            theirs.setdefault("search", []).append(told["ms"])
            theirs.setdefault("search, CPU", []).append(told["cpu_ms"])
    return ours, theirs


def index_times(workspace: Workspace) -> dict[str, float]:
    """Seconds of the load, by stage; what stands beside semble's index is all but the graph."""
    stages = {stage.stage: stage.seconds for stage in workspace.summary.stages}
    return {**stages, "chunks + BM25 + embeddings": sum(s for name, s in stages.items() if name != "graph")}


def summary(times: Times) -> dict[str, dict[str, float]]:
    """Median, 95th percentile and maximum of each."""
    return {
        name: {"median": percentile(values, 0.5), "p95": percentile(values, 0.95), "max": max(values)}
        for name, values in sorted(times.items(), key=lambda item: _place(item[0]))
    }


def _place(name: str) -> int:
    group = name.partition(": ")[0]
    return _GROUPS.index(group) if group in _GROUPS else -1


def show(title: str, figures: Mapping[str, Mapping[str, float]]) -> None:
    print(f"\n{title:<38}{'median':>9}{'95th %':>9}{'max':>9}   ms")
    for name, row in figures.items():
        print(f"  {name:<36}{row['median']:9.2f}{row['p95']:9.2f}{row['max']:9.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    parser.add_argument("--semble", metavar="PYTHON", help="the interpreter of an environment that has semble")
    parser.add_argument("--questions", type=int, default=200, metavar="N")
    parser.add_argument("--serial", action="store_true", help="parse in this process alone, as semble does by default")
    parser.add_argument("--short", action="store_true", help="codeexplore's own sources instead, 64 questions")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    options = parser.parse_args()
    root = Path(__file__).parents[1] / "codeexplore" if options.short else Path(options.path)

    with tempfile.TemporaryDirectory(prefix="codeexplore-bench-") as made:
        measure(same_files(root, Path(made) / root.name), options)


def same_files(root: Path, folder: Path) -> Path:
    """A folder of just the files that we index, so that nobody has more to do: other tools ignore other files."""
    for candidate in discover(root).candidates:
        copy = folder / candidate.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / candidate.path, copy)
    return folder


def measure(root: Path, options: argparse.Namespace) -> None:
    """Load, ask, print."""
    started = time.perf_counter()
    workspace = Workspace(root, workers=0 if options.serial else None, cache=False, progress=lambda *_: None)
    workspace.search("warm up")
    load_seconds = time.perf_counter() - started
    index = index_times(workspace)
    peer = Peer(options.semble, root) if options.semble else None
    questions = questions_about(workspace, 64 if options.short else options.questions)
    ours, theirs = ask_all(workspace, questions, peer)
    if peer is not None:
        peer.close()

    counted = len(questions) - WARM_UP
    print(f"{root.name}: {len(workspace.files):,} files, {len(workspace.catalog.chunks):,} chunks; {counted} questions")
    figures: dict[str, Any] = {"chunks": len(workspace.catalog.chunks), "questions": counted}
    figures |= {"index_seconds": index, "load_seconds": load_seconds, "search_ms": summary(ours)}
    show("codeexplore", figures["search_ms"])
    made = index["chunks + BM25 + embeddings"]
    print(f"\nindex: chunks + BM25 + embeddings {made:.2f} s, with the graph {load_seconds:.2f} s")
    if peer is not None:
        figures["semble"] = {"index": dict(peer.index), "search_ms": summary(theirs)}
        show(f"semble {peer.index['version']}, {peer.index['chunks']:,} chunks", figures["semble"]["search_ms"])
        print(f"\nindex: {peer.index['seconds']:.2f} s ({peer.index['cpu_seconds']:.2f} s CPU)")
        figures["ratios"] = ratios(figures)
        for name, value in figures["ratios"].items():
            print(f"  {name:<58}{value:6.2f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def ratios(figures: Mapping[str, Any]) -> dict[str, float]:
    """Ours divided by semble's: below 1 is quicker."""
    ours, theirs = figures["search_ms"], figures["semble"]["search_ms"]
    return {
        "search, median, ours / semble's": ours["all three lanes"]["median"] / theirs["search"]["median"],
        "search, 95th percentile, ours / semble's": ours["all three lanes"]["p95"] / theirs["search"]["p95"],
        "search, median CPU, ours / semble's": ours["all three lanes, CPU"]["median"] / theirs["search, CPU"]["median"],
        "index without the graph, ours / semble's": figures["index_seconds"]["chunks + BM25 + embeddings"]
        / figures["semble"]["index"]["seconds"],
    }


if __name__ == "__main__":
    main()
