"""Declared types: from the text of an annotation to the values that a name with this annotation may have.

An instance of a generic type carries its type arguments: the extra of its abstract value is `FIRST` plus the number of
its list of arguments. Two instances of one type with different arguments are therefore different values. In a method's
result, a type parameter ``T`` depends on the receiver. A subclass of a generic type passes type arguments to its
supertype. In a function's result, ``T`` depends on the argument for the parameter whose type names ``T`` too: the
result is this argument, an instance of it, or an element of it.

A lambda declares no types. The variable, parameter or result to which the lambda is assigned declares them: this
*expected type* is a function type (``(a: A) => R``, ``Predicate<A>``), or an interface whose only method the lambda
implements. The functions of an object literal implement the methods of the interface that is expected of the literal.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.parts import EvaluatorPart, Shared
from codeexplore.resolution.program import UNDERLYING, Parameter
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, INST, OBJECT, UNKNOWN, Watcher
from codeexplore.resolution.type_syntax import TypeExpr, last_part, read_type
from codeexplore.types import Base

_ROLE_OF_MARK = {"|": "union", "[]": "sequence", "{}": "map", "()": "tuple", "->": "callable", "{:}": "shape"}
_WIDE = frozenset({"Any", "any"})  # parts of a union that may be of any type
_OF_ANY = frozenset({"callable", "class", "same", "union"})  # roles of types without members of their own
MAX_DEPTH = 8  # maximal depth of nested aliases and type arguments
LACKED_ABOVE: Final = 2
"""Extra of an instance of a class that has a member which the known class above it lacks."""
FIRST: Final = 3
"""Smallest extra of an instance with type arguments. Extra 0 means exactly its type, 1 its type or a subtype."""
MAX_ARGUMENTS: Final = 20_000
"""Maximal number of distinct lists of type arguments."""
Nodes = Mapping[str, int]
_NONE: Nodes = MappingProxyType({})


class Annotations(EvaluatorPart):
    """Constraint variables of declared types. Equal texts in equal scopes share one constraint variable."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._nodes: dict[tuple[int, str], int] = {}
        self.named: dict[int, tuple[int, TypeExpr]] = {}  # node of another name → scope and type, with type arguments
        self._arguments: list[tuple[int, ...]] = []  # nodes of each list of type arguments
        self._extras: dict[tuple[int, TypeExpr], int] = {}  # (scope, type with arguments) → extra of its instances

    def node(self, scope: int, text: str, line: int) -> int:
        """Return the constraint variable with the values of a declared type, most often an instance of a class."""
        if not text:
            return UNKNOWN
        key = (scope, text)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.solver.node()
            self.apply(scope, read_type(text), node, line)
        return node

    def type_path(self, scope: int, text: str, line: int) -> int:
        """Return the variable of a type's name; with `ScopeRules.types_apart` only types can hide it."""
        root, program, home, hidden = text.partition(".")[0], self.program, scope, not self.rules.classes.open_types
        member = local = False
        if self.rules.scopes.types_apart and root not in self.rules.classes.own_type_names:
            while program.parent[scope] >= 0 and program.symbols[scope].kind != "module":
                node = program.bound(scope, root)
                if node >= 0 and (node in program.type_names or program.defines_type(node)):
                    break
                local = local or (node >= 0 and text != root and program.is_callable(scope))
                member, hidden = member or node >= 0, hidden or (node >= 0 and program.is_callable(scope))
                if node < 0 and program.is_class(scope):
                    found = self.hierarchy.member(scope, root)
                    if found.node >= 0 and program.defines_type(found.node):  # a type inside of a supertype
                        break
                if node < 0 and text == root and program.is_class(scope):
                    member = member or bool(found.fields) or (found.node >= 0 and not program.defines_type(found.node))
                scope = program.parent[scope]
            read = text == root and self.rules.functions.read_signature is not None  # no type is made by a property
            hidden = hidden or (member and (read or program.bound(scope, root) >= 0))  # a member with its type's name
        if local and program.bound(scope, root) < 0:  # outer.new Inner()
            hidden = False
        return self.path(scope if hidden else home, text, line)  # a member outside of its class sees the names in it

    # ----------------------------------------------------------------- type arguments

    def arguments(self, extra: int) -> tuple[int, ...]:
        """Return the constraint variables of the type arguments of an instance with this extra."""
        return self._arguments[extra - FIRST] if extra >= FIRST else ()

    def instantiated(self, scope: int, expr: TypeExpr, line: int) -> int:
        """Return the extra for instances of the type `expr` with its type arguments; see the module."""
        if not expr.args or len(self._arguments) >= MAX_ARGUMENTS:
            return 1
        key = (scope, expr)
        known = self._extras.get(key)
        if known is None:
            known = self._extras[key] = FIRST + len(self._arguments)
            self._arguments.append(())
            self._arguments[known - FIRST] = tuple(self.evaluated(scope, part, line) for part in expr.args)
        return known

    def evaluated(self, scope: int, expr: TypeExpr, line: int, named: Nodes = _NONE) -> int:
        """Return a new constraint variable with the values of the type `expr`. `named` is explained in `apply`."""
        node = self.solver.node()
        self.apply(scope, expr, node, line, named=named)
        return node

    # ----------------------------------------------------------------- values of a type

    def alias(self, scope: int, text: str, target: int, line: int) -> None:
        """Let the classes that the type `text` names flow to `target`, the constraint variable of a type alias."""
        held = self.node(scope, text, line)
        self.solver.on_value(held, (self.on_alias, target))

    def on_alias(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type that has an alias: add the class of the instance to the values of the alias."""
        _, target = watcher
        if self.entities.kind[entity] == INST:
            entity = self.entities.get(CLASS, self.entities.payload[entity])
        self.solver.add(target, entity, evidence)

    def role(self, expr: TypeExpr) -> str:
        """Return the role of a type's arguments, such as "sequence" or "map"; "" for a plain class. See `TypeRole`."""
        if expr.name in _ROLE_OF_MARK:
            return _ROLE_OF_MARK[expr.name]
        return self.rules.builtins.types.get(last_part(expr.name), "")

    def apply(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int = 0, named: Nodes = _NONE) -> None:
        """Let the values of the type `expr` flow to the constraint variable `target`.

        `named` maps names, such as those of type parameters, to constraint variables. These replace the usual meaning
        of the names. `depth` counts the types around `expr`.
        """
        if not expr.name or depth > MAX_DEPTH:
            return
        if expr.name in named:
            self.solver.add_flow(named[expr.name], target)
            return
        role = self.role(expr)
        if self._is_plain(scope, expr, role, line):
            self._plain(scope, expr, target, line, depth, named)
        elif role == "same":
            self.apply(scope, expr.args[0], target, line, depth + 1, named)
        elif role == "union":
            wide = any(last_part(part.name) in _WIDE for part in expr.args)
            inner = self.solver.node() if wide else target
            for part in expr.args:
                self.apply(scope, part, inner, line, depth + 1, named)
            if wide:  # then the value is perhaps none of an outside type
                self.solver.on_value(inner, (self.on_inside, target))
        elif role == "self":
            cls = self.program.class_around(scope)
            if cls >= 0:
                self.solver.add(target, self.entities.get(INST, cls, 1), h.TYPE)
        elif role == "class":
            self._class_itself(scope, expr.args[0], target, line, named)
        elif role != "nothing":
            self._container(scope, expr, role, target, line, depth, named)

    def _class_itself(self, scope: int, expr: TypeExpr, target: int, line: int, named: Nodes) -> None:
        """Let the class `expr` itself, not an instance of it, flow to `target`: ``type[Foo]``."""
        for part in expr.args if expr.name == "|" else (expr,):
            if part.name in named:
                self.solver.on_value(named[part.name], (self.on_alias, target))
            else:
                node = self.path(scope, part.name.replace("::", "."), line)
                self.solver.on_value(node, (self.on_class, target))

    def _is_plain(self, scope: int, expr: TypeExpr, role: str, line: int) -> bool:
        """Return True if the type `expr` means instances of a class, and not a container, a union or a similar type.

        A class of the repository with the name of a known container is such a plain class too.
        """
        if not role or (not expr.args and role not in ("nothing", "self")):
            return True
        if role not in ("sequence", "map", "same") or expr.name in _ROLE_OF_MARK:
            return False
        node = self.type_path(scope, expr.name.replace("::", "."), line)
        return bool(self.program.held(node, CLASS))

    def _plain(self, scope: int, expr: TypeExpr, target: int, line: int, depth: int, named: Nodes) -> None:
        node = self.type_path(scope, expr.name.replace("::", "."), line)
        if node == UNKNOWN:
            return
        if node in self.named and not expr.args:
            scope, expr = self.named[node]
        extra = 1 if named else self.instantiated(scope, expr, line)
        handler = self.on_dependent if self._depends(scope, expr.name.replace("::", ".")) else self.on_type
        self.solver.on_value(node, (handler, target, extra))
        if expr.args:
            element = self.solver.node()
            self.apply(scope, expr.args[-1], element, line, depth + 1, named)
            self.solver.on_value(node, (self.on_generic, target, element))

    def _container(
        self, scope: int, expr: TypeExpr, role: str, target: int, line: int, depth: int, named: Nodes
    ) -> None:
        containers = self.containers
        flavour = {"sequence": "list", "map": "dict", "shape": "dict", "tuple": "tuple"}.get(role, "callable")
        obj = containers.new(flavour)
        if role == "shape":
            for part in expr.args:
                self.apply(scope, part.args[0], containers.field(obj, part.name), line, depth + 1, named)
        elif role == "tuple" and len(expr.args) > 1:
            for place, part in enumerate(expr.args):
                self.apply(scope, part, containers.field(obj, str(place)), line, depth + 1, named)
        elif flavour == "callable":
            taken = expr.args[:-1] if role == "callable" else expr.args * 2 if role == "operator" else expr.args
            for place, part in enumerate(taken):
                self.apply(scope, part, containers.field(obj, f"%{place}"), line, depth + 1, named)
            if role != "consumer":
                self.apply(scope, expr.args[-1], containers.field(obj, "()"), line, depth + 1, named)
        else:
            part = expr.args[-1] if role == "map" else expr.args[0]
            self.apply(scope, part, containers.field(obj, "[]"), line, depth + 1, named)
            if role == "map" and len(expr.args) > 1:
                self.apply(scope, expr.args[0], containers.field(obj, "%keys"), line, depth + 1, named)
        self.solver.add(target, self.entities.get(OBJECT, obj), h.TYPE)

    def on_type(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: add an instance of the class to the values of the declared type."""
        _, target, extra = watcher
        kind = self.entities.kind[entity]
        if kind == CLASS:
            if self.program.is_object(self.entities.payload[entity]):
                return  # the type of the same name is meant, not the object
            instance = self.entities.get(INST, self.entities.payload[entity], extra)
            self.solver.add(target, instance, max(evidence, h.TYPE))
        elif kind == OBJECT or (
            kind == EXTERNAL and not self.opaque(entity)
        ):  # an outside class and its instances are one value
            self.solver.add(target, entity, max(evidence, h.TYPE))

    def _depends(self, scope: int, text: str) -> bool:
        """Return True for a member of a type parameter, an alias or the own type: ``T::Item`` may be any type."""
        root, dot, _ = text.partition(".")
        while dot and scope >= 0 and root not in self.rules.classes.own_type_names:
            if (node := self.program.bound(scope, root)) >= 0:
                imported = self.rules.scopes.types_apart and self.program.symbols[scope].kind == "module"
                return node in self.program.type_names and not imported
            scope = self.program.parent[scope]
        return dot != "" and scope >= 0

    def on_dependent(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of such a type's name, except a name from outside."""
        if self.entities.kind[entity] != EXTERNAL:
            self.on_type(watcher, entity, evidence)

    def on_inside(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type that may be any other, too: add it to `target` unless it is from outside."""
        if self.entities.kind[entity] != EXTERNAL:
            self.solver.add(watcher[1], entity, evidence)

    def opaque(self, entity: int) -> bool:
        """Return True for an outside type whose instances may be anything, such as classes: ``kind: type``."""
        name, classes = self.entities.external_name(entity), self.rules.classes
        role = self.rules.builtins.types.get(name.rpartition(".")[2])
        return name in classes.metaclass_names or role == "nothing" or (classes.metaclasses and role in _OF_ANY)

    def on_class(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: add the class itself to the values of ``type[Foo]``."""
        _, target = watcher
        kind = self.entities.kind[entity]
        if kind == CLASS:
            cls = self.entities.get(CLASS, self.entities.payload[entity], 1)
            self.solver.add(target, cls, max(evidence, h.TYPE))
        elif kind == EXTERNAL and not self.opaque(entity):
            self.solver.add(target, entity, max(evidence, h.TYPE))

    def on_generic(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a type's name: for a generic outside type, add a container of its type argument.

        Where types lend the members of others (``Deref``), the outside type may be a guard that lends the argument's.
        """
        _, target, argument = watcher
        if self.entities.kind[entity] == EXTERNAL:
            if self.rules.special_methods.deref:
                self.solver.add_flow(argument, target, h.RELATED)
            containers = self.containers
            obj = containers.new("list")
            self.solver.add_flow(argument, containers.field(obj, "[]"))
            self.solver.add(target, self.entities.get(OBJECT, obj), max(evidence, h.TYPE))


class Passing(NamedTuple):
    """A parameter that determines a function's result.

    The result is the argument itself, an instance of it (if it is a class), or an element of it.
    """

    parameter: Parameter
    how: str  # "itself", "instance", "element"


class Generics(EvaluatorPart):
    """Declarations that name type parameters, and the values that they have for given type arguments."""

    def __init__(self, shared: Shared, annotations: Annotations) -> None:
        super().__init__(shared)
        self.annotations = annotations
        self.parameters: dict[int, list[str]] = {}  # type → names of its type parameters
        self.aliases: dict[int, dict[str, TypeExpr]] = {}  # type → other names that it gives to types
        self.free: set[str] = set()  # names that are type parameters everywhere (TypeVar)
        self.results: dict[int, TypeExpr] = {}  # method → declared result that names a type parameter
        self.fields: dict[int, tuple[int, TypeExpr]] = {}  # node of a field → (its scope, declared type)
        self.passing: dict[int, list[Passing]] = {}  # function → parameters that determine its result
        self.above: dict[tuple[int, int], tuple[int, tuple[TypeExpr, ...]]] = {}  # (class, supertype) → type arguments
        self._mapped: dict[tuple[int, int], Nodes] = {}
        self._substituted: dict[tuple[int, int], int] = {}

    # ----------------------------------------------------------------- collection of generic declarations

    def learn_all(self) -> None:
        """Record the generic declarations of all files: first type parameters, then types that name them."""
        for first, rows in zip(self.program.first, self.program.bindings, strict=True):
            for scope, name, manner, written, value in rows.fields("scope", "name", "manner", "type", "value"):
                if manner == "type":
                    node = self.program.bound(first + scope, name)
                    if written and self.program.names_type(node):
                        expr = self.aliases.setdefault(first + scope, {})[name] = read_type(written)
                        if self.annotations.role(expr) == "" and expr.args:
                            self.annotations.named[node] = (first + scope, expr)
                    else:
                        self.note_parameter(first + scope, name)
                elif value.endswith("TypeVar()"):
                    self.free.add(name)
        for file in range(len(self.program.files)):
            self._learn_declared(file)

    def _learn_declared(self, file: int) -> None:
        """Record the supertypes with type arguments in a file, and the declared results that name a type parameter."""
        first, facts = self.program.first[file], self.program.files[file]
        for base in facts.bases:
            if base.arguments and not base.type:
                self._note_base(first + base.scope, base)
        told = {back.scope for back in facts.returns if back.manner != "type" and back.value}
        for back in facts.returns:
            if back.manner == "type":
                self.note_result(first + back.scope, read_type(back.value), back.scope in told)

    def _note_base(self, cls: int, base: Base) -> None:
        arguments = tuple(read_type(text) for text in base.arguments)
        for argument in arguments:
            if argument.name in self.free and not argument.args:
                self.note_parameter(cls, argument.name)
        node = self.path(max(self.program.parent[cls], 0), base.path, base.line)
        known = self.program.held(node, CLASS)
        for above in known:
            self.above[cls, above] = (cls, arguments)
        if not known and self.annotations.role(TypeExpr(base.path)) in ("sequence", "map"):
            self._hold_items(cls, TypeExpr(base.path, arguments), base.line)

    def _hold_items(self, cls: int, container: TypeExpr, line: int) -> None:
        """Give the class `cls`, which extends a container from outside, the declared elements of this container."""
        node = self.program.variable(cls, UNDERLYING)
        self.annotations.apply(cls, container, node, line)
        for child in self.hierarchy.descendants(cls):
            self.solver.add_flow(node, self.program.variable(child, UNDERLYING))

    def note_parameter(self, cls: int, name: str) -> None:
        known = self.parameters.setdefault(cls, [])
        if name not in known:
            known.append(name)

    def note_result(self, function: int, expr: TypeExpr, told: bool = False) -> None:
        """Record the declared result of a function.

        `told` is True if the function returns values in its body. Then the body decides the result, because a decorator
        may declare the type of its argument as its result and return a wrapper.
        """
        own = self.program.own_class[function]
        if own >= 0 and self._mentions(expr, self._names_of(own)):
            self.results[function] = expr
        names = self.free.union(self.parameters.get(function, ()))
        if not names:
            return
        wanted = self._plain(expr)
        if wanted not in names:
            return
        for parameter in self.program.parameters.get(function, ()):
            how = self._how(read_type(parameter.type), wanted)
            if how and not (told and how == "itself"):
                self.passing.setdefault(function, []).append(Passing(parameter, how))

    def note_field(self, node: int, cls: int, scope: int, text: str) -> None:
        """Record the declared type of a field of the class `cls`, if the type names a type parameter of the class."""
        names = self._names_of(cls)
        if names and self._mentions(read_type(text), names):
            self.fields[node] = (scope, read_type(text))

    def _names_of(self, cls: int) -> frozenset[str]:
        """Return the type parameters of a class, and its other names for types, if it has type parameters."""
        names = self.parameters.get(cls)
        return frozenset((*names, *self.aliases.get(cls, ()))) if names else frozenset()

    def _mentions(self, expr: TypeExpr, names: frozenset[str]) -> bool:
        return expr.name in names or any(self._mentions(part, names) for part in expr.args)

    def _plain(self, expr: TypeExpr) -> str:
        """Return the name of a type without arguments, or of ``T`` for ``Optional[T]``; "" for other types."""
        role = self.annotations.role(expr)
        if role == "same" and expr.args:
            return self._plain(expr.args[0])
        if role == "union":
            named = [part for part in expr.args if part.name not in ("None", "null", "undefined")]
            return self._plain(named[0]) if len(named) == 1 else ""
        return "" if expr.args else expr.name

    def _how(self, expr: TypeExpr, wanted: str) -> str:
        if self._plain(expr) == wanted:
            return "itself"
        role = self.annotations.role(expr)
        if role == "class" and expr.args and expr.args[0].name == wanted:
            return "instance"
        if role in ("sequence", "map") and expr.args and expr.args[-1].name == wanted:
            return "element"
        return ""

    # ----------------------------------------------------------------- substitution of type arguments

    def _mapping(self, receiver: int, owner: int) -> Nodes:
        """Return the type arguments that an instance has for the type parameters of the class `owner`.

        The keys are names of type parameters, the values constraint variables. `receiver` is the abstract value of an
        instance of `owner` or of a subtype.
        """
        key = (receiver, owner)
        known = self._mapped.get(key)
        if known is None:
            self._mapped[key] = {}  # the hierarchy may be cyclic
            known = self._mapped[key] = self._map(receiver, owner)
        return known

    def _map(self, receiver: int, owner: int) -> Nodes:
        cls, extra = self.entities.payload[receiver], self.entities.extra[receiver]
        given = self.annotations.arguments(extra)
        current: Nodes = dict(zip(self.parameters.get(cls, ()), given, strict=False))
        chain = self._chain(cls, owner)
        for below, above in itertools.pairwise(chain):
            scope, arguments = self.above.get((below, above), (below, ()))
            nodes = [self.annotations.evaluated(scope, part, 0, current) for part in arguments]
            names = self.parameters.get(above, [])
            following = dict(zip(names, nodes, strict=False))
            current = following or {name: current[name] for name in names if name in current}
        for name, expr in self.aliases.get(owner, {}).items() if current else ():
            if self._mentions(expr, frozenset(current)):
                current = {**current, name: self.annotations.evaluated(owner, expr, 0, current)}
        return current

    def _chain(self, cls: int, owner: int) -> list[int]:
        """Return the classes from `cls` up to its supertype `owner`, both included, along a shortest path."""
        came: dict[int, int] = {cls: -1}
        pending = [cls]
        for current in pending:
            if current == owner:
                break
            for known in self.hierarchy.supers.get(current, ()):
                if known.parent not in came:
                    came[known.parent] = current
                    pending.append(known.parent)
        chain = [owner] if owner in came else []
        while chain and came[chain[-1]] >= 0:
            chain.append(came[chain[-1]])
        return chain[::-1]

    def add_result(self, function: int, receiver: int, target: int, evidence: int, itself: bool = True) -> bool:
        """Let the result for one receiver flow to `target`; True if the receiver's type arguments determine it.

        `itself` is False where neither the receiver nor another object of its class can be the result.
        """
        kind, payload, extra = self.entities.kind, self.entities.payload, self.entities.extra
        if itself and function in self.program.returns_receiver:
            self.solver.add(target, receiver, max(evidence, h.TYPE))
        if itself and function in self.program.returns_like and kind[receiver] in (INST, CLASS):
            self.solver.add(target, self.entities.get(INST, payload[receiver], extra[receiver]), max(evidence, h.TYPE))
        expr = self.results.get(function)
        if expr is None or kind[receiver] != INST:
            return False
        self.solver.add_flow(self._node(function, function, expr, receiver), target, max(evidence, h.RETURN))
        return self._is_fixed(expr, receiver, function)

    def _is_fixed(self, expr: TypeExpr, receiver: int, scope: int) -> bool:
        """Return True if the type `expr` is a type parameter, and the receiver has a type argument for it."""
        if expr.args or self.entities.extra[receiver] < FIRST or not self.rules.functions.results_exact:
            return False
        return expr.name in self._mapping(receiver, self.program.class_around(scope))

    def add_field(self, field: int, receiver: int, target: int, evidence: int) -> bool:
        """Let a field of a generic receiver flow to `target`; True if its type arguments determine it."""
        known = self.fields.get(field)
        if known is None or self.entities.kind[receiver] != INST:
            return False
        self.solver.add_flow(self._node(~field, known[0], known[1], receiver), target, max(evidence, h.TYPE))
        return self._is_fixed(known[1], receiver, known[0])

    def _node(self, key: int, scope: int, expr: TypeExpr, receiver: int) -> int:
        node = self._substituted.get((key, receiver))
        if node is None:
            owner = self.program.class_around(scope)
            if owner >= 0:
                node = self.annotations.evaluated(scope, expr, 0, self._mapping(receiver, owner))
            else:
                node = self.solver.node()
            self._substituted[key, receiver] = node
        return node

    def pass_on(self, function: int, argument: int, parameter: Parameter, target: int, evidence: int) -> None:
        """Let the result of a generic function flow to `target`, as far as one argument determines it."""
        for passing in self.passing.get(function, ()):
            if passing.parameter is not parameter:
                continue
            if passing.how == "itself":
                self.solver.add_flow(argument, target, max(evidence, h.RETURN))
            elif passing.how == "instance":
                self.solver.on_value(argument, (self.annotations.on_type, target, 0))
            else:
                self.solver.add_flow(self.steps.follow(argument, ("[*]",), 0, 0), target, max(evidence, h.ELEMENT))


_WITH_BODY = frozenset({"default", "static", "private"})  # modifiers of methods that a lambda does not implement


class ExpectedTypes(EvaluatorPart):
    """Expected types, and the functions that are matched with them.

    `fits` has pairs of a function in an object literal and the interface method that it implements.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.fits: dict[tuple[int, int], None] = {}
        self._abstract_methods = cache(self._find_abstract_methods)

    def expect(self, declared: int, node: int) -> None:
        """Expect the values of `node` to have the type whose values are those of `declared`."""
        if declared != UNKNOWN and node != UNKNOWN:
            self.solver.on_value(declared, (self.on_declared, node))

    def on_declared(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a value of a declared type: expect other values to have this type."""
        _, others = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == OBJECT and self.containers.flavour[payload] == "callable":
            places = self.containers.fields[payload]
            sources = tuple(places.get(f"%{place}", UNKNOWN) for place in range(len(places)))
            if any(source != UNKNOWN for source in sources):
                self.solver.on_value(others, (self.on_value, sources, -1))
        elif kind == INST and self.program.symbols[payload].kind in ("interface", "type"):
            methods = self._abstract_methods(payload)
            if len(methods) == 1:
                self.solver.on_value(others, (self.on_value, self._parameters(methods[0]), payload))
            elif methods:
                self.solver.on_value(others, (self.on_value, (), payload))

    def on_value(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function or object literal: match it with the parameters and the interface (or -1) of its type."""
        _, parameters, interface = watcher
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind == FUNC:
            self._link(payload, parameters)
        elif kind == OBJECT and interface >= 0 and self.containers.flavour[payload] == "dict":
            for method in self._abstract_methods(interface):
                node = self.containers.field(payload, self.program.symbols[method].name)
                self.solver.on_value(node, (self.on_member, method))

    def on_member(self, watcher: Watcher, entity: int, evidence: int) -> None:
        """Handle a function in an object literal: match it with the interface method that it implements."""
        _, method = watcher
        if self.entities.kind[entity] == FUNC and evidence <= h.TYPE:
            function = self.entities.payload[entity]
            self._link(function, self._parameters(method))
            self.fits[function, method] = None

    def _find_abstract_methods(self, cls: int) -> tuple[int, ...]:
        """Return the methods of an interface that have no body, including inherited methods."""
        found: dict[str, int] = {}
        for current in self.hierarchy.order(cls):
            for node in (self.program.names[current] or {}).values():
                for function in self.program.defined.get(node, ()):
                    symbol = self.program.symbols[function]
                    if self.program.is_callable(function) and not _WITH_BODY & set(symbol.signature.split()[:3]):
                        found.setdefault(symbol.name, function)
        return tuple(found.values())

    def _parameters(self, function: int) -> tuple[int, ...]:
        return tuple(p.node for p in self.program.parameters.get(function, ()) if p.manner == "parameter")

    def _link(self, function: int, sources: tuple[int, ...]) -> None:
        for source, parameter in zip(sources, self.program.parameters.get(function, ()), strict=False):
            if source != UNKNOWN and not parameter.type and parameter.manner == "parameter":
                self.solver.add_flow(source, parameter.node, h.TYPE)
