"""Points-to solver: a worklist moves abstract values through constraint variables until nothing changes.

An *abstract value* is a small number. It has a kind, a payload and an extra:

    kind              payload                                      extra
    FUNC              symbol of a function, method or lambda       interface or trait through which it is named, or 0
    BOUND             symbol of a method                           abstract value of the receiver
    CLASS             symbol of a type                             1 if it may be a subclass instead
    INST              symbol of a type                             1 if it may be an instance of a subclass
    SUPER             symbol of the type whose supertypes count    abstract value of the receiver
    UNIT              number of a module
    EXTERNAL          number of an outside name in `texts`
    OBJECT            number of a container or object literal
    BOUND_METHOD      abstract value whose built-in method it is   number of the method's name in `texts`
    CONTAINER_PART    abstract value of a callable                 number of its use, such as ``new``, in `texts`

The payload of BOUND_METHOD is most often a container. For INST, an extra of 2 or more stands for a list of type
arguments; see `declared_types`.

`Work` limits the steps of a resolution. A step is a value that moves, a class that is searched, or an edge that is
written. Steps are counted instead of seconds, so that the same files give the same graph on every machine.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from codeexplore.text.enumeration import shortened

FUNC: Final = 0
BOUND: Final = 1
CLASS: Final = 2
INST: Final = 3
SUPER: Final = 4
UNIT: Final = 5
EXTERNAL: Final = 6
OBJECT: Final = 7
BOUND_METHOD: Final = 8
CONTAINER_PART: Final = 9
OUTSIDE: Final = "?"
"""Name for the result of a chain of outside calls. It is never looked up; it only marks a value as outside."""
MAX_EXTERNAL_CHARS: Final = 120
MAX_EXTERNAL_PARTS: Final = 8
"""Maximal numbers of characters and of dots in an outside name. A longer name is replaced by `OUTSIDE`."""


class AbstractValues:
    """Abstract values by number.

    `number`, `kind`, `payload` and `extra` are columns: the item at an index belongs to the abstract value with this
    number. `number` has the numbers themselves, as shared objects.
    """

    def __init__(self) -> None:
        self.number: list[int] = []
        self.kind: list[int] = []
        self.payload: list[int] = []
        self.extra: list[int] = []
        self.texts: list[str] = []
        self._entity: dict[int, int] = {}  # extra << 40 | payload << 4 | kind → entity
        self._text: dict[str, int] = {}
        self._external: dict[str, int] = {}

    def get(self, kind: int, payload: int, extra: int = 0) -> int:
        key = extra << 40 | payload << 4 | kind
        entity = self._entity.get(key)
        if entity is None:
            entity = self._entity[key] = len(self.kind)
            self.number.append(entity)
            self.kind.append(kind)
            self.payload.append(payload)
            self.extra.append(extra)
        return entity

    def text(self, text: str) -> int:
        """Return the number of a text in `texts`."""
        number = self._text.get(text)
        if number is None:
            number = self._text[text] = len(self.texts)
            self.texts.append(text)
        return number

    def external(self, name: str) -> int:
        """Return the value of an outside name; `OUTSIDE` if it is too long, or has more than one call."""
        known = self._external.get(name)
        if known is None:
            long = len(name) > MAX_EXTERNAL_CHARS or name.count(".") > MAX_EXTERNAL_PARTS
            told = OUTSIDE if long or name[0] == OUTSIDE or name.count("()") > 1 else name
            known = self._external[name] = self.get(EXTERNAL, self.text(told))
        return known

    def external_name(self, entity: int) -> str:
        return self.texts[self.payload[entity]]


STEPS_PER_FACT: Final = 100
"""Maximal number of steps for each fact (symbol, binding, reference …) of a family.

