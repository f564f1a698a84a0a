"""Exit statuses of children. They decide if this process may do the work that a child has not done.

It may if the child could not be started or failed by itself. It may not if there was too little memory, or if the
system ended the child. In these cases the system could also end this process, which may be the kernel of a notebook.
"""

from __future__ import annotations

import contextlib
import errno
import signal
import subprocess

OUT_OF_MEMORY = 12
"""Exit status of a child that could not get enough memory."""

TOO_LITTLE = "there was not enough memory for it"

_ABNORMAL = 0xC0000000  # Windows' statuses of processes that it ended
_END_SECONDS = 5.0  # time limit for the end of a child that has closed its pipes


def fatal_reason(status: int | None) -> str:
    """Return the reason why this process may not do the work of a child with this exit status; "" if it may."""
    if status == OUT_OF_MEMORY:
        return TOO_LITTLE
    if status is not None and status < 0:
        known = {each.value: each.name for each in signal.Signals}
        name = known.get(-status, f"signal {-status}")
        why = ", most likely for lack of memory" if name == "SIGKILL" else ""
        return f"the child process for it was ended by {name}{why}"
    if status is not None and status >= _ABNORMAL:
        return f"the child process for it was ended by the system (status {status:#x})"
    return ""


def fatal_reason_of(error: Exception, child: subprocess.Popen[bytes] | None) -> str:
    """Return the reason why this process may not do the work of a child after an error; "" if it may.

    The error was raised when the child was started (`child` is None), or when frames were sent or received.
    """
    if is_lack_of_memory(error):
        return TOO_LITTLE
    if child is None:
        return ""
    if isinstance(error, OSError):  # a broken pipe: the child has ended, or will end at once
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)
    return fatal_reason(child.poll())


def is_lack_of_memory(error: Exception) -> bool:
    """Return True if an error means that memory could not be allocated.

    CPython may raise SystemError instead of MemoryError. Its message says then that a call "returned NULL without
    setting an exception", or that there is an "error return without exception set".
    """
    if isinstance(error, SystemError):
        return "without setting an exception" in str(error) or "without exception set" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
