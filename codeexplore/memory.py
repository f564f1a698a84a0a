"""The memory that this process may still use, by the limits of ``ulimit -v`` and of its control group (Linux).

Libraries in C and Rust end the process if they get no memory, and Python can't catch that. So a load asks before it
begins and between its steps.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from codeexplore.types.errors import NotEnoughMemory

START: Final = 400 << 20
"""Bytes of addresses without which the libraries may not even be imported: their threads take some at random."""
_RESERVE, _PER_BYTE, _PER_PARSED_BYTE = 48 << 20, 30, 120  # of any step; of a load, for each byte of source
_LIBRARIES = 230 << 20  # of addresses, which a load takes for libraries that are not imported yet
_PER_CHILD = 150 << 20
_PAUSE = 0.05  # seconds between two looks of `check`
_GROUPS = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))
_last = 0.0


def require_start() -> None:
    """Raise NotEnoughMemory if the address space has no room for the libraries."""
    if (limit := _address_limit()) is not None and limit < START:
        raise NotEnoughMemory(f"codeexplore needs {START >> 20} MB of addresses, and `ulimit -v` allows {limit >> 20}")


def require_load(sizes: Sequence[int]) -> None:
    """Raise NotEnoughMemory if files of these sizes will likely not fit: all as an index, the largest while parsed."""
    need, room = _RESERVE + _PER_BYTE * sum(sizes) + _PER_PARSED_BYTE * max(sizes, default=0), left()
    if room is not None and room < need:
        size = f"{sum(sizes) / 1e6:,.1f} MB of source may need {need >> 20:,} MB, and {room >> 20:,} are left"
        raise NotEnoughMemory(f"{size}; load a smaller folder, or raise the limit")


def check() -> None:
    """Raise NotEnoughMemory if the next step of a load would likely end the process."""
    global _last  # noqa: PLW0603 - the time of the last look, for the whole process
    if _last < 0 or time.monotonic() - _last < _PAUSE:
        return
    room = left()
    _last = time.monotonic() if room is not None else -1.0  # without a limit, nobody needs to look again
    if room is not None and room < _RESERVE:
        raise NotEnoughMemory(f"only {room >> 20} MB are left; load a smaller folder, or raise the limit")


def workers_that_fit(workers: int) -> int:
    """Return how many of some child processes fit into half of the room."""
    room = left()
    return workers if room is None else max(0, min(workers, room // 2 // _PER_CHILD))


def left() -> int | None:
    """Return the bytes that are left below the limits of this process; None without a limit."""
    rooms = [limit - max(_used_addresses(), _LIBRARIES) for limit in (_address_limit(),) if limit is not None]
    for limit, usage in _control_group():
        if (most := _number(limit)) is not None and most < 1 << 60:
            rooms.append(most - (_number(usage) or 0) + _reclaimable(limit.parent))
    return min(rooms, default=None)


def _address_limit() -> int | None:
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def _used_addresses() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


@cache
def _control_group() -> tuple[tuple[Path, Path], ...]:
    """Return the files with limit and usage of the control groups of this process, of both versions."""
    try:
        rows = [row.split(":", 2) for row in Path("/proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return ()
    found = []
    for _, controllers, path in rows:
        if controllers in ("", "memory"):
            top = Path("/sys/fs/cgroup", controllers)
            places = [folder for folder in (top / path.lstrip("/"), top) if folder.is_dir()]
            found += [(place / limit, place / usage) for place in places for limit, usage in _GROUPS]
    return tuple(pair for pair in found if pair[0].is_file())


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # "max"
        return None


def _reclaimable(folder: Path) -> int:
    """Return the bytes of cached files, which the system gives back."""
    try:
        rows = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return int(rows.get("total_inactive_file", rows.get("inactive_file", 0)))
    except (OSError, ValueError):
        return 0
