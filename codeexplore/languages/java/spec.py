"""Language record and resolution rules of Java."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from codeexplore.languages.base import SLASHES, full, table, words
from codeexplore.languages.conventions import JVM
from codeexplore.resolution import language_rules
from codeexplore.resolution.language_rules import CONSTRUCTOR, FUNCTION, Effect, Located, TypeRole, Units
from codeexplore.types import FileFacts

SAME, WIDER, ABOVE, BOXED, ANY_ARRAY, ANY, UNFIT = 4.0, 3.5, 3.0, 2.5, 1.5, 1.0, -4.0
_WIDENING = ("byte", "short", "int", "long", "float", "double")
_BOX = {
    "byte": "Byte",
    "short": "Short",
    "int": "Integer",
    "long": "Long",
    "float": "Float",
    "double": "Double",
    "char": "Character",
    "boolean": "Boolean",
}
_UNBOX = {box: plain for plain, box in _BOX.items()}
_NUMBERS = (*list(_BOX.values())[:6], "BigDecimal", "BigInteger", "AtomicInteger", "AtomicLong")
_SEQUENCES = words("ArrayList LinkedList List HashSet LinkedHashSet TreeSet Set Queue Deque ArrayDeque")
_ABOVE = {
    **dict.fromkeys(_NUMBERS, frozenset({"Number", "Comparable", "Serializable"})),
    **dict.fromkeys(_SEQUENCES, frozenset({"Collection", "Iterable"})),
    **dict.fromkeys(("HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap"), frozenset({"Map"})),
    "String": frozenset({"CharSequence", "Comparable", "Serializable"}),
    "StringBuilder": frozenset({"CharSequence", "Appendable"}),
    "StringBuffer": frozenset({"CharSequence", "Appendable"}),
    **dict.fromkeys(
        words(
            "PrintStream Writer StringWriter PrintWriter BufferedWriter OutputStreamWriter FileWriter CharArrayWriter"
        ),
        frozenset({"Writer", "Appendable", "Closeable"}),
    ),
    "Class": frozenset({"Type"}),
    "ParameterizedType": frozenset({"Type"}),
}
_FAR = {"Collection": 0.1, "Iterable": 0.2, "Comparable": 0.2, "Serializable": 0.2}
"""Supertype → amount by which the score is lower, because nearer supertypes are preferred."""
_KINDS_OF_LISTS = table({"List": "ArrayList LinkedList", "Set": "HashSet LinkedHashSet TreeSet"})
_ABOVE_ARRAYS = frozenset({"Cloneable", "Serializable"})
_CLOSED = {*_BOX, *_UNBOX, "String", "Class", "StringBuilder", "StringBuffer"}
_FAMILIES = words("Reader Writer InputStream OutputStream Exception Error Throwable List Set Map Queue")
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
_OUTSIDE_RESULTS = table(
    {
        "int": """
        length size indexOf lastIndexOf compareTo compare intValue ordinal parseInt hashCode Objects.hash
        AtomicInteger.get AtomicInteger.getAndSet AtomicInteger.incrementAndGet AtomicInteger.getAndIncrement
        AtomicInteger.addAndGet AtomicInteger.decrementAndGet AtomicIntegerArray.get AtomicIntegerArray.getAndSet
        AtomicIntegerArray.incrementAndGet AtomicIntegerArray.getAndIncrement AtomicIntegerArray.addAndGet
        AtomicIntegerArray.decrementAndGet
        """,
        "boolean": """
        equals isEmpty contains containsKey startsWith endsWith hasNext booleanValue matches parseBoolean
        AtomicBoolean.get AtomicBoolean.getAndSet AtomicBoolean.incrementAndGet AtomicBoolean.getAndIncrement
        AtomicBoolean.addAndGet AtomicBoolean.decrementAndGet
        """,
        "String": """
        toString substring trim toLowerCase toUpperCase getName getSimpleName getMessage name concat
        getCanonicalName getTypeName String.valueOf String.format String.join String.replace String.replaceAll
        replaceFirst strip stripLeading stripTrailing repeat Matcher.group
        """,
        "long": """
        longValue currentTimeMillis nanoTime parseLong Math.round AtomicLong.get AtomicLong.getAndSet
        AtomicLong.incrementAndGet AtomicLong.getAndIncrement AtomicLong.addAndGet AtomicLong.decrementAndGet
        AtomicLongArray.get AtomicLongArray.getAndSet AtomicLongArray.incrementAndGet
        AtomicLongArray.getAndIncrement AtomicLongArray.addAndGet AtomicLongArray.decrementAndGet
        """,
        "double": "doubleValue parseDouble Math.sqrt Math.pow",
        "float": "floatValue parseFloat",
        "char": "charAt charValue",
        "byte[]": "getBytes",
        "char[]": "toCharArray",
        "Class": "getClass Class.forName",
        "byte": "byteValue",
        "short": "shortValue",
        "Integer": "Integer.valueOf",
        "Long": "Long.valueOf",
        "Double": "Double.valueOf",
        "Boolean": "Boolean.valueOf",
    }
)
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
    """Return the score of an argument of type `given` for a parameter of type `wanted`; negative for no fit."""
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


OVERLOADING: Final = language_rules.Overloading(
    fit,
    related,
    is_variable,
    is_strict,
    True,
    _LITERAL_TYPES,
    _OUTSIDE_RESULTS,
    words("of copyOf valueOf"),  # Bloch, Effective Java, item 1
    outside_constants={**_UNBOX, "Math": "double", "Boolean": "Boolean"},
    narrows=False,
    array_members={"length": "int"},
    hidden_word="private",
    decides=True,
)


class JavaLocator:
    """Module resolver of Java.

    A module is a package, found by its dotted name. It contains the types of all its files. The files of a folder that
    name no package are the unnamed package (The Java Language Specification, 7.4.2), which no import can name.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        del manifests  # each file names its package, so no manifest is needed
        self.units = Units()
        self._top = self.units.add("")
        self._unit: list[int] = []
        unnamed: dict[str, int] = {}  # folder → its unnamed package
        for index, facts in enumerate(files):
            folder, _, file = facts.path.rpartition("/")
            if facts.module == file:
                unit = unnamed[folder] if folder in unnamed else unnamed.setdefault(folder, self.units.add(""))
            else:
                unit = self.units.make(self._top, [part for part in facts.module.split(".") if part])
            self.units.files[unit].append(index)
            self._unit.append(unit)

    def unit_of(self, file: int) -> int:
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


