"""Time, memory and edges of loads whose input doubles: constructs that multiply where a resolver is careless.

usage: python benchmarks/blowups.py [NAME …] [--base N] [--doublings N] [--limit S] [--json OUT]
       python benchmarks/blowups.py --files FILE [FILE …]

Each generator of `blowup_sources.py` (all by default) is loaded at N, 2N, 4N … by a process of its own, everything in
that process, and ended after S processor seconds. Printed for each: bytes, symbols, edges, processor seconds and peak
memory of the largest, then the exponents e of ``seconds ~ bytes ** e`` from the smallest to the largest, for processor
seconds, edges and memory; seconds and memory count above those of a load of one empty function. 1 is linear.

--files loads single files, such as the worst generated files of installed packages, one at a time.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import blowup_sources

BASE = 500
DOUBLINGS = 3
LIMIT = 120.0
LEAST = {"seconds": 0.1, "edges": 1.0, "peak_mb": 2.0}
"""What counts as nothing: below, a figure above the empty load's is noise."""


def load(root: Path) -> dict[str, Any]:
    """Load a folder in this process; the figures."""
    import resource  # POSIX only

    from codeexplore import Workspace

    started = time.process_time()
    ws = Workspace(root, cache=False, workers=0, progress=lambda *_: None)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return {
        "bytes": ws.summary.bytes, "symbols": len(ws.catalog.symbols), "edges": len(ws.graph.edges),
        "seconds": seconds, "peak_mb": peak, "notes": ws.graph.notes,
        "stages": {stage.stage: stage.seconds for stage in ws.summary.stages},
    }  # fmt: skip


def measured(files: Mapping[str, str | Path], limit: float) -> dict[str, Any] | str:
    """The figures of loading texts, or files to be copied, in a process of its own; or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copyfile(content, target)
            else:
                target.write_text(content, "utf-8")
        command = [sys.executable, __file__, "--one", folder, "--limit", str(limit)]
        told = subprocess.run(command, check=False, capture_output=True, text=True)
    if told.returncode:
        return (
            told.stderr.strip().splitlines()[-1] if told.stderr.strip() else f"ended after {limit:g} processor seconds"
        )
    figures: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return figures


def exponents(small: Mapping[str, Any], large: Mapping[str, Any], empty: Mapping[str, Any]) -> dict[str, float]:
    """How processor seconds, edges and memory above those of an empty load grow with the bytes."""
    grown = math.log(large["bytes"] / small["bytes"])
    found = {}
    for key, least in LEAST.items():
        before, after = (max(each[key] - empty[key], least) for each in (small, large))
        found[key] = math.log(after / before) / grown
    return found


def run(names: Sequence[str], base: int, doublings: int, limit: float) -> list[dict[str, Any]]:
    """Load each generator at all sizes, and print a row for it."""
    empty = measured({"made.py": "def nothing(): pass\n"}, limit)
    if isinstance(empty, str):
        raise SystemExit(empty)
    print(f"empty: {empty['seconds']:.2f} processor s, {empty['peak_mb']:.0f} MB")
    print("| construct | kB | symbols | edges | processor s | peak MB | time | edges | memory |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for name in names:
        sizes = [base << doubling for doubling in range(doublings + 1)]
        figures = [measured(blowup_sources.GENERATORS[name](size), limit) for size in sizes]
        failed = [f"{size}: {each}" for size, each in zip(sizes, figures, strict=True) if isinstance(each, str)]
        whole = [each for each in figures if not isinstance(each, str)]
        if failed or len(whole) < 2:
            print(f"| {name} | {'; '.join(failed)} |", flush=True)
            rows.append({"name": name, "failed": failed})
            continue
        grown = exponents(whole[0], whole[-1], empty)
        print(f"| {name} | {shown(whole[-1])} | {' | '.join(f'{grown[key]:.2f}' for key in LEAST)} |", flush=True)
        rows.append({"name": name, "sizes": sizes, "figures": whole, "exponents": grown})
    return rows


def shown(row: Mapping[str, Any]) -> str:
    """The figures of one load as cells."""
    cells = (row["bytes"] / 1e3, row["symbols"], row["edges"])
    return " | ".join([*(f"{cell:,.0f}" for cell in cells), f"{row['seconds']:.1f}", f"{row['peak_mb']:,.0f}"])


def run_files(paths: Sequence[Path], limit: float) -> list[dict[str, Any]]:
    """Load single files, and print a row for each."""
    print("| file | kB | symbols | edges | processor s | peak MB |\n|---|---|---|---|---|---|", flush=True)
    rows: list[dict[str, Any]] = []
    for path in paths:
        row = measured({path.name: path}, limit)
        name = "/".join(path.parts[-2:])
        print(f"| {name} | {row if isinstance(row, str) else shown(row)} |", flush=True)
        rows.append({"name": name, **({"failed": row} if isinstance(row, str) else row)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", default=[])
    parser.add_argument("--base", type=int, default=BASE, metavar="N")
    parser.add_argument("--doublings", type=int, default=DOUBLINGS, metavar="N")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="S")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(options.limit), math.ceil(options.limit)))
        print(json.dumps(load(options.one)))
        return
    if unknown := set(options.names) - set(blowup_sources.GENERATORS):
        raise SystemExit(f"no generator is called {', '.join(sorted(unknown))}; see blowup_sources.py")
    names = options.names or list(blowup_sources.GENERATORS)
    if options.files:
        rows = run_files(options.files, options.limit)
    else:
        rows = run(names, options.base, options.doublings, options.limit)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
