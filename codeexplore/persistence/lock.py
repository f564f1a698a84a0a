"""A lock between processes: the operating system's own, so that a crash never leaves it behind."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import IO

_PAUSE = 0.05  # seconds between two tries


def locked(path: Path, timeout: float) -> IO[bytes]:
    """Hold the lock of a file until what this returns is closed; ``with`` does. The file is made if need be.

    No context manager of our own: an interrupt on its way in could leave the lock held as long as somebody keeps the
    traceback.

    Raises
    ------
    TimeoutError
        Another process, or thread, still holds it after `timeout` seconds.
    OSError
        The file can't be made, its folder does not exist, or the file system knows no locks.
    """
    stream = open(path, "ab", opener=partial(os.open, mode=0o600))  # noqa: SIM115 - closed by whoever asked
    try:
        deadline = time.monotonic() + timeout
        while not _try(stream.fileno()):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"another process has been writing for {timeout:g} seconds ({path})")
            time.sleep(_PAUSE)
    except BaseException:
        stream.close()
        raise
    return stream


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
