"""Resolution rules of Python."""

from __future__ import annotations

import builtins
import collections
from collections.abc import Mapping, Sequence
from functools import cache

from codeexplore.languages.base import table, words
from codeexplore.languages.python.locate import PythonLocator, entry_points
from codeexplore.languages.python.spec import PYTHON
from codeexplore.resolution import language_rules
from codeexplore.resolution.language_rules import DecoratorRole, Effect, TypeRole

DECORATORS: dict[str, DecoratorRole] = table(
    {
        "property": """
        property cached_property abstractproperty lazy_property cachedproperty reify hybrid_property getter
        """,
        "setter": "setter deleter",
        "static": "staticmethod abstractstaticmethod",
        "class": "classmethod abstractclassmethod",
        "overload": "overload",
        "abstract": "abstractmethod",
        "plain": """
        override final wraps lru_cache cache contextmanager asynccontextmanager dataclass total_ordering
        runtime_checkable no_type_check
        """,
    }
)

TYPES: dict[str, TypeRole] = table(
    {
        "same": "Optional Annotated Final ClassVar Required NotRequired ReadOnly InitVar Awaitable Mapped",
        "nothing": "TypeGuard TypeIs Literal Any object None TypeVar ParamSpec TypeVarTuple NewType",
        "union": "Union",
        "class": "Type type",
        "callable": "Callable Coroutine",
        "self": "Self",
        "sequence": """
        List list Set set FrozenSet frozenset Sequence MutableSequence Collection Container Iterable Iterator
        Generator AsyncIterable AsyncIterator AsyncGenerator Deque deque Reversible AbstractSet MutableSet
        KeysView ValuesView ContextManager AbstractContextManager AsyncContextManager
        Queue LifoQueue PriorityQueue SimpleQueue WeakSet
        """,
        "map": """
        Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict ChainMap MappingProxyType
        WeakValueDictionary WeakKeyDictionary
        """,
        "tuple": "Tuple tuple",
    }
)

METHODS: dict[str, Effect] = table(
    {
        "store": "append add appendleft put put_nowait set",
        "store_last": "insert setdefault",
        "extend": "extend update extendleft",
        "element": "pop popleft get get_nowait __getitem__ __enter__ send __next__ __aenter__ __anext__",
        "items": "popitem items",
        "same": "select copy union difference intersection",
        "values": "values",
        "each": "sort",
        "itself": """
        reverse index count clear remove discard keys close empty full qsize task_done
        __len__ __iter__ __aiter__ __contains__ __setitem__
        """,
    }
)

FUNCTIONS: dict[str, str] = table(
    {
        "sequence": """
        builtins.list builtins.tuple builtins.set builtins.frozenset builtins.reversed builtins.iter
        itertools.chain itertools.islice itertools.cycle itertools.compress collections.deque weakref.WeakSet
        queue.Queue queue.LifoQueue queue.PriorityQueue queue.SimpleQueue multiprocessing.Queue
        asyncio.Queue asyncio.LifoQueue asyncio.PriorityQueue random.choices
        """,
        "callkey": "builtins.sorted",
        "sequence:1": """
        builtins.filter itertools.takewhile itertools.dropwhile itertools.filterfalse heapq.nlargest heapq.nsmallest
        """,
        "callmap": "builtins.map",
        "pairs": "builtins.enumerate",
        "zip": "builtins.zip itertools.zip_longest itertools.product",
        "groups": "itertools.groupby",
        "rows": "itertools.pairwise itertools.tee itertools.combinations itertools.permutations itertools.batched",
        "map": """
        builtins.dict collections.OrderedDict collections.ChainMap types.MappingProxyType
        weakref.WeakValueDictionary weakref.WeakKeyDictionary
        """,
        "element": """
        builtins.next builtins.min builtins.max heapq.heappop heapq.heappushpop heapq.heapreplace random.choice
        """,
        "put": "heapq.heappush bisect.insort bisect.insort_left bisect.insort_right",
        "member": "builtins.getattr",
        "class": "builtins.type",
        "filled": "collections.defaultdict",
        "made": "builtins.object.__new__",
        "property": "builtins.property functools.cached_property",
        "instance": "typing.cast typing_extensions.cast",
        "first": """
        copy.copy copy.deepcopy functools.update_wrapper weakref.ref weakref.proxy asyncio.create_task
        asyncio.ensure_future asyncio.wait_for asyncio.shield functools.cache functools.lru_cache() functools.wraps()
        """,
        "module": "importlib.import_module",
        "plugins": """
        importlib.metadata.entry_points importlib_metadata.entry_points pkg_resources.iter_entry_points
        """,
        "partial": "functools.partial functools.partialmethod",
    }
)

_MOCKS = words("Mock MagicMock AsyncMock NonCallableMock PropertyMock patch() create_autospec()")
CALLBACKS = words(
    """
    builtins.map builtins.filter builtins.sorted builtins.min builtins.max functools.reduce re.sub re.subn
    itertools.groupby itertools.takewhile itertools.dropwhile itertools.filterfalse itertools.starmap
    itertools.accumulate re.compile().sub re.Pattern.sub builtins.list.sort builtins.iter heapq.nlargest heapq.nsmallest
    heapq.merge functools.cmp_to_key threading.Thread threading.Timer asyncio.to_thread
    """
)


