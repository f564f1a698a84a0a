"""The child process that analyses files: ``python -m codeexplore._worker``, spoken to over its pipes.

First frame: root, package prefix, all paths and the size limit; then batches of candidates, each answered by one frame.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import sys
from pathlib import Path


def main() -> None:
    """Answer batches until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle: it ends its children
    from codeexplore.languages.extraction import Layout
    from codeexplore.source.discover import Candidate
    from codeexplore.syntax.transport import pack
    from codeexplore.workspace.workers import analyse_batch, read_frame, write_frame

    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not end up between frames
    gc.disable()  # the records hold no cycles; collections would take a fifth of the time
    hello = read_frame(source)
    if hello is None:
        return
    root, prefix, paths, max_bytes = marshal.loads(hello)  # noqa: S302 - from our own parent process
    layout = Layout(frozenset(paths), prefix)
    while (frame := read_frame(source)) is not None:
        batch = [Candidate(*row) for row in marshal.loads(frame)]  # noqa: S302
        write_frame(sink, pack(*analyse_batch(Path(root), batch, layout, max_bytes)))


if __name__ == "__main__":
    main()
