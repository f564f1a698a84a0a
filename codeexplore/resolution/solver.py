"""Points-to solver: a worklist moves values through constraint variables until nothing changes.

A *constraint variable* (in the code: a *node*) stands for a variable, a field, a function's result or an expression.
Its *values* are numbers of abstract values (in the code: *entities*), each with its *provenance* (in the code:
*evidence*). The provenance is the level of the weakest flow edge on the way of the abstract value. A smaller level is
stronger.

Solving ends because there are few levels and the provenance of a value only ever improves. It ends soon because sets of
weak values are capped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from codeexplore.resolution.work_limit import Work

UNKNOWN: Final = 0
"""The constraint variable of unknown expressions. It never has values, and nothing flows out of it."""

SCOPE: Final = 0
"""Named by scope, import or re-export."""
SELF: Final = 1
"""Found through the receiver of the method: ``self``, ``cls`` or ``this``."""
TYPE: Final = 2
"""Known type: constructed here, annotated, a field of a known type."""
RETURN: Final = 3
"""Returned by a function."""
ELEMENT: Final = 4
"""Read from a container."""
WRAPPED: Final = 5
"""Result of a decorator, which replaces the decorated name."""
FLOW: Final = 6
"""Passed as an argument, or stored into an object from outside."""
RELATED: Final = 7
"""Found in a subclass of the known class, or in a class beside it in the resolution order."""

Watcher = tuple[Any, ...]
Handler = Callable[[Watcher, int, int], None]

Values: TypeAlias = "int | dict[int, int] | None"
"""Values of a constraint variable: nothing, one value, or a mapping from abstract value to provenance.

One value, as most constraint variables have, is packed as ``entity << 3 | evidence``."""

Copies: TypeAlias = "int | list[int] | dict[int, None] | None"
"""Targets of the flow edges of a constraint variable, in order. Most constraint variables have none or one.

Each is packed as ``target << 3 | floor``. The *floor* is the strongest provenance that a value can have after the flow
edge."""

_FIXED: Final = -1
_NOBODY: Final[Watcher] = ()
_NOTHING: Final[dict[int, int]] = {}
_ROOM: Final = [None] * 4096
_WIDE: Final = b"\x01"
_FEW_COPIES: Final = 16  # up to this number flow edges are searched one by one

MAX_WEAK_VALUES: Final = 24
"""Maximal number of values with which a constraint variable still accepts weak values (provenance `WRAPPED` or weaker).

A larger set is of no use to a reader.
"""

MAX_PLAIN_VALUES: Final = 8
"""Maximal number of values with which a constraint variable still accepts outside names and containers.

The limit does not apply to names found by scope. Outside names and containers multiply faster than symbols.
"""

MAX_VALUES: Final = 64
"""Maximal number of values of a constraint variable, so that n uses of one constraint variable never cost n × n.

In the repositories that we measured the fullest constraint variables have 54 and 46 values. The 46 are overloads of a
Java method.
"""

MAX_CONTENTS: Final = 4_096
"""Maximal number of values in the contents of a container. The fullest container that we measured has 1,172.

