"""Records of a trace, and the files that have them.

All records are plain values, without code objects or frames, so that a file can store them and traces of several
processes can be merged.

A file has JSON lines and can be read without trust. The first line is ``{"format": "codeexplore trace", "version": 1,
…}``. Each other line is a list with the name of its record first: ``["code", path, qualname, line, kind, body line,
body column]``, ``["call", caller, callee, line, form, name, entered, left, count]``, ``["node", …]`` of the call tree,
``["file", path, SHA-256]``, ``["note", text]``. Paths are relative to the traced folder. There is no source text and no
absolute path.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from codeexplore.source.safe_io import open_given, write_whole
from codeexplore.types.errors import TraceError
from codeexplore.version import __version__

CodeKind: TypeAlias = Literal["function", "generator", "lambda", "comprehension", "class", "module"]
CODE_KINDS: tuple[CodeKind, ...] = get_args(CodeKind)
"""Kinds of code; "generator" is a function whose code starts later than its call: a generator or a coroutine."""
CallForm: TypeAlias = Literal["name", "attribute", "subscript", "getattr", "result", "decorator"]
SiteForm: TypeAlias = Literal[CallForm, "access", "operator", "iteration", "with", "format", "await", "import", "other"]
SITE_FORMS: tuple[SiteForm, ...] = get_args(SiteForm)
MOST_NAME_CHARS = 1_000
"""Characters of a name that are kept. Code made at run time can have names of any length."""
OUTSIDE = -1
"""Number of the caller of a function that no function of the workspace called, directly or through other code."""


class Code(NamedTuple):
    """A function, class body or module whose code ran. `path` is relative to the traced folder, POSIX.

    `line` is the first line of the code, with its decorators. `body` is the place of its first instruction as (line,
    column); it distinguishes several anonymous functions of one line.
    """

    path: str
    qualname: str  # without "<locals>"
    line: int
    kind: CodeKind
    body: tuple[int, int] = (0, 0)


class CallSite(NamedTuple):
    """The place of a call: its line, the form of the expression, and the name by which it calls."""

    line: int
    form: SiteForm = "other"
    name: str = ""


class Bridge(NamedTuple):
    """The code outside of the workspace through which a call goes.

    `entered` is the outside function that the caller called, and `left` the one that called the callee; they are equal
    if there is only one. Both are "" for a direct call.
    """

    entered: str = ""
    left: str = ""

    def __str__(self) -> str:
        return self.entered if self.entered == self.left else f"{self.entered} … {self.left}"


class Call(NamedTuple):
    """Calls of one function from one place. `caller` and `callee` are numbers in `Trace.codes`."""

    caller: int  # or OUTSIDE
    callee: int
    site: CallSite
    bridge: Bridge
    calls: int


class TreeNode(NamedTuple):
    """A function in the call tree, reached by one chain of callers. Times are in nanoseconds, 0 if not measured.

    `parent` is the number of an earlier node, or -1 for the start of a thread or process.
    """

    parent: int
    code: int
    calls: int
    total: int = 0
    own: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls of one run."""

    codes: tuple[Code, ...]  # the functions, class bodies and modules that ran
    calls: tuple[Call, ...]  # the calls between them, one for each callee, place and bridge
    tree: tuple[TreeNode, ...] = ()  # parents before children; empty if it was not recorded
    files: tuple[
        tuple[str, str], ...
    ] = ()  # path, SHA-256 of the file's bytes when the trace ended, as hexadecimal text
    notes: tuple[str, ...] = ()  # sentences about everything that the trace does not contain
    python: str = ""  # the version
    seconds: float = 0.0  # duration of the traced block
    ended_by: str = ""  # name of the exception that ended the traced block
    times: bool = False  # were they measured?
    counted: bool = True  # False: a place of calls was watched only until it said nothing new; counts are lower bounds

    @property
    def n_calls(self) -> int:
        return sum(call.calls for call in self.calls)


def merge_traces(traces: Sequence[Trace]) -> Trace:
    """Return one trace with the calls of all. The first is the main process, whose times are kept."""
    first = traces[0]
    if len(traces) == 1:
        return first
    numbers: dict[Code, int] = {}
    calls: dict[tuple[int, int, CallSite, Bridge], int] = {}
    tree: list[TreeNode] = []
    for trace in traces:
        number = [numbers.setdefault(code, len(numbers)) for code in trace.codes]
        for caller, callee, site, bridge, n in trace.calls:
            key = (caller if caller == OUTSIDE else number[caller], number[callee], site, bridge)
            calls[key] = calls.get(key, 0) + n
        offset = len(tree)
        tree += [
            node._replace(parent=node.parent if node.parent < 0 else node.parent + offset, code=number[node.code])
            for node in trace.tree
        ]
    return replace(
        first,
        codes=tuple(numbers),
        calls=tuple(Call(*key, n) for key, n in calls.items()),
        tree=tuple(tree),
        files=tuple(sorted({pair for trace in traces for pair in trace.files})),
        notes=tuple(dict.fromkeys(note for trace in traces for note in trace.notes)),
    )


FORMAT: Final = "codeexplore trace"
VERSION: Final = 1
MOST_BYTES: Final = 500_000_000
"""Size of a file that is read. A trace of the largest test suite that was tried has 20 MB."""
_Known = TypeVar("_Known", bound=str)
_LINE_BYTES = 100_000
_TEXT_CHARS = 10_000
_MOST = 2**63


