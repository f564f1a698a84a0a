"""Calls of special methods by syntax and by built-in functions, whose lines do not have the name of what runs."""

from __future__ import annotations

from codeexplore.graph.build.calls import Callees
from codeexplore.graph.build.edge_writer import EdgeWriter, RecordedEdges
from codeexplore.graph.build.rules import BY_PROVENANCE, FEW
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
