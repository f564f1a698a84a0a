"""The hook on Python 3.12 and newer for calls that are not counted: an event is switched off when it says nothing new.

Each place of a call is watched until `MOST_REPEATED` events in a row were known. A function is watched as long, if all
of its starts belong to a call at a watched place; from then on it runs at full speed, and a call from a new place is
found at that place. A function that starts in another way too (an operator, an instance of its class, ``f(*args)``, C
code, code outside of the workspace) is watched all the time.

So one kind of call is missed: of a function that is watched no more, from a place that had called another function in
its last `MOST_REPEATED` calls and is watched no more either, or in a way that the function was not called in before.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from codeexplore.features.runs.collector import SUSPENDS
from codeexplore.features.runs.monitor_hook import MonitorHook, interpreter_events

if TYPE_CHECKING:
    from codeexplore.features.runs.collector import Collector

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
