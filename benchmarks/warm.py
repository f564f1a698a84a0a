"""A warm load beside the cold load of the same files, in one run.

usage: python benchmarks/warm.py [PATH] [--rounds N] [--json OUT]

PATH defaults to the running interpreter's standard library. The index is kept in a temporary folder. Prints wall and
processor seconds: the cold load, the save, the median of N warm loads in a process whose modules are loaded, what the
first question costs after one (it loads the model), and `codeexplore ask` in a process of its own, started twice.
Machines differ and are shared: only the ratios of one run mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

QUESTION = "where is a date parsed?"


class Timed(NamedTuple):
    """Seconds on the clock, and of this process's processor time."""

    wall: float
    cpu: float


class Clock:
    """Starts when it is made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def stop(self) -> Timed:
        """What has passed since."""
        return Timed(time.perf_counter() - self._wall, time.process_time() - self._cpu)


def silent(stage: str, done: int, total: int) -> None:
    """No bar."""


def measure(path: str, rounds: int) -> dict[str, object]:
    from codeexplore import Workspace

    clock = Clock()
    saving: list[float] = []  # when the save began and ended; a summary is made before it

    def note(stage: str, _done: int, _total: int) -> None:
        if stage == "save":
            saving.append(time.perf_counter())

    ws = Workspace(path, progress=note)
    cold = clock.stop()
    save = saving[-1] - saving[0] if saving else 0.0
    answer = [(hit.symbol, hit.score) for hit in ws.search(QUESTION, timeout=60.0).hits]
    size = sum(file.stat().st_size for file in Path(os.environ["CODEEXPLORE_CACHE"]).rglob("*.zip"))
    chunks, symbols, edges = len(ws.catalog.chunks), len(ws.catalog.symbols), len(ws.graph.edges)
    del ws
    warm, first, second = [], [], []
    for _ in range(rounds):
        clock = Clock()
        again = Workspace(path, progress=silent)
        warm.append(clock.stop())
        assert "parse" not in {stage.stage for stage in again.summary.stages}, "the cache was not used"
        for times in (first, second):
            clock = Clock()
            found = again.search(QUESTION, timeout=60.0)
            times.append(clock.stop())
        assert [(hit.symbol, hit.score) for hit in found.hits] == answer, "a warm answer differs"
        del again
    return {
        "path": path, "symbols": symbols, "chunks": chunks, "edges": edges, "bytes_kept": size,
        "cold": cold, "save_seconds": save, "warm": _median(warm), "first_question": _median(first),
        "next_question": _median(second), "fresh_process": [fresh_process(path) for _ in range(2)],
    }  # fmt: skip


def _median(times: list[Timed]) -> Timed:
    return Timed(*(statistics.median(column) for column in zip(*times, strict=True)))


def fresh_process(path: str) -> Timed:
    """`codeexplore ask` from start to end; processor seconds are the child's."""
    before, started = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "codeexplore", "ask", path, QUESTION], check=True, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Timed(time.perf_counter() - started, cpu)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--json", type=Path, metavar="OUT")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CODEEXPLORE_CACHE"] = folder
        result = measure(str(Path(options.path).resolve()), options.rounds)
    cold, warm = result["cold"], result["warm"]
    assert isinstance(cold, Timed)
    assert isinstance(warm, Timed)
    print(f"{result['path']}: {result['symbols']:,} symbols, {result['chunks']:,} chunks, {result['edges']:,} edges")
    print(f"kept: {result['bytes_kept'] / 1e6:,.0f} MB, saved in {result['save_seconds']:.2f} s")  # type: ignore[operator]
    print(f"{'':28}{'wall s':>10}{'cpu s':>10}{'cold / this':>13}")
    rows = [("cold load with save", cold), ("warm load", warm), ("first question after it", result["first_question"]),
            ("next question", result["next_question"]),
            *((f"codeexplore ask, run {number}", each) for number, each in enumerate(result["fresh_process"], 1))]  # type: ignore[arg-type, var-annotated]  # fmt: skip
    for name, timed in rows:
        print(f"{name:28}{timed.wall:>10.3f}{timed.cpu:>10.3f}{cold.wall / timed.wall:>12.0f}x")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
