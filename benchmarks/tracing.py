"""Traces of test suites: the share of frames with the right symbol, observed calls by status and reason, and the cost.

usage: python benchmarks/tracing.py suites FOLDER … [--python PYTHON] [--modes LIST] [--json OUT] [--pytest WORDS]
       python benchmarks/tracing.py calls [--number 10000000]
       python benchmarks/tracing.py oracle FOLDER …

`suites` RUNS THE TESTS of each folder, an unpacked source distribution, once in each mode: without a trace (plain),
which calls happen (edges), how often (counts), with the call tree (tree), and below coverage.py, cProfile and
viztracer. `--python` is an interpreter that has codeexplore, pytest, the tools and the dependencies of the tests. Times
are seconds of the processor, of the whole pytest run, so that other work on the machine counts less.

A frame is mapped right if its symbol has the name and the first line of its code, which a parse by `ast` confirms.

`calls` traces ten million calls and prints the memory and the time for each call.

`oracle` compares an observed run with edges.json of the call-graph benchmark: FOLDER/edges.json and FOLDER/run.cetrace.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from codeexplore import Workspace
from codeexplore.features.runs.answers import TraceRun
from codeexplore.features.runs.records import Code, read_trace

MODES = ("plain", "edges", "counts", "tree", "coverage", "cProfile", "viztracer")


_VIZTRACER = """
import sys, pytest, viztracer
with viztracer.VizTracer(output_file=sys.argv[1], ignore_c_function=True, verbose=0):
    status = pytest.main(sys.argv[2:])
