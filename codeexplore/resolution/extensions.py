"""Extension methods: static functions that are called as methods of the type of their first parameter.

In C#, ``static int Size(this Box box)`` is called as ``box.Size()``, if no method of ``Box`` fits and code there sees
the namespace of the function (C# specification, 12.8.10.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.scopes import Scopes
from codeexplore.resolution.solver import UNIT
from codeexplore.resolution.type_syntax import simple


class Extensions(EvaluatorPart):
    """The extension methods of a program, by name."""

    def __init__(self, shared: Shared, scopes: Scopes) -> None:
        super().__init__(shared)
        self.modules, self.scopes = scopes.modules, scopes
        self._named: dict[str, list[int]] = {}
        self._seen = cache(lambda file: frozenset(self._modules_seen(file)))

    def note_all(self) -> None:
        """Find the extension methods. The parameters of all functions must be known."""
        program = self.program
        pattern = program.rules.functions.extension_signature
        if pattern is None:
            return
        for function, symbol in enumerate(program.symbols):
            if program.own_class[function] >= 0 and pattern.search(symbol.signature):
                parameters = program.parameters.get(function)
                if parameters:
                    program.extending.add(function)
                    self._named.setdefault(symbol.name, []).append(function)
                    if program.result_types.get(function) == parameters[0].type:
                        program.returns_receiver.add(function)

    def named(self, name: str) -> Sequence[int]:
        return self._named.get(name, ())

    def of_class(self, cls: int, name: str) -> Iterator[int]:
        """Yield the extension methods called `name` that instances of a class have."""
        found = self._named.get(name)
        if found:
            above = self.hierarchy.order(cls)
            outside = (base for each in above for base in self.hierarchy.outside.get(each, ()))
            types = {*(self.program.symbols[each].name for each in above), *(b.rpartition(".")[2] for b in outside)}
            yield from (
                function for function in found if self.extends_any(function) or self.extended(function) in types
            )

    def extended(self, function: int) -> str:
        """Return the simple name of the type that an extension method extends."""
        return simple(self.program.parameters[function][0].type)

    def extends_any(self, function: int) -> bool:
        """Return True if an extension method extends every type."""
        name = self.extended(function)
        return name in ("object", "dynamic", "Any") or self.program.rules.overloading.is_variable(name)

    def sees(self, scope: int, function: int) -> bool:
        """Return True if code in a scope sees the namespace of an extension method."""
        seen = self._seen(self.program.file_of[scope])
        unit = self.scopes.unit_around(function)
        return unit in seen or self.program.units.parent[unit] < 0 or self.scopes.unit_around(scope) == unit

    def _modules_seen(self, file: int) -> Iterator[int]:
        """Yield the modules whose names the code of a file sees."""
        program, parents = self.program, self.program.units.parent
        first = program.first[file]
        units = [program.locator.unit_of(file)]
        for scope in range(first, first + len(program.files[file].symbols)):
            for node in self.modules.stars.get(scope, ()):
                yield from program.held(node, UNIT)
            if (unit := program.units.of_block.get((file, scope - first), -1)) >= 0:
                units.append(unit)
        for unit in units:
            around = unit
            while around >= 0:
                yield around
                around = parents[around]
