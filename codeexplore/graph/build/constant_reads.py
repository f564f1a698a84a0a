"""Constants and fields that expressions read: ``LIMIT``, ``limits.MAX``, ``Color.RED``, ``self.size``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.solver import CLASS, EMPTY, SCOPE, SELF

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
