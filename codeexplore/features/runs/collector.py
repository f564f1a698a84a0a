"""The collector: it counts the calls of the workspace's functions while other code runs.

A hook (`hooks`) adds to `Collector.counts` for each function that starts. Everything else
happens when a function, or a place of a call, is seen for the first time, or at the end. So memory grows with the
number of different places and not with the number of calls.

A place is one number: the id of a code object plus the offset of an instruction. Code objects that are known stay
alive, and their instructions lie within them, so that two places never have the same number.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Final, TypeAlias

from codeexplore.features.runs.call_tree import MOST_NODES, CallTree
from codeexplore.features.runs.records import (
    MOST_NAME_CHARS,
    OUTSIDE,
    Bridge,
    Call,
    CallSite,
    Code,
    CodeKind,
    SiteForm,
    Trace,
)
from codeexplore.source.safe_io import read_given
from codeexplore.types.errors import TraceError

_NAME_CHARS = 100
_MOST_LINES = 60  # of one call's expression that is parsed; a longer one is a class or a table with calls in it
_INSTRUCTIONS: Mapping[SiteForm, str] = {
    "access": "LOAD_ATTR LOAD_METHOD STORE_ATTR DELETE_ATTR LOAD_SUPER_ATTR",
    "iteration": "FOR_ITER GET_ITER UNPACK_SEQUENCE UNPACK_EX LIST_EXTEND SET_UPDATE GET_AITER GET_ANEXT DICT_UPDATE "
    "DICT_MERGE GET_YIELD_FROM_ITER",
    "with": "BEFORE_WITH BEFORE_ASYNC_WITH WITH_EXCEPT_START LOAD_SPECIAL",
    "format": "FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE",
    "await": "SEND GET_AWAITABLE YIELD_VALUE",
    "import": "IMPORT_NAME IMPORT_FROM",
}
_FORMS: Final = {name: form for form, names in _INSTRUCTIONS.items() for name in names.split()}
_OPERATORS = ("BINARY_", "COMPARE_", "CONTAINS_", "UNARY_", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "POP_JUMP")


_CLASS: Final = re.compile(r"class\b")
_Positions: TypeAlias = "tuple[int | None, int | None, int | None, int | None]"


class CallSites:
    """Finds the places of calls. It reads each file once."""

    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}
        self._instructions: dict[CodeType, tuple[bytes, Sequence[_Positions]]] = {}

    def at(self, code: CodeType, offset: int) -> CallSite:
        name, (line, end_line, column, end_column) = self._instruction(code, offset)
        if line is None:
            return CallSite(code.co_firstlineno)
        form = _FORMS.get(name, "operator" if name.startswith(_OPERATORS) else None)
        if form is not None and form != "await":
            return CallSite(line, form)
        if end_line is None or column is None or end_column is None:
            return CallSite(line, form or "other")
        if end_line - line > _MOST_LINES:  # the first line tells a class statement
            end_line, end_column = line, None
        found, called = _callee(self._text(code.co_filename, line, end_line, column, end_column))
        if self._text(code.co_filename, line, line, 0, column).strip() == "@":
            found = "decorator"
        return CallSite(line, form or found, called)

    def _instruction(self, code: CodeType, offset: int) -> tuple[str, _Positions]:
        """Return name and place of the instruction at `offset`, or of the one whose cache is there."""
        if code not in self._instructions:
            self._instructions[code] = code.co_code, list(code.co_positions())
        text, positions = self._instructions[code]
        if not 0 <= offset < len(text):
            return "", (None, None, None, None)
        while offset > 0 and dis.opname[text[offset]] == "CACHE":
            offset -= 2
        return dis.opname[text[offset]], positions[offset // 2]

    def _text(self, file: str, line: int, end_line: int, column: int, end_column: int | None) -> str:
        if file not in self._lines:
            try:
                self._lines[file] = read_given(file).splitlines()
            except (OSError, ValueError):  # it is gone, or its name is no path
                self._lines[file] = []
        part = self._lines[file][line - 1 : end_line]
        if not part:
            return ""
        part[-1] = part[-1][:end_column]
        part[0] = part[0][column:]
        return b"\n".join(part).decode("utf-8", "replace")


def _callee(text: str) -> tuple[SiteForm, str]:
    """Return the form and the last name of the function in a call expression: ("attribute", "run") for ``job.run()``.

    A text without a call is the expression of a decorator, a ``with`` statement that ends, or a class statement, whose
    name is "class" then.
    """
    if _CLASS.match(text):
        return "other", "class"
    try:
        found: ast.expr = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file is not the one that runs
        return "other", ""
    if isinstance(found, ast.Await):
        found = found.value
    if not isinstance(found, ast.Call):
        return ("decorator", _last_name(found)) if isinstance(found, ast.Name | ast.Attribute) else ("other", "")
    function = found.func
    if isinstance(function, ast.Name):
        return "name", function.id[:_NAME_CHARS]
    if isinstance(function, ast.Attribute):
        return "attribute", function.attr[:_NAME_CHARS]
    if isinstance(function, ast.Subscript):
        return "subscript", _last_name(function.value)
    if isinstance(function, ast.Call):
        maker = _last_name(function.func)
        return ("getattr", "getattr") if maker == "getattr" else ("result", maker)
    return "other", ""


def _last_name(found: ast.expr) -> str:
    if isinstance(found, ast.Name):
        return found.id[:_NAME_CHARS]
    return found.attr[:_NAME_CHARS] if isinstance(found, ast.Attribute) else ""


MOST_PLACES: Final = 500_000
"""Different places of calls that are counted one by one. The standard library's own tests have about 100,000."""
MOST_OUTSIDE: Final = 500
"""Frames of outside code between a function and its caller. Deeper ones are usually an endless recursion."""
COMPREHENSIONS: Final = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Names of code that belongs to the function around it. A call of it is no call in the source."""
SUSPENDS: Final = 0x20 | 0x80 | 0x200
"""CO_GENERATOR, CO_COROUTINE and CO_ASYNC_GENERATOR: the code starts at its first resumption, not at its call."""
_FUNCTION: Final = 0x1  # CO_OPTIMIZED: the code of a function, not of a module or class
_SKIPPED_FOLDERS = frozenset({"site-packages", "dist-packages", "node_modules", "__pycache__"})


class Options:
    """Options of a trace, checked; see `Runs.trace`. Times include the call tree.

    Raises TraceError if calls are not counted and times are wanted.
    """

    def __init__(self, *, tree: bool = True, times: bool = False, counts: bool = True) -> None:
        if times and not counts:
            raise TraceError("counts=False records no times; leave one of these options out")
        self.counts = bool(counts)
        self.tree, self.times = self.counts and bool(tree or times), bool(times)


class Collector:
    """Counts of the calls in one process.

    `root` is the traced folder and `paths` are the files of the workspace, relative to it. None means every file below
    `root` that is not in a folder of installed packages or a hidden one.
    """

    def __init__(self, root: Path, options: Options, paths: Collection[str] | None = None) -> None:
        self.root = Path(os.path.realpath(root))
        self.options = options
        self.paths = None if paths is None else frozenset(paths)
        self.notes: list[str] = []
        self.ended_by = ""
        self.files: dict[str, str | None] = {}  # name of a file as in code objects → path; None for outside code
        self.counts: dict[int, dict[int, int] | None] = {}  # id of a callee's code → place → calls; None: not counted
        self.codes: dict[int, CodeType] = {}  # traced code objects by id
        self.places: dict[int, tuple[CodeType, int]] = {}  # place → caller and offset
        self.bridged: dict[tuple[int, int, int, int], int] = {}  # callee, place, entered, left → calls
        self.outside: dict[int, CodeType] = {}  # code of bridges by id
        self.in_c: dict[int, str] = {}  # place → the C function that was first called there
        self.left_out = 0  # calls beyond MOST_PLACES
        self.tree = CallTree(times=options.times) if options.tree else None
        self.boundary: FrameType | None = None  # the frame that began the trace; no caller is looked for below it

    def forget(self) -> None:
        """Forget all calls. A forked process does it first; its parent reports them."""
        for each in (self.counts, self.codes, self.places, self.bridged, self.outside, self.in_c):
            each.clear()
        self.left_out = 0
        self.notes.clear()
        if self.tree is not None:
            self.tree.forget()

    @property
    def counted(self) -> bool:
        """False if numbers of calls are lower bounds: Python 3.11 counts them in any case."""
        return self.options.counts or sys.version_info < (3, 12)

    # ----------------------------------------------------------------- what the hooks call

    def path_of(self, file: str) -> str | None:
        """Return the path of a code object's file in the workspace; None for outside code."""
        if file not in self.files:
            self.files[file] = self._find_path(file)
        return self.files[file]

    def _find_path(self, file: str) -> str | None:
        if file.startswith("<") or not file:
            return None
        full = os.path.realpath(file)
        try:
            path = Path(full).relative_to(self.root).as_posix()
        except ValueError:
            return None
        if self.paths is not None:
            return path if path in self.paths else None
        folders = path.split("/")[:-1]
        skipped = any(folder in _SKIPPED_FOLDERS or folder.startswith(".") for folder in folders)
        return None if skipped or not Path(full).is_file() else path

    def is_traced(self, code: CodeType) -> bool:
        """Return True if calls of `code`, seen for the first time, are to be counted: it is a workspace function."""
        if self.path_of(code.co_filename) is None:
            return False
        self.codes[id(code)] = code
        if not code.co_flags & _FUNCTION or code.co_name in COMPREHENSIONS:
            self.counts[id(code)] = None
            return False
        self.counts[id(code)] = {}
        return True

    def count(self, callee: int, caller: FrameType | None) -> None:
        """Count a call from a place that is seen for the first time, or through outside code."""
        if caller is None:
            self._add_bridged(callee, 0, 0, 0)
            return
        code, offset = caller.f_code, caller.f_lasti
        if self.path_of(code.co_filename) is not None:
            place = id(code) + offset
            counts = self.counts[callee]
            if counts is not None and (place in self.places or self._add_place(place, code, offset)):
                counts[place] = counts.get(place, 0) + 1
            return
        entered, nearest = self._nearest(caller)
        place = 0
        if nearest is None:
            entered = code
        else:
            place = id(nearest.f_code) + nearest.f_lasti
            if place not in self.places and not self._add_place(place, nearest.f_code, nearest.f_lasti):
                return
        self.outside.setdefault(id(entered), entered)
        self.outside.setdefault(id(code), code)
        self._add_bridged(callee, place, id(entered), id(code))

    def _nearest(self, outside: FrameType) -> tuple[CodeType, FrameType | None]:
        """Return the outermost of the outside frames from `outside` on, and the workspace's frame that called it."""
        frame: FrameType | None = outside
        entered, files, boundary = outside.f_code, self.files, self.boundary
        for _ in range(MOST_OUTSIDE):
            if frame is None or frame is boundary:
                return entered, None
            entered, frame = frame.f_code, frame.f_back
            if frame is not None:
                file = frame.f_code.co_filename
                if (files[file] if file in files else self.path_of(file)) is not None:
                    return entered, frame
        return entered, None

    def _add_place(self, place: int, code: CodeType, offset: int) -> bool:
        if len(self.places) >= MOST_PLACES:
            self.left_out += 1
            return False
        self.places[place] = (code, offset)
        self.codes.setdefault(id(code), code)
        return True

    def _add_bridged(self, callee: int, place: int, entered: int, left: int) -> None:
        key = (callee, place, entered, left)
        known = self.bridged.get(key)
        if known is None and len(self.bridged) >= MOST_PLACES:
            self.left_out += 1
        else:
            self.bridged[key] = 1 if known is None else known + 1

    def note_c_function(self, place: int, function: object) -> None:
        if len(self.in_c) < MOST_PLACES:
            self.in_c[place] = c_name(function)[:MOST_NAME_CHARS]

    # ----------------------------------------------------------------- the result

    def trace(self, seconds: float) -> Trace:
        sites = CallSites()
        number_of: dict[int, int] = {}
        numbers: dict[Code, int] = {}
        for key, code in self.codes.items():
            number_of[key] = numbers.setdefault(self._record(code), len(numbers))
        found: dict[tuple[int, int, CallSite, Bridge], int] = {}

        def add(callee: int, place: int, bridge: Bridge, count: int) -> None:
            caller, site = OUTSIDE, CallSite(0)
            if place:
                code, offset = self.places[place]
                caller, site = number_of[id(code)], sites.at(code, offset)
            key = (caller, number_of[callee], site, bridge)
            found[key] = found.get(key, 0) + count

        for callee, counts in self.counts.items():
            name = self.codes[callee].co_name
            for place, count in (counts or {}).items():
                add(callee, place, self._through_c(place, sites, name), count)
        names = {key: outside_name(code)[:MOST_NAME_CHARS] for key, code in self.outside.items()}
        for (callee, place, entered, left), count in self.bridged.items():
            add(callee, place, Bridge(names.get(entered, ""), names.get(left, "")), count)
        return Trace(
            codes=tuple(numbers),
            calls=tuple(Call(*key, count) for key, count in found.items()),
            tree=self.tree.records(number_of) if self.tree is not None else (),
            files=tuple(sorted(self._digests())),
            notes=tuple(self._all_notes()),
            python=sys.version.split()[0],
            seconds=seconds,
            ended_by=self.ended_by,
            times=self.options.times,
            counted=self.counted,
        )

    def _through_c(self, place: int, sites: CallSites, name: str) -> Bridge:
        """Return the C function that calls a function given to it, if the source names this C function.

        At ``f(x)``, where f is a variable, C functions and the callee may be called in turn: that is no bridge.
        """
        function = self.in_c.get(place, "")
        named = sites.at(*self.places[place]).name if function else name
        if named == name or named != function.rpartition(".")[2]:
            return Bridge()
        return Bridge(function, function)

    def _record(self, code: CodeType) -> Code:
        path = self.path_of(code.co_filename) or ""
        qualname = code.co_qualname.replace(".<locals>", "")[:MOST_NAME_CHARS]
        line, column = code.co_firstlineno, 0
        if code.co_name == "<lambda>":
            for start, _, start_column, _ in code.co_positions():
                if start is not None and start_column is not None and start_column > 0:
                    line, column = start, start_column
                    break
        return Code(path, qualname, code.co_firstlineno, _kind_of(code), (line, column) if column else (0, 0))

    def _digests(self) -> list[tuple[str, str]]:
        paths = {path: file for file, path in self.files.items() if path is not None}
        found = []
        for path, file in paths.items():
            try:
                found.append((path, hashlib.sha256(read_given(file)).hexdigest()))
            except OSError:
                self.notes.append(f"{path} was removed while it ran")
        return found

    def _all_notes(self) -> list[str]:
        notes = list(self.notes)
        if self.left_out:
            notes.append(
                f"{self.left_out:,} calls are not counted: there are more than {MOST_PLACES:,} places of calls"
            )
        if self.tree is not None and self.tree.left_out:
            notes.append(
                f"{self.tree.left_out:,} calls beyond {MOST_NODES:,} nodes of the call tree are counted at a caller"
            )
        return [*notes, *filter(None, [self._copies()])]

    def _copies(self) -> str:
        """Return a note if no file of the workspace ran, but a file with the path of one outside of it."""
        if self.paths is None or any(path is not None for path in self.files.values()):
            return ""
        for file in self.files:
            parts = Path(file).as_posix().split("/")
            tails = ("/".join(parts[start:]) for start in range(1, len(parts) - 1))
            if any(tail in self.paths or f"src/{tail}" in self.paths for tail in tails):
                return f"no file of the workspace ran; {file} ran, a copy of it outside {self.root}"
        return ""


