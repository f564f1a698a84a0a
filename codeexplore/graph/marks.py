"""What decorators, annotations and supertypes mean for who calls a function; data only."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN: Final = _words(
    # Python
    "property cached_property staticmethod classmethod abstractmethod abstractproperty wraps update_wrapper lru_cache "
    "cache contextmanager asynccontextmanager overload override final dataclass total_ordering setter getter deleter "
    "no_type_check runtime_checkable singledispatch singledispatchmethod define attrs frozen unique deprecated "
    # Java
    "Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Nullable NonNull NotNull Generated "
    "CanIgnoreReturnValue VisibleForTesting Beta GwtCompatible GwtIncompatible "
    # Rust
    "inline allow warn deny expect must_use doc cfg cfg_attr derive cold track_caller non_exhaustive"
)
"""Decorators and annotations that keep a function where it is: nobody else calls it because of them."""

TESTS: Final = _words(
    "test Test ParameterizedTest rstest bench "
    "Before After BeforeEach AfterEach BeforeAll AfterAll BeforeClass AfterClass"
)
"""Those by which a test runner finds what it runs; of a Rust path the last part (``tokio::test``)."""

WITH_LITERALS: Final = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which a method may stand in an object literal."""

PLAIN_BASES: Final = _words(
    "object ABC abc.ABC Protocol typing.Protocol Generic typing.Generic Enum enum.Enum IntEnum Exception ValueError "
    "NamedTuple typing.NamedTuple TypedDict typing.TypedDict Object Serializable Cloneable"
)
"""Supertypes that call nothing below them but special methods."""
