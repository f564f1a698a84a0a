"""Conventions that several languages share: names of test files, annotations and supertypes of the Java platform."""

from __future__ import annotations

import re
from typing import Final

from codeexplore.languages.base import words

SCRIPT_TESTS: Final = re.compile(r"(?i:.+[._-](?:tests?|specs?|cy|e2e)\.\w+)")
"""Names such as ``cart.spec.ts``."""

TYPE_TESTS: Final = re.compile(r"(?:.*[a-z0-9](?:Tests?|TestCase|TestSuite|IT|Specs?|Suite)|Test[A-Z].*)\.\w+")
"""Names of files that are named as their type: ``CartTest.java``, ``TestCart.java``."""

JUNIT_TESTS: Final = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"})
JUNIT_BASES: Final = re.compile(r"(?:\bextends|:)\s+[\w.]*TestCase\b")
"""Supertypes whose subtypes have tests by name, as in JUnit 3; all other tests have an annotation."""
JUNIT_SETUP: Final = words("Before After BeforeEach AfterEach BeforeAll AfterAll BeforeClass AfterClass")

JVM_PLAIN_DECORATORS: Final = words(
    """
    Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Nullable NonNull NotNull Generated
    CanIgnoreReturnValue VisibleForTesting Beta GwtCompatible GwtIncompatible
    """
)
JVM_CALLED: Final = words(
    "equals finalize hashCode readObject readObjectNoData readResolve toString writeObject writeReplace"
)
"""Methods that the Java platform calls on any object."""
JVM_PLAIN_BASES: Final = frozenset(["Object", "Serializable", "Cloneable", "Enum", "Exception"])
