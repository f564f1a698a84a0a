"""Program: all files of one language family as columns of symbols, scopes and the names bound in them.

A *symbol number* counts through the symbols of all files in order. ``first[file]`` is the number of a file's module. A
*scope* is a symbol number too. The names of a scope map to nodes of the solver.

A name that straight-line code assigns several times has *versions*, one node for each assignment. A reader in the same
scope sees the version that is valid on its line; all other readers see the last version.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.language_rules import CONSTRUCTOR, Rules
from codeexplore.resolution.solver import PointsToSolver
from codeexplore.resolution.values import CLASS, EXTERNAL, FUNC, AbstractValues
from codeexplore.resolution.work_limit import Work
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Binding, FileFacts, Reference, Rows, Symbol

STATIC: Final = 1
OF_CLASS: Final = 2
PROPERTY: Final = 4
SETTER: Final = 8
OVERLOAD: Final = 16
ABSTRACT: Final = 32
_ROLE_BITS: Final = {
    "static": STATIC, "class": OF_CLASS, "property": PROPERTY, "setter": SETTER, "overload": OVERLOAD,
    "abstract": ABSTRACT, "plain": 0,
}  # fmt: skip

_AFTER_NAME: Final = frozenset("=(:<")
"""Characters that may follow the name of a function in its signature, but not a modifier."""

NAMESPACES: Final = TYPE_KINDS | {"module"}
UNDERLYING: Final = "%underlying"
"""Name of the underlying type in the scope of a type that is defined by another type."""


MAX_DEFINITIONS: Final = h.MAX_VALUES
"""Maximal number of definitions of one name in one scope.

