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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.graph.build.calls import MAX_BY_NAME
from codeexplore.graph.demand.facts_index import PARAMETERS, FactsIndex, last_of, names_of, root_of, root_of_anonymous
from codeexplore.resolution.module_tree import imported

if TYPE_CHECKING:
    from codeexplore.graph.demand.family import Family
    from codeexplore.types import Binding, FileFacts, Import

MOST_ROWS: Final = 12_000
"""Facts that one slice resolves. 1,000 of them take about 40 ms of processor time."""

MOST_READ: Final = 60_000
"""Facts of all files that one slice reads. 1,000 of them take about 10 ms, or 25 ms if they are not extracted yet."""

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__call__", "__post_init__", "constructor", "<init>", "new"})
_CALLS: Final = frozenset({"call", "new"})


class SlicedFile(NamedTuple):
    """A part of a file's facts. `rows` are the rows of its symbols among all symbols of the file."""

    facts: FileFacts
    rows: Sequence[int]


@dataclass(slots=True)
class _Part:
    """The part of a file that is in the slice."""

    index: FactsIndex
    number: int  # of the file in its family
    scopes: set[int] = field(default_factory=lambda: {0})
    references: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)  # module-level names whose meaning is needed
    locals: set[tuple[int, str]] = field(default_factory=set)
    callers: set[str] = field(default_factory=set)  # functions whose calls decide a parameter
    called: set[int] = field(default_factory=set)  # functions whose parameters are followed to their calls
    opened: bool = False  # a member of the module may be any needed member


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
        self._dispatched: set[str] = set()  # methods whose overriding methods are in question too
        self._overridden: set[tuple[str, str]] = set()
        self._taking: set[str] = set()  # functions that are given a function
        self.parts: dict[str, _Part] = {}
        self.cut = False
        self._rows, self._read = MOST_ROWS, MOST_READ
        self._members: set[str] = set()
        self._units: set[int] = set()  # packages of several files from which members are taken
        self._todo: deque[Callable[[], None]] = deque()
        self._later: deque[Callable[[], None]] = deque()  # overriding methods: they lead farthest

    # ----------------------------------------------------------------- demands

    def read(self, path: str) -> FactsIndex | None:
        """Return the facts of a file, which is then part of the slice; None if the budget is spent."""
        part = self._part(path)
        return None if part is None else part.index

    def use(self, path: str, rows: Iterable[int], *, dispatch: bool = False) -> None:
        """Demand the values of references, given by their rows among the references of a file.

        With `dispatch`, calls of a method are followed also to the methods that override it, but not calls by syntax:
        too many types have methods such as ``__iter__``.
        """
        part = self._part(path)
        if part is not None:
            for row in rows:
                self._todo.append(partial(self._reference, part, row))
                reference = part.index.facts.references[row]
                if dispatch and reference.kind in _CALLS:
                    self._dispatched.add(last_of(reference.path))

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

    def member(self, name: str) -> None:
        """Demand the members with this name of every type in the slice."""
        self._member(name)

    def follow_passed(self, callees: Iterable[str]) -> None:
        """Demand the calls of the parameters of functions with these names, and of fields in which they are stored.

        A function that is passed as an argument is called there.
        """
        self._taking.update(callees)

    def grow(self) -> None:
        """Follow the demands until nothing new appears or a budget is spent."""
        while (self._todo or self._later) and not self.cut:
            while self._todo and not self.cut:
                self._todo.popleft()()
            self._functions_passed()
            if self._later and not self._todo:
                self._later.popleft()()
        self._todo.clear()
        self._later.clear()

    def _functions_passed(self) -> None:
        for part in tuple(self.parts.values()):
            index = part.index
            for name in self._taking.intersection(index.symbols):
                for row in index.symbols[name]:
                    inner = range(len(index.parents)) if index.is_type[row] and row in part.scopes else ()
                    for scope in (row, *(each for each in inner if index.parents[each] == row)):
                        if scope in part.scopes and scope not in part.called and index.is_callable[scope]:
                            part.called.add(scope)
                            self._parameters_called(part, scope)

    def _parameters_called(self, part: _Part, scope: int) -> None:
        index = part.index
        held = index.in_scope.get(scope, {})
        names = {name for name, rows in held.items() if any(row.manner in PARAMETERS for row in rows)}
        for name in names:
            self._local(part, scope, name, held[name])  # its type may give the types of the parameters
        rows = [
            row
            for inner, each in index.by_scope.items()
            if scope in index.chain(inner)
            for row in each
            if root_of(index.facts.references[row].path) in names
        ]
        for binding in index.facts.bindings:
            if binding.scope == scope and "." in binding.name and binding.value in names:
                rows += index.references.get(last_of(binding.name), ())
        for row in rows:
            self._todo.append(partial(self._reference, part, row))

    def files(self) -> dict[str, SlicedFile]:
        """Return the sliced facts of each file, by path."""
        return {path: _sliced(part) for path, part in self.parts.items()}

    # ----------------------------------------------------------------- files

    def _part(self, path: str) -> _Part | None:
        part = self.parts.get(path)
        if part is None and not self.cut:
            number = self.family.number.get(path)
            if number is None:
                return None
            index = self.family.index(path)
            self._read -= index.rows
            if self._read < 0 and self.parts:
                self.cut = True
                return None
            part = self.parts[path] = _Part(index, number)
            for name in self._members.intersection(index.symbols.keys() | index.bindings.keys()):
                self._todo.append(partial(self._member_in, part, name))
        return part

    def _spend(self, rows: int) -> None:
        self._rows -= rows
        if self._rows < 0:
            self.cut = True

    # ----------------------------------------------------------------- scopes and paths

    def _reference(self, part: _Part, row: int) -> None:
        if row in part.references:
            return
        part.references.add(row)
        self._spend(2)
        reference = part.index.facts.references[row]
        self._include(part, reference.scope)
        self._path(part, reference.scope, reference.path)
        for argument in reference.args:
            if argument:
                self._path(part, reference.scope, argument)

    def _include(self, part: _Part, scope: int) -> None:
        """Add a scope: its bindings, its results, and the supertypes and constructors of a type."""
        index = part.index
        for each in index.chain(scope):
            if each in part.scopes:
                continue
            part.scopes.add(each)
            self._spend(1 + index.size[each])
            symbol = index.facts.symbols[each]
            for decorator in symbol.decorators:
                self._path(part, max(index.parents[each], 0), decorator)
            if index.is_type[each]:
                self._type(part, each)
            for value in index.returns.get(each, ()):
                self._path(part, each, value)
            if each in index.receiver_of:
                self._path(part, each, index.receiver_of[each])

    def _type(self, part: _Part, scope: int) -> None:
        index = part.index
        for base in index.bases.get(scope, ()):
            self._path(part, scope, base.path)
        symbols = index.facts.symbols
        for row in range(scope + 1, len(symbols)):
            if symbols[row].span.start_byte >= symbols[scope].span.end_byte:
                break
            if index.parents[row] == scope and index.is_callable[row]:
                name = symbols[row].name
                if name in _CONSTRUCTORS or name == symbols[scope].name or name in self._members:
                    self._include(part, row)
                if name in self._dispatched:
                    self._later.append(partial(self._below, part, scope, name))
                if self.family.rules.classes.structural and symbols[scope].kind == "interface":
                    self._include(part, row)
                    self._member(name)  # a type without one of these methods does not implement the interface
        self._open_unit(part)

    def _below(self, part: _Part, scope: int, name: str) -> None:
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
                        self._include(other, row)
                continue
            known = path in self.parts or self.family.mentions(path, (symbol.name,))
            other = self._part(path) if known else None
            for below, bases in other.index.bases.items() if other is not None else ():
                for base in bases:
                    if other is not None and last_of(base.path) == symbol.name:
                        self._include(other, below)
                        if base.type:
                            self._path(other, below, base.type)

    def _path(self, part: _Part, scope: int, path: str) -> None:
        """Demand the names in an access path or type."""
        for is_member, name in names_of(path):
            if is_member:
                self._member(name)
            else:
                self._name(part, scope, name)

    def _name(self, part: _Part, scope: int, name: str) -> None:
        """Demand a name as code in a scope means it."""
        index = part.index
        if name[0] == "%":
            for row in index.symbols.get(name, ()):
                self._include(part, row)
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
        if name not in part.names and name not in index.builtins:
            part.names.add(name)
            self._todo.append(partial(self._global, part, name))

    def _local(self, part: _Part, scope: int, name: str, rows: Sequence[Binding]) -> None:
        if (scope, name) in part.locals:
            return
        part.locals.add((scope, name))
        self._include(part, scope)
        for binding in rows:
            self._binding(part, binding)

    def _binding(self, part: _Part, binding: Binding) -> None:
        if binding.value:
            self._path(part, binding.scope, binding.value)
        if binding.type:
            self._path(part, binding.scope, binding.type)
        if binding.manner in PARAMETERS:
            self._arguments(part, binding.scope)
            if not binding.type and not binding.value:
                self._provider(part, binding.name)

    def _arguments(self, part: _Part, scope: int) -> None:
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

    def _provider(self, part: _Part, name: str) -> None:
        """Demand the functions that provide a parameter by its name, such as the fixtures of pytest."""
        rules = self.family.rules.decorators
        for path in self.family.defining(name) if rules.providing else ():
            if path != part.index.facts.path and posixpath.basename(path) not in rules.providing_files:
                continue
            other = self._part(path)
            for row in other.index.symbols.get(name, ()) if other is not None else ():
                if other is not None and other.index.facts.symbols[row].decorators:
                    self._include(other, row)

    # ----------------------------------------------------------------- names of modules

    def _global(self, part: _Part, name: str) -> None:
        """Follow a name that no function around its use binds: to definitions, imports, exports and other files."""
        index = part.index
        found = False
        for row in index.symbols.get(name, ()):
            found = True
            self._include(part, row)
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

    def _export(self, part: _Part, module: str, target: str, name: str) -> None:
        if not module:
            self._path(part, 0, target)
            return
        self._located(part, module, target, name)

    def _star_exports(self, part: _Part, name: str) -> None:
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

    def _import(self, part: _Part, row: Import, name: str) -> None:
        self._located(part, row.module, row.member, name)

    def _located(self, part: _Part, module: str, member: str, name: str) -> None:
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
                    self._need(part, name)
        elif unit not in self._units:
            self._units.add(unit)
            for name in tuple(self._members):
                self._todo.append(partial(self._in_unit, unit, name))

    def _need(self, part: _Part, name: str) -> None:
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

    def _elsewhere(self, part: _Part, name: str) -> None:
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

    def _member_in(self, part: _Part, name: str) -> None:
        index = part.index
        for row in index.symbols.get(name, ()):
            self._include(part, row)
            owner = index.parents[row]
            if name in self._dispatched and owner >= 0 and index.is_type[owner] and owner in part.scopes:
                self._later.append(partial(self._below, part, owner, name))
        for binding in index.bindings.get(name, ()):
            if "." in binding.name or index.is_type[binding.scope]:
                self._include(part, binding.scope)
                self._binding(part, binding)
        if part.opened:
            self._need(part, name)

    def _open_unit(self, part: _Part) -> None:
        """Take members of types also from the other files of the package, where the language allows it."""
        if self._open_packages:
            unit = self.family.locator.unit_of(part.number)
            if len(self.family.locator.units.files[unit]) > 1:
                self._open(unit)


def _sliced(part: _Part) -> SlicedFile:
    facts = part.index.facts
    rows = sorted(part.scopes)
    place = {row: number for number, row in enumerate(rows)}
    references = [facts.references[row] for row in sorted(part.references)]
    made = replace(
        facts,
        symbols=tuple(facts.symbols[row] for row in rows),
        imports=tuple(row._replace(scope=place[row.scope]) for row in facts.imports if row.scope in place),
        bindings=tuple(row._replace(scope=place[row.scope]) for row in facts.bindings if row.scope in place),
        returns=tuple(row._replace(scope=place[row.scope]) for row in facts.returns if row.scope in place),
        references=tuple(row._replace(scope=place[row.scope]) for row in references if row.scope in place),
        bases=tuple(row._replace(scope=place[row.scope]) for row in facts.bases if row.scope in place),
    )
    return SlicedFile(made, rows)
