"""Repositories in memory: a dictionary, and a cache of what was read last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from webshop.storage.base import Repository, T


class MemoryRepository(Repository[T]):
    def __init__(self, what: str = "entity") -> None:
        self.what = what
        self._items: dict[str, T] = {}

    def get(self, key: str) -> T | None:
        return self._items.get(key)

    def add(self, item: T) -> None:
        self._items[item.id] = item

    def remove(self, key: str) -> None:
        self._items.pop(key, None)

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._items.values()))

    def snapshot(self) -> dict[str, T]:
        """A shallow copy of the contents, for `restore`."""
        return dict(self._items)

    def restore(self, snapshot: dict[str, T]) -> None:
        self._items = dict(snapshot)


class CachingRepository(Repository[T]):
    """Remembers the `size` entities that were read last. Writes go through to `inner`."""

    def __init__(self, inner: Repository[T], size: int = 128) -> None:
        self.what = inner.what
        self._inner = inner
        self._size = size
        self._recent: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str) -> T | None:
        if key in self._recent:
            self._recent.move_to_end(key)
            return self._recent[key]
        item = self._inner.get(key)
        if item is not None:
            self._remember(item)
        return item

    def add(self, item: T) -> None:
        self._inner.add(item)
        self._remember(item)

    def remove(self, key: str) -> None:
        self._recent.pop(key, None)
        self._inner.remove(key)

    def __iter__(self) -> Iterator[T]:
        return iter(self._inner)

    def _remember(self, item: T) -> None:
        self._recent[item.id] = item
        self._recent.move_to_end(item.id)
        while len(self._recent) > self._size:
            self._recent.popitem(last=False)
