"""What a process of ours costs before and until its first answer, beside bare Python and NumPy, in one run.

usage: python benchmarks/startup.py [PATH] [--rounds N] [--json OUT]

PATH defaults to a sample repository; it is loaded and kept once, in a temporary folder. Every command is started N
times in turn with the others. Prints medians: processor seconds (user and system), seconds on the clock, peak memory,
and the processor seconds as multiples of `python -c pass` and of `python -c "import numpy"`. Machines differ and are
shared: the ratios of one run mean most. Unix only, since the figures come from `wait4`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

QUESTION = "where is an order refunded?"
BARE, NUMPY = "python -c pass", "import numpy"
LANES = ("bm25", "embedding", "graph")
ENGINES = ", ".join(["codeexplore.search.engine", *(f"codeexplore.search.lanes.{lane}" for lane in LANES)])
LOAD = """
import sys
from collections import Counter
from codeexplore import Workspace
workspace = Workspace(sys.argv[1], progress=lambda *_: None)
calls = Counter(edge.target for edge in workspace.graph.edges if edge.kind == "CALLS" and edge.confidence > 0.9)
called = next(symbol for symbol, count in calls.items() if 3 <= count <= 10)
print("{0.path}:{0.line}".format(workspace.catalog.symbol(called)))
"""
"""Loads and keeps a repository, and tells a symbol with some callers."""


class Cost(NamedTuple):
    """What one process took."""

    cpu: float  # seconds, user and system
    wall: float  # seconds
    megabytes: float  # resident at most


def commands(path: str, symbol: str) -> dict[str, list[str]]:
    """What is measured: name → arguments of the interpreter."""
    cli = ["-m", "codeexplore"]
    return {
        BARE: ["-c", "pass"],
        NUMPY: ["-c", "import numpy"],
        "import codeexplore": ["-c", "import codeexplore"],
        "from codeexplore import Workspace": ["-c", "from codeexplore import Workspace"],
        "… and the engines of all lanes": ["-c", f"from codeexplore import Workspace; import {ENGINES}"],
        "Workspace(path), kept": ["-c", f"from codeexplore import Workspace; Workspace({path!r})"],
        "codeexplore callers, kept": [*cli, "callers", path, symbol],
        "codeexplore ask, kept": [*cli, "ask", path, QUESTION],
    }


def cost(arguments: Sequence[str]) -> Cost:
    """Run the interpreter. Ends the benchmark when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}: {said.decode(errors='replace')}")
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, others kilobytes
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss * scale / 1e6)


def measure(path: str, rounds: int) -> dict[str, Cost]:
    """The median of each figure of each command."""
    # loaded elsewhere: a process counts the memory of the one that started it as its own peak
    loaded = subprocess.run([sys.executable, "-c", LOAD, path], check=True, capture_output=True, text=True)
    symbol = loaded.stdout.strip()
    taken: dict[str, list[Cost]] = {}
    for _ in range(rounds + 1):
        for name, arguments in commands(path, symbol).items():
            taken.setdefault(name, []).append(cost(arguments))
    counted = {name: costs[1:] for name, costs in taken.items()}  # the first round compiles and fills caches
    return {name: Cost(*map(statistics.median, zip(*costs, strict=True))) for name, costs in counted.items()}


def ratios(costs: Mapping[str, Cost]) -> dict[str, dict[str, float]]:
    """Processor seconds as multiples of those of bare Python and of NumPy's import."""
    return {name: {base: each.cpu / costs[base].cpu for base in (BARE, NUMPY)} for name, each in costs.items()}


def show(costs: Mapping[str, Cost]) -> None:
    times = ratios(costs)
    print(f"{'':36}{'cpu s':>8}{'wall s':>8}{'MB':>7}{'× pass':>9}{'× numpy':>9}")
    for name, each in costs.items():
        bare, numpy = times[name][BARE], times[name][NUMPY]
        print(f"{name:36}{each.cpu:8.3f}{each.wall:8.3f}{each.megabytes:7.0f}{bare:9.1f}{numpy:9.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", help="a repository; a sample when left out")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codeexplore-bench-") as folder:
        os.environ["CODEEXPLORE_CACHE"] = folder
        path = str(Path(options.path or Path(__file__).parents[1] / "sample_repos" / "webshop").resolve())
        costs = measure(path, options.rounds)
    print(path)
    show(costs)
    if options.json:
        figures = {name: {**each._asdict(), "ratios": ratios(costs)[name]} for name, each in costs.items()}
        options.json.write_text(json.dumps({"path": path, "figures": figures}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
