"""Traces of a workspace: around a block of the user's code, of a test suite, and from files."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from codeexplore.errors import TraceError
from codeexplore.results.trace import LoadedCode, TraceRun
from codeexplore.tracing.collector import Options
from codeexplore.tracing.recorder import Recorder, caller_frame
from codeexplore.tracing.trace_file import read_trace

if TYPE_CHECKING:
    from codeexplore.tracing.records import Trace
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.snapshot_holder import SnapshotHolder

_OUTPUT_CHARS = 20_000  # of a test suite's output, its end


class TraceBlock:
    """Context manager that records the calls of its block. It changes neither its results nor its exceptions.

    Parameters
    ----------
    holder
        Has the current index, and the graph when it is complete.
    """

    def __init__(self, holder: SnapshotHolder, options: Options, title: str = "run") -> None:
        self._holder, self._options = holder, options
        self._run = TraceRun(title)
        self._recorder: Recorder | None = None

    def __enter__(self) -> TraceRun:
        if self._recorder is not None:
            raise TraceError("a trace records one block; call ws.trace() again for the next one")
        self.start(caller_frame())
        return self._run

    def start(self, boundary: FrameType) -> TraceRun:
        """Begin the trace. `boundary` is the frame of the block: frames below it are no callers."""
        index = self._holder.current
        self._recorder = Recorder(index.root, self._options, python_files(index), boundary)
        return self._run

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop("" if kind is None else kind.__name__)

    def stop(self, ended_by: str) -> None:
        """End the trace. `ended_by` is the name of the exception that ended the block, or ""."""
        assert self._recorder is not None
        found = self._recorder.stop(ended_by)
        self._run.finish(found, loaded_code(found, self._holder))


def python_files(index: Index) -> tuple[str, ...]:
    """Return the paths of the files whose functions are traced."""
    return tuple(path for path in index.catalog.paths() if path.endswith((".py", ".pyw")))


def open_run(path: str | Path, holder: SnapshotHolder) -> TraceRun:
    """Return a run that was saved. Raises TraceError."""
    source = Path(path)
    trace = read_trace(source)
    return TraceRun.of(trace, loaded_code(trace, holder), source.name)


def trace_tests(
    arguments: Sequence[str], holder: SnapshotHolder, options: Options, python: str | None, timeout: float | None
) -> TraceRun:
    """Run pytest in a process of its own and return the calls of the tests. Raises TraceError."""
    root = holder.current.root
    with tempfile.TemporaryDirectory(prefix="codeexplore-trace-") as folder:
        file = Path(folder) / "tests.cetrace"
        command = [
            python or sys.executable, "-m", "pytest", "-p", "codeexplore_pytest",
            "--codeexplore-trace", str(file), "--codeexplore-root", str(root),
            *(["--codeexplore-times"] if options.times else ["--codeexplore-tree"] if options.tree else []),
            *([] if options.counts else ["--codeexplore-edges"]),
            *arguments,
        ]  # fmt: skip
        try:
            ended = subprocess.run(
                command, cwd=root, capture_output=True, text=True, errors="replace", timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            raise TraceError(
                f"the tests did not end within {timeout:g} s; give a larger timeout, or fewer tests"
            ) from None
        except OSError as error:
            raise TraceError(f"{command[0]} can't be run: {error.strerror or error}") from error
        output = (ended.stdout + ended.stderr)[-_OUTPUT_CHARS:]
        if not file.is_file():
            last = "\n".join(output.strip().splitlines()[-5:])
            raise TraceError(
                f"pytest ended with status {ended.returncode} and without a trace. Its output ends in:\n{last}"
            )
        trace = read_trace(file)
    return TraceRun.of(trace, loaded_code(trace, holder), " ".join(("pytest", *arguments)), output)


# --------------------------------------------------------------------------- edited files


def loaded_code(trace: Trace, holder: SnapshotHolder) -> LoadedCode:
    """Return what a run needs of the index. Lines of files that differ from the loaded ones are mapped."""
    index = holder.current
    stale = tuple(
        path for path, digest in trace.files if path in index.sources and index.sources[path].sha256 != digest
    )
    lines = _Lines(index, {path: digest for path, digest in trace.files if path in stale})
    return LoadedCode(index.name, index.catalog, lambda: holder.with_graph().graph, lines.of, stale)


class _Lines:
    """Lines of the files that ran, as lines of the loaded texts."""

    def __init__(self, index: Index, stale: dict[str, str]) -> None:
        self._index, self._stale = index, stale
        self._maps: dict[str, list[int] | None] = {}

    def of(self, path: str, line: int) -> int:
        if path not in self._stale:
            return line
        if path not in self._maps:
            self._maps[path] = self._map(path)
        found = self._maps[path]
        if found is None:
            return line
        return found[line] if 0 < line < len(found) else 0

    def _map(self, path: str) -> list[int] | None:
        """Return the loaded line of each line of the file on the disk; None if it is not the file that ran."""
        import hashlib

        from codeexplore.text.line_map import aligned

        if not self._index.has_texts:
            return None
        try:
            data = (self._index.root / path).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data).hexdigest() != self._stale[path]:
            return None
        found: list[int] = aligned(data, self._index.sources[path].text.encode("utf-8", "replace")).tolist()
        return found
