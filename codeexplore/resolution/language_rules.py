"""Semantics of one language's names, as data plus the few functions that data can't express."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from codeexplore.resolution.module_tree import FlatLocator, ModuleResolver
from codeexplore.types import FileFacts

CONSTRUCTOR: Final = "<init>"
"""The name constructors go by where they are written with their type's name."""

DecoratorRole: TypeAlias = Literal["static", "class", "property", "setter", "overload", "plain", "abstract"]
"""Effect of a decorator on a function. `plain` returns it as it was; any other name is looked up and called."""

TypeRole: TypeAlias = Literal[
    "same", "union", "sequence", "map", "tuple", "class", "callable", "consumer", "operator", "nothing", "self"
]
"""Roles of a generic type's arguments: `same` is its first, `sequence` contains its first, `map` its last, `class` is
the class itself, `callable` takes its arguments and returns the last, `consumer` takes all and returns nothing,
`operator` takes its one argument, once or twice, and returns it; `self` is the type around.
"""

Effect: TypeAlias = Literal[
    "element",
    "else",
    "same",
    "pairs",
    "items",
    "store",
    "store_last",
    "extend",
    "call",
    "map",
    "each",
    "compare",
    "fold",
    "first",
    "itself",
]
"""Effect of a container's own method, or of a known outside function.

`element` returns an element, `same` a container of the same elements, `pairs` one of (number, element), `items` one of
(key, element); `store` and `store_last` put an argument in, `extend` the elements of one; `each` calls its function
argument with elements and returns the container, `compare` with two of them, `map` a container of the results, `call`
the result itself, `fold` the result of calling it with its own result and an element; `else` returns an element, its
argument, or the result of its argument; `first` returns its first argument, `itself` the receiver.
"""


def _flat(files: Sequence[FileFacts], manifests: Mapping[str, str]) -> ModuleResolver:
    del manifests
    return FlatLocator(list(files))


FUNCTION: Final = "->"
"""Marks an anonymous function among the types of arguments."""


