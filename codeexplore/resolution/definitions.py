"""Definitions: the symbols of all files, and the names that symbols and bindings bind. `naming` links what they mean.

A *binding* is a row of facts that gives a type or a value to a name or to a path, such as ``self.items``. Its `manner`
is the kind of binding, such as "parameter" or "element" (the variable of a loop). A *version* of a name is the
constraint variable of its values from one assignment to the next; see `program`.
"""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.language_rules import CONSTRUCTOR
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
    Parameter,
    Program,
)
from codeexplore.resolution.solver import CLASS, FUNC, INST
from codeexplore.resolution.type_syntax import last_part, read_type
from codeexplore.types import (
    CALLABLE_KINDS,
    DEFAULTS,
    LEFT_OUT,
    LOCAL_MARK,
    STUB,
    TYPE_KINDS,
    Binding,
    FileFacts,
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
        program.offered_names.add(symbol.name)

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


_CONSTANT_KEYS: Final = re.compile(r"\w+(\[[\w']+\])+")
_CONSTANT_MEMBERS: Final = re.compile(r"[\w$]+(\.[\w$]+|\[\w+\])+")
_OF_NAMES: Final = re.compile(r"\w+(\.\w+)+")
_OF_PATHS: Final = re.compile(r"[.\[%]|\((?!\)$)")  # name() is the key of a method; see `ClassRules.methods_apart`
_LITERALS: Final = ("%dict", "%list")
_PARAMETERS: Final = frozenset({"parameter", "keyword", "rest", "keywords"})
_DECLARING: Final = frozenset({"variable", "element", "pattern"})


class Bindings:
    """Makes the constraint variables for the bindings of a program's files."""

    def __init__(self, program: Program, unassigned: set[int]) -> None:
        self.program = program
        self.unassigned = unassigned  # nodes of fields that a class only declares
        self.class_stores: list[tuple[int, Binding]] = []  # (scope, row) of ``C.name = value``

    def lay_out(self, index: int) -> list[int]:
        """Make the constraint variables of the names that a file binds; return them by binding, -1 for a path."""
        program = self.program
        facts, first = program.files[index], program.first[index]
        for back in facts.returns:
            if back.manner == "type":
                program.result_types[first + back.scope] = back.value
        rows = program.bindings[index]
        again = Counter(
            (scope, name)
            for scope, name, manner, sure in rows.fields("scope", "name", "manner", "sure")
            if not _is_test(manner, sure)
        )
        written: list[int] = []
        current: dict[tuple[int, str], tuple[int, int]] = {}  # (scope, name) → (line of its last version, node)
        for row in rows:
            if row.manner == "receiver" or not _is_plain(row.name) or _is_test(row.manner, row.sure):
                written.append(-1)
                self._note_unnamed(index, row)
                continue
            scope = first + row.scope
            node = program.bound(scope, row.name)
            if node < 0:
                node = program.variable(scope, row.name)
                declares = program.rules.scopes.bound_after and row.manner in _DECLARING and LOCAL_MARK not in row.name
                if declares and program.is_callable(scope):
                    program.since[node] = row.line
            if row.manner == "type":
                program.type_names.add(node)
            if program.is_class(scope):
                unassigned = row.type and (not row.value or program.rules.construction.describes(row.value))
                (self.unassigned.add if unassigned else self.unassigned.discard)(node)
            program.sole[node] = -1
            if row.value.startswith(_LITERALS):
                program.literal_names.add((scope, row.name))
            if again[row.scope, row.name] > 1 and row.manner in ("variable", "parameter"):
                node = self._version(scope, row, node, current)
            written.append(node)
            if row.manner in _PARAMETERS:
                self._add_parameter(scope, row, node)
        self._note_pointers(rows.fields("type"), written)
        return written

    def _note_pointers(self, types: Iterable[tuple[str]], written: Sequence[int]) -> None:
        """Record which bindings declare a pointer, or an object such as ``std::unique_ptr<T>`` that lends members."""
        rules = self.program.rules
        if not rules.classes.pointers:
            return
        for (text,), node in zip(types, written, strict=True):
            if text[-1:] == "*":
                self.program.pointing.add(node)
            elif "<" in text and last_part(read_type(text).name) in rules.builtins.lenders:
                self.program.lending.add(node)

    def _note_unnamed(self, index: int, row: Binding) -> None:
        """Record a binding that is not of a plain name.

        It is a receiver, the position of an anonymous symbol, a constant key, or a mark of the file or function.
        """
        scope = self.program.first[index] + row.scope
        if row.manner == "receiver":
            self.program.receiving.append((scope, row))
        elif row.name == DEFAULTS:
            self.program.prototypes.append((scope, row.type))
        elif row.name == STUB:
            self.program.stubs.add(scope)
            if row.type:
                self.program.unreal.add(scope)
        elif row.name == LEFT_OUT:
            self.program.left_out.add(index)
        elif row.name[:1] == "%" and not row.value and row.manner == "variable":
            self.program.anonymous[index, row.name[1:]] = scope
        elif row.sure and row.value and self._is_constant_key(scope, row.name):
            known = self.program.keyed.setdefault(scope, {}).setdefault(row.name, [])
            if not known or known[-1][0] != row.sure:
                insort(known, (row.sure, self.program.solver.node()))
        if self.program.rules.classes.metaclasses and _OF_NAMES.fullmatch(row.name) and row.name[:5] != "self.":
            self.class_stores.append((scope, row))

    def _is_constant_key(self, scope: int, name: str) -> bool:
        """Return True if a name is ``table[key]``, or ``table.key`` for an object literal ``table`` of the scope."""
        if _CONSTANT_KEYS.fullmatch(name):
            return True
        is_member = self.program.rules.builtins.open_objects and _CONSTANT_MEMBERS.fullmatch(name)
        return bool(is_member) and (scope, re.split(r"[.\[]", name, maxsplit=1)[0]) in self.program.literal_names

    def _version(self, scope: int, row: Binding, node: int, current: dict[tuple[int, str], tuple[int, int]]) -> int:
        """Return the constraint variable for one of several bindings of a name.

        An assignment in straight-line code starts a new version of the name. `node` is the constraint variable of the
        name's first version, and `current` has the last version of each name.
        """
        key = (scope, row.name)
        line, version = current.get(key, (-1, node))
        if line == -1:
            current[key] = (row.line, node)
            return node
        if not row.sure or row.line == line:
            return version
        names = self.program.names[scope]
        assert names is not None
        fresh = self.program.solver.node()
        self.program.sole[fresh] = -1
        history = self.program.versions.pop(version, [(-1, version)])
        for symbol in self.program.defined.get(history[0][1], ()):
            if self.program.symbols[symbol].line > row.sure:  # defined again below
                kind = FUNC if self.program.is_callable(symbol) else CLASS
                self.program.solver.add(fresh, self.program.entities.get(kind, symbol), h.SCOPE)
        history.append((max(row.sure, history[-1][0]), fresh))  # in the order of lines, for `Program.at_line`
        self.program.versions[fresh] = history
        names[row.name] = fresh
        current[key] = (row.line, fresh)
        return fresh

    def _add_parameter(self, function: int, row: Binding, node: int) -> None:
        known = self.program.parameters.setdefault(function, [])
        if any(parameter.node == node for parameter in known):  # a second binding: the default value
            return
        own = self.program.own_class[function]
        role = self.program.roles[function]
        if (
            not known
            and own >= 0
            and self.program.rules.classes.self_parameter
            and not role & STATIC
            and row.manner == "parameter"
        ):
            kind = CLASS if role & OF_CLASS else INST
            self.program.receivers[node] = own
            self.program.solver.add(node, self.program.entities.get(kind, own, 1), h.SELF)
        name = row.name.removeprefix(self.program.rules.functions.variable_mark)
        known.append(Parameter(name, node, row.manner, row.type, bool(row.value)))


def _is_test(manner: str, sure: int) -> bool:
    """Return True if a binding is a type test, which narrows a name on some lines only; see `TypeTests`."""
    return manner == "pattern" and sure > 0


def _is_plain(name: str) -> bool:
    return bool(name) and (name == UNDERLYING or name.startswith("%or:") or _OF_PATHS.search(name) is None)
