"""Choice among Java's overloads by the declared types of arguments.

The overload that needs the fewest conversions is chosen (The Java Language Specification, 15.12.2 and 5.3). In the
functions, `wanted` is the simple name of a parameter type and `given` the simple name of an argument type.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from codeexplore.resolution.language_rules import FUNCTION, Overloading

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
_FAMILIES = frozenset({
    "Reader", "Writer", "InputStream", "OutputStream", "Exception", "Error", "Throwable", "List", "Set", "Map", "Queue",
})  # fmt: skip
"""Library types whose subtypes have names that end in theirs: StringReader."""
_THROWN = ("Exception", "Error")

_LITERALS = {
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
    fit, related, is_variable, is_strict, True, MappingProxyType(_LITERALS), MappingProxyType(_OUTSIDE_RESULTS),
    outside_constants=MappingProxyType({**_UNBOX, "Math": "double"}), array_members=MappingProxyType({"length": "int"}),
    decides=True,
)  # fmt: skip
