"""Call graphs of codeexplore and other tools beside what runs and compilers say, on the same files, in one table.

usage: python benchmarks/peer_graphs.py [--traces FOLDER …] [--truth TRUTH.json=ROOT …] [--time PATH …]
                                        [--tool NAME=PATH …] [--limit SECONDS] [--least CALLS] [--json OUT]

Each tool is in an environment of its own that has nothing of ours. NAME is a key of `TOOLS`, PATH what runs it: the
interpreter of an environment or an executable. `peers/edges_*.py` are the adapters. The files are copied into a git
repository for each tool, which reads them in a new process, without a cache.

An adapter prints a line of JSON: ``version`` and ``edges``, rows of the caller's path and line (0: the module, -1: what
is around the call), the callee's path, line and name, the call's line (0: unknown) and a confidence; or ``pairs`` of
dotted names. Seconds are those of the process; memory is the peak of it and its children together.

FOLDER has packages that `traced_calls.py trace` made. As there, *recall* is over direct calls, *seen* the share of the
calls between functions that ran which were observed, a floor for precision. Calls in a lambda count for the function
around it. *named* to *implicit* are kinds of direct calls: by the function's name, of a class, of a function under
another name, and by the language (operators, properties, loops). *ours* is our recall with the least confidence at
which our edges are seen as often as the tool's, or of our surest edges.

TRUTH.json has the calls that a language's compiler resolved in ROOT: ``language``, ``files``, ``supers`` (pairs of
types, the lower first) and ``calls``, each with its ``site`` (path, line), ``start`` (line of the statement), ``name``,
``form``, ``state`` (known, outside, abstract, dynamic …), ``owner`` (the type around it) and ``target`` (path, line of
the name, name, first and last line). *Recall* is over calls of functions with a body whose name stands at the site;
*right* is the share of a tool's calls which the compiler resolves to that callee, of those that it resolves at all.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from load import PeakMemory
from traced_calls import LEAST_EDGES, plain

PEERS = Path(__file__).parent / "peers"
GIT = ("git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost", "-c", "core.autocrlf=false")


class Tool(NamedTuple):
    """An adapter, whether the tool's own interpreter runs it, the languages, and what follows the path of the tool."""

    adapter: str
    inside: bool
    languages: str
    more: tuple[str, ...] = ()


EVERY = "python typescript java go c c++"
TOOLS = {
    "CodeGraph": Tool("codegraph", False, EVERY),
    "repowise": Tool("repowise", False, EVERY),
    "code-review-graph": Tool("code_review_graph", True, EVERY),
    "CodeGraphContext": Tool("codegraphcontext", True, EVERY),
    "jedi": Tool("jedi", True, "python"),
    "PyCG": Tool("pycg", True, "python"),
    "pyan": Tool("pyan", True, "python"),
    "Pyright": Tool("language_server", False, "python", ("--stdio",)),
    "ty": Tool("language_server", False, "python", ("server",)),
    "Go CHA": Tool("go", False, "go", ("cha",)),
    "Go RTA": Tool("go", False, "go", ("rta",)),
    "Go VTA": Tool("go", False, "go", ("vta",)),
}
THRESHOLDS = (0.0, 0.6, 0.9, 1.0)
KINDS = {"named": ("named",), "class": ("ctor",), "aliased": ("aliased",), "implicit": ("implicit", "protocol")}
Pairs = dict[tuple[str, str], float]


def commands(given: Iterable[str]) -> dict[str, tuple[list[str], str]]:
    """Return the command of each tool up to the folder, what follows the folder after ``|``, and its languages."""
    made = {"codeexplore": ([sys.executable, str(PEERS / "edges_codeexplore.py"), "|"], EVERY)}
    for name, _, path in (each.partition("=") for each in given):
        tool = TOOLS[name]
        adapter = str(PEERS / f"edges_{tool.adapter}.py")
        last = [] if tool.inside else [path, *tool.more]
        made[name] = ([path if tool.inside else sys.executable, adapter, "|", *last], tool.languages)
    return made