def _alike(wanted: str, given: str) -> float:
    return 2.0 if wanted == given else -1.0


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Overloading:
    """Choice among functions of one name by the types of arguments."""

    fit: Callable[[str, str], float] = _alike
    """Score of an argument's type (second) for a parameter's (first), by simple names; below 0 it does not fit."""
    related: Callable[[str, str], bool] = lambda _wanted, _given: False
    """True if an outside type (second) may still fit a parameter of another (first) where `fit` found no match."""
    is_variable: Callable[[str], bool] = lambda _: False
    """True if a name is that of a type parameter, which fits any type."""
    is_strict: Callable[[str, str], bool] = lambda _wanted, _given: True
    """True if an argument's type (second) fits a parameter's (first) without boxing."""
    phases: bool = False
    """True if overloads that need no boxing, then those that collect no arguments, come before the others."""
    literals: Mapping[str, str] = field(default_factory=_empty)  # %root → declared type
    outside_results: Mapping[str, str] = field(default_factory=_empty)
    """Result types of methods outside the repository, by their name alone."""
    outside_constants: Mapping[str, str] = field(default_factory=_empty)
    """The type of the constants of types outside the repository, by the simple name of these."""
    array_members: Mapping[str, str] = field(default_factory=_empty)
    """Types of the members of arrays."""
    decides: bool = False
    """True if the language itself chooses by types, so that remaining functions are undecided and not all meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleRules:
    """Rules of modules, packages and imports."""

    locator: Callable[[Sequence[FileFacts], Mapping[str, str]], ModuleResolver] = _flat
    manifests: tuple[str, ...] = ()  # names of files beside the sources that the locator reads
    beside: Callable[[str, str, Container[str]], str] | None = None
    """The path, of those that there are, that a module written in a file (first) means without manifests; "" for none.
    For languages that pass names on without importing them, whose `locator` needs no more of files than their paths."""
    keywords: frozenset[str] = frozenset()  # keywords that name modules (crate, super)
    absolute_mark: str = ""  # before a name it makes the locator look among whole crates only
    outer_packages: bool = False  # a package sees the names of those around it
    linked: bool = False  # names of files without a package are known everywhere, if only one file offers them
    private_prefix: str = ""  # names a star import leaves out
    lists_exports: bool = False  # exports list the names that a star import takes, all bound in the module itself
    stars_bind: bool = False  # a star import binds names like an assignment: of several bindings the last one counts
    declaring_suffix: str = ""  # files that declare definitions of the file of `declared_suffix` beside them
    declared_suffix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRules:
    """Rules of scopes: the names that are visible at a place."""

    members_visible: bool = False  # a type's members are visible by bare name in its methods
    members_apart: bool = False
    """A type's members are never visible by bare name, not even in its body. Static ones have names of their own, and
    ``this`` means the type in static methods."""
    types_apart: bool = False  # variables and fields do not hide types and modules where a type is written
    bound_after: bool = False  # a variable is not yet known in the statement that declares it
    lambdas_apart: bool = True  # an anonymous function's calls are its own; else those of the function around it
    blocks_on_any: bool = False  # a block of code may run on any object, whose methods then go by bare names
    bare_by_name: bool = False  # a bare name no scope knows may be guessed too


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRules:
    """Rules of types and of their instances and members."""

    self_parameter: bool = False  # a method's first parameter is its receiver
    instance_names: frozenset[str] = frozenset({"this", "self"})  # keywords for the receiver, where it is none
    super_names: frozenset[str] = frozenset({"super"})
    super_called: bool = False  # super() rather than super
    own_type_names: frozenset[str] = frozenset()  # keywords for the type around (Self)
    class_attribute: str = ""  # attribute with an instance's class
    prototype: str = ""  # attribute with the object that instances inherit from
    metaclasses: bool = False  # classes are instances of classes; making an instance calls the latter's call method
    methods_apart: bool = False  # a type's methods and fields have names of their own: m() is never the field m
    attributes_below: bool = False  # a class below may assign another value to a class attribute
    structural: bool = False  # a type implements the interfaces whose methods it has
    structural_bases: frozenset[str] = frozenset()  # outside bases of classes whose methods are enough to implement
    sealed_kinds: frozenset[str] = frozenset()  # kinds of types whose instances are never of a subtype
    opening_words: frozenset[str] = frozenset()  # words that let other packages see a type; without any, all see it
    open_types: bool = False  # types and namespaces of one qualified name are parts of one
    mixins: bool = False  # modules inside a file have methods as types do
    object_word: str = ""  # in the signatures of the only types whose members go by the type's name
    variants: bool = False  # members of an enum are its values, also when they are called
    enum_bases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructionRules:
    """Rules of making instances."""

    constructors: tuple[str, ...] = ()  # methods that making an instance calls, tried in this order
    allocators: tuple[str, ...] = ()  # methods whose result is the new instance
    allocator_outside: str = ""  # the allocator of classes that have none of their own
    constructor_is_class: bool = False  # a constructor has its type's name in the source, `CONSTRUCTOR` here
    constructor_word: str = ""  # T.new: the constructor as a function
    making_calls: bool = True  # making an instance of a type without a constructor calls the type
    record_kinds: frozenset[str] = frozenset()  # kinds of types whose fields are given by name when one is made
    record_decorators: frozenset[str] = frozenset()  # classes whose fields are their constructor's parameters
    record_bases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialMethods:
    """Methods that syntax and built-in functions call, by name, the first that exists."""

    call: tuple[str, ...] = ()  # by calling an instance
    enter: tuple[str, ...] = ()
    iterate: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()  # for an attribute that does not exist
    deref: tuple[str, ...] = ()  # return the value on which members are looked up that a type lacks
    store: tuple[str, ...] = ()  # by every assignment to an attribute
    descriptor_get: tuple[str, ...] = ()  # when an instance stored in a class is read through an object
    descriptor_set: tuple[str, ...] = ()  # when a class attribute that is an instance is assigned
    subclass: tuple[str, ...] = ()  # on a class when one below it is defined
    name: tuple[str, ...] = ()  # on the attributes of a class when it is defined
    fallbacks: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)
    """Special method → those that are called when it is missing."""
    protocols: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)
    """Outside function → the methods of its first argument it calls, the first that exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRules:
    """Rules of functions: their signatures, results and methods of their own."""

    signature_roles: Mapping[str, DecoratorRole] = field(default_factory=_empty)
    """First words of a signature with the meaning of decorators in other languages: ``get``, ``set``, ``static``."""
    read_signature: re.Pattern[str] | None = None  # signatures of methods that are called by reading them
    heads_apart: bool = False
    """A signature that ends in ``;`` has no body: it describes the function of its name beside it, if there is one."""
    class_methods: frozenset[str] = frozenset()  # class methods by name, without a decorator
    static_methods: frozenset[str] = frozenset()
    rest_by_one: bool = False  # the declared type of a parameter that collects arguments is that of each of them
    functional: bool = False  # any method of a function value is the function (Java's functional interfaces)
    own_methods: frozenset[str] = frozenset()  # of functions themselves: bind, call, apply
    results_exact: bool = False  # values are of exactly the declared type, never of a subtype
    results_in_tuples: bool = False  # several results come as a tuple: its items are as sure as one result
    macro_signature: str = ""  # start of a macro's signature; macros are used by name and ``!`` at any place


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoratorRules:
    """Effects of decorators, by the last part of their names."""

    roles: Mapping[str, DecoratorRole] = field(default_factory=_empty)
    called: bool = True  # a decorator is called with its target; else it only marks it
    dispatching: frozenset[str] = frozenset()  # decorators after which others join a function by ``name.register``
    joining: str = ""  # the last name of the decorator that joins: register
    providing: frozenset[str] = frozenset()  # decorators of functions whose results parameters of their name receive
    providing_files: frozenset[str] = frozenset()  # files whose providers serve every file below their folder


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinModels:
    """Names and types of the language itself, and the effects of functions that the repository does not define."""

    names: frozenset[str] = frozenset()  # visible everywhere
    module: str = "builtins"  # the module of `names`
    literals: Mapping[str, str] = field(default_factory=_empty)  # %root → outside type
    types: Mapping[str, TypeRole] = field(default_factory=_empty)  # by last name
    map_gives: Literal["keys", "values", "pairs"] = "keys"  # values of an iteration over a map
    open_objects: bool = False  # a literal's keys are its attributes
    common_methods: frozenset[str] = frozenset()  # methods of built-in types: never guessed by name
    container_methods: Mapping[str, Effect] = field(default_factory=_empty)
    passing_methods: frozenset[str] = frozenset()  # methods of wrappers that return the wrapped value: unwrap, borrow
    functions: Mapping[str, str] = field(default_factory=_empty)  # outside function → effect
    gives_callbacks: bool = False  # outside functions call the functions they are given
    callbacks: frozenset[str] = frozenset()  # outside functions that call their arguments at once
    keeping: frozenset[str] = frozenset()  # outside functions that only keep them, by their type's name and their own
    calling_names: frozenset[str] = frozenset()  # of built-in methods that call the functions they are given


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One language family's rules, by subject. Files of one family are resolved together."""

    family: str
    modules: ModuleRules = field(default_factory=ModuleRules)
    scopes: ScopeRules = field(default_factory=ScopeRules)
    classes: ClassRules = field(default_factory=ClassRules)
    construction: ConstructionRules = field(default_factory=ConstructionRules)
    special_methods: SpecialMethods = field(default_factory=SpecialMethods)
    functions: FunctionRules = field(default_factory=FunctionRules)
    decorators: DecoratorRules = field(default_factory=DecoratorRules)
    builtins: BuiltinModels = field(default_factory=BuiltinModels)
    overloading: Overloading = field(default_factory=Overloading)
