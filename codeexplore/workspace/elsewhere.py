"""Analysing files with an executor of the user's: another pool, or other machines.

The bytes of the files travel with the work, so that an executor needs nothing but the package, in the same versions.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path

from codeexplore.languages.extraction import Layout
from codeexplore.source.candidates import Candidate
from codeexplore.source.read import read_bytes
from codeexplore.types import Skipped
from codeexplore.workspace.parcel import Parcel, pack, parcel_of, unpack
from codeexplore.workspace.workers import analyse_contents

IN_FLIGHT = 64
"""Batches handed out at once: about 25 MB of source."""

_Contents = list[tuple[tuple[object, ...], "bytes | tuple[str, ...]"]]


def analyse_with(
    executor: Executor,
    root: Path,
    work: Sequence[Sequence[Candidate]],
    layout: Layout,
    done: Callable[[int], None],
    max_bytes: int,
    came: Callable[[int, Parcel], None],
) -> tuple[list[Parcel], list[str]]:
    """Analyse every batch; results in the order of `work`, equal to those of this process, and warnings.

    `came` is told each as it comes. A batch that fails elsewhere is analysed here, and told. When `done` raises, what
    has not begun is cancelled.
    """
    waiting = deque(enumerate(work))
    flying: deque[tuple[int, Future[tuple[str, bytes]]]] = deque()
    results: list[Parcel] = []
    warnings: list[str] = []
    plain_layout = (sorted(layout.paths), layout.prefix)
    try:
        while waiting or flying:
            while waiting and len(flying) < IN_FLIGHT:
                number, batch = waiting.popleft()
                contents = [(tuple(each), _plain(read_bytes(root, each, max_bytes))) for each in batch]
                flying.append((number, executor.submit(analyse_plain, contents, plain_layout, max_bytes)))
            number, future = flying.popleft()
            try:
                results.append(_unpacked(*future.result()))
            except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever goes wrong elsewhere is done here
                reason = f"{type(error).__name__}: {error}"
                warnings.append(f"the executor failed ({reason:.200}); these files were analysed in this process")
                contents_here = [(each, read_bytes(root, each, max_bytes)) for each in work[number]]
                results.append(parcel_of(analyse_contents(contents_here, layout, max_bytes)))
            came(number, results[-1])
            done(len(results))
    finally:
        for _, future in flying:
            future.cancel()
    return results, list(dict.fromkeys(warnings))


def analyse_plain(contents: _Contents, layout: tuple[list[str], str], max_bytes: int) -> tuple[str, bytes]:
    """What runs elsewhere: plain data in, the Python version and packed results out."""
    made = Layout(frozenset(layout[0]), layout[1])
    files = [
        (Candidate(*row), data if isinstance(data, bytes) else Skipped(*data))  # type: ignore[arg-type]
        for row, data in contents
    ]
    return _version(), pack(parcel_of(analyse_contents(files, made, max_bytes)))


def _plain(data: bytes | Skipped) -> bytes | tuple[str, ...]:
    return data if isinstance(data, bytes) else tuple(data)


def _unpacked(version: str, packed: bytes) -> Parcel:
    if version != _version():
        raise RuntimeError(f"it runs Python {version}, this is {_version()}")
    return unpack(packed)


def _version() -> str:
    return "{}.{}".format(*sys.version_info)