def write_trace(trace: Trace, path: Path, name: str) -> None:
    """Write a trace. An existing file is replaced in one step. `name` is shown when the file is opened.

    Raises TraceError if the file can't be written.
    """
    try:
        write_whole(path, (json.dumps(row, separators=(",", ":")) + "\n" for row in _rows(trace, name)))
    except OSError as error:
        raise TraceError(f"the trace can't be written to {path}: {error.strerror or error}") from error


def _rows(trace: Trace, name: str) -> Iterator[object]:
    yield {
        "format": FORMAT,
        "version": VERSION,
        "codeexplore": __version__,
        "name": name,
        "python": trace.python,
        "seconds": round(trace.seconds, 6),
        "ended_by": trace.ended_by,
        "times": trace.times,
        "counted": trace.counted,
    }
    for pair in trace.files:
        yield ["file", *pair]
    for code in trace.codes:
        yield ["code", code.path, code.qualname, code.line, code.kind, *code.body]
    for call in trace.calls:
        yield ["call", call.caller, call.callee, *call.site, *call.bridge, call.calls]
    for node in trace.tree:
        yield ["node", *node]
    for note in trace.notes:
        yield ["note", note]


def read_trace(path: Path) -> Trace:
    """Read a trace.

    Raises TraceError if there is no such file, it is not a trace, it is damaged, or it has another version. The message
    names the line.
    """
    try:
        with open_given(path) as file:
            if (size := os.fstat(file.fileno()).st_size) > MOST_BYTES:
                raise TraceError(f"{path} has {size:,} bytes; traces of at most {MOST_BYTES:,} are read")
            return _Reader(path).read(file)
    except OSError as error:
        raise TraceError(f"the trace {path} can't be read: {error.strerror or error}") from error


class _Reader:
    """Reader of one file. It refuses every value that `write_trace` could not have written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codes: list[Code] = []
        self._calls: list[Call] = []
        self._nodes: list[TreeNode] = []
        self._files: list[tuple[str, str]] = []
        self._notes: list[str] = []

    def read(self, file: Any) -> Trace:
        header: dict[str, Any] = {}
        number = 0
        while line := file.readline(_LINE_BYTES + 1):
            number += 1
            try:
                if len(line) > _LINE_BYTES:
                    raise ValueError("the line is too long")
                found = json.loads(line)
                if number == 1:
                    header = self._header(found)
                else:
                    self._row(found)
            except (ValueError, RecursionError) as error:
                raise TraceError(f"{self._path}, line {number}, is no part of a trace: {error}") from error
        if not header:
            raise TraceError(f"{self._path} is empty, not a trace")
        return Trace(
            codes=tuple(self._codes),
            calls=tuple(self._calls),
            tree=tuple(self._nodes),
            files=tuple(self._files),
            notes=tuple(self._notes),
            python=_text(header.get("python", "")),
            seconds=_seconds(header.get("seconds", 0.0)),
            ended_by=_text(header.get("ended_by", "")),
            times=header.get("times") is True,
            counted=header.get("counted") is not False,
        )

    def _header(self, found: object) -> dict[str, Any]:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError("the file was not written by codeexplore's trace")
        if found.get("version") != VERSION:
            raise ValueError(
                f"it has version {found.get('version')!r:.20}, and this codeexplore reads version {VERSION}; "
                "trace again, or install the version that wrote it"
            )
        return found

    def _row(self, found: Any) -> None:
        most = len(self._codes)
        match found:
            case ["file", path, digest]:
                self._files.append((_path(path), _text(digest)))
            case ["code", path, name, line, kind, body, column]:
                start, place = (_path(path), _text(name), _count(line)), (_count(body), _count(column))
                self._codes.append(Code(*start, _one_of(CODE_KINDS, kind, "kind"), place))
            case ["call", caller, callee, line, form, name, entered, left, count]:
                site = CallSite(_count(line), _one_of(SITE_FORMS, form, "form"), _text(name))
                ends, bridge = (_below(caller, most, -1), _below(callee, most)), Bridge(_text(entered), _text(left))
                self._calls.append(Call(*ends, site, bridge, _count(count)))
            case ["node", parent, code, *numbers] if len(numbers) == 3:
                above = _below(parent, len(self._nodes), -1)
                self._nodes.append(TreeNode(above, _below(code, most), *map(_count, numbers)))
            case ["note", text]:
                self._notes.append(_text(text))
            case [("file" | "code" | "call" | "node" | "note") as kind, *_]:
                raise ValueError(f"the record {kind!r} has wrong fields")
            case _:
                raise ValueError("it has no known record")


def _one_of(known: tuple[_Known, ...], value: object, what: str) -> _Known:
    found = next((each for each in known if each == value), None)
    if found is None:
        raise ValueError(f"unknown {what} {value!r:.40}")
    return found


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _TEXT_CHARS:
        raise ValueError(f"{value!r:.40} is no text of at most {_TEXT_CHARS:,} characters")
    return value


def _path(value: object) -> str:
    path = _text(value)
    if path.startswith("/") or "\\" in path or ".." in path.split("/"):
        raise ValueError(f"{path!r:.80} is no relative path")
    return path


def _count(value: object) -> int:
    return _below(value, _MOST)


def _below(value: object, most: int, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < most:
        raise ValueError(f"{value!r:.40} is out of range")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise ValueError(f"{value!r:.40} is no number of seconds")
    return float(value)
