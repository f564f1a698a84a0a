"""Record which function of a Rust repository called which while its own tests run.

usage: python benchmarks/tracers/trace_rust.py REPOSITORY FOLDER [-- ARGUMENT …]

RUNS THE CODE OF THE REPOSITORY: `cargo test ARGUMENT …` (by default of all targets but documentation) builds it without
optimization, with a call of `mcount` at each entry of a function, and runs it with `rust_mcount.c` preloaded. FOLDER
gets `src`, a copy of the repository without what git ignores, and `run.json` for `run_verdicts.py`. Needs gcc,
binutils and tree_sitter_language_pack; REPOSITORY has to be a git checkout that builds where it is.

A function is what a `fn` or a closure of the source compiled to, at the line where it begins; all its monomorphic
copies are one. A macro of the repository is a function, too: it is called where calls that it writes run. Left out are
functions that macros and derives write, closures of which several begin in a line, and the bodies of `async` functions,
which the caller of a future does not run. What has no line of the repository, such as std's generic code between two
functions, makes a call external. External calls are sampled, direct ones complete.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tree_sitter_language_pack import get_parser

TARGET = "x86_64-unknown-linux-gnu"
FLAGS = "-Z instrument-mcount -C force-frame-pointers=yes -C opt-level=0 -g --cap-lints=allow"
FLAGS += " -C collapse-macro-debuginfo=no"  # a call that a macro makes has the line in the macro

Function = tuple[str, int, str]


class Place(NamedTuple):
    """The name and line that debug information gives for an address."""

    name: str
    path: str
    line: int


class Node(NamedTuple):
    """A function or macro in a source file."""

    kind: str
    name: str
    first: int
    last: int


@cache
def nodes(path: str) -> tuple[Node, ...]:
    """Return the functions, closures and macro definitions of a file, outer ones first."""
    found, waiting = list[Node](), [get_parser("rust").parse(Path(path).read_bytes()).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in ("function_item", "closure_expression", "macro_definition"):
            name = node.child_by_field_name("name")
            text = name.text.decode().removeprefix("r#") if name and name.text else ""
            found.append(Node(node.type, text, node.start_point[0] + 1, node.end_point[0] + 1))
        waiting += reversed(node.children)
    return tuple(found)


@cache
def lines(path: str) -> tuple[str, ...]:
    """Return the lines of a file."""
    return tuple(Path(path).read_text("utf-8", "replace").split("\n"))


def last_name(demangled: str) -> str:
    """Return the last part of a path, without its generic arguments: f of <a::B<C> as d::E>::f::<G>."""
    depth, end = 0, len(demangled)
    text = demangled.replace("->", "  ")
    while text[:end].endswith(">"):
        for at in range(end - 1, -1, -1):
            depth += (text[at] == ">") - (text[at] == "<")
            if not depth:
                break
        end = at - 2 if text[:at].endswith("::") else at
    return re.split(r"::", text[:end])[-1].removeprefix("r#")


def function(place: Place, root: str, *, begins: bool) -> Function | None:
    """Return the function of the repository that begins at a place, or that the place is in."""
    path, line, name = place.path, place.line, last_name(place.name)
    if not path.startswith(root) or not line or not Path(path).is_file() or line > len(lines(path)):
        return None
    here = [n for n in nodes(path) if n.first <= line <= n.last]
    relative = os.path.relpath(path, root)
    if any(n.kind == "macro_definition" for n in here):
        return None
    if name.startswith("{closure"):
        closures = [n for n in here if n.kind == "closure_expression" and n.first == line]
        text = lines(path)[line - 1].replace("||", "| |")
        single = len(closures) == 1 or (not closures and text.count("|") == 2)
        return (relative, line, "") if begins and single and text.count("|") in (1, 2) else None
    named = [n for n in here if n.name == name and (n.first == line or not begins)]
    if named:
        return relative, named[-1].first, name
    written = begins and re.search(rf"\bfn\s+(r#)?{re.escape(name)}\b", lines(path)[line - 1])
    return (relative, line, name) if written else None


def macro(place: Place, root: str, around: Function) -> list[Function | None]:
    """Return the macro of the repository whose expansion in a function has a place; None follows if it is nested."""
    path, line = place.path, place.line
    if not path.startswith(root) or not Path(path).is_file():
        return []
    found = next((n for n in nodes(path) if n.kind == "macro_definition" and n.first <= line <= n.last), None)
    if found is None:
        return []
    user = root + around[0]
    last = max((n.last for n in nodes(user) if n.first == around[1]), default=around[1])
    named = any(f"{found.name}!" in text for text in lines(user)[around[1] - 1 : last])
    return [(os.path.relpath(path, root), found.first, found.name), *([] if named else [None])]


class Program:
    """The functions of one executable by address."""

    def __init__(self, path: str, addresses: Iterable[int]) -> None:
        """Look up the debug information of return addresses."""
        text = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        rows = (row.split(" ", 2) for row in text.splitlines())
        self.starts = sorted({int(at, 16) for at, kind, _ in rows if kind in "tTwW"})
        wanted = set(addresses) - {0}
        self.places = dict(self.look_up(path, {at - 1 for at in wanted} | {self.start(at) for at in wanted}))

    def start(self, address: int) -> int:
        """Return the first address of the function that holds an address."""
        at = bisect_right(self.starts, address - 1)
        return self.starts[at - 1] if at else 0

    @staticmethod
    def look_up(path: str, addresses: Iterable[int]) -> Iterator[tuple[int, list[Place]]]:
        """Yield the place of each address, after those of the functions that are inlined there."""
        asked = "\n".join(f"{at:x}" for at in sorted(addresses))
        command = ["addr2line", "-a", "-f", "-i", "-C", "-e", path]
        rows = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
        at, places = -1, list[Place]()
        for row in [*rows, "0x0"]:
            if row.startswith("0x"):
                if at >= 0:
                    yield (
                        at,
                        [Place(name, *split(where)) for name, where in zip(places[::2], places[1::2], strict=True)],
                    )
                at, places = int(row, 16), []
            else:
                places.append(row)  # type: ignore[arg-type]

    def frames(self, address: int, root: str) -> list[Function | None]:
        """Return the functions that run at a return address, the innermost inlined one first."""
        if not address:
            return [None]
        *inlined, here = self.places[address - 1]
        begin = function(self.places[self.start(address)][-1], root, begins=True)
        return [
            *(function(place, root, begins=False) for place in inlined),
            *([] if begin is None else macro(here, root, begin)),
            begin,
        ]


def split(where: str) -> tuple[str, int]:
    """Return the path and line of addr2line's PATH:LINE (discriminator N)."""
    path, _, line = where.partition(" (")[0].rpartition(":")
    return os.path.normpath(path), int(line) if line.isdigit() else 0


