"""Resolution rules of Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from codeexplore.languages.java.overloads import OVERLOADING
from codeexplore.resolution.language_rules import (
    CONSTRUCTOR,
    BuiltinModels,
    ClassRules,
    ConstructionRules,
    DecoratorRules,
    Effect,
    FunctionRules,
    ModuleRules,
    Rules,
    ScopeRules,
    TypeRole,
)
from codeexplore.resolution.module_tree import Located, Units
from codeexplore.types import FileFacts


class JavaLocator:
    """Module resolver of Java.

    A module is a package, found by its dotted name. It contains the types of all its files.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        del manifests  # each file names its package, so no manifest is needed
        self.units = Units()
        self._top = self.units.add("")
        self._unit: list[int] = []
        for index, facts in enumerate(files):
            unit = self.units.make(self._top, [part for part in facts.module.split(".") if part])
            self.units.files[unit].append(index)
            self._unit.append(unit)

    def unit_of(self, file: int) -> int:
        """Return the number of the package that contains `file`."""
        return self._unit[file]

    def locate(self, file: int, module: str) -> Located:
        """Return the package called `module`. For the name of a type, return its package and the remaining names."""
        parts = module.split(".")
        unit = self._top
        for place, part in enumerate(parts):
            child = self.units.child(unit, part)
            if child < 0:
                return Located(unit, "", tuple(parts[place:])) if self.units.files[unit] else Located(-1, module)
            unit = child
        return Located(unit) if self.units.files[unit] or self.units.children[unit] else Located(-1, module)


TYPES: dict[str, TypeRole] = {
    **dict.fromkeys(
        ("Optional", "CompletableFuture", "Future", "CompletionStage", "WeakReference", "SoftReference",
         "AtomicReference", "ThreadLocal", "ScheduledFuture"),
        "sequence",
    ),
    "Class": "class", "Callable": "callable", "Supplier": "callable", "Function": "callable", "BiFunction": "callable",
    **dict.fromkeys(("Consumer", "BiConsumer", "Predicate", "BiPredicate", "ToIntFunction", "ToLongFunction",
                     "ToDoubleFunction", "ObjIntConsumer"), "consumer"),
    "UnaryOperator": "operator", "BinaryOperator": "operator", "Comparator": "operator",
    "List": "sequence", "ArrayList": "sequence", "LinkedList": "sequence", "Collection": "sequence", "Set": "sequence",
    "HashSet": "sequence", "LinkedHashSet": "sequence", "TreeSet": "sequence", "SortedSet": "sequence",
    "Iterable": "sequence", "Iterator": "sequence", "Queue": "sequence", "Deque": "sequence", "ArrayDeque": "sequence",
    "PriorityQueue": "sequence", "Stream": "sequence", "BlockingQueue": "sequence", "NavigableSet": "sequence",
    "EnumSet": "sequence", "CopyOnWriteArrayList": "sequence", "ListIterator": "sequence", "Stack": "sequence",
    "Vector": "sequence",
    "Map": "map", "HashMap": "map", "LinkedHashMap": "map", "TreeMap": "map", "ConcurrentHashMap": "map",
    "ConcurrentMap": "map", "SortedMap": "map", "NavigableMap": "map", "EnumMap": "map", "Entry": "map",
    "Object": "nothing", "int": "nothing", "long": "nothing", "double": "nothing", "boolean": "nothing",
    "void": "nothing", "float": "nothing", "byte": "nothing", "char": "nothing", "short": "nothing", "var": "nothing",
}  # fmt: skip

METHODS: dict[str, Effect] = {
    **dict.fromkeys(("add", "addFirst", "addLast", "offer", "push", "addElement", "set"), "store"),
    **dict.fromkeys(("put", "putIfAbsent", "replace"), "store_last"),
    **dict.fromkeys(("addAll", "putAll"), "extend"),
    **dict.fromkeys(
        (
            "get", "getFirst", "getLast", "remove", "poll", "peek", "pop", "pollFirst", "pollLast", "peekFirst",
            "peekLast",
            "next", "previous", "first", "last", "element", "take", "orElseThrow", "getValue", "floorEntry",
            "ceilingEntry", "firstEntry", "lastEntry", "join", "getNow",
        ),
        "element",
    ),
    **dict.fromkeys(("orElse", "orElseGet", "getOrDefault", "computeIfAbsent", "merge"), "else"),
    **dict.fromkeys(("sorted", "sort"), "compare"), "reduce": "fold",
    **dict.fromkeys(
        (
            "stream", "parallelStream", "iterator", "listIterator", "values", "filter", "distinct", "limit",
            "findFirst",
            "findAny", "min", "max", "or",
            "skip", "toList", "collect", "subList", "peek", "descendingIterator", "headMap", "tailMap", "subMap",
            "reversed", "onClose", "takeWhile", "dropWhile", "toArray", "boxed", "iterator", "spliterator",
            "descendingMap",
        ),
        "same",
    ),
    "forEach": "each", "removeIf": "each", "anyMatch": "each", "allMatch": "each", "noneMatch": "each",
    "map": "map", "flatMap": "call", "mapToObj": "map", "mapToInt": "map", "mapToLong": "map", "mapToDouble": "map",
    "thenApply": "map", "thenCompose": "call", "thenAccept": "each", "whenComplete": "each",
    "computeIfPresent": "call", "compute": "call", "entrySet": "same", "ifPresent": "each", "ifPresentOrElse": "each",
    "replaceAll": "each",
    **dict.fromkeys(
        ("size", "isEmpty", "contains", "containsKey", "hasNext", "clear", "keySet", "indexOf", "equals", "hashCode",
         "count", "toString", "containsValue", "isPresent", "close"),
        "itself",
    ),
}  # fmt: skip

