"""Functions handed over as arguments: used, and called at once by built-in functions that do so."""

from __future__ import annotations

from collections.abc import Mapping

from codeexplore.graph.callees import Callees
from codeexplore.graph.writer import EdgeWriter
from codeexplore.languages.resolution import heap as h
from codeexplore.languages.resolution.arguments import Arguments
from codeexplore.languages.resolution.entities import BOUND, CLASS, EXT, FUNC, INST, METH, OBJ, PART
from codeexplore.languages.resolution.solve import Solved

_CALLABLE = frozenset({FUNC, BOUND, CLASS, INST, PART})


class Handing:
    """Writes the edges of what calls are given."""

    def __init__(self, solved: Solved, writer: EdgeWriter, callees: Callees) -> None:
        self.flow = solved.flow
        self.entities, self.values = self.flow.entities, self.flow.heap.values
        self.rules = solved.program.rules
        self.writer = writer
        self.callees = callees
        self._calling: dict[int, bool] = {}  # outside function or method of a container → whether it calls arguments

    def arguments(self, scope: int, arguments: Arguments, held: dict[int, int], site: int) -> None:
        """Edges of the arguments that something which `held` says is called with."""
        called = False
        for entity in held:
            if self.entities.kind[entity] in (EXT, METH):
                called = called or self._calls_given(entity)
        for argument in arguments:
            values = self.values[argument.node]
            if values is None:
                continue
            if called:
                self._called_with(scope, values, held, site)
                continue
            for entity, evidence in values.items():
                if evidence == h.SCOPE and self.entities.kind[entity] in (FUNC, CLASS):
                    self._use(scope, entity, site)

    def _use(self, scope: int, entity: int, site: int) -> None:
        self.writer.edge(scope, self.entities.payload[entity], "USES", "argument", "scope", site)

    def _called_with(self, scope: int, values: dict[int, int], held: dict[int, int], site: int) -> None:
        """Edges of one argument that is called at once."""
        kinds = self.entities.kind
        if len(values) > 1:
            values = self.callees.overloads.handed(values, held)
        weakest = h.RELATED if not self.rules.gives_callbacks or self._is_function_typed(values) else h.WRAPPED
        for entity, evidence in values.items():
            kind, payload = kinds[entity], self.entities.payload[entity]
            if kind not in _CALLABLE:
                continue
            if kind in (FUNC, BOUND) and evidence <= weakest:
                self.writer.edge(scope, payload, "CALLS", "callback", "callback", site)
            elif kind == PART and kinds[payload] == CLASS:
                self.callees.construction(scope, self.entities.payload[payload], "callback", site)
            elif kind == INST:
                self.callees.call_instance(scope, payload, "callback", "callback", site)
            elif kind == CLASS and not self.rules.gives_callbacks:
                self.callees.construction(scope, payload, "callback", site)
            if kind in (FUNC, CLASS) and evidence == h.SCOPE:
                self._use(scope, entity, site)

    def _is_function_typed(self, values: Mapping[int, int]) -> bool:
        """Whether a declared type says that a value is a function."""
        flavour, kinds, payloads = self.flow.containers.flavour, self.entities.kind, self.entities.payload
        return any(kinds[e] == OBJ and flavour[payloads[e]] == "callable" for e in values)

    def _calls_given(self, entity: int) -> bool:
        known = self._calling.get(entity)
        if known is None:
            outside = self.entities.kind[entity] == EXT
            known = self._outside_calls(entity) if outside else self.callees.calls_back(entity)
            self._calling[entity] = known
        return known

    def _outside_calls(self, entity: int) -> bool:
        name = self.entities.external_name(entity)
        return name in self.rules.callbacks or (self.rules.gives_callbacks and name not in self.rules.functions)
