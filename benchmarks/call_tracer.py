"""Pytest plugin that records which functions of a package call each other while its tests run.

`traced_calls.py trace` loads it (``-p call_tracer``) in the traced package's own environment, so it imports the
standard library alone. `TRACED_ROOT` is the folder that holds the package, `TRACED_OUT` the file to write.

The hook of `sys.setprofile` sees every start of a Python function and every call of a C function. A call is named by
its two functions' qualified names; an anonymous function is ``<lambda>``, the body of a class or of a comprehension
counts as the function or module that runs it. Each pair of functions has one kind:

- ``named``: the call names the function that it runs; ``aliased``: it calls it by another name;
- ``ctor``: it makes an instance; ``implicit``: it reads or writes an attribute; ``protocol``: it is a loop, an
  operator, a ``with``, or a call of an instance;
- ``external``: code of another package or a C function calls it. Generators are of this kind, as their code starts
  where somebody first asks for an item.

The hook of `sys.settrace` sees the lines that run, so that a call whose line never ran says nothing.
"""

from __future__ import annotations

import atexit
import dis
import inspect
import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType

ROOT = os.path.realpath(os.environ["TRACED_ROOT"]) + os.sep
OUT = os.environ["TRACED_OUT"]

MAX_FOREIGN = 200
"""Frames of other packages that are passed on the way from a function to its caller."""

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_GENERATOR = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_SUSPENDED = _GENERATOR | inspect.CO_COROUTINE
_FIRST_INSTRUCTIONS = frozenset({"RETURN_GENERATOR", "COPY_FREE_VARS", "POP_TOP", "RESUME"})
_MAKING = frozenset({"__init__", "__new__", "__post_init__"})

_names: dict[CodeType, str | None] = {}
_instructions: dict[CodeType, dict[int, str]] = {}
_edges: dict[tuple[str, str], str] = {}
_functions: set[str] = set()
_generators: set[str] = set()
_left: dict[CodeType, set[int]] = {}  # lines that did not run yet
_local = threading.local()


def _name_of(code: CodeType) -> str | None:
    """Return the qualified name of a function or module below `ROOT`, None for any other code."""
    if code not in _names:
        _names[code] = _find_name(code)
    return _names[code]


def _find_name(code: CodeType) -> str | None:
    path = "" if code.co_filename.startswith("<") else os.path.realpath(code.co_filename)
    if not (path.startswith(ROOT) and path.endswith(".py")):
        return None
    module = path[len(ROOT) : -3].replace(os.sep, ".").removesuffix(".__init__")
    parts = [part for part in code.co_qualname.split(".") if part != "<locals>"]
    while parts and (parts[-1] in _COMPREHENSIONS or parts[-1] == "<module>"):
        parts.pop()
    return ".".join((module, *parts))


def _is_function(code: CodeType) -> bool:
    """Return whether the code is a function's, not that of a module or of a class's body."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED)


def _instruction(code: CodeType, offset: int) -> str:
    """Return the name of the instruction at an offset, or of the one whose inline cache is there."""
    table = _instructions.get(code)
    if table is None:
        table = _instructions[code] = {each.offset: each.opname for each in dis.get_instructions(code)}
    while offset >= 0 and table.get(offset, "CACHE") == "CACHE":
        offset -= 2
    return table.get(offset, "")


def _runner(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the function or module that runs a class's body."""
    while frame is not None and not _is_function(frame.f_code) and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame


def _kind(back: FrameType, code: CodeType, by_c: bool) -> str:
    """Return the kind of a call that a frame of the package makes itself."""
    if by_c or code.co_flags & _GENERATOR:
        return "external"
    instruction, name, caller = _instruction(back.f_code, back.f_lasti), code.co_name, back.f_code
    if instruction.startswith("CALL") and name in _MAKING:
        return "ctor"
    if instruction.startswith("CALL") and name == "__call__":
        return "protocol"
    if instruction.startswith(("CALL", "SEND", "GET_AWAITABLE", "PRECALL")):
        return "named" if name in (*caller.co_names, *caller.co_varnames, *caller.co_freevars) else "aliased"
    return (
        "implicit" if instruction.startswith(("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD", "DELETE_ATTR")) else "protocol"
    )


