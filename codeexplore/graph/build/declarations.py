"""Edges that follow from declarations alone: containment, inheritance, overriding and imports."""

from __future__ import annotations

from collections.abc import Mapping

from codeexplore.graph.build.edge_writer import EdgeWriter
from codeexplore.resolution.class_hierarchy import Super
from codeexplore.resolution.module_tree import imported
from codeexplore.resolution.program import OVERLOAD
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.values import CLASS, FUNC, INST, UNIT
from codeexplore.types import EdgeKind, Symbol

MAX_OVERLOADING = 8
"""Maximal number of supertypes that are searched for an overridden overload. The nearest supertype with the name
nearly always has it."""
_INTERFACES = frozenset({"interface", "trait"})


class DeclarationEdges:
    """Writer of the edges that follow from the structure of files and from their imports."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.writer = writer
        self.fitting: dict[int, list[int]] = {}  # interface method → functions of object literals
        self._asked: dict[int, dict[str, dict[int, None]]] = {}
        names = self.program.function_names
        self._naming = any(name in names for name in self.rules.special_methods.name)
        self._making = self._naming or any(name in names for name in self.rules.special_methods.subclass)
        for function, method in self.evaluator.expected.fits:
            self.fitting.setdefault(method, []).append(function)

    def structure(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for place, symbol in enumerate(program.files[file].symbols):
            own = first + place
            site = self.writer.site(file, symbol.line)
            parent = program.parent[own]
            if parent >= 0:
                self.writer.edge(parent, own, "CONTAINS", "definition", "definition", site)
            for known in (*self.hierarchy.supers.get(own, ()), *self.hierarchy.satisfied.get(own, ())):
                rule = "interface" if known.manner == "satisfies" else "base"
                self.writer.edge(
                    own, known.parent, self._kind_of(symbol, known), "base", rule, self.writer.site(file, known.line)
                )
            if self._making and program.is_class(own):
                self._defining(own, site)
            for outside in dict.fromkeys(self.hierarchy.outside.get(own, ())):
                self.writer.outside(own, outside, False, site)
            if program.roles[own] & OVERLOAD and self.rules.functions.heads_apart:
                body = self.hierarchy.function_at(program.bound(parent, symbol.name))
                self.writer.edge(body, own, "USES", "overload", "scope", site)
            cls = program.own_class[own]
            if cls >= 0:
                for above in self._hidden_by(cls, symbol.name, own):
                    self.writer.edge(own, above, "OVERRIDES", "definition", "self", site)
                for function in self.fitting.get(own, ()):
                    if program.symbols[function].kind != "lambda":
                        line = self.writer.site(program.file_of[function], program.symbols[function].line)
                        self.writer.edge(function, own, "OVERRIDES", "definition", "interface", line)

    def _defining(self, cls: int, site: int) -> None:
        """Write the calls that run when the class `cls` is defined.

        They are calls of hooks: of its supertypes, such as ``__init_subclass__``, and of the values of its attributes,
        such as ``__set_name__``.
        """
        scope = self.program.parent[cls]
        while scope >= 0 and self.program.is_class(scope):
            scope = self.program.parent[scope]
        called = [self.hierarchy.method(cls, name, above=True) for name in self.rules.special_methods.subclass]
        for name in self.rules.special_methods.name if self._naming else ():
            values = [e for node in (self.program.names[cls] or {}).values() for e in self.points_to(node)]
            kinds, payloads = self.entities.kind, self.entities.payload
            called += [self.hierarchy.method(payloads[entity], name) for entity in values if kinds[entity] == INST]
        for function in dict.fromkeys(called):
            if function >= 0:
                self.writer.edge(max(scope, 0), function, "CALLS", "definition", "type", site)

    def _hidden_by(self, cls: int, name: str, own: int) -> list[int]:
        """Return the methods called `name` that the method `own` of `cls` overrides.

        This is the nearest such method in the supertypes. In languages with structural types (Go) it is one method of
        each supertype.
        """
        if name in self.rules.construction.constructors:
            return []
        hierarchy = self.hierarchy
        if hierarchy.of_trait and self.program.symbols[cls].kind != "trait":
            trait = hierarchy.of_trait.get(own, -1)
            found = [hierarchy.method(trait, name)] if trait >= 0 else []
            return [above for above in found if above >= 0]
        beside = hierarchy.satisfied.get(cls, ())
        if self.rules.classes.structural:
            found = list(self._asked_of(cls).get(self.program.method_name(name), ()))
        else:
            found = [
                self._overloaded(cls, own)
                if self.rules.overloading.decides
                else hierarchy.method(cls, name, above=True),
                *(hierarchy.method(known.parent, name) for known in beside),
            ]
        return [above for above in dict.fromkeys(found) if above >= 0 and above != own]

    def _overloaded(self, cls: int, own: int) -> int:
        """Return the overload that `own` overrides, in languages where overloads differ in parameters.

        It has the same number of parameters as `own`. If several methods have this number, the method with the most
        parameters of equal type is returned. If there is none, -1 is returned.
        """
        program, name = self.program, self.program.method_name(self.program.symbols[own].name)
        types = [parameter.type for parameter in program.parameters.get(own, ())]
        for _ in range(MAX_OVERLOADING):
            member = self.hierarchy.member(cls, name, above=True)
            known = {
                each: [parameter.type for parameter in program.parameters.get(each, ())]
                for each in program.defined.get(member.node, ())
                if program.is_callable(each) and each != own
            }
            fitting = [each for each in known if len(known[each]) == len(types)]
            if fitting:
                return max(fitting, key=lambda each: sum(map(str.__eq__, known[each], types)))
            if member.node < 0 or member.owner == cls:
                break
            cls = member.owner
        return -1

    def _asked_of(self, cls: int) -> Mapping[str, Mapping[int, None]]:
        """Return the methods that `cls` has in common with the types it embeds or satisfies.

        The result maps each method name to the methods of these types. Only names that `cls` defines itself are
        included. If several interfaces embed the same method, it is listed once.
        """
        found = self._asked.get(cls)
        if found is None:
            found = self._asked[cls] = {}
            own = self.program.names[cls] or {}
            for known in (*self.hierarchy.supers.get(cls, ()), *self.hierarchy.satisfied.get(cls, ())):
                methods = self.hierarchy.methods(known.parent)
                few, many = (own, methods) if len(own) < len(methods) else (methods, own)
                for name in few:
                    if name in many:
                        found.setdefault(name, {})[methods[name]] = None
        return found

    def _kind_of(self, symbol: Symbol, known: Super) -> EdgeKind:
        above = self.program.symbols[known.parent].kind in _INTERFACES and symbol.kind not in _INTERFACES
        return "IMPLEMENTS" if above or known.manner in ("implements", "satisfies") else "EXTENDS"

    def imports(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            declared = self.rules.modules.keywords and not row.member and "::" in row.module  # mod name;
            found, member = imported(program.locator, file, "/" + row.module if declared else row.module, row.member)
            site = self.writer.site(file, row.line)
            if found.unit < 0:
                own = self.rules.modules.keywords and program.bound(first, row.module.partition("::")[0]) >= 0
                if found.external and not own:
                    name = found.external if member in ("", "*") else f"{found.external}.{member}"
                    self.writer.outside(first + row.scope, name, False, site, imported=True)
                continue
            modules = [program.first[number] for number in program.units.files[found.unit]]
            for module in modules:
                if module != first:
                    self.writer.edge(first, module, "IMPORTS", "import", "import", site)
            if member not in ("", "*"):
                node = self.evaluator.modules.in_unit(found.unit, member)
                for entity in self.points_to(node) if node >= 0 else ():
                    self._import_edge(first, entity, site)

    def _import_edge(self, module: int, entity: int, site: int) -> None:
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (FUNC, CLASS):
            self.writer.edge(module, payload, "IMPORTS", "import", "import", site)
        elif kind == UNIT:
            for number in self.program.units.files[payload]:
                target = self.program.first[number]
                if target != module:
                    self.writer.edge(module, target, "IMPORTS", "import", "import", site)
