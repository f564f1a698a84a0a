"""The call tree of a run: one node for each chain of callers, with counts and times; and a timeline of the first calls.

A calling context tree (Ammons, Ball and Larus 1997) needs as much memory as there are different chains, not calls.
`MOST_NODES` limits it: later chains are counted at the last node that they share with the tree.
"""

from __future__ import annotations

import threading
from time import perf_counter_ns
from typing import Any, Final

from codeexplore.features.runs.records import TimelineCall, TreeNode

MOST_NODES: Final = 20_000
"""Nodes of a call tree. A recording of a cell has hundreds; 20,000 take 10 MB."""

MOST_THREADS: Final = 1_000
"""Threads that have a place of their own in the timeline."""


class _Node:
    """A node while the tree grows. `code` is the id of a code object."""

    __slots__ = ("calls", "children", "code", "inner", "number", "parent", "total")

    def __init__(self, number: int, parent: int, code: int) -> None:
        self.number, self.parent, self.code = number, parent, code
        self.calls = self.total = self.inner = 0
        self.children: dict[int, _Node] = {}


class _Stack(threading.local):
    """The open calls of a thread, each as [node, code id, start, row of the timeline]."""

    def __init__(self, tree: CallTree) -> None:
        self.calls: list[list[Any]] = []
        self.thread = tree.new_thread()


class CallTree:
    """The call tree while code runs. Each thread has its own stack of open calls; all threads share the nodes.

    Parameters
    ----------
    times
        True to measure the time of each call.
    timeline
        Number of calls to list in the timeline.
    """

    def __init__(self, *, times: bool, timeline: int) -> None:
        self.times, self._timeline = times, timeline
        self.nodes: list[_Node] = []
        self.left_out = 0  # chains of callers beyond MOST_NODES
        self._roots: dict[int, _Node] = {}
        self._rows: list[list[int]] = []
        self._threads = 0
        self._lock = threading.Lock()
        self.began = perf_counter_ns()
        self._local = _Stack(self)

    def forget(self) -> None:
        """Forget all calls, also the open ones. A forked process does it first."""
        self.nodes.clear()
        self._roots.clear()
        self._rows.clear()
        self.left_out = 0
        self._lock = threading.Lock()
        self._local = _Stack(self)

    def new_thread(self) -> int:
        with self._lock:
            self._threads += 1
            return min(self._threads, MOST_THREADS) - 1

    def enter(self, code: int, *, starts: bool = True) -> None:
        """Open a call of the code object with the id `code`. `starts` is False if a generator or coroutine goes on."""
        calls = self._local.calls
        parent: _Node | None = calls[-1][0] if calls else None
        children = self._roots if parent is None else parent.children
        node = children.get(code)
        if node is None:
            node = self._new(parent, children, code)
        row = -1
        if starts:
            node.calls += 1
            if len(self._rows) < self._timeline:
                row = len(self._rows)
                self._rows.append([node.number, self._local.thread, perf_counter_ns() - self.began, -1])
        calls.append([node, code, perf_counter_ns() if self.times else 0, row])

    def _new(self, parent: _Node | None, children: dict[int, _Node], code: int) -> _Node:
        if len(self.nodes) >= MOST_NODES and parent is not None:
            self.left_out += 1
            return parent
        with self._lock:
            known = children.get(code)
            if known is None:
                known = children[code] = _Node(len(self.nodes), -1 if parent is None else parent.number, code)
                self.nodes.append(known)
        return known

    def leave(self, code: int) -> None:
        """Close the last open call of `code`, and the calls above it, which ended without notice.

        A call that began before the trace has no entry, and nothing is done.
        """
        calls = self._local.calls
        place = len(calls) - 1
        while place >= 0 and calls[place][1] != code:
            place -= 1
        if place < 0:
            return
        now = perf_counter_ns() if self.times or self._rows else 0
        for node, _, start, row in reversed(calls[place:]):
            if self.times:
                node.total += now - start
                if len(calls) > 1:
                    calls[-2][0].inner += now - start
            if row >= 0:
                self._rows[row][3] = now - self.began - self._rows[row][2]
            calls.pop()

    def records(self, number_of: dict[int, int]) -> tuple[tuple[TreeNode, ...], tuple[TimelineCall, ...]]:
        """Return nodes and timeline. `number_of` maps ids of code objects to their numbers in the trace."""
        nodes = tuple(
            TreeNode(node.parent, number_of[node.code], node.calls, node.total, max(0, node.total - node.inner))
            for node in self.nodes
        )
        return nodes, tuple(TimelineCall(*row) for row in self._rows)
