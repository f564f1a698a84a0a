"""Program: all files of one language family as columns of symbols, scopes and the names bound in them.

A *symbol number* counts through the symbols of all files in order. ``first[file]`` is the number of a file's module. A
*scope* is a symbol number too. The names of a scope map to constraint variables of the solver.

A name that straight-line code assigns several times has *versions*, one constraint variable for each assignment. A
reader in the same scope sees the version that is valid on its line; all other readers see the last version.

Before, names get the capitals of their definitions where the language does not tell them apart (`LetterCase`), and
what the body of a macro calls is added to the functions that use the macro (`Macros`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from codeexplore.resolution import solver as h
from codeexplore.resolution.language_rules import CONSTRUCTOR, Rules
from codeexplore.resolution.solver import AbstractValues, PointsToSolver, Work
from codeexplore.types import CALLABLE_KINDS, OPENING, TYPE_KINDS, Binding, FileFacts, Reference, Rows, Symbol

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


class LinkedNames:
    """Top-level definitions of files without a package, by name; see `ModuleRules.linked`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.offered = cache(self._find_offers)
        self._found: dict[tuple[str, str], int] = {}

    def find(self, file: int, name: str) -> int:
        """Return the constraint variable that a name has for code in a file, if only one file defines it; else -1.

        A type or namespace whose parts are in several files counts as one definition.
        """
        apart = self.program.apart
        own, key = apart[file], (apart[file], name)
        known = self._found.get(key)
        if known is None:
            seen = {"", own, "."} if own else {""}
            nodes = [node for other, node in self.offers(name) if own == "." or apart[other] in seen]
            is_sole = len(nodes) == 1 or self._are_joined(nodes)
            known = self._found[key] = nodes[0] if is_sole else -1
        return known

    def offers(self, name: str) -> Sequence[tuple[int, int]]:
        """Return (file, variable) of each top-level definition with a name."""
        return self.offered().get(name, ())

    def _are_joined(self, nodes: Sequence[int]) -> bool:
        """Return True if names belong to one type or namespace that has parts in several files."""
        program = self.program
        symbols = [symbol for node in nodes for symbol in program.defined.get(node, ())]
        types = program.rules.classes.open_types and all(program.symbols[each].kind in NAMESPACES for each in symbols)
        return types and len({program.whole.get(each, each) for each in symbols}) == 1

    def _find_offers(self) -> dict[str, list[tuple[int, int]]]:
        """Return name → (file, variable) of each top-level definition that all files can see."""
        program, rules = self.program, self.program.rules.modules
        found: dict[str, list[tuple[int, int]]] = {}
        for file, facts in enumerate(program.files):
            names = program.names[program.first[file]] or {}
            hidden = program.rules.functions.expanded_signature * facts.path.endswith(rules.sources)
            if facts.module not in (facts.path, facts.path.rpartition(".")[0]):
                continue
            for name, node in names.items():
                constant = program.constants.get(node, -1)
                symbols = program.defined.get(node, [constant] if constant >= 0 else [])
                seen = (s for s in symbols if not program.symbols[s].signature.startswith(hidden))
                if any(symbol not in program.private for symbol in seen):
                    found.setdefault(name, []).append((file, node))
        return found


# --------------------------------------------------------------------------- facts as the program needs them

_OF_TYPE: Final = frozenset({"new", "type"})  # kinds of references

_NAME: Final = re.compile(r"(?P<dot>\.)?(?<![$%'\w])(?P<name>[^\W\d]\w*)(?=(?P<next>\(|\.|$)?)")
"""A name in an access path, with the dot before it and what follows it: ``(`` of a call."""
_QUALIFIED: Final = re.compile(r"(\\?)([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?=\.)")
"""All of a qualified name but the last part, after the mark of the top."""


