"""Conventions that languages share: names of files of tests, the Java platform, folders, conditional compilation."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from codeexplore.languages.base import Called, Wrapping, calling_only, table, words

CONDITION: Final = "#if"
"""Mark of a definition that only some builds have."""

FALLBACK: Final = "#ifndef"
"""Mark of a macro that is defined only where nothing else defines its name."""

SCRIPT_TESTS: Final = re.compile(r"(?i:.+[._-](?:tests?|specs?|cy|e2e)\.\w+)")
"""Names such as ``cart.spec.ts``."""

TYPE_TESTS: Final = re.compile(r"(?:.*[a-z0-9](?:Tests?|TestCase|TestSuite|IT|Specs?|Suite)|Test[A-Z].*)\.\w+")
"""Names of files that are named as their type: ``CartTest.java``, ``TestCart.java``."""

JUNIT_SETUP: Final = words(
    "Before After BeforeEach AfterEach BeforeAll AfterAll BeforeClass AfterClass"
    " BeforeMethod AfterMethod BeforeTest AfterTest BeforeSuite AfterSuite BeforeGroups AfterGroups DataProvider"
)

JVM: Final[Mapping[str, Any]] = {
    "platform": "jvm",
    "called_methods": table(
        {
            Called("a `try` with resources calls {}", re.compile(r"Closeable\b")): "close",
            Called("sorting and sorted collections call {}", re.compile(r"Comparable\b")): "compareTo",
            Called("comparisons and hash tables call {}"): "equals hashCode",
            Called("a loop over the object calls {}", re.compile(r"Iterable\b|Collection\b")): "iterator",
            Called("texts that are joined or shown call {}"): "toString",
            Called("the garbage collector calls {}"): "finalize",
            Called(
                "making or printing an exception calls {}", re.compile(r"Exception\b|Error\b|Throwable\b")
            ): "fillInStackTrace getMessage getLocalizedMessage getCause getStackTrace printStackTrace",
            Called(
                "serialisation calls {}",
                re.compile(r"Serializable\b|Externalizable\b|Exception\b|Error\b|Number\b|\benum\b"),
            ): "readObject readObjectNoData readResolve writeObject writeReplace",
        }
    ),
    "base_calls": calling_only(
        {
            "AutoCloseable": "close",
            "BiConsumer": "accept andThen",
            "BiFunction": "apply andThen",
            "Callable": "call",
            "Cloneable": "clone",
            "Closeable": "close",
            "Comparable": "compareTo",
            "Consumer": "accept andThen",
            "EventListener": "",
            "Function": "apply andThen compose",
            "Iterable": "iterator forEach spliterator",
            "Iterator": "hasNext next remove forEachRemaining",
            "Predicate": "test and or negate",
            "Runnable": "run",
            "Serializable": "readObject readObjectNoData readResolve writeObject writeReplace",
            "Supplier": "get",
        }
    ),
    "implicit_members": re.compile("serialVersionUID|serialPersistentFields"),
    "mark_noun": "annotation",
    "plain_decorators": words(
        """
        Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Nullable NonNull NotNull Generated
        CanIgnoreReturnValue VisibleForTesting Beta GwtCompatible GwtIncompatible
        """
    ),
    "test_files": TYPE_TESTS,
    "test_bases": re.compile(r"(?:\bextends|:)\s+[\w.]*TestCase\b"),  # JUnit 3; all other tests have an annotation
    "test_decorators": frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}),
    "setup_decorators": JUNIT_SETUP,
    "plain_bases": frozenset({"Object", "Serializable", "Cloneable", "Enum", "Exception"}),
    "computed_types": re.compile(r"""\bforName\(\s*(?!["'])|\bloadClass\(\s*(?!["'])|\bServiceLoader\b"""),
    "scanning": re.compile(r"get(?:SubTypesOf|TypesAnnotatedWith)\(|Class(?:PathScanning|Graph\()"),
    "making": re.compile(r"(?<!\.class)\.get(?:Declared)?Constructor\(\s*\)|(?i:class|type|clazz|cls)\.newInstance\("),
    "reflection": re.compile(
        r"""get(?:Declared)?Method(?:s\(\)|\(\s*(?![\s"')]))|declared(?:Methods|(?:Member)?Functions)\b|memberFunctions\b"""
    ),
    "type_values": re.compile(r"(?<=classOf\[)\w+|\b[A-Z]\w*(?=\.class\b|::class\b)|(?<=\bnew )[A-Z]\w*"),
}
"""Properties of all languages of the Java platform."""


def folders_above(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, the nearest first, up to "", the root of the repository."""
    yield folder
    while folder:
        folder = posixpath.dirname(folder)
        yield folder


_LINES: Final = rb"((?:(?![ \t]*#[ \t]*(?:if|el|end))[^\n]*\n)*)"
_CONDITION: Final = re.compile(
    rb"^[ \t]*#[ \t]*if[^\n]*\n%b(?:[ \t]*#[ \t]*el[^\n]*\n%b)*[ \t]*#[ \t]*endif\b[^\n]*" % (_LINES, _LINES),
    re.MULTILINE,
)
_CONTINUES: Final = re.compile(rb"[})]|(?:else|catch)\b")
_APART: Final = re.compile(rb"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\r?\n|[^\n])*", re.DOTALL | re.MULTILINE)


def dividing_conditions(data: bytes) -> list[Wrapping]:
    """Return the conditions (``#if``) whose branches are no whole statements or definitions, to read the first branch.

    Example: a function with two heads and one body. An inner condition is returned before the one around it.
    """
    found = []
    for condition in _CONDITION.finditer(data) if b"#endif" in data else ():
        branch = _APART.sub(b"", condition[1]).strip()
        uneven = any(branch.count(left) != branch.count(right) for left, right in (b"{}", b"()"))
        if branch and (uneven or branch[-1] not in b";}" or _CONTINUES.match(branch)):
            found.append(Wrapping(condition.start(), *condition.span(1), condition.end()))
    return found
