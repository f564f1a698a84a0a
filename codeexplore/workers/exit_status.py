"""Exit statuses of children: they decide if this process may do the work in the child's place.

It may when a child could not be started or failed by itself. It may not when memory was short, or when the system ended
the child: then the system would end this process too, which may be a notebook's kernel.
"""

from __future__ import annotations

import contextlib
import errno
import signal
import subprocess

OUT_OF_MEMORY = 12
"""The exit status of a child that could not get the memory it asked for."""

TOO_LITTLE = "there was not enough memory for it"

_ABNORMAL = 0xC0000000  # Windows' statuses of processes that it ended
_END_SECONDS = 5.0  # for a child that has closed its pipes


def fatal_reason(status: int | None) -> str:
    """Return the reason not to do a child's work in this process, from its exit status; "" if there is none."""
    if status == OUT_OF_MEMORY:
        return TOO_LITTLE
    if status is not None and status < 0:
        known = {each.value: each.name for each in signal.Signals}
        name = known.get(-status, f"signal {-status}")
        why = ", most likely for lack of memory" if name == "SIGKILL" else ""
        return f"the process that does it was ended by {name}{why}"
    if status is not None and status >= _ABNORMAL:
        return f"the process that does it was ended by the system (status {status:#x})"
    return ""


def fatal_reason_of(error: Exception, child: subprocess.Popen[bytes] | None) -> str:
    """Return the same after an error while a child was started (None) or while frames were exchanged with it."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return TOO_LITTLE
    if child is None:
        return ""
    if isinstance(error, OSError):  # a broken pipe: it has ended, or is about to
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)
    return fatal_reason(child.poll())