Reading from a container weakens the provenance.
"""


class PointsToSolver:
    """Constraint variables with their values, flow edges and watchers.

    `copies` has the flow edges of each constraint variable. An edge has a target and a floor: every value flows to the
    target, with the floor as its provenance if the value's own provenance is stronger. `watchers` are tuples whose
    first item is a function, the handler. It is called with the tuple, the abstract value and its provenance. A single
    watcher is stored as such, several as a list.

    `values` has the values of each constraint variable; `points_to` returns them as a mapping. Only `add` may change
    either.

    Parameters
    ----------
    numbers
        Maps an abstract value to the same number, as one shared object for all constraint variables that contain it.
        The list grows with the abstract values.
    kinds
        Maps an abstract value to its kind. The list grows with the abstract values.
    untold
        Kind of the abstract values that do not flow on with weak provenance: outside names would otherwise fill every
        parameter. `MAX_PLAIN_VALUES` applies to this kind and to kinds with higher numbers.
    work
        Counter of steps: one for each value that moves, and for each flow edge or watcher that it meets.
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
        self.events = 0  # number of values that moved
        self._at_rest = False  # True after `freeze`: there are no flow edges and watchers
        self._full: dict[int, dict[int, int]] = {}  # hash of a full node's values → these values
        self._sharing: set[int] = set()  # nodes with shared values: copied before a change
        self.saturated = 0  # number of values refused because a node was full
        self._wide = bytearray()  # node → 1 for the contents of a container
        self.refused: set[int] = set()  # entities that a node with `MAX_VALUES` values refused
        self.node()  # UNKNOWN

    def node(self) -> int:
        """Return a new, empty constraint variable."""
        number = len(self.values)
        if number == len(self.copies):  # grow by many nodes at once
            self.copies += _ROOM
            self.watchers += _ROOM
        self.values.append(None)
        return number

    def contents(self) -> int:
        """Return a new, empty constraint variable for the contents of a container.

        It may have up to `MAX_CONTENTS` values.
        """
        node = self.node()
        self._wide.extend(bytes(node + 1 - len(self._wide)))
        self._wide[node] = 1
        return node

    def fixed(self, entity: int, evidence: int) -> int:
        """Return a new constraint variable with one value that never changes.

        It therefore needs no flow edges and watchers.
        """
        node = self.node()
        self.values[node] = entity << 3 | evidence
        if not self._at_rest:
            self.copies[node], self.watchers[node] = _FIXED, _NOBODY
        return node

    def is_fixed(self, node: int) -> bool:
        """Return True if a constraint variable was made by `fixed`."""
        return self.copies[node] == _FIXED

    def points_to(self, node: int) -> Mapping[int, int]:
        """Return the values of a constraint variable, in the order in which they were added.

        The mapping is from abstract value to provenance.
        """
        held = self.values[node]
        if isinstance(held, int):
            return {held >> 3: held & 7}
        return _NOTHING if held is None else held

    def add(self, node: int, entity: int, evidence: int) -> None:
        """Add an abstract value to the values of a constraint variable. It flows on when `solve` runs."""
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
                size = len(held)
                if size >= MAX_PLAIN_VALUES and (
                    (evidence >= TYPE and self._kinds[entity] >= self._untold)
                    or (size >= MAX_WEAK_VALUES and self._is_full(node, size, entity, evidence))
                ):
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
        """Store equal sets of values only once: let `node` share the dict of a constraint variable with equal values.

        This is called when `held`, the values of `node`, has just become full. The order of the values must be equal
        too. It saves memory: a set of values that is passed on everywhere fills whole chains of constraint variables,
        with one kilobyte each. Five of six such sets equal another one.
        """
        known = self._full.setdefault(hash(tuple(held.items())), held)
        if known is held or (known == held and list(known) == list(held)):
            self.values[node] = known
            self._sharing.add(node)

    def _is_full(self, node: int, size: int, entity: int, evidence: int) -> bool:
        """Return True if a constraint variable with `size` values, at least `MAX_WEAK_VALUES`, cannot take another."""
        if evidence >= RETURN:
            return evidence >= WRAPPED or size >= MAX_VALUES
        if size < (MAX_CONTENTS if self._wide[node : node + 1] == _WIDE else MAX_VALUES):
            return False
        self.refused.add(entity)
        return True

    def add_flow(self, source: int, target: int, floor: int = SCOPE) -> None:
        """Add a flow edge: every value of `source`, now and later, flows to `target`.

        `floor` is the strongest provenance that the values can have in `target`.
        """
        if source in (UNKNOWN, target) or target == UNKNOWN:
            return
        if floor >= WRAPPED and isinstance(full := self.values[target], dict) and len(full) >= MAX_WEAK_VALUES:
            self.saturated += 1  # the target refuses all values of so weak evidence
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
        """Add a flow edge to a constraint variable that has flow edges `out`; return False if it is among them."""
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
        """Add a watcher: its handler is called for every value of a constraint variable, now and later.

        The call is ``watcher[0](watcher, entity, evidence)``.
        """
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
        """Drop flow edges and watchers, because no value will move any more. The values stay."""
        self._at_rest = True
        self.copies, self.watchers = [], []

    def clear(self) -> None:
        """Drop everything.

        Otherwise the parts of a program, which refer to each other, would wait for the garbage collector.
        """
        for column in (self.values, self.copies, self.watchers, self.pending):
            column.clear()
        self._full.clear()

    def solve(self) -> bool:
        """Let values flow until nothing changes or the step limit is reached; return True if a fixpoint was reached."""
        pending, values, work = self.pending, self.values, self.work
        copies, watchers, add = self.copies, self.watchers, self.add
        moved, limit = 0, work.limit
        while pending:
            node, entity, evidence = pending.pop()
            held = values[node]
            assert held is not None
            if (held & 7 if isinstance(held, int) else held[entity]) < evidence:  # stronger evidence flowed on
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
                for index in range(len(waiting)):  # a handler may add watchers, which then see the value
                    watcher = waiting[index]
                    watcher[0](watcher, entity, evidence)
            elif waiting:
                waiting[0](waiting, entity, evidence)
        self.events += moved
        return work.steps <= limit
