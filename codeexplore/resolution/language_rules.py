"""Rules of a language: how its modules, names, types and calls work, as data plus a few functions.

Each group of rules is a class, such as `ScopeRules`. `Rules` has all groups of one language family. Modules form a
tree. A *unit* is the number of a module, package or namespace. A module offers the names in the module scopes of its
files, and its child modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from codeexplore.types import FileFacts


class Located(NamedTuple):
    """Target of a module string in an import: a module of the repository, or a dotted name outside of it.

    `unit` is the number of the module, -1 for none. A relative import that leads nowhere has neither a module nor an
    outside name.
    """

    unit: int
    external: str = ""
    rest: tuple[str, ...] = ()  # names below the unit: a nested type, for example
    beside: tuple[int, ...] = ()  # units that the name means instead under other conditions of a manifest
    partial: bool = False  # the import means the unit's own contents only: other units may share its name


NOWHERE = Located(-1)


class Units:
    """All modules of a family.

    `files`, `children`, `parent` and `name` are columns, indexed by the number of a module.
    """

    def __init__(self) -> None:
        self.files: list[list[int]] = []  # indices of the files whose names the unit offers
        self.children: list[dict[str, int]] = []
        self.parent: list[int] = []
        self.name: list[str] = []
        self.child_names: set[str] = set()
        self.blocks: dict[int, tuple[int, int]] = {}  # module → (file, place of a symbol): a namespace inside a file
        self.of_block: dict[tuple[int, int], int] = {}  # (file, place of a symbol) → module

    def add(self, name: str, parent: int = -1) -> int:
        """Add a module as a child of the module `parent`, and return its number."""
        unit = len(self.files)
        self.files.append([])
        self.children.append({})
        self.parent.append(parent)
        self.name.append(name)
        if parent >= 0:
            self.children[parent][name] = unit
            self.child_names.add(name)
        return unit

    def child(self, unit: int, name: str) -> int:
        """Return the number of the child module with this name; -1 for none."""
        return self.children[unit].get(name, -1)

    def walk(self, unit: int, parts: list[str]) -> int:
        """Return the module that the names of children lead to, from the module `unit` on; -1 if a name is missing."""
        for part in parts:
            unit = self.children[unit].get(part, -1)
            if unit < 0:
                return -1
        return unit

    def make(self, root: int, parts: list[str]) -> int:
        """Return the module that the names of children lead to, from the module `root` on.

        Missing modules are added.
        """
        unit = root
        for part in parts:
            known = self.children[unit].get(part, -1)
            unit = known if known >= 0 else self.add(part, unit)
        return unit


class ModuleResolver(Protocol):
    """Finds the module that a module string means. It is built once for all files of a language family."""

    units: Units

    def unit_of(self, file: int) -> int:
        """Return the number of the module that offers the names of a file."""

    def locate(self, file: int, module: str) -> Located:
        """Return the target of `module`, as written in an import of `file`."""


def imported(locator: ModuleResolver, file: int, module: str, member: str) -> tuple[Located, str]:
    """Return the module or outside name that an imported member comes from, and the member's name in it.

    If `module` is `partial` and has no child `member`, then ``module.member`` may be a module in another place. In this
    case the result is that module and "". If it is not found either, the member is outside the repository.
    """
    found = locator.locate(file, module)
    if not found.partial or member == "*" or locator.units.child(found.unit, member) >= 0:
        return found, member
    further = locator.locate(file, f"{module}.{member}") if member else NOWHERE
    if further.unit >= 0:
        return further, ""
    return Located(-1, "" if module.startswith(".") else module), member


CONSTRUCTOR: Final = "<init>"
"""Name of constructors in languages where a constructor has the name of its type."""
DecoratorRole: TypeAlias = Literal["static", "class", "property", "setter", "overload", "plain", "abstract"]
"""Effect of a decorator on a function. `plain` returns it unchanged. Other decorators are looked up and called."""
TypeRole: TypeAlias = Literal[
    "same", "union", "sequence", "map", "tuple", "class", "callable", "consumer", "operator", "nothing", "self"
]
"""Role of a generic type's arguments: the values of the type.

- `same`: the values of its first argument.
- `union`: the values of any argument.
- `sequence`: a container of its first argument; `map`: of its last argument; `tuple`: of each argument.
- `class`: the class itself.
- `callable`: a function that takes its arguments and returns the last one.
- `consumer`: a function that takes all arguments and returns nothing.
- `operator`: a function that takes its one argument once or twice and returns it.
- `nothing`: no values that matter.
- `self`: the enclosing type.
"""
Effect: TypeAlias = Literal[
    "element", "else", "either", "same", "values", "iterated", "iterator", "pairs", "items", "entries", "store",
    "store_last", "extend", "call", "map", "each", "compare", "fold", "first", "key", "value", "itself", "then",
    "settle",
]  # fmt: skip
"""Effect of a container's own method, or of a known outside function.