def calls_of(
    stacks: Iterable[tuple[int, ...]], program: Program, root: str
) -> Iterator[tuple[Function, Function, str]]:
    """Yield the calls that stacks show: caller, callee, kind."""
    known = dict[int, list[Function | None]]()
    for stack in stacks:
        for address in stack:
            if address not in known:
                known[address] = program.frames(address, root)
                for inner, outer in zip(known[address], known[address][1:], strict=False):
                    if inner is not None and outer is not None:
                        yield outer, inner, "direct"
        callee = known[stack[0]][-1]
        above = [function for address in stack[1:] for function in known[address]]
        caller = next((at for at, function in enumerate(above) if function is not None), None)
        if callee is not None and caller is not None and (found := above[caller]) is not None:
            yield found, callee, "external" if caller else "direct"


def record(traces: Iterable[Path], root: str) -> dict[str, object]:
    """Return the content of run.json."""
    by_program: defaultdict[str, set[tuple[int, ...]]] = defaultdict(set)
    for trace in traces:
        head, *rows = trace.read_text().splitlines()
        by_program[head] |= {tuple(int(at, 16) for at in row.split()) for row in rows if row}
    index, kinds = dict[Function, int](), dict[tuple[int, int], str]()
    for path, stacks in by_program.items():
        program = Program(path, {at for stack in stacks for at in stack})
        for stack in stacks:
            ran = program.frames(stack[0], root)[-1]
            if ran is not None:
                index.setdefault(ran, len(index))
        for caller, callee, kind in calls_of(stacks, program, root):
            pair = index.setdefault(caller, len(index)), index.setdefault(callee, len(index))
            kinds[pair] = "direct" if kind == "direct" else kinds.get(pair, kind)
        print(f"{Path(path).name}: {len(stacks)} stacks", file=sys.stderr, flush=True)
    return {
        "language": "rust",
        "functions": [list(function) for function in index],
        "calls": [[caller, callee, kind] for (caller, callee), kind in kinds.items()],
    }


def main() -> None:
    """Build and run the tests, and write the record."""
    before, after = sys.argv[1:], ["--lib", "--bins", "--tests", "--examples"]
    if "--" in before:
        before, after = before[: before.index("--")], before[before.index("--") + 1 :]
    repository, folder = (Path(argument).resolve() for argument in before)
    (folder / "src").mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=repository, capture_output=True, check=True).stdout
    for name in listed.decode().split("\0"):
        if name and (repository / name).is_file():
            (folder / "src" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(repository / name, folder / "src" / name)
    with tempfile.TemporaryDirectory() as temporary:
        library, target = f"{temporary}/mcount.so", os.environ.get("CARGO_TARGET_DIR", f"{temporary}/target")
        source = str(Path(__file__).parent / "rust_mcount.c")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source, "-lgcc_s", "-lpthread"], check=True)
        traced = f"env LD_PRELOAD={library} TRACE_UNDER={os.path.realpath(target)} TRACE_OUT={temporary}/trace"
        runner = f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_RUNNER"
        settings = {"RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": FLAGS, "CARGO_TARGET_DIR": target, runner: traced}
        command = ["cargo", "test", "--offline", "--no-fail-fast", "--target", TARGET, *after]
        done = subprocess.run(command, cwd=repository, env=os.environ | settings, check=False)
        run = record(sorted(Path(temporary).glob("trace.*")), str(repository) + os.sep)
    (folder / "run.json").write_text(json.dumps(run))
    print(f"cargo test ended with {done.returncode}; {len(run['functions'])} functions, {len(run['calls'])} calls")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
