"""Calls whose lines do not have the name of what runs: by syntax, by built-in functions, and of functions passed on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from codeexplore.graph.build.calls import Callees
from codeexplore.graph.build.edge_writer import EdgeWriter, RecordedEdges
from codeexplore.graph.build.rules import BY_PROVENANCE, FEW, SEVERAL
from codeexplore.resolution import solver as h
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.types import Reference

_IMPLICIT_MANNERS = {
    method: manner
    for manner, methods in (
        ("with", "__enter__ __exit__ __aenter__ __aexit__"),
        ("for", "__iter__ __next__ __aiter__ __anext__"),
        ("subscript", "__getitem__ __setitem__ __delitem__"),
        ("len", "__len__"),
        ("str", "__str__ __repr__ __format__"),
        ("truth", "__bool__"),
        ("in", "__contains__"),
        ("call", "__call__"),
        ("hash", "__hash__"),
    )
    for method in methods.split()
}
_IMPLICIT_RULES = {"truth": "implicit", "hash": "hashed", "__format__": "shown"}  # manner or method
_STRUCTURAL = frozenset({"for", "subscript"})  # implicit calls that only few values support
_UNLIKELY = frozenset({"truth", "len", "str", "in"})  # implicit calls that accept any value


class SpecialCalls:
    """Writer of calls that syntax and built-in functions make: ``with pool:`` runs ``__enter__``."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter, callees: Callees) -> None:
        self.program, self.evaluator, self.loader = solved.program, solved.evaluator, solved.loader
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.writer, self.callees = writer, callees
        self._specials: dict[tuple[tuple[str, ...], str, int], RecordedEdges] = {}

    def of_syntax(self, scope: int, row: Reference, node: int, site: int) -> None:
        """Write the calls that the syntax of a reference makes on the values of `node`."""
        kinds, values = self.entities.kind, self.points_to(node)
        if not values or (row.args and self._has_own_lookup(scope, row)):
            return
        name = row.path[row.path.rfind(".") + 1 :]
        compared = bool(row.args) and row.args[0].startswith(self.rules.builtins.sequences)  # not hashed
        several = len(values) > FEW and sum(kinds[entity] == h.INST for entity in values) > FEW
        for entity, provenance in values.items():
            if kinds[entity] == h.INST and not (several and provenance >= h.FLOW):
                if row.args:  # a key is hashed, and compared with other keys
                    if not compared:
                        self._special(scope, (name,), entity, provenance, site)
                    self._special(scope, ("__eq__",), entity, provenance, site, "hash")
                else:
                    self._special(
                        scope, (name, *self.rules.special_methods.fallbacks.get(name, ())), entity, provenance, site
                    )

    def _has_own_lookup(self, scope: int, row: Reference) -> bool:
        """Return True if the repository defines the container's class, which may look a key up without hashing."""
        container = self.evaluator.path(scope, row.args[0], row.line)
        return any(self.entities.kind[entity] == h.INST for entity in self.points_to(container))

    def _special(
        self, scope: int, methods: tuple[str, ...], entity: int, provenance: int, site: int, manner: str = ""
    ) -> None:
        """Write the calls of the first of the alternative `methods` that the class of an instance has."""
        manner = manner or _IMPLICIT_MANNERS.get(methods[0], "operator")
        key = (methods, manner, entity << 3 | provenance)
        known = self._specials.get(key)
        if known is None:
            self.writer.record()
            self._reach_special(scope, methods, entity, provenance, site, manner)
            known = self._specials[key] = self.writer.recorded()
        if not self.writer.write(scope, known, site):
            self.writer.note_cut(methods[0])

    def _reach_special(
        self, scope: int, methods: tuple[str, ...], entity: int, provenance: int, site: int, manner: str
    ) -> None:
        reflected = manner == "operator" and methods[0].startswith("__r")  # only if the left side is NotImplemented
        if provenance > (h.ELEMENT if reflected or manner in _UNLIKELY else h.FLOW):
            return
        cls = self.entities.payload[entity]
        for name in methods:
            function = self.hierarchy.method(cls, name)
            if function >= 0:
                absent = manner == "truth" and self.entities.extra[entity] and provenance >= h.TYPE
                named = _IMPLICIT_RULES.get(manner) or _IMPLICIT_RULES.get(methods[0]) or BY_PROVENANCE[provenance]
                rule = "optional" if absent else named
                if provenance >= h.FLOW and manner != "with":
                    rule = "implicit" if manner in _STRUCTURAL else "asked"
                self.callees.special(scope, cls, name, manner, rule, site)
                self.callees.overriding(scope, function, entity, provenance, manner, site)
            if function >= 0 or self.hierarchy.has_outside(cls, name):
                break

    def of_functions(self) -> None:
        """Write the calls of special methods that built-in functions such as ``len`` make on their arguments."""
        for asked in self.loader.asked:
            values, function = self.points_to(asked.value), self.points_to(asked.function)
            if values and function and all(self.entities.kind[entity] == h.EXTERNAL for entity in function):
                site = self.writer.site(self.program.file_of[asked.scope], asked.line)
                for entity, provenance in values.items():
                    if self.entities.kind[entity] == h.INST:
                        self._special(asked.scope, asked.methods, entity, provenance, site)


