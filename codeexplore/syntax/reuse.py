"""A pool of reusable objects, such as parsers, that is safe under interrupts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Spares(Generic[_T]):
    """Pool of idle objects that can be used again.

    A caller takes an object, and puts it back if no exception occurred during its use. After an exception, which
    includes Ctrl-C, the object is discarded, so that no object has to be reset. Threads never share an object. Taking
    and putting back are one atomic operation each, so there is no lock that a fork could leave locked.

    Parameters
    ----------
    make
        Function that makes a new object if all objects are in use.
    """

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._free: list[_T] = []

    def take(self) -> _T:
        """Return an idle object, or a new one. No other caller uses it."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def put(self, used: _T) -> None:
        """Put an object back. It must be ready for the next use."""
        self._free.append(used)
