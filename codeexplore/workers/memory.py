"""Memory that was freed, handed back to the system."""

from __future__ import annotations

import ctypes
import sys


def trim_memory() -> None:
    """Hand freed memory back, where the C library would keep it for later: a load frees as much as it keeps.

    glibc keeps what lies between blocks in use, and the batches that children send come and go in all sizes. Elsewhere
    nothing is done.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # another C library
        return
    trim(0)
