"""The interpreter's hooks of a running trace: `sys.monitoring`, or `sys.setprofile` on Python 3.11.

`sys.monitoring` (PEP 669) does not disturb other tools. Functions outside of the workspace are switched off at their
first start, so that they run at full speed. A generator or coroutine that goes on is a different event (PY_RESUME),
which is received only for the call tree. Its call and its first start are two events; the call is what counts.

`sys.setprofile` can be used by one tool at a time. It receives an event for every call, also outside of the workspace,
so it is slower. A generator that goes on has the same event as one that starts; the offset of its last instruction
distinguishes them.

A hook has three methods. `start` raises TraceError if another tool is in the way; `stop` returns a note if other code
removed the hook before, else ""; `resume` sets the hook again if other code removed it.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from types import CodeType, FrameType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from codeexplore.features.runs.collector import SUSPENDS
from codeexplore.types.errors import TraceError

if TYPE_CHECKING:
    from codeexplore.features.runs.collector import Collector


def hook_for(collector: Collector) -> MonitorHook | ProfileHook:
    if sys.version_info >= (3, 12):
        return MonitorHook(collector) if collector.options.counts else EdgeHook(collector)
    return ProfileHook(collector)


_TOOL_IDS = (3, 4, 2)  # 0, 1 and 5 belong to debuggers, coverage and optimizers; 2 to profilers


class MonitorHook:
    """Events of `sys.monitoring` for the starts of functions and, for the call tree, their ends."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self._tool = -1
        self._created: dict[int, int] = {}  # id of a generator's code → calls whose code has not started yet

    def start(self) -> None:
        monitoring = interpreter_events()
        free = [each for each in _TOOL_IDS if monitoring.get_tool(each) is None]
        if not free:
            users = ", ".join(str(monitoring.get_tool(each)) for each in _TOOL_IDS)
            raise TraceError(
                f"every free tool id of sys.monitoring is in use by: {users}; end one of these tools first"
            )
        self._tool = free[0]
        monitoring.use_tool_id(self._tool, "codeexplore")
        chosen = 0
        for event, callback in self._callbacks().items():
            monitoring.register_callback(self._tool, event, callback)
            chosen |= event
        monitoring.set_events(self._tool, chosen)
        monitoring.restart_events()  # an earlier trace under this id switched places off

    def stop(self) -> str:
        monitoring = interpreter_events()
        if self._tool < 0:  # not started
            return ""
        if monitoring.get_tool(self._tool) != "codeexplore":
            return "the trace ended early: other code freed its tool id of sys.monitoring"
        monitoring.set_events(self._tool, 0)
        for event in self._callbacks():
            monitoring.register_callback(self._tool, event, None)
        monitoring.free_tool_id(self._tool)
        return ""

    def resume(self) -> None:
        """Do nothing: other tools have ids of their own."""

    def _callbacks(self) -> dict[int, Any]:
        events = interpreter_events().events
        return {events.PY_START: self._on_start(), events.CALL: self._on_call(), **self._tree_callbacks()}

    def _on_start(self) -> Any:
        collector, disable, frame_at = self.collector, interpreter_events().DISABLE, sys._getframe
        tables, count, is_traced, tree = collector.counts, collector.count, collector.is_traced, collector.tree
        created = self._created

        def on_start(code: CodeType, _offset: int) -> Any:
            callee = id(code)
            table = tables.get(callee)
            if table is None and (callee in tables or not is_traced(code)):
                return disable
            if code.co_flags & SUSPENDS and created.get(callee, 0):
                created[callee] -= 1  # counted when it was called
                if tree is not None:
                    tree.enter(callee)
                return None
            try:
                caller = frame_at(2)
            except ValueError:  # the first function of a thread
                caller = None
            if caller is None or table is None:
                count(callee, caller)
            else:
                place = id(caller.f_code) + caller.f_lasti
                known = table.get(place)
                if known is None:
                    count(callee, caller)
                else:
                    table[place] = known + 1
            if tree is not None:
                tree.enter(callee)
            return None

        return on_start

    def _on_call(self) -> Any:
        """Return the callback for calls: it names the first C function called at each place, once.

        A call of a generator function or coroutine starts no code. It is counted here, and not at its later start.
        """
        collector, disable, frame_at = self.collector, interpreter_events().DISABLE, sys._getframe

        def on_call(code: CodeType, offset: int, function: Any, _first: object) -> Any:
            kind = type(function)
            if kind is MethodType:
                function = function.__func__
            if type(function) is FunctionType:
                called = function.__code__
                if not called.co_flags & SUSPENDS or collector.path_of(called.co_filename) is None:
                    return disable
                if collector.counts.get(id(called)) is None and not collector.is_traced(called):
                    return disable  # a generator expression
                self._create(id(called), id(code) + offset, frame_at(1))
                return None
            if collector.path_of(code.co_filename) is not None:
                collector.note_c_function(id(code) + offset, function)
            return disable

        return on_call

    def _create(self, callee: int, place: int, caller: FrameType) -> None:
        """Count a call of a generator function or coroutine, which starts later."""
        table = self.collector.counts[callee]
        known = None if table is None else table.get(place)
        if known is None or table is None:
            self.collector.count(callee, caller)
        else:
            table[place] = known + 1
        self._created[callee] = self._created.get(callee, 0) + 1

    def _tree_callbacks(self) -> dict[int, Any]:
        """Return the callbacks that follow the call tree. PY_UNWIND and PY_THROW can't be switched off at a place."""
        events, disable = interpreter_events().events, interpreter_events().DISABLE
        tables, tree = self.collector.counts, self.collector.tree
        if tree is None:
            return {}

        def calling(move: Callable[[int], None], otherwise: Any) -> Any:
            def on_event(code: CodeType, *_: object) -> Any:
                if tables.get(id(code)) is None:
                    return otherwise
                move(id(code))
                return None

            return on_event

        end, go_on = tree.leave, partial(tree.enter, starts=False)
        return {
            events.PY_RETURN: calling(end, disable),
            events.PY_YIELD: calling(end, disable),
            events.PY_UNWIND: calling(end, None),
            events.PY_RESUME: calling(go_on, disable),
            events.PY_THROW: calling(go_on, None),
        }


