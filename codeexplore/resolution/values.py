"""Values of bindings and of functions: what declared types, assignments, returns and yields give.

The declared type and the assigned value of a binding flow to its constraint variable; see `definitions`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import Parsed, parse, split_arguments
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.program import OF_CLASS, PROPERTY, SETTER, STATIC, UNDERLYING
from codeexplore.resolution.solver import BOUND, CLASS, EXTERNAL, FUNC, INST, OBJECT, UNIT, UNKNOWN, Watcher
from codeexplore.types import Binding, Return


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
        return all(self.entities.kind[entity] == EXTERNAL for entity in made or ())

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


_MOST_HANDED = 3  # most functions through which an argument is handed on


class Returns(EvaluatorPart):
    """Lets values flow into the results of functions."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.shared)
        self.annotations, self.expected = evaluator.annotations, evaluator.expected
        self.members, self.given = evaluator.members, evaluator.given
        effects = self.rules.builtins.functions.items()
        self._returning = {name.rpartition(".")[2] for name, effect in effects if effect in ("first", "any")}
        self._giving_class = [name.rpartition(".")[2] for name, effect in effects if effect == "class"]
        classes = self.rules.classes
        self._late = classes.late_type_names | classes.instance_names  # declared results: the receiver's class
        self._other_values: dict[tuple[int, str], list[Binding]] = {}  # variable → values besides a parameter

    def note_passing_through(self, files: Sequence[int]) -> list[set[int]]:
        """Record the functions of each file that return their receiver or one of their parameters.

        Return the indices of the rows of `returns` that state this, by file. A function also counts if it returns a
        local variable to which a parameter is assigned, among other values, or the result of another function that
        returns its argument.
        """
        passing = [self._note_in_file(file) for file in files]
        for _ in range(_MOST_HANDED):
            known = len(self.program.returned_parameters)
            names = {self.program.symbols[function].name for function in self.program.returned_parameters}
            for file in files:
                self._note_handed(file, passing[file], names | self._returning)
            if len(self.program.returned_parameters) == known:
                break
        return passing

    def _note_in_file(self, file: int) -> set[int]:
        first = self.program.first[file]
        facts = self.program.files[file]
        rows = [(n, row) for n, row in enumerate(facts.returns) if row.manner == "return"]
        passing = {n for n, row in rows if self._passes_through(first + row.scope, row.value)}
        for number, row in enumerate(facts.returns):
            late = row.manner == "type" and row.value.strip("\"'") in self._late
            if late and self.program.own_class[first + row.scope] >= 0:
                self.program.returns_like.add(first + row.scope)
                passing.add(number)
        passing |= {n for n, row in rows if first + row.scope in self.program.returns_like}  # new static()
        passing -= self._note_replaced(file, [(n, row) for n, row in rows if n in passing])
        left = {(row.scope, row.value) for n, row in rows if n not in passing and row.value.isidentifier()}
        given: dict[tuple[int, str], list[Binding]] = {}
        for binding in self.program.bindings[file] if left and self.rules.classes.self_parameter else ():
            if (key := (binding.scope, binding.name)) in left:
                given.setdefault(key, []).append(binding)
        for (scope, name), bindings in given.items():
            if any(each.manner != "variable" or each.type for each in bindings):
                continue
            rest = [each for each in bindings if not self._passes_through(first + scope, each.value)]
            if len(rest) < len(bindings):
                self._other_values[first + scope, name] = rest
        return passing

    def _note_replaced(self, file: int, rows: Sequence[tuple[int, Return]]) -> set[int]:
        """Return the indices of those of `rows` that return a parameter to which the function may assign another value.

        Their functions return the argument of the call or such a value: ``if x is None: x = Default()`` above
        ``return x``. An assignment that always runs starts a new version of the name, which is no parameter.
        """
        first, program = self.program.first[file], self.program
        names = {(row.scope, row.value) for _, row in rows if first + row.scope in program.returned_parameters}
        others: dict[tuple[int, str], list[Binding]] = {}
        for each in program.bindings[file] if names else ():
            if (each.scope, each.name) not in names or each.manner != "variable" or not each.value:
                continue
            if not self._passes_through(first + each.scope, each.value):
                others.setdefault((each.scope, each.name), []).append(each)
        self._other_values |= {(first + scope, name): found for (scope, name), found in others.items()}
        return {n for n, row in rows if (row.scope, row.value) in others}

    def _note_handed(self, file: int, passing: set[int], names: set[str]) -> None:
        """Record the functions of a file that return ``freeze(x)``, where ``freeze`` returns its argument."""
        first = self.program.first[file]
        arguments: dict[tuple[int, str], Sequence[str]] | None = None  # found when they are first asked for
        for number, row in enumerate(self.program.files[file].returns):
            if row.manner != "return" or row.value[-1:] != ")" or number in passing:
                continue
            root, steps = parse(row.value)
            callee = root + "".join(steps[:-1])
            if callee[callee.rfind(".") + 1 :] not in names:
                continue
            function, given = first + row.scope, split_arguments(steps[-1])
            if not given:
                arguments = self._arguments_in(file) if arguments is None else arguments
                given = tuple(arguments.get((row.scope, callee), ()))
            handed = self._handed(function, callee, given)
            rest = [each for each in handed if not self._passes_through(function, each)]
            if rest and len(rest) < len(handed):
                bindings = [Binding(row.scope, "", "variable", "", each, 1 << 30) for each in rest]
                self._other_values[function, row.value] = bindings
            elif handed and not rest:
                passing.add(number)

    def _handed(self, function: int, callee: str, given: Sequence[str]) -> Sequence[str]:
        """Return those of the arguments `given` that a called function returns."""
        for entity in self.solver.points_to(self.path(function, callee, 1 << 30)):
            kind, payload = self.entities.kind[entity], self.entities.payload[entity]
            if kind == EXTERNAL:
                effect = self.rules.builtins.functions.get(self.entities.external_name(entity))
                return given if effect == "any" else given[:1] if effect == "first" else ()
            if kind == FUNC:
                back = self.program.returned_parameters.get(payload, ())
                parameters = self.program.parameters.get(payload, ())
                return [text for text, parameter in zip(given, parameters, strict=False) if parameter in back]
        return ()

    def _arguments_in(self, file: int) -> dict[tuple[int, str], Sequence[str]]:
        """Return scope and path → the arguments of its only call in a file; none if there are several calls."""
        found: dict[tuple[int, str], Sequence[str]] = {}
        for scope, path, args in self.program.references[file].fields("scope", "path", "args"):
            found[scope, path] = () if (scope, path) in found else args
        return found

    def link(self, file: int, passing: set[int]) -> None:
        """Let the returned values of a file's functions flow to their results. Rows in `passing` are skipped."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        yields = {row.scope for row in facts.returns if row.manner == "yield"}
        generated: dict[int, int] = {}
        for number, row in enumerate(facts.returns):
            if number in passing:
                continue
            function = first + row.scope
            result = program.result(function)
            if row.manner == "type":
                declared = self.annotations.node(function, row.value, 0)
                self.solver.add_flow(declared, result, h.TYPE)
                if (twin := program.twins.get(function, -1)) >= 0:
                    self.solver.add_flow(declared, program.result(twin), h.TYPE)
                self.expected.expect(declared, result)
                continue
            self._note_delegate(function, row.value)
            line = 1 << 30  # the last version of each name: returns have no line
            others = self._other_values.get((function, row.value)) if row.scope not in yields else None
            if others is not None:
                for binding in others:
                    self.solver.add_flow(self.given(function, binding), result)
                continue
            source = self.path(function, row.value, line)
            if row.scope in yields:
                obj = generated.get(function)
                if obj is None:
                    obj = generated[function] = self.containers.new("generator")
                    self.solver.add(result, self.entities.get(OBJECT, obj), h.TYPE)
                if row.manner == "return":
                    continue
                result = self.containers.field(obj, "[]")
            if source != UNKNOWN:
                self.solver.add_flow(source, result)

    def _note_delegate(self, function: int, value: str) -> None:
        """Record the object to which a method for missing members delegates: ``return getattr(self.inner, name)``."""
        if (
            not value.startswith("getattr(")
            or self.program.symbols[function].name not in self.rules.special_methods.missing
        ):
            return
        asked = split_arguments(parse(value)[1][0])
        parameters = self.program.parameters.get(function, ())
        if len(asked) > 1 and len(parameters) > 1 and asked[1] == f"'{{{parameters[1].name}}}'":
            node = self.path(function, asked[0], 1 << 30)
            self.members.delegates.setdefault(function, []).append(node)

    def _passes_through(self, function: int, value: str) -> bool:
        """Return True if `value`, which a function returns, is its receiver or one of its parameters.

        Also return True if it is a new object of the receiver's class. The function is then recorded as one that
        returns this.
        """
        if self._is_like_receiver(function, value):
            self.program.returns_like.add(function)
            return True
        if self.program.own_class[function] >= 0 and value in tuple(self._receivers_of(function)):
            self.program.returns_receiver.add(function)
            return True
        for parameter in self.program.parameters.get(function, ()):
            if self.program.bound(function, value) != parameter.node:
                continue
            if parameter.manner in ("parameter", "keyword"):
                known = self.program.returned_parameters.setdefault(function, [])
                known += [parameter] if parameter not in known else []
                return True
        return False

    def _is_like_receiver(self, function: int, value: str) -> bool:
        """Return True for ``cls(…)`` in a class method, or ``self.__class__(…)`` or ``type(self)(…)`` in another."""
        steps = parse(value)[1]
        if not steps or value[-1:] != ")" or self.program.own_class[function] < 0:
            return False
        made, attribute = value[: -len(steps[-1])], self.rules.classes.class_attribute
        for own in self._receivers_of(function):
            if self.program.roles[function] & (OF_CLASS | STATIC):
                found = made == own
            else:
                found = made == f"{own}.{attribute}" or any(made == f"{name}({own})" for name in self._giving_class)
            if found:
                return True
        return False

    def _receivers_of(self, function: int) -> Iterator[str]:
        """Yield the names of a method's receiver: keywords, and a first parameter that has no other values."""
        yield from self.rules.classes.instance_names
        for own in self.program.parameters.get(function, ())[:1]:
            if own.node in self.program.receivers and self.program.bound(function, own.name) == own.node:
                yield own.name
