"""`ws.refresh()` after edits of every kind, beside the bare parse of the changed file and a cold load, in one run.

usage: python benchmarks/refresh.py [PATH] [--rounds N] [--heavy N] [--clone GIT [--files N]] [--check] [--json OUT]

PATH (default: the standard library) is copied to a temporary folder, made a git repository and edited there. Quiet
edits (a comment, a constant's value) are measured N times with the graph; so are edits that may move edges with
graph="background", whose graphs are thrown away but for the last, and --heavy of them (default 1) with the graph. A
branch switch is `git checkout` between two commits: of the copy, and of GIT, a repository that is cloned: its newest
commit and the tenth before, or, with --files, one from which N files of code or more differ; without PATH, GIT
alone is measured then. Prints medians and 95th percentiles of wall and processor milliseconds (children's too), how
many times the bare parse of the changed file and which part of a cold load that is, and the stages. --check compares
symbols, chunks, edges and answers with a cold load after each kind. Only the ratios of one run mean something.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from codeexplore import Workspace
from codeexplore.languages import registry
from codeexplore.languages.registry import family_of
from codeexplore.syntax.parse import grammar

_WARM = 2  # rounds before those that count: imports, the first walk
_CONSTANT = re.compile(rb"(?m)^([A-Z_]{3,} = )\d+$")
_LEFT_OUT = ("site-packages", "__pycache__", ".git", "node_modules")


def silent(stage: str, done: int, total: int) -> None:
    """No bar."""


# --------------------------------------------------------------------------- edits


def comment(file: Path, number: int) -> Path:
    """A comment at the end of a file: nothing new is said."""
    return _append(file, f"\n# remark {number}\n")


def constant(file: Path, number: int) -> Path:
    """Another number in a constant that a file has."""
    file.write_bytes(_CONSTANT.sub(rb"\g<1>%d" % (10_000 + number), file.read_bytes(), count=1))
    return file


def has_constant(file: Path) -> bool:
    """Whether `constant` can edit a file."""
    return _CONSTANT.search(file.read_bytes()) is not None


def function(file: Path, number: int) -> Path:
    """A new function that calls another: an edge may move."""
    return _append(file, f"\n\ndef added_{number}(value):\n    return added_{number - 1}(value)\n")


def new_file(file: Path, number: int) -> Path:
    """A copy of a file beside it."""
    return Path(shutil.copyfile(file, file.with_name(f"added_{number}_{file.name}")))


def rename(file: Path, number: int) -> Path:
    """A file gets another name."""
    return file.rename(file.with_name(f"renamed_{number}_{file.name}"))


def delete(file: Path, number: int) -> None:  # noqa: ARG001 - edits are made alike
    """A file goes."""
    file.unlink()


def _append(file: Path, text: str) -> Path:
    with file.open("a", encoding="utf-8") as stream:
        stream.write(text)
    return file


Edit = Callable[[Path, int], "Path | None"]

QUIET: dict[str, Edit | None] = {"nothing changed": None, "a comment": comment, "a constant's value": constant}
MOVING: dict[str, Edit | None] = {
    "a function": function,
    "a new file": new_file,
    "a rename": rename,
    "a deletion": delete,
}


# --------------------------------------------------------------------------- measuring


@contextmanager
def measured(into: dict[str, float]) -> Iterator[None]:
    """Wall and processor milliseconds, this process and children that ended in it."""
    started, cpu = time.perf_counter(), _cpu()
    yield
    into |= {"wall": (time.perf_counter() - started) * 1e3, "cpu": (_cpu() - cpu) * 1e3}


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def bare_parse(file: Path) -> float:
    """Milliseconds that tree-sitter alone takes for a file."""
    language = registry.by_path(file.name)
    if language is None or not language.grammar:
        return 0.0
    parser, data = grammar(language).readers.take().parser, file.read_bytes()
    started = time.process_time()
    parser.parse(data)
    return (time.process_time() - started) * 1e3


class Bench:
    """Edits of one copied repository, measured."""

    def __init__(self, root: Path, check: bool) -> None:
        self.root, self.check, self.chance, self.number = root, check, random.Random(1), 0
        self.rows: dict[str, dict[str, Any]] = {}
        self.cold: dict[str, float] = {}
        with measured(self.cold):
            self.ws = Workspace(root, cache=False, progress=silent)
        self.ws.search("where is a header parsed?")

    def edits(self, name: str, edit: Edit | None, rounds: int, graph: str) -> None:
        """Measure one kind of edit.

        `graph` is "now", or "background" with the graph thrown away but for the last one.
        """
        runs: list[dict[str, float]] = []
        for turn in range(-_WARM if graph == "background" or name in QUIET else 0, rounds):
            self.number += 1
            parse = 0.0
            if edit is not None:
                changed = edit(self.chosen(has_constant if edit is constant else Path.is_file), self.number)
                parse = bare_parse(changed) if changed is not None else 0.0
            run = self.refreshed(graph) | {"parse": parse}
            if turn >= 0:
                runs.append(run)
            if graph == "background" and turn < rounds - 1 and (settling := self.ws._holder.resolution) is not None:
                settling.cancel()
                settling.wait()
        self.keep(f"{name}, later" if graph == "background" else name, runs)
        if graph == "background":
            self.keep(f"{name}, its graph", self.settled())

    def chosen(self, suits: Callable[[Path], bool]) -> Path:
        """A Python file at random."""
        files = [self.root / path for path in self.ws.files if path.endswith(".py") and "__init__" not in path]
        self.chance.shuffle(files)
        return next(file for file in files if suits(file))

    def refreshed(self, graph: str) -> dict[str, float]:
        """One refresh with its stages."""
        run: dict[str, float] = {}
        how: Literal["now", "background"] = "background" if graph == "background" else "now"
        with measured(run):
            changes = self.ws.refresh(graph=how, progress=silent)
        if changes:
            run |= {stage.stage: stage.seconds * 1e3 for stage in self.ws.summary.stages}
        return run

    def settled(self) -> list[dict[str, float]]:
        """The graph behind the last edit, where it has to be waited for."""
        run: dict[str, float] = {}
        if not self.ws.graph_pending:
            return []
        with measured(run):
            assert self.ws.wait_for_graph(), self.ws.status()
        return [run]

    def switches(self, one: str, other: str, rounds: int) -> None:
        """Branch switches there and back."""
        runs: list[dict[str, float]] = []
        graphs: list[dict[str, float]] = []
        for turn in range(rounds):
            git(self.root, "checkout", "-q", "-f", other if turn % 2 == 0 else one)
            runs.append(self.refreshed("background"))
            graphs += self.settled()
        self.keep("a branch switch, later", runs)
        self.keep("a branch switch, its graph", graphs)

    def keep(self, name: str, runs: list[dict[str, float]]) -> None:
        """Medians and 95th percentiles of a kind; with `check`, hold the workspace to a cold load."""
        if not runs:
            return
        row: dict[str, Any] = {"runs": len(runs)}
        for part in dict.fromkeys(key for run in runs for key in run):
            values = sorted(run.get(part, 0.0) for run in runs)
            row[part] = statistics.median(values)
            if part in ("wall", "cpu"):
                row[f"{part}_p95"] = values[min(len(values) - 1, int(0.95 * len(values)))]
                row[f"{part}_best"] = values[0]
        self.rows[name] = row
        print(self.line(name, row), flush=True)
        if self.check and not self.ws.graph_pending:
            self.same_as_cold(name)

    def same_as_cold(self, name: str) -> None:
        """Fail unless a cold load gives the same."""
        fresh = Workspace(self.root, cache=False, progress=silent)
        assert tuple(self.ws.catalog.symbols) == tuple(fresh.catalog.symbols), f"symbols differ after {name}"
        assert tuple(self.ws.catalog.chunks) == tuple(fresh.catalog.chunks), f"chunks differ after {name}"
        assert list(self.ws.graph.edges) == list(fresh.graph.edges), f"edges differ after {name}"
        one, other = (each.search("where is a header parsed?", timeout=60.0).result for each in (self.ws, fresh))
        assert one.hits == other.hits, f"answers differ after {name}"

    def line(self, name: str, row: dict[str, Any]) -> str:
        """A row of the table."""
        own = ("runs", "parse", "wall", "cpu", "wall_p95", "cpu_p95", "wall_best", "cpu_best")
        stages = ", ".join(f"{part} {value:.0f}" for part, value in row.items() if part not in own and value >= 0.5)
        times = f"{row['cpu'] / row['parse']:,.0f}x" if row.get("parse") else ""
        return (
            f"{name:24}{row['cpu']:>9.0f}{row['cpu_p95']:>8.0f}{row['cpu_best']:>8.0f}{row['wall']:>9.0f}"
            f"{row['wall_p95']:>8.0f}{times:>10}{self.cold['cpu'] / row['cpu']:>8.0f}  {stages}"
        )


# --------------------------------------------------------------------------- the copy


def git(folder: Path, *words: str) -> str:
    """Return the output of git, run with nobody's settings."""
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.autocrlf=false")
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def copied(source: Path, root: Path) -> tuple[str, str]:
    """Copy a tree and commit it twice; the second commit edits ten files, adds one and deletes one."""
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "as it is")
    files = [path for path in sorted(root.rglob("*.py")) if "__init__" not in path.name]
    chosen = random.Random(2).sample(files, min(12, len(files) - 1))
    for number, file in enumerate(chosen[2:], start=1):
        function(file, number)
    new_file(chosen[0], 0)
    delete(chosen[1], 0)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "edited")
    git(root, "checkout", "-q", "HEAD~1")
    return git(root, "rev-parse", "main~1").strip(), git(root, "rev-parse", "main").strip()