def measured(command: list[str], limit: float, home: str) -> dict[str, Any]:
    """Run a tool and return what it prints as JSON, with its seconds, processor seconds and peak memory.

    `home` is the folder for what it keeps of its own, in place of the user's home.

    A tool that fails has ``error``, one that needs more than `limit` seconds ``ended_after``.
    """
    figures: dict[str, Any] = {}
    before, started = os.times(), time.perf_counter()
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(
            command,
            stderr=errors,
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HOME": home},
        ) as child,
        PeakMemory(child.pid) as memory,
    ):
        timer = threading.Timer(limit, _end, (child.pid, figures))
        timer.start()
        for line in child.stdout:
            if line.startswith("{"):
                figures |= json.loads(line)
        status = child.wait()
        timer.cancel()
        if status and "ended_after" not in figures:
            errors.seek(0)
            figures["error"] = errors.read()[-2_000:]
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return figures | {"peak_bytes": memory.peak, "cpu_seconds": spent, "seconds": time.perf_counter() - started}


def _end(pid: int, figures: dict[str, Any]) -> None:
    figures["ended_after"] = True
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in (*process.children(recursive=True), process):
            with contextlib.suppress(psutil.NoSuchProcess):  # a child may have ended by itself
                each.kill()


def run(path: Path, command: list[str], limit: float) -> dict[str, Any]:
    """Return what a tool finds in a copy of the folder `path`, a git repository of one commit."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        copy = Path(folder).resolve() / path.resolve().name
        shutil.copytree(path, copy, ignore=shutil.ignore_patterns(".git", "__pycache__"), symlinks=True)
        for step in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
            subprocess.run([*GIT, *step], cwd=copy, check=True, capture_output=True)
        place = command.index("|")
        return measured([*command[:place], str(copy), *command[place + 1 :]], limit, home)


# ----------------------------------------------------------------------------- traces


class Definition(NamedTuple):
    """A function or class of a Python file: its lines from the first decorator on, and that of its name."""

    first: int
    line: int
    last: int
    name: str
    is_class: bool


class Definitions:
    """The definitions of the Python files below a folder, with the names that traces give them."""

    def __init__(self, root: Path) -> None:
        self.modules: dict[str, str] = {}
        self.of: dict[str, list[Definition]] = defaultdict(list)
        self.bases: dict[str, list[str]] = {}
        for path in sorted(root.rglob("*.py")):
            own = path.relative_to(root).as_posix()
            self.modules[own] = own.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self._collect(own, ast.parse(path.read_text("utf-8", "replace")), self.modules[own])
        found = [each for rows in self.of.values() for each in rows]
        self.names = {each.name for each in found if not each.is_class}
        self.classes = {each.name for each in found if each.is_class}
        self.by_last = defaultdict(list)
        for name in self.classes:
            self.by_last[name.rpartition(".")[2]].append(name)

    def _collect(self, path: str, node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                name = f"{around}.{getattr(child, 'name', '<lambda>')}"
                first = min([child.lineno, *(each.lineno for each in getattr(child, "decorator_list", ()))])
                is_class = isinstance(child, ast.ClassDef)
                self.of[path].append(Definition(first, child.lineno, child.end_lineno or 0, name, is_class))
                if is_class:
                    self.bases[name] = [ast.unparse(base).rpartition(".")[2] for base in child.bases]
            self._collect(path, child, name)

    def running(self, name: str) -> str:
        """The function or module that runs the code of a class or a lambda."""
        while name in self.classes or name.endswith(".<lambda>"):
            name = name.rpartition(".")[0]
        return name

    def caller(self, path: str, line: int, site: int) -> str:
        """The name of what makes a call."""
        rows = self.of.get(path, [])
        starting = [each for each in rows if each.first <= line <= each.line] if line > 0 else []
        around = starting or [each for each in rows if line and site and each.line <= site <= each.last]
        return self.running(max(around).name if around else self.modules.get(path, path))

    def callee(self, path: str, line: int, name: str) -> str:
        """The name of the function at a place; that of the constructor for a class, "" if nobody wrote one."""
        starting = [each for each in self.of.get(path, []) if each.first <= line <= each.line]
        named = [each for each in starting if each.name.rpartition(".")[2] == name] or starting
        return self.function(named[-1].name) if named else ""

    def function(self, name: str) -> str:
        """The constructor of a class, which a base may define; another name unchanged."""
        pending, done = [name], set()
        while name in self.classes and pending:
            current = pending.pop(0)
            if f"{current}.__init__" in self.names:
                return f"{current}.__init__"
            done.add(current)
            found = [each for base in self.bases.get(current, ()) for each in self.by_last[base]]
            pending += [each for each in found if each not in done]
        return "" if name in self.classes else name


def predicted(known: Definitions, figures: Mapping[str, Any]) -> Pairs:
    """Return the calls between functions that a tool found, by name, each with its highest confidence."""
    found: Pairs = {}
    for path, line, target, start, name, site, confidence in figures.get("edges", ()):
        pair = known.caller(path, line, site), known.callee(target, start, name)
        found[pair] = max(confidence, found.get(pair, 0.0))
    for pair in figures.get("pairs", ()):
        caller, callee = map(plain, pair)
        found[known.running(caller), known.function(callee)] = 1.0
    return {pair: confidence for pair, confidence in found.items() if pair[1] in known.names}


def traced(folder: Path, known: Definitions, pairs: Pairs) -> dict[float, Counter[str]]:
    """Compare calls with a trace: counts at each threshold."""
    record = json.loads((folder / "edges.json").read_text("utf-8"))
    seen: dict[tuple[str, str], str] = {}
    for caller, callee, kind, *_ in record["edges"]:
        seen.setdefault((known.running(plain(caller)), plain(callee)), kind)
    late = {plain(name) for name in record.get("generators", ())}
    ran = {plain(name) for name in record["functions"]} | {caller for caller, _ in seen}
    counts: dict[float, Counter[str]] = {}
    for least in THRESHOLDS:
        made = {pair for pair, confidence in pairs.items() if confidence >= least}
        judged = {pair for pair in made if ran.issuperset(pair) and (pair in seen or pair[1] not in late)}
        count = Counter({"seen": len(judged & seen.keys()), "judged": len(judged)})
        for pair, kind in seen.items():
            if kind != "external":
                count += Counter({"direct": 1, f"all {kind}": 1})
                count += Counter({"found": 1, f"found {kind}": 1}) if pair in made else Counter()
        counts[least] = count
    return counts


# ----------------------------------------------------------------------------- compilers


def at(place: list[Any] | None, path: str, line: int) -> bool:
    """Whether a definition that a compiler names is that of a tool: its first line or the line of its name."""
    return bool(place) and path == place[0] and min([*place[3:4], place[1]]) <= line <= place[1]


def goals(row: Mapping[str, Any]) -> list[list[Any]]:
    """The definitions that a call may name: a class may stand for its constructor."""
    owner = [row["owner"]] if row["form"] == "new" and row.get("owner") else []
    return [each for each in (row["target"], *row.get("also", ()), *owner) if each]


def compiled(truth: Mapping[str, Any], root: Path, edges: list[list[Any]]) -> dict[float, Counter[str]]:
    """Compare calls with those that a compiler resolves: counts at each threshold."""
    sites = {(path, target, start, name, site): sure for path, _, target, start, name, site, sure in sorted(edges)}
    edges_at: defaultdict[tuple[str, int], list[tuple[str, int, float]]] = defaultdict(list)
    for (path, target, start, _, site), sure in sites.items():
        edges_at[path, site].append((target, start, sure))
    counts = {least: Counter[str]() for least in THRESHOLDS}
    texts: dict[str, list[str]] = {}
    for row in truth["calls"]:
        path, line = row["site"]
        if path not in texts:
            texts[path] = (root / path).read_text("utf-8", "replace").split("\n")
        word = re.sub(r"\W", "", row["name"])
        if row["state"] != "known" or row["form"] in ("operator", "::") or word not in texts[path][line - 1]:
            continue
        near = [edge for each in {line, row["start"]} for edge in edges_at[path, each]]
        right = (sure for target, start, sure in near if any(at(each, target, start) for each in goals(row)))
        best = max(right, default=-1.0)
        for least, count in counts.items():
            count += Counter({"direct": 1, "found": best >= least})
    for sure, right in judged(truth, sites):
        for least, count in counts.items():
            count += Counter({"judged": sure >= least, "seen": right and sure >= least})
    return counts


def judged(truth: Mapping[str, Any], sites: Mapping[tuple[Any, ...], float]) -> Iterable[tuple[float, bool]]:
    """Yield the confidence of each call of a tool that the compiler resolves too, and whether it agrees."""
    rows_at = defaultdict(list)
    for row in truth["calls"]:
        for line in {row["site"][1], row["start"]}:
            rows_at[row["site"][0], line].append(row)
    overridden, files = {tuple(high[:2]) for _, high in truth["supers"]}, set(truth["files"])
    for (path, target, start, name, site), sure in sites.items():
        rows = rows_at[path, site]
        right = any(at(each, target, start) for row in rows for each in goals(row))
        named = [row for row in rows if name in (row["name"], (row["target"] or [0, 0, ""])[2])]
        decided = all(
            row["state"] in ("known", "outside")
            and not row.get("open")
            and not (row.get("owner") and tuple(row["owner"][:2]) in overridden)
            for row in named
        )
        if path in files and (right or (named and decided)):
            yield sure, right


# ----------------------------------------------------------------------------- table


def share(count: Mapping[str, int], part: str, whole: str) -> str:
    """A share in per cent."""
    return f"{100 * count[part] / count[whole]:.1f}" if count.get(whole) else "–"


def merged(found: Iterable[Mapping[float, Counter[str]]]) -> dict[float, Counter[str]]:
    """Counts of several sets together."""
    total = {least: Counter[str]() for least in THRESHOLDS}
    for each in found:
        for least, count in each.items():
            total[least].update(count)
    return total


def times(figures: list[dict[str, Any]]) -> str:
    """Seconds, peak memory, and how many runs failed or were ended."""
    broken = sum("error" in each or "ended_after" in each for each in figures)
    text = f"{sum(each['seconds'] for each in figures):.0f} | {max(each['peak_bytes'] for each in figures) / 1e6:.0f}"
    return text + (f" ({broken} of {len(figures)} runs failed)" if broken else "")


def equal(ours: Mapping[float, Counter[str]], theirs: Counter[str]) -> str:
    """Our recall where our edges are seen at least as often as theirs, and how many times theirs it is."""
    rate = theirs["seen"] / max(1, theirs["judged"])
    least = next((each for each in THRESHOLDS if ours[each]["seen"] >= rate * ours[each]["judged"]), THRESHOLDS[-1])
    return f"{share(ours[least], 'found', 'direct')} ({ours[least]['found'] / max(1, theirs['found']):.2f} ×)"


def tables(results: Mapping[str, list[dict[str, Any]]]) -> str:
    """The measurements as tables in Markdown: rows of all tools by set."""
    lines: list[str] = []
    if any(row["set"] == "python" for row in results["codeexplore"]):
        lines += ["| Python, runs | recall / seen | ours | " + " | ".join(KINDS) + " | s | peak MB |", "|---" * 9 + "|"]
        mine: dict[float, Counter[str]] = {}
        for name, found in results.items():
            rows = [row for row in found if row["set"] == "python"]
            counts = merged(row["counts"] for row in rows)
            mine = mine or counts
            for least in (0.0, 0.9) if name == "codeexplore" else (0.0,) if rows else ():
                count = counts[least]
                kinds = []
                for parts in KINDS.values():
                    part = {each: sum(count[f"{each} {kind}"] for kind in parts) for each in ("found", "all")}
                    kinds.append(share(part, "found", "all"))
                title = f"{name} {rows[0].get('version', '')}{' ≥ .9' if least else ''}"
                both = f"{share(count, 'found', 'direct')} / {share(count, 'seen', 'judged')}"
                last = "–" if name == "codeexplore" else equal(mine, count)
                lines.append(f"| {title} | {both} | {last} | {' | '.join(kinds)} | {times(rows)} |")
    languages = list(
        dict.fromkeys(row["set"] for row in results["codeexplore"] if row["set"] not in ("python", "time"))
    )
    if languages:
        lines += [
            "",
            "| recall / right | " + " | ".join(languages) + " | s | peak MB |",
            "|---" * (len(languages) + 3) + "|",
        ]
    for name, found in results.items() if languages else ():
        for least in (0.0, 0.9) if name == "codeexplore" else (0.0,):
            cells = []
            for language in languages:
                rows = [row for row in found if row["set"] == language]
                count = merged(row["counts"] for row in rows)[least]
                cells.append(f"{share(count, 'found', 'direct')} / {share(count, 'seen', 'judged')}" if rows else "–")
            rows = [row for row in found if row["set"] in languages]
            title = f"{name}{' ≥ .9' if least else ''}"
            lines += [f"| {title} | {' | '.join(cells)} | {times(rows)} |"] if rows else []
    for row in (row for row in results["codeexplore"] if row["set"] == "time"):
        lines += ["", f"| {row['name']} | calls | processor s | peak MB |", "|---|---|---|---|"]
        for name, found in results.items():
            for each in (each for each in found if each["set"] == "time" and each["name"] == row["name"]):
                ended = "error" in each or "ended_after" in each
                calls = "failed or ended" if ended else f"{len({tuple(edge[:4]) for edge in each['edges']}):,}"
                lines.append(f"| {name} | {calls} | {each['cpu_seconds']:.0f} | {each['peak_bytes'] / 1e6:.0f} |")
    return "\n".join(lines)


def compare(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Run each tool on each set and return its rows: set, name, counts, seconds and memory."""
    recorded = sorted(path for folder in options.traces for path in folder.glob("*/edges.json"))
    packages = [path.parent for path in recorded if len(json.loads(path.read_text())["edges"]) >= options.least]
    if options.traces and not packages:
        given = ", ".join(map(str, options.traces))
        raise SystemExit(f"no package with {options.least} recorded calls below {given}: give the packages' folder")
    known = {folder: Definitions(folder / "src") for folder in packages}
    truths = [
        (json.loads(Path(each.partition("=")[0]).read_text()), Path(each.partition("=")[2])) for each in options.truth
    ]
    results: dict[str, list[dict[str, Any]]] = {}
    for tool, (command, languages) in commands(options.tool).items():
        rows = results.setdefault(tool, [])
        for folder in packages if "python" in languages.split() else ():
            figures = run(folder / "src", command, options.limit)
            counts = traced(folder, known[folder], predicted(known[folder], figures))
            rows.append({"set": "python", "name": folder.name, "counts": counts} | figures)
        for truth, root in truths:
            if truth["language"] in languages.split():
                figures = run(root, command, options.limit)
                counts = compiled(truth, root, figures.get("edges", []))
                rows.append({"set": truth["language"], "name": root.name, "counts": counts} | figures)
        for path in options.time if languages == EVERY else ():
            rows.append({"set": "time", "name": path.name, "counts": {}} | run(path, command, options.limit))
        for row in rows:
            if "error" in row:
                print(f"{tool} failed on {row['name']}: {row['error'][-300:]}", file=sys.stderr)
    return results


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--traces", nargs="+", type=Path, default=[], metavar="FOLDER")
    arguments.add_argument("--truth", nargs="+", default=[], metavar="TRUTH.json=ROOT")
    arguments.add_argument("--time", nargs="+", type=Path, default=[], metavar="PATH", help="calls and seconds alone")
    arguments.add_argument("--tool", nargs="+", default=[], metavar="NAME=PATH", help=", ".join(TOOLS))
    arguments.add_argument("--limit", type=float, default=900.0, metavar="SECONDS", help="of each tool and set (900)")
    arguments.add_argument(
        "--least", type=int, default=LEAST_EDGES, metavar="CALLS", help=f"recorded in a package ({LEAST_EDGES})"
    )
    arguments.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    options = arguments.parse_args()
    results = compare(options)
    print(tables(results))
    if options.json:
        kept = {
            tool: [{key: value for key, value in row.items() if key not in ("edges", "pairs")} for row in rows]
            for tool, rows in results.items()
        }
        options.json.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
