"""All or nothing across several repositories."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from webshop.storage.memory import MemoryRepository


class UnitOfWork:
    """Puts every repository back to where it was when the block raises.

    >>> with UnitOfWork(orders, carts):
    ...     orders.add(order)
    ...     carts.remove(cart.id)
    """

    def __init__(self, *repositories: MemoryRepository[Any]) -> None:
        self._repositories = repositories
        self._snapshots: list[dict[str, Any]] = []

    def __enter__(self) -> UnitOfWork:
        self._snapshots = [repository.snapshot() for repository in self._repositories]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._roll_back()

    def _roll_back(self) -> None:
        for repository, snapshot in zip(self._repositories, self._snapshots):
            repository.restore(snapshot)
