"""Names that are known in a part of a function only: from their declaration to the end of their block.

The facts have one name space for each function. If a function also uses the name of a local outside of its block, or
for another local with another value, the local gets a name of its own in the facts: ``notify`` becomes ``notifyʹ1``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from codeexplore.types import CALLABLE_KINDS, LOCAL_MARK, Binding, Reference, Return, Symbol

_ROOT = r"(?<![\w.:%'\"]){}(?!\w|=(?!=){})"
"""A name that begins an access path, which may be inside of another one; not the name of an argument."""


class _Local(NamedTuple):
    first: int  # first byte at which the name is known
    end: int
    row: int  # position of its first binding
    scope: int
    name: str


class LocalNames:
    """The locals of one file, and the rows of facts that name them.

    `log` notes from which node the rows come while a local is known. `settle` then finds the rows that mean a local,
    and gives an own name to each local whose function uses the name for something else too. `called` is False if a
    called name never means a local (Java).
    """

    def __init__(
        self, bindings: list[Binding], references: list[Reference], returns: list[Return], called: bool
    ) -> None:
        self.bindings, self.references, self.returns, self._called = bindings, references, returns, called
        self._behind = "" if called else r"|\("
        self.always = False  # True if every local that is noted gets an own name
        self.until = -1  # key of the first byte after all blocks of locals
        self._locals: list[_Local] = []
        self._log: list[tuple[int, int, int, int]] = []  # first byte of a node, and the numbers of rows after it

    def begin(self, data: bytes) -> None:
        """Start with the next file, whose text is `data`, when its parameters are bound."""
        self._data, self._qualifies = data, b"::" in data
        self.until = -1
        self._locals.clear()
        self._log.clear()
        self.parameters = {(row.scope, row.name): row.type for row in self.bindings}

    def declare(self, scope: int, name: str, first: int, end: int) -> None:
        """Note a local that is known from byte `first` to byte `end`. Its bindings are added next."""
        if first << 32 >= self.until:
            self.log(-1)
        self.until = max(self.until, end << 32)
        self._locals.append(_Local(first, end, len(self.bindings), scope, name))

    def log(self, start: int) -> None:
        """Note that the rows added last come from the node whose first byte is `start`; -1 for unknown nodes."""
        self._log.append((start, len(self.bindings), len(self.references), len(self.returns)))

    def settle(self, symbols: Sequence[Symbol], parents: Sequence[int]) -> None:
        """Give own names to locals that need them. `parents` are the scopes around the scopes of `symbols`."""
        if not self._locals:
            return
        meant: list[tuple[int, int, int, int, str]] = []  # number of a local, then as in a use: byte, row, name
        used = self._different()  # names that mean something else: the function, and those around it
        for start, own_scope, kind, at, name, around in self._around():
            number = -1
            for each in reversed(around):
                if self._sees(own_scope, self._locals[each], parents):
                    number = each
                    meant.append((number, start, kind, at, name))
                    break
            current = own_scope
            while number < 0 and (current, name) not in used:
                used.add((current, name))
                if current > 0 and (current, name) not in self.parameters:
                    current = parents[current]
        own: dict[int, str] = {}
        for number, (_, _, first, scope, name) in enumerate(self._locals):
            row = first
            if self.always or (scope, name) in used or symbols[scope].kind not in CALLABLE_KINDS:
                own[number] = f"{name}{LOCAL_MARK}{number}"
                following = self._locals[number + 1].row if number + 1 < len(self._locals) else len(self.bindings)
                while row < following and self.bindings[row][:2] == (scope, name):
                    self.bindings[row] = self.bindings[row]._replace(name=own[number])
                    row += 1
        for number, start, kind, at, name in meant:
            if number in own:
                self._rename(start, kind, at, re.compile(_ROOT.format(re.escape(name), self._behind)), own[number])

    def _different(self) -> set[tuple[int, str]]:
        """Return scope and name of the locals that two blocks of a function declare with other types or values."""
        first, found = dict[tuple[int, str], tuple[str, str, str]](), set[tuple[int, str]]()
        for local in self._locals:
            row = self.bindings[local.row] if local.row < len(self.bindings) else None
            given, key = ("", "", "") if row is None else row[2:5], (local.scope, local.name)
            if first.setdefault(key, given) != given:
                found.add(key)
        return found

    def _around(self) -> Iterator[tuple[int, int, int, int, str, list[int]]]:
        """Yield each use of a local's name with the numbers of the locals around it that have the name, innermost last.

        A use is the first byte of the node, the scope, the kind and position of the row, and the name.
        """
        uses = sorted(self._uses())
        opening = sorted(range(len(self._locals)), key=lambda number: self._locals[number][:3])
        around: dict[str, list[int]] = {local.name: [] for local in self._locals}
        place = 0
        for use in uses:
            start, name = use[0], use[-1]
            while place < len(opening) and self._locals[opening[place]].first <= start:
                around[self._locals[opening[place]].name].append(opening[place])
                place += 1
            known = around[name]
            while known and self._locals[known[-1]].end <= start:
                known.pop()
            yield *use, known

    def _uses(self) -> Iterator[tuple[int, int, int, int, str]]:
        """Yield the uses of the names of locals: first byte of the node, scope, kind and position of the row, name."""
        names = frozenset(local.name for local in self._locals)
        declaring = {local.row for local in self._locals}
        every = re.compile(_ROOT.format(r"(?:[^\W\d]\w*|\$\d)", self._behind))
        ends = [[entry[kind] for entry in self._log] for kind in (1, 2, 3)]

        def start(kind: int, at: int) -> int:
            entry = bisect_right(ends[kind], at)
            return self._log[entry][0] if entry < len(self._log) else -1

        @cache
        def roots(text: str) -> Sequence[str]:
            if "=" in text or text[:1] in ("*", "&") or text.count("(") != text.count("()"):
                return [name for name in every.findall(text) if name in names]
            if not self._called and "(" in text and text.partition("(")[0] in names:
                return ()
            root = text.partition(".")[0].partition("(")[0].partition("[")[0]
            return (root,) if root in names else ()

        for at, (scope, named, _, _, value, _, _) in enumerate(self.bindings):
            for name in (*roots(value), *(() if at in declaring else roots(named))):
                yield start(0, at), scope, 0, at, name
        for at, row in enumerate(self.references):
            known, args = roots(row[2]), row[4]
            if known and self._is_apart(start(1, at), row):
                known = ()
            for name in (*known, *chain.from_iterable(map(roots, args))) if args else known:
                yield start(1, at), row[0], 1, at, name
        for at, (scope, value, manner) in enumerate(self.returns):
            for name in roots(value) if manner != "type" else ():
                yield start(2, at), scope, 2, at, name

    def _is_apart(self, start: int, row: Reference) -> bool:
        """Return True if the path of a reference names no local: it is called, or qualified as in ``name::f()``."""
        if not self._called and row.kind == "call" and "." not in row.path:
            return True
        if not self._qualifies:
            return False
        return self._data.startswith(f"{row.path.partition('.')[0]}::".encode(), max(start, 0))

    def _sees(self, scope: int, local: _Local, parents: Sequence[int]) -> bool:
        """Return True if a scope sees a local around it: no function between them has a parameter of this name."""
        while scope != local.scope and scope > 0:
            if (scope, local.name) in self.parameters:
                return False
            scope = parents[scope]
        return scope == local.scope

    def _rename(self, start: int, kind: int, at: int, name: re.Pattern[str], own: str) -> None:
        if kind == 0:
            bound = self.bindings[at]
            self.bindings[at] = bound._replace(name=name.sub(own, bound.name), value=name.sub(own, bound.value))
        elif kind == 1:
            used = self.references[at]
            args = tuple(name.sub(own, arg) for arg in used.args)
            apart = self._is_apart(start, used)
            self.references[at] = used._replace(path=used.path if apart else name.sub(own, used.path), args=args)
        else:
            back = self.returns[at]
            self.returns[at] = back._replace(value=name.sub(own, back.value))
