"""Points-to solver: a worklist moves values through nodes until nothing changes.

A *node* is a place for values: a variable, a field, a function's result, an expression. A *value* is an entity's number
with its *evidence*: the weakest link on its path, smaller being stronger. Evidence has few levels and only ever
improves, so solving ends; sets of weak values are capped, so it ends soon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from codeexplore.resolution.work_limit import Work

UNKNOWN: Final = 0
"""The node of everything that can't be known: nothing ever flows into it or out of it."""

SCOPE: Final = 0
"""Named by scope, import or re-export."""
SELF: Final = 1
"""Through the instance or class a method belongs to."""
TYPE: Final = 2
"""Known type: constructed here, annotated, a field of a known type."""
RETURN: Final = 3
"""Returned by a function."""
ELEMENT: Final = 4
"""Taken out of a container."""
WRAPPED: Final = 5
"""Put there by a decorator."""
FLOW: Final = 6
"""Passed as an argument, or stored into an object from outside."""
RELATED: Final = 7
"""Found in a class below or beside the known one."""

Watcher = tuple[Any, ...]
Handler = Callable[[Watcher, int, int], None]

Values: TypeAlias = "int | dict[int, int] | None"
"""Values of a node: one value as ``entity << 3 | evidence``, as in most nodes, or the evidence of each entity."""

Copies: TypeAlias = "int | list[int] | dict[int, None] | None"
"""Targets of a node's flow edges, in order, each packed as ``target << 3 | floor``: most nodes have none or one."""

_FIXED: Final = -1
_NOBODY: Final[Watcher] = ()
_NOTHING: Final[dict[int, int]] = {}
_ROOM: Final = [None] * 4096
_WIDE: Final = b"\x01"
_FEW_COPIES: Final = 16  # as many are looked through one by one

MAX_WEAK_VALUES: Final = 24
"""Values a node keeps that arrived by arguments or with weaker evidence: a larger set is of no use to a reader."""

MAX_PLAIN_VALUES: Final = 8
"""Outside names and containers a node keeps, unless they are named by scope: they breed faster than symbols."""

MAX_VALUES: Final = 64
"""Values of any evidence that a node keeps, so that n uses of one node never cost n × n. In the repositories that we
measured the fullest node has 54, or 46: the overloads of one Java method."""

MAX_CONTENTS: Final = 4_096
"""The same for the contents of a container, which readers take with weaker evidence; the fullest has 1,172."""


