"""Demand-driven program slices: the facts on which a few uses depend, collected by following names.

A resolution of the whole repository evaluates every expression. The targets of one call depend on few of them: on the
values of the names in its path, on the imports, definitions and assignments that bind these names, on the results of
the functions among them, and on the supertypes of the types. `ProgramSlice` follows these dependences backwards from
the uses in question, nearest first, until nothing new appears or a budget is spent. The resolver then solves the slice
as if it were the whole program. This is demand-driven analysis (Heintze and Tardieu 2001) with names as demands: names
find more than values do, and the resolver drops the rest.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from codeexplore.graph.build.calls import MAX_BY_NAME
from codeexplore.graph.demand.facts_index import PARAMETERS, FactsIndex, last_of, names_of, root_of, root_of_anonymous
from codeexplore.graph.demand.slice_part import SlicePart
from codeexplore.resolution.module_tree import imported

if TYPE_CHECKING:
    from codeexplore.graph.demand.family import Family
    from codeexplore.graph.demand.slice_part import SlicedFile
    from codeexplore.types import Binding, Import, Reference

MOST_ROWS: Final = 12_000
"""Facts that one slice resolves. 1,000 of them take about 40 ms of processor time."""

MOST_READ: Final = 60_000
"""Facts of all files that one slice reads. 1,000 of them take about 10 ms, or 25 ms if they are not extracted yet."""

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__call__", "__post_init__", "constructor", "<init>", "new"})
_CALLS: Final = frozenset({"call", "new"})


class ProgramSlice:
    """The facts on which some uses depend.

    Parameters
    ----------
    family
        The files of one language family.

    Attributes
    ----------
    cut
        True if a budget ended the slice, so that something that it depends on is missing.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        classes, modules = family.rules.classes, family.rules.modules
        self._open_packages = classes.structural or classes.open_types  # methods of a type may be in other files
        self._shares_names = modules.linked or not modules.manifests  # names need no import
        self._making = _CONSTRUCTORS.union(family.rules.special_methods.subclass)
        self._dispatched: set[str] = set()  # methods whose overriding methods are in question too
        self._overridden: set[tuple[str, str]] = set()
        self._taking: set[str] = set()  # functions that are given a function
        self.parts: dict[str, SlicePart] = {}
        self.cut = False
        self._rows, self._read = MOST_ROWS, MOST_READ
        self._members: set[str] = set()
        self._units: set[int] = set()  # packages of several files from which members are taken
        self._todo: deque[Callable[[], None]] = deque()

    # ----------------------------------------------------------------- demands

    def read(self, path: str) -> FactsIndex | None:
        """Return the facts of a file, which is then part of the slice; None if the budget is spent."""
        part = self._part(path)
        return None if part is None else part.index

    def use(
        self, path: str, rows: Iterable[int], *, dispatch: bool = False, passed: Collection[str] | None = None
    ) -> None:
        """Demand the values of references, given by their rows among the references of a file.

        Parameters
        ----------
        dispatch
            True to follow calls of a method also to the methods that override it, but not calls by syntax (too many
            types have methods such as ``__iter__``) nor calls of constructors (the type is known).
        passed
            Last names of the arguments that may be the answer. By default these are the arguments that are no calls:
            they may be functions.
        """
        part = self._part(path)
        if part is not None:
            for row in rows:
                reference = part.index.facts.references[row]
                self._todo.append(partial(self._reference, part, row, self._needed_arguments(reference, passed)))
                if dispatch and reference.kind in _CALLS and (name := last_of(reference.path)) not in self._making:
                    self._dispatched.add(name)

    def _needed_arguments(self, reference: Reference, passed: Collection[str] | None) -> list[int]:
        """Return the positions of the arguments on which the targets of a reference depend."""
        rules = self.family.rules
        if rules.overloading.decides or reference.path in rules.special_methods.protocols:
            return list(range(len(reference.args)))
        values = (argument.rpartition("=")[2] for argument in reference.args)
        return [
            position
            for position, value in enumerate(values)
            if value[-1:] != ")" and (passed is None or last_of(value) in passed)
        ]

    def define(self, path: str, scopes: Iterable[int]) -> None:
        """Demand definitions: their supertypes, results and members as far as they are named."""
        part = self._part(path)
        if part is not None:
            for scope in scopes:
                self._include(part, scope)

    def imports(self, path: str, rows: Iterable[Import]) -> None:
        """Demand the targets of imports of a file."""
        part = self._part(path)
        if part is not None:
            self._todo.extend(partial(self._import, part, row, row.name) for row in rows)

    def asks_arguments(self, path: str, scopes: Iterable[int]) -> bool:
        """Return True if the slice needs the values of a parameter of one of these functions."""
        part = self.parts.get(path)
        wanted = set(scopes)
        return part is not None and any(
            row.manner in PARAMETERS and row.scope in wanted and (row.scope, row.name) not in part.index.receivers
            for row in part.bindings
        )

    def member(self, name: str) -> None:
        """Demand the members with this name of every type in the slice."""
        self._member(name)

    def follow_passed(self, callees: Iterable[str]) -> None:
        """Demand the calls of the parameters of functions with these names, and of fields in which they are stored.

        A function that is passed as an argument is called there.
        """
        self._taking.update(callees)

    @property
    def has_read_half(self) -> bool:
        """True if at least half of the facts that a slice may read are read."""
        return 2 * self._read <= MOST_READ

    def allow(self, rows: int) -> None:
        """Extend the budgets by facts that are in question themselves."""
        self._rows += rows
        self._read += rows

    def grow(self) -> None:
        """Follow the demands until nothing new appears or a budget is spent."""
        self._functions_passed()
        while self._todo and self._rows >= 0:
            while self._todo and self._rows >= 0:
                self._todo.popleft()()
            self._functions_passed()
        self._todo.clear()

    def _functions_passed(self) -> None:
        for part in tuple(self.parts.values()):
            index, extent = part.index, (len(part.scopes), len(self._taking))
            if part.extent == extent:
                continue
            part.extent = extent
            for name in self._taking.intersection(index.symbols):
                for row in index.symbols[name]:
                    inner = index.inside.get(row, ()) if index.is_type[row] and row in part.scopes else ()
                    for scope in (row, *inner):
                        if scope in part.scopes and scope not in part.called and index.is_callable[scope]:
                            part.called.add(scope)
                            self._parameters_called(part, scope)

    def _parameters_called(self, part: SlicePart, scope: int) -> None:
        index = part.index
        held = index.in_scope.get(scope, {})
        names = {name for name, rows in held.items() if any(row.manner in PARAMETERS for row in rows)}
        for name in names:
            self._local(part, scope, name, held[name])  # its type may give the types of the parameters
        rows = []
        for row in (row for inner in index.below(scope) for row in index.by_scope.get(inner, ())):
            reference = index.facts.references[row]
            if any(argument.rpartition("=")[2] in names for argument in reference.args):  # passed on
                self._taking.add(last_of(reference.path))
                rows.append(row)
            elif root_of(reference.path) in names:
                rows.append(row)
        for binding in index.facts.bindings:
            if binding.scope == scope and "." in binding.name and binding.value in names:
                rows += index.references.get(last_of(binding.name), ())
        for row in rows:
            self._todo.append(partial(self._reference, part, row))

    def above(self, index: FactsIndex, scope: int) -> Iterator[tuple[FactsIndex, int]]:
        """Yield a type and the types of the slice with the names of its supertypes, each with the facts of its file."""
        todo, seen = [(index, scope)], set[str]()
        for each in todo:
            yield each
            names = {last_of(base.path) for base in each[0].bases.get(each[1], ())} - seen
            seen |= names
            for part in self.parts.values():
                rows = (row for name in names for row in part.index.symbols.get(name, ()))
                todo += [(part.index, row) for row in rows if row in part.scopes and part.index.is_type[row]]

    def files(self) -> dict[str, SlicedFile]:
        """Return the sliced facts of each file, by path."""
        all_imports = self.family.rules.classes.structural  # signatures are compared with the modules they name
        return {path: part.sliced(all_imports) for path, part in self.parts.items()}

    # ----------------------------------------------------------------- files

    def _part(self, path: str) -> SlicePart | None:
        part = self.parts.get(path)
        if part is None and self._rows >= 0:
            number = self.family.number.get(path)
            if number is None:
                return None
            if self._read < 0:  # what depends on the files at hand is still followed
                self.cut = True
                return None
            index = self.family.index(path)
            self._read -= index.rows
            part = self.parts[path] = SlicePart(index, number)
            for name in self._members.intersection(index.symbols.keys() | index.bindings.keys()):
                self._todo.append(partial(self._member_in, part, name))
        return part

    def _spend(self, rows: int) -> None:
        self._rows -= rows
        if self._rows < 0:
            self.cut = True

    # ----------------------------------------------------------------- scopes and paths

    def _reference(self, part: SlicePart, row: int, arguments: Iterable[int] | None = None) -> None:
        """Demand the value of a reference and those of its arguments at some positions, by default of all."""
        reference = part.index.facts.references[row]
        is_new = row not in part.references
        known = part.references.setdefault(row, set())
        for position in set(range(len(reference.args)) if arguments is None else arguments) - known:
            known.add(position)
            if reference.args[position]:
                self._path(part, reference.scope, reference.args[position])
        if not is_new:
            return
        self._spend(2)
        self._include(part, reference.scope)
        self._path(part, reference.scope, reference.path)
        special = self.family.rules.special_methods
        for name in special.protocols.get(reference.path, ()):  # len(x) calls x.__len__
            self._member(name)
        if reference.kind == "implicit":
            for name in special.fallbacks.get(last_of(reference.path), ()):
                self._member(name)

    def _include(self, part: SlicePart, scope: int) -> None:
        """Add a scope and those around it, with the supertypes, constructors and needed members of a type."""
        index = part.index
        for each in index.chain(scope):
            if each in part.scopes:
                continue
            part.scopes.add(each)
            self._spend(1)
            symbol = index.facts.symbols[each]
            for decorator in symbol.decorators:
                self._path(part, max(index.parents[each], 0), decorator)
            if index.is_type[each]:
                self._type(part, each)
            if each in index.receiver_of:
                self._path(part, each, index.receiver_of[each])

    def _value(self, part: SlicePart, scope: int) -> None:
        """Add a scope that is used as a value: also its results, and the methods that override it if asked for."""
        self._include(part, scope)
        if scope not in part.results:
            part.results.add(scope)
            name = part.index.facts.symbols[scope].name
            if name in self._dispatched and part.index.in_type(scope):
                self._todo.append(partial(self._below, part, part.index.parents[scope], name))
            for value in part.index.returns.get(scope, ()):
                self._spend(1)
                self._path(part, scope, value)

    def _type(self, part: SlicePart, scope: int) -> None:
        index = part.index
        for base in index.bases.get(scope, ()):
            self._path(part, scope, base.path)
        for name, rows in index.in_scope.get(scope, {}).items():
            if name[:1] == "%":  # the metaclass, the type that another is made of
                self._local(part, scope, name, rows)
        for name in self._members.intersection(index.bindings):
            for binding in index.bindings[name]:
                if _is_member(index, binding) and index.type_of(binding) == scope:
                    self._include(part, binding.scope)
                    self._binding(part, binding)
        symbols = index.facts.symbols
        for row in index.inside.get(scope, ()):
            name = symbols[row].name
            if name in self._making or name == symbols[scope].name or name in self._members:
                self._value(part, row)
            if self.family.rules.classes.structural and symbols[scope].kind == "interface":
                self._value(part, row)
                self._member(name)  # a type without one of these methods does not implement the interface
                for rows in index.in_scope.get(row, {}).values():
                    for parameter in rows:  # nor a type with other signatures
                        self._path(part, row, parameter.type)
        self._open_unit(part)

    def _below(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand the overriding members in the subtypes of a type: a call on the type may run them."""
        symbol = part.index.facts.symbols[scope]
        if (symbol.id, name) in self._overridden:
            return
        self._overridden.add((symbol.id, name))
        structural = self.family.rules.classes.structural and symbol.kind == "interface"
        for path in self.family.defining(name):
            if structural:  # each type with the method may implement the interface without naming it
                other = self._part(path)
                for row in other.index.symbols.get(name, ()) if other is not None else ():
                    if other is not None:
                        self._value(other, row)
                continue
            known = path in self.parts or self.family.mentions(path, (symbol.name,))
            other = self._part(path) if known else None
            for below, bases in other.index.bases.items() if other is not None else ():
                for base in bases:
                    if other is not None and last_of(base.path) == symbol.name:
                        self._include(other, below)
                        if base.type:
                            self._path(other, below, base.type)

    def _path(self, part: SlicePart, scope: int, path: str) -> None:
        """Demand the names in an access path or type."""
        for is_member, name in names_of(path):
            if is_member:
                self._member(name)
            else:
                self._name(part, scope, name)

    def _name(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand a name as code in a scope means it."""
        index = part.index
        if name[0] == "%":
            for row in index.symbols.get(name, ()):
                self._value(part, row)
            for binding in index.bindings.get(name, ()):  # a function that is a value is bound in its own scope
                self._local(part, binding.scope, name, index.in_scope[binding.scope][name])
            for bound in index.imports.get(name, ()):
                self._import(part, bound, name)
            return
        for each in index.chain(scope):
            if each == 0:
                break
            held = index.in_scope.get(each)
            if held is not None and name in held:
                self._local(part, each, name, held[name])
                if index.is_callable[each] and not self.family.rules.classes.methods_apart:
                    return
        if name not in index.builtins and name not in index.instance_names:
            self._need(part, name)

    def _local(self, part: SlicePart, scope: int, name: str, rows: Sequence[Binding]) -> None:
        if (scope, name) in part.locals:
            return
        part.locals.add((scope, name))
        self._include(part, scope)
        for binding in rows:
            self._binding(part, binding)

    def _binding(self, part: SlicePart, binding: Binding) -> None:
        if binding in part.bindings:
            return
        part.bindings.add(binding)
        self._spend(1)
        if (binding.scope, binding.name) in part.index.receivers:
            return
        if binding.value:
            self._path(part, binding.scope, binding.value)
        if binding.type:
            self._path(part, binding.scope, binding.type)
        if binding.manner == "field" and part.index.is_type[binding.scope]:
            self._given_fields(part, binding.scope, binding.name)
        if binding.manner in PARAMETERS:
            self._arguments(part, binding.scope)
            if not binding.type and not binding.value:
                self._provider(part, binding.name)

    def _arguments(self, part: SlicePart, scope: int) -> None:
        """Demand the arguments of calls of a function in its own file, which decide its parameters.

        The parameters of an anonymous function are decided by the function to which it is passed.
        """
        index = part.index
        symbol = index.facts.symbols[scope]
        name = symbol.name
        if name in _CONSTRUCTORS and index.parents[scope] >= 0:
            name = index.facts.symbols[index.parents[scope]].name
        if name in part.callers:
            return
        part.callers.add(name)
        root = root_of_anonymous(name) if name[0] == "<" else ""
        for row in index.passing.get(root, ()):
            self._todo.append(partial(self._reference, part, row))
            self._taking.add(last_of(index.facts.references[row].path))
        for row in index.references.get(name, ()):
            if index.facts.references[row].kind in _CALLS:
                self._todo.append(partial(self._reference, part, row))

    def _given_fields(self, part: SlicePart, scope: int, name: str) -> None:
        """Demand the values that literals of a type in its own file give to a field: ``T{field: value}``."""
        references = part.index.facts.references
        for row in part.index.references.get(part.index.facts.symbols[scope].name, ()):
            given = [n for n, argument in enumerate(references[row].args) if argument.startswith(f"{name}=")]
            if given and references[row].kind in _CALLS:
                self._todo.append(partial(self._reference, part, row, given))

    def _provider(self, part: SlicePart, name: str) -> None:
        """Demand the functions that provide a parameter by its name, such as the fixtures of pytest."""
        rules = self.family.rules.decorators
        for path in self.family.defining(name) if rules.providing else ():
            if path != part.index.facts.path and posixpath.basename(path) not in rules.providing_files:
                continue
            other = self._part(path)
            for row in other.index.symbols.get(name, ()) if other is not None else ():
                if other is not None and other.index.facts.symbols[row].decorators:
                    self._value(other, row)

    # ----------------------------------------------------------------- names of modules

    def _global(self, part: SlicePart, name: str) -> None:
        """Follow a name that no function around its use binds: to definitions, imports, exports and other files."""
        index = part.index
        found = False
        for row in index.symbols.get(name, ()):
            found = True
            self._value(part, row)
        for binding in index.bindings.get(name, ()):
            if not index.is_callable[binding.scope]:
                found = True
                self._include(part, binding.scope)
                self._binding(part, binding)
        for bound in index.imports.get(name, ()):
            found = True
            self._include(part, bound.scope)
            self._import(part, bound, name)
        for export in index.exports.get(name, ()):
            found = True
            self._export(part, export.module, export.target, name)
        if not found:
            for bound in index.imports.get("*", ()):
                self._import(part, bound, name)
            self._star_exports(part, name)
            self._elsewhere(part, name)

    def _export(self, part: SlicePart, module: str, target: str, name: str) -> None:
        if not module:
            self._path(part, 0, target)
            return
        self._located(part, module, target, name)

    def _star_exports(self, part: SlicePart, name: str) -> None:
        """Look for a name in the modules all of whose names are exported again: first in those that contain it."""
        locator, paths = self.family.locator, self.family.paths
        found: dict[str, bool] = {}
        for export in part.index.exports.get("*", ()):
            unit = imported(locator, part.number, export.module, "*")[0].unit
            files = locator.units.files[unit] if unit >= 0 else ()
            found[export.module] = any(self.family.mentions(paths[file], (name,)) for file in files)
        for module, contains in found.items():
            if contains or not any(found.values()):
                self._export(part, module, "*", name)

    def _import(self, part: SlicePart, row: Import, name: str) -> None:
        if row not in part.imports:
            part.imports.add(row)
            self._spend(1)
        self._located(part, row.module, row.member, name)

    def _located(self, part: SlicePart, module: str, member: str, name: str) -> None:
        """Demand a member of a module, as an import of a file names both."""
        locator = self.family.locator
        found, member = imported(locator, part.number, module, member)
        if found.unit < 0:
            return
        wanted = name if member == "*" else member
        if wanted and (child := locator.units.child(found.unit, wanted)) >= 0:
            self._open(child)
        if wanted:
            self._in_unit(found.unit, wanted)
            for rest in found.rest:
                self._in_unit(found.unit, rest)
        if not member or member == "default":
            self._open(found.unit)

    def _open(self, unit: int) -> None:
        """Demand all needed members of a module that is used as a value."""
        files = self.family.locator.units.files[unit]
        if len(files) == 1:
            part = self._part(self.family.paths[files[0]])
            if part is not None and not part.opened:
                part.opened = True
                for name in ("=", "default", *self._members):
                    self._of_module(part, name)
        elif unit not in self._units:
            self._units.add(unit)
            for name in tuple(self._members):
                self._todo.append(partial(self._in_unit, unit, name))

    def _of_module(self, part: SlicePart, name: str) -> None:
        """Demand a member of a module, if it may have one with this name."""
        if part.index.binds(name) or part.index.binds("*"):
            self._need(part, name)

    def _need(self, part: SlicePart, name: str) -> None:
        if name not in part.names:
            part.names.add(name)
            self._todo.append(partial(self._global, part, name))

    def _in_unit(self, unit: int, name: str) -> None:
        """Demand a name of a module or package: in its only file, or in the files that define it."""
        files = self.family.locator.units.files[unit]
        if len(files) == 1:
            part = self._part(self.family.paths[files[0]])
            if part is not None:
                self._need(part, name)
            return
        for path in self.family.defining(name, files):
            part = self._part(path)
            if part is not None:
                self._need(part, name)

    def _elsewhere(self, part: SlicePart, name: str) -> None:
        """Demand a name that a file neither defines nor imports: from its package, or from the files that define it."""
        unit = self.family.locator.unit_of(part.number)
        files = self.family.locator.units.files[unit] if unit < len(self.family.locator.units.files) else ()
        paths = self.family.defining(name, files) if len(files) > 1 else []
        if not paths and self._shares_names:
            paths = self.family.defining(name)
            paths = paths if len(paths) <= MAX_BY_NAME else []
        for path in paths:
            other = self._part(path)
            if other is not None and other is not part:
                self._need(other, name)

    # ----------------------------------------------------------------- members

    def _member(self, name: str) -> None:
        if name in self._members:
            return
        self._members.add(name)
        self._todo.append(partial(self._everywhere, name))

    def _everywhere(self, name: str) -> None:
        """Demand a member in all files of the slice."""
        for part in tuple(self.parts.values()):
            self._member_in(part, name)
        for unit in tuple(self._units):
            self._in_unit(unit, name)

    def _member_in(self, part: SlicePart, name: str) -> None:
        index = part.index
        for row in index.symbols.get(name, ()):
            if not index.in_type(row) or index.parents[row] in part.scopes:
                self._value(part, row)
        for binding in index.bindings.get(name, ()):
            if _is_member(index, binding):
                owner = index.type_of(binding)
                may_be_below = index.is_type[binding.scope] and self.family.rules.classes.attributes_below
                if owner < 0 or owner in part.scopes or may_be_below:
                    self._include(part, binding.scope)
                    self._binding(part, binding)
        if part.opened:
            self._of_module(part, name)

    def _open_unit(self, part: SlicePart) -> None:
        """Take members of types also from the other files of the package, where the language allows it."""
        if self._open_packages:
            unit = self.family.locator.unit_of(part.number)
            if len(self.family.locator.units.files[unit]) > 1:
                self._open(unit)


def _is_member(index: FactsIndex, binding: Binding) -> bool:
    """Return True if a binding assigns a member: it is of a path, or in the body of a type."""
    return "." in binding.name or index.is_type[binding.scope]
