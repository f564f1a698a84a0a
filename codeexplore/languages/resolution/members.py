"""The step ``.name``: what a member of a value is.

Asks the room that knows the kind of value: `class_members` for instances and classes, `modules` for modules. What lies
outside, functions and objects are few words each and stand here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.entities import (
    BOUND,
    CLASS,
    EXT,
    FUNC,
    INST,
    METH,
    OBJ,
    PART,
    SUPER,
    UNIT,
)  # fmt: skip
from codeexplore.languages.resolution.heap import Watcher

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow


class Members:
    """Members of any value, by its kind."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.hierarchy = flow.hierarchy
        classes = flow.class_members
        self._by_kind = {
            INST: classes.of_instance, CLASS: classes.of_class, SUPER: classes.of_super, UNIT: flow.modules.of_unit,
            FUNC: self._of_function, BOUND: self._of_function, EXT: self._of_external, OBJ: self._of_object,
        }  # fmt: skip

    def on_attribute(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, target, name)."""
        kind, name = self.entities.kind[entity], watcher[2]
        handler = self._by_kind.get(kind)
        if kind == PART and self.rules.functional:
            self.heap.add(watcher[1], entity, evidence)
        elif handler is not None:
            if self.rules.methods_apart and kind not in (INST, CLASS, SUPER):
                name = name.removesuffix("()")
            handler(watcher[1], name, entity, evidence)

    def _of_function(self, target: int, name: str, entity: int, evidence: int) -> None:
        if name == self.rules.prototype:
            self.heap.add(target, self.entities.get(INST, self.entities.payload[entity], 1), evidence)
            return
        if self.rules.functional:
            if not self._default_method(target, name, entity, evidence):
                self.heap.add(target, entity, evidence)
            return
        if name in self.rules.function_methods:
            self.heap.add(target, self.entities.get(METH, entity, self.entities.text(name)), evidence)
        self.heap.copy(self.program.field(self.entities.payload[entity], name), target, h.FLOW)

    def _default_method(self, target: int, name: str, entity: int, evidence: int) -> bool:
        """A method that an interface has beside the one which a function stands for; it runs on the function."""
        for cls in self.flow.context.stands.get(self.entities.payload[entity], ()):
            method = self.hierarchy.method(cls, name)
            if method >= 0 and method not in self.flow.context.abstract_methods(cls):
                receiver = self.entities.get(INST, cls)
                self.heap.add(target, self.entities.get(BOUND, method, receiver), max(evidence, h.TYPE))
                self.heap.add(self.flow.lookup.instance(method), entity, h.FLOW)
                return True
        return self.flow.context.wait(entity, evidence, target, name)

    def replay(self, target: int, name: str, entity: int, evidence: int) -> None:
        """Ask a function anew for a member: it is known by now for which interface it stands."""
        self._of_function(target, name, entity, evidence)

    def _of_external(self, target: int, name: str, entity: int, evidence: int) -> None:
        outside = f"{self.entities.external_name(entity)}.{name}"
        self.heap.add(target, self.entities.external(outside), evidence)

    def _of_object(self, target: int, name: str, entity: int, evidence: int) -> None:
        obj = self.entities.payload[entity]
        own = self.flow.containers.known(obj, name) >= 0
        if not own and name in self.rules.container_methods:
            self.heap.add(target, self.entities.get(METH, entity, self.entities.text(name)), evidence)
        elif self.rules.functional and self.flow.containers.flavour[obj] == "callable":
            self.heap.add(target, entity, evidence)
        elif own or self.rules.open_objects:
            self.flow.containers.read(obj, name, target, max(evidence, h.TYPE))
