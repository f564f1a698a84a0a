"""The contract every storage backend fulfils."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from webshop.errors import NotFound


class Entity(Protocol):
    """Anything with a key of its own."""

    id: str


T = TypeVar("T", bound=Entity)


class Repository(ABC, Generic[T]):
    """A keyed collection of entities.

    Backends write the four abstract methods; everything else is built on them.
    """

    what = "entity"

    @abstractmethod
    def get(self, key: str) -> T | None:
        """The entity with this key, or None."""

    @abstractmethod
    def add(self, item: T) -> None:
        """Store an entity, replacing the one with the same key."""

    @abstractmethod
    def remove(self, key: str) -> None:
        """Forget an entity; unknown keys are ignored."""

    @abstractmethod
    def __iter__(self) -> Iterator[T]:
        """All entities, in the order in which they were first added."""

    def require(self, key: str) -> T:
        """Like `get`, but raises NotFound."""
        item = self.get(key)
        if item is None:
            raise NotFound(self.what, key)
        return item

    def find(self, predicate: Callable[[T], bool]) -> Iterator[T]:
        """The entities for which `predicate` holds."""
        for item in self:
            if predicate(item):
                yield item

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None
