"""Edges for references: calls, uses and implicit calls. A reference without a target is written as unresolved.

One pass visits all references of a language family. A call gets edges to every callable value of the called expression,
to methods that override a called method, and to properties that the expression reads. If the called expression has no
values, the call gets edges to the definitions with its name, if they are few. Otherwise the call is unresolved.

`external_uses` writes uses of outside names, `special_calls` calls that syntax and built-in functions make.

A *path* is the text of a dotted expression, such as ``self.pool.get``. A *node* is the constraint variable of an
expression, as in `codeexplore.graph.build`.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from codeexplore.graph.build.callbacks import CALLABLE, CallbackEdges
from codeexplore.graph.build.calls import Callees
from codeexplore.graph.build.constant_reads import ConstantReads
from codeexplore.graph.build.edge_writer import DeclarationEdges, EdgeWriter, RecordedEdges
from codeexplore.graph.build.external_uses import ExternalUses
from codeexplore.graph.build.guesses import MAX_BY_NAME
from codeexplore.graph.build.rules import BY_PROVENANCE, FEW, SEVERAL
from codeexplore.graph.build.special_calls import SpecialCalls
from codeexplore.languages.registry import is_of_file, record_of
from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import last_name
from codeexplore.resolution.solve_family import MAX_INNER_CALLS, FamilyAnalysis
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import COMPARED, EdgeKind, Reference

_MAKING = frozenset({"call", "new"})
_LITERALS = ("%str.", "%num.", "%bool.", "%char.")
_CALLING = _MAKING | {"decorator", "operator"}
_USING = frozenset({"read", "type", "decorator", "name"})
_NAMING = frozenset({"read", "access"})
_READ: Final[tuple[EdgeKind, str]] = ("CALLS", "property")  # kind and manner of the edge to a property
_Use = tuple[int, EdgeKind, str, str]
"""Symbol, kind, manner and rule of what an expression uses."""
_NAMED: Final[tuple[EdgeKind, str]] = ("USES", "name")


class ReferenceEdges:
    """Writer of all edges of one language family."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter) -> None:
        self.program, self.evaluator, self.loader = solved.program, solved.evaluator, solved.loader
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.writer = writer
        self.declarations = DeclarationEdges(solved, writer)
        self.properties = self.evaluator.members.properties
        self.callees = Callees(solved, writer, self.declarations)
        self.callback_edges = CallbackEdges(solved, writer, self.callees)
        self.special_calls = SpecialCalls(solved, writer, self.callees)
        self.constants = ConstantReads(solved)
        self.cut = self.evaluator.solver.cut
        effects = self.rules.builtins.container_methods
        self._calling_itself = tuple(f".{n}" for n in self.rules.functions.own_methods if effects.get(n) == "call")
        self.outside = ExternalUses(solved, writer)
        self._calling = _CALLING if self.rules.decorators.called else _CALLING - {"decorator"}
        self._binds = cache(self._find_binding)
        # node and number of steps to it → constants and fields read, with the rule
        self._reads: dict[tuple[int, int], tuple[_Use, ...]] = {}
        # nodes whose path reads a property
        self._reading = self.evaluator.steps.going_on(dict.fromkeys(self.properties, 0))
        # manner → value or node → its edges
        self._called: dict[str, dict[int, RecordedEdges]] = {"call": {}, "decorator": {}, "operator": {}}
        self._reached: dict[str, dict[int, RecordedEdges]] = {"call": {}, "new": {}, "decorator": {}, "operator": {}}
        self._told = False  # True if the current call is written as unresolved, beside its edges
        self._properties_hide = not self.rules.functions.values  # functions of their names, where these are called

    def emit(self) -> None:
        for file in range(len(self.program.files)):
            self.declarations.structure(file)
            self.declarations.imports(file)
            if self.rules.functions.block_receiver is not None:
                self._run_on(file)
            self._references(file)
            self._returned(file)
        self.special_calls.of_functions()
        for scope, setter, receiver, provenance, line in self.loader.binding_values.assigned:
            site = self.writer.site(self.program.file_of[scope], line)
            rule = self.callees.own_rule(BY_PROVENANCE[provenance], setter, receiver)
            self.writer.edge(scope, setter, "CALLS", "property", rule, site)
            self.callees.overriding(scope, setter, receiver, provenance, "property", site)

    # ----------------------------------------------------------------- references

    def _references(self, file: int) -> None:
        first, properties = self.program.first[file], self._reading
        (arguments, ends), start = self.loader.given[file], self.writer.site(file, 0)
        rows, used = self.program.references[file], self.loader.used[file]
        bases = {(base.line, base.path) for base in self.program.files[file].bases}
        if self.program.private or self.program.extending:  # the reachable targets differ from file to file
            for remembered in (*self._called.values(), *self._reached.values()):
                remembered.clear()
        above, values = h.UNKNOWN, self.evaluator.solver.values
        for number, (row, node, begin, end) in enumerate(zip(rows, used, ends, ends[1:], strict=False)):
            own, kind, path, line, args = row
            told, read = above, False
            scope, site, above = first + own, start | line, node if kind == "receiver" else h.UNKNOWN
            if kind in self._calling:
                self._read(scope, row, node, site, self._call(scope, row, node, site), told)
                if args or begin < end:
                    self._arguments(file, number, row, node, arguments[begin:end])
            elif kind == "implicit":
                self._implicit(scope, row, node, site)
                continue
            elif node != h.UNKNOWN:
                read = self._read(scope, row, node, site, told=told)
            named = kind == "access" and not read and "." not in path  # no constant
            if values[node] != h.EMPTY and (named or kind in _USING):
                weakest = h.RETURN if not named else h.SELF if (line, path) not in bases else -1  # a base has edges
                self._use(scope, row, node, site, weakest)
            if kind == "read" and self.program.extensions and node not in properties:
                self._extension(scope, row, site)
            if node in properties and kind != "new" and (kind != "access" or "." not in path):
                self._properties(scope, row, node, site, told)

    def _arguments(self, file: int, number: int, row: Reference, node: int, given: Sequence[int]) -> None:
        """Write the edges for the arguments of a call; `given` are their constraint variables."""
        scope, site = self.program.first[file] + row.scope, self.writer.site(file, row.line)
        if row.args:
            self.outside.arguments(scope, row, site)
            self._set_fields(scope, row, node, site)
        if given:
            self.callback_edges.arguments(scope, self._placed(file, number, given, site), node, row.path)
            self._convert(scope, row, node, given, site)

    def _run_on(self, file: int) -> None:
        """Let the calls of bare names in blocks that run on objects mean the functions of the innermost object."""
        first, used, within = self.program.first[file], self.loader.used[file], h.UNKNOWN
        for number, (scope, kind, path) in enumerate(self.program.references[file].fields("scope", "kind", "path")):
            node = used[number]
            if kind == "within":
                used[number] = h.UNKNOWN
                called = any(self.entities.kind[entity] in (h.FUNC, h.BOUND) for entity in self.points_to(node))
                within = node if called else within
            elif within != h.UNKNOWN:
                used[number] = node if self._is_local(first + scope, path) else within
                within = h.UNKNOWN

    def _call(self, scope: int, row: Reference, node: int, site: int) -> int:
        """Write the edges of a call; return the constant that is called, -1 for none."""
        manner = row.kind if row.kind in ("decorator", "operator") else "call"
        node = self._function_of(scope, row, node)
        found, known, value = False, False, self.evaluator.solver.values[node]
        self._told = False
        if value >= 0:
            found = (
                self._call_one(scope, row, value, manner, site)
                if value & 7 < self.cut.get(node, h.LAST)
                else self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site, cut=self.cut[node])
            )
            known = self.entities.kind[value >> 3] in CALLABLE and value & 7 < h.FLOW
        elif value != h.EMPTY:
            values = self.points_to(node)
            found = self._call_several(scope, row, node, values, manner, site)
            known = any(self.entities.kind[e] in CALLABLE and level < h.FLOW for e, level in values.items())
        decided = found and self.rules.overloading.decides
        named = self.constants.made if known else self.constants.called
        constant = -1 if decided or node == h.UNKNOWN else named(node)
        if constant >= 0:
            self.writer.edge(scope, constant, "CALLS", manner, "scope", site)
            found = True
        found = found or self._call_extension(scope, row, site)
        placeholder = not self._told and node in self._reading and self._is_placeholder(node)
        # a member that an outside object seems to have may be an extension
        outside = value >= 0 and self.entities.kind[value >> 3] == h.EXTERNAL
        found |= (outside or not found) and self._extension(scope, row, site)
        if placeholder or (not found and manner != "operator"):
            self._by_name_or_unresolved(scope, row, site)
        return constant

    def _function_of(self, scope: int, row: Reference, node: int) -> int:
        """Return the variable of ``f`` for a call ``f.call(x)`` of one of many functions; `node` for other calls.

        A constraint variable takes only few methods of functions.
        """
        if self._properties_hide and row.kind == "call" and row.path.isidentifier():
            return self._function_beyond(scope, row.path, node)
        if row.path.endswith(self._calling_itself):
            before = self.evaluator.steps.before(node)
            values = self.points_to(before)
            if len(values) > h.MAX_PLAIN_VALUES and all(self.entities.kind[e] in (h.FUNC, h.BOUND) for e in values):
                return before
        return node

    def _function_beyond(self, scope: int, name: str, node: int) -> int:
        """Return the variable of a called function that a property of its name hides: ``val rows = rows(2)``.

        A property whose type is a function is called itself; so is a local.
        """
        program, around, hidden = self.program, scope, False
        own = program.constants.get(node, -1)
        if own < 0 or "->" in program.symbols[own].signature or self._is_called(node):
            return node
        while around >= 0:
            known = program.bound(around, name)
            if known == node != h.UNKNOWN:
                hidden = True
            elif hidden and known >= 0 and self._is_called(known):
                return known
            around = program.parent[around]
        return node

    def _is_called(self, node: int) -> bool:
        return any(self.entities.kind[entity] in CALLABLE for entity in self.points_to(node))

    def _is_placeholder(self, node: int) -> bool:
        """Return True if a called expression reads a member that its class lacks: what it finds may be anything."""
        missing, symbols = self.rules.special_methods.missing, self.program.symbols
        while node != h.UNKNOWN:
            if any(symbols[function].name in missing for function in self.properties.get(node, ())):
                return True
            node = self.evaluator.steps.before(node)
        return False

    def _call_extension(self, scope: int, row: Reference, site: int) -> bool:
        """Write the edges of a call of an extension method on a receiver without known values; False if there is none.

        The declared type of the receiver decides. If it is not known, the name is the only evidence.
        """
        if not self.program.extending:
            return False
        name, receiver = last_name(row.path)
        extensions, overloads = self.evaluator.extensions, self.callees.overloads
        if not receiver or row.path[-1:] == ")" or not extensions.named(name):
            return False
        overloads.extending = set(extensions.named(name))
        found = [f for f in extensions.named(name) if extensions.sees(scope, f) and overloads.takes(f, len(row.args))]
        kinds = overloads.types_of(receiver, scope, row.line)
        fits = {f: overloads.fit_of(extensions.extended(f), kinds) for f in found} if kinds else {}
        own = overloads.is_of_repository(kinds)
        least = 0.0 if own else overloads.rules.fit("", "")  # an outside type may have a method that fits better
        fitting = [f for f in found if fits and fits[f] == max(fits.values()) >= least]
        if fitting:
            found = overloads.fitting(fitting, row, scope) if len(fitting) > 1 else fitting
        elif own:
            return False
        guessed = "name" if len(found) == 1 else "name-few"
        rule = guessed if not fitting else "type" if len(found) == 1 else "overload"
        for function in found if len(found) <= MAX_BY_NAME else ():
            self.writer.edge(scope, function, "CALLS", "call", rule, site)
        return 0 < len(found) <= MAX_BY_NAME

    def _call_one(self, scope: int, row: Reference, value: int, manner: str, site: int) -> bool:
        """Write the edges of a call whose called expression has one value; return False if the value is not callable.

        `value` is packed as ``entity << 3 | provenance``. The edges are found once and are the same at every call of
        the value, unless the arguments choose among constructors.
        """
        making = row.kind == "new" or self.entities.kind[value >> 3] in (h.CLASS, h.CONTAINER_PART)
        if making and self.rules.construction.constructor_is_class:
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
        kind, payload = self.entities.kind[value >> 3], self.entities.payload[value >> 3]
        if (kind == h.CLASS and self.rules.overloading.decides) or (
            kind == h.FUNC and payload in self.program.extended
        ):
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
        choosing = self.rules.overloading.phases or self.rules.overloading.takes is not None
        if row.kind == "call" and choosing and not self.callees.overloads.accepts(value >> 3, row, scope):
            undecided = frozenset((self.entities.payload[value >> 3],))  # perhaps an overload outside the repository
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site, undecided)
        known = self._called[manner].get(value)
        if known is None:
            self.writer.record()
            found = self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
            known = self._called[manner][value] = self.writer.recorded(found)
        self._write(scope, row, known, site)
        return known.found

    def _call_several(
        self, scope: int, row: Reference, node: int, values: Mapping[int, int], manner: str, site: int
    ) -> bool:
        """Write the edges of a call whose called expression has several values; return False if none is callable.

        The edges are found once and are the same at every call of `node`, unless the arguments choose among overloads.
        """
        reached = self._reached["new" if row.kind == "new" else manner]
        known = reached.get(node)
        if known is None:
            if manner == "decorator":
                values = self._without_own_instances(values)
            overloads = self.callees.overloads
            alternatives, undecided = overloads.alternatives(values), frozenset[int]()
            chosen = alternatives or self.rules.overloading.decides or self.rules.construction.constructor_is_class
            if chosen:
                values, undecided = overloads.chosen(values, alternatives, row, scope)
            self.writer.record()
            found = self.callees.reach(scope, row, values, manner, site, undecided, self.cut.get(node, h.LAST))
            known = self.writer.recorded(found)
            if not chosen:
                reached[node] = known
        self._write(scope, row, known, site, len(values) >= h.MAX_VALUES)
        return known.found

    def _write(self, scope: int, row: Reference, known: RecordedEdges, site: int, full: bool = False) -> None:
        """Write the recorded edges of a call. If some targets may be missing, also write the call as unresolved."""
        cut = not self.writer.write(scope, known, site) or full
        weak = known.missing or (known.found and not known.shown)  # no guess hides what else may be called
        if not (cut or weak or self.program.crowded) or self._is_literal(row):
            return
        name, receiver = last_name(row.path)
        if weak and not known.missing and self._outside_member(scope, row, name, receiver, site):
            weak = False
        if name and (cut or weak or name in self.program.crowded):
            self.writer.unresolved(scope, name, receiver, row.kind, site)
            self._told = True
            if cut:
                self.writer.note_cut(name)

    def _without_own_instances(self, values: Mapping[int, int]) -> Mapping[int, int]:
        """Return the values of a decorator without the instances of the decorator's own class.

        The constraint variable of ``@wrap(option=1)`` contains the class ``wrap`` and the instance that the call makes.
        Only the class is called at this place.
        """
        kinds, payloads = self.entities.kind, self.entities.payload
        classes = {payloads[entity] for entity in values if kinds[entity] == h.CLASS}
        return {e: provenance for e, provenance in values.items() if kinds[e] != h.INST or payloads[e] not in classes}

    def _convert(self, scope: int, row: Reference, node: int, arguments: Sequence[int], site: int) -> None:
        """Write the uses of the fields of two structs if a call is a conversion, which needs that all are equal."""
        if row.kind != "call" or len(arguments) != 1 or not self.rules.classes.structural:
            return
        made, given = self._held(node, h.CLASS, h.SELF), self._held(arguments[0], h.INST, h.RETURN)
        if made and given:
            self._use_fields(scope, made + given, "converted", site)

    def _held(self, node: int, kind: int, weakest: int) -> list[int]:
        """Return the types, of instances or themselves, that a constraint variable has by no weaker provenance."""
        kinds, payloads = self.entities.kind, self.entities.payload
        return [payloads[e] for e, known in self.points_to(node).items() if kinds[e] == kind and known <= weakest]

    def _use_fields(
        self, scope: int, types: list[int], rule: str, site: int, inner: bool = False, named: Collection[str] = ()
    ) -> None:
        """Write the uses of the fields of structs, all or those `named`, with `inner` of the structs in them, too."""
        types = types[:FEW]
        for cls in types:
            for field in self.evaluator.argument_flow.record_fields(cls):
                if not named or field.name in named:
                    self.writer.edge(scope, self.program.constants[field.node], "USES", "read", rule, site)
                held = self._held(field.node, h.INST, h.LAST) if inner else []
                types += [each for each in held if each not in types and len(types) < SEVERAL]

    def _set_fields(self, scope: int, row: Reference, node: int, site: int) -> None:
        """Write the uses of the fields that a call of a class sets by their names: ``Point(x=1)``.

        They are those of a record class, or parameters of the constructor that are fields, too.
        """
        named = {text.partition("=")[0] for text in row.args if "=" in text}
        if not named:
            return
        types = self._held(node, h.CLASS, h.SELF)[:FEW]
        self._use_fields(scope, types, "scope", site, named=named)
        program, making = self.program, self.rules.construction.constructors[:1]
        for cls in types if self.rules.functions.variable_mark else ():
            constructor = self.hierarchy.first_method(cls, making)
            head = program.symbols[constructor].signature if constructor >= 0 else ""
            fields = (program.constants.get(self.hierarchy.member(cls, name).node, -1) for name in sorted(named))
            for field in (each for each in fields if each >= 0 and program.symbols[each].signature in head):
                self.writer.edge(scope, field, "USES", "read", "scope", site)

    def _implicit(self, scope: int, row: Reference, node: int, site: int) -> None:
        if row.path.endswith(COMPARED):
            self._use_fields(scope, self._held(node, h.INST, h.RETURN), "compared", site, inner=True)
        else:
            self.special_calls.of_syntax(scope, row, node, site)

    def _properties(self, scope: int, row: Reference, node: int, site: int, told: int) -> None:
        """Write the calls of all properties that the dotted expression of `node` reads, but not those in `told`."""
        way, path, named = [node], row.path, row.kind == "name"
        while (before := self.evaluator.steps.before(way[-1])) not in (h.UNKNOWN, told):
            way.append(before)
        for step in reversed(way):
            functions = self.properties.get(step, {})
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

    # ----------------------------------------------------------------- uses

    def _read(self, scope: int, row: Reference, node: int, site: int, called: int = -1, told: int = h.UNKNOWN) -> bool:
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

    def _use(self, scope: int, row: Reference, node: int, site: int, weakest: int = h.RETURN) -> None:
        manner = "read" if row.kind == "access" else row.kind
        values = self.points_to(node)
        types = self._held(node, h.CLASS, weakest) if len(values) > 1 else []
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
                self.outside.use(scope, entity, row.path, site)

    def _value_of(self, function: int) -> int:
        """Return the property that the name of a function means without arguments, if it has one; else the function."""
        program = self.program
        if self.rules.functions.values or program.parent[function] < 0:
            return function
        return program.constants.get(program.bound(program.parent[function], program.symbols[function].name), function)

    def _returned(self, file: int) -> None:
        """Write the uses of functions without a name that a local's name returns: ``return middleware``."""
        facts, first, kinds = self.program.files[file], self.program.first[file], self.entities.kind
        for back in facts.returns:
            if back.manner != "type" and back.value.isidentifier():
                site = self.writer.site(file, facts.symbols[back.scope].line)
                for entity in self.points_to(self.evaluator.roots.root(first + back.scope, back.value, 1 << 30)):
                    function = self.entities.payload[entity] if kinds[entity] == h.FUNC else h.UNKNOWN
                    if function != h.UNKNOWN and self.program.symbols[function].kind == "lambda":
                        self.writer.edge(first + back.scope, function, "USES", "return", "scope", site)

    def _placed(self, file: int, call: int, nodes: Sequence[int], site: int) -> Iterator[tuple[int, int]]:
        """Return the arguments of a call with their sites: the own line of each that is a name."""
        rows, values = self.program.references[file], self.evaluator.solver.values
        below = array("i")
        if any(values[node] != h.EMPTY for node in nodes):
            below = self.loader.used[file][call + 1 : call + 1 + len(nodes) * MAX_INNER_CALLS]
        for node in nodes:
            place = site
            if values[node] != h.EMPTY and node in below:
                named = (rows[call + 1 + at] for at, other in enumerate(below) if other == node)
                line = next((row.line for row in named if row.kind in _NAMING), 0)
                place = self.writer.site(file, line) if line else site
            yield node, place

    # ----------------------------------------------------------------- by name

    def _is_understood(self, scope: int, row: Reference, name: str, receiver: str) -> bool:
        """Return True for a decorator that only gives a role: ``@size.setter``, ``@show.register``."""
        if row.kind == "decorator" and name in self.rules.decorators.roles:
            return True
        joins = name == self.rules.decorators.joining and receiver
        joined = self.evaluator.path(scope, receiver, row.line) if joins else h.UNKNOWN
        return any(self.loader.decorations.is_dispatching(entity) for entity in self.points_to(joined))

    def _extension(self, scope: int, row: Reference, site: int) -> bool:
        """Write the call of an extension of an outside type, which its name and the receiver's type select."""
        if not self.program.extensions:
            return False
        name = row.path[row.path.rfind(".") + 1 :]
        if name in self.program.extensions:
            found = self.callees.extensions(scope, row, name)
        else:
            found = self.callees.constructors_beside(scope, row)
        found = [each for each in found if not self._is_of_another_file(scope, each[0])]
        for function, rule in found:
            kind: EdgeKind = "CALLS" if row.kind != "read" or self.program.is_read(function) else "USES"
            self.writer.edge(scope, function, kind, row.kind, rule, site)
        return bool(found)

    def _is_local(self, scope: int, name: str) -> bool:
        """Return True if a bare name means a parameter or variable of the functions around it, not a definition."""
        program = self.program
        while scope >= 0:
            if (node := program.bound(scope, name)) >= 0:
                return program.is_callable(scope) and node not in program.defined
            scope = program.parent[scope]
        return False

    def _is_of_another_file(self, scope: int, symbol: int) -> bool:
        program, owner = self.program, self.program.own_class[symbol]
        if program.file_of[scope] == program.file_of[symbol]:
            return False
        units = {program.locator.unit_of(program.file_of[each]) for each in (scope, symbol)}
        name = record_of(program.symbols[symbol].language).program
        if len(units) > 1 and name and all(self._binds(unit, name) for unit in units):  # two programs
            return True
        return is_of_file(program.symbols[symbol], program.symbols[owner] if owner >= 0 else None)

    def _find_binding(self, unit: int, name: str) -> bool:
        first, files = self.program.first, self.program.units.files[unit]
        return any(self.program.bound(first[file], name) >= 0 for file in files)

    def _outside_member(self, scope: int, row: Reference, name: str, receiver: str, site: int) -> bool:
        """Write the call of a member of an outside type, by the declared type of the receiver; False if it has none."""
        outside = self.callees.overloads.outside_type(receiver, scope, row.line) if receiver else ""
        if outside:
            self.writer.outside(scope, f"{outside}.{name}", "CALLS", site)
        return bool(outside)

    def _is_literal(self, row: Reference) -> bool:
        """Return True for ``T{…}``, which calls nothing, in languages whose types have no constructors."""
        return row.kind == "new" and not self.rules.construction.making_calls

    def _by_name_or_unresolved(self, scope: int, row: Reference, site: int) -> None:
        name, receiver = last_name(row.path)
        if self.rules.functions.extension_signature is not None and row.path.startswith(_LITERALS):
            return  # a method of a built-in type
        if not name or row.path[-1:] == ")":  # the called expression is the result of a call, which has no name
            return
        if self._is_literal(row) or (row.kind == "new" and self.callees.overloads.types.of(row.path, scope, row.line)):
            return  # a member whose type has no constructor here
        decorates = row.kind == "decorator" or name == self.rules.decorators.joining
        if decorates and self._is_understood(scope, row, name, receiver):
            return
        if self._outside_member(scope, row, name, receiver, site):
            return
        known = not receiver and self._is_local(scope, name)
        guesses = () if known else self.callees.guesses.targets(row, name, receiver)
        targets = [t for t in guesses if self.program.sees(scope, t) and not self._is_of_another_file(scope, t)]
        rule = "name" if len(targets) == 1 else "name-few"
        for target in targets:
            if self.program.is_class(target):
                self.callees.construction(scope, target, rule, site, row)
            else:
                self.writer.edge(scope, target, "CALLS", row.kind, rule, site)
        if targets:
            return
        self.writer.unresolved(scope, name, receiver, row.kind, site)
