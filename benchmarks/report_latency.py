"""Time of a bug report of 10 kB over many chunks, beside short questions in the same run.

usage: python benchmarks/report_latency.py [PATH] [--reports N] [--bytes N]

PATH defaults to the running interpreter's standard library. Reports are made from the repository itself: sentences of
documentation, source, and a stack trace through random functions; always the same ones. A question is asked after each
report: whatever else the machine does falls on both. CPU times hardly depend on what else runs.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from codeexplore import Workspace
from codeexplore.types import CALLABLE_KINDS, Symbol

_SEED: Final = 7
_WARM_UP: Final = 3


class Times(NamedTuple):
    """Seconds of one answer: on the clock, and of all processor time."""

    wall: float
    cpu: float


def reports_about(workspace: Workspace, count: int, size: int) -> list[str]:
    """Return reports of about `size` characters: a fifth prose, a tenth frames, the rest code."""
    chooser = random.Random(_SEED)
    callables = [symbol for symbol in workspace.symbols if symbol.kind in CALLABLE_KINDS]
    told = [symbol for symbol in callables if len(symbol.doc) > 30] or callables
    return [_report(workspace, chooser, callables, told, size) for _ in range(count)]


def _report(
    workspace: Workspace, chooser: random.Random, callables: list[Symbol], told: list[Symbol], size: int
) -> str:  # fmt: skip
    def filled(part: Callable[[], str], length: float) -> str:
        text = ""
        while len(text) < length:
            text += part()
        return text[: int(length)]

    def prose() -> str:
        symbol = chooser.choice(told)
        return f"{symbol.doc.strip()} `{symbol.name}` does not.\n\n"

    def frame() -> str:
        symbol = chooser.choice(callables)
        return f'  File "/srv/app/{symbol.path}", line {symbol.span.start_line}, in {symbol.name}\n'

    def code() -> str:
        return str(workspace.source(chooser.choice(callables))) + "\n"

    title = " ".join(chooser.choice(told).doc.split()[:12])
    trace = f"Traceback (most recent call last):\n{filled(frame, 0.1 * size)}\nValueError: wrong value\n"
    return f"{title} fails\n\n{filled(prose, 0.2 * size)}\n\n```\n{filled(code, 0.7 * size)}\n```\n\n{trace}"


def timed(ask: Callable[[], object]) -> Times:
    """Return the times of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    ask()
    return Times(time.perf_counter() - wall, time.process_time() - cpu)


def measured(workspace: Workspace, count: int, size: int) -> dict[str, list[Times]]:
    """Return the times of reports and of short questions, asked in turn."""
    reports = reports_about(workspace, count + _WARM_UP, size)
    questions = [text.partition("\n")[0] for text in reports[::-1]]
    found: dict[str, list[Times]] = {"report": [], "question": []}
    for place, (report, question) in enumerate(zip(reports, questions, strict=True)):
        each = timed(lambda text=report: workspace.localise(text)), timed(lambda text=question: workspace.search(text))
        if place >= _WARM_UP:
            for name, times in zip(found, each, strict=True):
                found[name].append(times)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=sysconfig.get_path("stdlib"), type=Path)
    parser.add_argument("--reports", type=int, default=40)
    parser.add_argument("--bytes", type=int, default=10_000)
    options = parser.parse_args()
    workspace = Workspace(options.path)
    found = measured(workspace, options.reports, options.bytes)
    print(f"{len(workspace.catalog.chunks):,} chunks, {options.reports} reports of {options.bytes:,} characters")
    medians = {
        name: [statistics.median(column) for column in zip(*times, strict=True)] for name, times in found.items()
    }
    for name, (wall, cpu) in medians.items():
        slow = sorted(each.wall for each in found[name])[int(0.95 * len(found[name]))]
        print(f"{name:10s} median {wall * 1e3:7.1f} ms, 95th percentile {slow * 1e3:7.1f} ms, CPU {cpu * 1e3:7.1f} ms")
    report, question = medians["report"], medians["question"]
    print(f"ratio of medians: {report[0] / question[0]:.1f}, of CPU {report[1] / question[1]:.1f}")


if __name__ == "__main__":
    main()
