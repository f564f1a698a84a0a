"""Threads that ask while the files change: each answer must be of one state; throughput and latencies.

usage: python benchmarks/threads.py [PATH] [--threads 1,2,4,8] [--seconds S] [--files N] [--json OUT]

PATH (default: the installed networkx) is copied, at most `--files` of its source files. One thread edits some files
together and refreshes, again and again; the others ask. A state is what one refresh has made: an answer is wrong when
its chunks, whose ids change with their text, or the ends of its edges are not all of one state that was current while
it was asked for. Each number of threads is also measured while the files rest, and with refreshes that leave the graph
for later, where only what an answer names is checked. Python's lock lets one thread compute at a time: more
threads gain little, what counts is that nobody waits long and nothing is mixed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import threading
import time
from pathlib import Path
from typing import Any, Literal, NamedTuple

from random_edits import copied_for_edits, silent

from codeexplore import SymbolNotFound, Workspace

MARKERS = 6
"""Files that each generation of edits rewrites together."""

CHAIN = """from marker_{2} import marker_of_{0}_in_{2}


def marker_of_{0}_in_{1}(value):
    # generation {0}
    return marker_of_{0}_in_{2}(value)
"""


class State(NamedTuple):
    """What one refresh has made."""

    chunks: frozenset[str]
    symbols: frozenset[str]


class Asked(NamedTuple):
    """One answer: the states that were current before and after, and the ids it holds."""

    first: int
    last: int
    chunks: frozenset[str]
    symbols: frozenset[str]
    seconds: float


class Load:
    """A workspace, the states it went through, and those who ask it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.generation = 0
        self.states: list[State] = []
        self.asked: list[Asked] = []
        self.errors: list[str] = []
        self._stop = threading.Event()
        self._write()
        self.ws = Workspace(root, cache=False, progress=silent)
        self._remember()

    def _write(self) -> None:
        self.generation += 1
        for number in range(MARKERS):
            text = CHAIN.format(self.generation, number, (number + 1) % MARKERS)
            (self.root / f"marker_{number}.py").write_text(text)

    def _remember(self) -> None:
        catalog = self.ws.catalog
        chunks = frozenset(chunk.id for chunk in catalog.chunks)
        self.states.append(State(chunks, frozenset(symbol.id for symbol in catalog.symbols)))

    def refresh(self, graph: Literal["now", "background"] = "now") -> None:
        """Edit the files and take the edits in. The new state is known a moment after it can be seen."""
        self._write()
        self.ws.refresh(graph=graph, progress=silent)
        self._remember()

    def ask(self, seed: int) -> None:
        """Ask until told to stop."""
        chance = random.Random(seed)
        names = [symbol.name for symbol in self.ws.catalog.symbols]
        while not self._stop.is_set():
            name = chance.choice(names)
            question = chance.choice(
                [f"marker generation {self.generation}", f"what calls {name}?", f"where is {name}"]
            )
            first, started = len(self.states) - 1, time.perf_counter()
            try:
                if chance.random() < 0.3:
                    chunks, symbols = frozenset[str](), self._walk()
                else:
                    hits = self.ws.search(question, top_k=30, timeout=60.0).hits
                    chunks = frozenset(hit.chunk.id for hit in hits)
                    symbols = frozenset(hit.symbol.id for hit in hits if hit.symbol is not None)
            except SymbolNotFound:  # the generation is over
                continue
            except Exception as error:  # noqa: BLE001 - any error is a finding, and is told at the end
                self.errors.append(f"{type(error).__name__}: {error}")
                continue
            taken = time.perf_counter() - started
            self.asked.append(Asked(first, len(self.states), chunks, symbols, taken))

    def _walk(self) -> frozenset[str]:
        """The callers of a marker: all markers of its generation, round in a circle."""
        answer = self.ws.callers(f"marker_of_{self.generation}_in_0", depth=MARKERS)
        ends = {symbol.id for symbol in answer.symbols}
        outdated = any("graph is older" in note for note in answer.notes)  # it knows no edge of the edited lines
        if len(ends) < MARKERS - 1 and not outdated:
            self.errors.append(f"a circle of {MARKERS} markers has only {len(ends)} callers: {sorted(ends)}")
        return frozenset(ends)

    def run(
        self, threads: int, seconds: float, graph: Literal["now", "background"] | None, least: int = 0
    ) -> dict[str, Any]:
        """Ask from so many threads for a while; what was counted. `graph` says how edits are taken in, None: none.

        On a machine that is so busy, it takes longer, until there were at least so many questions and refreshes.
        """
        self._stop.clear()
        self.asked, self.states, self.errors = [], self.states[-1:], []
        asking = [threading.Thread(target=self.ask, args=(seed,)) for seed in range(threads)]
        started, cpu = time.perf_counter(), time.process_time()
        for thread in asking:
            thread.start()
        while time.perf_counter() - started < seconds or (self._done(graph) < least and not self.errors):
            if graph is not None:
                self.refresh(graph)
            else:
                time.sleep(0.05)
        self._stop.set()
        for thread in asking:
            thread.join()
        self.ws.wait_for_graph()
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
        return self._told(threads, graph, wall, cpu)

    def _done(self, graph: str | None) -> int:
        """How many questions were answered and, where there are any, edits taken in: the fewer of both."""
        return len(self.asked) if graph is None else min(len(self.asked), len(self.states) - 1)

    def _told(self, threads: int, graph: str | None, wall: float, cpu: float) -> dict[str, Any]:
        taken = sorted(each.seconds * 1e3 for each in self.asked)
        wrong = sum(not self._of_one_state(each) for each in self.asked)
        return {
            "threads": threads, "graph": graph, "asked": len(taken), "per_second": len(taken) / wall,
            "per_cpu_second": len(taken) / cpu, "median_ms": statistics.median(taken) if taken else 0.0,
            "p95_ms": taken[int(len(taken) * 0.95)] if taken else 0.0, "worst_ms": taken[-1] if taken else 0.0,
            "refreshes": len(self.states) - 1, "mixed": wrong, "errors": self.errors,
        }  # fmt: skip

    def _of_one_state(self, asked: Asked) -> bool:
        during = self.states[asked.first : asked.last + 1]
        return any(asked.chunks <= state.chunks and asked.symbols <= state.symbols for state in during)


