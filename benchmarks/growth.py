"""Time and memory of a cold load as a repository grows, beside the bare parse of the same files.

usage: python benchmarks/growth.py [PATH] [--sizes 250,1000,4000,16000] [--limit GB] [--json OUT] [--plot OUT.svg]

PATH (default: the folder of this environment's installed packages) gives the files: whole packages in a random order,
always the same one, until there are as many as asked for. A tree with more than 16,000 files of many authors:

    pip install --no-deps --no-compile --only-binary :all: --python-version 3.13.5 -t TREE -r benchmarks/growth_tree.txt

Each size is loaded by a process of its own, which ends when all processes together hold more than --limit. Prints for
each the ratio to the bare parse, seconds, peak memory of all processes, processor seconds and peak memory of each
stage, and the median of searches, then how each grows with the number of symbols: the exponent e of
``seconds ~ symbols ** e`` between neighbours, 1 being linear. The graph is resolved by a process of its own beside
BM25 and embeddings; its processor seconds count for the graph. --plot draws them (needs matplotlib). Only ratios of
one run mean something; where others use the machine, only those of processor seconds do.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import psutil
from load import PeakMemory, bare_parse

SEED = 7
OVER_LIMIT = 76
"""Exit status of a load that took more memory than it may."""

QUESTIONS = 40
STAGES = ("parse", "catalog", "words", "bm25", "embeddings", "graph")


def chosen(root: Path, wanted: int) -> list[str]:
    """Paths of indexable files, package by package, until there are enough."""
    from codeexplore.source.discovery import discover

    packages: dict[str, list[str]] = {}
    for candidate in discover(root, include_ignored=True).candidates:
        packages.setdefault(candidate.path.split("/")[0], []).append(candidate.path)
    order = sorted(packages)
    random.Random(SEED).shuffle(order)
    return [path for package in order for path in packages[package]][:wanted]


class Stages:
    """What each stage takes of processor seconds and memory, children included: the hook of a load.

    Parameters
    ----------
    limit
        Bytes of all processes together above which this process and its children end.
    """

    def __init__(self, limit: float) -> None:
        self.cpu: dict[str, float] = {}
        self.peaks: dict[str, int] = {}
        self._limit, self._stage, self._spent = limit, "discover", cpu_seconds()
        self._memory = PeakMemory(on_sample=self.sample)

    def __call__(self, stage: str, _done: int, _total: int) -> None:
        """A stage goes on, or the next begins."""
        if stage != self._stage:
            self._count()
            self._stage = stage

    def __enter__(self) -> Self:
        self._memory.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._count()
        self._memory.__exit__()

    def _count(self) -> None:
        now = cpu_seconds()
        self.cpu[self._stage] = self.cpu.get(self._stage, 0.0) + now - self._spent
        self._spent = now

    def sample(self, total: int, processes: list[psutil.Process]) -> None:
        """Count a sample of the memory of all processes. The first of `processes` is this one."""
        self.peaks[self._stage] = max(self.peaks.get(self._stage, 0), total)
        if total > self._limit:
            for child in processes[1:]:
                with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                    child.kill()
            os._exit(OVER_LIMIT)


def cpu_seconds() -> float:
    """Processor seconds of this process and of its children that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def load(root: Path, limit: float) -> dict[str, Any]:
    """The figures of one load, in this process."""
    from search_latency import questions_about

    from codeexplore import Workspace

    files, size, parse_seconds = bare_parse(root, time.process_time)
    before = psutil.Process().memory_info().rss
    with Stages(limit) as stages:
        started = time.perf_counter()
        ws = Workspace(root, cache=False, progress=stages, include_ignored=True)
        seconds = time.perf_counter() - started
    resident = psutil.Process().memory_info().rss - before
    times = []
    for question in questions_about(ws, QUESTIONS):
        started = time.process_time()
        ws.search(question.query, timeout=60.0)
        times.append(time.process_time() - started)
    return {
        "files": len(ws.files), "parsed": files, "bytes": size, "symbols": len(ws.catalog.symbols),
        "chunks": len(ws.catalog.chunks), "edges": len(ws.graph.edges), "parse_seconds": parse_seconds,
        "load_seconds": seconds, "stages": {stage.stage: stage.seconds for stage in ws.summary.stages},
        "cpu_seconds": sum(stages.cpu.values()), "cpu": stages.cpu, "peaks": stages.peaks,
        "peak_bytes": max(stages.peaks.values()), "resident_bytes": resident,
        "search_ms": statistics.median(times) * 1e3, "warnings": ws.summary.warnings[:5],
    }  # fmt: skip


