"""Time and memory to a first answer and to a call graph: codeexplore beside other tools, on the same files.

usage: python benchmarks/peer_graphs.py PATH [--semble PYTHON] [--code-review-graph PYTHON]
                                        [--codegraphcontext PYTHON] [--limit SECONDS] [--json OUT] [--truth]

Each PYTHON is the interpreter of an environment that has this tool and nothing of ours. The files that codeexplore
indexes in PATH are copied into a git repository of their own for each tool. The tool reads them in a new process,
without a cache, and is asked one question; semble gets our bundled model. Times are seconds from the start of the
process, so they include imports. Memory is the peak of the process and its children together; pages that forked
processes share are counted in each. Calls are pairs of a caller and a callee that are both defined in PATH. A tool
that needs more than the limit is ended, and the table says so.

With --truth, PATH is one of the sample repositories (webshop, chatservice, jobworker, ledger), and the table also has
the share of its true calls that a tool finds and the share of its calls that are true (sample_repos/README.md). A call
of a class counts as one of its constructor.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
from load import QUESTION, PeakMemory, copy_indexed

from codeexplore import Workspace
from codeexplore.search.lanes.encoder import BUNDLED
from tests import sample_truth

PEERS = Path(__file__).parent / "peers"
GIT = ("git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost", "-c", "core.autocrlf=false")


def ours(path: str) -> None:
    """Load and answer in this process, wait for the graph, and print a line of JSON after each of both."""
    workspace = Workspace(path, progress=lambda *_: None, cache=False, graph="background")
    hits = workspace.search(QUESTION, top_k=10).hits
    print(json.dumps({"at": ["answer"], "hits": len(hits)}), flush=True)
    workspace.wait_for_graph()
    graph = workspace.graph
    print(json.dumps({"at": ["graph"]}), flush=True)
    figures = {
        "files": len(workspace.files),
        "symbols": len(workspace.catalog.symbols),
        "calls": len({(edge.source, edge.target) for edge in graph.edges if edge.kind == "CALLS"}),
    }
    print(json.dumps(figures), flush=True)


def commands(options: argparse.Namespace) -> dict[str, list[str]]:
    """Return the command of each tool that is to be measured, without the folder and what follows it."""
    given = {
        "code-review-graph": (options.code_review_graph, "build_code_review_graph.py"),
        "codegraphcontext": (options.codegraphcontext, "build_codegraphcontext.py"),
    }
    chosen = {"codeexplore": [sys.executable, __file__]}
    if options.semble:
        chosen["semble"] = [str(options.semble), str(PEERS / "ask_semble.py")]
    return chosen | {name: [str(python), str(PEERS / script)] for name, (python, script) in given.items() if python}


def arguments_of(name: str, folder: Path, pairs: bool) -> list[str]:
    """Return what follows a tool's command."""
    if name == "codeexplore":
        return [str(folder), "--ours"]
    if name == "semble":
        return [str(folder), str(BUNDLED)]
    return [str(folder), QUESTION, *(["pairs"] if pairs else [])]


def shares(repository: str, pairs: list[tuple[str, str]]) -> dict[str, float]:
    """Return recall and precision of calls, each a caller and a callee named ``PATH::CLASS.NAME``."""
    made = sample_truth.score(repository, "CALLS")
    of_class = {}  # what a call of a class calls
    for row in sample_truth.truth(repository)["edges"]:
        owner, _, last = row["callee"].rpartition(".")
        if last in ("__init__", "constructor", owner.rpartition(".")[2].rpartition(":")[2]):
            of_class[row["caller"], owner] = row["callee"]
        of_class.update({(row["caller"], cls): row["callee"] for cls in row.get("constructs", ())})
    named = [(caller if "::" in caller else f"{caller}::", callee) for caller, callee in pairs]
    found = {(caller, of_class.get((caller, callee), callee)) for caller, callee in named}
    return {
        "recall": len(made.demanded & found) / len(made.demanded),
        "precision": len(made.allowed & found) / max(len(found), 1),
    }


