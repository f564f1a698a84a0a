"""Lookup of one name in a module, a class or another thing: `Family` has the modules that are resolved together.

A thing that a name may mean is a module, a definition, a literal or an instance of a definition.

No values are computed. Only the facts of files that the name leads to are read: definitions, imports, exports, plain
aliases (``x = y.z``), star imports, lazy exports, submodules and supertypes. A lookup reads a handful of files. No
table of all public names has to be computed, stored or refreshed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from threading import RLock
from typing import Final, NamedTuple, TypeAlias

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import STUBS, name_parts
from codeexplore.resolution.language_rules import ModuleResolver, Rules, Units, imported
from codeexplore.types import CALLABLE_KINDS, LEFT_OUT, TYPE_KINDS, Base, Binding, FileFacts, Import, Symbol


class Family:
    """Files of one language family, whose names are resolved together: (path, language, module name) of each.

    `facts` returns the facts of the file at a path. `manifests` maps (path, language) pairs to the texts, by path, of
    the files beside or above them that name packages.
    """

    def __init__(
        self,
        rules: Rules,
        files: Sequence[tuple[str, str, str]],
        facts: Callable[[str], FileFacts],
        manifests: Callable[[Iterable[tuple[str, str]]], Mapping[str, str]],
    ) -> None:
        self.rules = rules
        self.files = files
        self._manifests = manifests
        self.facts = cache(lambda file: facts(files[file][0]))
        self.numbers = {path: number for number, (path, _, _) in enumerate(files)}

    @cached_property
    def locator(self) -> ModuleResolver:
        """Resolver of module names, built from paths, module names and manifests. It needs no facts."""
        stubs = [FileFacts(path, language, module, ()) for path, language, module in self.files]
        return self.rules.modules.locator(stubs, self._manifests((path, language) for path, language, _ in self.files))

    @cached_property
    def _by_module(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        found: dict[tuple[str, ...], dict[int, None]] = defaultdict(dict)
        for file, (_, _, module) in enumerate(self.files):
            found[name_parts(module)][self.locator.unit_of(file)] = None
        return {parts: tuple(units) for parts, units in found.items()}

    @cached_property
    def _by_last(self) -> Mapping[str, Sequence[tuple[str, ...]]]:
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for parts in self._by_module:
            if parts:
                found[parts[-1]].append(parts)
        return found

    def modules(self, name: str) -> Sequence[int]:
        """Return the modules with exactly this name, else the module that an import of this name would mean."""
        if exact := self._by_module.get(name_parts(name)):
            return exact
        if not self.files or not name.strip("./:#"):
            return ()
        found = self.locator.locate(0, name)
        return () if found.unit < 0 or found.rest else (self._implementation(found.unit),)

    def _implementation(self, unit: int) -> int:
        """Return the module beside a stub file (``.d.ts``) of the same name; the module itself if there is none."""
        files = self.locator.units.files[unit]
        path = self.files[files[0]][0] if len(files) == 1 else ""
        stub = next((ending for ending in STUBS if path.endswith(ending)), "")
        if not stub:
            return unit
        stem = path.removesuffix(stub) + "."
        beside = (n for p, n in self.numbers.items() if p.startswith(stem) and not p.endswith(STUBS))
        return next(
            (self.locator.unit_of(file) for file in beside if "/" not in self.files[file][0][len(stem) :]), unit
        )

    def is_second(self, file: int) -> bool:
        """Return True for stubs and files of some builds: definitions in other files of the module come first."""
        path = self.files[file][0]
        return path.endswith(STUBS) or any(row.name == LEFT_OUT for row in self.facts(file).bindings)

    def modules_ending(self, name: str) -> Iterator[int]:
        """Yield the numbers of the modules whose names end in `name`, after a separator."""
        parts = name_parts(name)
        for whole in self._by_last.get(parts[-1], ()) if parts else ():
            if whole[-len(parts) :] == parts:
                yield from self._by_module[whole]


class Module(NamedTuple):
    """A module, package or namespace of a family. `unit` is its number."""

    family: Family
    unit: int


class Definition(NamedTuple):
    """A symbol, by its family, its file and its position in the facts of the file."""

    family: Family
    file: int
    scope: int  # index of the symbol in the facts of its file

    @property
    def symbol(self) -> Symbol:
        return self.family.facts(self.file).symbols[self.scope]

    @property
    def around(self) -> int:
        """The index of the symbol around it; 0, that of the module, if there is none."""
        symbols, parent = self.family.facts(self.file).symbols, self.symbol.parent
        return next((n for n, symbol in enumerate(symbols) if symbol.id == parent), 0)


class Literal(NamedTuple):
    """A dictionary or object literal whose entries have names.

    `root` is its name in the facts, such as ``%dict:3:8``.
    """

    family: Family
    file: int
    scope: int
    root: str


class Instance(NamedTuple):
    """A value made by calling a type or function, or declared with a type."""

    of: Definition


Thing: TypeAlias = "Module | Definition | Literal | Instance"


def is_code(thing: Thing) -> bool:
    return isinstance(thing, Definition) and thing.symbol.kind in (TYPE_KINDS | CALLABLE_KINDS)


def distinct(things: Iterable[Thing]) -> list[Thing]:
    return list(dict.fromkeys(things))


_MOST_KNOWN: Final = 100_000
"""Maximal number of cached answers. When it is exceeded, the cache is cleared."""
_DEEPEST: Final = 100
"""Maximal depth of a lookup: names whose meaning depends on each other."""

_UNDER_WAY: Final[list[Thing]] = []
"""Cached answer while a lookup is in progress. A name that leads back to itself finds no further things."""


class AnswerCache:
    """Answers by key. A name that leads back to itself, or too deep, has no answer.

    The answers found on such a way depend on the name with which the question began, so they are dropped afterwards.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self._known: dict[tuple[object, ...], list[Thing]] = {}
        self._asked: list[tuple[object, ...]] = []  # keys of the question in progress
        self._circles = False  # True if a name led back to itself or too deep
        self._depth = 0

    def question(self, look: Callable[[], list[Thing]]) -> list[Thing]:
        """Return the result of `look`, as a new question. Other threads wait until it is answered."""
        with self.lock:
            self._asked, self._circles = [], False
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            try:
                return look()
            finally:
                for key in self._asked if self._circles else ():
                    self._known.pop(key, None)

    def once(self, key: tuple[object, ...], look: Callable[[], list[Thing]]) -> list[Thing]:
        """Return the cached answer for `key`, else the result of `look`, which is then cached."""
        known = self._known.get(key)
        if known is None and self._depth < _DEEPEST:
            self._asked.append(key)
            self._known[key] = _UNDER_WAY
            self._depth += 1
            try:
                known = self._known[key] = look()
            finally:
                self._depth -= 1
                if known is None:
                    del self._known[key]
        elif known is None or known is _UNDER_WAY:
            self._circles = True
        return known or []


