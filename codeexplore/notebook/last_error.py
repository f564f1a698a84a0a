"""The exception that was raised last, and the workspace whose files are in its traceback."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def last_error() -> BaseException | None:
    """Return the exception whose traceback the shell showed last; None if there is none."""
    found = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)  # last_exc since Python 3.12
    return found if isinstance(found, BaseException) else None


def workspace_of(error: BaseException, bound: Mapping[str, Workspace]) -> Workspace | None:
    """Return the workspace whose files contain most frames of the traceback; None if no workspace contains any."""
    files = [Path(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__)]
    counts = {name: sum(file.is_relative_to(workspace.root) for file in files) for name, workspace in bound.items()}
    best = max(counts, key=counts.__getitem__, default=None)
    return bound[best] if best is not None and counts[best] else None