TYPES: dict[str, TypeRole] = table(
    {
        "sequence": """
        Optional CompletableFuture Future CompletionStage WeakReference SoftReference AtomicReference ThreadLocal
        ScheduledFuture List ArrayList LinkedList Collection Set HashSet LinkedHashSet TreeSet SortedSet Iterable
        Iterator Queue Deque ArrayDeque PriorityQueue Stream BlockingQueue NavigableSet EnumSet
        CopyOnWriteArrayList ListIterator Stack Vector
        """,
        "class": "Class",
        "callable": "Callable Supplier Function BiFunction",
        "consumer": """
        Consumer BiConsumer Predicate BiPredicate ToIntFunction ToLongFunction ToDoubleFunction ObjIntConsumer
        """,
        "operator": "UnaryOperator BinaryOperator Comparator",
        "map": "Map HashMap LinkedHashMap TreeMap ConcurrentHashMap ConcurrentMap SortedMap NavigableMap EnumMap Entry",
        "nothing": "Object int long double boolean void float byte char short var",
    }
)
METHODS: dict[str, Effect] = table(
    {
        "store": "add addFirst addLast offer push addElement set",
        "store_last": "put putIfAbsent replace",
        "extend": "addAll putAll",
        "element": """
        get getFirst getLast remove poll pop pollFirst pollLast peekFirst peekLast next previous first last
        element take orElseThrow getValue floorEntry ceilingEntry firstEntry lastEntry join getNow
        """,
        "either": "peek",
        "same": """
        stream parallelStream iterator listIterator values filter distinct limit findFirst findAny min max or
        skip toList collect subList descendingIterator headMap tailMap subMap reversed onClose takeWhile dropWhile
        toArray boxed spliterator descendingMap
        """,
        "entries": "entrySet",
        "else": "orElse orElseGet getOrDefault computeIfAbsent merge",
        "compare": "sorted sort",
        "fold": "reduce",
        "each": """
        forEach removeIf anyMatch allMatch noneMatch thenAccept whenComplete ifPresent ifPresentOrElse replaceAll
        """,
        "map": "map mapToObj mapToInt mapToLong mapToDouble thenApply",
        "call": "flatMap thenCompose computeIfPresent compute",
        "itself": """
        size isEmpty contains containsKey hasNext clear keySet indexOf equals hashCode count toString
        containsValue isPresent close
        """,
    }
)
FUNCTIONS: dict[str, str] = table(
    {
        "sequence": """
        java.util.Arrays.asList java.util.Collections.unmodifiableList java.util.Collections.unmodifiableSet
        java.util.List.copyOf java.util.Set.copyOf java.util.Collections.unmodifiableCollection
        java.util.Arrays.stream java.util.ArrayList java.util.LinkedList java.util.HashSet java.util.LinkedHashSet
        java.util.TreeSet java.util.ArrayDeque java.util.PriorityQueue
        """,
        "first": """
        java.util.Objects.requireNonNull java.util.Objects.requireNonNullElse
        java.util.Collections.unmodifiableMap java.util.Map.copyOf java.util.Iterator.next
        """,
        "items": """
        java.util.List.of java.util.Set.of java.util.Collections.singletonList java.util.Collections.singleton
        java.util.Optional.of java.util.Optional.ofNullable java.util.concurrent.CompletableFuture.completedFuture
        java.util.concurrent.atomic.AtomicReference java.util.stream.Stream.of
        """,
        "entries": "java.util.Map.of java.util.Map.entry",
        "map": """
        java.util.HashMap java.util.LinkedHashMap java.util.TreeMap java.util.EnumMap
        java.util.concurrent.ConcurrentHashMap
        """,
    }
)
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
    "%str": "java.lang.String",
    "%num": "java.lang.Integer",
    "%long": "java.lang.Long",
    "%float": "java.lang.Double",
    "%bool": "java.lang.Boolean",
    "%char": "java.lang.Character",
}