def measured(command: list[str], limit: float) -> dict[str, Any]:
    """Run a tool and return its figures.

    They are what it prints as lines of JSON. The seconds of each stage in `at` of a line are those until the line came.

    Raises
    ------
    RuntimeError
        The tool failed.
    """
    figures: dict[str, Any] = {}
    before, started = os.times(), time.perf_counter()
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(command, stderr=errors, **piped) as child,
        PeakMemory(child.pid) as memory,
    ):
        timer = threading.Timer(limit, _end, (child.pid, figures))
        timer.start()
        child.stdin.write(json.dumps({"query": QUESTION, "top_k": 10}) + "\n")  # semble reads it, the others do not
        child.stdin.close()
        for line in child.stdout:
            if line.startswith("{"):
                figures |= json.loads(line)
                for stage in figures.pop("at", ()):
                    figures[f"{stage}_seconds"] = time.perf_counter() - started
        status = child.wait()
        timer.cancel()
        if status and "ended_after" not in figures:
            errors.seek(0)
            raise RuntimeError(f"{command[1]} failed: {errors.read()[-2_000:]}")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return figures | {"peak_bytes": memory.peak, "cpu_seconds": spent, "seconds": time.perf_counter() - started}


def _end(pid: int, figures: dict[str, Any]) -> None:
    figures["ended_after"] = True
    try:
        process = psutil.Process(pid)
        for each in (*process.children(recursive=True), process):
            each.kill()
    except psutil.NoSuchProcess:
        return


def run(path: Path, tools: dict[str, list[str]], limit: float, truth: bool = False) -> dict[str, dict[str, Any]]:
    """Return the figures of each tool, by its name, with recall and precision if `path` is a sample with a truth."""
    found = {}
    for name, command in tools.items():
        with tempfile.TemporaryDirectory() as folder:
            copy_indexed(path, Path(folder))
            for step in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
                subprocess.run([*GIT, *step], cwd=folder, check=True, capture_output=True)
            found[name] = measured([*command, *arguments_of(name, Path(folder), truth)], limit)
        if truth and name == "codeexplore":
            made = sample_truth.score(path.name, "CALLS")
            found[name] |= {"recall": made.recall, "precision": made.precision}
        elif truth and (pairs := found[name].pop("pairs", None)) is not None:
            found[name] |= shares(path.name, pairs)
    return found


def table(found: dict[str, dict[str, Any]], limit: float) -> str:
    """Return the figures as a table in Markdown."""
    lines = [
        "| tool | answer, s | graph, s | processor s | peak MB | files | symbols | calls | recall, precision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, figures in found.items():
        late = f"not within {limit:.0f}" if "ended_after" in figures else "–"
        times = [f"{figures[key]:.1f}" if key in figures else late for key in ("answer_seconds", "graph_seconds")]
        counts = [f"{figures[key]:,}" if key in figures else "–" for key in ("files", "symbols", "calls")]
        spent = [f"{figures['cpu_seconds']:.1f}", f"{figures['peak_bytes'] / 1e6:.0f}"]
        shown = [f"{figures[key]:.3f}" for key in ("recall", "precision") if key in figures]
        row = [f"{name} {figures.get('version', '')}".strip(), *times, *spent, *counts, ", ".join(shown) or "–"]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", type=Path)
    for tool in ("semble", "code-review-graph", "codegraphcontext"):
        arguments.add_argument(f"--{tool}", type=Path, metavar="PYTHON")
    arguments.add_argument("--limit", type=float, default=900.0, metavar="SECONDS", help="of each tool (900)")
    arguments.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    arguments.add_argument("--truth", action="store_true", help="score the calls of a sample repository")
    arguments.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.ours:
        ours(str(options.path))
        return
    found = run(options.path, commands(options), options.limit, options.truth)
    print(table(found, options.limit))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
