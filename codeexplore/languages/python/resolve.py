"""Resolution rules of Python."""

from __future__ import annotations

import builtins
from functools import cache
from types import MappingProxyType

from codeexplore.languages.base import words
from codeexplore.languages.python.locate import PythonLocator
from codeexplore.languages.python.source_folders import MANIFESTS
from codeexplore.languages.python.spec import PYTHON
from codeexplore.resolution.language_rules import (
    BuiltinModels,
    ClassRules,
    ConstructionRules,
    DecoratorRole,
    DecoratorRules,
    Effect,
    FunctionRules,
    ModuleRules,
    Rules,
    SpecialMethods,
    TypeRole,
)

DECORATORS: dict[str, DecoratorRole] = {
    "property": "property", "cached_property": "property", "abstractproperty": "property", "lazy_property": "property",
    "cachedproperty": "property", "reify": "property", "hybrid_property": "property", "getter": "property",
    "setter": "setter", "deleter": "setter",
    "staticmethod": "static", "abstractstaticmethod": "static",
    "classmethod": "class", "abstractclassmethod": "class",
    "overload": "overload", "abstractmethod": "abstract",
    "override": "plain", "final": "plain", "wraps": "plain", "lru_cache": "plain", "cache": "plain",
    "contextmanager": "plain", "asynccontextmanager": "plain", "dataclass": "plain", "total_ordering": "plain",
    "runtime_checkable": "plain", "no_type_check": "plain",
}  # fmt: skip

TYPES: dict[str, TypeRole] = {
    "Optional": "same", "Annotated": "same", "Final": "same", "ClassVar": "same", "Required": "same",
    "NotRequired": "same", "ReadOnly": "same", "InitVar": "same", "Awaitable": "same", "Mapped": "same",
    "TypeGuard": "nothing", "TypeIs": "nothing", "Literal": "nothing", "Any": "nothing", "object": "nothing",
    "None": "nothing", "TypeVar": "nothing", "ParamSpec": "nothing", "TypeVarTuple": "nothing", "NewType": "nothing",
    "Union": "union", "Type": "class", "type": "class", "Callable": "callable", "Self": "self",
    "Coroutine": "callable",
    "List": "sequence", "list": "sequence", "Set": "sequence", "set": "sequence", "FrozenSet": "sequence",
    "frozenset": "sequence", "Sequence": "sequence", "MutableSequence": "sequence", "Collection": "sequence",
    "Container": "sequence", "Iterable": "sequence", "Iterator": "sequence", "Generator": "sequence",
    "AsyncIterable": "sequence", "AsyncIterator": "sequence", "AsyncGenerator": "sequence", "Deque": "sequence",
    "deque": "sequence", "Reversible": "sequence", "AbstractSet": "sequence", "MutableSet": "sequence",
    "KeysView": "sequence", "ValuesView": "sequence", "ContextManager": "sequence",
    "AbstractContextManager": "sequence", "AsyncContextManager": "sequence",
    "Dict": "map", "dict": "map", "Mapping": "map", "MutableMapping": "map", "DefaultDict": "map",
    "defaultdict": "map", "OrderedDict": "map", "ChainMap": "map",
    "Tuple": "tuple", "tuple": "tuple",
}  # fmt: skip

METHODS: dict[str, Effect] = {
    "append": "store", "add": "store", "appendleft": "store", "insert": "store_last", "put": "store",
    "put_nowait": "store", "set": "store", "extend": "extend", "update": "extend", "extendleft": "extend",
    "setdefault": "store_last", "pop": "element", "popleft": "element", "get": "element", "popitem": "items",
    "get_nowait": "element", "values": "same", "copy": "same", "items": "items", "union": "same",
    "difference": "same", "intersection": "same", "__getitem__": "element", "__enter__": "element", "sort": "each",
    "send": "element", "__next__": "element", "reverse": "itself", "index": "itself", "count": "itself",
    "clear": "itself", "remove": "itself", "discard": "itself", "keys": "itself", "close": "itself",
    "__len__": "itself", "__iter__": "itself", "__contains__": "itself", "__setitem__": "itself",
}  # fmt: skip

FUNCTIONS: dict[str, str] = {
    **{f"builtins.{name}": "sequence" for name in ("list", "tuple", "set", "frozenset", "reversed", "iter")},
    "builtins.sorted": "callkey", "builtins.filter": "sequence:1", "builtins.map": "callmap",
    "builtins.enumerate": "pairs", "builtins.zip": "zip", "builtins.dict": "map", "builtins.next": "element",
    "builtins.min": "element", "builtins.max": "element", "builtins.getattr": "member", "builtins.type": "class",
    "itertools.chain": "sequence", "itertools.islice": "sequence", "itertools.cycle": "sequence",
    "itertools.zip_longest": "zip", "collections.deque": "sequence", "collections.OrderedDict": "map",
    "collections.defaultdict": "filled", "builtins.object.__new__": "made", "builtins.property": "property",
    "functools.cached_property": "property", "typing.cast": "instance", "typing_extensions.cast": "instance",
    "copy.copy": "first", "copy.deepcopy": "first", "functools.partial": "partial",
    "functools.partialmethod": "partial", "functools.update_wrapper": "first", "weakref.ref": "first",
    "weakref.proxy": "first", "asyncio.create_task": "first", "asyncio.ensure_future": "first",
    "asyncio.wait_for": "first", "asyncio.shield": "first",
}  # fmt: skip