FUNCTIONS: dict[str, str] = {
    **{
        f"java.util.{name}": "sequence"
        for name in (
            "Arrays.asList", "Collections.unmodifiableList", "Collections.unmodifiableSet", "List.copyOf", "Set.copyOf",
            "Collections.unmodifiableCollection", "Arrays.stream",
        )
    },
    **{
        f"java.util.{name}": "first"
        for name in (
            "Objects.requireNonNull", "Objects.requireNonNullElse",
            "Collections.unmodifiableMap", "Map.copyOf", "Iterator.next",
        )
    },
    **{
        f"java.util.{name}": "items"
        for name in (
            "List.of", "Set.of", "Collections.singletonList", "Collections.singleton", "Optional.of",
            "Optional.ofNullable", "concurrent.CompletableFuture.completedFuture", "concurrent.atomic.AtomicReference",
        )
    },
    "java.util.stream.Stream.of": "items", "java.util.Map.of": "entries", "java.util.Map.entry": "entries",
    **{
        f"java.util.{name}": "sequence"
        for name in ("ArrayList", "LinkedList", "HashSet", "LinkedHashSet", "TreeSet", "ArrayDeque", "PriorityQueue")
    },
    **{f"java.util.{name}": "map" for name in ("HashMap", "LinkedHashMap", "TreeMap", "EnumMap")},
    "java.util.concurrent.ConcurrentHashMap": "map",
}  # fmt: skip

_LANG = frozenset({
    "Object", "String", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double", "Number",
    "Class", "Thread", "Runnable", "Exception", "Math", "RuntimeException", "Throwable", "Error", "Iterable",
    "Comparable", "CharSequence", "StringBuilder", "StringBuffer", "Void", "System", "Enum", "Record",
    "IllegalArgumentException", "IllegalStateException", "NullPointerException", "UnsupportedOperationException",
    "AutoCloseable", "IndexOutOfBoundsException", "ArithmeticException", "ClassCastException", "InterruptedException",
    "CloneNotSupportedException", "Process", "ProcessBuilder", "Runtime", "ThreadLocal", "NumberFormatException",
    "StackTraceElement", "AssertionError", "Cloneable", "SecurityException", "ClassNotFoundException", "Override",
    "Deprecated", "FunctionalInterface", "SuppressWarnings", "SafeVarargs",
})  # fmt: skip
_OBJECT = frozenset({"equals", "hashCode", "toString", "getClass", "clone", "notify", "wait", "compareTo", "close"})


_LITERALS = {
    "%str": "java.lang.String", "%num": "java.lang.Integer", "%long": "java.lang.Long",
    "%float": "java.lang.Double", "%bool": "java.lang.Boolean", "%char": "java.lang.Character",
}  # fmt: skip


@cache
def rules() -> Rules:
    """Return the resolution rules of Java."""
    return Rules(
        family="java",
        modules=ModuleRules(locator=JavaLocator),
        scopes=ScopeRules(
            members_visible=True,
            lambdas_apart=False,
        ),
        classes=ClassRules(
            instance_names=frozenset({"this"}),
            class_attribute="class",
            opening_words=frozenset({"public", "protected"}),
            methods_apart=True,
        ),
        construction=ConstructionRules(
            constructors=(CONSTRUCTOR,),
            constructor_is_class=True,
            constructor_word="new",
        ),
        functions=FunctionRules(
            signature_roles=MappingProxyType({"static": "static"}),
            functional=True,
            rest_by_one=True,
        ),
        decorators=DecoratorRules(called=False),
        builtins=BuiltinModels(
            gives_callbacks=True,
            map_gives="values",
            types=MappingProxyType(TYPES),
            names=_LANG,
            module="java.lang",
            literals=MappingProxyType(_LITERALS),
            common_methods=frozenset(METHODS) | _OBJECT,
            container_methods=MappingProxyType(METHODS),
            functions=MappingProxyType(FUNCTIONS),
        ),
        overloading=OVERLOADING,
    )
