"""Children of our own, and frames of bytes over their pipes.

Parsing and resolving hold the interpreter's lock, so threads don't help; `multiprocessing` would run a user's plain
script again under spawn and warns when a threaded kernel forks. So children are ``python -m codeexplore._worker``: a
script needs no main guard.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO


def start_worker() -> subprocess.Popen[bytes]:
    """Start a child. Raises OSError."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")  # a thread a core, which nothing here asks NumPy for
    environment.setdefault("MALLOC_MMAP_THRESHOLD_", str(1 << 18))  # glibc soon keeps free blocks of up to 32 MB
    # -P: the current folder may be the explored repository, and nothing in it may ever be imported
    command = [sys.executable, "-P", "-m", "codeexplore._worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def stop_worker(child: subprocess.Popen[bytes]) -> None:
    """End a child, at once if it is still at work."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # what was written for it and not yet sent goes nowhere
                continue


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Write a length and that many bytes."""
    stream.write(len(data).to_bytes(8, "little"))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read what `write_frame` wrote; None at the end of the stream."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "little")
    data = stream.read(size)
    return data if len(data) == size else None
