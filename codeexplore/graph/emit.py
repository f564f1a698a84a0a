"""What references hold, told as edges.

One pass over all references of a family. Calls go to every callable their node holds, to overriding methods below it,
to properties read on the way; what holds nothing goes to definitions of the same name when few enough, else to the
unresolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.graph.callees import Callees
from codeexplore.graph.outline import Outline
from codeexplore.graph.rules import BY_EVIDENCE, FEW
from codeexplore.graph.static_members import StaticMembers
from codeexplore.graph.writer import EdgeWriter
from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.arguments import Arguments
from codeexplore.languages.resolution.entities import BOUND, CLASS, EXT, FUNC, INST, METH, OBJ, PART
from codeexplore.languages.resolution.heap import DEAD
from codeexplore.languages.resolution.paths import last_name
from codeexplore.languages.resolution.solve import Solved
from codeexplore.types import Reference

_IMPLICIT_MANNERS = {
    "__enter__": "with", "__exit__": "with", "__aenter__": "with", "__aexit__": "with", "__iter__": "for",
    "__next__": "for", "__aiter__": "for", "__anext__": "for", "__getitem__": "subscript", "__setitem__": "subscript",
    "__delitem__": "subscript", "__len__": "len", "__str__": "str", "__repr__": "str", "__format__": "str",
    "__bool__": "truth", "__contains__": "in", "__call__": "call", "__hash__": "hash",
}  # fmt: skip
_IMPLICIT_RULES = {"for": "implicit", "in": "implicit", "truth": "implicit", "str": "shown"}
_LIKELY = frozenset({"for", "with"})  # where an argument is as good as a known type; truth, len … take anything


class Emitter:
    """Edges of one family of files."""

    def __init__(self, solved: Solved, writer: EdgeWriter) -> None:
        self.program, self.flow, self.loader = solved.program, solved.flow, solved.loader
        self.entities, self.values = self.flow.entities, self.flow.heap.values
        self.hierarchy, self.rules = self.flow.hierarchy, self.program.rules
        self.writer = writer
        self.outline = Outline(solved, writer)
        self.properties = self.flow.members.properties
        self.callees = Callees(solved, writer, self.outline)
        self.statics = StaticMembers(solved)
        self._read_along: dict[int, tuple[tuple[int, str], ...]] = {}

    def emit(self) -> None:
        """Add the edges of every file."""
        for file in range(len(self.program.files)):
            self.outline.structure(file)
            self.outline.imports(file)
            self._references(file)
            self._named_values(file)
        self._asked()
        for scope, setter, evidence, line in self.loader.stores.assigned:
            file = self.program.file_of[scope]
            self.writer.edge(scope, setter, "CALLS", "property", BY_EVIDENCE[evidence], self.writer.site(file, line))

    # ----------------------------------------------------------------- references

    def _references(self, file: int) -> None:
        facts, first = self.program.files[file], self.program.first[file]
        given = self.loader.given[file]
        for number, (row, node) in enumerate(zip(facts.references, self.loader.used[file], strict=True)):
            scope, site = first + row.scope, self.writer.site(file, row.line)
            held = self.values[node] or {}
            if row.kind in ("call", "new") or (row.kind == "decorator" and self.rules.decorators_called):
                self._call(scope, row, held, site)
                if number in given:
                    self._arguments(scope, given[number], held, site)
            elif row.kind == "implicit":
                self._implicit(scope, row, held, site)
            elif row.kind in ("read", "type", "decorator"):
                self._use(scope, row, node, held, site)
            if node != DEAD and row.kind != "implicit":
                if self.properties:
                    self._properties(scope, node, site)
                if "." in row.path:
                    self._static_members(scope, row, node, site)

    def _call(self, scope: int, row: Reference, held: dict[int, int], site: int) -> None:
        manner = "call" if row.kind == "new" else row.kind
        if len(held) > 1 and row.kind == "decorator":
            held = self._less_options(held)
        undecided: frozenset[int] = frozenset()
        if len(held) > 1:
            held, undecided = self.callees.overloads.chosen(held, row, scope)
        found = self.callees.reach(scope, row, held, manner, site, undecided)
        if not found:
            self._by_name_or_unresolved(scope, row, site)

    def _less_options(self, held: dict[int, int]) -> dict[int, int]:
        """What a decorator may be: a class that takes its options first, ``@wrap(option=1)``, is no instance yet."""
        kinds, payloads = self.entities.kind, self.entities.payload
        classes = {payloads[entity] for entity in held if kinds[entity] == CLASS}
        return {e: evidence for e, evidence in held.items() if kinds[e] != INST or payloads[e] not in classes}

    def _implicit(self, scope: int, row: Reference, held: dict[int, int], site: int) -> None:
        if held:
            name = row.path.rpartition(".")[2]
            methods = (name, *self.rules.fallbacks.get(name, ()))
            self._special(scope, methods, held, _IMPLICIT_MANNERS.get(name, "operator"), site)

    def _special(self, scope: int, methods: Sequence[str], held: dict[int, int], manner: str, site: int) -> None:
        """Edges to the special method of each known value, the first that its class has."""
        for entity, evidence in held.items():
            if self.entities.kind[entity] != INST or evidence > (h.FLOW if manner in _LIKELY else h.ELEMENT):
                continue
            for name in methods:
                function = self.hierarchy.method(self.entities.payload[entity], name)
                if function >= 0:
                    absent = manner == "truth" and self.entities.extra[entity] and evidence >= h.TYPE
                    rule = "optional" if absent else _IMPLICIT_RULES.get(manner) or BY_EVIDENCE[evidence]
                    self.writer.edge(scope, function, "CALLS", manner, rule, site)
                    self.callees.overriding(scope, function, entity, evidence, manner, site)
                    break

    def _asked(self) -> None:
        """Special methods that built-in functions call on their argument."""
        for asked in self.loader.asked:
            held, function = self.values[asked.value], self.values[asked.function]
            if held and function and all(self.entities.kind[entity] == EXT for entity in function):
                site = self.writer.site(self.program.file_of[asked.scope], asked.line)
                manner = _IMPLICIT_MANNERS.get(asked.methods[0], "operator")
                self._special(asked.scope, asked.methods, held, manner, site)

    def _properties(self, scope: int, node: int, site: int) -> None:
        """Properties read along a path, its end included."""
        for function, rule in self._properties_along(node):
            self.writer.edge(scope, function, "CALLS", "property", rule, site)

    def _properties_along(self, node: int) -> tuple[tuple[int, str], ...]:
        """Functions, with the rule that found them, that reading each step of the way to a node calls."""
        known = self._read_along.get(node)
        if known is None:
            way = [node]
            while (before := self.flow.came_from.get(way[-1], DEAD)) != DEAD:
                way.append(before)
            told = [self.properties[step] for step in reversed(way) if step in self.properties]
            found = [(f, self._property_rule(f, evidence, len(each))) for each in told for f, evidence in each.items()]
            known = self._read_along[node] = tuple(found)
        return known

    def _property_rule(self, function: int, evidence: int, number: int) -> str:
        if self.program.symbols[function].name in self.rules.missing_methods:
            return "missing"
        return "many" if number > FEW and evidence >= h.RETURN else BY_EVIDENCE[evidence]

    # ----------------------------------------------------------------- uses

    def _static_members(self, scope: int, row: Reference, node: int, site: int) -> None:
        """Constants read through their type or module, as the value itself or as what a method is called on."""
        reading = row.kind in ("read", "type", "decorator")
        for symbol in self.statics.read(row.path, node) if reading else self.statics.received(row.path, node):
            self.writer.edge(scope, symbol, "USES", "read", "scope", site)

    def _use(self, scope: int, row: Reference, node: int, held: dict[int, int], site: int) -> None:
        manner = row.kind
        constant = self.program.constants.get(node, -1)
        if constant >= 0:
            self.writer.edge(scope, constant, "USES", manner, "scope", site)
        for entity, evidence in held.items():
            self._use_edge(scope, entity, evidence, manner, site)

    def _use_edge(self, scope: int, entity: int, evidence: int, manner: str, site: int) -> None:
        kind = self.entities.kind[entity]
        if kind in (FUNC, BOUND, CLASS) and evidence <= h.RETURN:
            self.writer.edge(scope, self.entities.payload[entity], "USES", manner, BY_EVIDENCE[evidence], site)
        elif kind == EXT:
            self.writer.outside(scope, self.entities.external_name(entity), False, site)

    def _named_values(self, file: int) -> None:
        """Plain names given to a variable: ``handler = on_click``."""
        facts, first = self.program.files[file], self.program.first[file]
        for row in facts.bindings:
            if row.value and row.value.isidentifier():
                self._name_use(first + row.scope, row.value, row.line, self.writer.site(file, row.line), "read")
        for back in facts.returns:
            if back.manner != "type" and back.value.isidentifier():
                symbol = facts.symbols[back.scope]
                self._name_use(first + back.scope, back.value, 1 << 30, self.writer.site(file, symbol.line), "return")

    def _name_use(self, scope: int, name: str, line: int, site: int, manner: str) -> None:
        node = self.flow.root(scope, name, line)
        for entity, evidence in (self.values[node] or {}).items():
            if evidence == h.SCOPE:
                self._use_edge(scope, entity, evidence, manner, site)

    def _arguments(self, scope: int, arguments: Arguments, held: dict[int, int], site: int) -> None:
        """Functions handed over: used, and called at once by built-in functions that do so."""
        called = any(
            (self.entities.kind[e] == EXT and self._outside_calls(e))
            or (self.entities.kind[e] == METH and self.callees.calls_back(e))
            for e in held
        )
        for argument in arguments:
            values = self.values[argument.node]
            if not values:
                continue
            if called and len(values) > 1:
                values = self.callees.overloads.handed(values, held)
            weakest = h.RELATED if self._is_function_typed(values) or not self.rules.gives_callbacks else h.WRAPPED
            for entity, evidence in values.items():
                kind, payload = self.entities.kind[entity], self.entities.payload[entity]
                if kind in (FUNC, BOUND) and called and evidence <= weakest:
                    self.writer.edge(scope, payload, "CALLS", "callback", "callback", site)
                elif kind == PART and called and self.entities.kind[payload] == CLASS:
                    self.callees.construction(scope, self.entities.payload[payload], "callback", site)
                elif kind == INST and called:
                    self.callees.call_instance(scope, payload, "callback", "callback", site)
                elif kind == CLASS and called and not self.rules.gives_callbacks:
                    self.callees.construction(scope, payload, "callback", site)
                if kind in (FUNC, CLASS) and evidence == h.SCOPE:
                    self.writer.edge(scope, payload, "USES", "argument", "scope", site)

    def _is_function_typed(self, values: Mapping[int, int]) -> bool:
        """Whether a declared type says that a value is a function."""
        flavour, kinds, payloads = self.flow.containers.flavour, self.entities.kind, self.entities.payload
        return any(kinds[e] == OBJ and flavour[payloads[e]] == "callable" for e in values)

    def _outside_calls(self, entity: int) -> bool:
        name = self.entities.external_name(entity)
        return name in self.rules.callbacks or (self.rules.gives_callbacks and name not in self.rules.functions)

    # ----------------------------------------------------------------- by name

    def _by_name_or_unresolved(self, scope: int, row: Reference, site: int) -> None:
        name, receiver = last_name(row.path)
        if not name or row.path[-1:] == ")":  # what a call gives is called: nothing goes by that name
            return
        targets = self.callees.guesses.targets(row, name, receiver)
        rule = "name" if len(targets) == 1 else "name-few"
        for target in targets:
            if self.program.is_class(target):
                self.callees.construction(scope, target, rule, site, row)
            else:
                self.writer.edge(scope, target, "CALLS", row.kind, rule, site)
        if targets:
            return
        self.writer.unresolved(scope, name, receiver, row.kind, site)
