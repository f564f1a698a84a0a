"""A pool of reusable objects, such as parsers, that is safe under interrupts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Spares(Generic[_T]):
    """Pool of idle objects. A caller takes an object, and puts it back only after a use without an exception.

    An object that was in use during an exception (also Ctrl-C) is discarded, so no object has to be reset. Threads
    never share an object. There is no lock that a fork could leave locked, because taking and putting back are one
    atomic operation each.

    Parameters
    ----------
    make
        Makes a new object if all are in use.
    """

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._free: list[_T] = []

    def take(self) -> _T:
        """Return an object that no other caller uses."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def put(self, used: _T) -> None:
        """Put an object back. It must be ready for the next use."""
        self._free.append(used)
