"""The call graph of Python packages beside the calls that their own tests were seen to make.

usage: python benchmarks/traced_calls.py trace FOLDER NAME [--package IMPORT] [--tests PATH …] [--needs REQUIREMENT …]
       python benchmarks/traced_calls.py score FOLDER … [--rules] [--least CALLS] [--json OUT]
       python benchmarks/traced_calls.py paths FOLDER … [--pairs N]
       python benchmarks/traced_calls.py run FOLDER …

`trace` RUNS THE CODE OF A PACKAGE: pip fetches its source distribution, a virtual environment of its own in a
temporary folder gets it and what its tests need, and pytest runs the tests with `call_tracer.py`. It is the only part
of the project that runs code which it also explores; codeexplore itself never does, and `score` reads files alone.
FOLDER/NAME gets `src` (the package without its tests) and `edges.json`.

`score` prints, for all packages together and for each: direct recall (of the calls between two of its functions that
pass through no foreign frame, how many the graph has) and share seen (of the graph's calls between functions that both
ran, how many were observed), of all edges and of those at or above a confidence; then the share seen at each level.
No run takes every path, so that a share seen is a floor for precision. Calls of a generator count only if they were
observed: its code starts elsewhere. An edge found by several rules counts for the surest.

`paths` asks for the paths between random pairs of functions that ran, half of them pairs that observed calls connect,
and prints what was said: found, possible, or that there is none. Of connected pairs, each "none" is false.

`run` writes the trace again as ``run.json``, the form of `run_verdicts.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "adapters"))

from python_names import names  # noqa: E402
from source_graph import load  # noqa: E402

from codeexplore import Workspace  # noqa: E402
from codeexplore.graph.build.rules import RULES  # noqa: E402
from codeexplore.types import Edge, Symbol  # noqa: E402

LEAST_EDGES = 100
"""Packages with fewer observed calls say little."""

THRESHOLDS = (0.0, 0.6, 0.9)


class Tally(NamedTuple):
    """Predicted calls between functions that both ran, and how many of them were observed."""

    seen: int = 0
    measured: int = 0

    def __add__(self, other: object) -> Tally:
        assert isinstance(other, Tally)
        return Tally(self.seen + other.seen, self.measured + other.measured)

    @property
    def share(self) -> float:
        """The part that was observed; 0 when nothing was measured."""
        return self.seen / self.measured if self.measured else 0.0

    def words(self) -> str:
        """The numbers in columns."""
        return f"{self.seen:6} of {self.measured:6}  {100 * self.share:5.1f} %"


ByRule = Mapping[str, Tally]


class Package(NamedTuple):
    """One package: its direct calls, those of them that each rule found, and tallies by rule.

    `rules` counts calls between functions that both ran, `sites` those of them whose own line ran, too.
    """

    name: str
    direct: int
    found: Mapping[str, int]
    rules: ByRule
    sites: ByRule


# ----------------------------------------------------------------------------- trace


def trace(folder: Path, name: str, package: str, tests: Sequence[str], needs: Sequence[str], limit: float) -> str:
    """Fetch a package, run its tests under the tracer and write its folder; return pytest's last line."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, "-d", str(work), name]
        subprocess.run(pip, check=True)
        shutil.unpack_archive(next(path for path in work.iterdir() if path.is_file()), work)
        source = next(path for path in work.iterdir() if path.is_dir())
        venv.create(work / "venv", with_pip=True)
        python = work / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        subprocess.run([str(python), "-m", "pip", "install", "-q", "pytest", name, *needs], check=True)
        tops = (
            path for top in (source / "src", source / "lib", source) for path in (top / package, top / f"{package}.py")
        )
        found = next((path for path in tops if path.exists()), None)
        if found is None:
            raise SystemExit(f"{name}: no package {package!r}; give its import name with --package")
        clean = work / "clean"
        clean.mkdir()
        (shutil.copytree if found.is_dir() else shutil.copy)(found, clean / found.name)
        usual = ("tests", "test", f"{package}/tests", f"{package}/test")
        chosen = list(tests) or [path for path in usual if (source / path).exists()][:1]
        if not chosen:
            raise SystemExit(f"{name}: no folder of tests in its source distribution; give one with --tests")
        inside = [path for path in chosen if path.startswith(f"{package}/")]
        if not inside:  # the tests must import the copy
            shutil.rmtree(found) if found.is_dir() else found.unlink()
        where = [str(clean / path) if path in inside else path for path in chosen]
        said = run_tests(python, source, clean, where, work / "edges.json", limit)
        keep(work / "edges.json", clean, folder / name)
    return said


