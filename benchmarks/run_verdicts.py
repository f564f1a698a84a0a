"""What codeexplore says about callers, dead code and paths, beside the calls of a run, in any language.

usage: python benchmarks/run_verdicts.py FOLDER … [--pairs N] [--show N]

A FOLDER has ``src``, a repository, and ``run.json``, which a tracer of `benchmarks/tracers` wrote while the tests of
the repository ran:

    {"functions": [[PATH, LINE, NAME], …], "calls": [[CALLER, CALLEE, "direct" or "external"], …]}

A function is named by the line of its definition in ``src``; NAME is empty if it has none, and LINE is 0 for the
top-level code of a file. CALLER and CALLEE are indices. A call is external if code outside the repository runs between
the two. Nothing of the repository runs here: files are read alone.

Each function is the innermost symbol of its line. The statements that a run refutes are counted:

- ``denied``: a function that was called, of which `callers` says flatly that nobody calls it;
- ``incomplete``: a direct call whose caller is not listed, while the verdict on the callers says of no others that they
  may be. A call that runs a definition inside the listed function counts as listed;
- ``dead``: a function that a function of the repository called directly, in `dead_code`;
- ``no path``: of random pairs that observed calls connect, those of which `paths` says flatly that no calls lead there.

The share of the observed direct calls that the graph has (recall), and the share of the graph's calls between two
functions that ran which were observed (seen), follow at three confidences. No run takes every path: a share seen is a
floor for precision.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from codeexplore import Workspace
from codeexplore.graph.records import CANDIDATE_KINDS
from codeexplore.types import CALLABLE_KINDS, Symbol

THRESHOLDS = (0.0, 0.6, 0.9)
HEDGES = (" may ", " mention", "not known", "could not be resolved", "possible", "likely", "without a call")
"""Words of which one is in each verdict or note that leaves room for other callers."""


class Run(NamedTuple):
    """The observed calls between symbols: (caller's id, callee's id) → direct or external."""

    calls: Mapping[tuple[str, str], str]
    ran: frozenset[str]
    unmapped: tuple[tuple[str, int, str], ...]  # functions that have no symbol of their own


def read(folder: Path, workspace: Workspace) -> Run:
    """Map the functions of a run to symbols."""
    record = json.loads((folder / "run.json").read_text("utf-8"))
    by_path: defaultdict[str, list[Symbol]] = defaultdict(list)
    for symbol in workspace.symbols:
        by_path[symbol.path].append(symbol)
    own, around, unmapped = dict[int, str](), dict[int, str](), list[tuple[str, int, str]]()
    for at, (path, line, name) in enumerate(record["functions"]):
        exact, symbol = innermost(by_path[path], line, name)
        if symbol is not None:
            around[at] = symbol.id
        if exact and symbol is not None:
            own[at] = symbol.id
        else:
            unmapped.append((path, line, name))
    calls: dict[tuple[str, str], str] = {}
    for caller, callee, kind in record["calls"]:
        if caller in around and callee in own and around[caller] != own[callee]:
            pair = around[caller], own[callee]
            calls[pair] = "direct" if kind == "direct" else calls.get(pair, kind)
    return Run(calls, frozenset(own.values()), tuple(unmapped))


def innermost(symbols: Iterable[Symbol], line: int, name: str) -> tuple[bool, Symbol | None]:
    """Return the symbol that runs at a line, and whether it is the function of this name that begins there."""
    if line == 0:
        return True, next((symbol for symbol in symbols if symbol.kind == "module"), None)
    holding = [symbol for symbol in symbols if symbol.span.start_line <= line <= symbol.span.end_line]
    holding = [symbol for symbol in holding if symbol.kind in CALLABLE_KINDS or symbol.kind == "module"]
    holding.sort(key=lambda symbol: symbol.span.end_byte - symbol.span.start_byte)
    begins = [s for s in holding if s.kind != "module" and line in (s.line, s.span.start_line)]
    best = next((s for s in begins if name in ("", s.name)), None) or next(iter(begins), None)
    best = best or next((s for s in holding if name and s.name == name), None)
    return best is not None, best or next(iter(holding), None)


def related(workspace: Workspace, one: str, other: str) -> bool:
    """Tell whether one symbol is the other or lies inside it."""
    for inner, outer in ((one, other), (other, one)):
        at: str | None = inner
        while at is not None:
            if at == outer:
                return True
            at = workspace.symbol(at).parent
    return False


def callers(workspace: Workspace, run: Run) -> dict[str, list[str]]:
    """Return the refuted statements about callers, by kind, each as a line of text."""
    called: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for (caller, callee), kind in run.calls.items():
        called[callee].append((caller, kind))
    said: dict[str, list[str]] = {"denied": [], "incomplete": [], "flat": []}
    for callee, some in sorted(called.items()):
        answer = workspace.callers(callee, top_k=100_000)  # all: a list that ends early is not incomplete
        verdict = answer.verdict
        if verdict is None or verdict.kind in ("possible", "unknown"):
            continue
        if any(word in text for text in (verdict.text, *answer.notes) for word in HEDGES):
            continue
        said["flat"].append(callee)
        if verdict.kind == "none":
            said["denied"].append(f"{callee}  <-  {some[0][0]} ({some[0][1]})  {verdict.text}")
            continue
        rows = [reached.symbol_id for reached in answer.reached]
        for caller, kind in some:
            if kind == "direct" and not any(related(workspace, row, caller) for row in rows):
                said["incomplete"].append(f"{callee}  <-  {caller}  {verdict.text}")
    return said


def dead(workspace: Workspace, run: Run) -> list[str]:
    """Return the candidates for dead code that the repository was seen to call."""
    direct = {callee: caller for (caller, callee), kind in run.calls.items() if kind == "direct"}
    items = workspace.dead_code(CANDIDATE_KINDS).items
    return [f"{i.symbol_id} ({i.kind})  <-  {direct[i.symbol_id]}" for i in items if i.symbol_id in direct]


def no_paths(workspace: Workspace, run: Run, pairs: int) -> tuple[int, list[str]]:
    """Ask for paths between random connected pairs; return their number and those that are denied."""
    after: defaultdict[str, set[str]] = defaultdict(set)
    for caller, callee in run.calls:
        after[caller].add(callee)
    connected = list[tuple[str, str]]()
    for start in sorted(after):
        reached, waiting = {start}, [start]
        while waiting:
            new = after[waiting.pop()] - reached
            reached |= new
            waiting += sorted(new)
        connected += [(start, end) for end in sorted(reached - {start})]
    asked = Random(7).sample(connected, min(pairs, len(connected)))
    kinds = ((pair, workspace.paths(*pair, top_k=1).verdict) for pair in asked)
    return len(asked), [f"{a}  ->  {b}" for (a, b), verdict in kinds if verdict is not None and verdict.kind == "none"]


def shares(workspace: Workspace, run: Run) -> tuple[list[str], list[str]]:
    """Return recall and share seen at each threshold, and the direct calls that the graph lacks."""
    best: defaultdict[tuple[str, str], float] = defaultdict(float)
    symbols = {symbol.id: symbol for symbol in workspace.symbols}
    edges = workspace.graph.edges
    for edge in (edges[row] for row in range(len(edges.source))):
        source = symbols[edge.source]
        while source.kind not in CALLABLE_KINDS and source.parent is not None:
            source = symbols[source.parent]
        if edge.kind == "CALLS":
            pair = source.id, edge.target
            best[pair] = max(best[pair], edge.confidence)
    apart = any(symbols[source].kind == "lambda" for source, _ in best)
    direct = [pair for pair, kind in run.calls.items() if kind == "direct"]
    if not apart:  # the calls of a lambda are those of the function around it
        direct = sorted({(holder(symbols, caller), callee) for caller, callee in direct})
    observed = run.calls.keys() | set(direct)
    starts = run.ran | {caller for caller, _ in run.calls}
    rows = []
    for least in THRESHOLDS:
        found = sum(best.get(pair, 0) > 0 and best[pair] >= least - 1e-6 for pair in direct)
        likely = [p for p, c in best.items() if c >= least - 1e-6 and p[0] != p[1]]  # calls of itself are not recorded
        measured = [p for p in likely if p[0] in starts and p[1] in run.ran]
        seen = sum(pair in observed for pair in measured)
        rows.append(f"{100 * found / max(1, len(direct)):5.1f} / {100 * seen / max(1, len(measured)):5.1f}")
    return rows, [f"{a}  ->  {b}" for a, b in direct if (a, b) not in best]


def holder(symbols: Mapping[str, Symbol], symbol: str) -> str:
    """Return the named function or module around a lambda, and other symbols as they are."""
    while symbols[symbol].kind in ("lambda", "field") and (parent := symbols[symbol].parent) is not None:
        symbol = parent
    return symbol


def main() -> None:
    """Print the counts of each folder, and some of the refuted statements."""
    parser = argparse.ArgumentParser(description="What codeexplore says beside what was seen to run")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--pairs", type=int, default=120, metavar="N", help="connected pairs asked for paths")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N statements of each kind")
    options = parser.parse_args()
    columns = ("functions", "no symbol", "calls", "flat", "denied", "incomplete", "dead", "pairs", "no path")
    print(f"{'':22}" + "".join(f"{name:>11}" for name in columns) + "   recall / seen at 0, .6, .9")
    for folder in options.folders:
        workspace = Workspace(folder / "src", cache=False)
        run = read(folder, workspace)
        said, unused = callers(workspace, run), dead(workspace, run)
        asked, missing = no_paths(workspace, run, options.pairs)
        rows, lacking = shares(workspace, run)
        direct = sum(kind == "direct" for kind in run.calls.values())
        numbers = (len(run.ran) + len(run.unmapped), len(run.unmapped), direct, len(said["flat"]), len(said["denied"]))
        numbers += (len(said["incomplete"]), len(unused), asked, len(missing))
        print(f"{folder.name:22}" + "".join(f"{n:11}" for n in numbers) + "   " + "   ".join(rows), flush=True)
        kinds = {"no symbol": [f"{p}:{line} {name}" for p, line, name in run.unmapped], "dead": unused}
        kinds |= {"denied": said["denied"], "incomplete": said["incomplete"], "no path": missing, "lacking": lacking}
        for kind, lines in kinds.items():
            for line in Random(3).sample(lines, min(options.show, len(lines))):
                print(f"    {kind:11} {line}")


if __name__ == "__main__":
    main()
