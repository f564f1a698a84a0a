"""Supertypes before values flow: those that types name, classes that calls make or change, and structural types.

A metaclass makes a class without a definition: ``Checker = Meta("Checker", (Base, Rules), {…})``. A class decorator may
return a subclass, which replaces the decorated class under its name. The subclass then comes before the decorated class
in the resolution order; see `Hierarchy.made_of`. A *structural* type satisfies an interface by having its methods (Go
interfaces, Python protocols).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import EMBEDDING, IN_PART
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.program import UNDERLYING
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, OBJECT
from codeexplore.resolution.type_syntax import read_type
from codeexplore.types import METACLASS, Base, Binding


class Supertypes(EvaluatorPart):
    """Records the supertypes that types name."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.shared)
        self.forget_names, self.annotations = evaluator.forget_names, evaluator.annotations
        self._left: list[tuple[int, Base]] = []  # supertypes that were not found, with the first scope of their files
        self._of_outside: dict[str, list[tuple[int, str, int, int]]] = {}  # outside type → its supertypes here, places

    def link(self) -> None:
        """Record every resolved supertype.

        The expressions of supertypes are evaluated again where they are used: a base such as ``self.handler_class`` was
        read here before the subclasses that assign it were known. A supertype may be a member that the class around
        inherits. Therefore those not found are searched again, as long as a search finds more.
        """
        program, unused = self.program, self.solver.node()
        metaclasses = [
            (first + row.scope, self.path(max(program.parent[first + row.scope], first), row.value, row.line))
            for first, rows in zip(program.first, program.bindings, strict=True)
            for row in (rows if self.rules.classes.metaclasses else ())
            if row.name == METACLASS
        ]
        rows = [(first, row) for first, facts in zip(program.first, program.files, strict=True) for row in facts.bases]
        left = self._left = self._link_some_bases(rows)
        for cls, node in metaclasses:
            for metaclass in program.held(node, CLASS):
                self.hierarchy.add_metaclass(cls, metaclass)
        while self.rules.scopes.members_visible and len(left) < len(rows):
            self.hierarchy.forget()
            self.forget_names()
            rows, left = left, self._link_some_bases(left)
        if self.rules.classes.structural:
            self._copy_fields()
        self._link_bases_of_outside_types()
        self.steps.forget_from(unused)

    def _link_bases_of_outside_types(self) -> None:
        """Record the supertypes that the repository gives to outside types: ``impl<T: Deserialize> Load for T``."""
        for cls, outside in [*self.hierarchy.outside.items()] if self._of_outside else ():
            for name in [each for each in outside if each in self._of_outside]:
                for entity, manner, file, line in self._of_outside[name]:
                    self.hierarchy.add(cls, entity, manner, file, line)

    def _copy_fields(self) -> None:
        """Give a type that is defined by a struct, as by ``type Press Key``, its fields and embedded types."""
        program, nodes = self.program, list[tuple[int, int]]()
        for first, rows in zip(program.first, program.bindings, strict=True):
            for scope, name, text, line in rows.fields("scope", "name", "type", "line"):
                if name == UNDERLYING and read_type(text).name == text.partition("[")[0]:
                    cls = first + scope
                    nodes.append((cls, self.annotations.type_path(max(program.parent[cls], 0), text, line)))
        self.solver.solve()
        defined = {cls: by for cls, node in nodes for by in program.held(node, CLASS)}
        for cls, by in defined.items():
            struct, seen = by, {cls}
            while struct in defined and struct not in seen:
                seen.add(struct)
                struct = defined[struct]
            if program.symbols[struct].kind in self.rules.construction.record_kinds:
                self._copy_from(struct, cls)

    def _copy_from(self, struct: int, cls: int) -> None:
        program, hierarchy = self.program, self.hierarchy
        own = program.names[cls]
        for name, node in (program.names[struct] or {}).items():
            if own is not None and node in program.constants and node not in program.defined:
                own.setdefault(name, node)
        for known in hierarchy.supers.get(struct, ()):
            hierarchy.add(cls, self.entities.get(CLASS, known.parent), known.manner, program.file_of[cls], known.line)
        hierarchy.outside.setdefault(cls, {}).update(hierarchy.outside.get(struct, {}))
        hierarchy.copied.add(cls)

    def link_more(self) -> None:
        """Record the supertypes that are known since `MadeClasses` made classes."""
        self.hierarchy.forget()
        self.forget_names()
        self._link_some_bases(self._left)

    def _link_some_bases(self, rows: Sequence[tuple[int, Base]]) -> list[tuple[int, Base]]:
        """Record the supertypes in `rows`, with the first scope of their files. Return the rows that are not found."""
        program, found = self.program, list[tuple[int, int]]()  # node of the subtype, node of the supertype
        for first, row in rows:
            scope = first + row.scope
            in_body = self.rules.classes.mixins and row.manner in EMBEDDING  # the body of the type names it
            around = program.parent[scope] if program.is_class(scope) and not in_body else scope
            own = self.path(scope, row.type, row.line) if row.type else self.known.type_itself(scope)
            found.append((own, self.path(max(around, first), row.path, row.line)))
        self.solver.solve()
        for (own, node), (first, row) in zip(found, rows, strict=True):
            file, kinds = program.file_of[first], self.entities.kind
            subs = [sub for sub in self.solver.points_to(own) if kinds[sub] in (CLASS, FUNC)]
            for entity in self.solver.points_to(node):
                for sub in subs:
                    if kinds[sub] == CLASS or self.rules.classes.prototype:
                        self.hierarchy.add(self.entities.payload[sub], entity, row.manner, file, row.line)
                if not subs:
                    given = (entity, file, row.line, row.type)
                    self.hierarchy.elsewhere.setdefault(first + row.scope, []).append(given)
                    outside = (
                        self.entities.external_name(sub) for sub in self.solver.points_to(own) if kinds[sub] == EXTERNAL
                    )
                    for name in outside:
                        self._of_outside.setdefault(name, []).append((entity, row.manner, file, row.line))
        return [row for row, (_, node) in zip(rows, found, strict=True) if not self.solver.points_to(node)]


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


