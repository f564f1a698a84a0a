"""New locks in a forked process. `multiprocessing` forks on Linux.

Another thread may have taken a lock at the moment of the fork. This thread does not exist in the new process, so it
never releases the lock.
"""

from __future__ import annotations

import os
import sys
import threading
from functools import cached_property
from typing import Protocol
from weakref import WeakSet


class OwnsLocks(Protocol):
    """An object with locks."""

    def continue_after_fork(self) -> None:
        """Make new locks in a forked process."""


_owners: WeakSet[OwnsLocks] = WeakSet()


def renewed_after_fork(owner: OwnsLocks) -> None:
    """Call `owner.continue_after_fork` in every process that is forked from this process."""
    _owners.add(owner)


def _after_fork() -> None:
    for owner in list(_owners):
        owner.continue_after_fork()
    if sys.version_info < (3, 12):  # where a lock belongs to each cached_property, for all instances
        for name, module in list(sys.modules.items()):
            if name.startswith("codeexplore."):
                _renew_in(list(vars(module).values()))


def _renew_in(values: list[object]) -> None:
    for cls in values:
        for value in vars(cls).values() if isinstance(cls, type) else ():
            if isinstance(value, cached_property) and hasattr(value, "lock"):
                value.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
