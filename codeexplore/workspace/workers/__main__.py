"""Program of the child processes, which analyse files or resolve references.

`workers.child_process` starts a child and connects its pipes, through which calls and answers are sent in frames.
"""

from __future__ import annotations

import gc
import os
import signal
import sys


def main() -> None:
    """Answer calls until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C: it ends its children
    from codeexplore.workspace.workers.child_process import serve

    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # text that a library prints must not get between frames
    gc.disable()  # records contain no reference cycles, and collections would take a fifth of the time
    serve(source, sink)
