"""How far the edges that `ws.refresh(graph="background")` tells at once agree with those of a whole resolution.

usage: python benchmarks/provisional.py GIT [--commits N] [--seed S] [--verbose] [--json OUT]

Clones GIT and takes N of the last 3,000 commits, drawn, that touch one to three source files. For each: the state
before it is loaded, the commit is checked out and refreshed with graph="background". The edges at hand are compared
with those after `wait_for_graph`. An edge is a source, a target and a kind, at confidence .5 or more. Prints of all
edges that a commit brought how many were there at once, of those that it took how many still stood, and how many of all
edges were wrong or missing; and processor milliseconds of the refresh beside those of the graph behind it, in one run.
With
--verbose, also each commit's figures and its wrong and missing edges, at most twenty of each, with their rules.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from codeexplore import Workspace
from codeexplore.languages import registry
from codeexplore.languages.registry import family_of

_LAST = 3_000
_SURE = 0.5
Edges = Mapping[tuple[str, str, str], str]
"""The rule of each edge, by source, target and kind."""
_SHOWN = 20


def git(folder: Path, *words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, check=True).stdout.decode(
        "utf-8", "replace"
    )


def commits(clone: Path, number: int, seed: int) -> list[str]:
    """Some commits that touch few source files, oldest first."""
    fitting, order = [], []
    for entry in git(clone, "log", "--no-merges", f"-{_LAST}", "--format=%x00%H", "--name-only").split("\0")[1:]:
        commit, *paths = entry.split()
        order.append(commit)
        if 1 <= sum(is_source(path) for path in paths) <= 3:
            fitting.append(commit)
    drawn = random.Random(seed).sample(fitting[:-1], min(number, len(fitting) - 1))  # the first has no state before it
    return sorted(drawn, key=order.index, reverse=True)


def is_source(path: str) -> bool:
    """Whether references of a file are resolved."""
    language = registry.by_path(path)
    return language is not None and family_of(language.name) != ""


def edges(ws: Workspace) -> Edges:
    """What is likely enough to be shown."""
    return {(e.source, e.target, e.kind): e.rule for e in ws.graph.edges if e.confidence >= _SURE}


def processor_ms() -> float:
    """Of this process and of children that ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime)


def show(commit: str, told: Edges, right: Edges, before: Edges) -> None:
    """The edges of one commit that were wrong or missing."""
    new = right.keys() - before.keys()
    print(f"{commit[:10]}: {len(new & told.keys())} of {len(new)} new edges")
    for what, one, other in (("missing", right, told), ("wrong", told, right)):
        differing = sorted(one.keys() - other.keys())
        for source, target, kind in differing[:_SHOWN]:
            print(f"  {what} {kind} {one[source, target, kind]}: {source} → {target}")
        if len(differing) > _SHOWN:
            print(f"  … and {len(differing) - _SHOWN} more {what}")


def follow(clone: Path, chosen: list[str], verbose: bool) -> tuple[Counter[str], list[float], list[float]]:
    """Counts of edges, and the milliseconds of each refresh and of each graph behind it."""
    count: Counter[str] = Counter()
    soon, late = [], []
    ws: Workspace | None = None
    for commit in chosen:
        git(clone, "checkout", "-q", "-f", f"{commit}^")
        if ws is None:
            ws = Workspace(clone, cache=False)
        else:
            ws.refresh()
        before = edges(ws)
        git(clone, "checkout", "-q", "-f", commit)
        started = time.process_time()
        ws.refresh(graph="background")
        taken = 1e3 * (time.process_time() - started)
        if not ws.graph_pending:
            continue  # it says nothing new
        told, started = edges(ws), processor_ms()
        if not ws.wait_for_graph():
            raise SystemExit(f"{commit}: the graph was not resolved")
        right = edges(ws)
        soon.append(taken)
        late.append(processor_ms() - started)
        new, gone = right.keys() - before.keys(), before.keys() - right.keys()
        count.update(
            commits=1, edges=len(right), new=len(new), found=len(new & told.keys()), gone=len(gone),
            stale=len(gone & told.keys()), wrong=len(told.keys() - right.keys()),
            missing=len(right.keys() - told.keys()),
        )  # fmt: skip
        if verbose:
            show(commit, told, right, before)
    return count, soon, late


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("git", help="a repository with its history")
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / Path(given.git).resolve().name
        git(Path.cwd(), "clone", "-q", given.git, str(clone))
        count, soon, late = follow(clone, commits(clone, given.commits, given.seed), given.verbose)
    if not count:
        raise SystemExit("none of the commits moves an edge; draw more with --commits")
    print(f"{count['commits']} commits that may move edges; {count['edges'] // count['commits']:,} edges on average")
    print(f"new edges there at once   {count['found']:,} of {count['new']:,}")
    print(f"edges that went but stood {count['stale']:,} of {count['gone']:,}")
    print(f"of all edges wrong        {count['wrong']:,}, missing {count['missing']:,} of {count['edges']:,}")
    ratio = statistics.median(late) / statistics.median(soon)
    print(
        f"refresh, median           {statistics.median(soon):.0f} ms; the graph behind it takes {ratio:.0f} times that"
    )
    if given.json:
        given.json.write_text(json.dumps({**count, "refresh_ms": soon, "graph_ms": late}, indent=1))


if __name__ == "__main__":
    main()