_PLAIN = re.compile(rf"(?:final )?(?:java\.lang\.)?(?:{'|'.join((*_BOX, *_UNBOX))}|String|Class(?:<.*>)?)", re.DOTALL)


@cache
def rules() -> language_rules.Rules:
    return language_rules.Rules(
        family="java",
        modules=language_rules.ModuleRules(locator=JavaLocator, imports_apart=True),
        scopes=language_rules.ScopeRules(members_visible=True, lambdas_apart=False, types_apart=True),
        classes=language_rules.ClassRules(
            instance_names=frozenset({"this"}),
            class_attribute="class",
            opening_words=frozenset({"public", "protected"}),
            methods_apart=True,
        ),
        construction=language_rules.ConstructionRules(
            constructors=(CONSTRUCTOR,), constructor_is_class=True, constructor_word="new"
        ),
        functions=language_rules.FunctionRules(
            signature_roles={"static": "static"}, functional=True, rest_by_one=True, plain_types=_PLAIN
        ),
        decorators=language_rules.DecoratorRules(called=False),
        builtins=language_rules.BuiltinModels(
            gives_callbacks=True,
            map_gives="values",
            types=TYPES,
            names=_LANG,
            module="java.lang",
            literals=_LITERALS,
            common_methods=frozenset(METHODS) | _OBJECT,
            container_methods=METHODS,
            functions=FUNCTIONS,
        ),
        overloading=OVERLOADING,
    )


JAVA = replace(
    full("java", "Java"),
    rules=rules,
    extensions=(".java",),
    visibility="words",
    public_words=("public", "protected"),
    file_words=frozenset({"private"}),
    properties=re.compile(r"(?:get|set|is)([A-Z])(\w*)"),
    start_names=("main", "premain", "agentmain"),
    implicit_owners=re.compile(r"@interface\b"),
    parameter_names="behind type",
    overridden_fields=False,
    checked_types=True,
    comment_start=SLASHES,
    functional=re.compile(r"\binterface\b"),
    reexports=False,
    no_type=re.compile(r"\bfinal\s+|@(?!interface)\w+(?:\.\w+)*(?:\([^()]*\))?\s*"),
    result_first=True,
    **JVM,
)