- `element` returns an element, `same` a container of the same elements, `either` one of both.
- `values` returns one of the elements of a map, `iterated` one of its (key, element) or an element of another one.
- `pairs` returns a container of (number, element), `items` a container of (key, element).
- `iterator` returns an iterator of C++, which points to elements, or to the pairs of a map.
- `entries` returns a container of entries. An entry has the keys and elements of the container that it is from.
- `store` and `store_last` put an argument in; `extend` puts the elements of an argument in.
- `each` calls its function argument with elements and returns the container; `compare` calls it with two elements.
- `map` returns a container of the results of such calls; `call` returns the result itself.
- `fold` calls its argument with the previous result and an element, and returns the result.
- `else` returns an element, its argument, or the result of its argument.
- `key` and `value` return a part of a pair.
- `first` returns its first argument, `itself` the receiver.
- `then` calls its first argument with the receiver and returns the result; `settle` calls its argument, and returns
  the receiver or the result. Both are methods of a promise, which has the values that it promises.
"""


PUBLIC: Final = "*"
ANY_NAME: Final = "**"
"""Names of members that a text may be of which nothing is known: of those that other objects see, or of any."""
FUNCTION: Final = "->"
"""Type name of an anonymous function, among the types of arguments."""


def _alike(wanted: str, given: str) -> float:
    return 2.0 if wanted == given else -1.0


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Overloading:
    """Rules for choosing among functions of one name by the types of arguments."""

    fit: Callable[[str, str], float] = _alike
    """Function (parameter type, argument type) → score, by simple names. Below 0 the argument does not fit."""
    related: Callable[[str, str], bool] = lambda _wanted, _given: False
    """Function (parameter type, argument type) → True if outside types may be related although `fit` found no match."""
    is_variable: Callable[[str], bool] = lambda _: False
    """Function: name → True if it is the name of a type parameter, which fits any type."""
    is_strict: Callable[[str, str], bool] = lambda _wanted, _given: True
    """Function (parameter type, argument type) → True if the argument fits without boxing."""
    phases: bool = False
    """True if overloads without boxing are tried first, then overloads that do not collect arguments."""
    literals: Mapping[str, str] = field(default_factory=_empty)  # %root → declared type
    outside_results: Mapping[str, str] = field(default_factory=_empty)
    """Name of a method outside the repository, with or without its type → type of its result."""
    factories: Container[str] = ()
    """Methods of outside types that return an object of the type, by their names; types in the plural have none."""
    outside_constants: Mapping[str, str] = field(default_factory=_empty)
    """Simple name of a type outside the repository → type of its constants."""
    array_members: Mapping[str, str] = field(default_factory=_empty)
    """Member of an array → its type."""
    takes: Callable[[str, Sequence[str]], bool] | None = None
    """Function (signature, arguments) → True if the labels of the arguments fit. The labels are part of the name."""
    outside_supers: Mapping[str, frozenset[str]] = field(default_factory=_empty)
    """Simple name of a type outside the repository → names of all its supertypes."""
    ranked: bool = False  # all arguments count: one of unknown type leaves the overloads open that differ in it
    copies: bool = False  # every class has a constructor that copies an object
    narrows: bool = True  # a type test changes the type by which a name chooses overloads
    constant: str = ""  # word before a type, and behind the parameters of methods that objects of the type can run
    enum_type: str = ""  # the type to which constants of enums convert
    several: bool = False  # a type may have several functions of one name: of traits, or of its parts
    build_marks: frozenset[str] = frozenset()  # decorators of functions that only some builds have
    fallback_mark: str = ""  # decorator of macros that are defined only where nothing else defines their names
    outside_namespace: str = "%"  # begins the names of functions that the repository adds to those outside
    one_runs: bool = False  # of overloads that fit alike only one is called, which is not known
    access_words: frozenset[str] = frozenset()  # words of members that code outside of their type sees
    hidden_word: str = ""  # word of members that only code of the outermost type around them sees
    overriding: re.Pattern[str] | None = None
    """What the signature of a method has that others may override; other methods are only hidden by theirs."""
    decides: bool = False
    """True if the language chooses one overload by types. Several remaining overloads are then undecided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleRules:
    """Rules of modules, packages and imports."""

    locator: Callable[[Sequence[FileFacts], Mapping[str, str]], ModuleResolver]
    manifests: tuple[str, ...] = ()  # names of files beside the sources that the locator reads
    plugins: Callable[[Mapping[str, str]], Mapping[str, Sequence[tuple[str, str]]]] = lambda _: {}
    """Function (manifests) → (module, dotted name in it) of the objects that a loader of plug-ins loads, by group."""
    beside: Callable[[str, str, Container[str]], str] | None = None
    """Function (file, module, all paths) → path that the module means without manifests; "" for none.

    For languages whose files pass on names that they do not import, and whose `locator` needs only the files' paths."""
    keywords: frozenset[str] = frozenset()  # keywords that name modules (crate, super)
    absolute_mark: str = ""  # prefix of a name that the locator searches among crates only
    clauses: bool = False  # an import binds the name in the clause of the module, which its path need not tell
    imports_apart: bool = False  # imports bind names in their own file only, not for the other files of a package
    global_mark: str = ""  # mark before a name that is searched from the top only; packages are then open namespaces
    outer_packages: bool = False  # a package sees the names of enclosing packages
    platforms: bool = False  # definitions of equal names in several files are of different platforms
    linked: bool = False  # a name of a file without a package is visible everywhere if only one file offers it
    sources: tuple[str, ...] = ()  # suffixes of files whose macros and types others do not see, unless included
    program_files: re.Pattern[str] | None = None  # paths of files that begin a program, with its folder
    private_prefix: str = ""  # prefix of names that a star import leaves out
    lists_exports: bool = False  # exports list the names that a star import binds
    stars_everywhere: bool = False  # the star exports of a file are star imports of each file
    stars_bind: bool = False  # a star import binds like an assignment: the last binding counts
    declaring_suffix: str = ""  # suffix of files with declarations for the file with `declared_suffix` beside them
    declared_suffix: str = ""
    default: str = ""  # name of the export that stands for a module which is loaded as a value
    itself: str = ""  # name of the object with the exports of the module whose code uses the name


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRules:
    """Rules of scopes: the names that are visible at a place."""

    folds_case: bool = False  # names of types and functions may be written with other capitals
    members_visible: bool = False  # a type's members are visible by bare name in its methods
    members_apart: bool = False
    """A type's members are never visible by bare name, not even in its body.

    Static and other members may share a name. In static methods ``this`` means the type."""
    types_apart: bool = False  # variables and fields do not hide types and modules where a type is written
    bound_after: bool = False  # a variable is not yet known in the statement that declares it
    bodies_run: bool = False  # the body of a class is code: a name that it defines further down means an outer one
    lambdas_apart: bool = True  # calls in a lambda belong to the lambda; else to the function around it
    blocks_on_any: bool = False  # a block may run on any object, whose methods it calls by bare names
    bare_by_name: bool = False  # a bare name that no scope binds may be guessed


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRules:
    """Rules of types and of their instances and members."""

    self_parameter: bool = False  # a method's first parameter is its receiver
    instance_names: frozenset[str] = frozenset({"this", "self"})  # keywords for the receiver, if it is not a parameter
    super_names: frozenset[str] = frozenset({"super"})
    super_called: bool = False  # super() rather than super
    own_type_names: frozenset[str] = frozenset()  # keywords for the enclosing type (Self)
    singleton_mark: str = ""
    """Separator before the name of a type's own method in its qualified name: ``Shop.open``, beside ``Shop#open``.

    The methods of a type itself and of its instances have separate names."""
    late_type_names: frozenset[str] = frozenset()  # keywords for the type on which the method was called (static)
    class_attribute: str = ""  # attribute with an instance's class
    prototype: str = ""  # attribute with the object that instances inherit from
    metaclasses: bool = False  # classes have metaclasses, whose call method makes instances
    metaclass_names: frozenset[str] = frozenset()  # outside metaclasses, and functions that make classes as they do
    methods_apart: bool = False  # methods and fields have separate names: m() is never the field m
    reads_methods: bool = False
    """An outside supertype may let the name of a method without ``()`` mean its result: ``$user->posts``."""
    instance_mark: str = ""
    """Mark before the variables of an instance, which calls of declared fields read: ``cart.size`` and ``@size``."""
    pointers: bool = False  # a variable of a type may be a pointer to several values: a subscript is one of them
    attributes_below: bool = False  # a subclass may assign another value to a class attribute
    structural: bool = False  # a type implements the interfaces whose methods it has
    outside_methods: Mapping[str, frozenset[str]] = field(default_factory=_empty)
    same_types: Mapping[str, str] = field(default_factory=_empty)  # name of a type → another name of it
    """Outside type → all its methods, which a type that embeds it has, too."""
    structural_bases: frozenset[str] = frozenset()  # outside bases that make a class structural (Protocol)
    sealed_kinds: frozenset[str] = frozenset()  # kinds of types whose instances are never of a subtype
    opening_words: frozenset[str] = frozenset()  # modifiers that make a type public; if empty, all types are public
    open_types: bool = False  # types or namespaces with equal qualified names are parts of one
    part_word: str = ""  # modifier that every part of a type needs, and of methods with a declaration apart
    mixins: bool = False  # modules inside a file have methods as types do
    object_word: str = ""  # modifier of the only types whose members are accessed by the type's name
    variants: bool = False  # members of an enum are its values, also when they are called
    enum_bases: frozenset[str] = frozenset()
    scoped_enum: re.Pattern[str] | None = None
    """Signature of an enum that keeps its values to itself. Those of other enums are known in the scope around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructionRules:
    """Rules for making instances of types."""

    constructors: tuple[str, ...] = ()  # methods called on a new instance, tried in this order
    allocators: tuple[str, ...] = ()  # methods whose result is the new instance
    allocator_outside: str = ""  # the allocator of classes that define none
    constructor_is_class: bool = False  # a constructor has its type's name in the source, `CONSTRUCTOR` here
    primary: bool = False  # the head of a type may declare a constructor without a name
    constructor_word: str = ""  # T.new: the constructor as a function
    making_calls: bool = True  # making an instance of a type without a constructor calls the type
    record_kinds: frozenset[str] = frozenset()  # kinds of types that are made by naming their fields
    record_decorators: frozenset[str] = frozenset()  # decorators that make fields constructor parameters
    record_bases: frozenset[str] = frozenset()
    field_makers: frozenset[str] = frozenset()  # functions whose result describes a field, and is not its value

    def describes(self, value: str) -> bool:
        """Return True for the path of a value such as ``attr.ib()``, which describes a field and is not its value."""
        return value.rpartition(".")[2] in self.field_makers


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialMethods:
    """Names of the methods that syntax and built-in functions call. The first name that a class defines counts."""

    call: tuple[str, ...] = ()  # called when an instance is called
    enter: tuple[str, ...] = ()
    iterate: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    async_enter: tuple[str, ...] = ()  # these instead of the three above if the statement is asynchronous
    async_iterate: tuple[str, ...] = ()
    async_next: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()  # called for an attribute that does not exist
    deref: tuple[str, ...] = ()  # returns the value on which missing members are looked up
    standing_in: tuple[str, ...] = ()  # returns the value on which missing members of the class itself are looked up
    store: tuple[str, ...] = ()  # called by every assignment to an attribute
    store_item: tuple[str, ...] = ()  # called with the key and the value by an assignment to an item
    descriptor_get: tuple[str, ...] = ()  # called when a class attribute is read through an instance
    descriptor_set: tuple[str, ...] = ()  # called when a class attribute is assigned through an instance
    subclass: tuple[str, ...] = ()  # called on a class when a subclass is defined
    name: tuple[str, ...] = ()  # called on each attribute of a class when the class is defined
    fallbacks: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)
    """Special method → methods that are called if it is missing."""
    outside: Mapping[str, frozenset[str]] = field(default_factory=_empty)
    """Outside type → special methods that it has: its subclasses need no fallback for them."""
    protocols: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)
    """Outside function → methods of its first argument. It calls the first one that exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRules:
    """Rules of functions: signatures, results and the methods of functions themselves."""

    signature_roles: Mapping[str, DecoratorRole] = field(default_factory=_empty)
    """Word at the start of a signature (``get``, ``set``, ``static``) → role that a decorator has elsewhere."""
    read_signature: re.Pattern[str] | None = None  # signatures of methods that reading the member calls
    extension_signature: re.Pattern[str] | None = None  # in signatures of functions called as methods of other types
    explicit_signature: re.Pattern[str] | None = None
    """In signatures of methods that implement a member of an interface, and that only the interface makes visible."""
    extensions: Literal["", "named", "everywhere", "crate"] = ""
    """Where functions that extend outside types are found: "named" where their bare name means them, "crate" in the
    same crate and where their trait is named."""
    block_receiver: re.Pattern[str] | None = None
    """Type of a last parameter, a function that runs on an object, whose type is the first group: ``T.() -> R``."""
    labels: bool = False  # names of arguments are part of the name of the function, not of its parameters
    heads_apart: bool = False
    """A signature that ends in ``;`` has no body: it declares the function of the same name beside it, if any."""
    class_methods: frozenset[str] = frozenset()  # class methods by name, without a decorator
    variable_mark: str = ""  # mark before each variable, which named arguments leave out
    rest_by_one: bool = False  # the type of a collecting parameter is the type of each argument
    spreads: bool = False  # ``*x`` in a call passes the items of ``x`` as arguments, and ``**x`` those by their keys
    values: bool = True  # the name of a function without arguments is a value; else it means a property
    functional: bool = False  # any method of a function value is the function (Java's functional interfaces)
    own_methods: frozenset[str] = frozenset()  # methods of functions themselves: bind, call, apply
    plain_types: re.Pattern[str] | None = None  # declared types that no instance of a type of the repository has
    results_exact: bool = False  # values are of exactly the declared type, never of a subtype
    results_in_tuples: bool = False  # several results are a tuple, whose items are as certain as one result
    macro_signature: str = ""  # start of a macro's signature; a macro is called by its name and ``!``
    expanded_signature: tuple[str, ...] = ()
    """Starts of a macro's signature, if a macro's body is inserted where it is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoratorRules:
    """Effects of decorators. A decorator is looked up by the last part of its name."""

    roles: Mapping[str, DecoratorRole] = field(default_factory=_empty)
    called: bool = True  # a decorator is called with its target; else it is only an annotation
    dispatching: frozenset[str] = frozenset()  # decorators that allow ``name.register``
    joining: str = ""  # last name of the decorator that registers a function: register
    providing: frozenset[str] = frozenset()  # decorators of providers; see `solve_family`
    providing_name: str = ""  # argument of such a decorator: the name of the provider
    providing_files: frozenset[str] = frozenset()  # files whose providers are valid below their folder


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinModels:
    """Built-in names and types of the language, and models of functions that the repository does not define."""

    names: frozenset[str] = frozenset()  # built-in names, visible everywhere
    module: str = "builtins"  # the module of `names`
    literals: Mapping[str, str] = field(default_factory=_empty)  # %root → outside type
    types: Mapping[str, TypeRole] = field(default_factory=_empty)  # by last name
    map_gives: Literal["keys", "values", "pairs"] = "keys"  # values of an iteration over a map
    open_objects: bool = False  # a literal's keys are its attributes
    common_methods: frozenset[str] = frozenset()  # methods of built-in types: never guessed by name
    container_methods: Mapping[str, Effect] = field(default_factory=_empty)
    pair_fields: Mapping[str, str] = field(default_factory=_empty)  # field of a pair → the place of the value in it
    called_containers: bool = False  # a call of a container gives an element: ``items(0)``
    lenders: frozenset[str] = frozenset()  # types of the role "same" that lend the members of the value by ``->`` only
    lending_methods: frozenset[str] = frozenset()  # own methods of these types that return the value
    passing_methods: frozenset[str] = frozenset()  # methods of wrappers that return the wrapped value: unwrap, borrow
    functions: Mapping[str, str] = field(default_factory=_empty)  # outside function → effect
    makes: bool = False  # outside functions may make instances of types passed to them
    gives_back: bool = False  # outside functions may return, or wrap, functions and types passed to them
    gives_callbacks: bool = False  # outside functions call functions passed to them
    sequences: tuple[str, ...] = ()  # roots of literals that compare items and do not hash them
    name_tables: Mapping[str, bool] = field(default_factory=_empty)
    """Function whose result maps names to their values → True for the names of the calling function."""
    placeholders: tuple[str, ...] = ()  # beginnings of the names of outside objects that stand for others
    callbacks: frozenset[str] = frozenset()  # outside functions that call their arguments at once
    keeping: frozenset[str] = frozenset()  # outside functions that only store them, as Type.name
    calling_names: frozenset[str] = frozenset()  # names of built-in methods that call functions passed to them


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules of one language family, in groups. Files of one family are resolved together."""

    family: str
    modules: ModuleRules
    scopes: ScopeRules = field(default_factory=ScopeRules)
    classes: ClassRules = field(default_factory=ClassRules)
    construction: ConstructionRules = field(default_factory=ConstructionRules)
    special_methods: SpecialMethods = field(default_factory=SpecialMethods)
    functions: FunctionRules = field(default_factory=FunctionRules)
    decorators: DecoratorRules = field(default_factory=DecoratorRules)
    builtins: BuiltinModels = field(default_factory=BuiltinModels)
    overloading: Overloading = field(default_factory=Overloading)
