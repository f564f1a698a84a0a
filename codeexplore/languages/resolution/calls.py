"""The step ``()``: what a call gives back, and the calls that are known of each callee.

Where the arguments go is told in `argument_flow`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.arguments import Arguments
from codeexplore.languages.resolution.entities import (
    BOUND,
    CLASS,
    EXT,
    FUNC,
    INST,
    METH,
    OBJ,
    PART,
)  # fmt: skip
from codeexplore.languages.resolution.heap import DEAD, Watcher
from codeexplore.languages.resolution.program import Parameter

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow

_FEW_SITES = 8  # calls of one node that a further one is compared with


class Calls:
    """Results of calls, and the calls of each callee."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self.hierarchy = flow.hierarchy
        self.argument_flow = flow.argument_flow
        self._take = self.argument_flow.take
        self.gives_receiver: set[int] = set()  # methods that return their own receiver
        self.makes_instances: set[int] = set()  # functions that are constructors
        self.gives_parameter: dict[int, list[Parameter]] = {}  # functions that return one of their parameters
        self._sites: dict[int, list[Arguments]] = {}  # callee node → the arguments it is called with
        self._outside: dict[int, int] = {}  # outside name → what calling it gives
        self._on_arguments = self.on_arguments  # one for all watchers: each access to a method makes a new object
        self._by_kind = {
            FUNC: self._give_result, BOUND: self._give_result, CLASS: self._give_instance, INST: self._give_called,
            EXT: self._give_outside, METH: self._give_container, PART: self._give_part, OBJ: self._give_declared,
        }  # fmt: skip
        self._type_names_known: frozenset[str] | None = None  # found when it is first asked for

    # ----------------------------------------------------------------- results

    def on_result(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, target, callee node, arguments or None for those of every call of this node)."""
        target, callee, own = watcher[1], watcher[2], watcher[3]
        sites = [own] if own is not None else self._sites.get(callee, [])
        self._give(entity, evidence, target, sites)

    def _give(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        """Let what calling `entity` gives back flow to `target`."""
        handler = self._by_kind.get(self.entities.kind[entity])
        if handler is not None:
            handler(entity, evidence, target, sites)

    def _give_result(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        function, bound = self.entities.payload[entity], self.entities.kind[entity] == BOUND
        if not bound or not self.flow.generics.give(function, self.entities.extra[entity], target, evidence):
            self.heap.copy(self.program.result(function), target, max(evidence, h.RETURN))
        if bound and function in self.gives_receiver:
            self.heap.add(target, self.entities.extra[entity], max(evidence, h.TYPE))
        if function in self.makes_instances:
            self.heap.add(target, self.entities.get(INST, function), max(evidence, h.TYPE))
        for passing in self.flow.generics.passing.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, passing.parameter, site, bound):
                    self.flow.generics.pass_on(function, node, passing.parameter, target, evidence)
        for parameter in self.gives_parameter.get(function, ()):
            for site in sites:
                for node in self.argument_flow.reaching(function, parameter, site, bound):
                    self.heap.copy(node, target, max(evidence, h.RETURN))

    def _give_instance(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        cls = self.entities.payload[entity]
        if len(sites) == 1 and self._converts(cls):
            self.heap.copy(sites[0][0].node, target, h.TYPE)
        instance = self.entities.get(INST, cls, self.entities.extra[entity])
        self.heap.add(target, instance, max(evidence, h.TYPE))
        function = self.argument_flow.constructor(cls)
        if function >= 0 and self.program.own_class[function] != cls:
            self.flow.class_members.receive(function, instance)
        for name in self.rules.allocators:
            made = self.hierarchy.method(cls, name)
            if made >= 0:
                self.heap.copy(self.program.result(made), target, max(evidence, h.RETURN))

    def _converts(self, cls: int) -> bool:
        """Whether calling a type converts to an interface: what it is given stays what it was."""
        return self.rules.structural and self.program.symbols[cls].kind == "interface"

    def _give_called(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        for name in self.rules.call_methods:
            function = self.hierarchy.method(self.entities.payload[entity], name)
            if function >= 0:
                self._give(self.entities.get(BOUND, function, entity), evidence, target, sites)
                return
        cls = self.entities.payload[entity]
        if self.rules.variants and self.program.symbols[cls].kind == "enum":
            self.heap.add(target, entity, evidence)
        elif (underlying := self.program.underlying(cls)) >= 0:
            self.heap.watch(underlying, (self.on_result, target, underlying, sites[0] if sites else ()))

    def _give_container(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        self.flow.effects.call(entity, evidence, target, sites)

    def _give_part(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        del sites
        self._give(self.entities.payload[entity], evidence, target, [])

    def _give_declared(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        del sites
        node = self.flow.containers.known(self.entities.payload[entity], "()")
        if node >= 0:
            self.heap.copy(node, target, max(evidence, h.RETURN))

    def _give_outside(self, entity: int, evidence: int, target: int, sites: list[Arguments]) -> None:
        given = self._given_outside(entity)
        if given >= 0:
            self.heap.add(target, given, evidence)
            return
        effect = self.rules.functions[self.entities.external_name(entity)]
        if not sites:
            self.flow.effects.apply(effect, (), target, evidence)
        for site in sites:
            self.flow.effects.apply(effect, site, target, evidence)

    def _given_outside(self, entity: int) -> int:
        """What calling an outside name gives, whatever its arguments; -1 where an effect of its own is known."""
        given = self._outside.get(entity)
        if given is None:
            name = self.entities.external_name(entity)
            known = name in self.rules.functions
            given = self._outside[entity] = -1 if known else self.entities.external(self._result_name(name))
        return given

    def _result_name(self, name: str) -> str:
        """Calling an outside class gives its instance, which goes by the class's name: ``pathlib.Path.exists``."""
        last = name.rpartition(".")[2]
        is_class = last[:1].isupper() and not last.isupper()
        if self.rules.structural and is_class:
            is_class = last in self._type_names
        return name if is_class else f"{name}()"

    @property
    def _type_names(self) -> frozenset[str]:
        """Last names of whatever stands where only types do; capitals tell types from functions in few languages."""
        if self._type_names_known is None:
            self._type_names_known = self._find_type_names()
        return self._type_names_known

    def _find_type_names(self) -> frozenset[str]:
        rows = (row for file in self.program.references for row in file.fields("kind", "path"))
        return frozenset(path.rpartition(".")[2] for kind, path in rows if kind in ("new", "type"))

    # ----------------------------------------------------------------- sites

    def site(self, callee: int, arguments: Arguments) -> None:
        """Note one call of what `callee` holds."""
        if self._ignores_arguments(callee):
            return
        known = self._sites.setdefault(callee, [])
        if len(known) < _FEW_SITES and arguments in known:
            return  # the same values would go the same ways
        known.append(arguments)
        self.heap.watch(callee, (self._on_arguments, callee, arguments))

    def _ignores_arguments(self, callee: int) -> bool:
        """Whether a node stands for good for something outside, about which no effect is known."""
        if not self.heap.is_fixed(callee):
            return False
        entities = self.heap.held(callee)
        return all(self.entities.kind[entity] == EXT and self._given_outside(entity) >= 0 for entity in entities)

    def forget(self) -> None:
        """Give up the calls of each callee."""
        self._sites.clear()

    def on_arguments(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Watcher (handler, callee node, arguments)."""
        callee, arguments = watcher[1], watcher[2]
        self._take(entity, arguments)
        kind = self.entities.kind[entity]
        if kind in (FUNC, BOUND):
            function = self.entities.payload[entity]
            if function not in self.gives_parameter and function not in self.flow.generics.passing:
                return
        result = self.flow.existing(callee, "()")
        if result >= 0 and kind == CLASS and arguments and self._converts(self.entities.payload[entity]):
            self.heap.copy(arguments[0].node, result, h.FLOW)
        if result >= 0 and kind in (FUNC, BOUND, EXT, METH):
            self._give(entity, evidence, result, [arguments])
        elif kind == METH:
            self.flow.effects.call(entity, evidence, DEAD, [arguments])
        elif kind == EXT and self.rules.functions.get(self.entities.external_name(entity), "").startswith("call"):
            self._give_outside(entity, evidence, DEAD, [arguments])