def _kind_of(code: CodeType) -> CodeKind:
    if code.co_flags & _FUNCTION:
        if code.co_name in COMPREHENSIONS:
            return "comprehension"
        if code.co_name == "<lambda>":
            return "lambda"
        return "generator" if code.co_flags & SUSPENDS else "function"
    return "module" if code.co_name == "<module>" else "class"


_HEAP_TYPE, _IMMUTABLE = 0x200, 0x100  # Py_TPFLAGS_HEAPTYPE and Py_TPFLAGS_IMMUTABLETYPE


def c_name(function: object) -> str:
    """Return the name of a callable that is not written in Python, such as "sorted"; "" for one that is.

    No attribute of an object written in Python is read, because that might run its code.
    """
    kind = type(function)
    if kind in (FunctionType, MethodType):
        return ""
    if issubclass(kind, type):
        kind, function = function, None  # type: ignore[assignment]  # it is a type
    if function is None or kind not in _C_CALLABLES:
        flags = type.__dict__["__flags__"].__get__(kind)
        if flags & (_HEAP_TYPE | _IMMUTABLE) == _HEAP_TYPE:  # a class statement made it
            return ""
        named = type.__dict__["__dict__"].__get__(kind).get("__qualname__")
        if isinstance(named, GetSetDescriptorType) and function is not None:  # a function of Cython
            module, name = getattr(function, "__module__", None), named.__get__(function)
        else:
            module, name = type.__dict__["__module__"].__get__(kind), type.__dict__["__qualname__"].__get__(kind)
    else:
        module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}.{name}" if isinstance(module, str) and module != "builtins" else name


_C_CALLABLES = frozenset(
    {BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, MethodWrapperType, ClassMethodDescriptorType}
)


def outside_name(code: CodeType) -> str:
    """Return the dotted name of outside code: ``functools.reduce``. The module's name is read from the file's path."""
    file, name = code.co_filename, code.co_qualname.replace(".<locals>", "")
    if file.startswith("<frozen "):
        return f"{file[8:-1]}.{name}"
    if file.startswith("<"):
        return f"{name} in {file}"
    full = os.path.realpath(file)
    for folder in sorted((each for each in sys.path if each), key=len, reverse=True):
        beginning = os.path.realpath(folder) + os.sep
        if full.startswith(beginning):
            module = full[len(beginning) :].removesuffix(".py").replace(os.sep, ".").removesuffix(".__init__")
            return f"{module}.{name}"
    return f"{Path(full).stem}.{name}"
