"""A lock between processes: the operating system's own, so that a crash never leaves it behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.05  # seconds between two tries


@contextmanager
def locked(path: Path, timeout: float) -> Iterator[None]:
    """Hold the lock of a file, which is made if need be; its folder must exist.

    Raises
    ------
    TimeoutError
        Another process, or thread, still holds it after `timeout` seconds.
    OSError
        The file can't be made, or the file system knows no locks.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        deadline = time.monotonic() + timeout
        while not _try(descriptor):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"another process has been writing for {timeout:g} seconds ({path})")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)  # gives the lock up


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