def _on_event(frame: FrameType, event: str, _: object) -> None:
    """Record one event; the frames in which a C function runs are kept on a stack."""
    stack: list[FrameType] | None = getattr(_local, "stack", None)
    if stack is None:
        stack = _local.stack = []
    if event == "c_call":
        stack.append(frame)
    elif event in ("c_return", "c_exception"):
        if stack:
            stack.pop()
    elif event == "call":
        _on_call(frame, stack)


def _on_start(frame: FrameType, _event: str, _argument: object) -> object:
    """Follow the lines of a frame of the package, until all lines of its code ran."""
    code = frame.f_code
    if _name_of(code) is None:
        return None
    if code not in _left:
        _left[code] = {line for *_, line in code.co_lines() if line is not None}
    return _on_line if _left[code] else None


def _on_line(frame: FrameType, _event: str, _argument: object) -> object:
    _left[frame.f_code].discard(frame.f_lineno)
    return _on_line


def _on_call(frame: FrameType, stack: list[FrameType]) -> None:
    code = frame.f_code
    callee = _name_of(code)
    if callee is None or not _is_function(code) or code.co_name in _COMPREHENSIONS or _resumes(frame):
        return
    _functions.add(callee)
    if code.co_flags & _GENERATOR:
        _generators.add(callee)
    back = frame.f_back
    if back is None:
        return
    if _name_of(back.f_code) is not None:
        kind = _kind(back, code, bool(stack) and stack[-1] is back)
        caller = _runner(back)
    else:
        kind, caller = "external", _runner(_nearest(back))
    name = None if caller is None else _name_of(caller.f_code)
    if name is not None and _edges.get((name, callee), "external") == "external":
        _edges[name, callee] = kind


def _resumes(frame: FrameType) -> bool:
    """Return whether a generator or coroutine goes on from where it was suspended."""
    code = frame.f_code
    suspended = bool(code.co_flags & _SUSPENDED) and frame.f_lasti > 6
    return suspended and _instruction(code, frame.f_lasti) not in _FIRST_INSTRUCTIONS


def _nearest(frame: FrameType | None) -> FrameType | None:
    """Return the nearest frame of the package, at most `MAX_FOREIGN` frames up."""
    for _ in range(MAX_FOREIGN):
        if frame is None or _name_of(frame.f_code) is not None:
            return frame
        frame = frame.f_back
    return None


def _save() -> None:
    sys.setprofile(None)
    sys.settrace(None)
    lines: dict[str, set[int]] = {}
    for code, left in list(_left.items()):
        path = os.path.realpath(code.co_filename)[len(ROOT) :].replace(os.sep, "/")
        lines.setdefault(path, set()).update({line for *_, line in code.co_lines() if line} - left)
    rows = [[caller, callee, kind] for (caller, callee), kind in sorted(_edges.items())]
    lists = {"functions": sorted(_functions), "generators": sorted(_generators), "edges": rows}
    lists["lines"] = {path: sorted(each) for path, each in lines.items()}
    Path(OUT).write_text(json.dumps({"python": sys.version.split()[0], **lists}), "utf-8")


def pytest_runtest_setup() -> None:
    """Set the hook again where a test, or a tool that measures coverage, has taken it away."""
    if sys.getprofile() is not _on_event:
        sys.setprofile(_on_event)
    if sys.gettrace() is not _on_start:
        sys.settrace(_on_start)


signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background would ignore it
atexit.register(_save)
threading.setprofile(_on_event)
threading.settrace(_on_start)
sys.setprofile(_on_event)
sys.settrace(_on_start)