class PointsToSolver:
    """Nodes with their values, flow edges and watchers.

    `copies` of a node are targets with a floor: every value flows to the target with evidence of at least `floor`.
    `watchers` are tuples (handler, …): the handler is called with the tuple, the entity and its evidence. One alone is
    stored as such, several as a list.

    `values` are the values of each node; `points_to` returns them as a mapping. Only `add` may change either.

    Parameters
    ----------
    numbers
        The number of each entity, as one object for all nodes that contain it, growing as entities are made.
    kinds
        Kind of each entity, likewise.
    untold
        The kind of entity that weak evidence does not carry on: outside names would fill every parameter. This kind
        and those of higher number also fill a node sooner.
    work
        Counter of steps: one for each value that moves and each flow edge or watcher that it meets.
    """

    def __init__(self, numbers: Sequence[int], kinds: Sequence[int], untold: int, work: Work) -> None:
        self.work = work
        self._numbers = numbers
        self._kinds = kinds
        self._untold = untold
        self.values: list[Values] = []
        self.copies: list[Copies] = []
        self.watchers: list[Watcher | list[Watcher] | None] = []
        self.pending: list[tuple[int, int, int]] = []
        self.events = 0  # values that have moved
        self._at_rest = False  # no watcher is left
        self._full: dict[int, dict[int, int]] = {}  # hash of the values of full nodes → values of one of them
        self._sharing: set[int] = set()  # nodes with the same values as others, none of which may change them
        self.saturated = 0  # values turned away because a node was full
        self._wide = bytearray()  # by node, whether it is the contents of a container
        self.refused: set[int] = set()  # entities that a node with `MAX_VALUES` values turned away
        self.node()  # DEAD

    def node(self) -> int:
        """Return a new, empty node."""
        number = len(self.values)
        if number == len(self.copies):  # grow by many at once
            self.copies += _ROOM
            self.watchers += _ROOM
        self.values.append(None)
        return number

    def contents(self) -> int:
        """Return a new, empty node for the contents of a container, which may have more values than others."""
        node = self.node()
        self._wide.extend(bytes(node + 1 - len(self._wide)))
        self._wide[node] = 1
        return node

    def fixed(self, entity: int, evidence: int) -> int:
        """Return a new node that never gets more than one value, so it needs no watchers."""
        node = self.node()
        self.values[node] = entity << 3 | evidence
        if not self._at_rest:
            self.copies[node], self.watchers[node] = _FIXED, _NOBODY
        return node

    def is_fixed(self, node: int) -> bool:
        """Return True if a node was made by `fixed`."""
        return self.copies[node] == _FIXED

    def points_to(self, node: int) -> Mapping[int, int]:
        """Return the values of a node: entities with their evidence, in order of arrival."""
        held = self.values[node]
        if isinstance(held, int):
            return {held >> 3: held & 7}
        return _NOTHING if held is None else held

    def add(self, node: int, entity: int, evidence: int) -> None:
        """Put a value into a node; it moves on when the solver runs."""
        if (evidence >= WRAPPED and self._kinds[entity] == self._untold) or node == UNKNOWN:
            return
        held = self.values[node]
        if held is None:
            self.values[node] = entity << 3 | evidence
        elif isinstance(held, int):
            if held >> 3 != entity:
                self.values[node] = {self._numbers[held >> 3]: held & 7, self._numbers[entity]: evidence}
            elif held & 7 <= evidence:
                return
            else:
                self.values[node] = entity << 3 | evidence
        else:
            old = held.get(entity)
            if old is None:
                if len(held) >= MAX_PLAIN_VALUES and self._is_full(node, held, entity, evidence):
                    self.saturated += 1
                    return
                entity = self._numbers[entity]
            elif old <= evidence:
                return
            if node in self._sharing:
                self._sharing.discard(node)
                held = self.values[node] = held.copy()
            held[entity] = evidence
            if len(held) == MAX_WEAK_VALUES and old is None:
                self._share(node, held)
        if not self._at_rest and (self.copies[node] is not None or self.watchers[node] is not None):
            self.pending.append((node, entity, evidence))

    def _share(self, node: int, held: dict[int, int]) -> None:
        """Let a node that has just become full share its values with nodes that have the same in that order.

        A set that is passed on everywhere fills whole chains of nodes, with a kilobyte each; five of six equal another.
        """
        known = self._full.setdefault(hash(tuple(held.items())), held)
        if known is held or (known == held and list(known) == list(held)):
            self.values[node] = known
            self._sharing.add(node)

    def _is_full(self, node: int, held: dict[int, int], entity: int, evidence: int) -> bool:
        """Return True if a node with several values cannot take this one."""
        if evidence >= TYPE and self._kinds[entity] >= self._untold:
            return True
        if evidence >= RETURN:
            return len(held) >= (MAX_WEAK_VALUES if evidence >= WRAPPED else MAX_VALUES)
        if len(held) < (MAX_CONTENTS if self._wide[node : node + 1] == _WIDE else MAX_VALUES):
            return False
        self.refused.add(entity)
        return True

    def add_flow(self, source: int, target: int, floor: int = SCOPE) -> None:
        """Let every value of `source`, now and later, flow to `target`."""
        if source in (UNKNOWN, target) or target == UNKNOWN:
            return
        if floor >= WRAPPED and isinstance(full := self.values[target], dict) and len(full) >= MAX_WEAK_VALUES:
            self.saturated += 1  # nothing that weak could still get in
            return
        link = target << 3 | floor
        out = _FIXED if self._at_rest else self.copies[source]
        if out is None:
            self.copies[source] = link
        elif out != _FIXED and not self._link_more(source, out, link):
            return
        held = self.values[source]
        if isinstance(held, int):
            self.add(target, held >> 3, max(held & 7, floor))
        elif held is not None:
            self.work.steps += len(held)
            for entity, level in list(held.items()):
                self.add(target, entity, max(level, floor))

    def _link_more(self, source: int, out: int | list[int] | dict[int, None], link: int) -> bool:
        """Add a flow edge to a node that has some; return False if it has this one already."""
        if isinstance(out, int):
            if out == link:
                return False
            self.copies[source] = [out, link]
        elif link in out:
            return False
        elif isinstance(out, dict):
            out[link] = None
        elif len(out) < _FEW_COPIES:
            out.append(link)
        else:
            self.copies[source] = dict.fromkeys((*out, link))
        return True

    def on_value(self, node: int, watcher: Watcher) -> None:
        """Call ``watcher[0](watcher, entity, evidence)`` for every value of a node, now and later."""
        if node == UNKNOWN:
            return
        out = _NOBODY if self._at_rest else self.watchers[node]
        if out is None:
            self.watchers[node] = watcher
        elif isinstance(out, list):
            out.append(watcher)
        elif out is not _NOBODY:
            self.watchers[node] = [out, watcher]
        held = self.values[node]
        if isinstance(held, int):
            watcher[0](watcher, held >> 3, held & 7)
        elif held is not None:
            handler = watcher[0]
            self.work.steps += len(held)
            for entity, evidence in list(held.items()):
                handler(watcher, entity, evidence)

    def freeze(self) -> None:
        """Drop watchers and flow edges: no value will move any more. The values of nodes stay."""
        self._at_rest = True
        self.copies, self.watchers = [], []

    def clear(self) -> None:
        """Drop everything: the parts of a program refer to each other and would wait for the garbage collector."""
        for column in (self.values, self.copies, self.watchers, self.pending):
            column.clear()
        self._full.clear()

    def solve(self) -> bool:
        """Let values flow until nothing changes or all steps are used; return True if a fixpoint was reached."""
        pending, values, work = self.pending, self.values, self.work
        copies, watchers, add = self.copies, self.watchers, self.add
        moved, limit = 0, work.limit
        while pending:
            node, entity, evidence = pending.pop()
            held = values[node]
            assert held is not None
            if (held & 7 if isinstance(held, int) else held[entity]) < evidence:  # better evidence has moved on already
                continue
            moved += 1
            work.steps += 1
            if work.steps > limit:
                pending.clear()
                break
            out = copies[node]
            if isinstance(out, int):
                add(out >> 3, entity, max(out & 7, evidence))
            elif out is not None:
                work.steps += len(out)
                for link in out:
                    level = link & 7
                    if level < evidence:
                        level = evidence
                    add(link >> 3, entity, level)
            waiting = watchers[node]
            if isinstance(waiting, list):
                work.steps += len(waiting)
                for index in range(len(waiting)):  # a handler may add watchers; those see the value when they join
                    watcher = waiting[index]
                    watcher[0](watcher, entity, evidence)
            elif waiting:
                waiting[0](waiting, entity, evidence)
        self.events += moved
        return work.steps <= limit
