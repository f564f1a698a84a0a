"""Scopes of local names: those that are known in a part of a function only, and those that an assignment declares.

A local is known from its declaration to the end of its block. The facts have one name space for each function. If a
function also uses the name of a local outside of its block, or for another local with another value, the local gets a
name of its own in the facts: ``notify`` becomes ``notifyʹ1``.

In languages in which an assignment does not declare names, the scope that declares an assigned name is searched for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Container, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import Definition
from codeexplore.types import CALLABLE_KINDS, LOCAL_MARK, Binding, Import, Reference, Return, Symbol

_ROOT = r"(?<![\w.:%'\"]){}(?!\w|=(?!=){})"
"""A name that begins an access path, which may be inside of another one; not the name of an argument."""


_Use = tuple[int, int, int, int]  # first byte of the node, scope, kind and position of the row


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
        meant: list[tuple[int, _Use]] = []  # number of a local, and a use of it
        used = self._different()  # names that mean something else: the function, and those around it
        of_name = self._by_name()
        for name, uses in self._uses(of_name).items():
            for use, number in self._meant(of_name[name], sorted(uses), parents):
                if number >= 0:
                    meant.append((number, use))
                    continue
                current = use[1]
                while (current, name) not in used:
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
        for number, (start, _, kind, at) in meant:
            if number in own:
                name = re.escape(self._locals[number].name)
                self._rename(start, kind, at, re.compile(_ROOT.format(name, self._behind)), own[number])

    def _different(self) -> set[tuple[int, str]]:
        """Return scope and name of the locals that two blocks of a function declare with other types or values."""
        first, found = dict[tuple[int, str], tuple[str, str, str]](), set[tuple[int, str]]()
        for local in self._locals:
            row = self.bindings[local.row] if local.row < len(self.bindings) else None
            given, key = ("", "", "") if row is None else row[2:5], (local.scope, local.name)
            if first.setdefault(key, given) != given:
                found.add(key)
        return found

    def _by_name(self) -> dict[str, list[int]]:
        """Return name → the numbers of the locals that have it, in source order."""
        found: dict[str, list[int]] = {}
        for number in sorted(range(len(self._locals)), key=lambda number: self._locals[number][:3]):
            found.setdefault(self._locals[number].name, []).append(number)
        return found

    def _meant(
        self, opening: Sequence[int], uses: Sequence[_Use], parents: Sequence[int]
    ) -> Iterator[tuple[_Use, int]]:
        """Yield each use of a name with the number of the local that it means: of those around it, the innermost.

        The number is -1 for none. `opening` are the locals that have the name. They and the `uses` are in source order.
        """
        around: list[int] = []
        place = 0
        for use in uses:
            start, scope = use[0], use[1]
            while place < len(opening) and self._locals[opening[place]].first <= start:
                around.append(opening[place])
                place += 1
            while around and self._locals[around[-1]].end <= start:
                around.pop()
            seen = (each for each in reversed(around) if self._sees(scope, self._locals[each], parents))
            yield use, next(seen, -1) if around else -1

    def _uses(self, names: Collection[str]) -> dict[str, list[_Use]]:
        """Return the uses of the names of locals, by name."""
        found: dict[str, list[_Use]] = {name: [] for name in names}
        declaring = {local.row for local in self._locals}
        every = re.compile(_ROOT.format(r"(?:[^\W\d]\w*|\$\d)", self._behind))
        starts = [entry[0] for entry in self._log]
        starts.append(-1)
        ends = [[entry[kind] for entry in self._log] for kind in (1, 2, 3)]

        @cache
        def roots(text: str) -> Sequence[str]:
            if "=" in text or text[:1] in ("*", "&") or text.count("(") != text.count("()"):
                return [name for name in every.findall(text) if name in found]
            if not self._called and "(" in text and text.partition("(")[0] in found:
                return ()
            root = text.partition(".")[0].partition("(")[0].partition("[")[0]
            return (root,) if root in found else ()

        for at, (scope, named, _, _, value, _, _) in enumerate(self.bindings):
            for name in (*roots(value), *(() if at in declaring else roots(named))):
                found[name].append((starts[bisect_right(ends[0], at)], scope, 0, at))
        for at, row in enumerate(self.references):
            known, args = roots(row[2]), row[4]
            if known or args:
                use = starts[bisect_right(ends[1], at)], row[0], 1, at
                own = () if known and self._is_apart(use[0], row) else known
                for name in chain(own, *map(roots, args)):
                    found[name].append(use)
        for at, (scope, value, manner) in enumerate(self.returns):
            for name in roots(value) if manner != "type" else ():
                found[name].append((starts[bisect_right(ends[2], at)], scope, 2, at))
        return found

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


_MAX_CHAIN = 100  # the time grows with the square
_ASSIGNMENTS = frozenset({"assignment_expression", "assignment"})
DECLARING = frozenset({"parameter", "keyword", "rest", "keywords", "variable", "element", "context", "exception"})


class Assigned:
    """The assignments to plain names in one file. They are collected until all declarations of the file are known."""

    def __init__(self) -> None:
        self.rows: set[int] = set()  # positions of the assignments in the file's list of bindings

    def add(self, bindings: list[Binding], row: Binding, values: Sequence[str]) -> None:
        """Add the assignment `row` to `bindings`, once for each of its values."""
        if row.manner == "variable":
            self.rows.update(range(len(bindings), len(bindings) + max(1, len(values))))
        bindings.extend(row._replace(value=value) for value in values or ("",))

    def settle(
        self, bindings: list[Binding], imports: Sequence[Import], placed: Sequence[Definition | None]
    ) -> list[int]:
        """Move assignments to the innermost scopes that declare their names; return the positions of all others."""
        if not self.rows:
            return []
        declared = {(row.scope, row.name) for row in imports}
        declared.update((d.parent, d.name) for d in placed if d is not None and d.kind != "method")
        declared.update(
            (row.scope, row.name)
            for position, row in enumerate(bindings)
            if row.manner in DECLARING and position not in self.rows
        )
        parents = [0 if d is None else d.parent for d in placed]
        kinds = ["module" if d is None else d.kind for d in placed]
        left = []
        for position in sorted(self.rows):
            row = bindings[position]
            scope = row.scope
            while scope and ((scope, row.name) not in declared or kinds[scope] not in (*CALLABLE_KINDS, "module")):
                scope = parents[scope]
            if (scope, row.name) in declared:
                bindings[position] = row._replace(scope=scope)
            else:
                left.append(position)
        return left


def last_value(node: Node) -> Node:
    """Return ``value`` for ``a = b = value``. At most `_MAX_CHAIN` assignments are followed."""
    for _ in range(_MAX_CHAIN):
        if node.type not in _ASSIGNMENTS or (inner := node.child_by_field_name("right")) is None:
            break
        node = inner
    return node


def last_line_if_sure(assignment: Node, bodies: Container[str]) -> int:
    """Return the last line of an assignment that always runs when its scope runs, else 0: one in a block of `bodies`.

    A block is given by its own type, or by the type of the node around it if it is a plain block.
    """
    statement = assignment.parent
    block = statement.parent if statement is not None and statement.type == "expression_statement" else None
    if statement is None or block is None:
        return 0
    around = block.parent if block.type in ("block", "statement_block") else block
    return statement.end_point[0] + 1 if around is not None and around.type in bodies else 0
