"""Program: all files of one language family as columns of symbols, scopes and the names bound in them.

A *symbol number* counts through the symbols of all files in order. ``first[file]`` is the number of a file's module. A
*scope* is a symbol number too. The names of a scope map to constraint variables of the solver. `KnownNodes` has those
of known values: modules, types, anonymous functions, receivers, outside names.

A name that straight-line code assigns several times has *versions*, one constraint variable for each assignment. A
reader in the same scope sees the version that is valid on its line; all other readers see the last version.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.language_rules import CONSTRUCTOR, Rules
from codeexplore.resolution.letter_case import LetterCase
from codeexplore.resolution.macros import expanded
from codeexplore.resolution.solver import AbstractValues, PointsToSolver, Work
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Binding, FileFacts, Rows, Symbol

STATIC: Final = 1
OF_CLASS: Final = 2
PROPERTY: Final = 4
SETTER: Final = 8
OVERLOAD: Final = 16
ABSTRACT: Final = 32
NAMESPACES: Final = TYPE_KINDS | {"module"}
EXPLICIT: Final = "%explicit:"
"""Prefix of the names of methods that only calls through an interface reach; see `FunctionRules.explicit_signature`."""
BODILESS: Final = frozenset({"interface", "trait"})
"""Kinds of types whose methods run on instances of other types."""
UNDERLYING: Final = "%underlying"
"""Name of the underlying type in the scope of a type that is defined by another type."""
MAX_DEFINITIONS: Final = h.MAX_VALUES
"""Maximal number of definitions of one name in one scope.

