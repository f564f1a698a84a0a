"""Results of functions: declared types, returned and yielded values, and functions that return an argument."""

from __future__ import annotations

import re

from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import parse, split_arguments
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.program import Parameter
from codeexplore.resolution.solver import UNKNOWN
from codeexplore.resolution.type_syntax import read_type
from codeexplore.resolution.values import EXTERNAL, OBJECT
from codeexplore.types import Binding

_OPEN_RESULT = re.compile(r"\b(?:impl|dyn)\b")


class Returns:
    """Lets values flow into the results of functions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.program, self.rules = evaluator.program, evaluator.rules
        self.solver, self.entities = evaluator.solver, evaluator.entities
        self.containers, self.annotations = evaluator.containers, evaluator.annotations
        self.expected, self.class_members = evaluator.expected, evaluator.class_members
        self.path, self.given = evaluator.path, evaluator.given
        self._other_values: dict[tuple[int, str], list[Binding]] = {}  # variable → values besides a parameter

    def note_passing_through(self, file: int) -> set[int]:
        """Record the functions of a file that return their receiver or one of their parameters.

        Return the indices of the rows of `returns` that state this. A function also counts if it returns a local
        variable to which a parameter is assigned, among other values.
        """
        first = self.program.first[file]
        rows = [(n, row) for n, row in enumerate(self.program.files[file].returns) if row.manner == "return"]
        passing = {n for n, row in rows if self._passes_through(first + row.scope, row.value)}
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

    def link(self, file: int, passing: set[int]) -> None:
        """Let the returned values of a file's functions flow to their results. Rows in `passing` are skipped."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        yields = {row.scope for row in facts.returns if row.manner == "yield"}
        generated: dict[int, int] = {}
        outside = self._giving_outside(file) if self.rules.functions.results_exact else frozenset()
        for number, row in enumerate(facts.returns):
            if number in passing or (row.scope in outside and row.manner == "return"):
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
        if len(asked) > 1 and len(parameters) > 1 and asked[1] == parameters[1].name:
            node = self.path(function, asked[0], 1 << 30)
            self.class_members.delegates.setdefault(function, []).append(node)

    def _giving_outside(self, file: int) -> frozenset[int]:
        """Return the scopes of functions whose declared result is an outside type, written as a plain name."""
        first, found = self.program.first[file], set()
        for row in self.program.files[file].returns:
            if row.manner == "type" and not _OPEN_RESULT.search(row.value):
                expr = read_type(row.value)
                if expr.args or not expr.name.isidentifier() or self.annotations.role(expr):
                    continue
                held = self.solver.points_to(self.annotations.type_path(first + row.scope, expr.name, 0))
                if held and all(self.entities.kind[entity] == EXTERNAL for entity in held):
                    found.add(row.scope)
        return frozenset(found)

    def _passes_through(self, function: int, value: str) -> bool:
        """Return True if `value`, which a function returns, is its receiver or one of its parameters.

        The function is then recorded as one that returns it.
        """
        for place, parameter in enumerate(self.program.parameters.get(function, ())):
            if parameter.name != value or self.program.bound(function, value) != parameter.node:
                continue
            if place == 0 and parameter.node in self.program.receivers:
                self.program.returns_receiver.add(function)
                return True
            if parameter.manner in ("parameter", "keyword"):
                self._note_passing(function, parameter)
                return True
        return False

    def _note_passing(self, function: int, parameter: Parameter) -> None:
        known = self.program.returned_parameters.setdefault(function, [])
        if parameter not in known:
            known.append(parameter)
