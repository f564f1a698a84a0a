"""What references hold, told as edges.

One pass over all references of a family. Calls go to every callable their node holds, to overriding methods below it,
to properties read on the way; what holds nothing goes to definitions of the same name when few enough, else to the
unresolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.graph.guess import Guesses
from codeexplore.graph.outline import Outline
from codeexplore.graph.overloads import Overloads
from codeexplore.graph.rules import BY_EVIDENCE, FEW, SEVERAL
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
_LIKELY = frozenset({"for", "with"})  # where an argument is as good as a known type; truth, len … take anything
_CALLING = frozenset({"each", "map", "call", "else", "compare", "fold"})  # effects of methods that call an argument


class Emitter:
    """Edges of one family of files."""

    def __init__(self, solved: Solved, writer: EdgeWriter) -> None:
        self.program, self.flow, self.loader = solved.program, solved.flow, solved.loader
        self.entities, self.values = self.flow.entities, self.flow.heap.values
        self.hierarchy, self.rules = self.flow.hierarchy, self.program.rules
        self.writer = writer
        self.outline = Outline(solved, writer)
        self.properties = self.flow.members.properties
        self.overloads = Overloads(self.flow)
        self.guesses = Guesses(self.program)
        self._overrides: dict[tuple[int, int], tuple[int, ...]] = {}
        self._read_along: dict[int, tuple[tuple[int, int], ...]] = {}

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
            if node != DEAD and row.kind != "implicit" and self.properties:
                self._properties(scope, node, site)

    def _call(self, scope: int, row: Reference, held: dict[int, int], site: int) -> None:
        manner = "call" if row.kind == "new" else row.kind
        if len(held) > 1:
            held = self.overloads.chosen(held, row, scope)
        found = self._call_entities(scope, row, held, manner, site)
        if not found:
            self._by_name_or_unresolved(scope, row, site)

    def _call_entities(self, scope: int, row: Reference, held: dict[int, int], manner: str, site: int) -> bool:
        """Edges to whatever a called node holds; False when it holds nothing that can be called."""
        found = False
        weak = sum(1 for evidence in held.values() if evidence >= h.FLOW)
        for entity, evidence in held.items():
            kind, payload = self.entities.kind[entity], self.entities.payload[entity]
            rule = BY_EVIDENCE[evidence]
            if evidence == h.FLOW and weak > FEW:
                rule = "flow-many"
            elif evidence < h.WRAPPED and payload in self.program.wrapped and kind in (FUNC, BOUND):
                rule = "decorated"
            if kind == FUNC:
                found = True
                self.writer.edge(scope, payload, "CALLS", manner, rule, site)
            elif kind == BOUND:
                found = True
                self.writer.edge(scope, payload, "CALLS", manner, rule, site)
                self._overriding(scope, payload, self.entities.extra[entity], evidence, manner, site)
            elif kind == CLASS:
                found = True
                self._construction(scope, payload, rule, site, row)
            elif kind == INST:
                found = self._instance_call(scope, payload, rule, manner, site) or found
            elif kind == EXT:
                found = True
                self.writer.outside(scope, self.entities.external_name(entity), True, site)
            elif kind in (METH, PART):
                found = True
                if kind == PART and self.entities.kind[payload] == CLASS:
                    self._construction(scope, self.entities.payload[payload], rule, site, row)
                if kind == METH and self.entities.kind[payload] in (FUNC, BOUND) and self._calls_back(entity):
                    self.writer.edge(scope, self.entities.payload[payload], "CALLS", manner, rule, site)  # f.call(x)
        return found

    def _construction(self, scope: int, cls: int, rule: str, site: int, row: Reference | None = None) -> None:
        self.writer.edge(scope, cls, "USES", "new", rule, site)
        if self.rules.constructor_is_class:
            held = self.overloads.constructors(cls, row, scope)
            for function in held:
                self.writer.edge(scope, function, "CALLS", "new", rule, site)
            made = self.program.symbols[cls].kind != "interface" and self.program.charged(scope) != cls
            if not held and made:
                self.writer.edge(scope, cls, "CALLS", "new", rule, site)
            return
        constructed = False
        for name in self.rules.constructors:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                self.writer.edge(scope, function, "CALLS", "new", rule, site)
                constructed = True
                if name == self.rules.constructors[0]:
                    break
        if not constructed and self.rules.making_calls:
            self.writer.edge(scope, cls, "CALLS", "new", rule, site)

    def _instance_call(self, scope: int, cls: int, rule: str, manner: str, site: int) -> bool:
        for name in self.rules.call_methods:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                self.writer.edge(scope, function, "CALLS", manner, rule, site)
                return True
        if self.rules.variants and self.program.symbols[cls].kind == "enum":
            return True
        called = False
        underlying = self.program.underlying(cls)
        for entity in (self.values[underlying] or ()) if underlying >= 0 else ():
            called = called or self.entities.kind[entity] == OBJ
            if self.entities.kind[entity] in (FUNC, BOUND):
                called = True
                self.writer.edge(scope, self.entities.payload[entity], "CALLS", manner, "flow", site)
        return called

    def _overriding(self, scope: int, function: int, receiver: int, evidence: int, manner: str, site: int) -> None:
        """Methods below the static target that the call may reach instead."""
        if not self.entities.extra[receiver] or self.entities.kind[receiver] not in (INST, CLASS) or evidence >= h.FLOW:
            return
        key = (function, self.entities.payload[receiver])
        if self.rules.structural and self.program.is_sealed(key[1]):  # an embedded interface's method
            key = (function, self.program.own_class[function])
        targets = self._overrides.get(key)
        if targets is None:
            name = self.program.symbols[function].name
            below = self.hierarchy.overriders(key[1], name, function)
            targets = self._overrides[key] = (*below, *self.outline.fitting.get(function, ()))
        number = len(targets)
        rule = "override" if number <= FEW else "override-several" if number <= SEVERAL else "override-many"
        for target in targets:
            self.writer.edge(scope, target, "CALLS", manner, rule, site)
        if not targets and self.program.own_class[function] >= 0:
            for target in self.guesses.implementations(function):
                self.writer.edge(scope, target, "CALLS", manner, "name-few", site)

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
                    rule = "optional" if absent else BY_EVIDENCE[evidence]
                    self.writer.edge(scope, function, "CALLS", manner, rule, site)
                    self._overriding(scope, function, entity, evidence, manner, site)
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
        for function, evidence in self._properties_along(node):
            missing = self.program.symbols[function].name in self.rules.missing_methods
            rule = "missing" if missing else BY_EVIDENCE[evidence]
            self.writer.edge(scope, function, "CALLS", "property", rule, site)

    def _properties_along(self, node: int) -> tuple[tuple[int, int], ...]:
        """Functions, with evidence, that reading each step of the way to a node calls."""
        known = self._read_along.get(node)
        if known is None:
            way = [node]
            while (before := self.flow.came_from.get(way[-1], DEAD)) != DEAD:
                way.append(before)
            found = tuple(pair for step in reversed(way) for pair in self.properties.get(step, {}).items())
            known = self._read_along[node] = found
        return known

    # ----------------------------------------------------------------- uses

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
            or (self.entities.kind[e] == METH and self._calls_back(e))
            for e in held
        )
        for argument in arguments:
            values = self.values[argument.node]
            if not values:
                continue
            weakest = h.RELATED if self._is_function_typed(values) or not self.rules.gives_callbacks else h.WRAPPED
            for entity, evidence in values.items():
                kind, payload = self.entities.kind[entity], self.entities.payload[entity]
                if kind in (FUNC, BOUND) and called and evidence <= weakest:
                    self.writer.edge(scope, payload, "CALLS", "callback", "callback", site)
                elif kind == PART and called and self.entities.kind[payload] == CLASS:
                    self._construction(scope, self.entities.payload[payload], "callback", site)
                elif kind == INST and called:
                    self._instance_call(scope, payload, "callback", "callback", site)
                elif kind == CLASS and called and not self.rules.gives_callbacks:
                    self._construction(scope, payload, "callback", site)
                if kind in (FUNC, CLASS) and evidence == h.SCOPE:
                    self.writer.edge(scope, payload, "USES", "argument", "scope", site)

    def _is_function_typed(self, values: Mapping[int, int]) -> bool:
        """Whether a declared type says that a value is a function."""
        flavour, kinds, payloads = self.flow.containers.flavour, self.entities.kind, self.entities.payload
        return any(kinds[e] == OBJ and flavour[payloads[e]] == "callable" for e in values)

    def _outside_calls(self, entity: int) -> bool:
        name = self.entities.external_name(entity)
        return name in self.rules.callbacks or (self.rules.gives_callbacks and name not in self.rules.functions)

    def _calls_back(self, method: int) -> bool:
        name = self.entities.texts[self.entities.extra[method]]
        effect = self.rules.container_methods.get(name)
        return effect in _CALLING or (self.rules.gives_callbacks and effect in ("element", "same"))

    # ----------------------------------------------------------------- by name

    def _by_name_or_unresolved(self, scope: int, row: Reference, site: int) -> None:
        name, receiver = last_name(row.path)
        if not name:
            return
        targets = self.guesses.targets(row, name, receiver)
        rule = "name" if len(targets) == 1 else "name-few"
        for target in targets:
            if self.program.is_class(target):
                self._construction(scope, target, rule, site, row)
            else:
                self.writer.edge(scope, target, "CALLS", row.kind, rule, site)
        if targets:
            return
        self.writer.unresolved(scope, name, receiver, row.kind, site)