def interpreter_events() -> Any:
    return sys.monitoring  # type: ignore[attr-defined]  # the types of Python 3.11, the oldest version, lack it


MOST_REPEATED: Final = 100
"""Events in a row that say nothing new, after which a place or function is watched no more."""


class EdgeHook(MonitorHook):
    """Events of `sys.monitoring` until they say nothing new: which calls happen, and not how often."""

    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self._called = defaultdict[int, set[int]](set)  # id of a callee's code → watched places that called it
        self._settled = set[int]()  # ids of the code of functions that are watched no more

    def _on_start(self) -> Any:
        collector, disable, frame_at = self.collector, interpreter_events().DISABLE, sys._getframe
        tables, count, is_traced = collector.counts, collector.count, collector.is_traced
        called, settled, created = self._called, self._settled, self._created
        repeated, elsewhere = dict[int, int](), set[int]()

        def on_start(code: CodeType, _offset: int) -> Any:
            callee = id(code)
            table = tables.get(callee)
            if table is None:
                if callee in tables or not is_traced(code):
                    return disable
                table = tables[callee] or {}
            if code.co_flags & SUSPENDS and created.get(callee, 0):
                created[callee] -= 1  # found when it was called
                return None
            try:
                caller = frame_at(2)
            except ValueError:  # the first function of a thread
                caller = None
            place = 0 if caller is None else id(caller.f_code) + caller.f_lasti
            if place not in table:
                count(callee, caller)
                if place not in called.get(callee, ()):
                    elsewhere.add(callee)
            if callee in elsewhere:
                return None
            repeated[callee] = often = repeated.get(callee, 0) + 1
            if often <= MOST_REPEATED:
                return None
            settled.add(callee)
            return disable

        return on_start

    def _on_call(self) -> Any:
        """Return the callback for calls: it finds the places that call each function.

        Calls of generator functions and coroutines are all received, as by the hook that counts.
        """
        collector, disable, frame_at = self.collector, interpreter_events().DISABLE, sys._getframe
        path_of, in_c, called, settled = collector.path_of, collector.in_c, self._called, self._settled
        repeated = dict[int, int]()

        def on_call(code: CodeType, offset: int, function: Any, _first: object) -> Any:
            place, inside = id(code) + offset, path_of(code.co_filename) is not None
            if type(function) is MethodType:
                function = function.__func__
            if type(function) is FunctionType:
                target = function.__code__
                callee = id(target)
                if path_of(target.co_filename) is not None and (
                    collector.counts.get(callee) is not None or collector.is_traced(target)
                ):
                    if target.co_flags & SUSPENDS:
                        self._create(callee, place, frame_at(1))
                        return None
                    if inside and place not in called[callee]:
                        called[callee] |= {place, _return_place(code, offset, place)}
                        repeated[place] = 0
                        if callee in settled:
                            collector.count(callee, frame_at(1))
            elif inside and place not in in_c:
                collector.note_c_function(place, function)
            repeated[place] = often = repeated.get(place, 0) + 1
            return None if inside and often <= MOST_REPEATED else disable

        return on_call


def _return_place(code: CodeType, offset: int, place: int) -> int:
    """Return the place of a call as the frame of its caller has it: the last of the call's inline caches."""
    text = code.co_code
    last = offset
    while last + 2 < len(text) and text[last + 2] == 0:  # CACHE
        last += 2
    return place + last - offset


class ProfileHook:
    """Profile function of this thread and of all threads that start later."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self._starts: dict[int, int] = {}  # id of a code object → offset of its first instruction after the start
        self._on_event = self._make()
        self._active = False

    def start(self) -> None:
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
        if sys.getprofile() is None:
            sys.setprofile(self._on_event)

    def stop(self) -> str:
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

    def _resumes(self, frame: FrameType, code: CodeType) -> bool:
        """Return True if a generator or coroutine goes on from where it was suspended, and does not start."""
        start = self._starts.get(id(code))
        if start is None:
            found = (each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")
            start = self._starts[id(code)] = next(found, 0)
        return frame.f_lasti > start

    def _on_call(self) -> Callable[[FrameType], None]:
        tables, count, is_traced = self.collector.counts, self.collector.count, self.collector.is_traced
        tree = self.collector.tree
        resumes = self._resumes

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