MAX_SATISFYING = 200
"""Maximal number of types related to one interface. An interface with more types is too general to be of use."""

PAIRS_PER_TYPE = 20
"""Maximal number of (type, interface) pairs for each type that has methods. Not measured on real Go."""

LEAST_PAIRS = 2_000
"""Number of pairs that a family may have whatever its size. Later interfaces get at most `FEW_SATISFYING` types."""

FEW_SATISFYING = 8

_NAMES = re.compile(r"\b([A-Za-z_]\w*\.)?([A-Za-z_]\w*)")
_ARGUMENTS = re.compile(r"\[[^\[\]]*\]")
_VERSION = re.compile(r"/v\d+$")
_LONGEST = 1_000  # characters of a type whose lists of parameters are read
_LIST = re.compile(r"\(([^()]*)\)")  # an innermost list of parameters or results
_NAMED = re.compile(r"(?!(?:chan|func|map|struct|interface)\b)\w+ +[^ ]")
_PARAMETER = re.compile(r"[*\[\].]*[A-Z]\w?")  # a name that is probably a type parameter

Shape = tuple[str, ...]


class Structure(EvaluatorPart):
    """Relates types to the interfaces all of whose methods they have.

    Methods are compared by name. Where types fit by structure alone (Go), their signatures are compared too: the types
    of parameters and results as written, with the package of each name resolved.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._shape = cache(self._find_shape)
        files = self.program.files  # file → name of an imported package → its path
        self._imported = cache(lambda file: {row.name: row.module for row in files[file].imports})
        self._defined = cache(self._find_defined)

    def relate(self) -> None:
        methods, self._embedding = self._methods(), self._find_embedding()
        interfaces = self._interfaces()
        asked: frozenset[str] = frozenset().union(*(methods.get(interface, ()) for interface in interfaces))
        having: dict[str, list[int]] = {name: [] for name in asked}
        for cls, names in methods.items():
            for name in names & asked:
                having[name].append(cls)
        pairs = LEAST_PAIRS + PAIRS_PER_TYPE * len(methods)
        for interface in interfaces:
            wanted = methods.get(interface, frozenset())
            if not wanted:
                continue
            usual = not self.rules.classes.structural and wanted <= self.rules.builtins.common_methods  # as __call__
            rarest = min(wanted, key=lambda name: len(having[name]))
            most = MAX_SATISFYING if pairs > 0 and not usual else FEW_SATISFYING
            types = [cls for cls in having[rarest] if not usual or self._takes_same(cls, interface, wanted)]
            pairs -= self._relate(interface, wanted, types, methods, most)
            self._relate_in_part(interface, wanted, methods)

    def _relate_in_part(self, interface: int, wanted: frozenset[str], methods: dict[int, frozenset[str]]) -> None:
        """Relate types with half of the `wanted` methods to an interface, if an outside type may give them the others.

        An outside type has no private methods of the interface.
        """
        found = 0
        for cls in self._embedding:
            has = wanted & methods.get(cls, frozenset())
            if found == FEW_SATISFYING or not self.program.work.spend(1):
                break
            partly = len(has) < len(wanted) <= 2 * len(has) and not any(name[:1].islower() for name in wanted - has)
            if partly and self._fits(cls, interface, has):
                self._add(cls, interface, IN_PART)
                found += 1

    def _find_embedding(self) -> list[int]:
        """Return the types that embed an outside type whose methods are not known."""
        outside, known = self.hierarchy.outside, self.rules.classes.outside_methods
        return [
            cls
            for cls in range(len(self.program.symbols) if self.rules.classes.structural else 0)
            if self.program.is_class(cls)
            and any(
                above.manner == "embeds" and name not in known
                for each in self.hierarchy.order(cls)
                for name, above in outside.get(each, {}).items()
            )
        ]

    def _relate(
        self, interface: int, wanted: frozenset[str], having: list[int], methods: dict[int, frozenset[str]], most: int
    ) -> int:
        """Relate at most `most` types among `having` with the `wanted` methods to an interface; return their number."""
        found = 0
        for cls in having:
            if cls == interface or not wanted <= methods[cls]:
                continue
            if found == most or not self.program.work.spend(1):
                self.hierarchy.crowded.add(interface)
                name = self.program.symbols[interface].name
                self.program.work.leave_out(
                    "interfaces that many types satisfy, of which only the first are told", name
                )
                break
            if not self.rules.classes.structural or self._fits(cls, interface, wanted):
                self._add(cls, interface)
                found += 1
        return found

    def _interfaces(self) -> list[int]:
        symbols, outside = self.program.symbols, self.hierarchy.outside
        if self.rules.classes.structural:
            return [number for number, symbol in enumerate(symbols) if symbol.kind == "interface"]
        bases = self.rules.classes.structural_bases
        return [cls for cls in outside if any(base.rpartition(".")[2] in bases for base in outside[cls])]

    def _methods(self) -> dict[int, frozenset[str]]:
        program = self.program
        own: dict[int, set[str]] = {}
        for function, cls in enumerate(program.own_class):
            if cls >= 0:
                own.setdefault(cls, set()).add(program.symbols[function].name)
        if not self.rules.classes.structural:  # protocols ask for fields too
            for number, symbol in enumerate(program.symbols):
                if symbol.kind == "field":
                    own.setdefault(program.parent[number], set()).add(symbol.name)
        found: dict[int, frozenset[str]] = {}
        for cls in [number for number in range(len(program.symbols)) if program.is_class(number)]:
            order, known = self.hierarchy.order(cls), self.rules.classes.outside_methods
            names: frozenset[str] = frozenset().union(*(own.get(c, ()) for c in order))
            if known:
                bases = (base for each in order for base in self.hierarchy.outside.get(each, ()))
                names = names.union(*(known.get(base, ()) for base in bases))
            if names:
                found[cls] = names
        return found

    def _fits(self, cls: int, interface: int, wanted: frozenset[str]) -> bool:
        """Return True if the signatures of a type's methods match those of the interface.

        Methods in lower case cannot match an interface of another package, because they are private.
        """
        program = self.program
        if program.symbols[cls].kind == "interface":
            return False
        unit = program.locator.unit_of(program.file_of[cls])
        foreign = unit != program.locator.unit_of(program.file_of[interface])
        generic = self._is_generic(cls) or self._is_generic(interface)
        asked = self.hierarchy.methods(interface)
        for name in wanted:
            if foreign and name[:1].islower():
                return False
            ours, theirs = self.hierarchy.method(cls, name), asked.get(self.program.method_name(name), -1)
            if ours < 0 or theirs < 0:
                continue
            one, other = self._shape(ours), self._shape(theirs)
            if one != other and not (generic and _alike(one, other)):
                return False
        return True

    def _takes_same(self, cls: int, interface: int, wanted: frozenset[str]) -> bool:
        """Return True if the methods of a type take what the interface asks: no more parameters, of the same types."""
        for name in wanted:
            ours, theirs = (
                self.program.parameters.get(self.hierarchy.method(each, name), ()) for each in (cls, interface)
            )
            types = [(a.type.strip("\"'"), b.type.strip("\"'")) for a, b in zip(ours, theirs, strict=False)]
            more = [each for each in ours[len(theirs) :] if not each.optional and each.manner == "parameter"]
            if len(types) < len(theirs) or more or any(a and b and a != b for a, b in types):
                return False
        return True

    def _is_generic(self, cls: int) -> bool:
        names = self.program.names[cls] or {}
        return any(node in self.program.type_names for name, node in names.items() if name[0] != "%")

    def _find_shape(self, function: int) -> Shape:
        program = self.program
        types = [p.type for p in program.parameters.get(function, ())]
        types.append(program.result_types.get(function, ""))
        plain = ["".join(_without_names(text).split()).replace("interface{}", "any") for text in types]
        around = program.names[max(program.own_class[function], 0)] or {}
        own = {name for name, node in around.items() if node in program.type_names}  # type parameters
        full = partial(self._full_name, program.file_of[function], own)
        return tuple(_NAMES.sub(full, text) for text in plain)

    def _full_name(self, file: int, parameters: Collection[str], found: re.Match[str]) -> str:
        """Return the name of a type in a signature, with the number of its package if it is in the repository."""
        package, name = found.group(1), found.group(2)
        if not package and name in parameters:
            return name
        if not package:
            own = self.program.bound(self.program.first[file], name)
            unit = self.program.locator.unit_of(file)
            known = own >= 0 or name in self._defined(unit)
            return f"{unit}.{name}" if known else self.rules.classes.same_types.get(name, name)
        module = self._imported(file).get(package[:-1], package[:-1])
        unit = self.program.locator.locate(file, module).unit
        if unit < 0:  # golang.org/x/net/context has the types of context
            module = _VERSION.sub("", module).rpartition("/")[2]
        return f"{unit if unit >= 0 else module}.{name}"

    def _find_defined(self, unit: int) -> frozenset[str]:
        """Return the names that the files of a package define."""
        scopes = [self.program.first[each] for each in self.program.units.files[unit]]
        return frozenset(name for s in scopes for name in self.program.names[s] or ())

    def _add(self, cls: int, interface: int, manner: str = "satisfies") -> None:
        if interface not in self.hierarchy.order(cls) and cls not in self.hierarchy.order(interface):
            self.hierarchy.satisfies(cls, interface, manner)


def _without_names(text: str) -> str:
    """Return a type without the names of parameters and results in it: ``func(uint8,uint8)`` of ``func(a, b uint8)``.

    The lists are replaced from the inside to the outside, in brackets that stand for parentheses meanwhile.
    """
    while len(text) <= _LONGEST and (found := _LIST.search(text)) is not None:
        parts: list[str] = [part.strip() for part in found[1].split(",")]
        type_, types = "", list[str]()
        if any(_NAMED.match(part) for part in parts):
            for part in reversed(parts):
                type_ = part.partition(" ")[2].strip() or type_
                types.append(type_)
            parts = types[::-1]
        text = f"{text[: found.start()]}\x01{';'.join(parts)}\x02{text[found.end() :]}"
    return text.replace("\x01", "(").replace("\x02", ")").replace(";", ",")


def _alike(one: Shape, other: Shape) -> bool:
    """Return True if two signatures are equal except for type parameters and type arguments."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        _ARGUMENTS.sub("", a) == _ARGUMENTS.sub("", b) or _PARAMETER.fullmatch(a) or _PARAMETER.fullmatch(b)
        for a, b in pairs
    )
