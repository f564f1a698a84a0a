"""Bindings of files: constraint variables of the bound names, their versions, parameters of functions, and values.

A *binding* is a row of facts that gives a type or a value to a name or to a path, such as ``self.items``. Its `manner`
is the kind of binding, such as "parameter" or "element" (the variable of a loop). Its declared type and its assigned
value flow to its constraint variable. A *version* of a name is the constraint variable of its values from one
assignment to the next; see `program`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import Parsed, parse
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.program import OF_CLASS, PROPERTY, SETTER, STATIC, UNDERLYING, Parameter, Program
from codeexplore.resolution.solver import BOUND, CLASS, FUNC, INST, OBJECT, UNIT, UNKNOWN, Watcher
from codeexplore.resolution.type_syntax import last_part, read_type
from codeexplore.types import DEFAULTS, LEFT_OUT, LOCAL_MARK, STUB, Binding

_CONSTANT_KEYS: Final = re.compile(r"\w+(\[[\w']+\])+")
_CONSTANT_MEMBERS: Final = re.compile(r"[\w$]+(\.[\w$]+|\[\w+\])+")
_OF_NAMES: Final = re.compile(r"\w+(\.\w+)+")
_OF_PATHS: Final = re.compile(r"[.\[%]|\((?!\)$)")  # name() is the key of a method; see `ClassRules.methods_apart`
_LITERALS: Final = ("%dict", "%list")
_PARAMETERS: Final = frozenset({"parameter", "keyword", "rest", "keywords"})
_DECLARING: Final = frozenset({"variable", "element", "pattern"})


class Bindings:
    """Makes the constraint variables for the bindings of a program's files."""

    def __init__(self, program: Program, unassigned: set[int]) -> None:
        self.program = program
        self.unassigned = unassigned  # nodes of fields that a class only declares
        self.class_stores: list[tuple[int, Binding]] = []  # (scope, row) of ``C.name = value``

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
                declares = program.rules.scopes.bound_after and row.manner in _DECLARING and LOCAL_MARK not in row.name
                if declares and program.is_callable(scope):
                    program.since[node] = row.line
            if row.manner == "type":
                program.type_names.add(node)
            if program.is_class(scope):
                unassigned = row.type and (not row.value or program.rules.construction.describes(row.value))
                (self.unassigned.add if unassigned else self.unassigned.discard)(node)
            program.sole[node] = -1
            if row.value.startswith(_LITERALS):
                program.literal_names.add((scope, row.name))
            if again[row.scope, row.name] > 1 and row.manner in ("variable", "parameter"):
                node = self._version(scope, row, node, current)
            written.append(node)
            if row.manner in _PARAMETERS:
                self._add_parameter(scope, row, node)
        self._note_pointers(rows.fields("type"), written)
        return written

    def _note_pointers(self, types: Iterable[tuple[str]], written: Sequence[int]) -> None:
        """Record which bindings declare a pointer, or an object such as ``std::unique_ptr<T>`` that lends members."""
        rules = self.program.rules
        if not rules.classes.pointers:
            return
        for (text,), node in zip(types, written, strict=True):
            if text[-1:] == "*":
                self.program.pointing.add(node)
            elif "<" in text and last_part(read_type(text).name) in rules.builtins.lenders:
                self.program.lending.add(node)

    def _note_unnamed(self, index: int, row: Binding) -> None:
        """Record a binding that is not of a plain name.

        It is a receiver, the position of an anonymous symbol, a constant key, or a mark of the file or function.
        """
        scope = self.program.first[index] + row.scope
        if row.manner == "receiver":
            self.program.receiving.append((scope, row))
        elif row.name == DEFAULTS:
            self.program.prototypes.append((scope, row.type))
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
        if self.program.rules.classes.metaclasses and _OF_NAMES.fullmatch(row.name) and row.name[:5] != "self.":
            self.class_stores.append((scope, row))

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
        if any(parameter.node == node for parameter in known):  # a second binding: the default value
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
        name = row.name.removeprefix(self.program.rules.functions.variable_mark)
        known.append(Parameter(name, node, row.manner, row.type, bool(row.value)))