A type with more declarations becomes one type with all members. Of more functions, only the first ones and the last
one count."""


class Parameter(NamedTuple):
    """A parameter of a function: its name, its constraint variable, and its kind.

    The kind, `manner`, is "parameter", "keyword", "rest" (``*args``) or "keywords" (``**kwargs``).
    """

    name: str
    node: int
    manner: str
    type: str = ""  # as written
    optional: bool = False  # has a default value


class Program:
    """Symbols and names of all files of a family, and the solver for their values."""

    def __init__(  # noqa: PLR0915 - one statement for each column
        self, files: Sequence[FileFacts], rules: Rules, manifests: Mapping[str, str], apart: Sequence[str]
    ) -> None:
        files = [*map(LetterCase(files).facts, files)] if rules.scopes.folds_case else files
        self.locator = rules.modules.locator(files, manifests)
        self.files = files = self._by_clause(files) if rules.modules.clauses else files
        self.apart = apart  # file → its program; see `FamilyAnalysis`
        self.bindings = [Rows.of(Binding, facts.bindings) for facts in files]
        self.references = expanded(files, self.bindings, rules)
        self.rules = rules
        self.plugins = rules.modules.plugins(manifests)
        self.units = self.locator.units
        self.entities = AbstractValues()
        self.work = Work(sum(map(_facts_of, files)))
        open_kind = h.OBJECT if rules.builtins.open_objects else h.EXTERNAL
        self.solver = PointsToSolver(self.entities.number, self.entities.kind, h.EXTERNAL, self.work, open_kind)
        self.first: list[int] = []
        self.symbols: list[Symbol] = []
        self.file_of: list[int] = []
        self.parent: list[int] = []
        self.roles: list[int] = []
        self.own_class: list[int] = []  # symbol → the type whose member it is, -1 for none
        self.names: list[dict[str, int] | None] = []
        self.bound_names: set[str] = set()  # names that any scope binds, and exported names
        self.offered_names: set[str] = set()  # those that a module binds or exports
        self.fields: dict[int, dict[str, int]] = {}  # class → fields that its methods assign
        self.field_names: set[str] = set()  # names of all fields in `fields`
        self.sole: dict[int, int] = {}  # node → the only plain function that defines it, else -1
        self.versions: dict[int, list[tuple[int, int]]] = {}  # last node → (line after which it is valid, node) …
        self.literal_names: set[tuple[int, str]] = set()  # (scope, name) of variables assigned a literal
        self.keyed: dict[int, dict[str, list[tuple[int, int]]]] = {}  # scope → ``table[key]`` → (line, node) …
        self.anonymous: dict[tuple[int, str], int] = {}  # (file, "fn:LINE:COL") → symbol of a lambda or anonymous type
        self.parameters: dict[int, list[Parameter]] = {}
        self.receivers: dict[int, int] = {}  # node of a receiver → its class
        self.returned = defaultdict[int, int](self.solver.node)  # function → node of its result
        self.returns_receiver: set[int] = set()  # methods that return their own receiver
        self.returns_like: set[int] = set()  # methods that return a new object of their receiver's class: cls()
        self.extending: set[int] = set()  # functions that are called as methods of their first parameter
        self.returned_parameters: dict[int, list[Parameter]] = {}  # function → parameters that it returns
        self.makes_instances: set[int] = set()  # functions that are constructors
        self.constants: dict[int, int] = {}  # node → symbol of the constant or field
        self.outer_receivers: dict[int, int] = {}  # function outside of types → node of its receiver
        self.stored: set[int] = set()  # anonymous functions that are members of objects
        self.continuing: set[int] = set()  # lambdas that go on with the function around, as code after `await` does
        self.receiving: list[tuple[int, Binding]] = []  # methods outside their types, with the receiver's row
        self.opened: frozenset[str] = frozenset()  # namespaces that macros open, so that no symbol has their names
        self.prototypes: list[tuple[int, str]] = []  # scope and parameters of prototypes with default values
        self.extended: dict[int, str] = {}  # extension → the type that it extends
        self.extensions: dict[str, list[tuple[int, str]]] = {}  # name → functions that extend outside types, with these
        self.added_constructors: dict[str, list[int]] = {}  # outside type → constructors that extensions give it
        self.function_names: set[str] = set()
        self.wrapped: set[int] = set()  # functions that the result of a decorator replaces
        self.defined: dict[int, list[int]] = {}  # node → symbols that define it
        self.macros: dict[str, list[tuple[int, int]]] = {}  # ``name!`` → (number, node) of macros of any file
        self.module_names: set[int] = set()  # nodes of names of submodules in their own file
        self.since: dict[int, int] = {}  # node of a variable → the line that declares it
        self.pointing: set[int] = set()  # nodes of declared pointers; see `ClassRules.pointers`
        self.lending: set[int] = set()  # nodes of objects that lend members; see `BuiltinModels.lenders`
        self.result_types: dict[int, str] = {}  # function → declared type of its result, as written
        self.left_out: set[int] = set()  # files with lower precedence than others of their module; see `LEFT_OUT`
        self.stubs: set[int] = set()  # functions that are declarations only; see `STUB`
        self.unreal: set[int] = set()  # declarations that do not exist at run time
        self.twins: dict[int, int] = {}  # function of a file of declarations → the function that it declares
        self.type_names: set[int] = set()  # nodes of type names
        self.whole: dict[int, int] = {}  # part of a type → its first part; see `ClassRules.open_types`
        self.private: set[int] = set()  # symbols visible in their own file only
        self.crowded: set[str] = set()  # names with more than `MAX_DEFINITIONS` definitions in one scope

    # ----------------------------------------------------------------- nodes by name

    def _by_clause(self, files: Sequence[FileFacts]) -> list[FileFacts]:
        """Return the facts with the imports under the names in the clauses of the modules, where the code uses these.

        An import without an alias has the name that its path suggests: ``ui`` for ``m/ui/v1``, whose clause may be
        ``package v1``. The path of an outside module may end in its name, too.
        """
        found = list(files)
        for number, facts in enumerate(files):
            rows = list(facts.imports)
            used: set[str] = set()
            for place, row in enumerate(rows):
                unit = self.locator.locate(number, row.module).unit
                own = files[self.locator.units.files[unit][0]].symbols[0].name if unit >= 0 else ""
                name = own or row.module.rpartition("/")[2]
                if name != row.name and row.name not in ("_", "*"):
                    used = used or {each.path.partition(".")[0] for each in facts.references}
                    rows[place] = row._replace(name=name) if name in used and row.name not in used else row
            found[number] = replace(facts, imports=tuple(rows)) if used else facts
        return found

    def variable(self, scope: int, name: str) -> int:
        """Return the variable of a name bound in a scope, created if missing."""
        names = self.names[scope]
        if names is None:
            names = self.names[scope] = {}
        node = names.get(name)
        if node is None:
            node = names[name] = self.solver.node()
            self.bound_names.add(name)
            known = scope < len(self.symbols)  # a type may be read after its members
            if known and self.symbols[scope].kind == "module":
                self.offered_names.add(name)
        return node

    def bound(self, scope: int, name: str) -> int:
        """Return the variable of a name bound in exactly this scope; -1 for none."""
        names = self.names[scope]
        return -1 if names is None else names.get(name, -1)

    def at_line(self, node: int, line: int) -> int:
        """Return the version of a name that a reader in the same scope sees on a line. `node` is its last version."""
        versions = self.versions.get(node)
        if versions is None:
            return node
        return versions[max(bisect_left(versions, (line,)) - 1, 0)][1]

    def field(self, cls: int, name: str) -> int:
        """Return the variable of a field of a class's instances, created if missing."""
        fields = self.fields.setdefault(cls, {})
        node = fields.get(name)
        if node is None:
            node = fields[name] = self.solver.node()
            self.field_names.add(name)
        return node

    def result(self, function: int) -> int:
        return self.returned[function]

    def held(self, node: int, kind: int) -> list[int]:
        """Return the payloads of the values of a constraint variable that are of one kind: the symbols of classes."""
        return [self.entities.payload[e] for e in self.solver.points_to(node) if self.entities.kind[e] == kind]

    def is_class(self, symbol: int) -> bool:
        """Return True if a symbol is a type, or a module that has methods as a type does."""
        kind = self.symbols[symbol].kind
        return kind in TYPE_KINDS or (kind == "module" and self.rules.classes.mixins and self.parent[symbol] >= 0)

    def is_object(self, cls: int) -> bool:
        """Return True if a type is an object, whose members are accessed by its name; see `ClassRules.object_word`."""
        word = self.rules.classes.object_word
        return bool(word) and word in self.symbols[cls].signature.split(" ", 3)

    def companions(self, types: list[int], named: bool) -> list[int]:
        """Return those of `types` that a name means which a class and an object share.

        It is the object where an expression is `named`, and the class where a type is written.
        """
        apart = self.rules.classes.object_word and len(types) > 1
        return [each for each in types if self.is_object(each) == named] or types if apart else types

    def sees(self, scope: int, symbol: int) -> bool:
        """Return True if code in a scope can name a symbol. Some symbols are visible in their own file only."""
        return symbol not in self.private or self.file_of[symbol] == self.file_of[scope]

    def underlying(self, cls: int) -> int:
        """Return the variable of a type's underlying type (``[]int`` for Go's ``type Stack []int``); -1 for none."""
        return self.bound(cls, UNDERLYING)

    def constant_name(self, node: int) -> str:
        """Return the name of the constant or field of a variable; "" if it is another's, or a function's too."""
        symbol = self.constants.get(node, -1)
        return self.symbols[symbol].name if symbol >= 0 and node not in self.defined else ""

    def defines_type(self, node: int) -> bool:
        return any(self.is_class(symbol) for symbol in self.defined.get(node, ()))

    def names_type(self, node: int) -> bool:
        """Return True for a variable that is another name of a type: ``using Small = Wheel<30>``."""
        return any(self.symbols[symbol].kind == "type" for symbol in self.defined.get(node, ()))

    def is_sealed(self, symbol: int) -> bool:
        """Return True if instances of a type are of exactly this type, never of a subtype."""
        return self.symbols[symbol].kind in self.rules.classes.sealed_kinds

    def is_hidden(self, symbol: int) -> bool:
        """Return True if code outside of the package of a type cannot name the type."""
        opening = self.rules.classes.opening_words
        return bool(opening) and opening.isdisjoint(self.symbols[symbol].signature.split()[:4])

    def is_callable(self, symbol: int) -> bool:
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

    def is_read(self, function: int) -> bool:
        """Return True for a function that reading its name calls."""
        form = self.rules.functions.read_signature
        return form is not None and form.fullmatch(self.symbols[function].signature) is not None

    def method_name(self, name: str) -> str:
        """Return the key of a method's name among the names of its type; see `ClassRules.methods_apart`."""
        apart = self.rules.classes.methods_apart and name != CONSTRUCTOR and name[-2:] != "()"
        return name + "()" if apart else name

    def is_singleton(self, symbol: Symbol) -> bool:
        """Return True for a method of a type itself; see `ClassRules.singleton_mark`."""
        mark = self.rules.classes.singleton_mark
        return bool(mark) and symbol.kind == "method" and symbol.fqn.endswith(mark + symbol.name)

    def member_name(self, symbol: Symbol) -> str:
        """Return the key of a method among the names of its type."""
        mark = self.rules.classes.singleton_mark if self.is_singleton(symbol) else ""
        return mark + self.method_name(symbol.name)

    def charged(self, scope: int) -> int:
        """Return the symbol that uses in a scope count for: in some languages not a lambda, but the function around."""
        apart = self.rules.scopes.lambdas_apart
        while scope in self.continuing or (not apart and self.symbols[scope].kind == "lambda"):
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


