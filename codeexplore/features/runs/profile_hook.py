"""The hook on Python 3.11: `sys.setprofile`, which one tool at a time can use.

It receives an event for every call, also outside of the workspace, so it is slower than the hook of newer versions. A
generator that goes on has the same event as one that starts; the offset of its last instruction distinguishes them.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from codeexplore.features.runs.collector import SUSPENDS
from codeexplore.features.runs.hook import Hook
from codeexplore.types.errors import TraceError

if TYPE_CHECKING:
    from codeexplore.features.runs.collector import Collector


class ProfileHook(Hook):
    """Profile function of this thread and of all threads that start later."""

    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self._on_event = self._make()
        self._active = False

    def start(self) -> None:
        """Set the profile function."""
        for function in (sys.getprofile(), threading.getprofile()):
            if function is not None:
                name = getattr(function, "__qualname__", None) or type(function).__qualname__
                module = getattr(function, "__module__", None) or type(function).__module__
                raise TraceError(
                    f"{module}.{name} uses sys.setprofile, which one tool at a time can use; end it first, "
                    "or use Python 3.12 or newer"
                )
        self._active = True
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def resume(self) -> None:
        """Set the profile function again if there is none."""
        if sys.getprofile() is None:
            sys.setprofile(self._on_event)

    def stop(self) -> str:
        """Remove the profile function, unless another took its place."""
        self._active = False
        if threading.getprofile() is self._on_event:
            threading.setprofile(None)
        if sys.getprofile() is not self._on_event:
            return (
                "calls may be missing: other code, an interrupt or a recursion to the limit removed the profile "
                "function of Python 3.11"
            )
        sys.setprofile(None)
        return ""

    def _make(self) -> Any:
        """Return the profile function. It is one function with local names, because it runs for every call."""
        collector, on_call, files = self.collector, self._on_call(), self.collector.files
        path_of, in_c, note, tables = collector.path_of, collector.in_c, collector.note_c_function, collector.counts

        def on_event(frame: FrameType, event: str, argument: Any) -> None:
            file = frame.f_code.co_filename
            if (files[file] if file in files else path_of(file)) is None:
                return
            if not self._active:  # a thread that outlives the trace
                sys.setprofile(None)
            elif event == "call":
                on_call(frame)
            elif event == "c_call":
                place = id(frame.f_code) + frame.f_lasti
                if place not in in_c:
                    note(place, argument)
            elif event == "return" and collector.tree is not None and tables.get(id(frame.f_code)) is not None:
                collector.tree.leave(id(frame.f_code))

        return on_event

    def _on_call(self) -> Callable[[FrameType], None]:
        tables, count, is_traced = self.collector.counts, self.collector.count, self.collector.is_traced
        tree = self.collector.tree
        resumes = _Resumptions().has

        def on_call(frame: FrameType) -> None:
            code = frame.f_code
            callee = id(code)
            table = tables.get(callee)
            if table is None:
                if callee in tables or not is_traced(code):
                    return
                table = {}  # of a function that was not seen before: `count` enters the call
            if code.co_flags & SUSPENDS and resumes(frame, code):
                if tree is not None:
                    tree.enter(callee, starts=False)
                return
            caller = frame.f_back
            place = 0 if caller is None else id(caller.f_code) + caller.f_lasti
            known = table.get(place)
            if known is None:
                count(callee, caller)
            else:
                table[place] = known + 1
            if tree is not None:
                tree.enter(callee)

        return on_call


class _Resumptions:
    """Distinguishes a generator or coroutine that goes on from one that starts."""

    def __init__(self) -> None:
        self._starts: dict[int, int] = {}  # id of a code object → offset of its first instruction after the start

    def has(self, frame: FrameType, code: CodeType) -> bool:
        """Return True if the code goes on from where it was suspended."""
        start = self._starts.get(id(code))
        if start is None:
            found = (each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")
            start = self._starts[id(code)] = next(found, 0)
        return frame.f_lasti > start
