"""Edges from a call to the functions, methods and types that the called expression may mean.

A call of a method also gets edges to the methods that override it (`Dispatch`). If nothing is known about the called
expression, `Guesses` proposes definitions that have the name in the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from codeexplore.graph.build.edge_writer import DeclarationEdges, EdgeWriter
from codeexplore.graph.build.other_targets import MAX_BY_NAME, Dispatch, Guesses
from codeexplore.graph.build.overloads import Overloads
from codeexplore.graph.build.rules import BY_PROVENANCE, FEW, MANY, RULES, SEVERAL
from codeexplore.resolution import solver as h
from codeexplore.resolution.declared_types import LACKED_ABOVE
from codeexplore.resolution.program import OVERLOAD, PROPERTY, SETTER
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import Reference

_UNMADE = frozenset({"interface", "type", "enum"})  # kinds of types without a constructor of their own
_CALLABLE = frozenset({h.FUNC, h.BOUND, h.CLASS})
_CALLED = _CALLABLE | {h.INST}
_MORE = 1 << 20  # in place of a number of targets: there are more that were left out
_UNSURE = frozenset({h.RETURN, h.ELEMENT, h.FLOW})
CALLING = frozenset({"each", "map", "call", "else", "compare", "fold", "then", "settle"})
"""Effects, as `BuiltinModels.container_methods` names them, of methods that call an argument."""


class Callees:
    """Writer of the edges from calls to their possible targets."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter, declarations: DeclarationEdges) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.writer = writer
        self.overloads = Overloads(self.evaluator)
        self.dispatch = Dispatch(solved, declarations)
        self.guesses = Guesses(self.program, self.hierarchy)

    def reach(
        self,
        scope: int,
        row: Reference,
        values: Mapping[int, int],
        manner: str,
        site: int,
        undecided: frozenset[int] = frozenset(),
        cut: int = h.LAST,
    ) -> bool:
        """Write an edge to each callable value of a called expression; return False if none of the values is callable.

        `values` maps each value to its provenance. `undecided` are overloads that fit the arguments equally well. Of
        the values whose provenance is `cut` or weaker, there are more that were left out.
        """
        found, name = False, row.path.rpartition(".")[2]
        kinds = self.entities.kind
        values, undecided = self._meant(scope, row, values, undecided)
        payloads, several_of = self.entities.payload, values if len(values) > 1 else ()
        # the same method on different receivers is one target
        targets = {(kinds[e] in (h.FUNC, h.BOUND), payloads[e]) for e in several_of if kinds[e] in _CALLED}
        number = len(targets) if several_of else 1
        beside = number == 1 < len(values) and any(kinds[e] in (h.BOUND_METHOD, h.EXTERNAL) for e in values)
        best = min(values.values(), default=0)
        more = h.LAST if number == 1 and len(values) > SEVERAL else cut  # all of many receivers have the same method
        for entity, provenance in values.items():
            kind, payload = kinds[entity], self.entities.payload[entity]
            named = kind in _CALLABLE and self.program.symbols[payload].name == name
            if named and provenance < h.ELEMENT and not self.program.sees(scope, payload):
                continue  # the definition is not visible in this file: its name cannot mean it here
            several = number + (beside and provenance == h.FLOW)  # a method of the language's own types is another
            rule = _rule(provenance, several if provenance < more else _MORE, best)
            rule = "flow-few-methods" if rule == "flow-few" and "." in row.path else rule
            replaced = kind in _CALLABLE and provenance < h.WRAPPED and payload in self.program.wrapped
            rule, way = ("decorated", "through") if replaced else (rule, manner)
            if payload in undecided and kind in (h.FUNC, h.BOUND, h.CLASS) and rule != "decorated":
                rule = "overload"
            if self._is_not_called(kind, payload, scope if provenance >= h.WRAPPED and number > 1 else -1):
                continue
            if kind == h.FUNC or (kind == h.BOUND and rule == "overload"):
                found = True
                self.writer.edge(scope, payload, "CALLS", way, rule, site)
                self.implementing(scope, entity, provenance, way, site)
            elif kind == h.BOUND:
                found = True
                self._method(scope, entity, provenance, way, rule, site)
            elif kind == h.CLASS:
                found = True
                self.construction(scope, payload, rule, site, row)
                self._called_below(scope, entity, provenance, "new", site, self.rules.construction.constructors)
            elif kind == h.INST:
                found = self._instance(scope, row, entity, provenance, manner, rule, site) or found
            elif kind == h.EXTERNAL:
                found, outside = True, self.entities.external_name(entity)
                self.writer.outside(scope, outside, "CALLS", site)
                if outside.startswith(self.rules.builtins.placeholders):
                    self.writer.mark_incomplete()
            elif kind in (h.BOUND_METHOD, h.CONTAINER_PART):
                # a suspected instance lacks it: its name is better evidence; and an extension may have the name
                extended = name in self.program.extensions or self.evaluator.extensions.named(name)
                found = found or (provenance < h.RELATED and not extended)
                self._of_value(scope, row, entity, provenance, manner, rule, site)
        return found

    def _seen(self, scope: int, values: Mapping[int, int]) -> Mapping[int, int]:
        """Return `values` without the extension methods whose namespace code in a scope does not see."""
        extensions, sees = self.program.extending, self.evaluator.extensions.sees
        kinds, payloads = self.entities.kind, self.entities.payload
        return {
            entity: level
            for entity, level in values.items()
            if kinds[entity] != h.BOUND or payloads[entity] not in extensions or sees(scope, payloads[entity])
        }

    def extensions(self, scope: int, row: Reference, name: str) -> Sequence[tuple[int, str]]:
        """Return the extensions of outside types that ``receiver.name`` may call, each with its rule.

        The static type of the receiver decides. If it is not known, the only extension in scope is meant, unless
        methods of outside types often have its name.
        """
        known = [each for each in self.program.extensions[name] if self.program.sees(scope, each[0])]
        if self.rules.overloading.takes is not None and row.kind == "call":
            known = [each for each in known if self.overloads.admits(each[0], row)]
        receiver = row.path.removesuffix(f".{name}")
        if self.rules.functions.extensions == "named":
            node = self.evaluator.path(scope, name, row.line)
            named = {
                *(self.entities.payload[e] for e in self.points_to(node)),
                *self.evaluator.members.properties.get(node, ()),
            }
            known = [(function, text) for function, text in known if function in named]
        elif self.rules.functions.extensions == "crate":
            known = [(function, text) for function, text in known if self._is_in_crate(scope, function)]
        if receiver == row.path:
            return ()
        kinds = self.overloads.receiver_types(receiver, scope, row.line)
        own = scope if self.rules.functions.extensions == "crate" else -1  # which calls the method that it hides
        fitting = [f for f, text in known if f != own and not kinds.isdisjoint(self._extended(f, text))]
        if fitting:
            fitting, of_trait = self.overloads.fitting(fitting, row, scope), self.hierarchy.of_trait
            several = {function for function in fitting if len(fitting) > 1 or of_trait.get(function) == -1}
            return [(function, "overload" if function in several else "type") for function in fitting]
        if kinds or name in self.rules.builtins.common_methods:
            return ()
        return [(function, "extension" if len(known) == 1 else "name-few") for function, _ in known[:MAX_BY_NAME]]

    def _is_in_crate(self, scope: int, function: int) -> bool:
        """Return True if code in a scope is in the crate of a function of a trait, or names the trait."""
        program, trait = self.program, self.hierarchy.of_trait.get(function, -1)
        here, there = (program.locator.locate(program.file_of[each], "crate") for each in (scope, function))
        if here == there:
            return True
        named = self.evaluator.roots.root(scope, program.symbols[trait].name, 1 << 30) if trait >= 0 else h.UNKNOWN
        return any(self.entities.payload[entity] == trait for entity in self.points_to(named))

    def constructors_beside(self, scope: int, row: Reference) -> Sequence[tuple[int, str]]:
        """Return the constructors that extensions give an outside type which `row` calls, each with its rule."""
        name, around = row.path, scope
        if name in self.rules.classes.own_type_names:
            while around >= 0 and around not in self.program.extended:
                around = self.program.parent[around]
            name = simple(self.program.extended.get(around, ""))
        types = (name, *self.overloads.rules.outside_supers.get(name, ()))
        found = [function for each in types for function in self._added(each, row)]
        return [(function, "type" if len(found) == 1 else "overload") for function in found]

    def _bases_named(self, cls: int) -> Iterator[str]:
        """Yield the simple names of the supertypes that a class and its supertypes in the repository name."""
        first, file_of = self.program.first, self.program.file_of
        for each in self.hierarchy.order(cls):
            rows = self.program.files[file_of[each]].bases
            yield from (simple(row.path) for row in rows if first[file_of[each]] + row.scope == each and not row.type)

    def _added(self, name: str, row: Reference) -> list[int]:
        """Return the constructors that extensions give an outside type, and that take the arguments of `row`."""
        return [f for f in self.program.added_constructors.get(name, ()) if self.overloads.admits(f, row)]

    def _extended(self, function: int, text: str) -> frozenset[str]:
        """Return the name of the type that a function extends, as written in `text`; "Any" for a type parameter."""
        name = simple(text)
        parameters = self.program.symbols[function].signature.partition(f"{name}.")[0].partition("<")[2]
        return frozenset(("Any",) if name in re.findall(r"\w+", parameters) else (name,))

    def _meant(
        self, scope: int, row: Reference, values: Mapping[int, int], undecided: frozenset[int]
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        """Return the values of a called expression that the call may mean there, and the undecided functions."""
        values = self._implemented(values) if not self.program.extending else self._seen(scope, values)
        if self.rules.overloading.decides and len(values) > 1:
            values, undecided = self._made_or_called(scope, row, self._of_declared(values), undecided)
        if self.rules.classes.object_word:
            values, undecided = self._applied(values, row, undecided)
        if self.program.extended and "." not in row.path:
            values, undecided = self._without_receiver(scope, row, values, undecided)
        return values, undecided

    def _made_or_called(
        self, scope: int, row: Reference, values: Mapping[int, int], undecided: frozenset[int]
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        """Return the types and functions of one name that a call means, and the undecided ones.

        An interface is not constructed. The constructor of a class is one of the overloads of its name.
        """
        kinds, payloads, symbols = self.entities.kind, self.entities.payload, self.program.symbols
        functions = {payloads[e]: symbols[payloads[e]].name for e in values if kinds[e] in (h.FUNC, h.BOUND)}
        names = functions.values()
        types = [e for e in values if kinds[e] == h.CLASS and symbols[payloads[e]].name in names] if functions else []
        if self.rules.construction.primary and not functions:  # an imported class and one of the package
            classes = {payloads[entity] for entity in values if kinds[entity] == h.CLASS}
            undecided = undecided.union(classes if len({symbols[cls].fqn for cls in classes}) > 1 else ())
        left = {e for e in types if symbols[payloads[e]].kind == "interface"}
        made = [payloads[e] for e in types if e not in left and self.program.sees(scope, payloads[e])]
        left.update(e for e in types if not self.program.sees(scope, payloads[e]))
        if made and self.rules.construction.primary:
            named = {symbols[cls].name for cls in made}
            among = [*made, *(function for function, name in functions.items() if name in named)]
            plain = not any(self._taking(cls, self.rules.construction.constructors[0], row, scope) for cls in made)
            kept = self.overloads.fitting(among, row, scope) if plain else among
            left.update(e for e in values if payloads[e] in among and payloads[e] not in kept)
            undecided = undecided.union(kept) if len(kept) > 1 else undecided.difference(kept)
        return {entity: level for entity, level in values.items() if entity not in left} if left else values, undecided

    def _of_declared(self, values: Mapping[int, int]) -> Mapping[int, int]:
        """Return `values` without methods of flowing objects that can't have the declared type of the receiver.

        In C++ nothing but an object of a subtype can be assigned to a pointer. So of two declared types of a receiver,
        of which one is a subtype of the other, the upper one is that of the receiver. The methods that override its
        own get edges by `overriding`.
        """
        kinds, payloads, order = self.entities.kind, self.entities.payload, self.hierarchy.order
        made = {e: payloads[self.entities.extra[e]] for e in values if kinds[e] == h.BOUND and self.entities.extra[e]}
        declared = {cls for entity, cls in made.items() if values[entity] == h.TYPE}
        wrong = {
            entity
            for entity, cls in made.items()
            if declared and values[entity] == h.FLOW and not any(cls in order(d) or d in order(cls) for d in declared)
        }
        if self.rules.classes.pointers and len(declared) > 1:
            lower = {cls for cls in declared if any(d != cls and d in order(cls) for d in declared)}
            wrong.update(entity for entity, cls in made.items() if cls in lower and values[entity] == h.TYPE)
        return {entity: level for entity, level in values.items() if entity not in wrong} if wrong else values

    def _without_receiver(
        self, scope: int, row: Reference, values: Mapping[int, int], undecided: frozenset[int]
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        """Return the values of a called bare name without extensions that fit no receiver around, and undecided ones.

        A block may run on any object, so extensions are undecided if none fits.
        """
        extended, payloads = self.program.extended, self.entities.payload
        found = [entity for entity in values if self.entities.kind[entity] == h.FUNC and payloads[entity] in extended]
        if not found:
            return values, undecided
        around = self.overloads.receivers_around(scope)
        fitting = [e for e in found if not around.isdisjoint(self._extended(payloads[e], extended[payloads[e]]))]
        kept = self.overloads.fitting([payloads[e] for e in fitting or found], row, scope)
        left = {e: level for e, level in values.items() if e not in found or payloads[e] in kept}
        return left, undecided if fitting and len(kept) == 1 else undecided.union(kept)

    def _applied(
        self, values: Mapping[int, int], row: Reference, undecided: frozenset[int]
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        """Return the types and objects among `values` that are called, of a type and its companion object.

        ``new T`` makes an instance of the type. ``T(x)`` calls `apply` of the object. Only a case class has such a
        method without a declaration; then both are undecided.
        """
        symbols, payloads = self.program.symbols, self.entities.payload
        types = [entity for entity in values if self.entities.kind[entity] == h.CLASS]
        if row.kind == "new" and types and self.rules.scopes.types_apart:  # not a function of the type's name
            values = {entity: level for entity, level in values.items() if entity in types}
        objects = [entity for entity in types if self.program.is_object(payloads[entity])]
        if not objects or len(types) < 2:
            return values, undecided
        applying = [e for e in objects if self.hierarchy.method(payloads[e], self.rules.special_methods.call[0]) >= 0]
        left = objects
        if row.kind != "new" and applying:
            cased = [e for e in types if "case" in symbols[payloads[e]].signature.split("class")[0].split()]
            left = [e for e in types if e not in applying and e not in cased]
            undecided |= {payloads[e] for e in (*applying, *cased)} if cased else frozenset()
        return {entity: level for entity, level in values.items() if entity not in left}, undecided

    def _implemented(self, values: Mapping[int, int]) -> Mapping[int, int]:
        """Return `values` without type-only declarations, unless no callable value would remain."""
        unreal, kinds, payloads = self.program.unreal, self.entities.kind, self.entities.payload
        if not unreal or len(values) < 2:
            return values
        rest = {
            e: level for e, level in values.items() if kinds[e] not in (h.FUNC, h.BOUND) or payloads[e] not in unreal
        }
        return rest if any(kinds[entity] in _CALLABLE for entity in rest) else values

    def _is_not_called(self, kind: int, payload: int, wrapper: int) -> bool:
        """Return True if a call of this value does not run the value itself.

        The function `wrapper`, if any, wraps another function at each place where it is made, and not itself. Only a
        function inside another is made at several places.

        A called property runs its getter, and then the getter's result is called. If a function and a namespace have
        the same name, the call runs the function.
        """
        if kind == h.FUNC and payload == wrapper and self.program.is_callable(self.program.parent[payload]):
            return True
        if kind == h.FUNC:
            return bool(self.program.roles[payload] & (PROPERTY | SETTER)) and self.rules.builtins.open_objects
        return kind == h.CLASS and self.program.symbols[payload].kind == "module"

    def _of_value(
        self, scope: int, row: Reference, entity: int, provenance: int, manner: str, rule: str, site: int
    ) -> None:
        """Write the edge for ``T::new``, which makes an instance, or for ``f.call(x)``, which calls the function."""
        payload = self.entities.payload[entity]
        kind, target = self.entities.kind[payload], self.entities.payload[payload]
        if self.entities.kind[entity] == h.CONTAINER_PART and kind == h.CLASS:
            self.construction(scope, target, rule, site, row)
            self._called_below(scope, payload, provenance, "new", site, self.rules.construction.constructors)
        elif self.entities.kind[entity] == h.BOUND_METHOD and kind in (h.FUNC, h.BOUND) and self.calls_back(entity):
            self.writer.edge(scope, target, "CALLS", manner, rule, site)

    def _method(self, scope: int, entity: int, provenance: int, manner: str, rule: str, site: int) -> None:
        """Write the edges for a method call on a receiver: to the method itself and to the methods that override it.

        There is no edge to the method itself if no possible receiver inherits it.
        """
        function, receiver = self.entities.payload[entity], self.entities.extra[entity]
        if self._is_implemented_below(function, receiver):
            self.writer.edge(scope, function, "USES", "declared", rule, site)
            rule = "declared"
        rule = self.own_rule(rule, function, receiver)
        if provenance < h.TYPE or not self.dispatch.is_idle(function, self.entities.payload[receiver]):
            self.writer.edge(scope, function, "CALLS", manner, rule, site)
        self.overriding(scope, function, receiver, provenance, manner, site)

    def own_rule(self, rule: str, function: int, receiver: int) -> str:
        """Return `rule`, or a weaker one for a method of the own class if subclasses override it."""
        if rule == "related":
            return "lacking" if self.entities.extra[receiver] == LACKED_ABOVE else rule
        if rule != "self" or self.entities.kind[receiver] not in (h.INST, h.CLASS) or not self.entities.extra[receiver]:
            return rule
        cls = self.entities.payload[receiver]
        if not self.dispatch.overriding(function, cls):
            return rule
        untyped = self.rules.classes.self_parameter  # a compiler names the method of the own class
        return "self-replaced" if untyped and self.dispatch.is_replaced(function, cls) else "self-overridden"

    def _is_implemented_below(self, function: int, receiver: int) -> bool:
        """Return True if `function` does not exist at run time and a subtype of the receiver's type implements it."""
        if function not in self.program.unreal or self.entities.kind[receiver] not in (h.INST, h.CLASS):
            return False
        return bool(self.dispatch.overriding(function, self.entities.payload[receiver]))

    def construction(self, scope: int, cls: int, rule: str, site: int, row: Reference | None = None) -> None:
        """Write the edges of an instantiation: a use of the type and calls of its constructors."""
        if self.hierarchy.is_no_value(cls):
            self.writer.outside(scope, self.program.symbols[cls].name, "CALLS", site)
            return
        self.writer.edge(scope, cls, "USES", "new", rule, site)
        if self.rules.construction.constructor_is_class:
            values = self.overloads.constructors(cls, row, scope)
            several = len(values) > 1 and (self.rules.overloading.decides or self.rules.overloading.one_runs)
            chosen_rule = "overload" if several or not self.overloads.makes(values, row) else rule
            for function in values:
                self.writer.edge(scope, function, "CALLS", "new", chosen_rule, site)
            made = self.program.symbols[cls].kind not in _UNMADE and self.program.charged(scope) != cls
            if not values and made:
                self.writer.edge(scope, cls, "CALLS", "new", rule, site)
            return
        constructed = False
        if (
            self.hierarchy.metaclasses
            and (calling := self.hierarchy.of_metaclass(cls, self.rules.special_methods.call[0])) >= 0
        ):
            self.writer.edge(scope, calling, "CALLS", "new", rule, site)
        if self.rules.overloading.decides and row is not None:
            self._constructors(scope, cls, rule, site, row)
            return
        for name in self.rules.construction.constructors:
            if self.special(scope, cls, name, "new", rule, site) >= 0:
                constructed = True
                if name == self.rules.construction.constructors[0]:
                    break
        for name in self.rules.construction.allocators if constructed else ():  # run before the constructor
            self.special(scope, cls, name, "new", rule, site)
        made_here = self.program.symbols[cls].kind != "module"  # the `new` of a module is outside
        if self.rules.construction.making_calls and made_here and not constructed:
            self.writer.edge(scope, cls, "CALLS", "new", rule, site)

    def _constructors(self, scope: int, cls: int, rule: str, site: int, row: Reference) -> None:
        """Write the calls of the constructors that take the arguments of `row`, or of the one without a name."""
        if self.program.is_object(cls):
            called = next(filter(None, (self._taking(cls, n, row, scope) for n in self.rules.special_methods.call)), [])
            for function in called:
                self.writer.edge(scope, function, "CALLS", "call", "overload" if len(called) > 1 else rule, site)
            if not called:
                self.call_instance(scope, cls, rule, "call", site)
            return
        found = self._taking(cls, self.rules.construction.constructors[0], row, scope)
        if not found and row.args and self.program.added_constructors:
            found = [function for name in self._bases_named(cls) for function in self._added(name, row)]
        head = self.program.symbols[cls].signature.partition(":")[0]
        unnamed = not found or (self.rules.construction.primary and "(" in head)
        if len(found) + unnamed > 1:
            rule = "overload"
        for function in found:
            self.writer.edge(scope, function, "CALLS", "new", rule, site)
        if unnamed and self.rules.construction.making_calls:
            self.writer.edge(scope, cls, "CALLS", "new", rule, site)

    def _taking(self, cls: int, name: str, row: Reference, scope: int) -> list[int]:
        """Return the functions called `name` in a class that take the arguments of `row`; those that fit best."""
        node = self.hierarchy.member(cls, name).node
        functions = [f for f in self.program.defined.get(node, ()) if self.program.is_callable(f)]
        found = [f for f in functions if self.overloads.takes_all(f, row, scope)]
        return self.overloads.fitting(found, row, scope) if len(found) > 1 else found

    def special(self, scope: int, cls: int, name: str, manner: str, rule: str, site: int) -> int:
        """Write the edges of a call of a method that the language looks up in a class; return the method or -1.

        The name may have other values than the function that it defines: the result of a decorator, or of an assignment
        to the class.
        """
        function, program = self.hierarchy.method(cls, name), self.program
        node = self.hierarchy.member(cls, program.method_name(name)).node
        values = {} if node in program.sole else self.points_to(node) if node >= 0 else {}
        defined = program.defined.get(node, ()) if self.rules.overloading.several else ()
        if len(parts := [each for each in defined if program.is_callable(each)]) > 1:  # the one of the last file runs
            for each in parts:
                self.writer.edge(scope, each, "CALLS", manner, "overload", site)
            return function
        for entity, provenance in values.items():
            target = self.entities.payload[entity]
            unseen = self.entities.kind[entity] in (h.FUNC, h.BOUND) and not program.roles[target] & (OVERLOAD | SETTER)
            if unseen and target != function:
                function = target if function < 0 else function
                way = BY_PROVENANCE[provenance]
                way = way if RULES[way].confidence < RULES[rule].confidence else rule
                self.writer.edge(scope, target, "CALLS", manner, way, site)
        if function >= 0:
            replaced = function in program.wrapped and RULES[rule].confidence > RULES["decorated"].confidence
            self.writer.edge(scope, function, "CALLS", manner, "decorated" if replaced else rule, site)
        return function

    def _instance(
        self, scope: int, row: Reference, entity: int, provenance: int, manner: str, rule: str, site: int
    ) -> bool:
        """Write the edges for a call of an instance, or for the initialiser of a member: ``: wheel(4)``."""
        cls = self.entities.payload[entity]
        if row.kind == "new":
            if self.overloads.types.is_value(row.path, scope, row.line, cls):
                self.construction(scope, cls, rule, site, row)
            return True
        found = self.call_instance(scope, cls, rule, manner, site)
        self._called_below(scope, entity, provenance, manner, site, self.rules.special_methods.call)
        return found

    def call_instance(self, scope: int, cls: int, rule: str, manner: str, site: int) -> bool:
        """Write the edges for a call of an instance (Python's ``__call__``); False if its target is unknown."""
        for name in self.rules.special_methods.call:
            if self.special(scope, cls, name, manner, rule, site) >= 0:
                return True
        if self.rules.classes.variants and self.program.symbols[cls].kind == "enum":
            return True
        called = False
        underlying = self.program.underlying(cls)
        for entity in self.points_to(underlying) if underlying >= 0 else ():
            called = called or self.entities.kind[entity] == h.OBJECT
            if self.entities.kind[entity] in (h.FUNC, h.BOUND):
                called = True
                self.writer.edge(scope, self.entities.payload[entity], "CALLS", manner, "flow", site)
        return called

    def _called_below(
        self, scope: int, entity: int, provenance: int, manner: str, site: int, names: tuple[str, ...]
    ) -> None:
        """Write edges to the methods of subclasses that may run when a class or an instance is called.

        A call of the own class, ``type(self)()``, may make instances of each subclass.
        """
        exact = self.entities.kind[entity] == h.CLASS and not self.entities.extra[entity]  # it is not type(self)()
        if exact or (manner == "new" and self.rules.construction.constructor_is_class):
            return
        below = self.hierarchy.descendants(self.entities.payload[entity]) if manner == "new" else ()
        rule = "override-self" if len(below) <= SEVERAL else "override-many"
        own = any(self.hierarchy.method(self.entities.payload[entity], name) >= 0 for name in names)
        for cls in below if provenance == h.SELF and len(below) <= MANY else ():
            self.writer.edge(scope, cls, "USES", "new", rule, site)
            for name in names if not own else ():
                self.special(scope, cls, name, "new", rule, site)
        found = (self.hierarchy.method(self.entities.payload[entity], name) for name in names)
        if (function := next((each for each in found if each >= 0), -1)) >= 0:
            self.overriding(scope, function, entity, provenance, manner, site)

    def overriding(self, scope: int, function: int, receiver: int, provenance: int, manner: str, site: int) -> None:
        """Write edges to the methods of subtypes that override `function` and that the call may run instead."""
        if self.entities.kind[receiver] not in (h.INST, h.CLASS):
            return
        declared = function in self.program.stubs
        if not declared and (not self.entities.extra[receiver] or provenance > h.FLOW):
            return
        known = self.dispatch.overriding(function, self.entities.payload[receiver])
        if self.entities.payload[receiver] in self.hierarchy.crowded:
            self.writer.mark_incomplete()
        targets = [target for target in known if self.program.sees(scope, target)]
        number = len(targets)
        if number > MANY and not self.dispatch.is_bodiless(function):
            self.writer.mark_incomplete()  # of so many targets, less than one in five ran
            return
        rule = self._rule_below(function, number)
        if provenance == h.SELF and not declared and number <= SEVERAL:
            rule = "override-self"
        for target in targets:
            between = rule == "override-self" and self.hierarchy.descendants(self.program.own_class[target])
            self.writer.edge(scope, target, "CALLS", manner, "override-below" if between else rule, site)
        if not targets and self.program.own_class[function] >= 0:
            for target in self.guesses.implementations(function):
                self.writer.edge(scope, target, "CALLS", manner, "name-few", site)

    def _rule_below(self, member: int, number: int) -> str:
        """Return the rule for `number` members of subtypes that may run instead of `member`."""
        if number > SEVERAL:
            return "override-many"
        return "override" if self.dispatch.is_bodiless(member) else "override-below"

    def accessors(self, field: int, provenance: int) -> Mapping[int, str]:
        """Return the properties of subtypes that an access to `field` may run, each with its rule."""
        found = self.dispatch.accessors(field) if provenance < h.FLOW else ()
        return dict.fromkeys(found, self._rule_below(field, len(found))) if 0 < len(found) <= MANY else {}

    def implementing(self, scope: int, entity: int, provenance: int, manner: str, site: int) -> None:
        """Write edges to the methods that implement a method named through its interface or trait: ``T::make()``."""
        receiver = self.entities.extra[entity]
        if receiver and self.entities.kind[entity] == h.FUNC:
            function = self.entities.payload[entity]
            self.overriding(scope, function, receiver, max(provenance, h.TYPE), manner, site)

    def calls_back(self, method: int) -> bool:
        """Return True if `method`, a method of a container or of a function, calls the functions passed to it."""
        name = self.entities.texts[self.entities.extra[method]]
        effect = self.rules.builtins.container_methods.get(name)
        return effect in CALLING or (self.rules.builtins.gives_callbacks and effect in ("element", "same"))


def _rule(provenance: int, number: int, best: int) -> str:
    """Return the key of the rule for one of `number` targets; `best` is the strongest provenance of them all."""
    beside = provenance == h.FLOW and best < h.FLOW
    if number > (MANY if beside else SEVERAL) and provenance in _UNSURE:
        return "many-cut" if number == _MORE else "many"
    if beside:
        return "flow-beside"
    if number == 1 or provenance not in _UNSURE:
        return BY_PROVENANCE[provenance]
    return "flow-few" if provenance == h.FLOW and number <= FEW else f"{BY_PROVENANCE[provenance]}-several"
