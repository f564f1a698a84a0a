"""Random edits: after each, a refresh must tell what a load from nothing tells, to the order of its lists.

usage: python benchmarks/refresh_equals_load.py PATH [PATH ...] [--edits N] [--files N] [--seed N] [--json OUT]

Each PATH is copied, at most `--files` of its source files, and edited as in `soak.py`. A third of the refreshes is
interrupted first, at a random point (see `interrupts.py`). Compared are files, symbols, chunks, edges, unresolved uses,
uses of what lies outside, PageRank and what is counted.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from interrupts import at_point, load
from random_edits import Editor, copied_for_edits

from codeexplore import NothingToIndex, Workspace

INTERRUPTED = 1 / 3
"""Share of the refreshes that are interrupted first."""

POINTS = 60_000
"""An interrupt comes at one of so many points at the latest; a refresh that passes fewer is not interrupted."""


def told(ws: Workspace) -> dict[str, Any]:
    """What is compared, by name."""
    summary = replace(ws.summary, stages=(), warnings=(), skipped_files=())
    return {
        "files": ws.files, "symbols": tuple(ws.catalog.symbols), "chunks": tuple(ws.catalog.chunks),
        "edges": list(ws.graph.edges), "unresolved": list(ws.graph.unresolved),
        "externals": list(ws.graph.externals), "names outside": ws.graph.externals.names(),
        "importance": ws.graph.ranks, "summary": summary,
        "skipped": Counter(ws.summary.skipped_files),
    }  # fmt: skip


def run(source: Path, edits: int, files: int, seed: int) -> dict[str, Any]:
    """Edit one tree so many times; what differed."""
    chance, count, wrong = random.Random(seed), Counter[str](), []
    with copied_for_edits(source, files) as root:
        editor, ws = Editor(root, seed), load(root)
        for number in range(edits):
            kind = editor.edit()
            count["edits"] += 1
            count[kind] += 1
            try:
                if chance.random() < INTERRUPTED:
                    at = int(POINTS ** chance.random())  # as often early as late, whatever its length
                    count["interrupted"] += at_point(ws.refresh, at)[0]
                ws.refresh()
            except NothingToIndex:
                continue
            found, anew = told(ws), told(load(root))
            different = [name for name, value in anew.items() if found[name] != value]
            if different:
                wrong.append(f"{source.name}, edit {number} ({kind}): {', '.join(different)}")
                print(wrong[-1], flush=True)
                ws = load(root)
    return {"repository": source.name, **count, "wrong": wrong}


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--files", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    results = []
    for path in given.paths:
        results.append(run(path.resolve(), given.edits, given.files, given.seed))
        print(json.dumps(results[-1]), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(results, indent=2) + "\n")
    if any(result["wrong"] for result in results):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
