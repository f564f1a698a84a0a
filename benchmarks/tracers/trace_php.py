"""Tracer of PHP: records which function of a repository called which while the tests of the repository run.

usage: python trace_php.py SRC RUN.json -- COMMAND …       (COMMAND: ``/usr/bin/phpunit tests``)

It runs the code of the repository SRC, in SRC, with Xdebug 3, and writes the form that `benchmarks/run_verdicts.py`
reads. Xdebug writes each call to a file, and trace_php_definitions.php, which runs before the program, where functions
are defined. Both are read when the program has ended. Processes that the tests start are not traced.

- A function is a function or method with a name. A closure runs in the function that holds its lines, or in the
  top-level code of the file.
- Outside are functions of PHP, files outside SRC, and code that was made from text, such as mock objects.
- A generator is called where it is made. Where its values are asked for, there is no call.
- Destructors have no caller: PHP runs them at any place.
- Fibers are not followed: Xdebug counts the frames of a suspended one. Leave out tests that suspend one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

OUTSIDE = None
SETTINGS = {
    "xdebug.mode": "trace",
    "xdebug.start_with_request": "yes",
    "xdebug.trace_format": "1",
    "xdebug.trace_output_name": "calls.%p",
    "xdebug.use_compression": "0",
    "xdebug.var_display_max_depth": "0",
    "xdebug.var_display_max_children": "0",
    "xdebug.var_display_max_data": "1",
    "memory_limit": "-1",
}
CLOSURE = re.compile(r"\{closure:(.+):(\d+)-\d+\}$")


class Function(NamedTuple):
    """A function of the repository, by the place of its definition; line 0 is the top-level code of a file."""

    path: str
    line: int
    name: str


class Definition(NamedTuple):
    """A function, its last line, and whether it is a generator."""

    function: Function
    last: int
    generator: bool


class Definitions:
    """Where functions are defined, by the names that Xdebug gives them."""

    def __init__(self, root: Path, text: str) -> None:
        self.root, self.by_name = f"{root}/", dict[str, Definition]()
        self.by_path: dict[str, list[Definition]] = {}
        self.lines: dict[str, list[str]] = {}
        for row in text.splitlines():
            name, path, first, last, generator = row.split("\t")
            bare = re.split(r"->|::|\\", name)[-1]
            function = Function(path.removeprefix(self.root), int(first), bare)
            self.by_name[name] = definition = Definition(function, int(last), generator == "1")
            self.by_path.setdefault(path, []).append(definition)

    def holder(self, path: str, line: int) -> Function | None:
        """Return the function that holds a line, or the top-level code; None outside the repository."""
        if not path.startswith(self.root) or "eval()" in path:
            return OUTSIDE
        around = [each for each in self.by_path.get(path, ()) if each.function.line <= line <= each.last]
        around.sort(key=lambda each: each.last - each.function.line)
        return around[0].function if around else Function(path.removeprefix(self.root), 0, "")

    def frame(self, name: str, included: str) -> tuple[Function | None, bool]:
        """Return the function that runs in a frame, and whether its beginning is a call of it."""
        if included:
            return self.holder(included, 0), False
        if (closure := CLOSURE.search(name)) is not None:
            return self.holder(closure[1], int(closure[2])), False
        definition = self.by_name.get(name)
        return (definition.function, True) if definition is not None else (OUTSIDE, False)

    def resumes(self, name: str, path: str, line: int) -> bool:
        """Tell whether a frame at a line continues a generator, since the line does not have its name."""
        if not self.by_name[name].generator:
            return False
        if path not in self.lines:
            self.lines[path] = Path(path).read_text("utf-8", "replace").splitlines() if Path(path).is_file() else []
        around = self.lines[path][line - 1 : line]
        return not any(self.by_name[name].function.name.lower() in each.lower() for each in around)


def read(rows: Iterator[str], definitions: Definitions) -> Iterator[tuple[Function, Function, str]]:
    """Yield the calls of a trace: caller, callee, and direct or external."""
    frames: list[Function | None] = []
    known: dict[tuple[str, str], tuple[Function | None, bool]] = {}
    for row in rows:
        cells = row.rstrip("\n").split("\t")
        if len(cells) < 10 or cells[2] != "0":
            continue
        name, inner, included, path, line = cells[5:10]
        included = path if name == "{main}" else included
        del frames[int(cells[0]) - 1 :]
        if (name, included) not in known:
            known[name, included] = definitions.frame(name, included) if inner == "1" else (OUTSIDE, False)
        function, called = known[name, included]
        if called and function is not None and function.name != "__destruct":
            caller = next((each for each in reversed(frames) if each is not OUTSIDE), None)
            if caller is not None and not definitions.resumes(name, path, int(line)):
                yield caller, function, "direct" if frames[-1] is not OUTSIDE else "external"
        frames += [OUTSIDE] * (int(cells[0]) - 1 - len(frames))
        frames.append(function)


def main() -> None:
    """Run a program under Xdebug and write which function called which."""
    parser = argparse.ArgumentParser(description="Record the calls of a PHP program")
    parser.add_argument("src", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    root = options.src.resolve()
    with TemporaryDirectory() as folder:
        settings = SETTINGS | {"xdebug.output_dir": folder}
        settings["auto_prepend_file"] = str(Path(__file__).with_name("trace_php_definitions.php").resolve())
        given = [part for key, value in settings.items() for part in ("-d", f"{key}={value}")]
        names = Path(folder, "definitions")
        environment = os.environ | {"TRACE_ROOT": str(root), "TRACE_DEFINITIONS": str(names)}
        with subprocess.Popen(["php", *given, *options.command], cwd=root, env=environment) as program:
            trace = Path(folder, f"calls.{program.pid}.xt")
        definitions = Definitions(root, names.read_text("utf-8", "replace"))
        ids: dict[Function, int] = {}
        calls: dict[tuple[int, int], str] = {}
        with trace.open("r", encoding="utf-8", errors="replace", newline="\n") as rows:
            for caller, callee, kind in read(rows, definitions):
                pair = ids.setdefault(caller, len(ids)), ids.setdefault(callee, len(ids))
                calls[pair] = "direct" if kind == "direct" else calls.get(pair, kind)
    record = {"language": "php", "functions": [*ids], "calls": [(*pair, kind) for pair, kind in calls.items()]}
    options.out.write_text(json.dumps(record), "utf-8")


if __name__ == "__main__":
    main()