sys.exit(status)
"""  # its command line refuses the options of pytest


def command(mode: str, python: str, folder: Path, out: Path, words: Sequence[str]) -> list[str]:
    """Return the command line of one mode."""
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    if mode in ("edges", "counts", "tree"):
        plugin = ["-p", "codeexplore_pytest", "--codeexplore-trace", str(out)]
        plugin += ["--codeexplore-root", str(folder), *([] if mode == "counts" else [f"--codeexplore-{mode}"])]
        return [python, *pytest, *plugin]
    if mode == "coverage":
        return [python, "-m", "coverage", "run", f"--data-file={out}", f"--source={folder}", *pytest]
    if mode == "cProfile":
        return [python, "-m", "cProfile", "-o", str(out), *pytest]
    if mode == "viztracer":
        return [python, "-c", _VIZTRACER, f"{out}.json", *pytest[2:]]
    return [python, *pytest]


def run_suite(mode: str, python: str, folder: Path, out: Path, words: Sequence[str]) -> tuple[float, str]:
    """Run the tests once. Return seconds of the processor and the last line of pytest."""
    paths = [str(folder / "src"), str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        command(mode, python, folder, out, words), cwd=folder, env=environment, capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = re.findall(r"^.*\b(?:passed|failed|error)\b.*$", ended.stdout, re.MULTILINE)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, said[-1] if said else (ended.stdout + ended.stderr)[-300:]


class Definitions:
    """The functions of a file by `ast`: (name, first line with decorators)."""

    def __init__(self, root: Path) -> None:
        self._root, self._known = root, dict[str, set[tuple[str, int]]]()

    def has(self, path: str, name: str, line: int) -> bool:
        """Return True if a function or class of this name begins at this line."""
        if path not in self._known:
            found = set[tuple[str, int]]()
            for node in ast.walk(ast.parse((self._root / path).read_bytes())):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    found.add((node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])))
                elif isinstance(node, ast.Lambda):
                    found |= {("<lambda>", line) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
            self._known[path] = found
        return (name, line) in self._known[path]


def mapped_right(run: TraceRun, root: Path) -> tuple[Counter[str], Counter[str]]:
    """Return frames and functions, counted as right, wrong or unmatched."""
    frames, functions, definitions = Counter[str](), Counter[str](), Definitions(root)
    starts = Counter[int]()
    for call in run.trace.calls:
        starts[call.callee] += call.calls
    for number, (code, symbol) in enumerate(zip(run.trace.codes, run.mapped.symbols, strict=True)):
        verdict = "unmatched" if symbol is None else "right" if _is_right(code, symbol, definitions) else "wrong"
        functions[verdict] += 1
        frames[verdict] += starts[number]
    return frames, functions


def _is_right(code: Code, symbol: object, definitions: Definitions) -> bool:
    found = run_symbol(symbol)
    if code.kind in ("module", "comprehension"):
        return found[0] == code.path
    name = code.qualname.rpartition(".")[2]
    same_name = found[1].startswith("<lambda") if name == "<lambda>" else found[1] == name
    begins = found[2] <= code.line <= found[3] if name == "<lambda>" else found[2] == code.line
    return found[0] == code.path and same_name and begins and definitions.has(code.path, name, code.line)


def run_symbol(symbol: object) -> tuple[str, str, int, int]:
    """Return path, name and lines of a symbol."""
    from codeexplore.types import Symbol

    assert isinstance(symbol, Symbol)
    return symbol.path, symbol.name, symbol.span.start_line, symbol.span.end_line


def suites(folders: Sequence[Path], python: str, modes: Sequence[str], words: Sequence[str]) -> list[dict[str, object]]:
    """Trace the tests of each folder and print a line for each."""
    rows: list[dict[str, object]] = []
    for folder in folders:
        row: dict[str, object] = {"name": folder.name}
        with tempfile.TemporaryDirectory() as temporary:
            for mode in modes:
                out = Path(temporary) / mode
                seconds, said = run_suite(mode, python, folder, out, words)
                row[mode], row[f"{mode} tests"] = round(seconds, 2), said
                print(f"{folder.name:24} {mode:10} {seconds:7.2f} s  {said}", flush=True)
                if mode == "counts" and out.is_file():
                    row |= report(folder, out)
            if {"edges", "counts"} <= set(modes):
                row["pairs"] = found_pairs(Path(temporary) / "counts", Path(temporary) / "edges")
        rows.append(row)
    table(rows, modes)
    return rows


def found_pairs(counted: Path, uncounted: Path) -> tuple[int, int]:
    """Return the number of pairs of functions of a counted run, and how many of them an uncounted run has, too."""
    pairs = []
    for file in (counted, uncounted):
        trace = read_trace(file)
        pairs.append({(call.caller < 0 or trace.codes[call.caller], trace.codes[call.callee]) for call in trace.calls})
    return len(pairs[0]), len(pairs[0] & pairs[1])


def report(folder: Path, out: Path) -> dict[str, object]:
    """Map a run and compare it with the graph."""
    run = Workspace(folder, cache=False).runs.open(out)
    frames, functions = mapped_right(run, folder)
    graph = run.graph
    unmatched = [f"{code.path}:{code.line} {code.qualname}" for code in run.unmatched[:10]]
    return {
        "calls": run.trace.n_calls, "frames": dict(frames), "functions": dict(functions),
        "statuses": dict(graph.statuses), "reasons": dict(graph.reasons), "unmatched": unmatched,
        "examples": {
            reason: [f"{e.source} -> {e.target} {e.sites[:1]}" for e in graph if e.reason == reason and not
                     e.status.startswith("caller")][:12] for reason in graph.reasons
        },
    }  # fmt: skip


def table(rows: Sequence[dict[str, object]], modes: Sequence[str]) -> None:
    """Print the tables of LABBOOK.md."""
    print(f"\n{'package':24} {'frames':>10} {'right':>8} | " + " ".join(f"{mode:>10}" for mode in modes))
    reasons = Counter[str]()
    totals = Counter[str]()
    for row in rows:
        frames = row.get("frames")
        if isinstance(frames, dict):
            total = sum(frames.values())
            totals.update(frames)
            share = f"{frames.get('right', 0) / max(1, total):8.2%}"
        else:
            total, share = 0, " " * 8
        plain = row.get("plain")
        cost = [
            f"{float(str(row[mode])) / float(str(plain)):9.2f}x"
            if plain and mode != "plain"
            else f"{row.get(mode):>10}"
            for mode in modes
        ]
        print(f"{row['name']:24} {total:10,} {share} | {' '.join(cost)}  {row.get('pairs', '')}")
        found = row.get("reasons")
        reasons.update(found if isinstance(found, dict) else {})
    print(f"frames: {dict(totals)}")
    for reason, count in reasons.most_common():
        print(f"  {reason:32} {count:6,}")


# --------------------------------------------------------------------------- many calls


def calls(number: int) -> None:
    """Trace many calls of one function and print memory and time."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "busy.py").write_text(
            "def f():\n    pass\n\ndef run(n):\n    for _ in range(n):\n        f()\n"
        )
        sys.path.insert(0, folder)
        import busy  # type: ignore[import-not-found]  # written above

        workspace = Workspace(folder, cache=False, workers=0)
        began = time.process_time()
        busy.run(number)
        plain = time.process_time() - began
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        with workspace.runs.trace(tree=False) as run:
            busy.run(number)
        traced = time.process_time() - began
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        began = time.process_time()
        with workspace.runs.trace(counts=False):
            busy.run(number)
        uncounted = time.process_time() - began
        nanoseconds = (round(seconds / number * 1e9) for seconds in (plain, traced, uncounted))
        print("{:,} calls: {} ns each, traced {} ns, with counts=False {} ns".format(run.trace.n_calls, *nanoseconds))
        print(f"memory grew by {grown:,} kB")