def cloned(source: str, root: Path, files: int) -> tuple[str, str]:
    """Clone a repository; its newest commit and an older one, see the usage."""
    git(root.parent, "clone", "-q", source, str(root))
    newest = git(root, "rev-parse", "HEAD").strip()
    if not files:
        return newest, git(root, "rev-parse", "HEAD~10").strip()
    commits = git(root, "rev-list", "--first-parent", "HEAD").split()
    place = 1
    while place < len(commits):
        paths = git(root, "diff", "--name-only", commits[place], newest).splitlines()
        if sum(is_code(path) for path in paths) >= files:
            return newest, commits[place]
        place += place // 4 + 1
    raise SystemExit(f"--files {files}: fewer files of code differ between the commits of {source}")


def is_code(path: str) -> bool:
    """Whether references of a file are resolved."""
    language = registry.by_path(path)
    return language is not None and family_of(language.name) != ""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", type=Path)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--heavy", type=int, default=1)
    arguments.add_argument("--clone", metavar="GIT")
    arguments.add_argument("--files", metavar="N", type=int, default=0)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--json", type=Path, metavar="OUT")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.files and options.clone and options.path is None:
            written(options, {"clone": clone_part(options, Path(folder))})
            return
        root = Path(folder) / "copy"
        commits = copied(options.path or Path(sysconfig.get_paths()["stdlib"]), root)
        bench = Bench(root, options.check)
        ws, cold = bench.ws, bench.cold
        size = {"files": len(ws.files), "symbols": len(ws.catalog.symbols), "chunks": len(ws.catalog.chunks)}
        print(", ".join(f"{count:,} {what}" for what, count in size.items()))
        print(f"cold load: {cold['wall'] / 1e3:.1f} s, {cold['cpu'] / 1e3:.1f} processor seconds")
        print(f"{'':24}{'cpu ms':>9}{'p95':>8}{'best':>8}{'wall ms':>9}{'p95':>8}{'/parse':>10}{'cold /':>8}  stages")
        for name, edit in QUIET.items():
            bench.edits(name, edit, options.rounds, "now")
        for name, edit in MOVING.items():
            bench.edits(name, edit, options.rounds, "background")
        for name, edit in MOVING.items():
            bench.edits(name, edit, options.heavy, "now")
        git(root, "checkout", "-q", "-f", commits[0])
        git(root, "clean", "-q", "-f", "-d", "-x")
        ws.refresh(progress=silent)
        bench.switches(*commits, max(2, options.heavy))
        result: dict[str, Any] = {**size, "cold": cold, "kinds": bench.rows}
        if options.clone:
            result["clone"] = clone_part(options, Path(folder))
    written(options, result)


def written(options: argparse.Namespace, result: dict[str, Any]) -> None:
    """Write the figures to the file that --json names."""
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


def clone_part(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Branch switches in a clone."""
    commits = cloned(options.clone, folder / "clone", options.files)
    print(f"{git(folder / 'clone', 'diff', '--shortstat', *commits).strip()} between the two commits")
    bench = Bench(folder / "clone", options.check)
    spent = bench.cold["cpu"] / 1e3
    print(f"{options.clone}: {len(bench.ws.files):,} files, cold load {spent:.1f} processor seconds", flush=True)
    bench.switches(*commits, max(2 if options.files else 4, options.heavy))
    return {"cold": bench.cold, "files": len(bench.ws.files), "kinds": bench.rows}


if __name__ == "__main__":
    main()
