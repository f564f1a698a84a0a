"""Return of freed memory to the system."""

from __future__ import annotations

import ctypes
import sys


def trim_memory() -> None:
    """Return freed memory to the system.

    The GNU C library would keep it, and a load frees as much memory as it uses.

    glibc keeps free memory between blocks that are in use, and results of children are allocated and freed in all
    sizes. With another C library this function does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # another C library
        return
    trim(0)
