"""Cold load of a repository beside tree-sitter's bare parse of the same files, in one run.

usage: python benchmarks/load.py [PATH] [--one-core] [--semble PYTHON] [--json OUT]

PATH defaults to the running interpreter's standard library. Prints seconds and ratios per stage, processor seconds of
this process and its children, and the memory of all processes together. Then it loads with graph="background": "first
answer" is the time until a question was answered without the graph, beside that until the graph was there. --one-core
loads a second time in one process, on one core where the system can pin it. PYTHON is the interpreter of an environment
that has semble: it indexes the files that we index, with our bundled model. Each load has a process of its own.
Machines differ and are shared: only the ratios of one run mean something.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import psutil

from codeexplore import Workspace
from codeexplore.languages import registry
from codeexplore.search.lanes.encoder import BUNDLED
from codeexplore.source.discovery import discover
from codeexplore.source.read import read
from codeexplore.syntax.parse import GrammarError, grammar
from codeexplore.types import SourceFile

QUESTION = "where is a file opened and closed again?"
PEER = Path(__file__).parent / "peers" / "ask_semble.py"


class PeakMemory:
    """Samples the resident memory of a process and its children, in a thread. The process is this one by default.

    `on_sample` is called with the bytes of each sample and the processes, the first of which is the given one.
    """

    def __init__(
        self, pid: int | None = None, on_sample: Callable[[int, list[psutil.Process]], None] | None = None
    ) -> None:
        self.peak = 0
        self._process, self._on_sample = psutil.Process(pid), on_sample
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        together, sample = [self._process], 0
        while sample == 0 or not self._stop.wait(0.02):  # once at the start: a process may end soon
            if sample % 25 == 0:  # looking for children takes milliseconds
                try:
                    together = [self._process, *self._process.children(recursive=True)]
                except psutil.NoSuchProcess:
                    return
            sample += 1
            total = 0
            for process in together:
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue  # ended since it was listed
            self.peak = max(self.peak, total)
            if self._on_sample is not None:
                self._on_sample(total, together)


def bare_parse(root: Path, clock: Callable[[], float] = time.perf_counter) -> tuple[int, int, float]:
    """Files, bytes and seconds of tree-sitter alone on one core, everything decoded beforehand."""
    found = discover(root)
    work = []
    parsers: dict[str, Any] = {}
    for candidate in found.candidates:
        language = registry.by_name(candidate.language)
        file = read(found.root, candidate)
        if isinstance(file, SourceFile) and language.grammar:
            try:
                if language.name not in parsers:
                    parsers[language.name] = grammar(language).readers.take().parser
                work.append((parsers[language.name], file.text.encode("utf-8", "replace")))
            except GrammarError as error:
                print(f"without {language.title}: {error}")
    started = clock()
    for parser, data in work:
        parser.parse(data)
    return len(work), sum(len(data) for _, data in work), clock() - started


def one_load(path: str, serial: bool) -> dict[str, Any]:
    """The figures of a load in this process, which has done nothing else yet."""
    if serial and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    before = psutil.Process().memory_info().rss
    with PeakMemory() as memory:
        started = time.perf_counter()
        workspace = Workspace(path, workers=0 if serial else None, progress=lambda *_: None, cache=False)
        seconds = time.perf_counter() - started
    gc.collect()
    spent = os.times()
    return {
        "told": str(workspace),
        "seconds": seconds,
        "cpu_seconds": spent.user + spent.system + spent.children_user + spent.children_system,
        "stages": {stage.stage: stage.seconds for stage in workspace.summary.stages},
        "chunks": len(workspace.catalog.chunks),
        "peak_bytes": memory.peak,
        "resident_bytes": psutil.Process().memory_info().rss - before,
    }


def processor_seconds() -> float:
    """Processor seconds of this process and of its children, those that still run included."""
    spent = os.times()
    total = spent.user + spent.system + spent.children_user + spent.children_system
    for child in psutil.Process().children(recursive=True):
        try:
            used = child.cpu_times()
        except psutil.NoSuchProcess:
            continue  # ended between being listed and being asked
        total += used.user + used.system
    return total


def first_answer(path: str) -> dict[str, float]:
    """Seconds of a load with its graph later, in this process: to an answer, and until the graph is there."""
    started = time.perf_counter()
    workspace = Workspace(path, progress=lambda *_: None, cache=False, graph="background")
    loaded = time.perf_counter() - started
    answer = workspace.search(QUESTION)
    answered, spent = time.perf_counter() - started, processor_seconds()
    waited = any(ranking.status == "waiting" for ranking in answer.result.rankings) or "graph" not in answer.plan.lanes
    workspace.wait_for_graph()
    return {"loaded": loaded, "answered": answered, "whole": time.perf_counter() - started, "without_graph": waited,
            "answered_cpu_seconds": spent}  # fmt: skip


def in_own_process(path: str, how: str) -> dict[str, Any]:
    """The figures of a load in a new process."""
    command = [sys.executable, __file__, path, "--how", how]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout
    figures: dict[str, Any] = json.loads(told.splitlines()[-1])
    return figures


def copy_indexed(path: Path, folder: Path) -> None:
    """Copy the files that we index in `path` to `folder`."""
    for candidate in discover(path).candidates:
        target = folder / candidate.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path / candidate.path, target)


def semble_index(path: Path, python: Path) -> dict[str, Any]:
    """What semble tells of indexing the same files."""
    with tempfile.TemporaryDirectory() as folder:
        copy_indexed(path, Path(folder))
        command = [str(python), str(PEER), folder, str(BUNDLED)]
        told = subprocess.run(command, check=True, input="", stdout=subprocess.PIPE, text=True).stdout
    figures: dict[str, Any] = json.loads(told.splitlines()[0])
    return figures


def show(name: str, figures: dict[str, Any], parse_seconds: float) -> None:
    """One load in lines."""
    seconds, spent = figures["seconds"], figures["cpu_seconds"]
    ratio = f"{seconds / parse_seconds:5.2f} × bare parse"
    print(f"\n{name:<13}{seconds:7.2f} s   {ratio}; {spent:.2f} processor seconds, imports included")
    for stage, taken in figures["stages"].items():
        print(f"  {stage:<11}{taken:7.2f} s   {taken / parse_seconds:5.2f} ×")
    kept, chunks = figures["resident_bytes"] / 1e6, max(figures["chunks"], 1)
    print(f"  memory     {figures['peak_bytes'] / 1e6:7.0f} MB peak, all processes; {kept:.0f} MB kept,")
    print(f"             {kept / chunks * 100_000:7.0f} MB kept per 100,000 chunks")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    arguments.add_argument("--one-core", action="store_true", help="load once more, in one process on one core")
    arguments.add_argument("--semble", type=Path, metavar="PYTHON", help="let semble index the same files")
    arguments.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    arguments.add_argument("--how", choices=("parallel", "serial", "background"), help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.how == "background":
        print(json.dumps(first_answer(options.path)))
        return
    if options.how:
        print(json.dumps(one_load(options.path, options.how == "serial")))
        return

    files, size, parse_seconds = bare_parse(Path(options.path))
    result: dict[str, Any] = {"files": files, "bytes": size, "parse_seconds": parse_seconds}
    result["cold"] = in_own_process(options.path, "parallel")
    print(result["cold"].pop("told"))
    print(f"\nbare parse   {parse_seconds:7.2f} s   {files} files, {size / 1e6:.1f} MB, one core")
    show("cold load", result["cold"], parse_seconds)
    later = result["first_answer"] = in_own_process(options.path, "background")
    share = later["answered"] / later["whole"]
    print(
        f"\nfirst answer {later['answered']:7.2f} s   {later['answered'] / parse_seconds:5.2f} × bare parse; "
        f"graph there after {later['whole']:.2f} s: {share:.2f} of the wait; "
        f"{later['answered_cpu_seconds']:.2f} processor seconds until the answer"
    )
    if options.one_core:
        result["one_core"] = in_own_process(options.path, "serial")
        show("on one core", result["one_core"], parse_seconds)
    if options.semble:
        peer = result["semble"] = semble_index(Path(options.path), options.semble)
        ratio = peer["seconds"] / result["cold"]["seconds"]
        print(
            f"\nsemble {peer['version']:<6}{peer['seconds']:7.2f} s   "
            f"{peer['seconds'] / parse_seconds:5.2f} × bare parse; "
            f"{peer['cpu_seconds']:.2f} processor seconds; {peer['files']:,} files, {peer['chunks']:,} chunks"
        )
        print(f"             our cold load, call graph included, is {ratio:.2f} times as fast,")
        print(f"             our first answer {peer['seconds'] / later['answered']:.2f} times")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
