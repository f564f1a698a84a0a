"""Return of freed memory to the system."""

from __future__ import annotations

import ctypes
import sys


def trim_memory() -> None:
    """Return freed memory to the system.

    A load frees as much memory as it uses, because results of children of all sizes are allocated and freed. The GNU C
    library (glibc) would keep this memory, which lies between blocks in use. With another C library this function does
    nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # another C library
        return
    trim(0)