def measure(source: Path, sizes: Sequence[int], limit: float = 12.0) -> list[dict[str, Any]]:
    """One load for each size, each in a process of its own, which may hold `limit` GB."""
    paths = chosen(source, max(sizes))
    rows: list[dict[str, Any]] = []
    for size in sorted(sizes):
        if rows and len(paths) <= rows[-1]["files"]:
            print(f"{source} has {len(paths):,} files to index: no row for {size:,}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for path in paths[:size]:
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source / path, target)
            command = [sys.executable, __file__, folder, "--one", "--limit", str(limit)]
            told = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
        if told.returncode == OVER_LIMIT:
            print(f"{size:,} files take more than {limit:g} GB: no row for them")
            break
        told.check_returncode()
        rows.append(json.loads(told.stdout.splitlines()[-1]))
        show(rows[-1])
    return rows


def show(row: dict[str, Any]) -> None:
    """One line for one size."""
    spent, parse = row["cpu_seconds"], row["parse_seconds"]
    stages = "  ".join(f"{each} {row['cpu'].get(each, 0.0):.1f}" for each in STAGES)
    peaks = "  ".join(f"{each} {row['peaks'].get(each, 0) / 1e6:,.0f}" for each in STAGES)
    print(
        f"{row['files']:>7,} files {row['bytes'] / 1e6:6.1f} MB {row['symbols']:>9,} symbols  "
        f"load {row['load_seconds']:6.1f} s, {spent:6.1f} processor seconds = {spent / parse:5.2f} × bare parse  "
        f"peak {row['peak_bytes'] / 1e6:6,.0f} MB  search {row['search_ms']:5.1f} ms\n"
        f"        processor seconds: {stages}\n        peaks, MB: {peaks}",
        flush=True,
    )


def exponents(rows: Sequence[dict[str, Any]]) -> list[dict[str, float]]:
    """For neighbouring sizes, how each figure grows with the number of symbols."""
    found = []
    for small, large in itertools.pairwise(rows):
        growth = math.log(large["symbols"] / small["symbols"])
        pairs = {
            "load": (small["cpu_seconds"], large["cpu_seconds"]),
            "bare parse": (small["parse_seconds"], large["parse_seconds"]),
            "peak": (small["peak_bytes"], large["peak_bytes"]),
            "kept": (small["resident_bytes"], large["resident_bytes"]),
            "search": (small["search_ms"], large["search_ms"]),
        }
        pairs |= {stage: (small["cpu"].get(stage, 0.0), large["cpu"].get(stage, 0.0)) for stage in STAGES}
        found.append({name: math.log(b / a) / growth for name, (a, b) in pairs.items() if a > 0 and b > 0})
    return found


def plot(rows: Sequence[dict[str, Any]], target: Path) -> None:
    """Seconds, memory and search time against symbols, on logarithmic axes, with a straight line of slope 1."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
    except ImportError as error:
        raise SystemExit(f"--plot draws with matplotlib ({error}): pip install matplotlib") from error
    symbols = [row["symbols"] for row in rows]
    panels: list[tuple[str, dict[str, list[float]]]] = [
        ("cold load, processor seconds", {
            "bare parse": [row["parse_seconds"] for row in rows],
            "all": [row["cpu_seconds"] for row in rows],
            **{stage: [row["cpu"].get(stage, 0.0) for row in rows] for stage in ("parse", "graph")},
        }),
        ("memory, MB", {"peak, all processes": [row["peak_bytes"] / 1e6 for row in rows],
                        "kept": [row["resident_bytes"] / 1e6 for row in rows]}),
        ("search, ms", {"median": [row["search_ms"] for row in rows]}),
    ]  # fmt: skip
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    for axes, (title, lines) in zip(figure.subplots(1, len(panels)), panels, strict=True):
        for name, values in lines.items():
            axes.loglog(symbols, values, marker="o", markersize=4, label=name)
        first = max(values[0] for values in lines.values())
        axes.loglog(symbols, [first * count / symbols[0] for count in symbols], ":", color="gray", label="linear")
        axes.set(title=title, xlabel="symbols")
        axes.set_xticks(symbols, [f"{count / 1000:,.0f} k" for count in symbols])
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_formatter(NullFormatter())
        axes.legend(fontsize=8)
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", default=sysconfig.get_paths()["purelib"])
    arguments.add_argument("--sizes", default="250,1000,4000,16000")
    arguments.add_argument("--json", type=Path, metavar="OUT")
    arguments.add_argument("--plot", type=Path, metavar="OUT.svg")
    arguments.add_argument("--limit", type=float, default=12.0, metavar="GB")
    arguments.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.one:
        print(json.dumps(load(Path(options.path), options.limit * 1e9)))
        return
    rows = measure(Path(options.path), [int(size) for size in options.sizes.split(",")], options.limit)
    for (small, large), grown in zip(itertools.pairwise(rows), exponents(rows), strict=True):
        told = "  ".join(f"{name} {exponent:.2f}" for name, exponent in grown.items())
        print(f"{small['files']:,} to {large['files']:,} files, exponent: {told}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
