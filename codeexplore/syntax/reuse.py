"""Objects with state that are used again, of which an interrupt spoils none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Spares(Generic[_T]):
    """Objects that are not in use. Each belongs to whoever takes it, and comes back only after it was used well.

    What was in use at an exception, an interrupt (Ctrl-C) included, is never seen again. So nothing has to be reset,
    threads never meet in one object, and no lock can be held at a fork: taking and putting back are one step each.

    Parameters
    ----------
    make
        Makes another object when all are in use.
    """

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._free: list[_T] = []

    def take(self) -> _T:
        """An object that nobody else has."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def put(self, used: _T) -> None:
        """Give an object back which is ready for the next use."""
        self._free.append(used)
