"""Calls, the step ``()``: results of calls, and the call sites of each callee.

A *call site* is here the arguments of one call.
"""

from __future__ import annotations

from collections.abc import Callable

from codeexplore.resolution import solver as h
from codeexplore.resolution.arguments import Argument, ArgumentFlow, Arguments
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.class_members import ClassMembers
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.generics import Generics
from codeexplore.resolution.path_steps import Steps
from codeexplore.resolution.program import Program
from codeexplore.resolution.solver import UNKNOWN, Watcher
from codeexplore.resolution.values import BOUND, BOUND_METHOD, CLASS, CONTAINER_PART, EXTERNAL, FUNC, INST, OBJECT


class OutsideCalls:
    """Abstract values for the results of outside calls. They are outside names too."""

    def __init__(self, program: Program) -> None:
        self.program, self.rules, self.entities = program, program.rules, program.entities
        self._results: dict[int, int] = {}  # entity of an outside name → entity of its result; -1 for a model
        self._type_names: frozenset[str] | None = None  # computed at the first use

    def result(self, entity: int) -> int:
        """Return the result of calling the outside name `entity`; -1 if a library model computes it."""
        given = self._results.get(entity)
        if given is None:
            name = self.entities.external_name(entity)
            known = name in self.rules.builtins.functions
            given = self._results[entity] = -1 if known else self.entities.external(self._result_name(name))
        return given

    def _result_name(self, name: str) -> str:
        """Return the name for the result of calling an outside name.

        A new instance has the name of its class, so that its method is ``pathlib.Path.exists``.
        """
        last = name.rpartition(".")[2]
        is_class = last[:1].isupper() and not last.isupper()
        if self.rules.classes.structural and is_class:
            if self._type_names is None:
                self._type_names = self._find_type_names()
            is_class = last in self._type_names
        return name if is_class else f"{name}()"

    def _find_type_names(self) -> frozenset[str]:
        """Return the last parts of all names that are used as a type or after ``new``: ``Path`` for ``fs.Path``."""
        rows = (row for file in self.program.references for row in file.fields("kind", "path"))
        return frozenset(path.rpartition(".")[2] for kind, path in rows if kind in ("new", "type"))


_FEW_SITES = 8  # number of calls of one node below which a further call is compared with them


Handler = Callable[[int, int, int, list[Arguments]], None]
"""A function that lets the result of a call flow to a constraint variable.

It is called as ``handler(callee, evidence, target, sites)``: the abstract value that is called, its provenance, the
constraint variable of the result, and the arguments of each call.
"""


