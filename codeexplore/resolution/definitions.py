"""Definitions and links: the symbols of all files, the names that they bind, and what names mean before values flow.

To *link* a name is to let the values that it means flow into its constraint variable. `Naming` links imports, exports,
receivers, aliases and supertypes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from itertools import groupby, pairwise
from posixpath import commonpath, dirname
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.class_hierarchy import EMBEDDING
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import CONSTRUCTOR, Located, imported
from codeexplore.resolution.parts import EvaluatorPart
from codeexplore.resolution.program import (
    ABSTRACT,
    EXPLICIT,
    MAX_DEFINITIONS,
    NAMESPACES,
    OF_CLASS,
    OVERLOAD,
    PROPERTY,
    SETTER,
    STATIC,
    UNDERLYING,
    Program,
)
from codeexplore.resolution.solver import CLASS, FUNC, INST, UNKNOWN
from codeexplore.resolution.type_syntax import last_part, read_type, simple
from codeexplore.types import (
    CALLABLE_KINDS,
    METACLASS,
    STAR,
    TYPE_KINDS,
    Base,
    Binding,
    Export,
    FileFacts,
    Import,
    Symbol,
)

_ROLE_BITS: Final = {
    "static": STATIC,
    "class": OF_CLASS,
    "property": PROPERTY,
    "setter": SETTER,
    "overload": OVERLOAD,
    "abstract": ABSTRACT,
    "plain": 0,
}
_BUNDLED_FILES: Final = 3  # minimal number of files that a bundle puts together
_BUNDLED_SHARE: Final = 0.8  # minimal share of its functions that are in these files too
_AFTER_NAME: Final = frozenset("=(:<")
"""Characters that may follow the name of a function in its signature, but not a modifier."""


def _bound(signature: str, name: str) -> str:
    """Return the bound of the type parameter `name` in a signature: ``fun <S : Sink> S.write()``; else `name`."""
    parameters = signature.partition("(")[0].partition("<")[2]
    bound = re.search(rf"\b{re.escape(name)}\s*:\s*([\w.]+)", parameters) if name.isidentifier() else None
    return bound[1] if bound is not None else name


_MAX_OPENED: Final = 50  # most namespaces of a file through which others are used
_MAX_DEPTH: Final = 8  # classes around a class that is defined outside of them, after which the order is not told
_OPENED: Final = re.compile(r"\bnamespace[ \t]+(\w+)(?=[ \t]*(?:\{|$))", re.ASCII)


class Definitions:
    """Adds the symbols of files to a program, and binds their names to the values that they define."""

    def __init__(self, program: Program) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self._places: dict[str, int] = {}  # path → file, in languages where files may declare definitions of others
        self._first_part: dict[tuple[str, bool, int, str], int] = {}
        self._superclass: dict[int, str] = {}  # first part of a type → last name of its superclass
        self._qualified: list[int] = []  # types that are defined by a qualified name, in the order of files
        self._latest: dict[int, int] = {}  # node with many definitions → the last definition
        self._of_all = frozenset[str]()  # qualified names of the types and namespaces in files of no program alone

    def add_files(self) -> None:
        self._of_all = self._find_of_all()
        for index, facts in enumerate(self.program.files):
            self._add_symbols(index, facts)
        for own in self._qualified:
            if (owner := self._owner(own)) >= 0:
                self.define_type(owner, own)
        for node, symbol in self._latest.items():
            self._add_definition(node, symbol)
        if self.rules.functions.expanded_signature:
            macros = (s.signature for s in self.program.symbols if s.kind == "constant" and "namespace" in s.signature)
            self.program.opened = frozenset(name for text in macros for name in _OPENED.findall(text))

    def attach(self, function: int, cls: int) -> None:
        """Make a function or type that is defined outside of a type a member of the type."""
        program = self.program
        program.own_class[function] = cls
        if program.is_class(function):
            self.define_type(cls, function)
            return
        program.roles[function] |= PROPERTY if program.is_read(function) else 0
        symbol = program.symbols[function]
        making = self.rules.construction.constructor_is_class and symbol.name == program.symbols[cls].name
        name = CONSTRUCTOR if making else program.method_name(symbol.name)
        node = program.bound(cls, name)
        if node < 0 or function not in program.defined.get(node, ()):
            self._add_definition(self._define(cls, name, function), function)

    def _add_symbols(self, index: int, facts: FileFacts) -> None:
        program = self.program
        first = len(program.symbols)
        program.first.append(first)
        number = {symbol.id: first + position for position, symbol in enumerate(facts.symbols)}
        program.names.extend([None] * len(facts.symbols))  # reserved, because a method may be defined before its type
        types: frozenset[str] = TYPE_KINDS
        if self.rules.classes.mixins:
            types = NAMESPACES
        self._note_whole_file(index, facts)
        heads: list[tuple[int, int]] = []  # node and number of functions without a body
        rows = program.bindings[index].fields("scope", "manner") if self.rules.classes.open_types else ()
        outside = {scope for scope, manner in rows if manner == "receiver"}
        for symbol in facts.symbols:
            own = len(program.symbols)
            parent = number.get(symbol.parent, first) if symbol.parent is not None else -1
            kind = symbol.kind
            program.symbols.append(symbol)
            program.file_of.append(index)
            program.parent.append(parent)
            program.roles.append(self._role(symbol) if kind in CALLABLE_KINDS else 0)
            member = parent >= 0 and facts.symbols[parent - first].kind in types and parent > first
            program.own_class.append(program.whole.get(parent, parent) if member and kind in CALLABLE_KINDS else -1)
            if own == first:
                continue
            if member and kind != "lambda" and self.rules.scopes.bodies_run:
                program.since.setdefault(program.variable(parent, symbol.name), symbol.line)
            if kind == "lambda":
                program.anonymous[index, "fn:" + symbol.name.rpartition("lambda:")[2].rstrip(">")] = own
            elif kind in CALLABLE_KINDS:
                if member or kind != "method":  # a method outside its type does not bind a name in its scope
                    self._add_function(own, symbol, parent, member, heads)
            elif kind in NAMESPACES and self._is_qualified(symbol, facts.symbols[parent - first]):
                self._qualified.append(own)
            elif kind in NAMESPACES and own - first not in outside:
                self.define_type(parent, own)
            elif kind in ("constant", "field"):
                self._add_constant(own, symbol, parent)
        for node, head in heads:
            self._add_head(node, head)

    def _add_constant(self, own: int, symbol: Symbol, parent: int) -> None:
        """Bind the name of a constant or field in its type; of an enum's value also in the scope around, as C does."""
        program, scoped, enum = self.program, self.rules.classes.scoped_enum, self.program.symbols[parent]
        node = program.variable(parent, symbol.name)
        program.sole[node] = -1
        program.constants.setdefault(node, own)
        if symbol.kind == "field" or scoped is None or scoped.search(enum.signature):
            return
        outer = program.parent[parent] if enum.kind == "enum" else parent
        while enum.language == "c" and program.symbols[outer].kind in TYPE_KINDS:
            outer = program.parent[outer]
        names = program.names[outer] = program.names[outer] or {}
        names.setdefault(symbol.name, node)
        program.bound_names.add(symbol.name)

    def _is_qualified(self, symbol: Symbol, around: Symbol) -> bool:
        """Return True for ``class Field::Text`` in ``module Zip``, where types may have parts in several files."""
        mark = "::" if self.rules.classes.singleton_mark else ""
        return bool(mark) and symbol.fqn not in (symbol.name, f"{around.fqn}{mark}{symbol.name}")

    def _owner(self, own: int) -> int:
        """Return the type or namespace that the qualified name of a type names; -1 if it is outside the repository.

        Its first name is searched in the scopes from the inside out.
        """
        program = self.program
        symbol, parent, home = program.symbols[own], program.parent[own], self._home(program.file_of[own])
        outer = program.symbols[parent].fqn if parent != program.first[program.file_of[own]] else ""
        outer = outer if symbol.fqn.startswith(f"{outer}::") else ""  # ``class ::A::B`` is a name from the top
        named = symbol.fqn.removeprefix(f"{outer}::").removesuffix(f"::{symbol.name}")
        while True:
            owner = f"{outer}::{named}" if outer else named
            names = dict.fromkeys((f"{home}{owner}", owner))
            kinds = ((False, symbol.path), (False, ""), (True, ""))  # a type of this file, another type, a namespace
            found = [
                self._first_part.get((name, is_module, 0, place), -1) for name in names for is_module, place in kinds
            ]
            if max(found) >= 0 or not outer:
                return max(found)
            outer = outer.rpartition("::")[0]

    def _add_function(self, own: int, symbol: Symbol, parent: int, member: bool, heads: list[tuple[int, int]]) -> None:
        """Bind the name of the function `own` in the scope of its parent.

        A function without a body is only added to `heads`, with the constraint variable of its name.
        """
        program = self.program
        making = member and self.rules.construction.constructor_is_class and symbol.name == self._name_of(parent, own)
        name = CONSTRUCTOR if making else program.member_name(symbol) if member else symbol.name
        explicit = self.rules.functions.explicit_signature
        if member and explicit is not None and explicit.search(symbol.signature):
            name = EXPLICIT + name
        if self.rules.functions.macro_signature and symbol.signature.startswith(self.rules.functions.macro_signature):
            name += "!"
            if not program.is_callable(parent):  # a macro inside a function is visible there only
                program.macros.setdefault(name, []).append((own, program.variable(parent, name)))
        if self.rules.functions.heads_apart and symbol.signature.endswith(";"):
            heads.append((program.variable(parent, name), own))
            self._note_defined(heads[-1][0], name, own)
        else:
            self._define(parent, name, own)

    def _name_of(self, parent: int, own: int) -> str:
        """Return the name of a symbol in the file of `own`, which may not be added to the program yet."""
        program = self.program
        file = program.file_of[own]
        return program.files[file].symbols[parent - program.first[file]].name

    def _add_head(self, node: int, head: int) -> None:
        """Add a function without a body to the values of its name, unless a function with a body has the same name."""
        program = self.program
        known = program.defined[node]
        if any(program.is_callable(each) and not program.symbols[each].signature.endswith(";") for each in known):
            program.roles[head] |= OVERLOAD
        else:
            self.solver.add(node, self.entities.get(FUNC, head), h.SCOPE)

    def _note_whole_file(self, index: int, facts: FileFacts) -> None:
        """Record the relations between the symbols of a file, and to symbols of other files."""
        first = self.program.first[index]
        if self.rules.classes.open_types:
            self._join_parts(index, facts)
        else:
            self._join_crowded(first, facts)
        if self.rules.scopes.bare_by_name:
            self._note_private(first, facts)
        if self.rules.modules.declaring_suffix:
            self._places[facts.path] = index
            if facts.path.endswith(self.rules.modules.declaring_suffix):
                self._note_declared(index, facts)

    def _note_private(self, first: int, facts: FileFacts) -> None:
        """Record the symbols of a file that are visible in this file only: their qualified names begin with its path.

        Members of such types are not included, because they are accessed through instances.
        """
        within, inside = facts.path + ":", set[str]()
        for own, symbol in enumerate(facts.symbols, first):
            if symbol.parent in inside:
                inside.add(symbol.id)
            elif symbol.fqn.startswith(within):
                inside.add(symbol.id)
                self.program.private.add(own)

    def hide_bundles(self) -> None:
        """Hide the functions of files that repeat those of several others, which are put together for distribution."""
        program, homes = self.program, dict[tuple[str, str], int]()
        functions: list[list[int]] = [[] for _ in program.files]
        repeated = [Counter[int]() for _ in program.files]  # file → other file → functions in both
        for number, (symbol, file) in enumerate(zip(program.symbols, program.file_of, strict=True)):
            if symbol.kind in CALLABLE_KINDS:
                functions[file].append(number)
                home = homes.setdefault((symbol.fqn, symbol.signature), file)
                if home != file:
                    repeated[file][home] += 1
                    repeated[home][file] += 1
        for own, others in zip(functions, repeated, strict=True):
            whole = all(len(functions[other]) < len(own) for other in others)
            if len(others) >= _BUNDLED_FILES and whole and others.total() > _BUNDLED_SHARE * len(own):
                program.private.update(own)

    def _note_declared(self, index: int, facts: FileFacts) -> None:
        """Relate declarations to the definitions in the file beside it (``a.pyi``, ``a.py``), which take precedence."""
        program = self.program
        beside = facts.path[: -len(self.rules.modules.declaring_suffix)] + self.rules.modules.declared_suffix
        place = self._places.get(beside, -1)
        if place < 0:
            return
        program.left_out.add(index)
        defined = {symbol.fqn: own for own, symbol in enumerate(program.files[place].symbols, program.first[place])}
        for own, symbol in enumerate(facts.symbols[1:], program.first[index] + 1):
            twin = defined.get(symbol.fqn, -1)
            if twin >= 0 and symbol.kind in TYPE_KINDS and program.symbols[twin].kind in TYPE_KINDS:
                program.whole[own] = twin
            elif twin >= 0 and symbol.kind in CALLABLE_KINDS and program.symbols[twin].kind in CALLABLE_KINDS:
                program.twins[own] = twin
                program.unreal.add(own)

    def _join_parts(self, index: int, facts: FileFacts) -> None:
        """Let the parts of a type or namespace, in any file, share one scope of names.

        Where a type has one superclass, types of one name that name different ones are of programs apart, and so are
        those in the folders of several programs, unless code of all programs has a part.
        """
        program = self.program
        home = self._home(index)
        above = {row.scope: last_part(row.path) for row in facts.bases if row.manner == "extends" and not row.type}
        above, first = above if self.rules.classes.mixins else {}, program.first[index]
        place = facts.path if facts.path.endswith(self.rules.modules.sources) else ""  # each file has types of its own
        for own, symbol in enumerate(facts.symbols[1:], first + 1):
            if symbol.kind not in NAMESPACES or symbol.name[:1] == "<" or not self._is_open(symbol):
                continue
            is_module = symbol.kind == "module"
            name, rest = above.get(own - first, ""), (is_module, self._arity(symbol), "" if is_module else place)
            full = f"{home * (symbol.fqn not in self._of_all)}{symbol.fqn}"
            known = self._first_part.setdefault((full, *rest), own)
            if name and self._superclass.setdefault(known, name) != name:
                known = self._first_part.setdefault((f"{full} < {name}", *rest), own)
            names = program.names[known]
            if names is None:
                names = program.names[known] = {}
            if known != own:
                program.whole[own] = known
                program.names[own] = names

    def _find_of_all(self) -> frozenset[str]:
        homes = self.program.apart if any(map(self._home, range(len(self.program.apart)))) else ()
        files = (self.program.files[index] for index, _ in enumerate(homes) if not self._home(index))
        return frozenset(s.fqn for facts in files for s in facts.symbols if s.kind in NAMESPACES)

    def _home(self, index: int) -> str:
        """Return the folder of the program of a file; "" for code of all programs."""
        return self.program.apart[index].strip(".") if self.program.apart else ""

    def _arity(self, symbol: Symbol) -> int:
        """Return the number of type parameters, by which types of one name differ if their parts have a modifier."""
        _, marked, behind = symbol.signature.partition(f"{symbol.name}<")
        return behind.partition(">")[0].count(",") + 1 if marked and self.rules.classes.part_word else 0

    def _is_open(self, symbol: Symbol) -> bool:
        if not self.rules.overloading.build_marks.isdisjoint(symbol.decorators):
            return False  # only one of them exists in a build
        word = self.rules.classes.part_word
        return not word or symbol.kind == "module" or word in symbol.signature.split(symbol.name, 1)[0].split()

    def _join_crowded(self, first: int, facts: FileFacts) -> None:
        """Join types into one type if more than `MAX_DEFINITIONS` types of one scope have the same name."""
        program = self.program
        declared: dict[tuple[str | None, str, bool], list[int]] = {}
        for own, symbol in enumerate(facts.symbols[1:], first + 1):
            if symbol.kind in NAMESPACES:
                declared.setdefault((symbol.parent, symbol.name, symbol.kind == "module"), []).append(own)
        for (_, name, _), parts in declared.items():
            if len(parts) > MAX_DEFINITIONS:
                self._note_crowded(name)
                names = program.names[parts[0]] = {}
                for own in parts[1:]:
                    program.whole[own], program.names[own] = parts[0], names

    def define_type(self, scope: int, own: int) -> None:
        """Bind the name of a type or namespace in a scope."""
        node = self.program.variable(scope, self.program.symbols[own].name)
        self.program.sole[node] = -1
        if self._note_definition(node, own):
            self._add_definition(node, own)

    def _define(self, scope: int, name: str, function: int) -> int:
        node = self.program.variable(scope, name)
        if self._note_defined(node, name, function):
            self._add_definition(node, function)
        return node

    def _note_defined(self, node: int, name: str, function: int) -> bool:
        program = self.program
        program.function_names.add(name)
        program.sole[node] = -1 if node in program.sole or program.symbols[function].decorators else function
        return self._note_definition(node, function)

    def _note_definition(self, node: int, symbol: int) -> bool:
        """Record a symbol that defines a name. Return False if a later symbol may replace it.

        If there are too many definitions of a name, the first ones and the last one are kept, because the last one
        often hides the others.
        """
        known = self.program.defined.setdefault(node, [])
        if len(known) < MAX_DEFINITIONS - 1:
            known.append(symbol)
            return True
        self._latest[node] = symbol
        if len(known) < MAX_DEFINITIONS:
            known.append(symbol)
        else:
            known[-1] = symbol
            self._note_crowded(self.program.symbols[symbol].name)
        return False

    def _note_crowded(self, name: str) -> None:
        program = self.program
        if name not in program.crowded:
            program.crowded.add(name)
            program.work.leave_out(
                f"names with more than {MAX_DEFINITIONS} definitions, not all of them told apart", name
            )

    def _add_definition(self, node: int, symbol: int) -> None:
        kind = FUNC if self.program.symbols[symbol].kind in CALLABLE_KINDS else CLASS
        self.solver.add(node, self.entities.get(kind, self.program.whole.get(symbol, symbol)), h.SCOPE)

    def forget_names_of_several(self, stored: Collection[str]) -> None:
        """Reduce `Program.sole` to the names that one function defines. No more names are defined afterwards.

        `stored` has names to which code assigns other values.
        """
        program = self.program
        program.sole = {n: f for n, f in program.sole.items() if f >= 0 and program.symbols[f].name not in stored}

    def _role(self, symbol: Symbol) -> int:
        roles, role = self.rules.decorators.roles, 0
        for decorator in symbol.decorators:
            role |= _ROLE_BITS[roles.get(decorator.removesuffix("()").rpartition(".")[2], "plain")]
        if self.rules.functions.signature_roles:
            words = f"{symbol.signature} ".split(" ", 4)[:4]
            for word, following in pairwise(words):
                if word != symbol.name or following[:1] not in _AFTER_NAME:  # not the function's own name
                    role |= _ROLE_BITS[self.rules.functions.signature_roles.get(word, "plain")]
        form = self.rules.functions.read_signature
        if form is not None and symbol.kind == "method":
            role |= PROPERTY if form.fullmatch(symbol.signature) else 0
        if symbol.name in self.rules.functions.class_methods or self.program.is_singleton(symbol):
            role |= OF_CLASS
        return role


