"""Child processes of our own, and frames of bytes over their pipes.

Parsing and resolving keep the interpreter's lock, so threads do not help. `multiprocessing` would run a user's script
again under spawn, and warns when a threaded kernel forks. So children run `codeexplore.workers`: a script needs no main
guard.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import IO

from codeexplore.trusted_imports import search_path

_NEEDED = ("codeexplore", "numpy", "tree_sitter", "tree_sitter_language_pack")
"""Packages that children import at the least; their own dependencies are installed beside them."""


_MAIN = "import sys; sys.path += {!a}; from codeexplore.workers.__main__ import main; main()"

_KEPT = ("PYTHONHOME", "PYTHONPLATLIBDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONUTF8")
"""Variables that give Python the place of its library and the way it writes files. Its other variables could make it
run code, or search for code, elsewhere."""


def start_worker() -> subprocess.Popen[bytes]:
    """Start a child that runs only codeexplore and its dependencies. Raises OSError."""
    environment = {name: value for name, value in os.environ.items() if name in _KEPT or name[:6] != "PYTHON"}
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")  # else a thread a core, and children do no linear algebra
    environment.setdefault("MALLOC_MMAP_THRESHOLD_", str(1 << 18))  # glibc soon keeps free blocks of up to 32 MB
    # no site: neither sitecustomize nor .pth files run. The explored repository may be this process's working folder or
    # on its path; see `trusted`
    command = [sys.executable, "-P", "-s", "-S", "-c", _MAIN.format(_folders())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _folders() -> list[str]:
    """Return the folders, beside the standard library, of codeexplore and of the dependencies that a child needs."""
    first, others = search_path()
    holding = {os.path.dirname(folder) for name in _NEEDED for folder in _packages(name)}  # noqa: PTH120
    return [entry for entry in (*first, *others) if entry in first or entry in holding] + [
        folder for folder in sorted(holding) if folder not in first and folder not in others
    ]


def _packages(name: str) -> list[str]:
    """Return the folders of a package, loaded or not."""
    module = sys.modules.get(name)
    spec = find_spec(name) if module is None else module.__spec__
    return [] if spec is None else list(spec.submodule_search_locations or ())


def stop_worker(child: subprocess.Popen[bytes]) -> None:
    """End a child, at once if it is still working."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # bytes written for it and not yet sent are lost
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