CALLBACKS = words(
    """
    builtins.map builtins.filter builtins.sorted builtins.min builtins.max functools.reduce re.sub re.subn
    itertools.groupby itertools.takewhile itertools.dropwhile itertools.starmap itertools.accumulate re.compile().sub
    re.Pattern.sub builtins.list.sort builtins.iter heapq.nlargest heapq.nsmallest
    """
)


PROTOCOLS: dict[str, tuple[str, ...]] = {
    "len": ("__len__",), "str": ("__str__", "__repr__"), "repr": ("__repr__",), "next": ("__next__",),
    "hash": ("__hash__",), "bool": ("__bool__", "__len__"), "abs": ("__abs__",), "int": ("__int__",),
    "float": ("__float__",), "bytes": ("__bytes__",), "format": ("__format__",), "print": ("__str__", "__repr__"),
    "reversed": ("__reversed__", "__iter__"), "round": ("__round__",), "divmod": ("__divmod__",), "dir": ("__dir__",),
    "open": ("__fspath__",), "os.fspath": ("__fspath__",), "complex": ("__complex__", "__float__"),
    "copy.copy": ("__copy__",), "copy.deepcopy": ("__deepcopy__",), "operator.index": ("__index__",),
    "math.floor": ("__floor__",), "math.ceil": ("__ceil__",), "math.trunc": ("__trunc__",),
    **dict.fromkeys(
        ("zip", "dict", "collections.deque", "deque",
         "iter", "list", "tuple", "set", "frozenset", "sorted", "enumerate", "any", "all", "sum", "min", "max"),
        ("__iter__",),
    ),
}  # fmt: skip


FALLBACKS: dict[str, tuple[str, ...]] = {
    "__bool__": ("__len__",), "__format__": ("__str__", "__repr__"), "__str__": ("__repr__",), "__ne__": ("__eq__",),
    "__hash__": ("__eq__",),
    "__contains__": ("__iter__",), "__enter__": ("__aenter__",), "__exit__": ("__aexit__",),
    "__iter__": ("__aiter__", "__getitem__"), "__next__": ("__anext__",),
    **{f"__i{name}__": (f"__{name}__",) for name in ("add", "sub", "mul", "truediv", "mod", "or", "and", "matmul")},
}  # fmt: skip


def _common_methods() -> frozenset[str]:
    """Return the names of the methods of built-in types.

    If the type of a receiver is unknown, a call of such a name is no evidence for a method of the repository.
    """
    types = (str, bytes, list, dict, set, tuple, int, float, object, type, BaseException, frozenset, bytearray)
    names = {name for kind in types for name in dir(kind)}
    return frozenset(
        names | {"read", "write", "close", "open", "flush", "readline", "group", "match", "search", "send"}
    )


_LITERALS = {
    "%str": "builtins.str", "%num": "builtins.int", "%bool": "builtins.bool", "%list": "builtins.list",
    "%dict": "builtins.dict", "%set": "builtins.set", "%tuple": "builtins.tuple",
}  # fmt: skip


@cache
def rules() -> Rules:
    """Return the resolution rules of Python."""
    return Rules(
        family="python",
        modules=ModuleRules(
            locator=PythonLocator,
            manifests=MANIFESTS,
            private_prefix="_",
            lists_exports=True,
            stars_bind=True,
            declaring_suffix=".pyi",
            declared_suffix=".py",
        ),
        classes=ClassRules(
            self_parameter=True,
            instance_names=frozenset(),
            super_called=True,
            attributes_below=True,
            class_attribute="__class__",
            metaclasses=True,
            enum_bases=frozenset({"Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"}),
            structural_bases=frozenset({"Protocol"}),
        ),
        construction=ConstructionRules(
            constructors=PYTHON.constructors,
            allocators=("__new__",),
            allocator_outside="builtins.object.__new__",
            record_decorators=frozenset({"dataclass", "define", "frozen", "attrs", "s"}),
            record_bases=frozenset({"NamedTuple", "BaseModel"}),
        ),
        special_methods=SpecialMethods(
            call=("__call__",),
            enter=("__enter__", "__aenter__"),
            iterate=("__iter__", "__aiter__"),
            next=("__next__", "__anext__"),
            index=("__getitem__",),
            missing=("__getattr__",),
            store=("__setattr__",),
            descriptor_get=("__get__",),
            subclass=("__init_subclass__",),
            name=("__set_name__",),
            descriptor_set=("__set__",),
            protocols=MappingProxyType(PROTOCOLS),
            fallbacks=MappingProxyType(FALLBACKS),
        ),
        functions=FunctionRules(
            rest_by_one=True,
            class_methods=frozenset({"__new__", "__init_subclass__", "__class_getitem__"}),
            static_methods=frozenset(),
        ),
        decorators=DecoratorRules(
            roles=MappingProxyType(DECORATORS),
            dispatching=frozenset({"singledispatch", "singledispatchmethod"}),
            joining="register",
            providing=frozenset({"fixture"}),
            providing_files=frozenset({"conftest.py"}),
        ),
        builtins=BuiltinModels(
            types=MappingProxyType(TYPES),
            names=frozenset(dir(builtins)),
            literals=MappingProxyType(_LITERALS),
            common_methods=_common_methods(),
            container_methods=MappingProxyType(METHODS),
            functions=MappingProxyType(FUNCTIONS),
            callbacks=CALLBACKS,
        ),
    )
