"""Resolution rules of Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from codeexplore.languages.base import words
from codeexplore.resolution.language_rules import (
    CONSTRUCTOR,
    FUNCTION,
    BuiltinModels,
    ClassRules,
    ConstructionRules,
    DecoratorRules,
    Effect,
    FunctionRules,
    ModuleRules,
    Overloading,
    Rules,
    ScopeRules,
    TypeRole,
)
from codeexplore.resolution.module_tree import Located, Units
from codeexplore.types import FileFacts

SAME, WIDER, ABOVE, BOXED, ANY_ARRAY, ANY, UNFIT = 4.0, 3.5, 3.0, 2.5, 1.5, 1.0, -4.0
_WIDENING = ("byte", "short", "int", "long", "float", "double")
_BOX = {
    "byte": "Byte", "short": "Short", "int": "Integer", "long": "Long", "float": "Float", "double": "Double",
    "char": "Character", "boolean": "Boolean",
}  # fmt: skip
_UNBOX = {box: plain for plain, box in _BOX.items()}
_NUMBERS = (*list(_BOX.values())[:6], "BigDecimal", "BigInteger", "AtomicInteger", "AtomicLong")
_SEQUENCES = (
    "ArrayList", "LinkedList", "List", "HashSet", "LinkedHashSet", "TreeSet", "Set", "Queue", "Deque", "ArrayDeque",
)  # fmt: skip
_ABOVE = {
    **dict.fromkeys(_NUMBERS, frozenset({"Number", "Comparable", "Serializable"})),
    **dict.fromkeys(_SEQUENCES, frozenset({"Collection", "Iterable"})),
    **dict.fromkeys(("HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap"), frozenset({"Map"})),
    "String": frozenset({"CharSequence", "Comparable", "Serializable"}),
    "StringBuilder": frozenset({"CharSequence", "Appendable"}),
    "StringBuffer": frozenset({"CharSequence", "Appendable"}),
    **dict.fromkeys(("PrintStream", "Writer", "StringWriter", "PrintWriter", "BufferedWriter", "OutputStreamWriter",
                     "FileWriter", "CharArrayWriter"), frozenset({"Writer", "Appendable", "Closeable"})),
    "Class": frozenset({"Type"}), "ParameterizedType": frozenset({"Type"}),
}  # fmt: skip
_FAR = {"Collection": 0.1, "Iterable": 0.2, "Comparable": 0.2, "Serializable": 0.2}
"""Supertype → amount by which the score is lower, because nearer supertypes are preferred."""
_KINDS_OF_LISTS = {
    "ArrayList": "List",
    "LinkedList": "List",
    "HashSet": "Set",
    "LinkedHashSet": "Set",
    "TreeSet": "Set",
}
_ABOVE_ARRAYS = frozenset({"Cloneable", "Serializable"})
_CLOSED = {*_BOX, *_UNBOX, "String", "Class", "StringBuilder", "StringBuffer"}
_FAMILIES = words(
    """
    Reader Writer InputStream OutputStream Exception Error Throwable List Set Map Queue
    """
)
"""Library types whose subtypes have names that end in theirs: StringReader."""
_THROWN = ("Exception", "Error")
_LITERAL_TYPES = {
    "%null": "null",
    "%num": "int",
    "%long": "long",
    "%float": "double",
    "%str": "String",
    "%bool": "boolean",
    "%char": "char",
}
_INT = (
    "length",
    "size",
    "indexOf",
    "lastIndexOf",
    "compareTo",
    "compare",
    "intValue",
    "ordinal",
    "parseInt",
    "hashCode",
)
_TRUTH = (
    "equals",
    "isEmpty",
    "contains",
    "containsKey",
    "startsWith",
    "endsWith",
    "hasNext",
    "booleanValue",
    "matches",
)
_TEXT = (
    "toString",
    "substring",
    "trim",
    "toLowerCase",
    "toUpperCase",
    "getName",
    "getSimpleName",
    "getMessage",
    "name",
)
_OUTSIDE_RESULTS = {
    **dict.fromkeys(_INT, "int"), **dict.fromkeys(_TRUTH, "boolean"), **dict.fromkeys(_TEXT, "String"),
    "longValue": "long", "doubleValue": "double", "floatValue": "float", "charAt": "char", "currentTimeMillis": "long",
    "nanoTime": "long", "getBytes": "byte[]", "toCharArray": "char[]", "getClass": "Class", "byteValue": "byte",
    "shortValue": "short", "charValue": "char", "parseLong": "long", "parseDouble": "double", "parseFloat": "float",
    "parseBoolean": "boolean", "concat": "String", "getCanonicalName": "String", "getTypeName": "String",
    "String.valueOf": "String", "String.format": "String", "String.join": "String", "Objects.hash": "int",
    "Class.forName": "Class", "Integer.valueOf": "Integer", "Long.valueOf": "Long", "Double.valueOf": "Double",
    "Boolean.valueOf": "Boolean", "Math.round": "long", "Math.sqrt": "double", "Math.pow": "double",
    **{
        f"{name}.{method}": kind
        for name, kind in (("AtomicInteger", "int"), ("AtomicLong", "long"), ("AtomicBoolean", "boolean"),
                           ("AtomicIntegerArray", "int"), ("AtomicLongArray", "long"))
        for method in ("get", "getAndSet", "incrementAndGet", "getAndIncrement", "addAndGet", "decrementAndGet")
    },
}  # fmt: skip
"""Method name → result type, for methods of java.lang and java.util. The type of the receiver is not examined."""


def is_variable(name: str) -> bool:
    """Return True if `name` has the usual form of a type parameter: one capital letter, optionally with a digit."""
    return len(name) <= 2 and name[:1].isupper() and (len(name) == 1 or name[1].isdigit())


def related(wanted: str, given: str) -> bool:
    """Return True if the type `given`, which is outside the repository, may be a subtype of the type `wanted`.

    A type that has no subtypes, or no supertypes, is not related to other types.
    """
    if wanted.endswith("[]") and given.endswith("[]"):
        return related(wanted[:-2], given[:-2])
    return not (
        wanted in _CLOSED or given in _CLOSED or given == FUNCTION or wanted.endswith("[]") or given.endswith("[]")
    )


def fit(wanted: str, given: str) -> float:
    """Return the score of an argument of the type `given` for a parameter of the type `wanted`.

    The score is negative if the argument does not fit.
    """
    if wanted == given:
        return SAME
    if given != FUNCTION and (wanted == "Object" or is_variable(wanted)):
        return ANY
    if given == "null" or given.endswith("[]"):
        return _fit_array(wanted, given)
    if given in _WIDENING and wanted in _WIDENING:
        steps = _WIDENING.index(wanted) - _WIDENING.index(given)
        return WIDER - 0.2 * steps if steps > 0 else UNFIT
    if given == "char" and wanted in _WIDENING[2:]:
        return WIDER - 0.2 * _WIDENING.index(wanted)
    if given in _BOX:
        box = _BOX[given]
        return BOXED if wanted == box else BOXED - 0.2 if wanted in _ABOVE.get(box, ()) else UNFIT
    if wanted in _ABOVE.get(given, ()) or _KINDS_OF_LISTS.get(given) == wanted:
        return ABOVE - _FAR.get(wanted, 0.0)
    if (wanted in _FAMILIES and given.endswith(wanted)) or (wanted == "Throwable" and given.endswith(_THROWN)):
        return ABOVE - 0.2
    plain = _UNBOX.get(given)
    if plain is not None and wanted in _BOX:
        return BOXED if wanted == plain else min(fit(wanted, plain), BOXED - 0.2)
    if given == FUNCTION and (wanted == "Object" or wanted.endswith("[]")):
        return UNFIT
    if given == FUNCTION and wanted not in _BOX and wanted not in _UNBOX and wanted not in _ABOVE:
        return 0.0  # may be a functional interface
    return UNFIT


def _fit_array(wanted: str, given: str) -> float:
    """Return the score of `given` for `wanted` if one of them is an array, or if `given` is ``null``.

    Arrays are covariant, except arrays of primitive types.
    """
    if given == "null":
        return UNFIT if wanted in _BOX else ABOVE
    if not wanted.endswith("[]"):
        return ANY if wanted in _ABOVE_ARRAYS else UNFIT
    inner, item = wanted[:-2], given[:-2]
    fitting = UNFIT if inner in _BOX or item in _BOX else fit(inner, item)
    return max(min(fitting, ABOVE), ANY_ARRAY) if fitting > 0.0 else fitting


def is_strict(wanted: str, given: str) -> bool:
    """Return True if `given` converts to `wanted` without boxing: both types are primitive, or both are not."""
    return (wanted in _BOX) == (given in _BOX)


OVERLOADING: Final = Overloading(
    fit, related, is_variable, is_strict, True, MappingProxyType(_LITERAL_TYPES), MappingProxyType(_OUTSIDE_RESULTS),
    outside_constants=MappingProxyType({**_UNBOX, "Math": "double"}), array_members=MappingProxyType({"length": "int"}),
    decides=True,
)  # fmt: skip


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
_LANG = words(
    """
    Object String Integer Long Short Byte Character Boolean Float Double Number Class Thread Runnable Exception Math
    RuntimeException Throwable Error Iterable Comparable CharSequence StringBuilder StringBuffer Void System Enum Record
    IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException AutoCloseable
    IndexOutOfBoundsException ArithmeticException ClassCastException InterruptedException CloneNotSupportedException
    Process ProcessBuilder Runtime ThreadLocal NumberFormatException StackTraceElement AssertionError Cloneable
    SecurityException ClassNotFoundException Override Deprecated FunctionalInterface SuppressWarnings SafeVarargs
    """
)
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
