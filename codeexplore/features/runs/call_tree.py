"""The call tree of a run: one node for each chain of callers, with counts and times.

A calling context tree (Ammons, Ball and Larus 1997) needs as much memory as there are different chains, not calls.
`MOST_NODES` limits it: later chains are counted at the last node that they share with the tree.
"""

from __future__ import annotations

import threading
from time import perf_counter_ns
from typing import Final

from codeexplore.features.runs.records import TreeNode

MOST_NODES: Final = 20_000
"""Nodes of a call tree. A recording of a cell has hundreds; 20,000 take 10 MB."""


class _Node:
    """A node while the tree grows. `code` is the id of a code object."""

    __slots__ = ("calls", "children", "code", "inner", "number", "parent", "total")

    def __init__(self, number: int, parent: int, code: int) -> None:
        self.number, self.parent, self.code = number, parent, code
        self.calls = self.total = self.inner = 0
        self.children: dict[int, _Node] = {}


class _Stack(threading.local):
    """The open calls of a thread, each as (node, code id, start)."""

    def __init__(self) -> None:
        self.calls: list[tuple[_Node, int, int]] = []


class CallTree:
    """The call tree while code runs. Each thread has its own stack of open calls; all threads share the nodes."""

    def __init__(self, *, times: bool) -> None:
        self.times = times
        self.nodes: list[_Node] = []
        self.left_out = 0  # chains of callers beyond MOST_NODES
        self._roots: dict[int, _Node] = {}
        self._lock = threading.Lock()
        self._local = _Stack()

    def forget(self) -> None:
        """Forget all calls, also the open ones. A forked process does it first."""
        self.nodes.clear()
        self._roots.clear()
        self.left_out = 0
        self._lock = threading.Lock()
        self._local = _Stack()

    def enter(self, code: int, *, starts: bool = True) -> None:
        """Open a call of the code object with the id `code`. `starts` is False if a generator or coroutine goes on."""
        calls = self._local.calls
        parent: _Node | None = calls[-1][0] if calls else None
        children = self._roots if parent is None else parent.children
        node = children.get(code)
        if node is None:
            node = self._new(parent, children, code)
        node.calls += starts
        calls.append((node, code, perf_counter_ns() if self.times else 0))

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
        now = perf_counter_ns() if self.times else 0
        for node, _, start in reversed(calls[place:]):
            if self.times:
                node.total += now - start
                if len(calls) > 1:
                    calls[-2][0].inner += now - start
            calls.pop()

    def records(self, number_of: dict[int, int]) -> tuple[TreeNode, ...]:
        """Return the nodes. `number_of` maps ids of code objects to their numbers in the trace."""
        return tuple(
            TreeNode(node.parent, number_of[node.code], node.calls, node.total, max(0, node.total - node.inner))
            for node in self.nodes
        )