def measure(root: Path, threads: list[int], seconds: float, least: int = 0) -> list[dict[str, Any]]:
    """A row for each number of threads, while the files rest and while they change, with the graph and without."""
    load = Load(root)
    ways: tuple[Literal["now", "background"] | None, ...] = (None, "now", "background")
    return [load.run(number, seconds, graph, least) for number in threads for graph in ways]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", type=Path)
    arguments.add_argument("--threads", default="1,2,4,8")
    arguments.add_argument("--seconds", type=float, default=20.0)
    arguments.add_argument("--files", type=int, default=300)
    arguments.add_argument("--json", type=Path, metavar="OUT")
    options = arguments.parse_args()
    with copied_for_edits(options.path, options.files) as root:
        rows = measure(root, [int(number) for number in options.threads.split(",")], options.seconds)
    print(f"{'threads':>7}{'files':>9}{'asked':>8}{'a second':>10}{'a cpu s':>9}{'median':>9}{'p95':>9}{'worst ms':>10}"
          f"{'refreshes':>11}{'mixed':>7}{'errors':>8}")  # fmt: skip
    for row in rows:
        files = {None: "rest", "now": "change", "background": "background"}[row["graph"]]
        print(f"{row['threads']:>7}{files:>9}{row['asked']:>8,}{row['per_second']:>10.1f}"
              f"{row['per_cpu_second']:>9.1f}{row['median_ms']:>9.1f}{row['p95_ms']:>9.1f}{row['worst_ms']:>10.1f}"
              f"{row['refreshes']:>11}{row['mixed']:>7}{len(row['errors']):>8}")  # fmt: skip
        for error in sorted(set(row["errors"]))[:5]:
            print("  ", error)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