def _is_test(manner: str, sure: int) -> bool:
    """Return True if a binding is a type test, which narrows a name on some lines only; see `TypeTests`."""
    return manner == "pattern" and sure > 0


def _is_plain(name: str) -> bool:
    return bool(name) and (name == UNDERLYING or name.startswith("%or:") or _OF_PATHS.search(name) is None)


class BindingValues(EvaluatorPart):
    """Lets declared types and assigned values flow into the constraint variables of bindings.

    A binding of a path, such as ``self.items[key] = value``, stores the value in objects. `assigned` lists the methods
    that such assignments call, such as property setters: (scope, method, abstract value of the receiver, provenance,
    line).
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.shared)
        self.evaluator, self.annotations, self.generics = evaluator, evaluator.annotations, evaluator.generics
        self.modules = evaluator.modules
        self.expected, self.argument_flow, self.given = evaluator.expected, evaluator.argument_flow, evaluator.given
        self._storing = [name for name in self.rules.special_methods.store if name in self.program.function_names]
        special = self.rules.special_methods.store_item
        self._storing_items = any(name in self.program.function_names for name in special)
        self._handed: dict[int, int] | None = None  # function that stores members as the language does → the line
        self.assigned: list[tuple[int, int, int, int, int]] = []
        self._parameters: set[int] = set()  # nodes of the parameters of `_functions` functions
        self._functions = 0
        self._assigned_by_methods: set[tuple[int, str]] = set()  # (type, field)

    def link(self, file: int, written: Sequence[int]) -> None:
        """Let the declared type and the assigned value of each binding of a file flow to its constraint variable.

        `written` has the constraint variable of each binding, in order; -1 for a binding of a path.
        """
        program, first = self.program, self.program.first[file]
        self.evaluator.forget_paths()
        fresh, several = self._only_fresh(file), self._with_several_values(file, written)
        for row, node in zip(program.bindings[file], written, strict=True):
            scope = first + row.scope
            if row.manner == "pattern" and row.sure:
                self.evaluator.note_test(scope, row)
                continue
            if node < 0:
                self._store(scope, row)
                continue
            collecting = row.manner in ("rest", "keywords")
            held = self._collect(node, row.manner) if collecting else node
            if row.type and not ((scope, row.name) in fresh and self._is_fresh(scope, row)):
                self.declare(scope, row, held if self.rules.functions.rest_by_one else node)
            if row.value[:5] == "%str:":  # a default
                self.argument_flow.note_text(node, row.value[5:])
            if row.value and not collecting and not self._describes_field(scope, row):
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                source = self.given(max(outer, first), row)
                if row.type and row.manner == "variable" and program.is_callable(scope):
                    source = self._of_declared(scope, row, source)
                self.assign(row, source, node, h.TYPE if node in several else h.SCOPE)

    def _with_several_values(self, file: int, written: Sequence[int]) -> frozenset[int]:
        """Return the nodes of fields and locals to which several lines assign different values: none is certain.

        A value that is not known is another value of a field. A local is often empty until it gets a known one.
        """
        values: dict[int, dict[str, int]] = {}  # node → value → line
        first = self.program.first[file]
        for row, node in zip(self.program.bindings[file], written, strict=True):
            held = row.manner == "field" or (
                row.manner == "variable" and row.value != "" and self.program.is_callable(first + row.scope)
            )
            if held and node >= 0 and row.value not in ("nil", "null"):
                values.setdefault(node, {})[row.value] = row.line
        return frozenset(node for node, found in values.items() if len({*found.values()}) > 1)

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
        made = self.solver.points_to(self.path(scope, row.value[:-2], row.line))
        return bool(made) and all(self.entities.kind[entity] == CLASS for entity in made or ())

    def _describes_field(self, scope: int, row: Binding) -> bool:
        """Return True if an outside function such as ``attr.ib`` describes a field, whose value is another one."""
        if not self.program.is_class(scope) or not self.rules.construction.describes(row.value):
            return False
        made = self.solver.points_to(self.path(scope, row.value[:-2], row.line))
        return all(self.entities.kind[entity] == h.EXTERNAL for entity in made or ())

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
        self.solver.on_value(source, (self.argument_flow.on_admitted, node, wanted, h.SCOPE))
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

    def assign(self, row: Binding, source: int, node: int, floor: int = h.SCOPE) -> None:
        """Let the assigned value of the binding `row`, which is in `source`, flow to the constraint variable `node`.

        `floor` is the best provenance that the value then has.
        """
        if source == UNKNOWN:
            return
        if row.manner.endswith("element"):
            step = "[*]" if row.manner == "element" else "[*async]"
            self.solver.add_flow(self.steps.follow(source, (step,), 0, row.line), node)
        elif row.manner.endswith("context"):
            self.solver.on_value(source, (self.evaluator.members.on_enter, node, row.manner != "context"))
        else:
            self.solver.add_flow(source, node, floor)

    def _collect(self, node: int, manner: str) -> int:
        """Add a tuple for ``*args``, or a dict for ``**kwargs``, and return the variable of its elements."""
        obj = self.containers.new("tuple" if manner == "rest" else "dict")
        self.solver.add(node, self.entities.get(OBJECT, obj), h.TYPE)
        return self.containers.field(obj, "[]")

    # ----------------------------------------------------------------- bindings of paths

    def _store(self, scope: int, row: Binding) -> None:
        """Store an assigned value in a member, an element, or an item of a literal."""
        if not row.name:
            return
        root, steps = parse(row.name)
        if not steps:
            return
        if steps[-1][:2] == "[@":  # a constant key names a member
            steps = (*steps[:-1], f".[{steps[-1][2:]}")
        base = self.path(scope, root, row.line)
        of_variant = base in self.program.constants and row.manner == "field" and steps[0][0] == "."
        if of_variant and self.program.is_class(scope):
            self.declare(scope, row, self.containers.part_of(base, steps[0][1:]))  # a variant's own field
            return
        base = self.steps.follow(base, steps[:-1], scope, row.line)
        if base == UNKNOWN:
            return
        step = steps[-1]
        source = self.solver.node()
        if row.value:
            self.assign(row, self.given(scope, row), source)
        if row.type:
            self.declare(scope, row, source)
        if self.rules.builtins.open_objects and row.value[:4] == "%fn:":
            self._run_on(base, self.program.anonymous.get((self.program.file_of[scope], row.value[1:]), -1))
        if step[0] == "[":
            self.containers.store_into(base, step[1:-1] if step[1] != "?" else "", source)
            if self._storing_items:
                self.solver.on_value(base, (self.on_item, source))
            self._note_keyed(scope, row, source)
        elif step[0] == ".":
            self._store_member(scope, row, base, (root, steps), source)

    def on_item(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value into which an item is stored: ``value[key] = source`` passes it to the class's own method."""
        if self.entities.kind[entity] != INST:
            return
        method = self.hierarchy.first_method(self.entities.payload[entity], self.rules.special_methods.store_item)
        if method >= 0:
            for parameter in self.program.parameters.get(method, [])[2:3]:
                self.solver.add_flow(watcher[1], parameter.node, h.FLOW)

    def _note_keyed(self, scope: int, row: Binding, source: int) -> None:
        known = self.program.keyed.get(scope, {}).get(row.name, ())
        for line, keyed in known[bisect_left(known, (row.sure,)) :]:
            if line != row.sure:
                break
            self.solver.add_flow(source, keyed)

    def lay_out(self, file: int) -> None:
        """Make the fields that methods assign, so that no earlier read takes them for members of outside supertypes.

        The types that an implementation gives to the names of its trait, such as Rust's ``Type.Name``, are fields too.
        """
        program = self.program
        for scope, name, manner in program.bindings[file].fields("scope", "name", "manner"):
            root, dot, field = name.rpartition(".") if manner == "type" else name.partition(".")
            if not (dot and field.isidentifier()):
                continue
            if manner == "type":
                owners = program.held(self.path(program.first[file] + scope, root, 0), CLASS)
            else:
                owners = [program.receivers.get(program.bound(program.first[file] + scope, root), -1)]
            for own in owners:
                if own >= 0:
                    program.field(own, field)

    def _store_member(self, scope: int, row: Binding, base: int, path: Parsed, source: int) -> None:
        root, steps = path
        self._note_keyed(scope, row, source)
        own, name = self.program.receivers.get(base, -1), steps[-1][1:]
        if own >= 0 and len(steps) == 1:
            field = self.program.field(own, name)
            self._assigned_by_methods.add((own, name))
            if row.type:
                self.generics.note_field(field, own, scope, row.type)
        floor = h.TYPE if root[0] == "%" and len(steps) == 1 else h.FLOW  # an item of a literal
        single = base if len(steps) == 1 and own < 0 and not self._is_parameter(base) else -1
        sure = bool(row.sure) and not any(self.program.apart[self.program.file_of[scope] :][:1])
        self.solver.on_value(base, (self.on_store, name, source, scope, row.line, floor, single, sure))

    def _is_parameter(self, node: int) -> bool:
        """Return True for a parameter: a store into it may reach any instance, as in a factory."""
        if self._functions != len(self.program.parameters):
            self._functions = len(self.program.parameters)
            self._parameters = {each.node for found in self.program.parameters.values() for each in found}
        return node in self._parameters

    def _run_on(self, base: int, function: int) -> None:
        """Let a function that is assigned to a member have the object as ``this``.

        An example is ``app.start = function () { this.stop() }``. A method of a type has the instances of its type
        instead.
        """
        program = self.program
        if function < 0 or program.own_class[function] >= 0 or function in program.outer_receivers:
            return
        if program.symbols[function].signature.startswith(("function", "async function")):
            program.stored.add(function)
        if program.has_receiver(function):
            self.solver.add_flow(base, self.known.made_by(function), h.TYPE)

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle an object into which a value is stored: ``value.name = source``.

        `watcher` is (this handler, name, constraint variable of the stored values, scope, line, strongest provenance,
        single, sure). `single` is the constraint variable of the variable into whose object the value is stored; -1 for
        a receiver, a parameter or an expression. If `_is_ones_own` is True, the member is read through that variable
        only, because no other instance has it. `sure` is True if the value replaces the one that a class defines.
        """
        name, source = watcher[1], watcher[2]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (INST, CLASS):
            self._store_into_type(watcher, entity, evidence)
        elif kind == UNIT:
            for file in self.program.units.files[payload][:1]:
                own = self.rules.modules.itself and file == self.program.file_of[watcher[3]]
                node = (
                    self.modules.exported(file, name) if own else self.program.variable(self.program.first[file], name)
                )
                self.solver.add_flow(source, node, h.SCOPE if own else h.FLOW)
        elif kind in (FUNC, BOUND):
            self.solver.add_flow(source, self.program.field(payload, name), h.FLOW)
        elif kind == OBJECT:
            self.solver.add_flow(source, self.containers.field(payload, name), watcher[5])

    def _store_into_type(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Store into a class or an instance, for `on_store`."""
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        name, source, scope, line = watcher[1], watcher[2], watcher[3], watcher[4]
        if name[:1] == "%":  # the position of a field
            names, constants = self.program.names[payload] or {}, self.program.constants
            fields = [each for each, node in names.items() if node in constants]
            name = fields[int(name[1:])] if int(name[1:]) < len(fields) else name
        own = self.program.bound(payload, name) if kind == CLASS and self.rules.classes.metaclasses else -1
        if own >= 0:
            replaced = self.program.defined.get(own, ())
            self.solver.add_flow(source, own, h.TYPE if not replaced else h.WRAPPED if watcher[7] else h.FLOW)
            if watcher[7]:
                self.program.wrapped.update(replaced)
            return
        field = self.program.field(payload, name)  # created before members are looked up, because lookups are cached
        setter = self._setter(payload, name) if kind == INST else -1
        called = [self.hierarchy.method(payload, each) for each in self._storing] if kind == INST else []
        if setter >= 0 and max(called, default=-1) >= 0:
            self.assigned += [(method, setter, entity, h.FLOW, at) for method, at in self._handing_on(payload)]
        else:
            called.append(setter)
        self.assigned += [(scope, each, entity, evidence, line) for each in called if each >= 0]
        if setter >= 0:
            for parameter in self.program.parameters.get(setter, [])[1:2]:
                self.solver.add_flow(source, parameter.node, h.FLOW)
            return
        if kind == INST and self.rules.special_methods.descriptor_set:
            member = self.hierarchy.member(payload, name)
            known = member.node in self.program.defined or member.node in self.hierarchy.unassigned
            if member.node >= 0 and not known:
                self.solver.on_value(member.node, (self.on_descriptor, source, scope, line))
        if self.rules.functions.functional:  # methods read it by its bare name
            declared = self.hierarchy.member(payload, name).node
            if declared in self.program.constants:
                self.solver.on_value(source, (self.on_function, declared))
        if watcher[6] >= 0 and kind == INST and self._is_ones_own(payload, name):
            self.solver.add_flow(source, self.steps.follow(watcher[6], (f".{name}",), scope, line), h.FLOW)
            return
        self.solver.add_flow(source, field, h.SCOPE if evidence <= h.TYPE else h.FLOW)

    def _handing_on(self, cls: int) -> list[tuple[int, int]]:
        """Return the method of a class that leaves storing members to the language, with the line; [] for none.

        It is the last such method in the order of supertypes, and the language calls setters from there.
        """
        if self._handed is None:
            self._handed = {}
            outside = (*self.rules.classes.super_names, self.rules.construction.allocator_outside.split(".")[-2:][0])
            for first, rows in zip(self.program.first, self.program.references, strict=True):
                for scope, path, line in rows.fields("scope", "path", "line"):
                    root, _, name = path.rpartition(".")
                    if name in self._storing and root.startswith(outside):
                        self._handed[first + scope] = line
        methods = (self.hierarchy.method(each, self._storing[0]) for each in reversed(self.hierarchy.order(cls)))
        return [(method, self._handed[method]) for method in methods if method in self._handed][:1]

    def _is_ones_own(self, cls: int, name: str) -> bool:
        """Return True if a member that is stored into a variable's object belongs to this object only.

        Otherwise it belongs to all instances of the type. The result is True if the type has a method of this name.
        Where objects are open (JavaScript), it is also True if the type lacks the member.
        """
        declared = self.hierarchy.member(cls, name).node
        if declared >= 0 or not self.rules.builtins.open_objects:
            return declared in self.program.defined
        return not any((each, name) in self._assigned_by_methods for each in self.hierarchy.order(cls))

    def on_function(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is stored in a declared field: add it to the field if it is a function."""
        _, field = watcher
        if self.entities.kind[entity] in (FUNC, BOUND):
            self.solver.add(field, entity, max(evidence, h.FLOW))

    def on_descriptor(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the value of a class attribute to which code assigns: if it is a descriptor, call its setter."""
        _, stored, scope, line = watcher
        payload = self.entities.payload[entity]
        if self.entities.kind[entity] == OBJECT and self.containers.flavour[payload] == "property":
            setter_node = self.containers.field(payload, "set")
            self.solver.on_value(setter_node, (self.on_setter, stored, scope, line))
            return
        if self.entities.kind[entity] != INST:
            return
        setter = self.hierarchy.first_method(payload, self.rules.special_methods.descriptor_set)
        if setter >= 0:
            self.assigned.append((scope, setter, entity, max(evidence, h.TYPE), line))
            for parameter in self.program.parameters.get(setter, [])[2:3]:
                self.solver.add_flow(stored, parameter.node, h.FLOW)

    def on_setter(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle the setter of a property that a call made: call it."""
        _, stored, scope, line = watcher
        if self.entities.kind[entity] in (FUNC, BOUND):
            setter = self.entities.payload[entity]
            self.assigned.append((scope, setter, entity, max(evidence, h.TYPE), line))
            for parameter in self.program.parameters.get(setter, [])[1:2]:
                self.solver.add_flow(stored, parameter.node, h.FLOW)

    def _setter(self, cls: int, name: str) -> int:
        member = self.hierarchy.member(cls, name)
        if member.node < 0 or self.program.sole.get(member.node, -1) >= 0:
            return -1
        found = self.program.defined.get(member.node, ())
        setters = [f for f in found if self.program.roles[f] & SETTER]
        return setters[0] if setters and any(self.program.roles[f] & PROPERTY for f in found) else -1
