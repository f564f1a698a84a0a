"""Bindings of files: constraint variables of the bound names, their versions, parameters of functions, and values.

A *binding* is a row of facts that gives a type or a value to a name or to a path, such as ``self.items``. Its `manner`
is the kind of binding, such as "parameter" or "element" (the variable of a loop). Its declared type and its assigned
value flow to its constraint variable. A *version* of a name is the constraint variable of its values from one
assignment to the next; see `program`.
"""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Sequence
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.program import OF_CLASS, STATIC, UNDERLYING, Parameter, Program
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.stores import Stores
from codeexplore.resolution.values import CLASS, FUNC, INST, OBJECT
from codeexplore.types import LEFT_OUT, STUB, Binding

_CONSTANT_KEYS: Final = re.compile(r"\w+(\[[\w']+\])+")
_CONSTANT_MEMBERS: Final = re.compile(r"[\w$]+(\.[\w$]+|\[\w+\])+")
_OF_PATHS: Final = re.compile(r"[.\[%(]")
_LITERALS: Final = ("%dict", "%list")
_PARAMETERS: Final = frozenset({"parameter", "keyword", "rest", "keywords"})
_DECLARING: Final = frozenset({"variable", "element", "pattern"})


class Bindings:
    """Makes the constraint variables for the bindings of a program's files."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def lay_out(self, index: int) -> list[int]:
        """Make the constraint variables of the names that a file binds; return them by binding, -1 for a path."""
        program = self.program
        facts, first = program.files[index], program.first[index]
        for back in facts.returns:
            if back.manner == "type":
                program.result_types[first + back.scope] = back.value
        rows = program.bindings[index]
        again = Counter(
            (scope, name)
            for scope, name, manner, sure in rows.fields("scope", "name", "manner", "sure")
            if not _is_test(manner, sure)
        )
        written: list[int] = []
        current: dict[tuple[int, str], tuple[int, int]] = {}  # (scope, name) → (line of its last version, node)
        for row in rows:
            if row.manner == "receiver" or not _is_plain(row.name) or _is_test(row.manner, row.sure):
                written.append(-1)
                self._note_unnamed(index, row)
                continue
            scope = first + row.scope
            node = program.bound(scope, row.name)
            if node < 0:
                node = program.variable(scope, row.name)
                if program.rules.scopes.bound_after and row.manner in _DECLARING and program.is_callable(scope):
                    program.since[node] = row.line
            if row.manner == "type":
                program.type_names.add(node)
            program.sole[node] = -1
            if row.value.startswith(_LITERALS):
                program.literal_names.add((scope, row.name))
            if again[row.scope, row.name] > 1 and row.manner in ("variable", "parameter"):
                node = self._version(scope, row, node, current)
            written.append(node)
            if row.manner in _PARAMETERS:
                self._add_parameter(scope, row, node)
        return written

    def _note_unnamed(self, index: int, row: Binding) -> None:
        """Record a binding that is not of a plain name.

        It is a receiver, the position of an anonymous symbol, a constant key, or a mark of the file or function.
        """
        scope = self.program.first[index] + row.scope
        if row.manner == "receiver":
            self.program.receiving.append((scope, row))
        elif row.name == STUB:
            self.program.stubs.add(scope)
            if row.type:
                self.program.unreal.add(scope)
        elif row.name == LEFT_OUT:
            self.program.left_out.add(index)
        elif row.name[:1] == "%" and not row.value and row.manner == "variable":
            self.program.anonymous[index, row.name[1:]] = scope
        elif row.sure and row.value and self._is_constant_key(scope, row.name):
            known = self.program.keyed.setdefault(scope, {}).setdefault(row.name, [])
            if not known or known[-1][0] != row.sure:
                insort(known, (row.sure, self.program.solver.node()))

    def _is_constant_key(self, scope: int, name: str) -> bool:
        """Return True if a name is ``table[key]``, or ``table.key`` for an object literal ``table`` of the scope."""
        if _CONSTANT_KEYS.fullmatch(name):
            return True
        is_member = self.program.rules.builtins.open_objects and _CONSTANT_MEMBERS.fullmatch(name)
        return bool(is_member) and (scope, re.split(r"[.\[]", name, maxsplit=1)[0]) in self.program.literal_names

    def _version(self, scope: int, row: Binding, node: int, current: dict[tuple[int, str], tuple[int, int]]) -> int:
        """Return the constraint variable for one of several bindings of a name.

        An assignment in straight-line code starts a new version of the name. `node` is the constraint variable of the
        name's first version, and `current` has the last version of each name.
        """
        key = (scope, row.name)
        line, version = current.get(key, (-1, node))
        if line == -1:
            current[key] = (row.line, node)
            return node
        if not row.sure or row.line == line:
            return version
        names = self.program.names[scope]
        assert names is not None
        fresh = self.program.solver.node()
        self.program.sole[fresh] = -1
        history = self.program.versions.pop(version, [(-1, version)])
        for symbol in self.program.defined.get(history[0][1], ()):
            if self.program.symbols[symbol].line > row.sure:  # defined again below
                kind = FUNC if self.program.is_callable(symbol) else CLASS
                self.program.solver.add(fresh, self.program.entities.get(kind, symbol), h.SCOPE)
        history.append((max(row.sure, history[-1][0]), fresh))  # in the order of lines, for `Program.at_line`
        self.program.versions[fresh] = history
        names[row.name] = fresh
        current[key] = (row.line, fresh)
        return fresh

    def _add_parameter(self, function: int, row: Binding, node: int) -> None:
        known = self.program.parameters.setdefault(function, [])
        if any(parameter.name == row.name for parameter in known):  # a second binding: the default value
            return
        own = self.program.own_class[function]
        role = self.program.roles[function]
        if (
            not known
            and own >= 0
            and self.program.rules.classes.self_parameter
            and not role & STATIC
            and row.manner == "parameter"
        ):
            kind = CLASS if role & OF_CLASS else INST
            self.program.receivers[node] = own
            self.program.solver.add(node, self.program.entities.get(kind, own, 1), h.SELF)
        known.append(Parameter(row.name, node, row.manner, row.type))


def _is_test(manner: str, sure: int) -> bool:
    """Return True if a binding is a type test, which narrows a name on some lines only; see `type_tests`."""
    return manner == "pattern" and sure > 0


def _is_plain(name: str) -> bool:
    return bool(name) and (name == UNDERLYING or name.startswith("%or:") or _OF_PATHS.search(name) is None)


class BindingValues:
    """Lets declared types and assigned values flow into the constraint variables of bindings.

    `stores` handles bindings of paths, such as ``self.items[key] = value``.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.program, self.rules = evaluator, evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.annotations, self.generics = evaluator.annotations, evaluator.generics
        self.containers, self.elements = evaluator.containers, evaluator.elements
        self.expected, self.argument_flow = evaluator.expected, evaluator.argument_flow
        self.steps = evaluator.steps
        self.stores = Stores(evaluator, self.declare, self.assign)

    def link(self, file: int, written: Sequence[int]) -> None:
        """Let the declared type and the assigned value of each binding of a file flow to its constraint variable.

        `written` has the constraint variable of each binding, in order; -1 for a binding of a path.
        """
        program, first = self.program, self.program.first[file]
        self.evaluator.forget_paths()
        fresh = self._only_fresh(file)
        for row, node in zip(program.bindings[file], written, strict=True):
            scope = first + row.scope
            if row.manner == "pattern" and row.sure:
                self.evaluator.note_test(scope, row)
                continue
            if node < 0:
                self.stores.store(scope, row)
                continue
            collecting = row.manner in ("rest", "keywords")
            held = self._collect(node, row.manner) if collecting else node
            if row.type and not ((scope, row.name) in fresh and self._is_fresh(scope, row)):
                self.declare(scope, row, held if self.rules.functions.rest_by_one else node)
            if row.value and not collecting:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.evaluator.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self.assign(row, source, node)

    def _only_fresh(self, file: int) -> set[tuple[int, str]]:
        """Return the local variables with a declared type to which only results of plain calls are assigned.

        Each is a pair of its scope and its name.
        """
        first, rows = self.program.first[file], self.program.bindings[file]
        called, otherwise = set(), set()
        for scope, name, manner, declared, value in rows.fields("scope", "name", "manner", "type", "value"):
            if manner != "variable" or value[-2:] != "()":
                otherwise.add((scope, name))
            elif declared:
                called.add((scope, name))
        found = called - otherwise
        return {(first + scope, name) for scope, name in found if self.program.is_callable(first + scope)}

    def _is_fresh(self, scope: int, row: Binding) -> bool:
        """Return True if a binding assigns a new instance of a known class, more exact than the declared type."""
        made = self.solver.points_to(self.evaluator.path(scope, row.value[:-2], row.line))
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _of_declared(self, scope: int, row: Binding, source: int) -> int:
        """Return a constraint variable with those values of `source` that the declared type of a local variable admits.

        It is `source` itself if the type does not tell which values it admits.
        """
        held = self.solver.points_to(self.annotations.node(scope, row.type, row.line))
        if source == UNKNOWN or not held or any(self.entities.kind[entity] != INST for entity in held):
            return source
        wanted = frozenset(self.entities.payload[entity] for entity in held)
        if self.rules.builtins.open_objects and any(self.program.symbols[cls].kind != "class" for cls in wanted):
            return source  # values may fit these types by structure
        node = self.solver.node()
        self.solver.on_value(source, (self.argument_flow.on_admitted, node, wanted))
        return node

    def declare(self, scope: int, row: Binding, node: int) -> None:
        if row.manner == "field" or (row.manner == "variable" and self.program.is_class(scope)):
            self.generics.note_field(node, self.program.class_around(scope), scope, row.type)
        if row.name == UNDERLYING:
            self.solver.add_flow(self.annotations.node(scope, row.type, row.line), node, h.TYPE)
        elif row.manner == "type":
            self.annotations.alias(scope, row.type, node, row.line)
        elif row.manner == "exception":
            self.solver.add_flow(self.annotations.node(scope, row.type.replace(",", "|"), row.line), node)
        else:
            declared = self.annotations.node(scope, row.type, row.line)
            self.solver.add_flow(declared, node, h.TYPE)
            self.expected.expect(declared, node)

    def assign(self, row: Binding, source: int, node: int) -> None:
        """Let the assigned value of the binding `row`, which is in `source`, flow to the constraint variable `node`."""
        if source == UNKNOWN:
            return
        if row.manner == "element":
            self.solver.add_flow(self.steps.follow(source, ("[*]",), 0, row.line), node)
        elif row.manner == "context":
            self.solver.on_value(source, (self.elements.on_enter, node))
        else:
            self.solver.add_flow(source, node)

    def _collect(self, node: int, manner: str) -> int:
        """Add a tuple for ``*args``, or a dict for ``**kwargs``, and return the variable of its elements."""
        obj = self.containers.new("tuple" if manner == "rest" else "dict")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.containers.field(obj, "[]")