def run_tests(python: Path, source: Path, clean: Path, tests: Sequence[str], out: Path, limit: float) -> str:
    """Run tests in the folder `source` with the package below `clean`, at most `limit` seconds; write the trace.

    Return pytest's last line. A run that takes longer is interrupted, and what it recorded counts.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(clean), str(HERE))), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"TRACED_ROOT": str(clean), "TRACED_OUT": str(out)}
    options = ("-q", "-p", "call_tracer", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "filterwarnings=")
    command = [str(python), "-m", "pytest", *options, "--continue-on-collection-errors", *tests]
    running = subprocess.Popen(
        command, cwd=source, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said, _ = running.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT)  # pytest then ends in order, and the trace is written
        said, _ = running.communicate(timeout=limit)
    if not out.exists():
        raise SystemExit(f"nothing was recorded; the tests' last output:\n{said[-2000:]}")
    return (said.strip().splitlines() or [""])[-1]


def keep(trace_file: Path, clean: Path, target: Path) -> None:
    """Write a package's folder: its source without tests, and the trace without their calls."""
    record = json.loads(trace_file.read_text("utf-8"))
    tests = re.compile(r"\.tests?\.|\.conftest\b")
    record["functions"] = [name for name in record["functions"] if not tests.search(name)]
    record["edges"] = [row for row in record["edges"] if not (tests.search(row[0]) or tests.search(row[1]))]
    for path in [*clean.rglob("tests"), *clean.rglob("test")]:
        shutil.rmtree(path, ignore_errors=True)
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    shutil.copytree(clean, target / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (target / "edges.json").write_text(json.dumps(record), "utf-8")


# ----------------------------------------------------------------------------- score


def plain(name: str) -> str:
    """A name without the number of an anonymous function, which a trace can't tell."""
    return re.sub(r"<lambda\d*>", "<lambda>", name)


def measure(folder: Path) -> Package:
    """Compare one package's graph with its trace."""
    record = json.loads((folder / "edges.json").read_text("utf-8"))
    best, runners = predicted(folder / "src")
    seen: dict[tuple[str, str], str] = {}
    for scope, callee, kind, *_ in record["edges"]:
        caller = runners.get(plain(scope), plain(scope))
        seen.setdefault((caller, plain(callee)), kind)
    late = {plain(name) for name in record.get("generators", ())}
    ran, callers = {plain(name) for name in record["functions"]}, {caller for caller, _ in seen}
    rules: defaultdict[str, Tally] = defaultdict(Tally)
    at_sites: defaultdict[str, Tally] = defaultdict(Tally)
    lines = {path: frozenset(each) for path, each in record.get("lines", {}).items()}
    for (caller, callee), edge in best.items():
        hit = (caller, callee) in seen
        if callee in ran and (caller in ran or caller in callers) and (hit or callee not in late):
            rules[edge.rule] += Tally(hit, 1)
            if hit or not lines or any(site.line in lines.get(site.path, ()) for site in edge.sites):
                at_sites[edge.rule] += Tally(hit, 1)
    direct = [pair for pair, kind in seen.items() if kind != "external"]
    found: defaultdict[str, int] = defaultdict(int)
    for pair in direct:
        if pair in best:
            found[best[pair].rule] += 1
    return Package(folder.name, len(direct), dict(found), dict(rules), dict(at_sites))


def predicted(source: Path) -> tuple[dict[tuple[str, str], Edge], dict[str, str]]:
    """Return calls between functions by name, each with its surest edge, and classes with what runs them.

    Traces of older tracers name the body of a class as a caller; a call there counts for what runs the body.
    """
    graph = load(str(source), (".py",))
    named = {key: plain(name) for facts in graph.files for key, name in names(facts).items()}
    best: dict[tuple[str, str], Edge] = {}
    for runner, target, edge in graph.to_functions():
        pair = named[runner.id], named[target.id]
        if pair not in best or edge.confidence > best[pair].confidence + 1e-6:
            best[pair] = edge
    classes = (symbol for symbol in graph.symbols.values() if symbol.kind == "class")
    return best, {named[symbol.id]: named[graph.running(symbol).id] for symbol in classes}


def packages_of(folders: Iterable[Path], least: int = LEAST_EDGES) -> list[Package]:
    """Measure the packages below some folders, each with `least` observed calls or more, in order of names."""
    found = sorted(
        (path.parent for folder in folders for path in folder.glob("*/edges.json")), key=lambda each: each.name
    )
    return [measure(path) for path in found if len(json.loads((path / "edges.json").read_text())["edges"]) >= least]


def given() -> dict[str, float]:
    """The confidences of `graph/build/rules.py`."""
    return {key: rule.confidence for key, rule in RULES.items()}


def by_rule(packages: Iterable[Package], at_sites: bool = False) -> dict[str, Tally]:
    """Tallies of all packages together."""
    total: defaultdict[str, Tally] = defaultdict(Tally)
    for package in packages:
        for rule, tally in (package.sites if at_sites else package.rules).items():
            total[rule] += tally
    return dict(total)


def by_confidence(rules: ByRule, confidences: Mapping[str, float]) -> dict[float, Tally]:
    """Tallies by confidence, in rising order."""
    total: defaultdict[float, Tally] = defaultdict(Tally)
    for rule, tally in rules.items():
        total[confidences[rule]] += tally
    return dict(sorted(total.items()))


def above(levels: Mapping[float, Tally], confidence: float) -> Tally:
    """All levels from one on."""
    return sum((tally for level, tally in levels.items() if level >= confidence), Tally())


def recall(packages: Sequence[Package], confidences: Mapping[str, float], least: float) -> float:
    """The part of all direct calls that edges at or above a confidence found."""
    found = sum(n for package in packages for rule, n in package.found.items() if confidences[rule] >= least)
    return found / max(1, sum(package.direct for package in packages))


def summary(packages: Sequence[Package], confidences: Mapping[str, float]) -> str:
    """Direct recall and share seen at each threshold, as a line of per cents."""
    levels = by_confidence(by_rule(packages), confidences)
    pairs = ((recall(packages, confidences, each), above(levels, each).share) for each in THRESHOLDS)
    return "   ".join(f"{100 * hit:5.1f} / {100 * seen:5.1f}" for hit, seen in pairs)


def show(packages: Sequence[Package], rules: bool = False) -> None:
    """Print the tables by package, confidence and, when asked for, rule."""
    confidences = given()
    total, sites = by_rule(packages), by_rule(packages, at_sites=True)
    print(
        f"{'direct recall / seen, per cent':26} calls   " + "   ".join(f"{f'at {each:.1f}':>13}" for each in THRESHOLDS)
    )
    for name, some in (*((package.name, [package]) for package in packages), ("all", packages)):
        print(f"{name:26}{sum(package.direct for package in some):6}   {summary(some, confidences)}")
    print("\nconfidence    seen of measured            of those at lines that ran")
    ran = by_confidence(sites, confidences)
    for level, tally in by_confidence(total, confidences).items():
        print(f"  {level:.2f}  {tally.words()}  {ran.get(level, Tally()).words()}")
    if rules:
        print("\nrule              confidence    seen of measured            of those at lines that ran")
        for key, tally in sorted(total.items(), key=lambda item: (-confidences[item[0]], -item[1].measured)):
            print(f"  {key:18} {confidences[key]:.2f}  {tally.words()}  {sites.get(key, Tally()).words()}")


def read_scores(path: Path) -> list[Package]:
    """Read what `score --json` wrote."""
    rows: list[list[Any]] = json.loads(path.read_text("utf-8"))
    return [
        Package(name, direct, found, *({key: Tally(*tally) for key, tally in each.items()} for each in tallies))
        for name, direct, found, *tallies in rows
    ]


def denied(folder: Path, pairs: int) -> dict[str, Counter[str]]:
    """Return the kinds of the verdicts on paths between connected and other pairs of functions that ran."""
    record, random = json.loads((folder / "edges.json").read_text("utf-8")), Random(7)
    workspace = Workspace(folder / "src", cache=False)
    graph = load(str(folder / "src"), (".py",))
    ids = {plain(name): key for facts in graph.files for key, name in names(facts).items()}
    after: defaultdict[str, set[str]] = defaultdict(set)
    for scope, callee, *_ in record["edges"]:
        if {plain(scope), plain(callee)} <= ids.keys():
            after[plain(scope)].add(plain(callee))
    ran = sorted({plain(name) for name in record["functions"]} & ids.keys())
    connected, others = list[tuple[str, str]](), list[tuple[str, str]]()
    for start in ran:
        reached, waiting = {start}, [start]
        while waiting:
            new = after[waiting.pop()] - reached
            reached |= new
            waiting += new
        for end in (each for each in ran if each != start):
            (connected if end in reached else others).append((start, end))
    said: dict[str, Counter[str]] = {}
    for label, some in (("connected", connected), ("other", others)):
        asked = random.sample(some, min(pairs, len(some)))
        answers = (workspace.paths(ids[one], ids[other], top_k=1) for one, other in asked)
        said[label] = Counter(answer.verdict.kind for answer in answers if answer.verdict is not None)
    return said


def write_run(folder: Path) -> None:
    """Write a trace with places in files instead of names; functions without a symbol are left out."""
    record = json.loads((folder / "edges.json").read_text("utf-8"))
    graph = load(str(folder / "src"), (".py",))
    named: dict[str, Symbol] = {}
    for facts in graph.files:
        for key, name in names(facts).items():
            named.setdefault(plain(name), graph.symbols[key])  # the getter of a property
    calls = [(plain(scope), plain(callee), kind) for scope, callee, kind, *_ in record["edges"]]
    used = {*map(plain, record["functions"]), *(name for call in calls for name in call[:2])}
    known = [name for name in sorted(used & named.keys()) if named[name].kind != "class"]
    numbers = {name: number for number, name in enumerate(known)}
    functions = [
        (each.path, 0 if each.kind == "module" else each.line, "" if each.kind == "lambda" else each.name)
        for each in map(named.__getitem__, known)
    ]
    rows = [
        (numbers[scope], numbers[callee], "external" if kind == "external" else "direct")
        for scope, callee, kind in calls
        if scope in numbers and callee in numbers
    ]
    (folder / "run.json").write_text(json.dumps({"language": "python", "functions": functions, "calls": rows}), "utf-8")


def main() -> None:
    """Trace a package, score traced ones, or ask for paths in them."""
    parser = argparse.ArgumentParser(description="The call graph beside calls observed while packages' tests ran")
    commands = parser.add_subparsers(dest="command", required=True)
    tracing = commands.add_parser("trace", help="run a package's tests in an environment of its own and record calls")
    tracing.add_argument("folder", type=Path)
    tracing.add_argument("name", help="the package's name at PyPI")
    tracing.add_argument("--package", help="the name it is imported by (the same unless given)")
    tracing.add_argument("--tests", nargs="+", default=(), metavar="PATH", help="in the source distribution")
    tracing.add_argument("--needs", nargs="+", default=(), metavar="REQUIREMENT", help="what else the tests import")
    tracing.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="of the tests' run")
    scoring = commands.add_parser("score", help="compare graphs with traces")
    scoring.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    scoring.add_argument("--rules", action="store_true", help="print the rules too")
    scoring.add_argument("--least", type=int, default=LEAST_EDGES, metavar="CALLS", help=f"recorded ({LEAST_EDGES})")
    scoring.add_argument("--json", type=Path, help="write tallies by package and rule, for calibration.py")
    asking = commands.add_parser("paths", help="ask for paths between functions that ran")
    asking.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    asking.add_argument("--pairs", type=int, default=120, metavar="N", help="of each sort, in each package")
    writing = commands.add_parser("run", help="write traces in the form of run_verdicts.py")
    writing.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.command == "run":
        for folder in options.folders:
            write_run(folder)
        return
    if options.command == "paths":
        whole: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for folder in options.folders:
            for label, kinds in denied(folder, options.pairs).items():
                print(f"{folder.name:20} {label:10} {dict(kinds)}", flush=True)
                whole[label] += kinds
        print(*(f"{label}: {dict(kinds)}" for label, kinds in whole.items()), sep="\n")
        return
    if options.command == "trace":
        package = options.package or re.sub(r"[-.]+", "_", options.name).lower()
        said = trace(options.folder, options.name, package, options.tests, options.needs, options.limit)
        print(f"{options.name}: {said}")
        return
    packages = packages_of(options.folders, options.least)
    if not packages:
        parser.error(f"no package with {options.least} recorded calls below {', '.join(map(str, options.folders))}")
    show(packages, options.rules)
    if options.json is not None:
        options.json.write_text(json.dumps(packages), "utf-8")


if __name__ == "__main__":
    main()