class LetterCase:
    """Names of types, functions and methods as their definitions write them (PHP).

    A name remains as it is if a definition has it, or if several definitions differ from each other in capitals only.
    """

    def __init__(self, files: Sequence[FileFacts]) -> None:
        symbols = [symbol for facts in files for symbol in facts.symbols]
        self._exact = {symbol.name for symbol in symbols}
        spaces = (each.fqn for each in symbols if each.kind == "module" and not each.path.startswith(each.fqn))
        self._spaces = _meant(spaces)  # without files, which are modules too
        rows = (row for facts in files for row in facts.imports)
        self._exact.update(row.name for row in rows if not self._space(row.module))  # of outside code
        self._types = _meant(symbol.name for symbol in symbols if symbol.kind in TYPE_KINDS)
        self._functions = _meant(symbol.name for symbol in symbols if symbol.kind == "function")
        self._methods = _meant(symbol.name for symbol in symbols if symbol.kind == "method")
        self._path = cache(self._written)

    def facts(self, facts: FileFacts) -> FileFacts:
        """Return the facts of a file with the names that are meant."""
        path, bindings = self._path, Rows.of(Binding, facts.bindings)
        references = Rows.of(Reference, facts.references)
        return replace(
            facts,
            imports=tuple(
                r._replace(name=path(r.name, True), module=space, member=path(r.member, True)) if space else r
                for r, space in ((row, self._space(row.module)) for row in facts.imports)
            ),
            bindings=bindings.with_fields(
                type=[path(written, True) for (written,) in bindings.fields("type")],
                value=[path(value) for (value,) in bindings.fields("value")],
            ),
            returns=tuple(r._replace(value=path(r.value, r.manner == "type")) for r in facts.returns),
            references=references.with_fields(
                path=[path(text, kind in _OF_TYPE, kind == "call") for kind, text in references.fields("kind", "path")],
                args=[tuple(map(path, args)) if args else args for (args,) in references.fields("args")],
            ),
            bases=tuple(r._replace(path=path(r.path, True)) for r in facts.bases),
        )

    def _space(self, text: str) -> str:
        """Return the namespace of the repository that is meant; "" if there is none."""
        return self._spaces.get(text.lower().replace(".", "\\"), "")

    def _in_space(self, text: str) -> tuple[str, str]:
        """Return a path with the namespace that is meant, and this namespace; "" if it begins with none."""
        found = _QUALIFIED.match(text)
        parts = found[2].split(".") if found is not None else []
        for end in range(len(parts), 0, -1):
            if found is not None and (space := self._space(written := ".".join(parts[:end]))):
                space = space.replace("\\", ".")
                return f"{found[1]}{space}{text[found.start(2) + len(written) :]}", space
        return text, ""

    def _written(self, text: str, of_type: bool = False, called: bool = False) -> str:
        """Return an access path with the names that are meant. It is that of a type, or of what is called."""
        text, space = self._in_space(text)

        def name(match: re.Match[str]) -> str:
            dot, written = match["dot"] or "", match["name"]
            calls = match["next"] == "(" or (called and match["next"] == "")
            known = (self._methods if dot and not space else self._functions) if calls else {}
            types = space or (not dot and (of_type or match["next"] == "." or written != written.lower()))
            if written.lower() not in known and types:
                known = self._types
            return f"{dot}{known.get(written.lower(), written)}"

        return _NAME.sub(lambda match: match[0] if match["name"] in self._exact else name(match), text)


def _meant(names: Iterable[str]) -> Mapping[str, str]:
    """Return name in lower case → the only form in which definitions write it."""
    found = defaultdict[str, set[str]](set)
    for name in names:
        found[name.lower()].add(name)
    return {lower: min(forms) for lower, forms in found.items() if len(forms) == 1}


MAX_MACRO_DEPTH: Final = 8
"""Macros that are followed inside macros."""
MAX_MACRO_STEPS: Final = 80
"""Calls in the bodies of macros that are looked at for one use of a macro."""
_USING: Final = frozenset({"call", "decorator"})
_Macro = tuple[tuple[str, ...], list[Reference]]


def expanded(files: Sequence[FileFacts], bindings: Sequence[Rows[Binding]], rules: Rules) -> list[Rows[Reference]]:
    """Return the references of each file, with those of expanded macros. A name of some builds only is not expanded.

    Source files are no headers: if a header has a macro of the same name, it is meant elsewhere.
    """
    references = [Rows.of(Reference, facts.references) for facts in files]
    if not rules.functions.expanded_signature:
        return references
    macros = Macros(files, bindings, references, rules)
    return [macros.expand(file, rows) for file, rows in enumerate(references)]