The repositories that we measured need at most 8."""
LEAST_STEPS: Final = 200_000
"""Number of steps that a family may take whatever its number of facts. They take a second or less."""
_NAMED: Final = 3
MISSING: Final = "edges may be missing anywhere"
"""End of the notes that state this."""


class Work:
    """A counter of steps with a limit, and the names that were left out. `facts` is the family's number of facts."""

    def __init__(self, facts: int) -> None:
        self.facts = facts
        self.steps = 0
        self.limit = LEAST_STEPS + STEPS_PER_FACT * facts
        self.left_out: dict[str, set[str]] = {}  # description of a limit → names that it left out

    @property
    def is_spent(self) -> bool:
        """True if the limit is reached. The rest of the work is then done in the cheapest way."""
        return self.steps > self.limit

    def spend(self, steps: int) -> bool:
        self.steps += steps
        return self.steps <= self.limit

    def leave_out(self, limit: str, name: str) -> None:
        self.left_out.setdefault(limit, set()).add(name)

    def notes(self, family: str) -> list[str]:
        """Return a sentence for each limit about the work that was left out."""
        notes = []
        for limit, names in self.left_out.items():
            notes.append(f"{family}: {limit}: {shortened(sorted(names), _NAMED)}")
        if self.is_spent:
            notes.append(f"{family}: the limit of {self.limit:,} steps was reached; {MISSING}")
        return notes


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
LAST: Final = 8
"""Weaker than any provenance."""
Watcher = tuple[Any, ...]
Handler = Callable[[Watcher, int, int], None]
EMPTY: Final = -1
"""In place of the values of a constraint variable: it has none, or no flow edges."""
_FIXED: Final = -2
_SEVERAL: Final = -3
"""The first number that stands for several values or flow edges: ``_SEVERAL - n`` are those at index n of a list."""
_NOBODY: Final[Watcher] = ()
_NOTHING: Final[dict[int, int]] = {}
_ROOM: Final = [None] * 4096
_EMPTY_ROOM: Final = array("q", [EMPTY]) * 4096
_WIDE: Final = b"\x01"
_FEW_COPIES: Final = 16  # up to this number flow edges are searched one by one
MAX_WEAK_VALUES: Final = 24
"""Maximal number of values with which a constraint variable still accepts weak values (provenance `WRAPPED` or weaker).

A larger set is of no use to a reader, unless it is a table of functions: each is called where the table is read.
`MAX_VALUES` limits those.
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
MAX_DEPTH: Final = 100
"""Maximal number of handlers that run inside one another: chains in code may be longer than Python's stack."""
MAX_CONTENTS: Final = 4_096
"""Maximal number of values in the contents of a container. The fullest container that we measured has 1,172.

Reading from a container weakens the provenance.
"""


