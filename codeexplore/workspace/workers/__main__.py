"""Program of the child processes, which analyse files or resolve references.

`workers.child_process` starts a child and connects its pipes. Data is sent in frames. The first frame names the job:
see `workers.child_process.serve` for calls of functions, and `workers.resolver_process.serve` for the resolution.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import sys


def main() -> None:
    """Run the job that the first frame names, until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C: it ends its children
    from codeexplore.workspace.workers.child_process import read_frame

    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # text that a library prints must not get between frames
    gc.disable()  # records contain no reference cycles, and collections would take a fifth of the time
    frame = read_frame(source)
    if frame is None:
        return
    (job,) = marshal.loads(frame)  # noqa: S302 - from our own parent process
    if job == "resolve":
        from codeexplore.workspace.workers.resolver_process import serve
    else:
        from codeexplore.workspace.workers.child_process import serve
    serve(source, sink)