# --------------------------------------------------------------------------- the benchmark's traces


def oracle(folders: Sequence[Path]) -> None:
    """Print the share of the benchmark's observed edges that a run has, and the others by kind."""
    for folder in folders:
        truth = json.loads((folder / "edges.json").read_text("utf-8"))
        run = Workspace(folder / "src", cache=False).runs.open(folder / "run.cetrace")
        edges = {(_plain(a), _plain(b)): kind for a, b, kind, *_ in truth["edges"]}
        catalog = run.code.catalog
        observed = {
            (_plain(catalog.symbol(call.source).fqn), _plain(catalog.symbol(call.target).fqn)) for call in run.calls
        }
        ran = {_plain(name) for name in truth["functions"]}
        print(f"{folder.name}: {len(edges)} edges in the benchmark, {len(observed)} in the run")
        for title, pairs in (("only in the benchmark", edges.keys() - observed),
                             ("only in the run", observed - edges.keys())):  # fmt: skip
            kinds = Counter(edges.get(pair, "ran" if pair[1] in ran else "not run there") for pair in pairs)
            print(f"  {title}: {len(pairs)} {dict(kinds)}")
            for pair in sorted(pairs)[:200]:
                print(f"    {pair[0]} -> {pair[1]} {edges.get(pair, '')}")


def _plain(name: str) -> str:
    return re.sub(r"<lambda[^>]*>", "<lambda>", name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    tests = actions.add_parser("suites")
    tests.add_argument("folders", nargs="+", type=Path)
    tests.add_argument("--python", default=sys.executable)
    tests.add_argument("--modes", default=",".join(MODES))
    tests.add_argument("--json", type=Path)
    tests.add_argument("--pytest", default="", help="further arguments of pytest, in one word")
    many = actions.add_parser("calls")
    many.add_argument("--number", type=int, default=10_000_000)
    compared = actions.add_parser("oracle")
    compared.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    if options.action == "calls":
        calls(options.number)
    elif options.action == "oracle":
        oracle(options.folders)
    else:
        folders = [folder.resolve() for folder in options.folders]
        rows = suites(folders, options.python, options.modes.split(","), shlex.split(options.pytest))
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
