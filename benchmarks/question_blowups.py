"""Processor time of questions whose input doubles: of changes, history, reports, packs, tours, traces and a lab.

usage: python benchmarks/question_blowups.py [NAME …] [--base N] [--doublings N]

Each generator makes a repository and a question of size N, 2N, 4N … in a process of its own. Printed are the processor
seconds of the question alone, without the load, and the exponent e of ``seconds ~ N ** e`` from the smallest to the
largest size; what takes less than `LEAST` counts as that. 1 is linear.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codeexplore.features.lab.course.folder import copy_lab
from codeexplore.features.lab.course.report import grade

LEAST = 0.1
"""Processor seconds below which a figure is noise."""

Question = Callable[[Any], object]


def functions(count: int, name: str, value: str = "a") -> str:
    body = "({0}, b):\n    x = {1} + {2}\n    for i in range(x):\n        b += i * x\n    return x + b - {2}\n\n"
    return "".join(f"def {name}_{n}{body.format('a', value, n)}" for n in range(count))


def two_states(folder: Path, old: dict[str, str], new: dict[str, str]) -> Path:
    for name, files in (("old", old), ("new", new)):
        for path, text in files.items():
            place = folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    return folder / "new"


def renamed(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a state in which all functions of one file have another name and another line."""
    root = two_states(folder, {"m.py": functions(count, "before")}, {"m.py": functions(count, "after", "2 * a")})
    return root, lambda ws: len(ws.review.changes(folder / "old"))