CALLABLE = frozenset({h.FUNC, h.BOUND, h.CLASS, h.INST, h.CONTAINER_PART})


class CallbackEdges:
    """Writer of the edges for functions that are passed as arguments."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter, callees: Callees) -> None:
        self.evaluator = solved.evaluator
        self.entities, solver = self.evaluator.entities, self.evaluator.solver
        self.points_to, self.values = solver.points_to, solver.values
        self.rules = solved.program.rules
        self.writer = writer
        self.callees = callees
        self._calls_given = cache(self._find_calls_given)

    def arguments(self, scope: int, given: Iterable[tuple[int, int]], callee: int, path: str) -> None:
        """Write the edges for the arguments of one call.

        `given` has the constraint variable and the site of each argument. `callee` is the constraint variable of the
        called expression and `path` its text. If `callee` has no values, the last name of `path` decides: it may be the
        name of a built-in method that calls its argument, such as ``forEach``.
        """
        if self._is_calling(callee):
            for node, site in given:
                self._called_with(scope, self.points_to(node), site)
            return
        called = path[path.rfind(".") + 1 :]
        if self.values[callee] == h.EMPTY and called in self.rules.builtins.calling_names and "." in path:
            given = list(given)
            self._perhaps_called(scope, given)
        for node, site in given:
            value = self.values[node]
            if value >= 0:
                self._use(scope, value >> 3, value & 7, site)
            elif value != h.EMPTY:
                for entity, provenance in self.points_to(node).items():
                    self._use(scope, entity, provenance, site)

    def _is_calling(self, callee: int) -> bool:
        """Return True if a value of `callee`, the constraint variable of a called expression, calls its arguments."""
        value = self.values[callee]
        if value >= 0:
            return self._calls_given(value >> 3)
        return value != h.EMPTY and any(map(self._calls_given, self.points_to(callee)))

    def _use(self, scope: int, entity: int, provenance: int, site: int) -> None:
        if provenance <= h.TYPE and self.entities.kind[entity] in (h.FUNC, h.BOUND, h.CLASS):
            rule = BY_PROVENANCE[provenance]
            self.writer.edge(scope, self.entities.payload[entity], "USES", "argument", rule, site)

    def _called_with(self, scope: int, values: Mapping[int, int], site: int) -> None:
        """Write the edges for one argument that is called at once; `values` maps its values to their provenance."""
        kinds = self.entities.kind
        rule, number = "callback", sum(1 for entity in values if kinds[entity] in CALLABLE)
        if number > SEVERAL:  # only 5 of 69 such values were seen to be called
            for entity, provenance in values.items():
                self._use(scope, entity, provenance, site)
            return
        weakest = h.RELATED if not self.rules.builtins.gives_callbacks or self._is_function_typed(values) else h.WRAPPED
        for entity, provenance in values.items():
            kind, payload = kinds[entity], self.entities.payload[entity]
            if kind not in CALLABLE:
                continue
            if kind in (h.FUNC, h.BOUND) and provenance <= weakest:
                self.writer.edge(scope, payload, "CALLS", "callback", rule, site)
                self.callees.implementing(scope, entity, provenance, "callback", site)
            elif kind == h.CONTAINER_PART and kinds[payload] == h.CLASS:
                self.callees.construction(scope, self.entities.payload[payload], rule, site)
            elif kind == h.INST:
                self.callees.call_instance(scope, payload, rule, "callback", site)
            elif kind == h.CLASS and not self.rules.builtins.gives_callbacks:
                self.callees.construction(scope, payload, rule, site)
            self._use(scope, entity, provenance, site)

    def _perhaps_called(self, scope: int, given: Iterable[tuple[int, int]]) -> None:
        """Write possible calls of functions passed to a method with the name of a built-in that calls its argument."""
        kinds, payloads = self.entities.kind, self.entities.payload
        for node, site in given:
            values = self.points_to(node) if node not in self.evaluator.solver.cut else {}
            several = sum(kinds[entity] in CALLABLE for entity in values) > SEVERAL
            for entity, provenance in values.items() if not several else ():
                if kinds[entity] in (h.FUNC, h.BOUND) and provenance <= h.WRAPPED:
                    self.writer.edge(scope, payloads[entity], "CALLS", "callback", "callback-name", site)

    def _is_function_typed(self, values: Mapping[int, int]) -> bool:
        flavour, kinds, payloads = self.evaluator.containers.flavour, self.entities.kind, self.entities.payload
        return any(kinds[e] == h.OBJECT and flavour[payloads[e]] == "callable" for e in values)

    def _find_calls_given(self, entity: int) -> bool:
        kind = self.entities.kind[entity]
        outside = kind == h.EXTERNAL and self._outside_calls(entity)
        return outside or (kind == h.BOUND_METHOD and self.callees.calls_back(entity))

    def _outside_calls(self, entity: int) -> bool:
        name = self.entities.external_name(entity)
        if self.rules.builtins.keeping and ".".join(name.split(".")[-2:]) in self.rules.builtins.keeping:
            return False
        return name in self.rules.builtins.callbacks or (
            self.rules.builtins.gives_callbacks and name not in self.rules.builtins.functions
        )
