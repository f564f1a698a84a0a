"""A month of use, simulated: many small repositories, loaded in turn by installations that share one cache.

usage: python benchmarks/month.py [--repositories N] [--loads N] [--seed N] [--other PYTHON=FOLDER …] [--json OUT]

Each installation is a process that stays: this one's Python and package, and for each `--other` a Python with its
dependencies and the folder that has its package, such as another commit or another version of Python. Before some loads
the repository is edited, before a few it is removed and a new one made. The functions, their callers and the hits of
each load must be those that were written. The bound of the cache is set so low that the oldest indexes must go. Memory,
descriptors and threads of each process are compared with those after a fifth of the loads.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import psutil

BOUND: Final = 4_000_000
"""Bytes of the cache, for all processes."""
_SLOT: Final = 400_000  # bytes that the index just saved may add: it stays, whatever the bound

_PROCESS = """
import gc, json, sys
from codeexplore import Workspace
from codeexplore.index import cache
cache.MOST_BYTES = {bound}
for line in sys.stdin:
    asked = json.loads(line)
    ws = Workspace(asked["root"], workers=0, progress=lambda *_: None)
    told = {{
        "functions": sorted(s.name for s in ws.symbols if s.kind == "function"),
        "callers": sorted(s.name for s in ws.callers("base").symbols),
        "hit": asked["newest"] in {{hit.symbol.name for hit in ws.search(asked["newest"]).hits[:2] if hit.symbol}},
    }}
    del ws
    gc.collect()
    print(json.dumps(told), flush=True)
"""


class Installation:
    """A process that loads repositories with one package."""

    def __init__(self, python: str, package: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(package)}
        command = [python, "-c", _PROCESS.format(bound=BOUND)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        self.name, self.first = f"{Path(python).parents[1].name}, {package}", dict[str, int]()

    def load(self, root: Path, newest: str) -> dict[str, Any]:
        """Return what a load tells. Raises JSONDecodeError if the process ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps({"root": str(root), "newest": newest}), file=self.process.stdin, flush=True)
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def state(self) -> dict[str, int]:
        """Return memory, descriptors and threads."""
        seen = psutil.Process(self.process.pid)
        return {"kB": seen.memory_info().rss // 1024, "descriptors": seen.num_fds(), "threads": seen.num_threads()}


class Repository:
    """A folder of Python files, and the names that it has."""

    def __init__(self, root: Path) -> None:
        self.root, self.names = root, ["base"]
        root.mkdir(parents=True)
        (root / "base.py").write_text("def base():\n    return 1\n")
        for _ in range(3):
            self.edit()

    def edit(self) -> None:
        """Add a file with a function that calls `base`."""
        name = f"added{len(self.names)}"
        (self.root / f"{name}.py").write_text(f"from base import base\n\n\ndef {name}():\n    return base()\n")
        self.names.append(name)

    def wrong(self, told: dict[str, Any]) -> list[str]:
        """Return the parts that are told wrongly."""
        true = {"functions": sorted(self.names), "callers": sorted(self.names[1:]), "hit": True}
        return [part for part, value in true.items() if told[part] != value]


def run(others: list[tuple[str, Path]], count: int, loads: int, seed: int) -> dict[str, Any]:
    """Simulate, and return what came of it."""
    chance, wrong, largest = random.Random(seed), list[str](), 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        os.environ["CODEEXPLORE_CACHE"] = str(folder / "cache")
        mine = (sys.executable, Path(__file__).resolve().parents[1])
        installations = [Installation(python, package) for python, package in (mine, *others)]
        repositories = [Repository(folder / f"r{number}") for number in range(count)]
        for number in range(loads):
            place = chance.randrange(count)
            if chance.random() < 0.05:
                shutil.rmtree(repositories[place].root)
                repositories[place] = Repository(folder / f"r{count + number}")
            elif chance.random() < 0.4:
                repositories[place].edit()
            repository, by = repositories[place], chance.choice(installations)
            told = by.load(repository.root, repository.names[-1])
            wrong += [f"load {number} by {by.name}: {part}" for part in repository.wrong(told)]
            size = sum(file.stat().st_size for file in (folder / "cache").rglob("*") if file.is_file())
            largest = max(largest, size)
            if number == loads // 5:
                for each in installations:
                    each.first = each.state()
        states = {each.name: {"after a fifth": each.first, "at the end": each.state()} for each in installations}
        for each in installations:
            each.process.stdin.close()  # type: ignore[union-attr]
            each.process.wait()
    within = largest <= BOUND + _SLOT
    return {"loads": loads, "wrong": wrong, "largest": largest, "within": within, **states}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=int, default=300)
    parser.add_argument("--loads", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--other", action="append", default=[], metavar="PYTHON=FOLDER")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    others = [(python, Path(folder)) for python, _, folder in (each.partition("=") for each in options.other)]
    found = run(others, options.repositories, options.loads, options.seed)
    print(json.dumps(found, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return bool(found["wrong"] or not found["within"])


if __name__ == "__main__":
    raise SystemExit(main())
