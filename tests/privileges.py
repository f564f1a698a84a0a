"""Acting as an ordinary user: root, as tests often run, may read everything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def without_privileges() -> Iterator[None]:
    """Give up root's rights for a while; nothing to do for others."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def public_folder() -> Iterator[Path]:
    """A temporary folder that other users can reach, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for locked in [path for path in folder.iterdir() if path.is_dir()]:
            locked.chmod(0o755)
        shutil.rmtree(folder)
