"""Definitions: the symbols of all files, and the names that they bind in their scopes."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from codeexplore.resolution import solver as h
from codeexplore.resolution.language_rules import CONSTRUCTOR
from codeexplore.resolution.program import (
    ABSTRACT,
    MAX_DEFINITIONS,
    NAMESPACES,
    OF_CLASS,
    OVERLOAD,
    PROPERTY,
    SETTER,
    STATIC,
    Program,
)
from codeexplore.resolution.values import CLASS, FUNC
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Symbol

_ROLE_BITS: Final = {
    "static": STATIC,
    "class": OF_CLASS,
    "property": PROPERTY,
    "setter": SETTER,
    "overload": OVERLOAD,
    "abstract": ABSTRACT,
    "plain": 0,
}

_AFTER_NAME: Final = frozenset("=(:<")
"""Characters that may follow the name of a function in its signature, but not a modifier."""


class Definitions:
    """Adds the symbols of files to a program, and binds their names to the values that they define."""

    def __init__(self, program: Program) -> None:
        self.program, self.rules = program, program.rules
        self.solver, self.entities = program.solver, program.entities
        self._places: dict[str, int] = {}  # path → file, in languages where files may declare definitions of others
        self._first_part: dict[tuple[str, bool], int] = {}
        self._latest: dict[int, int] = {}  # node with many definitions → the last definition

    def add_files(self) -> None:
        for index, facts in enumerate(self.program.files):
            self._add_symbols(index, facts)
        for node, symbol in self._latest.items():
            self._add_definition(node, symbol)

    def attach(self, function: int, cls: int) -> None:
        """Make a function that is defined outside of a type a member of the type."""
        program = self.program
        program.own_class[function] = cls
        symbol = program.symbols[function]
        making = self.rules.construction.constructor_is_class and symbol.name == program.symbols[cls].name
        name = CONSTRUCTOR if making else symbol.name
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
            if kind == "lambda":
                program.anonymous[index, "fn:" + symbol.name.rpartition("lambda:")[2].rstrip(">")] = own
            elif kind in CALLABLE_KINDS:
                if member or kind != "method":  # a method outside its type does not bind a name in its scope
                    self._add_function(own, symbol, parent, member, heads)
            elif kind in NAMESPACES:
                node = program.variable(parent, symbol.name)
                program.sole[node] = -1
                if self._note_definition(node, own):
                    self._add_definition(node, own)
            elif kind in ("constant", "field"):
                node = program.variable(parent, symbol.name)
                program.sole[node] = -1
                program.constants.setdefault(node, own)
        for node, head in heads:
            self._add_head(node, head)

    def _add_function(self, own: int, symbol: Symbol, parent: int, member: bool, heads: list[tuple[int, int]]) -> None:
        """Bind the name of the function `own` in the scope of its parent.

        A function without a body is only added to `heads`, with the constraint variable of its name.
        """
        program = self.program
        making = self.rules.construction.constructor_is_class and symbol.name == self._name_of(parent, own)
        name = CONSTRUCTOR if making else program.method_name(symbol.name) if member else symbol.name
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
            self._join_parts(first, facts)
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

    def _join_parts(self, first: int, facts: FileFacts) -> None:
        """Let the parts of a type or namespace, in any file, share one scope of names."""
        program = self.program
        for own, symbol in enumerate(facts.symbols[1:], first + 1):
            if symbol.kind not in NAMESPACES:
                continue
            known = self._first_part.setdefault((symbol.fqn, symbol.kind == "module"), own)
            names = program.names[known]
            if names is None:
                names = program.names[known] = {}
            if known != own:
                program.whole[own] = known
                program.names[own] = names

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

    def forget_names_of_several(self) -> None:
        """Reduce `Program.sole` to the names that one function defines. No more names are defined afterwards."""
        self.program.sole = {node: function for node, function in self.program.sole.items() if function >= 0}

    def _role(self, symbol: Symbol) -> int:
        roles, role = self.rules.decorators.roles, 0
        for decorator in symbol.decorators:
            role |= _ROLE_BITS[roles.get(decorator.removesuffix("()").rpartition(".")[2], "plain")]
        if self.rules.functions.signature_roles:
            words = f"{symbol.signature} ".split(" ", 4)[:4]
            for word, following in pairwise(words):
                if word != symbol.name or following[:1] not in _AFTER_NAME:  # not the function's own name
                    role |= _ROLE_BITS[self.rules.functions.signature_roles.get(word, "plain")]
        if self.rules.functions.read_signature is not None and symbol.kind == "method":
            role |= PROPERTY if self.rules.functions.read_signature.fullmatch(symbol.signature) else 0
        if symbol.name in self.rules.functions.class_methods:
            role |= OF_CLASS
        elif symbol.name in self.rules.functions.static_methods:
            role |= STATIC
        return role