def moved(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a state in which functions of a name in many files have moved into one."""
    old = {f"p{n}/m.py": functions(3, f"f{n}") for n in range(count // 3)}
    new = {"q.py": "".join(functions(3, f"f{n}", "3 * a") for n in range(count // 3))}
    return two_states(folder, old, new), lambda ws: len(ws.review.changes(folder / "old"))


def patched(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a patch with a hunk for each function, each far from its place."""
    root = two_states(folder, {}, {"m.py": functions(count, "f")})
    hunks = [f"@@ -{n + 1} +{n + 1} @@\n-    return x + b - {n}\n+    return x - b - {n}\n" for n in range(count)]
    text = "--- a/m.py\n+++ b/m.py\n" + "".join(hunks)

    def ask(ws: Any) -> object:
        from codeexplore.types.errors import PatchError

        try:
            return len(ws.review.changes(text))
        except PatchError as error:
            return str(error)

    return root, ask


def classes(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a chain and a fan of classes whose base loses a member."""
    chain = "class C0(Base): pass\n" + "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, min(count, 200)))
    fan = "".join(f"class F{n}(Base):\n    def own(self, a): return a\n" for n in range(count))
    base = "class Base:\n    def kept(self): return 1\n"
    old = base + "    def gone(self): return 2\n" + chain + fan
    root = two_states(folder, {"m.py": old}, {"m.py": base + chain + fan.replace("(self, a)", "(self, b)")})
    return root, lambda ws: len(ws.review.compare(folder / "old"))


def chained(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a chain of calls from tests to a changed function, each function called from ten others."""
    text = "def f0(x):\n    return x + {0}\n" + "".join(
        f"def f{n}(x):\n    return {' + '.join(f'f{max(n - k, 0)}(x)' for k in range(1, 11))}\n"
        for n in range(1, count)
    )
    tests = "from m import *\n" + "".join(f"def test_{n}():\n    assert f{n}(1)\n" for n in range(0, count, 10))
    root = two_states(
        folder, {"m.py": text.format(1), "test_m.py": tests}, {"m.py": text.format(2), "test_m.py": tests}
    )

    def ask(ws: Any) -> object:
        changes = ws.review.changes(folder / "old")
        return len(changes.impact()), len(changes.tests(safe=True))

    return root, ask


def commits(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a file with so many commits, a line each."""
    root = folder / "new"
    root.mkdir()
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    rows = []
    for n in range(count):
        text = "".join(f"def f{k}(a):\n    return a + {n if k == n % 20 else k}\n" for k in range(20)).encode()
        rows.append(b"commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata 1\nc\n" % (1_700_000_000 + n * 3600))
        rows.append(b"M 100644 inline m.py\ndata %d\n%s\n" % (len(text), text))
    subprocess.run([*git, "fast-import", "--quiet"], input=b"".join(rows), check=True)
    subprocess.run([*git, "symbolic-ref", "HEAD", "refs/heads/main"], check=True)
    subprocess.run([*git, "reset", "-q", "--hard"], check=True)
    return root, lambda ws: (len(ws.review.history("m.py")), len(ws.review.together("m.f3")))


def reported(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a bug report with so many lines of a stack trace."""
    root = two_states(folder, {}, {f"p/m{n}.py": functions(10, f"g{n}") for n in range(50)})
    frames = "".join(
        f'  File "p/m{n % 50}.py", line {n % 40 + 1}, in g{n % 50}_{n % 10}\n    x = 1\n' for n in range(count)
    )
    report = f"It fails with a KeyError\n\nTraceback (most recent call last):\n{frames}KeyError: 'x'\n"
    return root, lambda ws: len(ws.localise(report))


def layered(folder: Path, count: int) -> Path:
    """Return files of ten functions, each of which calls three of the file before it."""
    files = {}
    for n in range(count // 10):
        head = f"from p.m{n - 1} import *\n\n\n" if n else ""
        calls = [
            " + ".join(f"step_{n - 1}_{(k + j) % 10}(row)" for j in range(3)) if n else "row.price" for k in range(10)
        ]
        defined = [f"def step_{n}_{k}(row):\n    'Add up prices.'\n    return {calls[k]}\n\n\n" for k in range(10)]
        files[f"p/m{n}.py"] = head + "".join(defined)
    return two_states(folder, {}, files)


def packed(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a repository of so many functions that all fit a question."""
    return layered(folder, count), lambda ws: ws.context.pack("where are prices added up?", 4_000).tokens


def mapped(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a repository of so many functions, and ask for its map."""
    return layered(folder, count), lambda ws: ws.context.pack(tokens=4_000).tokens


def toured(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a repository of so many functions, and ask for two tours."""
    return layered(folder, count), lambda ws: (
        len(ws.context.tour()),
        len(ws.context.tour("where are prices added up?")),
    )


def traced(folder: Path, count: int) -> tuple[Path, Question]:
    """Return a trace of so many functions, each called from ten places, and read it from its file."""
    root = two_states(
        folder, {}, {"traced_m.py": functions(count, "f") + "ALL = [v for k, v in globals().items() if k[0] == 'f']\n"}
    )

    def ask(ws: Any) -> object:
        sys.path.insert(0, str(root))
        module = importlib.import_module("traced_m")
        with ws.runs.trace() as run:
            for function in module.ALL * 10:
                function(-count, 2)  # no round of its loop
        return len(ws.runs.open(run.save(folder / "run.trace")).graph)

    return root, ask


def graded(folder: Path, count: int) -> tuple[Path, Question]:
    """Return folders of a lab with an answer of so many items, and grade them."""
    root = two_states(folder, {}, {"m.py": functions(3, "f")})
    copy_lab(folder / "lab")
    copy_lab(folder / "student")
    values = {
        "1.2": [n % 7 for n in range(count * 20)],
        "1.3": "x" * count * 20,
        "1.4": {str(n): n for n in range(count * 5)},
    }
    for exercise, value in values.items():
        told = {"schema": 1, "exercise": exercise, "value": value, "tries": 1}
        (folder / "student" / "answers").mkdir(exist_ok=True)
        (folder / "student" / "answers" / f"{exercise}.json").write_text(json.dumps(told))
    return root, lambda _: grade([folder / "student"], folder / "lab").students[0].answered


GENERATORS = {
    each.__name__: each
    for each in (
        renamed, moved, patched, classes, chained, commits, reported, packed, mapped, toured, traced, graded,
    )
}  # fmt: skip


def measured(name: str, size: int) -> float:
    """Return the processor seconds of one question, measured in this process."""
    from codeexplore import Workspace

    with tempfile.TemporaryDirectory() as folder:
        root, ask = GENERATORS[name](Path(folder), size)
        ws = Workspace(root, cache=False, workers=0, progress=lambda *_: None)
        ws.review.changes(root)  # imports
        began = time.process_time()
        ask(ws)
        return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(GENERATORS))
    parser.add_argument("--base", type=int, default=250)
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.names[0], options.one)))
        return
    sizes = [options.base << doubling for doubling in range(options.doublings + 1)]
    print(f"| question | {' | '.join(map(str, sizes))} | exponent |\n|---|{'---|' * len(sizes)}---|", flush=True)
    for name in options.names:
        command = [sys.executable, __file__, name, "--one"]
        seconds = [float(subprocess.check_output([*command, str(size)])) for size in sizes]
        first, last = max(seconds[0], LEAST), max(seconds[-1], LEAST)
        grown = math.log(last / first) / math.log(sizes[-1] / sizes[0])
        print(f"| {name} | {' | '.join(f'{each:.2f}' for each in seconds)} | {grown:.2f} |", flush=True)


if __name__ == "__main__":
    main()
