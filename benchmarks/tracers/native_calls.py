"""Which function called which while the tests of a C or C++ repository ran.

usage: python benchmarks/tracers/native_calls.py TRACES BUILT FOLDER

1. Compile the runtime: ``gcc -O2 -fno-omit-frame-pointer -c benchmarks/tracers/calls.c -o /tmp/calls.o``
2. Build a copy of the repository, BUILT, with gcc, static libraries and these flags, and link ``/tmp/calls.o``:
   ``-O0 -g -gdwarf-4 -fno-pie -no-pie -finstrument-functions -finstrument-functions-exclude-file-list=/usr/``
3. Run its tests with ``CALLS=TRACES`` in the environment. Each process writes a file there.
4. This script maps addresses to definitions and writes FOLDER/run.json (see benchmarks/run_verdicts.py). FOLDER/src is
   the repository as it is explored. Needs pyelftools.

A call is direct if its place lies in the function that is on top of the stack. Functions that the compiler makes
(implicit constructors) and those of files outside FOLDER/src are passed over, and the call is external.

Limits: a function that is expanded by a macro has the line of the macro's use; a chain of more than two functions that
the compiler made is left out; so is what runs without a stack, since it was started by another thread; a function that
longjmp left may count as the caller of the next function, if both have the same place on the stack.
"""

from __future__ import annotations

import json
import struct
import sys
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from elftools.dwarf.die import DIE  # type: ignore[import-untyped]
from elftools.elf.elffile import ELFFile  # type: ignore[import-untyped]

RECORD = struct.Struct("<5Q")


class Function(NamedTuple):
    """A definition; `made` if the compiler made it."""

    path: str
    line: int
    name: str
    made: bool
    start: int
    end: int


def chain(die: DIE) -> Iterator[DIE]:
    """A function's entry, and those that it completes: its abstract form and its declaration."""
    while die is not None:
        yield die
        key = next((key for key in ("DW_AT_abstract_origin", "DW_AT_specification") if key in die.attributes), None)
        die = die.get_DIE_from_attribute(key) if key else None


def first(dies: list[DIE], key: str) -> tuple[DIE, int | bytes] | None:
    """The first of these entries that has an attribute, and its value."""
    return next(((die, die.attributes[key].value) for die in dies if key in die.attributes), None)


class Program:
    """The functions of one executable, by their addresses."""

    def __init__(self, path: Path, built: Path) -> None:
        self.built = built
        self.files: dict[int, list[str]] = {}
        with path.open("rb") as stream:
            dwarf = ELFFile(stream).get_dwarf_info()
            functions = [self.function(die) for unit in dwarf.iter_CUs() for die in unit.iter_DIEs() if runs(die)]
        self.functions = sorted((function for function in functions if function), key=lambda f: f.start)
        self.starts = [function.start for function in self.functions]

    def function(self, die: DIE) -> Function | None:
        """The definition that an entry with code stands for."""
        dies = list(chain(die))
        line, name = first(dies, "DW_AT_decl_line"), first(dies, "DW_AT_name")
        start, size = die.attributes["DW_AT_low_pc"].value, die.attributes["DW_AT_high_pc"].value
        path = ""
        if line is not None and "DW_AT_decl_file" in line[0].attributes:
            path = self.path(line[0], line[0].attributes["DW_AT_decl_file"].value)
        text = name[1].decode("utf-8", "replace") if name and isinstance(name[1], bytes) else ""
        if text == "operator()" and (first([dies[-1].get_parent()], "DW_AT_name") or (die, b"<lambda"))[1].startswith(
            b"<lambda"
        ):
            text = ""
        made = line is None or first(dies, "DW_AT_artificial") is not None
        return Function(path, int(line[1]) if line else 0, text, made, start, start + size)

    def path(self, die: DIE, number: int) -> str:
        """A file of the line table of an entry's unit, relative to the repository, or nothing."""
        unit = die.cu
        if unit.cu_offset not in self.files:
            header = unit.dwarfinfo.line_program_for_CU(unit).header
            top = unit.get_top_DIE().attributes["DW_AT_comp_dir"].value.decode()
            folders = [top, *(str(Path(top, folder.decode())) for folder in header["include_directory"])]
            names = [Path(folders[file.dir_index], file.name.decode()) for file in header["file_entry"]]
            inside = [path.resolve() for path in names]
            self.files[unit.cu_offset] = ["", *(relative(path, self.built) for path in inside)]
        return self.files[unit.cu_offset][number]

    def at(self, address: int) -> Function | None:
        """The function whose code holds an address."""
        at = bisect_right(self.starts, address) - 1
        return self.functions[at] if at >= 0 and address < self.functions[at].end else None


def runs(die: DIE) -> bool:
    """Tell whether an entry is a function with code."""
    return die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes


def relative(path: Path, folder: Path) -> str:
    """A path below a folder, or nothing."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""


def observed(trace: Path, program: Program, source: Path) -> Iterator[tuple[Function, Function | None, str]]:
    """The functions that ran, each with its caller of the repository, if known, and how it was called."""
    data = trace.read_bytes()
    for function, site, *below in RECORD.iter_unpack(data[: len(data) - len(data) % RECORD.size]):
        callee = program.at(function)
        if not ours(callee, source):
            continue
        callers = [program.at(address) if address else None for address in below]
        caller = next((one for one in callers if ours(one, source)), None)
        if caller is not None and any(one is None for one in callers[: callers.index(caller)]):
            caller = None
        top = callers[0]
        kind = "direct" if top is not None and caller is top and top.start <= site <= top.end else "external"
        assert callee is not None
        yield callee, caller, kind


def ours(function: Function | None, source: Path) -> bool:
    """Tell whether a function is written in the repository."""
    if function is None or function.made or not function.path:
        return False
    if function.path not in EXISTS:
        EXISTS[function.path] = (source / function.path).is_file()
    return EXISTS[function.path]


EXISTS: dict[str, bool] = {}


def main() -> None:
    """Write run.json."""
    traces, built, folder = (Path(argument).resolve() for argument in sys.argv[1:4])
    programs: dict[str, Program] = {}
    numbers: dict[tuple[str, int, str], int] = {}
    calls: dict[tuple[int, int], str] = {}
    for trace in sorted(traces.iterdir()):
        where = trace.name.partition("%")[2].replace("%", "/")
        if where not in programs:
            programs[where] = Program(Path("/" + where), built)
        for callee, caller, kind in observed(trace, programs[where], folder / "src"):
            target = numbers.setdefault(callee[:3], len(numbers))
            if caller is not None:
                pair = numbers.setdefault(caller[:3], len(numbers)), target
                calls[pair] = "direct" if kind == "direct" else calls.get(pair, kind)
    language = "cpp" if any(path.endswith(("pp", "cc", "cxx")) for path, _, _ in numbers) else "c"
    record = {
        "language": language,
        "functions": list(numbers),
        "calls": [[*pair, kind] for pair, kind in calls.items()],
    }
    (folder / "run.json").write_text(json.dumps(record))
    print(folder.name, len(programs), "programs", len(numbers), "functions", len(calls), "calls")


if __name__ == "__main__":
    main()