class Calls:
    """Results of calls, and the call sites of each callee.

    `handlers` has a function for each kind of abstract value that may be called. `builtin_models` adds those for
    callees outside the repository.
    """

    def __init__(
        self,
        program: Program,
        hierarchy: Hierarchy,
        containers: Containers,
        class_members: ClassMembers,
        generics: Generics,
        argument_flow: ArgumentFlow,
        outside: OutsideCalls,
        steps: Steps,
    ) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.containers, self.class_members = hierarchy, containers, class_members
        self.generics, self.argument_flow, self.outside = generics, argument_flow, outside
        self.steps = steps
        self._sites: dict[int, list[Arguments]] = {}  # callee node → arguments of each call
        self._on_arguments = self.on_arguments  # stored once, because each access to a method makes a new object
        self.handlers: dict[int, Handler] = {
            FUNC: self._give_result,
            BOUND: self._give_result,
            CLASS: self._give_instance,
            INST: self._give_called,
            CONTAINER_PART: self._give_part,
            OBJECT: self._give_declared,
        }

    # ----------------------------------------------------------------- results

    def on_result(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value that is called: let the result of the call flow to the constraint variable of the call.

        If its own arguments are None, those of every registered call of the callee are used.
        """
        _, target, callee, own = watcher
        sites = [own] if own is not None else self._sites.get(callee, [])
        self._give(entity, evidence, target, sites)

    def _give(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Let the result of calling the abstract value `entity` flow to `target`.

        `sites` has the arguments of each call.
        """
        handler = self.handlers.get(self.entities.kind[entity])
        if handler is not None:
            handler(entity, evidence, target, sites)

    def _give_result(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        function, bound = self.entities.payload[entity], self.entities.kind[entity] == BOUND
        if not bound or not self.generics.add_result(function, self.entities.extra[entity], target, evidence):
            self.solver.add_flow(self.program.result(function), target, max(evidence, h.RETURN))
        if bound and function in self.program.returns_receiver:
            self.solver.add(target, self.entities.extra[entity], max(evidence, h.TYPE))
        if function in self.program.makes_instances:
            self.solver.add(target, self.entities.get(INST, function), max(evidence, h.TYPE))
        for passing in self.generics.passing.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, passing.parameter, site, bound):
                    self.generics.pass_on(function, node, passing.parameter, target, evidence)
        for parameter in self.program.returned_parameters.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, parameter, site, bound):
                    self.solver.add_flow(node, target, max(evidence, h.RETURN))

    def _give_instance(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        cls = self.entities.payload[entity]
        if len(sites) == 1 and sites[0] and self._converts(cls):
            self.solver.add_flow(sites[0][0].node, target, h.TYPE)
        instance = self.entities.get(INST, cls, self.entities.extra[entity])
        self.solver.add(target, instance, max(evidence, h.TYPE))
        function = self.argument_flow.constructor(cls)
        if function >= 0 and self.program.own_class[function] != cls:
            self.class_members.receive(function, instance)
        for name in self.rules.construction.allocators:
            made = self.hierarchy.method(cls, name)
            if made >= 0:
                self.solver.add_flow(self.program.result(made), target, max(evidence, h.RETURN))

    def _converts(self, cls: int) -> bool:
        """Return True if a call of a type converts a value to an interface, which does not change the value."""
        return self.rules.classes.structural and self.program.symbols[cls].kind == "interface"

    def _give_called(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        for name in self.rules.special_methods.call:
            function = self.hierarchy.method(self.entities.payload[entity], name)
            if function >= 0:
                self._give(self.entities.get(BOUND, function, entity), evidence, target, sites)
                return
        cls = self.entities.payload[entity]
        if self.rules.classes.variants and self.program.symbols[cls].kind == "enum":
            self.solver.add(target, entity, evidence)
        elif (underlying := self.program.underlying(cls)) >= 0:
            self.solver.on_value(underlying, (self.on_result, target, underlying, sites[0] if sites else ()))

    def _give_part(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        del sites
        self._give(self.entities.payload[entity], evidence, target, [])

    def _give_declared(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        del sites
        node = self.containers.known(self.entities.payload[entity], "()")
        if node >= 0:
            self.solver.add_flow(node, target, max(evidence, h.RETURN))

    def apply(self, callee: int, argument: int) -> int:
        """Return the variable of the result of a call with one argument, both given by their variables."""
        target = self.solver.node()
        given = (Argument(0, argument),)
        self.solver.on_value(callee, (self.on_result, target, callee, given))
        self.solver.on_value(callee, (self.argument_flow.on_taken, given))
        return target

    # ----------------------------------------------------------------- sites

    def site(self, callee: int, arguments: Arguments) -> None:
        """Register one call by its arguments and the constraint variable of what is called."""
        if self._ignores_arguments(callee):
            return
        known = self._sites.setdefault(callee, [])
        if len(known) < _FEW_SITES and arguments in known:
            return  # an equal call is registered
        known.append(arguments)
        self.solver.on_value(callee, (self._on_arguments, callee, arguments))

    def _ignores_arguments(self, callee: int) -> bool:
        """Return True if the constraint variable `callee` has only outside names whose results need no argument."""
        if not self.solver.is_fixed(callee):
            return False
        entities = self.solver.points_to(callee)
        return all(self.entities.kind[entity] == EXTERNAL and self.outside.result(entity) >= 0 for entity in entities)

    def forget(self) -> None:
        self._sites.clear()

    def on_arguments(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Let the arguments of one call flow into the parameters of a called value, and its result to the call."""
        _, callee, arguments = watcher
        self.argument_flow.take(entity, arguments)
        kind = self.entities.kind[entity]
        if kind in (FUNC, BOUND):
            function = self.entities.payload[entity]
            if function not in self.program.returned_parameters and function not in self.generics.passing:
                return
        result = self.steps.existing(callee, "()")
        if result >= 0 and kind == CLASS and arguments and self._converts(self.entities.payload[entity]):
            self.solver.add_flow(arguments[0].node, result, h.FLOW)
        if result >= 0 and kind in (FUNC, BOUND, EXTERNAL, BOUND_METHOD):
            self._give(entity, evidence, result, [arguments])
        elif kind == BOUND_METHOD or (
            kind == EXTERNAL
            and self.rules.builtins.functions.get(self.entities.external_name(entity), "").startswith("call")
        ):
            self._give(entity, evidence, UNKNOWN, [arguments])
