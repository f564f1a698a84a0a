"""Edges for uses: constants and fields that expressions read, properties that run, and names that are passed on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Final

from codeexplore.graph.build.calls import Callees
from codeexplore.graph.build.edge_writer import EdgeWriter
from codeexplore.graph.build.rules import BY_PROVENANCE, FEW, SEVERAL
from codeexplore.resolution import solver as h
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.solver import CLASS, EMPTY, SCOPE, SELF
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import EdgeKind, Reference

_MOST_EXPORTS = 6  # most modules that export a constant again
_MADE = re.compile(r"[^=]*=\s*[\w.$]+\(").match  # the declaration of a constant whose value a call returns
_NONE: Mapping[int, int] = {}


class ConstantReads:
    """Finder of the constants and fields whose values expressions have."""

    def __init__(self, solved: FamilyAnalysis) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.fields, self.passed = self.evaluator.members.fields, self.evaluator.modules.passed
        self.joined = self.evaluator.modules.joined
        self._versions = dict(self.program.constants)  # with the later versions of names
        for history in self.program.versions.values():
            if (constant := self.program.constants.get(history[0][1], -1)) >= 0:
                self._versions.update((node, constant) for _, node in history)
        for (node, _), narrowed in self.evaluator.type_tests.passing.items():  # where its type was tested
            if (constant := self._versions.get(node, -1)) >= 0:
                self._versions[narrowed] = constant
        self._hidden: dict[int, int] = {}  # type → variable of its name, which expressions mean: ``enum mode mode;``
        for offers in self.evaluator.scopes.linked.offered().values() if self.program.rules.modules.linked else ():
            variables = [self.program.constants[node] for _, node in offers if node in self.program.constants]
            if len(variables) == 1:
                types = (symbol for _, node in offers for symbol in self.program.defined.get(node, ()))
                self._hidden.update((symbol, variables[0]) for symbol in types if self.program.is_class(symbol))

    def of(self, node: int) -> Mapping[int, int]:
        """Return the constants and fields that an expression is, with the provenance of the receivers of the fields.

        Imports and exports are followed.
        """
        for _ in range(_MOST_EXPORTS):
            if (constant := self._versions.get(node, -1)) >= 0:
                return {constant: SCOPE}
            if node in self.fields:
                return self.fields[node]
            if node in self.joined:
                found = map(self._behind, self.joined[node])
                return {each: self.evaluator.modules.floors[node] for each in found if each >= 0}
            if node not in self.passed:
                break
            node = self.passed[node]
        hidden = [self._hidden[each] for each in self.types(node) if each in self._hidden] if self._hidden else ()
        return dict.fromkeys(hidden, SCOPE) if hidden else _NONE

    def _behind(self, node: int) -> int:
        """Return the constant that a name means, which may be imported; -1 for none."""
        for _ in range(_MOST_EXPORTS):
            if node in self._versions or node not in self.passed:
                break
            node = self.passed[node]
        return self._versions.get(node, -1)

    def types(self, node: int) -> list[int]:
        """Return the types that an expression names, such as ``Color`` in ``Color.RED``."""
        entities, solver = self.evaluator.entities, self.evaluator.solver
        if solver.values[node] == EMPTY:
            return []
        found = solver.points_to(node).items()
        named = [entities.payload[e] for e, provenance in found if provenance <= SELF and entities.kind[e] == CLASS]
        if not named:
            return []
        types = self.program.companions(named, True)
        return [each for each in types if self.program.symbols[each].kind != "module"]

    def called(self, node: int) -> int:
        """Return the constant that a call names, which may be imported: ``search()``, ``lib.search()``; -1 for none."""
        constant = next(iter(self.of(node)), -1)
        return constant if constant >= 0 and self.program.symbols[constant].kind == "constant" else -1

    def made(self, node: int) -> int:
        """Return the constant that a call names, if a call made its value: ``on_send = hook(first)``; -1 for none."""
        constant = self.called(node)
        return constant if constant >= 0 and _MADE(self.program.symbols[constant].signature) is not None else -1


_BEFORE_NAMES = ("", ".", "/", ":")  # separators before the last name of an outside path
_READ: Final[tuple[EdgeKind, str]] = ("CALLS", "property")  # kind and manner of the edge to a property
_NAMED: Final[tuple[EdgeKind, str]] = ("USES", "name")
_Use = tuple[int, EdgeKind, str, str]
"""Symbol, kind, manner and rule of what an expression uses."""


class UseEdges:
    """Writer of the edges for uses.

    The resolver represents an outside type and its instances by one value. The text of a use decides whether the type
    or an instance is used.
    """

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter, callees: Callees) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.writer, self.callees, self.constants = writer, callees, ConstantReads(solved)
        self._run = self.evaluator.members.properties
        self._imported = cache(lambda file: frozenset(row.name for row in self.program.files[file].imports))
        # node and number of steps to it → constants and fields read, with the rule
        self._reads: dict[tuple[int, int], tuple[_Use, ...]] = {}

    def read(self, scope: int, row: Reference, node: int, site: int, called: int = -1, told: int = h.UNKNOWN) -> bool:
        """Write uses of what an expression and its parts read: constants, fields but the `called` one, and functions.

        What is before a call, in ``a.b().c``, belongs to the reference of the call, which has a line of its own, and so
        does a receiver on another line, the part `told`. The type through which a member is reached is used, too. In C,
        a variable may have the name of a type.
        """
        path, receiver = row.path, row.kind == "receiver"
        if node == h.UNKNOWN or (row.kind == "type" and self.rules.modules.linked):
            return False
        if told != h.UNKNOWN or receiver:
            known = self._find_reads(path, node, receiver, told)
        else:
            place = node, path.count(".")
            found = self._reads.get(place)
            if found is None:
                found = self._reads[place] = self._find_reads(path, node, False, told)
            known = found
        for symbol, kind, manner, rule in known:
            if symbol != called and (kind == "USES" or row.kind != "name"):
                self.writer.edge(scope, symbol, kind, manner, rule, site)
        return bool(known)

    def _find_reads(self, path: str, node: int, receiver: bool, told: int) -> tuple[_Use, ...]:
        """Return what the expression `path` and its parts read, each with its rule; see `_read`."""
        rows: dict[int, str] = {}
        run: dict[int, str] = {}
        kinds, payloads, symbols = self.entities.kind, self.entities.payload, self.program.symbols
        values, earlier = self.evaluator.solver.values, self.evaluator.steps.before
        step, called = node, path.rfind(")") + 1
        for _ in range(path.count(".", called) + path.count("[", called) + (not called)):
            if step in (h.UNKNOWN, told):
                break
            found, before = self.constants.of(step), earlier(step)
            for symbol, provenance in found.items():
                rows.setdefault(symbol, self._property_rule(symbol, provenance, len(found)))
                run.update(self.callees.accessors(symbol, provenance))
            through = [] if before == told else self.constants.types(before)
            if receiver and step == node:
                through = through + self.constants.types(step)
            for each in through:
                if found or symbols[each].name in path:
                    rows[each] = "scope"
            if (step != node or receiver) and values[step] != h.EMPTY:
                for entity, provenance in self.points_to(step).items():
                    if provenance <= h.TYPE and kinds[entity] in (h.FUNC, h.BOUND):  # handler.bind(this)
                        rows.setdefault(self._value_of(payloads[entity]), BY_PROVENANCE[provenance])
            step = before
        used: list[_Use] = [(symbol, "USES", "read", rule) for symbol, rule in rows.items()]
        return (*used, *((function, *_READ, rule) for function, rule in run.items()))

    def use(self, scope: int, row: Reference, node: int, site: int, weakest: int = h.RETURN) -> None:
        manner = "read" if row.kind == "access" else row.kind
        values = self.points_to(node)
        types = self.held(node, h.CLASS, weakest) if len(values) > 1 else []
        apart = self.program.companions(types, row.kind != "type")
        held = row.path.rpartition(".")[2] if row.kind == "read" and self.rules.functions.read_signature else ""
        for entity, provenance in values.items():
            kind, target = self.entities.kind[entity], self.entities.payload[entity]
            if types and kind == h.CLASS and target not in apart:
                continue
            if kind in (h.FUNC, h.BOUND, h.CLASS) and provenance <= weakest:
                if held and kind != h.CLASS and self.program.symbols[target].name != held:
                    continue  # a field that holds a function is no use of the function
                target = target if kind == h.CLASS else self._value_of(target)
                self.writer.edge(scope, target, "USES", manner, BY_PROVENANCE[provenance], site)
            elif kind == h.EXTERNAL:
                self._outside(scope, entity, row.path, site)

    def _value_of(self, function: int) -> int:
        """Return the property that the name of a function means without arguments, if it has one; else the function."""
        program = self.program
        if self.rules.functions.values or program.parent[function] < 0:
            return function
        return program.constants.get(program.bound(program.parent[function], program.symbols[function].name), function)

    def returned(self, file: int) -> None:
        """Write the uses of functions without a name that a local's name returns: ``return middleware``."""
        facts, first, kinds = self.program.files[file], self.program.first[file], self.entities.kind
        for back in facts.returns:
            if back.manner != "type" and back.value.isidentifier():
                site = self.writer.site(file, facts.symbols[back.scope].line)
                for entity in self.points_to(self.evaluator.roots.root(first + back.scope, back.value, 1 << 30)):
                    function = self.entities.payload[entity] if kinds[entity] == h.FUNC else h.UNKNOWN
                    if function != h.UNKNOWN and self.program.symbols[function].kind == "lambda":
                        self.writer.edge(first + back.scope, function, "USES", "return", "scope", site)

    def properties(self, scope: int, row: Reference, node: int, site: int, told: int) -> None:
        """Write the calls of all properties that the dotted expression of `node` reads, but not those in `told`."""
        way, path, named = [node], row.path, row.kind == "name"
        while (before := self.evaluator.steps.before(way[-1])) not in (h.UNKNOWN, told):
            way.append(before)
        for step in reversed(way):
            functions = self._run.get(step, {})
            number = len(functions) + self._others(step, functions) if functions else 0
            for function, packed in functions.items():
                if self._is_type_first(path, function):
                    continue
                receiver, provenance = packed >> 3, packed & 7
                rule = self._property_rule(function, provenance, number)
                rule = self.callees.own_rule(rule, function, receiver)
                kind, manner = _NAMED if named else _READ
                self.writer.edge(scope, function, kind, manner, rule, site)
                if not named:
                    self.callees.overriding(scope, function, receiver, provenance, manner, site)

    def _others(self, step: int, functions: Mapping[int, int]) -> int:
        """Return the number of receivers of a property that do not have it: the name is a plain field of theirs.

        Receivers that are less sure than the one of the property do not count.
        """
        names = {self.program.symbols[function].name for function in functions}
        best = min(packed & 7 for packed in functions.values())
        classes = {
            self.entities.payload[each]
            for each, provenance in self.points_to(self.evaluator.steps.before(step)).items()
            if provenance <= best and self.entities.kind[each] == h.INST
        }
        return sum(all(self.hierarchy.method(cls, name) < 0 for name in names) for cls in classes)

    def _is_type_first(self, path: str, function: int) -> bool:
        """Return True for ``Color.Red``, if a property ``Color`` of the type ``Color`` is around: it means the type."""
        name = self.program.symbols[function].name
        return path.startswith(name + ".") and simple(self.program.result_types.get(function, "")) == name

    def _property_rule(self, function: int, provenance: int, number: int) -> str:
        if self.program.symbols[function].name in self.rules.special_methods.missing:
            return "missing"
        if provenance == h.FLOW:
            return "flow-read" if number == 1 else "flow-read-several"
        return "many" if number > FEW else BY_PROVENANCE[provenance]

    def convert(self, scope: int, row: Reference, node: int, arguments: Sequence[int], site: int) -> None:
        """Write the uses of the fields of two structs if a call is a conversion, which needs that all are equal."""
        if row.kind != "call" or len(arguments) != 1 or not self.rules.classes.structural:
            return
        made, given = self.held(node, h.CLASS, h.SELF), self.held(arguments[0], h.INST, h.RETURN)
        if made and given:
            self.use_fields(scope, made + given, "converted", site)

    def set_fields(self, scope: int, row: Reference, node: int, site: int) -> None:
        """Write the uses of the fields that a call of a class sets by their names: ``Point(x=1)``.

        They are those of a record class, or parameters of the constructor that are fields, too.
        """
        named = {text.partition("=")[0] for text in row.args if "=" in text}
        if not named:
            return
        types = self.held(node, h.CLASS, h.SELF)[:FEW]
        self.use_fields(scope, types, "scope", site, named=named)
        program, making = self.program, self.rules.construction.constructors[:1]
        for cls in types if self.rules.functions.variable_mark else ():
            constructor = self.hierarchy.first_method(cls, making)
            head = program.symbols[constructor].signature if constructor >= 0 else ""
            fields = (program.constants.get(self.hierarchy.member(cls, name).node, -1) for name in sorted(named))
            for field in (each for each in fields if each >= 0 and program.symbols[each].signature in head):
                self.writer.edge(scope, field, "USES", "read", "scope", site)

    def use_fields(
        self, scope: int, types: list[int], rule: str, site: int, inner: bool = False, named: Collection[str] = ()
    ) -> None:
        """Write the uses of the fields of structs, all or those `named`, with `inner` of the structs in them, too."""
        types = types[:FEW]
        for cls in types:
            for field in self.evaluator.argument_flow.record_fields(cls):
                if not named or field.name in named:
                    self.writer.edge(scope, self.program.constants[field.node], "USES", "read", rule, site)
                held = self.held(field.node, h.INST, h.LAST) if inner else []
                types += [each for each in held if each not in types and len(types) < SEVERAL]

    def held(self, node: int, kind: int, weakest: int) -> list[int]:
        """Return the types, of instances or themselves, that a constraint variable has by no weaker provenance."""
        kinds, payloads = self.entities.kind, self.entities.payload
        return [payloads[e] for e, known in self.points_to(node).items() if kinds[e] == kind and known <= weakest]

    def _outside(self, scope: int, entity: int, path: str, site: int) -> None:
        """Write a use if the expression `path` means the outside name itself, and not a value of it."""
        outside, name = self.entities.external_name(entity), path.rpartition(".")[2]
        named = outside.endswith(name) and outside[-len(name) - 1 : -len(name)] in _BEFORE_NAMES
        if named or path in self._imported(self.program.file_of[scope]):
            self.writer.outside(scope, outside, "USES", site)

    def outside_arguments(self, scope: int, row: Reference, site: int) -> None:
        """Write uses of imported names that are arguments: ``timedelta`` in ``isinstance(x, timedelta)``."""
        imported = self._imported(self.program.file_of[scope])
        for argument in row.args if imported else ():
            name = argument
            if name not in imported and ("=" in argument or argument[:1] == "*"):
                name = argument.rpartition("=")[2].lstrip("*")
            if name in imported and name.isidentifier():
                for entity in self.points_to(self.evaluator.roots.root(scope, name, row.line)):
                    if self.entities.kind[entity] == h.EXTERNAL:
                        self.writer.outside(scope, self.entities.external_name(entity), "USES", site)