class Naming(EvaluatorPart):
    """Links the names of all files."""

    def __init__(self, evaluator: Evaluator, definitions: Definitions) -> None:
        super().__init__(evaluator.shared)
        self.definitions, self.forget_names = definitions, evaluator.forget_names
        self.modules, self.scopes, self.annotations = evaluator.modules, evaluator.scopes, evaluator.annotations
        self._everywhere = cache(self._find_everywhere)
        self._left: list[tuple[int, Base]] = []  # supertypes that were not found, with the first scope of their files
        self._opened: dict[int, list[str]] = {}  # file → namespaces whose names it sees
        symbols = self.program.symbols if self.rules.modules.linked else ()
        self._namespaces = frozenset(symbol.fqn for symbol in symbols if symbol.kind == "module" and symbol.parent)

    def lay_out_imports(self, file: int) -> None:
        """Make the constraint variables of the names that the imports of a file bind."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name and row.name != "*":
                node = program.variable(first + row.scope, row.name.partition(".")[0])
                program.sole[node] = -1
                program.type_names.add(node)
                if self.rules.modules.keywords and not row.member and "::" in row.module:  # mod name;
                    program.module_names.add(node)

    def lay_out_exports(self, file: int) -> None:
        """Make the constraint variables of the names that a file exports.

        In languages where a file only lists the names that it exports (``__all__``), record the listed names instead.
        """
        for row in self.program.files[file].exports:
            if self.rules.modules.lists_exports:
                self.modules.listed.setdefault(file, set()).add(row.target)
            elif row.name != "*":
                self.modules.exported(file, row.name)

    def _find_everywhere(self, folder: str) -> list[Export]:
        """Return the exports of all files as they hold in `folder`: those of the nearest folders first."""
        files = [each for each in self.program.files if each.exports]
        files.sort(key=lambda each: -len(commonpath((folder, each.path))))
        return list(dict.fromkeys(row for each in files for row in each.exports))

    def link_stars(self, file: int) -> None:
        """Link the star imports and star exports of a file. They must be known before names are looked up."""
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        rows = [row for row in facts.imports if row.name == "*"]
        exports = self._everywhere(dirname(facts.path)) if self.rules.modules.stars_everywhere else facts.exports
        rows += [Import(0, "*", row.module, row.target, row.line) for row in exports if row.name == "*"]
        if self.rules.modules.stars_bind:
            rows.sort(key=lambda row: -row.line)
        ends = {(row.scope, row.line): row.sure for row in program.bindings[file] if row.name == STAR}
        for row in rows:
            source = self._imported(file, row)
            if source != UNKNOWN:
                end = ends.get((row.scope, row.line), 0)
                self.modules.stars.setdefault(first + row.scope, []).append(source)
                self.modules.star_lines.setdefault(first + row.scope, []).append(end + 1 if end else row.line)
                if end:
                    self.modules.conditional_stars.add((first + row.scope, source))

    def link_imports(self, file: int) -> None:
        """Let the imported values flow into the names that the imports of a file bind."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].imports:
            if row.name == "*":
                continue
            source = self._imported(file, row)
            if f"{row.member}!" in program.macros:  # a macro has a name of its own
                named = row._replace(name=row.name + "!", member=row.member + "!")
                if (macro := self._imported(file, named)) != UNKNOWN:
                    self.solver.add_flow(macro, program.variable(first + row.scope, named.name))
            if source != UNKNOWN and row.name:
                name = row.name.partition(".")[0]
                last = program.bound(first + row.scope, name)
                self.modules.passed[last] = source
                self.solver.add_flow(source, program.at_line(last, row.line + 1))

    def _imported(self, file: int, row: Import) -> int:
        """Return the constraint variable of the value that the import `row` binds."""
        module, member = row.module, row.member
        if self.rules.modules.keywords:
            return self._imported_path(file, row)
        if module[:2] == "::":
            return self.in_namespace(file, row)
        if "." in row.name and not member:  # import a.b binds a
            found = self._outermost(file, module)
        else:
            found, member = imported(self.program.locator, file, module, member)
        if found.unit < 0:
            if not found.external:
                return UNKNOWN
            outside = found.external if member in ("", "*") else f"{found.external}.{member}"
            return self.known.external(outside)
        if found.beside:
            units = (found.unit, *found.beside)
            return self.modules.join([self._member(file, Located(unit), member) for unit in units], h.ELEMENT)
        return self._member(file, found, member)

    def _member(self, file: int, found: Located, member: str) -> int:
        """Return the constraint variable of a member that a file imports from a module."""
        node = self.known.module(found.unit)
        if found.rest:
            node = self.steps.follow(node, tuple("." + name for name in found.rest), 0, 0)
        whole = self.modules.whole(found.unit)
        if member in ("", "*") and whole < 0:
            return node
        if member == "" or (member == "default" and whole >= 0):  # its names and its value
            both = self.solver.node()
            self.solver.add_flow(node, both)
            self.solver.add_flow(whole, both)
            return both
        child = self.program.units.child(found.unit, member)
        if child >= 0 and found.unit == self.program.locator.unit_of(file):  # a package imports one of its own modules
            return self.known.module(child)
        return self.steps.follow(node, ("." + member,), 0, 0)

    def in_namespace(self, file: int, row: Import) -> int:
        """Return the constraint variable of ``::a::b::member``, whose first name is a namespace or type in scope."""
        parts = [part for part in (*row.module.split("::"), row.member) if part not in ("", "*")] or ["?"]
        opened = self._opened.setdefault(file, [])
        around = next((each for each in opened if f"{each}::{parts[0]}" in self._namespaces), "")
        parts[:0] = around.split("::") if around else ()  # using namespace lib; using namespace inner;
        if row.name == "*" and len(opened) < _MAX_OPENED and (path := "::".join(parts)) in self._namespaces:
            opened.append(path)
        scope, node = self.program.first[file] + row.scope, -1
        while scope >= 0 and node < 0 and len(parts) > (parts[:1] == [row.name]):
            node, scope = self.program.bound(scope, parts[0]), self.program.parent[scope]
        node = self.scopes.linked.find(file, parts[0]) if node < 0 else node
        steps = tuple("." + name for name in parts[1:])
        return self.steps.follow(node, steps, 0, 0) if node >= 0 else self.known.external(".".join(parts))

    def _outermost(self, file: int, module: str) -> Located:
        """Return the target of the first part of a dotted module name."""
        first, locator = module.partition(".")[0], self.program.locator
        found = locator.locate(file, first)
        if not found.partial:
            return found
        unit = locator.locate(file, module).unit
        for _ in range(module.count(".") if unit >= 0 else 0):
            unit = self.program.units.parent[unit]
        return Located(unit) if unit >= 0 else Located(-1, first)

    def _imported_path(self, file: int, row: Import) -> int:
        """Return the constraint variable of an import that is a path of names: ``use crate::a::B``."""
        parts = [*row.module.split("::"), *([row.member] if row.member not in ("", "*") else [])]
        scope = self.program.first[file] + row.scope
        own = len(parts) == 1 and parts[0] == row.name  # use other_crate;
        if len(parts) > 1 and not row.member:  # mod name; the path is the declared module itself
            found = self.program.locator.locate(file, "/" + row.module)  # from the top: not the name of a crate
            return self.known.module(found.unit) if found.unit >= 0 and not found.rest else UNKNOWN
        if row.name == "*" and row.scope == 0 and parts[0] in self.rules.modules.keywords:
            found = self.program.locator.locate(file, row.module)  # resolved now: the module is needed for star imports
            if found.unit >= 0 and not found.rest:
                return self.known.module(found.unit)
        root = self.scopes.module_root(scope, parts[0], local=not own)
        steps = tuple("." + part for part in parts[1:])
        return self.steps.follow(root, steps, scope, row.line) if root >= 0 else UNKNOWN

    def link_exports(self, file: int) -> None:
        """Link the names that a file exports under other names, or from other modules."""
        program, first = self.program, self.program.first[file]
        for row in program.files[file].exports if not self.rules.modules.lists_exports else ():
            if row.name == "*":
                continue
            if row.module:
                source = self._imported(file, Import(0, row.name, row.module, row.target, row.line))
            else:
                source = self.path(first, row.target, 1 << 30)
            node = self.modules.exported(file, row.name)
            if source not in (UNKNOWN, node):
                self.solver.add_flow(source, node)
                self.modules.passed[node] = source
                if source in program.constants:
                    program.constants.setdefault(node, program.constants[source])

    def attach_receivers(self) -> None:
        """Make types and methods that are defined outside of their types members of these types."""
        program = self.program
        waiting, traits = [], []
        for function, row in self._attach_types():
            outer = max(program.parent[function], 0)
            bound = _bound(program.symbols[function].signature, row.type)
            name = read_type(bound).name.replace("::", ".")
            waiting.append((function, row, bound, self.annotations.type_path(outer, name, row.line)))
            if row.value:
                traits.append((function, self.annotations.type_path(outer, row.value, row.line)))
        self.solver.solve()
        constructors, extensions = self.rules.construction.constructors, self.rules.functions.extensions
        if extensions in ("named", "everywhere"):
            program.extended.update((function, extended) for function, _, extended, _ in waiting)
        for function, row, extended, node in waiting:
            held = self.solver.points_to(node)
            if extensions and not any(self.entities.kind[entity] == CLASS for entity in held):
                name = program.symbols[function].name
                program.extensions.setdefault(name, []).append((function, extended))
                if name in constructors:
                    program.added_constructors.setdefault(simple(extended), []).append(function)
            for entity in held:
                kind, cls = self.entities.kind[entity], self.entities.payload[entity]
                if kind == CLASS:
                    self.definitions.attach(function, cls)
                elif kind == FUNC:
                    program.makes_instances.add(cls)
                if kind in (CLASS, FUNC) and row.name:
                    receiver = program.variable(function, row.name)
                    program.receivers[receiver] = cls
                    program.outer_receivers[function] = receiver
                    self.solver.add(receiver, self.entities.get(INST, cls, 1), h.SELF)
        hierarchy = self.hierarchy
        for function, node in traits:
            hierarchy.of_trait[function] = next(iter(program.held(node, CLASS)), -1)
        hierarchy.shadow()
        hierarchy.forget()
        self.forget_names()

    def _attach_types(self) -> list[tuple[int, Binding]]:
        """Make types that are defined outside of the types around them members of these: ``class Box::Node {}``.

        Return the other rows of `Program.receiving`.
        """
        program = self.program

        def depth(each: tuple[int, Binding]) -> int:
            return min(each[1].type.count("."), _MAX_DEPTH)

        left = sorted(((own, row) for own, row in program.receiving if program.is_class(own)), key=depth)
        for _, some in groupby(left, depth):  # the outer types first
            paths = [(own, self.annotations.type_path(program.parent[own], row.type, row.line)) for own, row in some]
            self.solver.solve()
            for own, node in paths:
                found = program.held(node, CLASS)
                for cls in found:
                    self.definitions.attach(own, cls)
                if not found:
                    self.definitions.define_type(program.parent[own], own)
            self.hierarchy.forget()
            self.forget_names()
        return (
            [(own, row) for own, row in program.receiving if not program.is_class(own)] if left else program.receiving
        )

    def give_defaults(self) -> None:
        """Give the parameters of functions the default values that their prototypes have."""
        program = self.program
        for scope, text in program.prototypes:
            name, *types = text.split(";")
            making = self.rules.construction.constructor_is_class and program.symbols[scope].name == name
            node = program.bound(scope, CONSTRUCTOR if making and program.is_class(scope) else name)
            node = self.scopes.linked.find(program.file_of[scope], name) if node < 0 else node
            fitting = [f for f in program.defined.get(node, ()) if len(program.parameters.get(f, ())) == len(types)]
            plain = [simple(each.rstrip("=")) for each in types]
            same = [f for f in fitting if [simple(each.type) for each in program.parameters[f]] == plain]
            for function in same or (fitting if len(fitting) == 1 else ()):
                pairs = zip(program.parameters[function], types, strict=True)
                program.parameters[function] = [p._replace(optional=p.optional or t[-1:] == "=") for p, t in pairs]

    def link_aliases(self, file: int, written: Sequence[int]) -> None:
        """Link names to which other names are assigned outside of functions. Such a name may be a base class.

        `written` has the constraint variable of each binding of the file, in order.
        """
        program, first = self.program, self.program.first[file]
        rows = program.bindings[file].fields("scope", "manner", "value", "line")
        for (scope, manner, value, line), node in zip(rows, written, strict=True):
            plain = node >= 0 and value and manner == "variable" and "(" not in value
            if plain and not program.is_callable(first + scope):
                self.solver.add_flow(self.path(first + scope, value, line), node)

    def inherit_overloads(self) -> None:
        """Let the name of a method also mean the overloads that its type inherits."""
        for cls in self.hierarchy.supers if self.rules.overloading.decides else ():
            for function, node in self.hierarchy.inherited_overloads(cls):
                self.program.sole[node] = -1
                self.solver.add(node, self.entities.get(FUNC, function), h.SCOPE)

    def link_bases(self) -> None:
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
        self.steps.forget_from(unused)

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

    def link_more_bases(self) -> None:
        """Record the supertypes that `MadeClasses` made."""
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
        return [row for row, (_, node) in zip(rows, found, strict=True) if not self.solver.points_to(node)]
