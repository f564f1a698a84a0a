"""Members, the step ``.name``: values of a member, for each kind of value that it is read from.

Instances, classes and ``super()`` have their members from `class_members`, modules from `modules`.
"""

from __future__ import annotations

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.class_members import ClassMembers
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.expected_types import ExpectedTypes
from codeexplore.resolution.modules import Modules
from codeexplore.resolution.program import Program
from codeexplore.resolution.scopes import Scopes
from codeexplore.resolution.solver import Watcher
from codeexplore.resolution.values import (  # fmt: skip
    BOUND,
    BOUND_METHOD,
    CLASS,
    CONTAINER_PART,
    EXTERNAL,
    FUNC,
    INST,
    OBJECT,
    SUPER,
    UNIT,
)


class Members:
    """Members of values of any kind."""

    def __init__(
        self,
        program: Program,
        hierarchy: Hierarchy,
        containers: Containers,
        classes: ClassMembers,
        modules: Modules,
        scopes: Scopes,
        expected: ExpectedTypes,
    ) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self.hierarchy, self.containers = hierarchy, containers
        self.scopes, self.expected = scopes, expected
        self._by_kind = {
            INST: classes.of_instance, CLASS: classes.of_class, SUPER: classes.of_super, UNIT: modules.of_unit,
            FUNC: self._of_function, BOUND: self._of_function, EXTERNAL: self._of_external, OBJECT: self._of_object,
        }  # fmt: skip

    def on_attribute(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value before a dot: let its member flow to the constraint variable of the longer expression.

        `watcher` is (this handler, constraint variable of the longer expression, name of the member).
        """
        kind, name = self.entities.kind[entity], watcher[2]
        handler = self._by_kind.get(kind)
        if kind == CONTAINER_PART and self.rules.functions.functional:
            self.solver.add(watcher[1], entity, evidence)
        elif handler is not None:
            if self.rules.classes.methods_apart and kind not in (INST, CLASS, SUPER):
                name = name.removesuffix("()")
            handler(watcher[1], name, entity, evidence)

    def _of_function(self, target: int, name: str, entity: int, evidence: int) -> None:
        if name == self.rules.classes.prototype:
            self.solver.add(target, self.entities.get(INST, self.entities.payload[entity], 1), evidence)
            return
        if self.rules.functions.functional:
            if not self._default_method(target, name, entity, evidence):
                self.solver.add(target, entity, evidence)
            return
        if name in self.rules.functions.own_methods:
            self.solver.add(target, self.entities.get(BOUND_METHOD, entity, self.entities.text(name)), evidence)
        self.solver.add_flow(self.program.field(self.entities.payload[entity], name), target, h.FLOW)

    def _default_method(self, target: int, name: str, entity: int, evidence: int) -> bool:
        """Add a default method of the interface that a function implements to `target`; return False if there is none.

        The method runs with the function as its receiver. If the interface is not known yet, the lookup is postponed,
        and the result is True.
        """
        for cls in self.expected.interfaces.get(self.entities.payload[entity], ()):
            method = self.hierarchy.method(cls, name)
            if method >= 0 and method not in self.expected.abstract_methods(cls):
                receiver = self.entities.get(INST, cls)
                self.solver.add(target, self.entities.get(BOUND, method, receiver), max(evidence, h.TYPE))
                self.solver.add(self.scopes.instance(method), entity, h.FLOW)
                return True
        return self.expected.wait(self._of_function, target, name, entity, evidence)

    def _of_external(self, target: int, name: str, entity: int, evidence: int) -> None:
        outside = f"{self.entities.external_name(entity)}.{name}"
        self.solver.add(target, self.entities.external(outside), evidence)

    def _of_object(self, target: int, name: str, entity: int, evidence: int) -> None:
        obj = self.entities.payload[entity]
        own = self.containers.known(obj, name) >= 0
        if not own and name in self.rules.builtins.container_methods:
            self.solver.add(target, self.entities.get(BOUND_METHOD, entity, self.entities.text(name)), evidence)
        elif self.rules.functions.functional and self.containers.flavour[obj] == "callable":
            self.solver.add(target, entity, evidence)
        elif own or self.rules.builtins.open_objects:
            self.containers.read(obj, name, target, max(evidence, h.TYPE))
