"""Return of freed memory to the system."""

from __future__ import annotations

import ctypes
import sys


def trim_memory() -> None:
    """Return freed memory to the system where the C library would keep it: a load frees as much memory as it keeps.

    glibc keeps memory between blocks in use, and batches from children are allocated and freed in all sizes. With
    another C library this does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # another C library
        return
    trim(0)
