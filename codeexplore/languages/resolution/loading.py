"""Facts become nodes, copies and watchers, in the order in which they depend on each other."""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.calls import Arguments
from codeexplore.languages.resolution.entities import BOUND, CLASS, EXT, FUNC, INST, OBJ, UNIT
from codeexplore.languages.resolution.flow import Flow
from codeexplore.languages.resolution.heap import DEAD, Watcher
from codeexplore.languages.resolution.paths import parse
from codeexplore.languages.resolution.program import PROPERTY, SETTER, UNDERLYING, Parameter, Program
from codeexplore.languages.resolution.structure import Structure
from codeexplore.languages.resolution.typetext import read_type
from codeexplore.types import Binding, FileFacts, Import

_CALLS = frozenset({"call", "new", "decorator"})
EVENTS_PER_NODE = 60
"""Values that may move for each node: several times what ordinary programs need."""


class Asked(NamedTuple):
    """A built-in function called with a value: ``len(value)`` calls the value's own method, the first that exists."""

    scope: int
    methods: tuple[str, ...]
    value: int  # node
    function: int  # node of the built-in function, which something else may stand for
    line: int


class Loader:
    """Loads all files of a program and lets their values flow.

    After `load`, `written` holds the node of every binding and `used` that of every reference, by file and row;
    For an implicit reference `used` holds the node of the value whose special method is called. `assigned` lists
    property setters that assignments call: (scope, setter, evidence, line).
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program: Program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.written: list[list[int]] = []
        self.used: list[list[int]] = []
        self.assigned: list[tuple[int, int, int, int]] = []
        self.complete = True
        self.asked: list[Asked] = []
        self.decorated: list[
            tuple[int, int, int]
        ] = []  # (symbol, node of what a decorator makes of it, its name's node)

    def load(self) -> None:
        """Names, then classes, then values, then arguments: each needs the one before."""
        files = range(len(self.program.files))
        for file in files:
            self.written.append(self.program.lay_out_bindings(file))
            self._lay_out_imports(file)
            self._lay_out_exports(file)
        for file in files:
            self._link_stars(file)
        for file in files:
            self._link_imports(file)
        for file in files:
            self._link_exports(file)
            self._link_aliases(file)
        self._run()
        self._attach_receivers()
        self._link_bases()
        if self.rules.structural or self.rules.structural_bases:
            Structure(self.program, self.flow.hierarchy).relate()
        self.flow.hierarchy.forget()
        self.flow.forget_names()
        self.flow.generics.learn_all()
        passing = [self._note_passing_through(file) for file in files]
        for file in files:
            self._link_bindings(file)
            self._link_returns(file, passing[file])
        for file in files:
            self._link_references(file)
        if self.rules.joining:
            self._join()
        if self.rules.providing:
            self._provide()
        self._run()
        self._admit()
        for file in files:
            self._link_arguments(file)
            self._decorate(file)
        self._run()
        self._wrap()
        self._run()

    def _run(self) -> None:
        limit = EVENTS_PER_NODE * len(self.heap.values) + 100_000
        self.complete = self.heap.run(limit) and self.complete

    # ----------------------------------------------------------------- what names lead to

    def _lay_out_imports(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name and row.name != "*":
                node = program.variable(first + row.scope, row.name.partition(".")[0])
                program.sole[node] = -1
                program.type_names.add(node)

    def _lay_out_exports(self, file: int) -> None:
        for row in self.program.files[file].exports:
            if row.name != "*":
                self.flow.members.exported(file, row.name)

    def _link_stars(self, file: int) -> None:
        """Modules whose names a file takes or passes on all at once: known before any name is looked up."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        rows = [row for row in facts.imports if row.name == "*"]
        rows += [Import(0, "*", row.module, row.target, row.line) for row in facts.exports if row.name == "*"]
        for row in rows:
            source = self._imported(file, row)
            if source != DEAD:
                self.flow.stars.setdefault(first + row.scope, []).append(source)

    def _link_imports(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name == "*":
                continue
            source = self._imported(file, row)
            if source != DEAD and row.name:
                name = row.name.partition(".")[0]
                last = program.bound(first + row.scope, name)
                self.heap.copy(source, program.at_line(last, row.line + 1))

    def _imported(self, file: int, row: Import) -> int:
        """The node of what an import row binds."""
        module, member = row.module, row.member
        if self.rules.module_words:
            return self._imported_path(file, row)
        if "." in row.name and not member:  # import a.b binds a
            module = module.partition(".")[0]
        found = self.program.locator.locate(file, module)
        if found.unit < 0:
            if not found.external:
                return DEAD
            outside = found.external if member in ("", "*") else f"{found.external}.{member}"
            return self.flow.constant(outside)
        node = self.flow.unit_node(found.unit)
        if found.rest:
            node = self.flow.follow(node, tuple("." + name for name in found.rest), 0, 0)
        whole = self.flow.members.whole(found.unit)
        if member in ("", "*") and whole < 0:
            return node
        if member == "" or (member == "default" and whole >= 0):  # the names it offers, and the value it is
            both = self.heap.node()
            self.heap.copy(node, both)
            self.heap.copy(whole, both)
            return both
        child = self.program.units.child(found.unit, member)
        if child >= 0 and found.unit == self.program.locator.unit_of(file):  # a package imports its own module
            return self.flow.unit_node(child)
        return self.flow.follow(node, ("." + member,), 0, 0)

    def _imported_path(self, file: int, row: Import) -> int:
        """An import that is a path of names from a module: ``use crate::a::B``."""
        parts = [*row.module.split("::"), *([row.member] if row.member not in ("", "*") else [])]
        scope = self.program.first[file] + row.scope
        own = len(parts) == 1 and parts[0] == row.name  # use other_crate;
        if len(parts) > 1 and not row.member:  # mod name; it names the very module that `name` is to lead to
            found = self.program.locator.locate(file, row.module)
            return self.flow.unit_node(found.unit) if found.unit >= 0 and not found.rest else DEAD
        root = self.flow.module_root(scope, parts[0], local=not own)
        return self.flow.follow(root, tuple("." + part for part in parts[1:]), scope, row.line) if root >= 0 else DEAD

    def _link_exports(self, file: int) -> None:
        """Names offered under other names, or from other modules."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].exports:
            if row.name == "*":
                continue
            if row.module:
                source = self._imported(file, Import(0, row.name, row.module, row.target, row.line))
            else:
                source = self.flow.path(first, row.target, 1 << 30)
            node = self.flow.members.exported(file, row.name)
            if source not in (DEAD, node):
                self.heap.copy(source, node)

    def _attach_receivers(self) -> None:
        """Methods that stand outside their types join them."""
        program = self.program
        waiting = []
        for function, row in program.receiving:
            outer = program.parent[function]
            name = read_type(row.type).name.replace("::", ".")
            waiting.append((function, row, self.flow.type_path(max(outer, 0), name, row.line)))
        self._run()
        for function, row, node in waiting:
            for entity in self.heap.values[node] or ():
                kind, cls = self.entities.kind[entity], self.entities.payload[entity]
                if kind == CLASS:
                    program.attach(function, cls)
                elif kind == FUNC:
                    self.flow.calls.makes_instances.add(cls)
                if kind in (CLASS, FUNC) and row.name:
                    receiver = program.variable(function, row.name)
                    program.receivers[receiver] = cls
                    program.outer_receivers[function] = receiver
                    self.heap.add(receiver, self.entities.get(INST, cls, 1), h.SELF)
        self.flow.hierarchy.forget()
        self.flow.forget_names()

    def _link_aliases(self, file: int) -> None:
        """Names bound to other names outside of functions: a base class may go by one."""
        program, first = self.program, self.program.first[file]
        for row, node in zip(program.files[file].bindings, self.written[file], strict=True):
            plain = node >= 0 and row.value and row.manner == "variable" and "(" not in row.value
            if plain and not program.is_callable(first + row.scope):
                self.heap.copy(self.flow.path(first + row.scope, row.value, row.line), node)

    def _link_bases(self) -> None:
        program = self.program
        found: list[tuple[int, int, str, int]] = []  # node of the subtype, node of the supertype, manner, line
        for file, facts in enumerate(program.files):
            first = program.first[file]
            for row in facts.bases:
                scope = first + row.scope
                around = program.parent[scope] if program.is_class(scope) else scope
                own = self.flow.path(scope, row.type, row.line) if row.type else self.flow.own(scope)
                found.append((own, self.flow.path(max(around, first), row.path, row.line), row.manner, row.line))
        self._run()
        for own, node, manner, line in found:
            for sub in self.heap.values[own] or ():
                if self.entities.kind[sub] == CLASS or (self.rules.prototype and self.entities.kind[sub] == FUNC):
                    for entity in self.heap.values[node] or ():
                        self.flow.hierarchy.add(self.entities.payload[sub], entity, manner, line)

    # ----------------------------------------------------------------- values

    def _link_bindings(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for row, node in zip(program.files[file].bindings, self.written[file], strict=True):
            scope = first + row.scope
            if node < 0:
                self._store(scope, row)
                continue
            if row.type:
                self._declare(scope, row, node)
            if row.manner in ("rest", "keywords"):
                self._collect(node, row.manner)
            elif row.value:
                outer = program.parent[scope] if row.manner in ("parameter", "keyword") else scope
                self._assign(row, self.flow.path(max(outer, first), row.value, row.line), node)

    def _declare(self, scope: int, row: Binding, node: int) -> None:
        if row.manner == "field" or (row.manner == "variable" and self.program.is_class(scope)):
            self.flow.generics.note_field(node, self.program.class_around(scope), scope, row.type)
        if row.name == UNDERLYING:
            self.heap.copy(self.flow.annotations.node(scope, row.type, row.line), node, h.TYPE)
        elif row.manner == "type":
            self.flow.annotations.alias(scope, row.type, node, row.line)
        elif row.manner == "exception":
            self.heap.copy(self.flow.annotations.node(scope, row.type.replace(",", "|"), row.line), node)
        else:
            declared = self.flow.annotations.node(scope, row.type, row.line)
            self.heap.copy(declared, node, h.TYPE)
            self.flow.context.expect(declared, node)

    def _assign(self, row: Binding, source: int, node: int) -> None:
        if source == DEAD:
            return
        if row.manner == "element":
            self.heap.copy(self.flow.follow(source, ("[*]",), 0, row.line), node)
        elif row.manner == "context":
            self.heap.watch(source, (self.flow.containers.on_enter, node))
        else:
            self.heap.copy(source, node)

    def _collect(self, node: int, manner: str) -> None:
        """``*args`` holds a tuple of what is passed, ``**kwargs`` a dict."""
        obj = self.flow.containers.new("tuple" if manner == "rest" else "dict")
        self.heap.add(node, self.entities.get(OBJ, obj), h.TYPE)

    def _store(self, scope: int, row: Binding) -> None:
        """An assignment to a member, an element, or an item of a literal."""
        if not row.name:
            return
        root, steps = parse(row.name)
        if not steps:
            return
        base = self.flow.path(scope, root, row.line)
        if base in self.program.constants and row.manner == "field" and self.program.is_class(scope):
            self._declare(scope, row, self.flow.follow(base, steps, scope, row.line))  # a variant's own field
            return
        base = self.flow.follow(base, steps[:-1], scope, row.line)
        if base == DEAD:
            return
        step = steps[-1]
        source = self.heap.node()
        if row.value:
            self._assign(row, self.flow.path(scope, row.value, row.line), source)
        if row.type:
            self._declare(scope, row, source)
        if step[0] == "[":
            self.flow.containers.store_into(base, step[1:-1], source)
            for line, keyed in self.program.keyed.get(scope, {}).get(row.name, ()):
                if line == row.sure:
                    self.heap.copy(source, keyed)
        elif step[0] == ".":
            own = self.program.receivers.get(base, -1)
            name = step[1:]
            if own >= 0 and len(steps) == 1:
                field = self.program.field(own, name)
                if row.type:
                    self.flow.generics.note_field(field, own, scope, row.type)
            floor = h.TYPE if root[0] == "%" and len(steps) == 1 else h.FLOW  # an item where the literal stands
            self.heap.watch(base, (self.on_store, name, source, scope, row.line, floor))

    def on_store(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """``value.name = source``. Watcher (handler, name, source, scope, line, least evidence)."""
        name, source, scope, line = watcher[1], watcher[2], watcher[3], watcher[4]
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (INST, CLASS):
            setter = self._setter(payload, name) if kind == INST else -1
            if setter >= 0:
                self.assigned.append((scope, setter, evidence, line))
                parameters = self.program.parameters.get(setter, [])
                if len(parameters) > 1:
                    self.heap.copy(source, parameters[1].node, h.FLOW)
                return
            self.heap.copy(source, self.program.field(payload, name), h.SCOPE if evidence <= h.TYPE else h.FLOW)
        elif kind == UNIT:
            for file in self.program.units.files[payload][:1]:
                self.heap.copy(source, self.program.variable(self.program.first[file], name), h.FLOW)
        elif kind in (FUNC, BOUND):
            self.heap.copy(source, self.program.field(payload, name), h.FLOW)
        elif kind == OBJ:
            self.heap.copy(source, self.flow.containers.field(payload, name), watcher[5])

    def _setter(self, cls: int, name: str) -> int:
        member = self.flow.hierarchy.member(cls, name)
        if member.node < 0 or self.program.sole.get(member.node, -1) >= 0:
            return -1
        found = self.program.defined.get(member.node, ())
        setters = [f for f in found if self.program.roles[f] & SETTER]
        return setters[0] if setters and any(self.program.roles[f] & PROPERTY for f in found) else -1

    def _note_passing_through(self, file: int) -> set[int]:
        """Note which functions give back their receiver or a parameter; the rows of `returns` that do."""
        first = self.program.first[file]
        rows = enumerate(self.program.files[file].returns)
        return {n for n, row in rows if row.manner == "return" and self._passes_through(first + row.scope, row.value)}

    def _link_returns(self, file: int, passing: set[int]) -> None:
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
                declared = self.flow.annotations.node(function, row.value, 0)
                self.heap.copy(declared, result, h.TYPE)
                self.flow.context.expect(declared, result)
                continue
            line = 1 << 30  # the last version of each name: returns have no line
            source = self.flow.path(function, row.value, line)
            if row.scope in yields:
                obj = generated.get(function)
                if obj is None:
                    obj = generated[function] = self.flow.containers.new("generator")
                    self.heap.add(result, self.entities.get(OBJ, obj), h.TYPE)
                if row.manner == "return":
                    continue
                result = self.flow.containers.field(obj, "[]")
            if source != DEAD:
                self.heap.copy(source, result)

    def _passes_through(self, function: int, value: str) -> bool:
        """Note a function that gives back its receiver or one of its parameters as it is."""
        for place, parameter in enumerate(self.program.parameters.get(function, ())):
            if parameter.name != value or self.program.bound(function, value) != parameter.node:
                continue
            if place == 0 and parameter.node in self.program.receivers:
                self.flow.calls.gives_receiver.add(function)
                return True
            if parameter.manner in ("parameter", "keyword"):
                self._note_passing(function, parameter)
                return True
        return False

    def _note_passing(self, function: int, parameter: Parameter) -> None:
        known = self.flow.calls.gives_parameter.setdefault(function, [])
        if parameter not in known:
            known.append(parameter)

    # ----------------------------------------------------------------- uses

    def _decorate(self, file: int) -> None:
        """A decorated name holds what its decorators give back, beside what was decorated."""
        program, first = self.program, self.program.first[file]
        for place, symbol in enumerate(program.files[file].symbols if self.rules.decorators_called else ()):
            if not symbol.decorators:
                continue
            own = first + place
            entity = self.entities.get(CLASS if program.is_class(own) else FUNC, own)
            current = self.heap.node()
            self.heap.add(current, entity, h.SCOPE)
            scope = program.parent[own]
            named = program.bound(scope, symbol.name)
            for decorator in reversed(symbol.decorators):
                last = decorator.removesuffix("()").rpartition(".")[2]
                if not decorator or last in self.rules.decorators:
                    continue
                callee = self.flow.path(scope, decorator, symbol.line)
                if callee == DEAD:
                    continue
                wrapped, inner = self.flow.apply(callee, current), current
                current = self.heap.node()  # what the next decorator is given
                self.heap.copy(inner, current)
                self.heap.copy(wrapped, current, h.WRAPPED)
                if named >= 0:
                    self.decorated.append((own, wrapped, named))

    def _join(self) -> None:
        """Functions that join another one, which calls them by the type of its argument."""
        program = self.program
        for own, symbol in enumerate(program.symbols):
            for decorator in symbol.decorators:
                path, _, last = decorator.removesuffix("()").rpartition(".")
                if last == self.rules.joining and path:
                    named = self.flow.path(program.parent[own], path, symbol.line)
                    if any(self._is_dispatching(entity) for entity in list(self.heap.values[named] or ())):
                        self.heap.add(named, self.entities.get(FUNC, own), h.RELATED)

    def _is_dispatching(self, entity: int) -> bool:
        if self.entities.kind[entity] != FUNC:
            return False
        decorators = self.program.symbols[self.entities.payload[entity]].decorators
        return any(d.removesuffix("()").rpartition(".")[2] in self.rules.dispatching for d in decorators)

    def _provide(self) -> None:
        """What providers give flows into the parameters of their name, in their own file or below their folder."""
        program = self.program
        providers: dict[str, list[tuple[str, int]]] = {}  # name → (place, function)
        for own, symbol in enumerate(program.symbols):
            if any(d.removesuffix("()").rpartition(".")[2] in self.rules.providing for d in symbol.decorators):
                folder, _, name = ("/" + symbol.path).rpartition("/")
                place = folder + "/" if name in self.rules.providing_files else "/" + symbol.path
                providers.setdefault(symbol.name, []).append((place, own))
        if not providers:
            return
        for function, parameters in program.parameters.items():
            symbol = program.symbols[function]
            for parameter in parameters:
                near = [(place, own) for place, own in providers.get(parameter.name, ()) if own != function]
                near = [(place, own) for place, own in near if ("/" + symbol.path).startswith(place)]
                if near:
                    place, own = max(near)
                    self._give_provided(own, parameter.node)

    def _give_provided(self, provider: int, node: int) -> None:
        """A provider gives what it returns, or the one value it yields."""
        self.heap.watch(self.program.result(provider), (self.flow.containers.on_enter, node))

    def _wrap(self) -> None:
        """What a decorator gives back takes the name, unless it gives back what it was given."""
        entities = self.entities
        for own, wrapped, named in self.decorated:
            held = self.heap.values[wrapped] or {}
            if entities.get(CLASS if self.program.is_class(own) else FUNC, own) in held:
                continue
            for entity, evidence in list(held.items()):
                if entities.kind[entity] not in (EXT, UNIT):
                    self.heap.add(named, entity, max(evidence, h.WRAPPED))
                    if entities.kind[entity] == FUNC:
                        self.program.wrapped.add(own)

    def _link_references(self, file: int) -> None:
        facts: FileFacts = self.program.files[file]
        first, path = self.program.first[file], self.flow.path
        used = []
        for row in facts.references:
            text = row.path
            if row.kind == "implicit":
                text = text.rpartition(".")[0]
            elif row.kind in ("string", "import"):
                text = ""
            used.append(path(first + row.scope, text, row.line, row.kind == "call"))
        self.used.append(used)

    def _admit(self) -> None:
        """A parameter annotated with classes of the repository takes only their instances."""
        entities = self.entities
        for function, parameters in self.program.parameters.items():
            del function
            for parameter in parameters:
                held = self.heap.values[parameter.node]
                if not held or parameter.node in self.program.receivers:
                    continue
                if all(entities.kind[e] == INST and entities.extra[e] for e in held):
                    self.flow.calls.admitted[parameter.node] = frozenset(entities.payload[e] for e in held)

    def _link_arguments(self, file: int) -> None:
        first = self.program.first[file]
        for row, node in zip(self.program.files[file].references, self.used[file], strict=True):
            if row.args and node != DEAD and row.kind in _CALLS and row.kind != "decorator":
                arguments: Arguments = self.flow.arguments(first + row.scope, row.args, row.line)
                if arguments:
                    self.flow.calls.site(node, arguments)
                    if row.path in self.rules.protocols and arguments[0].key == 0:
                        methods = self.rules.protocols[row.path]
                        self.asked.append(Asked(first + row.scope, methods, arguments[0].node, node, row.line))
