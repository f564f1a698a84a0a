"""Pool of reusable objects with state, safe under interrupts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Spares(Generic[_T]):
    """Idle objects. Each taken object belongs to its caller, who puts it back only after a use without an exception.

    An object in use at an exception, an interrupt (Ctrl-C) included, is discarded. So no object has to be reset,
    threads never share one, and no lock can be locked at a fork: taking and putting back are one atomic step each.

    Parameters
    ----------
    make
        Makes another object when all are in use.
    """

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._free: list[_T] = []

    def take(self) -> _T:
        """Return an object that no other caller has."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def put(self, used: _T) -> None:
        """Put back an object that is ready for the next use."""
        self._free.append(used)