_QUOTED: Final = re.compile(r"""(["'])([\w.]{1,200})\1""")


def submodules_named(units: Units, unit: int, name: str, text: str) -> list[int]:
    """Return the submodules of a module whose names are quoted in `text`; none if `name` is not quoted too.

    `text` is the source of the unit's file. The submodules are in the order of their occurrence. The name of a
    submodule may be relative to the package (``orm``, ``.orm``) or absolute.
    """
    quoted = dict.fromkeys(found[2] for found in _QUOTED.finditer(text))
    if name not in quoted:
        return []
    found: dict[int, None] = {}
    for each in quoted:
        parts = [part for part in each.split(".") if part]
        for start in range(len(parts)):
            place = units.walk(unit, parts[start:])
            if place >= 0 and place != unit:
                found[place] = None
                break
    return list(found)


_PASSES_ON: Final = re.compile(r"\b(?:import|export)\s*\*|::\s*\*|[{,]\s*\*\s*[,}]|\.\*;|\bmodule\.exports\b")
"""Matches every file that may offer names which do not occur in its text.

Such a file has star imports, or exports the value of another module."""


class Lookup:
    """Finds the meaning of one name at a time, and caches the results.

    `place` returns the definition of a symbol, which may be in another file, and `text` the text of the file at a path,
    "" if there is none.
    """

    def __init__(
        self, catalog: Catalog, place: Callable[[Symbol], Definition | None], text: Callable[[str], str]
    ) -> None:
        self._catalog, self._place, self._text = catalog, place, text
        self._cache = AnswerCache()
        self._passes_on = cache(self._find_passing)

    def answer(self, things: Sequence[Thing], parts: Sequence[str]) -> list[Thing]:
        """Return the result of `follow` for a new question."""
        return self._cache.question(lambda: self.follow(things, parts))

    def follow(self, things: Sequence[Thing], parts: Sequence[str]) -> list[Thing]:
        """Return the things to which a chain of names leads, starting from `things`."""
        found = list(things)
        for part in parts:
            found = distinct(each for thing in found for each in self.step(thing, part))
        return found

    def step(self, thing: Thing, name: str) -> list[Thing]:
        """Return the things that `name` means inside `thing`."""
        return self._cache.once((type(thing), *thing, name), lambda: self._step(thing, name))

    def _step(self, thing: Thing, name: str) -> list[Thing]:
        if isinstance(thing, Module):
            return self._in_module(thing, name)
        if isinstance(thing, Literal):
            return self._bound(thing.family, thing.file, thing.scope, f"{thing.root}[{name}]")
        if isinstance(thing, Instance):
            return self._of_result(thing.of, name)
        if thing.symbol.kind in TYPE_KINDS:
            return self._member(thing, name)
        return self._in_definition(thing, name)

    def names(self, thing: Thing) -> set[str]:
        """Return the names that a module (with its submodules) or a type (with its supertypes) offers."""
        with self._cache.lock:
            found: set[str] = set()
            pending, seen = [thing], {thing}
            while pending:
                each = pending.pop()
                further = []
                if isinstance(each, Module):
                    for file in each.family.locator.units.files[each.unit]:
                        further += self._names_of(each.family, file, 0, found)
                    found |= each.family.locator.units.children[each.unit].keys() if each == thing else set()
                elif isinstance(each, Definition):
                    self._names_of(each.family, each.file, each.scope, found)
                    rows = each.family.facts(each.file).bases
                    further = [base for row in rows if row.scope == each.scope for base in self._supertypes(each, row)]
                pending += [more for more in further if more not in seen]
                seen.update(further)
            return found

    def _names_of(self, family: Family, file: int, scope: int, found: set[str]) -> list[Thing]:
        """Add the names that a scope binds to `found`, and return the modules that it imports by star."""
        facts = family.facts(file)
        around = facts.symbols[scope].id
        found.update(symbol.name for symbol in facts.symbols if symbol.parent == around)
        rows = [row for row in facts.imports if row.scope == scope]
        found.update(row.name for row in rows if row.name.isidentifier() and self._leads_inside(family, file, row))
        if scope == 0:
            found.update(row.name for row in facts.exports)
            rows += [Import(0, "*", row.module, "", row.line) for row in facts.exports if row.name == "*"]
        stars = (row._replace(member="") for row in rows if row.name == "*")
        return [thing for row in stars for thing in self._imported(family, file, row)]

    def _leads_inside(self, family: Family, file: int, row: Import) -> bool:
        if family.rules.modules.keywords:
            return True
        return family.locator.locate(file, row.module.partition(".")[0] or row.module).unit >= 0

    # ----------------------------------------------------------------- modules

    def _in_module(self, module: Module, name: str) -> list[Thing]:
        family, unit = module
        units = family.locator.units
        found: list[Thing] = []
        for file in sorted(units.files[unit], key=family.is_second):
            if found and family.is_second(file):
                break
            found += self._exported(family, file, name) or self._in_scope(family, file, 0, name)
        for indirect in (self._stars, self._in_value, self._lazily):
            if found:
                break
            found = [each for file in units.files[unit] for each in indirect(family, file, name)]
        if not found and (child := units.child(unit, name)) >= 0:
            found = [Module(family, child)]
        return distinct(found or self._macros(module, name))

    def _macros(self, module: Module, name: str) -> list[Thing]:
        """Return Rust macros of this name in the crate. A macro is offered by its bare name, wherever it is defined."""
        family, unit = module
        mark, units = family.rules.functions.macro_signature, family.locator.units
        crate = {family.files[file][2].partition("::")[0] for file in units.files[unit]}
        named = self._catalog.named(name.rstrip("!")) if mark and crate else ()
        own = [s for s in named if s.signature.startswith(mark) and s.fqn.partition("::")[0] in crate]
        places: list[Thing] = [place for symbol in own if (place := self._place(symbol)) is not None]
        return places

    def _exported(self, family: Family, file: int, name: str) -> list[Thing]:
        """Return the things that a file exports as `name`, which may have another name of their own."""
        for row in reversed(family.facts(file).exports):
            if row.name == name and name != "*":
                renamed = Import(0, name, row.module, row.target, 0)
                given = self._imported(family, file, renamed) if row.module else self._path(family, file, 0, row.target)
                if given:
                    return given
        return []

    def _in_value(self, family: Family, file: int, name: str) -> list[Thing]:
        """Return the member `name` of a module's single exported value, ``module.exports`` or ``export default``."""
        if name in ("=", "default"):
            return []
        whole = self._exported(family, file, "=") or self._exported(family, file, "default")
        return distinct(each for thing in whole for each in self.step(thing, name))

    def _stars(self, family: Family, file: int, name: str, scope: int = 0) -> list[Thing]:
        """Return the things that star imports of a scope bind to `name`. If several do, the last import counts."""
        facts = family.facts(file)
        rows = [row for row in facts.imports if row.name == "*" and row.scope == scope]
        if scope == 0:
            rows += [Import(0, "*", row.module, "", row.line) for row in facts.exports if row.name == "*"]
        for row in sorted(rows, key=lambda row: -row.line):
            if found := self._starred(family, file, row, name):
                return found
        return []

    def _starred(self, family: Family, file: int, row: Import, name: str) -> list[Thing]:
        for thing in self._imported(family, file, row._replace(member="", name="*")):
            if (not isinstance(thing, Module) or self._gives_away(thing, name)) and (found := self.step(thing, name)):
                return found
        return []

    def _gives_away(self, module: Module, name: str) -> bool:
        """Return True if a star import of a module may bind `name`; False if it certainly does not.

        The texts of the module must have the name or may pass it on, which is cheaper to find out than its facts. It
        must be listed (``__all__``), or public where nothing is listed.
        """
        family, modules = module.family, module.family.rules.modules
        units, files = family.locator.units, family.locator.units.files[module.unit]
        paths = [family.files[file][0] for file in files]
        passed = any(map(self._passes_on, paths)) or any(name in self._text(path) for path in paths)
        if units.child(module.unit, name) < 0 and not passed:
            return False
        listed = {row.name for file in files for row in family.facts(file).exports} if modules.lists_exports else set()
        public = not (modules.private_prefix and name.startswith(modules.private_prefix))
        return name in listed or (public and (not listed or "__all__" in listed))

    def _find_passing(self, path: str) -> bool:
        """Return True if a file may offer names that do not occur in its text."""
        text = self._text(path)
        return not text or _PASSES_ON.search(text) is not None

    def _lazily(self, family: Family, file: int, name: str) -> list[Thing]:
        """Return the things that a module with ``__getattr__`` exports lazily; see `submodules_named`."""
        facts, unit = family.facts(file), family.locator.unit_of(file)
        words = family.rules.special_methods.missing
        if not words or not any(_names(facts, word) for word in words):
            return []
        found: list[Thing] = []
        for place in submodules_named(family.locator.units, unit, name, self._text(facts.path)):
            found += self.step(Module(family, place), name)
        return found

    # ----------------------------------------------------------------- scopes

    def _in_scope(self, family: Family, file: int, scope: int, name: str) -> list[Thing]:
        """Return the things to which a scope binds `name`: its last definition, import or alias that can be resolved.

        If the scope has several definitions of the name (overloads, or parts of one type), all of them are returned.
        """
        facts = family.facts(file)
        around = facts.symbols[scope].id
        defined = [n for n, s in enumerate(facts.symbols) if s.name == name and s.parent == around]
        binds_stars = family.rules.modules.stars_bind and scope == 0
        rows: list[tuple[int, int | Import | Binding]] = [
            (r.line, r) for r in facts.bindings if r.scope == scope and r.name == name and _is_alias(r)
        ]
        names = {name, "*"} if binds_stars else {name}
        named = (r for r in facts.imports if r.scope == scope and (r.name in names or r.name.partition(".")[0] == name))
        rows += [(r.line, r) for r in named]
        rows += [(facts.symbols[n].line, n) for n in defined]
        rows.sort(key=lambda row: -row[0])
        for _, row in rows:
            if isinstance(row, int):
                return [Definition(family, file, n) for n in reversed(defined)]
            if isinstance(row, Import):
                found = self._starred(family, file, row, name) if row.name == "*" else self._imported(family, file, row)
            else:
                found = self._value(family, file, row)
                found = found if not defined or any(is_code(each) for each in found) else []
            if found:
                return found
        return []

    def _bound(self, family: Family, file: int, scope: int, name: str) -> list[Thing]:
        """Return the things assigned to a path in a scope, such as ``app.use`` or ``table[key]``."""
        for row in reversed(family.facts(file).bindings):
            if row.scope == scope and row.name == name and (found := self._value(family, file, row)):
                return found
        return []

    def _value(self, family: Family, file: int, row: Binding) -> list[Thing]:
        return self._path(family, file, row.scope, row.value)

    def named_by(self, thing: Definition) -> list[Thing]:
        """Return the definitions that a constant is another name of: ``_.each = forEach``, ``f = g``."""
        facts, symbol = thing.family.facts(thing.file), thing.symbol
        rows = (r for r in facts.bindings if r.line == symbol.line and r.name.rpartition(".")[2] == symbol.name)
        found = [each for row in rows if _is_alias(row) for each in self._value(thing.family, thing.file, row)]
        return [each for each in found if isinstance(each, Definition) and each != thing]

    def _path(self, family: Family, file: int, scope: int, path: str) -> list[Thing]:
        """Return the things that an access path means. It may consist of names, with at most one call at its end."""
        if path.startswith("%dict"):
            return [Literal(family, file, scope, path)]
        if path.startswith(("%fn", "%class")):
            found = self._anonymous(family, file, scope, path.removesuffix("()"))
            return [Instance(each) for each in found if isinstance(each, Definition)] if path[-2:] == "()" else found
        called = path.endswith(")") and path.count("(") == 1
        path = path.partition("(")[0] if called else path
        plain = path.replace("::", ".")
        if not plain or any(mark in plain for mark in "([%"):
            return []
        first, *rest = plain.split(".")
        found = self.follow(self._seen_from(family, file, scope, first), rest)
        if not called:
            return found
        return [Instance(thing) for thing in found if isinstance(thing, Definition) and is_code(thing)]

    def _anonymous(self, family: Family, file: int, scope: int, path: str) -> list[Thing]:
        """Return the function or class without a name at a position, ``%fn:LINE:COL``."""
        facts = family.facts(file)
        for row in facts.bindings:
            if row.name == path and row.scope != scope:
                return [Definition(family, file, row.scope)]
        line = path.split(":")[1]
        at = next((n for n, symbol in enumerate(facts.symbols) if str(symbol.line) == line), -1)
        return [Definition(family, file, at)] if at >= 0 else []

    def _seen_from(self, family: Family, file: int, scope: int, name: str) -> list[Thing]:
        """Return the meaning of `name` in a scope: there, in the scopes around it, in the module's other files."""
        return self._cache.once(
            ("seen", family, file, scope, name), lambda: self._look_around(family, file, scope, name)
        )

    def _look_around(self, family: Family, file: int, scope: int, name: str) -> list[Thing]:
        facts = family.facts(file)
        number = {symbol.id: n for n, symbol in enumerate(facts.symbols)}
        here: int | None = scope
        while here is not None:
            if found := self._in_scope(family, file, here, name) or self._stars(family, file, name, here):
                return found
            parent = facts.symbols[here].parent
            here = None if parent is None else number.get(parent, 0)
        unit = family.locator.unit_of(file)
        return self.step(Module(family, unit), name)

    # ----------------------------------------------------------------- import statements

    def _imported(self, family: Family, file: int, row: Import) -> list[Thing]:
        if family.rules.modules.keywords:
            return self._used(family, file, row)
        if "." in row.name and not row.member:  # import a.b binds a
            located, member = family.locator.locate(file, row.module.partition(".")[0]), ""
        else:
            located, member = imported(family.locator, file, row.module, row.member)
        if located.unit < 0:
            return []
        names = [*located.rest, *([member] if member not in ("", "*", "=") else [])]
        things: list[Thing] = [Module(family, unit) for unit in (located.unit, *located.beside)]
        if member == "=":
            return [t for f in family.locator.units.files[located.unit] for t in self._exported(family, f, "=")]
        child = family.locator.units.child(located.unit, member)
        if child >= 0 and located.unit == family.locator.unit_of(file):  # a package imports one of its own submodules
            return [Module(family, child)]
        return self.follow(things, names)

    def _used(self, family: Family, file: int, row: Import) -> list[Thing]:
        """Return the things of a Rust import, which is a path of names: ``use crate::a::B``, ``mod a;``."""
        names = [*row.module.split("::"), *([row.member] if row.member not in ("", "*") else [])]
        if len(names) > 1 and not row.member:  # mod name; names the very module
            located = family.locator.locate(file, "/" + row.module)
            return [Module(family, located.unit)] if located.unit >= 0 and not located.rest else []
        own = family.locator.units.child(family.locator.unit_of(file), names[0])  # takes precedence over a crate
        if own >= 0 and len(names) > 1 and (found := self.follow([Module(family, own)], names[1:])):
            return found
        located = family.locator.locate(file, "::".join(names))
        if located.unit >= 0:
            return self.follow([Module(family, located.unit)], located.rest)
        if len(names) == 1 and names[0] == row.name:
            return []
        return self.follow(self._seen_from(family, file, row.scope, names[0]), names[1:])

    # ----------------------------------------------------------------- definitions

    def _member(self, owner: Definition, name: str) -> list[Thing]:
        """Return a member of a type: its own, then one defined outside its body, then the first supertype's."""
        family, file, scope = owner
        found = self._in_scope(family, file, scope, name) or self._outside(owner, name)
        if found:
            return found
        facts = family.facts(file)
        for row in facts.bases:
            if row.scope == scope or row.type == owner.symbol.name:
                for base in self._supertypes(owner, row):
                    if found := self.step(base, name):
                        return found
        return []

    def _supertypes(self, owner: Definition, row: Base) -> Iterator[Thing]:
        for thing in self._path(owner.family, owner.file, owner.around, row.path):
            if isinstance(thing, Definition) and thing != owner:
                yield thing

    def _of_result(self, made: Definition, name: str) -> list[Thing]:
        """Return the member `name` of an instance of a type, or of a function's result."""
        if made.symbol.kind in TYPE_KINDS:
            return self._member(made, name)
        family, file, scope = made
        for row in family.facts(file).returns:
            if row.scope != scope:
                continue
            if row.manner == "return" and (found := self._bound(family, file, scope, f"{row.value}.{name}")):
                return found
            things = self._path(family, file, scope, row.value)
            things = [Instance(t) for t in things if isinstance(t, Definition)] if row.manner == "type" else things
            if found := self.follow([thing for thing in things if thing != made], [name]):
                return found
        return []

    def _declared(self, family: Family, file: int, scope: int, name: str) -> list[Thing]:
        """Return instances of the type with which a variable or field of the scope is declared."""
        for row in family.facts(file).bindings:
            if row.scope == scope and row.name == name and row.type and row.manner in ("variable", "field"):
                found = self._path(family, file, scope, row.type)
                return [Instance(thing) for thing in found if isinstance(thing, Definition)]
        return []

    def _outside(self, owner: Definition, name: str) -> list[Thing]:
        """Return a member that is defined outside the type's body, as in Go or in Rust's impl blocks."""
        parts = (*name_parts(owner.symbol.fqn), name)
        return [place for symbol in self._catalog.exactly(parts) if (place := self._place(symbol)) is not None]

    def _in_definition(self, thing: Definition, name: str) -> list[Thing]:
        """Return a name of a module in a file, a function, or a constant, whose value then has the member."""
        family, file, scope = thing
        symbol, parent = thing.symbol, thing.around
        found = self._in_scope(family, file, scope, name) or self._stars(family, file, name, scope)
        found = found or self._bound(family, file, parent, f"{symbol.name}.{name}")
        if not found:
            values = self._bound(family, file, parent, symbol.name) + self._declared(family, file, parent, symbol.name)
            found = self.follow([each for each in values if each != thing], [name])
        return found or self._outside(thing, name)


def _is_alias(row: Binding) -> bool:
    return row.manner in ("variable", "field", "type") and bool(row.value)


def _names(facts: FileFacts, word: str) -> bool:
    """Return True if a module defines, imports or assigns the name `word`."""
    top = facts.symbols[0].id
    return (
        any(symbol.name == word and symbol.parent == top for symbol in facts.symbols)
        or any(row.name == word and row.scope == 0 for row in facts.imports)
        or any(row.name == word and row.scope == 0 for row in facts.bindings)
    )
