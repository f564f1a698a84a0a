"""Edges of one language family, written by two processes: this one and a fork of it.

When values no longer flow, each file's references are written on their own. So a fork writes those of the last files
while this process writes those of the first ones, and adds what the fork wrote in the order of the files. The tables
are the same as those that one process writes. Only a process that resolves references and nothing else forks: it has no
other work that a fork could disturb, and it ends soon.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from codeexplore.graph.build.references import ReferenceEdges
from codeexplore.graph.tables import EdgeTable, ExternalTable, UnresolvedTable

LEAST_REFERENCES: Final = 20_000
"""Number of references below which one process writes all of them. It takes half a second at most."""

MOST_MEMORY: Final = 600_000_000
"""Bytes of resident memory above which one process writes all edges.

Counting references changes most pages of objects that are read, so a fork soon has a copy of about half of them:
typeorm took 511 MB instead of 341. A load is to stay below 1 GB."""

Tables = tuple[EdgeTable, UnresolvedTable, ExternalTable]


def write_edges(edges: ReferenceEdges, tables: Tables) -> None:
    """Write all edges of a family into `tables`, with the help of a fork if the system and the family allow it."""
    counts = [len(rows) for rows in edges.program.references]
    files = range(len(counts))
    middle = _middle(counts) if sum(counts) >= LEAST_REFERENCES and may_fork() else len(counts)
    fork = _Fork(edges, files[middle:]) if middle < len(counts) else None
    edges.write_files(files[:middle])
    if fork is None or not fork.add_to(tables):
        edges.write_files(files[middle:])
    edges.write_rest()


def may_fork() -> bool:
    """Return True if a fork is safe here, has a processor of its own, and takes little memory."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") <= MOST_MEMORY


def _middle(counts: Sequence[int]) -> int:
    """Return the number of files that contain half of all references, or a little more."""
    half, number = sum(counts) / 2, 0
    while number < len(counts) and half > 0:
        half -= counts[number]
        number += 1
    return number


class _Fork:
    """A fork of this process that writes the edges of some files. If it fails, nothing of it is used."""

    def __init__(self, edges: ReferenceEdges, files: Sequence[int]) -> None:
        self._writer, self._program, self._hierarchy = edges.writer, edges.program, edges.hierarchy
        self._process = -1
        self._source, sink = os.pipe()
        parent = os.getpid()
        try:
            with warnings.catch_warnings():
                # Python 3.12 warns of other threads. Here there is one, which waits for the end of its pipe.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process = os.fork()
        except OSError:  # too many processes, or no memory
            os.close(sink)
            return
        if self._process == 0:
            try:
                self._work(edges, files, sink, parent)
            finally:
                os._exit(1)
        os.close(sink)

    def _work(self, edges: ReferenceEdges, files: Sequence[int], sink: int, parent: int) -> None:
        """Run in the fork: write the edges of `files` into tables of its own, and send these."""
        for descriptor in [int(link.name) for link in Path("/proc/self/fd").iterdir()]:
            if descriptor != sink:  # nobody may wait for a pipe that only the fork still holds
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        gathered, unresolved, externals = EdgeTable((), ()), UnresolvedTable((), ()), ExternalTable((), ())
        self._writer.redirect((gathered, unresolved, externals))
        work, uses = self._program.work, self._writer.uses
        steps = work.steps
        work.left_out = {}
        for file in files:
            if os.getppid() != parent:  # nobody waits any more
                return
            edges.write_files((file,))
        answer = (
            gathered.uses(), unresolved.columns(), externals.columns(), self._writer.uses - uses, work.steps - steps,
            work.left_out, self._hierarchy.crowded,
        )  # fmt: skip
        with os.fdopen(sink, "wb") as stream:
            pickle.dump(answer, stream, pickle.HIGHEST_PROTOCOL)
        os._exit(0)

    def add_to(self, tables: Tables) -> bool:
        """Add what the fork wrote to `tables`; return False if it failed, or if a limit counts over all files."""
        with os.fdopen(self._source, "rb") as stream:
            answer = stream.read()
        status = os.waitpid(self._process, 0)[1] if self._process > 0 else 1
        if status or not answer:
            return False
        received: tuple[Any, ...] = pickle.loads(answer)  # noqa: S301 - from a fork of this process
        gathered, unresolved, externals, uses, steps, left_out, crowded = received
        writer, work = self._writer, self._program.work
        if writer.uses + uses > writer.most_uses or work.steps + steps > work.limit:
            return False
        writer.uses += uses
        work.steps += steps
        for limit, names in left_out.items():
            work.left_out.setdefault(limit, set()).update(names)
        self._hierarchy.crowded.update(crowded)
        tables[0].add_columns(gathered)
        tables[1].add_columns(unresolved)
        tables[2].add_columns(externals)
        return True