class PointsToSolver:
    """Constraint variables with their values, flow edges and watchers.

    `copies` has the flow edges of each constraint variable. An edge has a target and a floor: every value flows to the
    target, with the floor as its provenance if the value's own provenance is stronger. It is packed as
    ``target << 3 | floor``. `watchers` are tuples whose first item is a function, the handler. It is called with the
    tuple, the abstract value and its provenance. A single watcher is stored as such, several as a list.

    Most constraint variables have at most one value and one flow edge. They are numbers in an array, which take a fifth
    of the memory of objects. Several values or flow edges are in lists of their own.

    `values` has the value of each constraint variable, packed as ``entity << 3 | evidence``. It is negative if there is
    not exactly one, and `EMPTY` if there is none. `points_to` returns the values as a mapping. Only `add` may change
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
    open_kind
        Kind of the values other than definitions and their instances whose members may be functions: `OBJECT` where a
        literal's keys are its members.
    """

    def __init__(
        self, numbers: Sequence[int], kinds: Sequence[int], untold: int, work: Work, open_kind: int = EXTERNAL
    ) -> None:
        self.work = work
        self._open = open_kind
        self._numbers = numbers
        self._kinds = kinds
        self._untold = untold
        self.values = array("q")
        self.copies = array("q")
        self._sets: list[dict[int, int]] = []
        self._links: list[array[int] | dict[int, None]] = []
        self.watchers: list[Watcher | list[Watcher] | None] = []
        self.pending: list[tuple[int, int, int]] = []
        self._at_rest = False  # True after `freeze`: there are no flow edges and watchers
        self._once: set[tuple[int, Watcher]] = set()
        self._depth = 0  # of handlers that `on_value` runs, one inside the other
        self._postponed: list[tuple[int, Watcher]] = []  # watchers, with their nodes, for which it was too deep
        self._full: dict[int, int] = {}  # hash of a full node's values → their number in place of a value
        self._sharing: set[int] = set()  # nodes with shared values: copied before a change
        self._wide = bytearray()  # node → 1 for the contents of a container
        # nodes that refused values, and after `freeze` those to which their values flow → strongest refused provenance
        self.cut: dict[int, int] = {}
        self.refused: set[int] = set()  # entities that a node with `MAX_VALUES` values refused
        self.node()  # UNKNOWN

    def node(self) -> int:
        number = len(self.values)
        if number == len(self.copies):  # grow by many nodes at once
            self.copies.extend(_EMPTY_ROOM)
            self.watchers += _ROOM
        self.values.append(EMPTY)
        return number

    def contents(self) -> int:
        """Return a new variable for the contents of a container, for up to `MAX_CONTENTS` values."""
        node = self.node()
        self._wide.extend(bytes(node + 1 - len(self._wide)))
        self._wide[node] = 1
        return node

    def fixed(self, entity: int, evidence: int) -> int:
        """Return a new variable with one value that never changes, so without flow edges and watchers."""
        node = self.node()
        self.values[node] = entity << 3 | evidence
        if not self._at_rest:
            self.copies[node], self.watchers[node] = _FIXED, _NOBODY
        return node

    def is_fixed(self, node: int) -> bool:
        return self.copies[node] == _FIXED

    def points_to(self, node: int) -> Mapping[int, int]:
        """Return the values of a variable with their provenance, in the order in which they were added."""
        held = self.values[node]
        if held >= 0:
            return {held >> 3: held & 7}
        return _NOTHING if held == EMPTY else self._sets[_SEVERAL - held]

    def add(self, node: int, entity: int, evidence: int) -> None:
        """Add an abstract value to the values of a constraint variable. It flows on when `solve` runs."""
        if (evidence >= WRAPPED and self._kinds[entity] == self._untold) or node == UNKNOWN:
            return
        held = self.values[node]
        if held == EMPTY:
            self.values[node] = entity << 3 | evidence
        elif held >= 0:
            if held >> 3 != entity:
                self._keep(node, {self._numbers[held >> 3]: held & 7, self._numbers[entity]: evidence})
            elif held & 7 <= evidence:
                return
            else:
                self.values[node] = entity << 3 | evidence
        else:
            several = self._sets[_SEVERAL - held]
            old = several.get(entity)
            if old is None:
                size = len(several)
                if size >= MAX_PLAIN_VALUES and (
                    (evidence >= TYPE and self._kinds[entity] >= self._untold)
                    or (size >= MAX_WEAK_VALUES and self._is_full(node, size, entity, evidence))
                ):
                    self._refuse(node, entity, evidence)
                    return
                entity = self._numbers[entity]
            elif old <= evidence:
                return
            if node in self._sharing:
                self._sharing.discard(node)
                several = several.copy()
                self._keep(node, several)
            several[entity] = evidence
            if len(several) == MAX_WEAK_VALUES and old is None:
                self._share(node, several)
        if not self._at_rest and (self.copies[node] != EMPTY or self.watchers[node] is not None):
            self.pending.append((node, entity, evidence))

    def _refuse(self, node: int, entity: int, evidence: int) -> None:
        kind = self._kinds[entity]
        level = max(evidence, RETURN if kind == self._open else WRAPPED)
        if (kind < self._untold or kind == self._open != self._untold) and level < self.cut.get(node, LAST):
            self.cut[node] = level

    def _keep(self, node: int, several: dict[int, int]) -> None:
        self.values[node] = _SEVERAL - len(self._sets)
        self._sets.append(several)

    def _share(self, node: int, held: dict[int, int]) -> None:
        """Store equal sets of values only once: let `node` share the dict of a constraint variable with equal values.

        This is called when `held`, the values of `node`, has just become full. The order of the values must be equal
        too. It saves memory: a set of values that is passed on everywhere fills whole chains of constraint variables,
        with one kilobyte each. Five of six such sets equal another one.
        """
        own = self.values[node]
        number = self._full.setdefault(hash(tuple(held.items())), own)
        known = self._sets[_SEVERAL - number]
        if number == own or (known == held and list(known) == list(held)):
            if number != own:
                self._sets[_SEVERAL - own] = _NOTHING
                self.values[node] = number
            self._sharing.add(node)

    def _is_full(self, node: int, size: int, entity: int, evidence: int) -> bool:
        """Return True if a constraint variable with `size` values, at least `MAX_WEAK_VALUES`, cannot take another."""
        if evidence >= RETURN:
            weak = evidence >= WRAPPED and not (self._kinds[entity] == FUNC and self._is_table(node))
            return weak or size >= MAX_VALUES
        if size < (MAX_CONTENTS if self._wide[node : node + 1] == _WIDE else MAX_VALUES):
            return False
        self.refused.add(entity)
        return True

    def _is_table(self, node: int) -> bool:
        """Return True if a constraint variable with several values collects functions, by the last one that it got.

        Functions that are registered in one place are called there, so that each of many is as likely as of few. Where
        a literal's keys are its members, functions are handed on everywhere, and many in one place say less.
        """
        return self._open == EXTERNAL and self._kinds[next(reversed(self._sets[_SEVERAL - self.values[node]]))] == FUNC

    def add_flow(self, source: int, target: int, floor: int = SCOPE) -> None:
        """Let every value of `source`, now and later, flow to `target`, at best with the provenance `floor`."""
        if source in (UNKNOWN, target) or target == UNKNOWN:
            return
        held = self.values[target] if floor >= WRAPPED else EMPTY
        if held <= _SEVERAL and len(self._sets[_SEVERAL - held]) >= MAX_WEAK_VALUES and not self._is_table(target):
            self.cut.setdefault(target, WRAPPED)  # the target refuses all values of so weak evidence
            return
        link = target << 3 | floor
        out = _FIXED if self._at_rest else self.copies[source]
        if out == EMPTY:
            self.copies[source] = link
        elif out != _FIXED and not self._link_more(source, out, link):
            return
        held = self.values[source]
        if held >= 0:
            self.add(target, held >> 3, max(held & 7, floor))
        elif held != EMPTY:
            several = self._sets[_SEVERAL - held]
            self.work.steps += len(several)
            for entity, level in list(several.items()):
                self.add(target, entity, max(level, floor))

    def _link_more(self, source: int, out: int, link: int) -> bool:
        """Add a flow edge to a constraint variable that has flow edges `out`; return False if it is among them."""
        if out >= 0:
            if out == link:
                return False
            self.copies[source] = _SEVERAL - len(self._links)
            self._links.append(array("q", (out, link)))
            return True
        links = self._links[_SEVERAL - out]
        if link in links:
            return False
        if isinstance(links, dict):
            links[link] = None
        elif len(links) < _FEW_COPIES:
            links.append(link)
        else:
            self._links[_SEVERAL - out] = dict.fromkeys((*links, link))
        return True

    def on_value(self, node: int, watcher: Watcher) -> None:
        """Add a watcher: its handler is called for every value of a constraint variable, now and later.

        The call is ``watcher[0](watcher, entity, evidence)``. The handler unpacks the other items, which are its own.
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
        if held == EMPTY:
            return
        if self._depth >= MAX_DEPTH:
            self._postponed.append((node, watcher))
            return
        self._depth += 1
        self._told(watcher, held)
        while self._depth == 1 and self._postponed:
            node, watcher = self._postponed.pop()
            self._told(watcher, self.values[node])
        self._depth -= 1

    def _told(self, watcher: Watcher, held: int) -> None:
        """Call the handler of a watcher with the values that `held` stands for."""
        if held >= 0:
            watcher[0](watcher, held >> 3, held & 7)
        elif held != EMPTY:
            handler, several = watcher[0], self._sets[_SEVERAL - held]
            self.work.steps += len(several)
            for entity, evidence in list(several.items()):
                handler(watcher, entity, evidence)

    def on_value_once(self, node: int, watcher: Watcher) -> None:
        """Add a watcher, unless the same one was added before.

        The explored code may write a chain that is a circle, such as types that underlie each other.
        """
        if (node, watcher) not in self._once:
            self._once.add((node, watcher))
            self.on_value(node, watcher)

    def freeze(self) -> None:
        """Drop flow edges and watchers, because no value will move any more. The values stay."""
        self._at_rest = True
        pending = list(self.cut)
        while pending:
            node = pending.pop()
            out, refused = self.copies[node], self.cut[node]
            for link in (out,) if out >= 0 else self._links[_SEVERAL - out] if out <= _SEVERAL else ():
                target, level = link >> 3, max(link & 7, refused)
                if level < self.cut.get(target, LAST):
                    self.cut[target] = level
                    pending.append(target)
        self.copies, self.watchers, self._links = array("q"), [], []
        self._once.clear()

    def clear(self) -> None:
        """Drop everything.

        Otherwise the parts of a program, which refer to each other, would wait for the garbage collector.
        """
        del self.values[:], self.copies[:]
        for column in (self.watchers, self.pending, self._sets, self._links):
            column.clear()
        self._full.clear()
        self._once.clear()

    def solve(self) -> bool:
        """Let values flow until nothing changes or the step limit is reached; return True if a fixpoint was reached."""
        pending, values, work = self.pending, self.values, self.work
        copies, watchers, add, sets, links = self.copies, self.watchers, self.add, self._sets, self._links
        limit = work.limit
        while pending:
            node, entity, evidence = pending.pop()
            held = values[node]
            if (held & 7 if held >= 0 else sets[_SEVERAL - held][entity]) < evidence:  # stronger evidence flowed on
                continue
            work.steps += 1
            if work.steps > limit:
                pending.clear()
                break
            out = copies[node]
            if out >= 0:
                add(out >> 3, entity, max(out & 7, evidence))
            elif out <= _SEVERAL:
                several = links[_SEVERAL - out]
                work.steps += len(several)
                for link in several:
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
        return work.steps <= limit