PROTOCOLS: dict[str, tuple[str, ...]] = table(
    {
        ("__len__",): "len",
        ("__str__", "__repr__"): "str print",
        ("__repr__",): "repr",
        ("__next__",): "next",
        ("__aiter__",): "aiter",
        ("__anext__",): "anext",
        ("__hash__",): "hash",
        ("__bool__", "__len__"): "bool",
        ("__abs__",): "abs",
        ("__int__",): "int",
        ("__float__",): "float",
        ("__bytes__",): "bytes",
        ("__format__",): "format",
        ("__reversed__", "__iter__"): "reversed",
        ("__round__",): "round",
        ("__divmod__",): "divmod",
        ("__dir__",): "dir",
        ("__fspath__",): "open os.fspath",
        ("__complex__", "__float__"): "complex",
        ("__copy__",): "copy.copy",
        ("__deepcopy__",): "copy.deepcopy",
        ("__index__",): "operator.index",
        ("__floor__",): "math.floor",
        ("__ceil__",): "math.ceil",
        ("__trunc__",): "math.trunc",
        ("__iter__",): """
        zip dict collections.deque deque iter list tuple set frozenset sorted enumerate any all sum min max
        """,
    }
)


FALLBACKS: dict[str, tuple[str, ...]] = {
    "__bool__": ("__len__",),
    "__format__": ("__str__", "__repr__"),
    "__str__": ("__repr__",),
    "__ne__": ("__eq__",),
    "__hash__": ("__eq__",),
    "__contains__": ("__iter__",),
    "__iter__": ("__getitem__",),
    **{f"__i{name}__": (f"__{name}__",) for name in ("add", "sub", "mul", "truediv", "mod", "or", "and", "matmul")},
}

_TYPES = {
    f"{module.__name__}.{name}": getattr(module, name) for module in (builtins, collections) for name in dir(module)
}
OUTSIDE = {
    name: frozenset(each for above in kind.__mro__[:-1] for each in vars(above)) - {"__format__"}  # it calls __str__
    for name, kind in _TYPES.items()
    if isinstance(kind, type)
}


def _plugins(manifests: Mapping[str, str]) -> Mapping[str, Sequence[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for path, text in manifests.items():
        for each in entry_points(path, text):
            found.setdefault(each.group, []).append((each.module, each.attribute))
    return found


_BUILT_IN = (str, bytes, list, dict, set, tuple, int, float, object, type, BaseException, frozenset, bytearray)
_COMMON = words("read write close open flush readline group match search send").union(*map(dir, _BUILT_IN))
"""Names of methods of built-in types: on an unknown receiver, they are no evidence for a method of the repository."""
_LITERALS = {
    "%str": "builtins.str",
    "%num": "builtins.int",
    "%bool": "builtins.bool",
    "%list": "builtins.list",
    "%dict": "builtins.dict",
    "%set": "builtins.set",
    "%tuple": "builtins.tuple",
}


@cache
def rules() -> language_rules.Rules:
    return language_rules.Rules(
        family="python",
        modules=language_rules.ModuleRules(
            locator=PythonLocator,
            manifests=PYTHON.manifests,
            plugins=_plugins,
            private_prefix="_",
            lists_exports=True,
            stars_bind=True,
            declaring_suffix=".pyi",
            declared_suffix=".py",
        ),
        scopes=language_rules.ScopeRules(bodies_run=True),
        classes=language_rules.ClassRules(
            self_parameter=True,
            late_type_names=frozenset({"Self"}),
            instance_names=frozenset(),
            super_called=True,
            attributes_below=True,
            class_attribute="__class__",
            metaclasses=True,
            metaclass_names=frozenset({"builtins.type", "abc.ABCMeta", "enum.EnumMeta", "types.new_class"}),
            enum_bases=frozenset({"Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"}),
            structural_bases=frozenset({"Protocol"}),
        ),
        construction=language_rules.ConstructionRules(
            constructors=PYTHON.constructors,
            allocators=("__new__",),
            allocator_outside="builtins.object.__new__",
            record_decorators=frozenset({"dataclass", "define", "frozen", "attrs", "s"}),
            record_bases=frozenset({"NamedTuple", "BaseModel"}),
            field_makers=frozenset({"field()", "Field()", "ib()", "attrib()"}),
        ),
        special_methods=language_rules.SpecialMethods(
            call=("__call__",),
            enter=("__enter__",),
            iterate=("__iter__",),
            next=("__next__",),
            async_enter=("__aenter__",),
            async_iterate=("__aiter__",),
            async_next=("__anext__",),
            index=("__getitem__",),
            missing=("__getattr__",),
            store=("__setattr__",),
            store_item=("__setitem__",),
            descriptor_get=("__get__",),
            subclass=("__init_subclass__",),
            name=("__set_name__",),
            descriptor_set=("__set__",),
            protocols=PROTOCOLS,
            outside=OUTSIDE,
            fallbacks=FALLBACKS,
        ),
        functions=language_rules.FunctionRules(
            rest_by_one=True,
            spreads=True,
            class_methods=frozenset({"__new__", "__init_subclass__", "__class_getitem__"}),
        ),
        decorators=language_rules.DecoratorRules(
            roles=DECORATORS,
            dispatching=frozenset({"singledispatch", "singledispatchmethod"}),
            joining="register",
            providing=frozenset({"fixture"}),
            providing_name="name",
            providing_files=frozenset({"conftest.py"}),
        ),
        builtins=language_rules.BuiltinModels(
            makes=True,
            types=TYPES,
            names=frozenset(dir(builtins)),
            literals=_LITERALS,
            common_methods=_COMMON,
            container_methods=METHODS,
            functions=FUNCTIONS,
            callbacks=CALLBACKS,
            sequences=("%list", "%tuple"),
            name_tables={"globals": False, "locals": True, "vars": True},
            placeholders=tuple(f"{module}.{name}." for module in ("unittest.mock", "mock") for name in _MOCKS),
        ),
    )
