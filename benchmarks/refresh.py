"""`ws.refresh()` after edits of several kinds beside the cold load of the same files, in one run.

usage: python benchmarks/refresh.py [PATH] [--rounds N] [--later] [--check] [--json OUT]

PATH (default: the standard library) is copied to a temporary
folder and edited there. Prints the median wall and processor seconds of each kind of edit and its stages; --check
compares the graph and the answers with a cold load after each kind. --later resolves graphs in the background and
prints how long they take as the stage "settle". Only the ratios of one run mean something.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from codeexplore import Workspace


def silent(stage: str, done: int, total: int) -> None:
    """No bar."""


def comment(file: Path, number: int) -> None:
    """A comment at the end of a file: nothing new is said."""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"\n# remark {number}\n")


def function(file: Path, number: int) -> None:
    """A new function that calls another: names must be resolved anew."""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"\n\ndef added_{number}(value):\n    return added_{number - 1}(value)\n")


def new_file(file: Path, number: int) -> None:
    """A new file beside another."""
    (file.parent / f"added_file_{number}.py").write_text(f"def in_new_file_{number}():\n    pass\n")


def rename(file: Path, number: int) -> None:
    """A file gets another name."""
    file.rename(file.with_name(f"renamed_{number}_{file.name}"))


def delete(file: Path, number: int) -> None:  # noqa: ARG001 - edits are made alike
    """A file goes."""
    file.unlink()


EDITS: tuple[Callable[[Path, int], None], ...] = (comment, function, new_file, rename, delete)


def measure(root: Path, rounds: int, check: bool, later: bool) -> dict[str, object]:
    started, cpu = time.perf_counter(), time.process_time()
    ws = Workspace(root, cache=False, progress=silent)
    cold = {"wall": time.perf_counter() - started, "cpu": time.process_time() - cpu}
    kinds: dict[str, object] = {}
    chance = random.Random(1)
    nothing = [_timed(ws, later) for _ in range(rounds)]
    kinds["nothing changed"] = _summary(nothing)
    for edit in EDITS:
        runs = []
        for number in range(1, rounds + 1):
            files = sorted(root / path for path in ws.files if path.endswith(".py") and "__init__" not in path)
            edit(chance.choice(files), number)
            runs.append(_timed(ws, later))
        kinds[edit.__name__] = _summary(runs)
        if check:
            fresh = Workspace(root, cache=False, progress=silent)
            assert list(ws.graph.edges) == list(fresh.graph.edges), f"edges differ after {edit.__name__}"
            assert tuple(ws.catalog.chunks) == tuple(fresh.catalog.chunks), f"chunks differ after {edit.__name__}"
            one, other = (each.search("where is a header parsed?", timeout=60.0).result for each in (ws, fresh))
            assert one.hits == other.hits, f"answers differ after {edit.__name__}"
    return {"files": len(ws.files), "symbols": len(ws.catalog.symbols), "chunks": len(ws.catalog.chunks),
            "cold": cold, "kinds": kinds}  # fmt: skip


def _timed(ws: Workspace, later: bool) -> dict[str, float]:
    started, cpu = time.perf_counter(), time.process_time()
    changes = ws.refresh(graph="later" if later else "now", progress=silent)
    taken = {"wall": time.perf_counter() - started, "cpu": time.process_time() - cpu}
    if changes:
        taken |= {stage.stage: stage.seconds for stage in ws.summary.stages}
    if ws.graph_pending:
        started = time.perf_counter()
        ws.settle()
        taken["settle"] = time.perf_counter() - started
    return taken


def _summary(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run.get(name, 0.0) for run in runs) for name in runs[-1]}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--later", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--json", type=Path, metavar="OUT")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "copy"
        shutil.copytree(options.path, root, ignore=shutil.ignore_patterns("site-packages", "__pycache__", ".git"))
        result = measure(root, options.rounds, options.check, options.later)
    cold, kinds = result["cold"], result["kinds"]
    assert isinstance(cold, dict)
    assert isinstance(kinds, dict)
    print(f"{result['files']:,} files, {result['symbols']:,} symbols, {result['chunks']:,} chunks")
    print(f"{'':20}{'wall s':>9}{'cpu s':>9}{'cold / this':>13}  stages")
    print(f"{'cold load':20}{cold['wall']:>9.2f}{cold['cpu']:>9.2f}")
    for name, taken in kinds.items():
        stages = ", ".join(f"{stage} {taken[stage] * 1e3:.0f}" for stage in taken if stage not in ("wall", "cpu"))
        print(f"{name:20}{taken['wall']:>9.3f}{taken['cpu']:>9.3f}{cold['wall'] / taken['wall']:>12.1f}x  ms: {stages}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
