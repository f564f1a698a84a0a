"""Cold load of a repository beside tree-sitter's bare parse of the same files, in one run.

usage: python benchmarks/load.py [PATH] [--serial] [--json OUT]

PATH defaults to the running interpreter's standard library. Prints seconds and ratios per stage, and memory of all
processes together. Machines differ and are shared: only the ratios of one run mean something.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sysconfig
import threading
import time
from pathlib import Path
from typing import Self

import psutil

from codeexplore import Workspace
from codeexplore.languages import registry
from codeexplore.source.discover import discover
from codeexplore.source.read import read
from codeexplore.syntax.parse import GrammarError, grammar
from codeexplore.types import SourceFile


class PeakMemory:
    """Samples the resident memory of this process and its children, in a thread."""

    def __init__(self) -> None:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        own = psutil.Process()
        while not self._stop.wait(0.02):
            total = own.memory_info().rss
            for child in own.children(recursive=True):
                try:
                    total += child.memory_info().rss
                except psutil.NoSuchProcess:
                    continue  # ended between being listed and being asked
            self.peak = max(self.peak, total)


def bare_parse(root: Path) -> tuple[int, int, float]:
    """Files, bytes and seconds of tree-sitter alone on one core, everything decoded beforehand."""
    found = discover(root)
    work = []
    for candidate in found.candidates:
        language = registry.by_name(candidate.language)
        file = read(found.root, candidate)
        if isinstance(file, SourceFile) and language.grammar:
            try:
                work.append((grammar(language).parser, file.text.encode("utf-8", "replace")))
            except GrammarError as error:
                print(f"without {language.title}: {error}")
    started = time.perf_counter()
    for parser, data in work:
        parser.parse(data)
    return len(work), sum(len(data) for _, data in work), time.perf_counter() - started


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    arguments.add_argument("--serial", action="store_true", help="parse in this process alone")
    arguments.add_argument("--json", metavar="OUT", help="write the figures here")
    options = arguments.parse_args()

    files, size, parse_seconds = bare_parse(Path(options.path))
    gc.collect()
    before = psutil.Process().memory_info().rss
    with PeakMemory() as memory:
        started = time.perf_counter()
        workspace = Workspace(
            options.path, workers=0 if options.serial else None, progress=lambda *_: None, cache=False
        )
        load_seconds = time.perf_counter() - started
    gc.collect()
    resident = psutil.Process().memory_info().rss - before
    chunks = len(workspace.catalog.chunks)

    print(workspace)
    print(f"\nbare parse   {parse_seconds:7.2f} s   {files} files, {size / 1e6:.1f} MB, one core")
    ratio = load_seconds / parse_seconds
    print(f"cold load    {load_seconds:7.2f} s   {ratio:.2f} × bare parse, {os.cpu_count()} cores")
    for stage in workspace.summary.stages:
        print(f"  {stage.stage:<11}{stage.seconds:7.2f} s   {stage.seconds / parse_seconds:.2f} ×")
    print(f"memory       {memory.peak / 1e6:7.0f} MB peak, all processes; {resident / 1e6:.0f} MB kept")
    print(f"             {resident / max(chunks, 1) * 100_000 / 1e6:7.0f} MB kept per 100,000 chunks")
    figures = {
        "files": files,
        "bytes": size,
        "parse_seconds": parse_seconds,
        "load_seconds": load_seconds,
        "ratio": ratio,
        "stages": {stage.stage: stage.seconds for stage in workspace.summary.stages},
        "chunks": chunks,
        "peak_bytes": memory.peak,
        "resident_bytes": resident,
    }
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
