"""Classes that calls make or change: of metaclasses and of class decorators; and methods named by assignments.

A metaclass makes a class without a definition: ``Checker = Meta("Checker", (Base, Rules), {…})``. A class decorator may
return a subclass, which replaces the decorated class under its name. The subclass then comes before the decorated class
in the resolution order; see `Hierarchy.made_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.program import UNDERLYING
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, OBJECT
from codeexplore.types import Binding

_MAX_MAKERS: Final = 4
"""Maximal number of functions that lead from a class decorator to the class that it returns."""
_LAST: Final = 1 << 30  # a line after all versions of a name


class MadeClasses(EvaluatorPart):
    """Adds classes and methods that have no definition, before values flow."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._makers: dict[int, list[int]] = {}  # function → classes that it returns

    def name_methods(self, file: int, written: Sequence[int]) -> None:
        """Make functions methods under the names to which a class body assigns them: ``__call__ = validate``."""
        program, first = self.program, self.program.first[file]
        rows = program.bindings[file].fields("scope", "name", "manner", "value", "line")
        for (scope, name, manner, value, line), node in zip(rows, written, strict=True):
            named = manner == "variable" and node >= 0 and value and "(" not in value
            if named and program.is_class(first + scope) and node not in program.defined:
                root, _, last = value.rpartition(".")
                held = self.program.held(self.path(first + scope, root or value, line), CLASS if root else FUNC)
                for function in [self.hierarchy.method(cls, last) for cls in held] if root else held:
                    if function >= 0:
                        self._name_method(node, name, function)

    def _name_method(self, node: int, name: str, function: int) -> None:
        self.hierarchy.aliases[node] = function
        self.program.function_names.add(name)
        self.solver.add(node, self.entities.get(FUNC, function), h.SCOPE)

    def add_attributes(self, stores: Sequence[tuple[int, Binding]]) -> None:
        """Make the constraint variables of class attributes that are assigned from outside: ``C.name = value``."""
        for scope, row in stores:
            root, _, name = row.name.rpartition(".")
            for cls in self.program.held(self.path(scope, root, row.line), CLASS):
                if not self.hierarchy.is_enum(cls):
                    node = self.program.variable(cls, name)
                    if row.value and "(" not in row.value and node not in self.program.defined:
                        for function in self.program.held(self.path(scope, row.value, row.line), FUNC)[:1]:
                            self._name_method(node, name, function)

    # ----------------------------------------------------------------- metaclasses

    def make(self, file: int, written: Sequence[int]) -> None:
        """Add the classes that calls of metaclasses in a file make. `written` has the variable of each binding."""
        program, first = self.program, self.program.first[file]
        rows = program.bindings[file].fields("name", "value")
        tuples = {name: value for name, value in rows if value[:7] == "%tuple:" and name.isidentifier()}
        for scope, kind, callee, line, given in program.references[file].fields(
            "scope", "kind", "path", "line", "args"
        ):
            if kind != "call" or len(given) < 2 or not (given[1][:7] == "%tuple:" or given[1] in tuples):
                continue
            args = (given[0], tuples.get(given[1], given[1]), *given[2:])
            makers = self.path(first + scope, callee, line)
            if not any(map(self._is_metaclass, self.solver.points_to(makers))):
                continue
            call = f"{callee}("
            named = zip(program.bindings[file].fields("line", "value"), written, strict=True)
            nodes = [node for (at, value), node in named if at == line and value.startswith(call) and node >= 0]
            if any(row.scope == scope and row.value.startswith(call) for row in program.files[file].returns):
                nodes.append(program.result(first + scope))
            if nodes and (made := self._make(file, first + scope, args, nodes[0])) >= 0:
                for cls in self.program.held(makers, CLASS):
                    self.hierarchy.add_metaclass(made, cls)

    def _make(self, file: int, scope: int, args: tuple[str, ...], node: int) -> int:
        """Add a class with the bases and members that `args` list, as a value of `node`; return -1 without bases."""
        program, hierarchy = self.program, self.hierarchy
        own = self.program.parameters.get(scope, ())
        bases, members, place = list[int](), list[tuple[str, int]](), -1
        for row in program.bindings[file]:
            if row.name.startswith((f"{args[1]}[", f"{args[-1]}[")):
                value = self.path(program.first[file] + row.scope, row.value, row.line)
                if not row.name.startswith(args[1]):
                    members.append((row.name.partition("[")[2][:-1], value))
                elif any(parameter.name == row.value for parameter in own):  # the class that is decorated
                    place = len(bases)
                else:
                    bases += self.solver.points_to(value)
        known = [self.entities.payload[entity] for entity in bases if self.entities.kind[entity] == CLASS]
        if not known and place < 0:
            return -1
        made = self._new_class(program.constants.get(node, known[0] if known else scope), scope)
        if place >= 0:
            hierarchy.made_at[made] = place
        for entity in bases:
            hierarchy.add(made, entity, "extends", program.file_of[made], program.symbols[made].line)
        for name, value in members:
            held = program.variable(made, name)
            self.solver.add_flow(value, held)
            for function in self.program.held(value, FUNC):
                self._name_method(held, name, function)
        self.solver.add(node, self.entities.get(CLASS, made), h.SCOPE)
        return made

    def _is_metaclass(self, entity: int) -> bool:
        known, kind = self.rules.classes.metaclass_names, self.entities.kind[entity]
        if kind == EXTERNAL:
            return self.entities.external_name(entity) in known
        order = self.hierarchy.order(self.entities.payload[entity]) if kind == CLASS else ()
        return any(not known.isdisjoint(self.hierarchy.outside.get(each, ())) for each in order)

    def _new_class(self, symbol: int, scope: int) -> int:
        """Add a class that has no definition, and return its number. Its edges are those of `symbol`."""
        program = self.program
        program.symbols.append(replace(program.symbols[symbol], kind="class", decorators=()))
        program.names.append(None)
        program.file_of.append(program.file_of[scope])
        program.parent.append(scope)
        program.roles.append(0)
        program.own_class.append(-1)
        return len(program.symbols) - 1

    def hold_items(self) -> None:
        """Give each class that extends a container of the language one container, which all its instances share."""
        types, known = self.rules.builtins.types, self.rules.special_methods.outside
        for cls, bases in self.hierarchy.outside.items():
            roles = {types.get(base.rpartition(".")[2]) for base in bases if base in known}
            if not roles.isdisjoint(("sequence", "map")):
                held = self.containers.new("dict" if "map" in roles else "list")
                node = self.program.variable(cls, UNDERLYING)
                self.solver.add(node, self.entities.get(OBJECT, held), h.FLOW)
                for child in self.hierarchy.descendants(cls):
                    self.solver.add_flow(node, self.program.variable(child, UNDERLYING))

    # ----------------------------------------------------------------- class decorators

    def replace_decorated(self) -> None:
        """Put the subclasses that class decorators return before the decorated classes, in the resolution order."""
        program, hierarchy = self.program, self.hierarchy
        for own, symbol in enumerate(program.symbols):
            for decorator in symbol.decorators if program.is_class(own) else ():
                callee = self.path(program.parent[own], decorator.removesuffix("()"), symbol.line)
                called = program.held(callee, CLASS) if decorator.endswith("()") else []  # their instances are called
                methods = [hierarchy.method(cls, name) for cls in called for name in self.rules.special_methods.call]
                makers = [*program.held(callee, FUNC), *(each for each in methods if each >= 0)]
                for made in self._returned_classes(makers, _MAX_MAKERS):
                    hierarchy.made_of.setdefault(own, []).append(made)
                    hierarchy.below.setdefault(made, []).append(own)

    def _returned_classes(self, makers: Sequence[int], depth: int) -> list[int]:
        """Return the classes that decorators return, and that have their parameter among their supertypes."""
        found: dict[int, None] = {}
        for maker in makers if depth else ():
            if maker not in self._makers:
                self._makers[maker] = []  # a function that returns its own result
                self._makers[maker] = self._made_in(maker, depth)
            found.update(dict.fromkeys(self._makers[maker]))
        return list(found)

    def _made_in(self, maker: int, depth: int) -> list[int]:
        program, file = self.program, self.program.file_of[maker]
        facts, first = program.files[file], program.first[file]
        names = {parameter.name for parameter in program.parameters.get(maker, ())}
        values = {row.value for row in facts.returns if first + row.scope == maker}
        found = list[int]()
        for value in sorted(values) if values.isdisjoint(names) else ():
            node = self.path(maker, value.partition("(")[0], _LAST)
            found += self._returned_classes(self.program.held(node, FUNC), depth - 1)
            for made in (*self.program.held(node, CLASS), *self.program.held(program.result(maker), CLASS)):
                if program.parent[made] == maker:
                    rows = [row.path in names for row in facts.bases if first + row.scope == made]
                    if True in rows:
                        self.hierarchy.made_at[made] = rows.index(True)
                    found += [made] if made in self.hierarchy.made_at else []
        return found