A type with more declarations becomes one type with all members. Of more functions, only the first ones and the last
one count."""


class Parameter(NamedTuple):
    """A parameter of a function: its name, its node, and the manner in which arguments reach it."""

    name: str
    node: int
    manner: str
    type: str = ""  # as written


class Program:
    """Symbols and names of all files of a family, and the solver for their values."""

    def __init__(self, files: Sequence[FileFacts], rules: Rules, manifests: Mapping[str, str]) -> None:
        self.files = files
        self.bindings = [Rows.of(Binding, facts.bindings) for facts in files]
        self.references = [Rows.of(Reference, facts.references) for facts in files]
        self.rules = rules
        self.locator = rules.modules.locator(files, manifests)
        self.units = self.locator.units
        self.entities = AbstractValues()
        self.work = Work(sum(map(_facts_of, files)))
        self.solver = PointsToSolver(self.entities.number, self.entities.kind, EXTERNAL, self.work)
        self.first: list[int] = []
        self.symbols: list[Symbol] = []
        self.file_of: list[int] = []
        self.parent: list[int] = []
        self.roles: list[int] = []
        self.own_class: list[int] = []  # symbol → the type whose member it is, -1 for none
        self.names: list[dict[str, int] | None] = []
        self.fields: dict[int, dict[str, int]] = {}  # class → fields that its methods assign
        self.field_names: set[str] = set()  # names of all fields in `fields`
        self.sole: dict[int, int] = {}  # node → the only plain function that defines it, else -1
        self.versions: dict[int, list[tuple[int, int]]] = {}  # last node → (line after which it is valid, node) …
        self.literal_names: set[tuple[int, str]] = set()  # (scope, name) of variables assigned a literal
        self.keyed: dict[int, dict[str, list[tuple[int, int]]]] = {}  # scope → ``table[key]`` → (line, node) …
        self.anonymous: dict[tuple[int, str], int] = {}  # (file, "fn:LINE:COL") → symbol of a lambda or anonymous type
        self.parameters: dict[int, list[Parameter]] = {}
        self.receivers: dict[int, int] = {}  # node of a receiver → its class
        self.returned: dict[int, int] = {}  # function → node of its result
        self.constants: dict[int, int] = {}  # node → symbol of the constant or field
        self.outer_receivers: dict[int, int] = {}  # function outside of types → node of its receiver
        self.stored: set[int] = set()  # anonymous functions that are members of objects
        self.receiving: list[tuple[int, Binding]] = []  # methods outside their types, with the receiver's row
        self.function_names: set[str] = set()
        self.wrapped: set[int] = set()  # functions that the result of a decorator replaces
        self.defined: dict[int, list[int]] = {}  # node → symbols that define it
        self.macros: dict[str, list[tuple[int, int]]] = {}  # ``name!`` → (number, node) of macros of any file
        self.module_names: set[int] = set()  # nodes of names of submodules in their own file
        self.since: dict[int, int] = {}  # node of a variable → the line that declares it
        self.result_types: dict[int, str] = {}  # function → declared type of its result, as written
        self.left_out: set[int] = set()  # files with lower precedence than others of their module; see `LEFT_OUT`
        self.stubs: set[int] = set()  # functions that are declarations only; see `STUB`
        self.unreal: set[int] = set()  # declarations that do not exist at run time
        self.twins: dict[int, int] = {}  # function of a file of declarations → the function that it declares
        self.type_names: set[int] = set()  # nodes of type names
        self.whole: dict[int, int] = {}  # part of a type → its first part; see `ClassRules.open_types`
        self._places: dict[str, int] = {}  # path → file, in languages where files may declare definitions of others
        self._first_part: dict[tuple[str, bool], int] = {}
        self.private: set[int] = set()  # symbols visible in their own file only
        self.crowded: set[str] = set()  # names with more than `MAX_DEFINITIONS` definitions in one scope
        self._latest: dict[int, int] = {}  # node with many definitions → the last definition
        for index, facts in enumerate(files):
            self._add_symbols(index, facts)
        for node, symbol in self._latest.items():
            self._add_definition(node, symbol)

    # ----------------------------------------------------------------- nodes by name

    def variable(self, scope: int, name: str) -> int:
        """Return the node of a name bound in a scope. It is created if it does not exist."""
        names = self.names[scope]
        if names is None:
            names = self.names[scope] = {}
        node = names.get(name)
        if node is None:
            node = names[name] = self.solver.node()
        return node

    def bound(self, scope: int, name: str) -> int:
        """Return the node of a name bound in exactly this scope; -1 for none."""
        names = self.names[scope]
        return -1 if names is None else names.get(name, -1)

    def at_line(self, node: int, line: int) -> int:
        """Return the version of a name that a reader in the same scope sees on a line. `node` is its last version."""
        versions = self.versions.get(node)
        if versions is None:
            return node
        return versions[max(bisect_left(versions, (line,)) - 1, 0)][1]

    def field(self, cls: int, name: str) -> int:
        """Return the node of a field of a class's instances. It is created if it does not exist."""
        fields = self.fields.setdefault(cls, {})
        node = fields.get(name)
        if node is None:
            node = fields[name] = self.solver.node()
            self.field_names.add(name)
        return node

    def result(self, function: int) -> int:
        """Return the node of a function's result."""
        node = self.returned.get(function)
        if node is None:
            node = self.returned[function] = self.solver.node()
        return node

    def is_class(self, symbol: int) -> bool:
        """Return True if a symbol is a type, or a module that has methods as a type does."""
        kind = self.symbols[symbol].kind
        return kind in TYPE_KINDS or (kind == "module" and self.rules.classes.mixins and self.parent[symbol] >= 0)

    def is_object(self, cls: int) -> bool:
        """Return True if a type is an object, whose members are accessed by its name; see `ClassRules.object_word`."""
        word = self.rules.classes.object_word
        return bool(word) and word in self.symbols[cls].signature.split(" ", 3)

    def sees(self, scope: int, symbol: int) -> bool:
        """Return True if code in a scope can name a symbol. Some symbols are visible in their own file only."""
        return symbol not in self.private or self.file_of[symbol] == self.file_of[scope]

    def underlying(self, cls: int) -> int:
        """Return the node with the values of a type's underlying type; -1 for none."""
        return self.bound(cls, UNDERLYING)

    def constant_name(self, node: int) -> str:
        """Return the name of the constant or field of a node; "" if the node has none, or is a function too."""
        symbol = self.constants.get(node, -1)
        return self.symbols[symbol].name if symbol >= 0 and node not in self.defined else ""

    def defines_type(self, node: int) -> bool:
        """Return True if the node of a name belongs to the definition of a type."""
        return any(self.is_class(symbol) for symbol in self.defined.get(node, ()))

    def is_sealed(self, symbol: int) -> bool:
        """Return True if instances of a type are of exactly this type, never of a subtype."""
        return self.symbols[symbol].kind in self.rules.classes.sealed_kinds

    def is_hidden(self, symbol: int) -> bool:
        """Return True if code outside of the package of a type cannot name the type."""
        opening = self.rules.classes.opening_words
        return bool(opening) and opening.isdisjoint(self.symbols[symbol].signature.split()[:4])

    def is_callable(self, symbol: int) -> bool:
        """Return True if a symbol is a function, method or lambda."""
        return self.symbols[symbol].kind in CALLABLE_KINDS

    def has_receiver(self, function: int) -> bool:
        """Return True if a function outside of types has a ``this`` of its own, instead of the ``this`` around it."""
        symbol = self.symbols[function]
        if symbol.kind not in ("function", "method"):
            return function in self.stored
        written = symbol.signature
        return (
            not self.rules.builtins.open_objects
            or "function" in written
            or f"{symbol.name}(" in written.replace("<", "(")
        )

    def method_name(self, name: str) -> str:
        """Return the key of a method's name in the scope of its type; see `ClassRules.methods_apart`."""
        return name + "()" if self.rules.classes.methods_apart and name != CONSTRUCTOR else name

    def attach(self, function: int, cls: int) -> None:
        """Make a function that is defined elsewhere a member of a type."""
        self.own_class[function] = cls
        symbol = self.symbols[function]
        making = self.rules.construction.constructor_is_class and symbol.name == self.symbols[cls].name
        name = CONSTRUCTOR if making else symbol.name
        node = self.bound(cls, name)
        if node < 0 or function not in self.defined.get(node, ()):
            self._add_definition(self._define(cls, name, function), function)

    def charged(self, scope: int) -> int:
        """Return the symbol to which uses in a scope are attributed.

        Depending on the language, uses in a lambda are attributed to the function around it.
        """
        if not self.rules.scopes.lambdas_apart:
            while self.symbols[scope].kind == "lambda":
                scope = self.parent[scope]
        return scope

    def class_around(self, scope: int) -> int:
        """Return the innermost type around a scope, or the scope itself if it is a type; -1 for none."""
        while scope >= 0:
            if self.is_class(scope):
                return self.whole.get(scope, scope)
            if self.own_class[scope] >= 0:
                return self.own_class[scope]
            scope = self.parent[scope]
        return -1

    def function_around(self, scope: int) -> int:
        """Return the innermost function around a scope, or the scope itself if it is a function; -1 for none."""
        while scope >= 0:
            if self.is_callable(scope):
                return scope
            scope = self.parent[scope]
        return -1

    # ----------------------------------------------------------------- symbols

    def _add_symbols(self, index: int, facts: FileFacts) -> None:
        first = len(self.symbols)
        self.first.append(first)
        number = {symbol.id: first + position for position, symbol in enumerate(facts.symbols)}
        self.names.extend([None] * len(facts.symbols))  # reserved, because a method may be defined before its type
        types: frozenset[str] = TYPE_KINDS
        if self.rules.classes.mixins:
            types = NAMESPACES
        self._note_whole_file(index, facts)
        heads: list[tuple[int, int]] = []  # node and number of functions without a body
        for symbol in facts.symbols:
            own = len(self.symbols)
            parent = number.get(symbol.parent, first) if symbol.parent is not None else -1
            kind = symbol.kind
            self.symbols.append(symbol)
            self.file_of.append(index)
            self.parent.append(parent)
            self.names.append(None)
            self.roles.append(self._role(symbol) if kind in CALLABLE_KINDS else 0)
            member = parent >= 0 and facts.symbols[parent - first].kind in types and parent > first
            self.own_class.append(self.whole.get(parent, parent) if member and kind in CALLABLE_KINDS else -1)
            if own == first:
                continue
            if kind == "lambda":
                self.anonymous[index, "fn:" + symbol.name.rpartition("lambda:")[2].rstrip(">")] = own
            elif kind in CALLABLE_KINDS:
                if member or kind != "method":  # a method outside its type does not bind a name in its scope
                    self._add_function(own, symbol, parent, member, heads)
            elif kind in NAMESPACES:
                node = self.variable(parent, symbol.name)
                self.sole[node] = -1
                if self._note_definition(node, own):
                    self._add_definition(node, own)
            elif kind in ("constant", "field"):
                node = self.variable(parent, symbol.name)
                self.sole[node] = -1
                self.constants.setdefault(node, own)
        for node, head in heads:
            self._add_head(node, head)

    def _add_function(self, own: int, symbol: Symbol, parent: int, member: bool, heads: list[tuple[int, int]]) -> None:
        """Bind the name of a function in the scope around it, or record that it has no body."""
        making = self.rules.construction.constructor_is_class and symbol.name == self._name_of(parent, own)
        name = CONSTRUCTOR if making else self.method_name(symbol.name) if member else symbol.name
        if self.rules.functions.macro_signature and symbol.signature.startswith(self.rules.functions.macro_signature):
            name += "!"
            if not self.is_callable(parent):  # a macro inside a function is visible there only
                self.macros.setdefault(name, []).append((own, self.variable(parent, name)))
        if self.rules.functions.heads_apart and symbol.signature.endswith(";"):
            heads.append((self.variable(parent, name), own))
            self._note_defined(heads[-1][0], name, own)
        else:
            self._define(parent, name, own)

    def _name_of(self, parent: int, own: int) -> str:
        """Return the name of the parent symbol, which may not be added to the program yet."""
        file = self.file_of[own]
        return self.files[file].symbols[parent - self.first[file]].name

    def _add_head(self, node: int, head: int) -> None:
        """Add a function without a body to the values of its name, unless a function with a body is beside it."""
        known = self.defined[node]
        if any(self.is_callable(each) and not self.symbols[each].signature.endswith(";") for each in known):
            self.roles[head] |= OVERLOAD
        else:
            self.solver.add(node, self.entities.get(FUNC, head), h.SCOPE)

    def _note_whole_file(self, index: int, facts: FileFacts) -> None:
        """Record the relations between a file's symbols and symbols of other files."""
        first = self.first[index]
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
        """Record the symbols that are visible in their own file only: their qualified names begin with its path.

        Members of such types are not included, because they are accessed through instances.
        """
        within, inside = facts.path + ":", set[str]()
        for own, symbol in enumerate(facts.symbols, first):
            if symbol.parent in inside:
                inside.add(symbol.id)
            elif symbol.fqn.startswith(within):
                inside.add(symbol.id)
                self.private.add(own)

    def _note_declared(self, index: int, facts: FileFacts) -> None:
        """Relate the declarations in a file to the definitions in the file beside it, which take precedence."""
        beside = facts.path[: -len(self.rules.modules.declaring_suffix)] + self.rules.modules.declared_suffix
        place = self._places.get(beside, -1)
        if place < 0:
            return
        self.left_out.add(index)
        defined = {symbol.fqn: own for own, symbol in enumerate(self.files[place].symbols, self.first[place])}
        for own, symbol in enumerate(facts.symbols[1:], self.first[index] + 1):
            twin = defined.get(symbol.fqn, -1)
            if twin >= 0 and symbol.kind in TYPE_KINDS and self.symbols[twin].kind in TYPE_KINDS:
                self.whole[own] = twin
            elif twin >= 0 and symbol.kind in CALLABLE_KINDS and self.symbols[twin].kind in CALLABLE_KINDS:
                self.twins[own] = twin
                self.unreal.add(own)

    def _join_parts(self, first: int, facts: FileFacts) -> None:
        """Let the parts of a type or namespace, in any file, share one scope of names."""
        for own, symbol in enumerate(facts.symbols[1:], first + 1):
            if symbol.kind not in NAMESPACES:
                continue
            known = self._first_part.setdefault((symbol.fqn, symbol.kind == "module"), own)
            names = self.names[known]
            if names is None:
                names = self.names[known] = {}
            if known != own:
                self.whole[own] = known
                self.names[own] = names

    def _join_crowded(self, first: int, facts: FileFacts) -> None:
        """Join types into one type if more than `MAX_DEFINITIONS` types of one scope have the same name."""
        declared: dict[tuple[str | None, str, bool], list[int]] = {}
        for own, symbol in enumerate(facts.symbols[1:], first + 1):
            if symbol.kind in NAMESPACES:
                declared.setdefault((symbol.parent, symbol.name, symbol.kind == "module"), []).append(own)
        for (_, name, _), parts in declared.items():
            if len(parts) > MAX_DEFINITIONS:
                self._note_crowded(name)
                names = self.names[parts[0]] = {}
                for own in parts[1:]:
                    self.whole[own], self.names[own] = parts[0], names

    def _define(self, scope: int, name: str, function: int) -> int:
        """Bind the name of a function and return its node."""
        node = self.variable(scope, name)
        if self._note_defined(node, name, function):
            self._add_definition(node, function)
        return node

    def _note_defined(self, node: int, name: str, function: int) -> bool:
        self.function_names.add(name)
        self.sole[node] = -1 if node in self.sole or self.symbols[function].decorators else function
        return self._note_definition(node, function)

    def _note_definition(self, node: int, symbol: int) -> bool:
        """Record a symbol that defines a name; return False if a later symbol may replace it.

        If there are too many definitions, the first ones and the last one are kept: the last one often hides the
        others.
        """
        known = self.defined.setdefault(node, [])
        if len(known) < MAX_DEFINITIONS - 1:
            known.append(symbol)
            return True
        self._latest[node] = symbol
        if len(known) < MAX_DEFINITIONS:
            known.append(symbol)
        else:
            known[-1] = symbol
            self._note_crowded(self.symbols[symbol].name)
        return False

    def _note_crowded(self, name: str) -> None:
        if name not in self.crowded:
            self.crowded.add(name)
            self.work.leave_out(f"names with more than {MAX_DEFINITIONS} definitions, not all of them told apart", name)

    def _add_definition(self, node: int, symbol: int) -> None:
        kind = FUNC if self.symbols[symbol].kind in CALLABLE_KINDS else CLASS
        self.solver.add(node, self.entities.get(kind, self.whole.get(symbol, symbol)), h.SCOPE)

    def forget_names_of_several(self) -> None:
        """Reduce `sole` to the names that one function defines. No more names are defined afterwards."""
        self.sole = {node: function for node, function in self.sole.items() if function >= 0}

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


def _facts_of(file: FileFacts) -> int:
    """Return the number of facts of a file. The limit of resolution steps is proportional to it."""
    rows = (file.symbols, file.bindings, file.references, file.returns, file.bases, file.imports, file.exports)
    return sum(map(len, rows))