def _facts_of(file: FileFacts) -> int:
    """Return the number of facts of a file. The limit of resolution steps is proportional to it."""
    rows = (file.symbols, file.bindings, file.references, file.returns, file.bases, file.imports, file.exports)
    return sum(map(len, rows))


class KnownNodes:
    """Constraint variables with known values. There is only one for each value, and it is made when it is first used.

    `receivers` has the constraint variables of receivers (``self``, ``this``). A key is (`INST` or `CLASS`, number of
    the type): the receiver is an instance of the type, or the type itself.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.solver, self.entities = program, program.solver, program.entities
        self.receivers: dict[tuple[int, int], int] = {}
        self._fixed: dict[int, int] = {}  # entity → node
        self._made: dict[int, int] = {}  # constructor function → node
        self._eithers: dict[tuple[int, int], int] = {}

    def value(self, entity: int) -> int:
        """Return the constraint variable whose only value is the abstract value `entity`."""
        node = self._fixed.get(entity)
        if node is None:
            node = self._fixed[entity] = self.solver.fixed(entity, h.SCOPE)
        return node

    def external(self, name: str) -> int:
        return self.value(self.entities.external(name))

    def module(self, unit: int) -> int:
        return self.value(self.entities.get(h.UNIT, unit))

    def type_itself(self, cls: int) -> int:
        """Return the variable of a type that is used as a value. All parts of a type share it."""
        return self.value(self.entities.get(h.CLASS, self.program.whole.get(cls, cls)))

    def receiver(self, kind: int, cls: int) -> int:
        """Return the constraint variable of the receiver in the methods of a type.

        The receiver is an instance of the type or of a subtype if `kind` is `INST`. It is the type itself, or a
        subtype, if `kind` is `CLASS`.
        """
        node = self.receivers.get((kind, cls), -1)
        if node < 0:
            node = self.receivers[kind, cls] = self.solver.node()
            self.solver.add(node, self.entities.get(kind, cls, 1), h.SELF)
        return node

    def made_by(self, function: int) -> int:
        node = self._made.get(function)
        if node is None:
            node = self._made[function] = self.solver.node()
            self.solver.add(node, self.entities.get(h.INST, function, 1), h.SCOPE)
        return node

    def either(self, one: int, other: int) -> int:
        """Return a constraint variable that has the values of both given constraint variables."""
        if h.UNKNOWN in (one, other) or one == other:
            return max(one, other)
        node = self._eithers.get((one, other), -1)
        if node < 0:
            node = self._eithers[one, other] = self.solver.node()
            self.solver.add_flow(one, node)
            self.solver.add_flow(other, node)
        return node