class Macros:
    """Macros of all files by name, and the references that their uses add.

    A macro counts if it is defined in the file that uses it, or else in one other file. All its definitions there are
    read, as all branches of a condition of the build are. A header goes before other files. Arguments take the place of
    parameters. What a macro calls that writes the head of a definition, ``TEST(a, b) {``, runs outside of the defined
    function, unless the macro opens the function's body.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        bindings: Sequence[Rows[Binding]],
        references: Sequence[Rows[Reference]],
        rules: Rules,
    ) -> None:
        signature, marks = rules.functions.expanded_signature, rules.overloading.build_marks
        self._headers = {file for file, facts in enumerate(files) if not facts.path.endswith(rules.modules.sources)}
        self._known: dict[str, list[tuple[int, int]]] = defaultdict(list)  # name → (file, symbol)
        for file, facts in enumerate(files):
            for number, symbol in enumerate(facts.symbols):
                if symbol.signature.startswith(signature) and marks.isdisjoint(symbol.decorators):
                    self._known[symbol.name].append((file, number))
        self._symbols: Sequence[Sequence[Symbol]] = [facts.symbols for facts in files]
        self._bodies: dict[tuple[int, int], _Macro] = {}
        self._opening: set[str] = set()
        wanted = {file for known in self._known.values() for file, _ in known}
        for file in wanted:
            parameters, calls = defaultdict(list), defaultdict(list)
            for scope, name, manner in bindings[file].fields("scope", "name", "manner"):
                if manner in ("parameter", "rest"):
                    parameters[scope].append(name)
                elif name == OPENING:
                    self._opening.add(files[file].symbols[scope].name)
            own = {number for known in self._known.values() for other, number in known if other == file}
            for row in references[file]:
                if row.scope in own:
                    calls[row.scope].append(row)
            for number in own:
                self._bodies[file, number] = tuple(parameters[number]), calls[number]

    def expand(self, file: int, rows: Rows[Reference]) -> Rows[Reference]:
        """Return the references of a file, and behind each call of a macro the calls that it makes."""
        if not any(kind in _USING and path in self._known for kind, path in rows.fields("kind", "path")):
            return rows
        found: list[Reference] = []
        places: dict[str | None, int] = {}
        for row in rows:
            found.append(row)
            if row.kind not in _USING or row.path not in self._known or (file, row.scope) in self._bodies:
                continue
            scope = row.scope
            if row.kind == "decorator" and row.path not in self._opening:
                places = places or {symbol.id: place for place, symbol in enumerate(self._symbols[file])}
                scope = self._around(file, scope, places)
            found += dict.fromkeys(self._calls(file, row._replace(scope=scope)))
        return Rows.of(Reference, found)

    def _around(self, file: int, scope: int, places: Mapping[str | None, int]) -> int:
        """Return the file or namespace around a definition. `places` has the scope of each symbol."""
        symbols = self._symbols[file]
        while scope and symbols[scope].kind != "module":
            scope = places.get(symbols[scope].parent, 0)
        return scope

    def _calls(self, file: int, row: Reference) -> Iterator[Reference]:
        steps = 0
        waiting: list[tuple[Reference, tuple[str, ...]]] = [
            (row, (row.path,))
        ]  # a call of a macro, and those around it
        while waiting:
            used, around = waiting.pop()
            for inner, parameters in self._inner(file, used.path):
                if steps >= MAX_MACRO_STEPS:
                    return
                steps += 1
                given = dict(zip(parameters, used.args, strict=False))
                alias = inner.kind == "read"  # #define ORDER compare
                path = _substituted(inner.path, given).lstrip("&*")
                args = used.args if alias else tuple(_substituted(arg, given) for arg in inner.args)
                if path and "##" not in path and path not in around and not (alias and parameters):
                    call = Reference(row.scope, "call", path, row.line, args)
                    if path not in self._known:
                        yield call
                    elif len(around) <= MAX_MACRO_DEPTH:
                        waiting.append((call, (*around, path)))

    def _inner(self, file: int, name: str) -> Iterator[tuple[Reference, tuple[str, ...]]]:
        """Yield what the bodies of a macro call, each with the parameters of the macro."""
        known = self._known[name]
        own = (
            [each for each in known if each[0] == file] or [each for each in known if each[0] in self._headers] or known
        )
        for each in own if len({place for place, _ in own}) == 1 else ():
            parameters, body = self._bodies[each]
            yield from ((inner, parameters) for inner in body)


def _substituted(path: str, given: Mapping[str, str]) -> str:
    """Return an access path with the arguments `given` in place of parameters; "" if an argument has no path."""
    if not given:
        return path
    parts = [given.get(part, part) for part in path.split("##")]
    if len(parts) > 1:
        return "".join(parts) if all(part.isidentifier() for part in parts) else ""
    root, dot, rest = path.partition(".")
    argument = given.get(root, root)
    return argument + dot + rest if argument else ""
