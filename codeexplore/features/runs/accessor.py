"""``ws.runs``: traces of a block of the user's code and of a test suite, runs from files, and marks of a run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from codeexplore.features.runs.answers import LoadedCode, TraceRun
from codeexplore.features.runs.collector import Options
from codeexplore.features.runs.recorder import Recorder, caller_frame
from codeexplore.features.runs.records import read_trace
from codeexplore.types.errors import TraceError

if TYPE_CHECKING:
    from codeexplore.features.runs.records import Trace
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.workspace import Workspace

_OUTPUT_CHARS = 20_000  # of a test suite's output, its end


class Runs:
    """Records of what really ran: traces, runs from files, and the run that marks answers."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def trace(self, title: str = "run", *, tree: bool = True, times: bool = False, counts: bool = True) -> TraceBlock:
        """Record the calls of the block below ``with ws.runs.trace() as run:``, beside those of the call graph.

        Only functions of the workspace's files are recorded. A call through other code, such as a framework, leads
        from one function of the workspace to the next and names the code between them. The block runs as it would
        without a trace: results and exceptions are the same. Nothing of the repository runs because of the trace.

        Parameters
        ----------
        title
            Name of the run in displays.
        tree
            Record the call tree. Without it, the block runs faster.
        times
            Measure inclusive and own time of each function. They include the time of the recording.
        counts
            False to record which calls happen, not how often, and no call tree. On Python 3.12 and newer, code that
            makes many calls then runs at nearly its usual speed. A rare caller of a function may be missed.

        Raises
        ------
        TraceError
            Another trace runs, an option is wrong or, on Python 3.11, another tool uses ``sys.setprofile``.

        Examples
        --------
        >>> with ws.runs.trace() as run:
        ...     client.get("/orders")
        >>> run.graph.only("observed only")
        """
        options = Options(tree=tree, times=times, counts=counts)
        return TraceBlock(self._workspace, options, title)

    def trace_tests(
        self,
        *arguments: str,
        tree: bool = False,
        times: bool = False,
        counts: bool = True,
        python: str | Path | None = None,
        timeout: float | None = None,
    ) -> TraceRun:
        """Run pytest on the repository and return the calls of the tests.

        **This runs the repository's code.** It is the one method that does: you ask for it, as by ``pytest`` at a
        prompt. The tests run in a process of their own, in the repository's folder.

        Parameters
        ----------
        *arguments
            Arguments of pytest: paths of tests, ``"-k"``, ``"session"``.
        tree, times, counts
            As for `trace`.
        python
            The interpreter that has the dependencies of the tests, with pytest and codeexplore. None is this one.
        timeout
            Seconds after which the tests are ended.

        Raises
        ------
        TraceError
            pytest could not run, or ended without a trace. The message has the end of its output.

        Examples
        --------
        >>> run = ws.runs.trace_tests("tests/test_sessions.py")
        """
        options = Options(tree=tree, times=times, counts=counts)
        root = self._workspace.root
        with tempfile.TemporaryDirectory(prefix="codeexplore-trace-") as folder:
            file = Path(folder) / "tests.cetrace"
            command = [str(python or sys.executable), "-m", "pytest", "-p", "codeexplore_pytest"]
            command += ["--codeexplore-trace", str(file), "--codeexplore-root", str(root)]
            command += ["--codeexplore-times"] if options.times else ["--codeexplore-tree"] if options.tree else []
            command += [] if options.counts else ["--codeexplore-edges"]
            command += arguments
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
        return TraceRun.of(trace, _loaded_code(trace, self._workspace), " ".join(("pytest", *arguments)), output)

    def attach(self, run: TraceRun) -> None:
        """Mark the calls of a run in later answers: observed callers, and callers that the graph lacks.

        An empty list of callers says if nobody called the symbol in the run either. ``ws.search(…, observed=True)``
        searches only what ran. `detach` removes the marks.

        Raises TraceError if the run has not ended.
        """
        _ = run.trace
        self._workspace.mark(run)

    def detach(self) -> None:
        """Remove the marks of the attached run."""
        self._workspace.mark(None)

    def open(self, path: str | Path) -> TraceRun:
        """Return a run that ``run.save`` or ``pytest --codeexplore-trace`` wrote. The sources are not needed.

        Raises TraceError if the file can't be read or is no trace.
        """
        source = Path(path)
        trace = read_trace(source)
        return TraceRun.of(trace, _loaded_code(trace, self._workspace), source.name)


class TraceBlock:
    """Context manager that records the calls of its block. It changes neither its results nor its exceptions."""

    def __init__(self, workspace: Workspace, options: Options, title: str = "run") -> None:
        self._workspace, self._options = workspace, options
        self._run = TraceRun(title)
        self._recorder: Recorder | None = None

    def __enter__(self) -> TraceRun:
        if self._recorder is not None:
            raise TraceError("a trace records one block; call ws.runs.trace() again for the next one")
        self.start(caller_frame())
        return self._run

    def start(self, boundary: FrameType) -> TraceRun:
        index = self._workspace.view(graph=False).index
        files = [path for path in index.catalog.paths() if path.endswith((".py", ".pyw"))]
        self._recorder = Recorder(index.root, self._options, files, boundary)
        return self._run

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop("" if kind is None else kind.__name__)

    def stop(self, ended_by: str) -> None:
        assert self._recorder is not None
        try:
            found = self._recorder.stop(ended_by)
        except BaseException:  # interrupted: the next trace must be free to begin
            self._recorder.release()
            raise
        self._run.finish(found, _loaded_code(found, self._workspace))


def _loaded_code(trace: Trace, workspace: Workspace) -> LoadedCode:
    """Return what a run needs of the index. Lines of files that differ from the loaded ones are mapped."""
    index = workspace.view(graph=False).index
    stale = {
        path: digest for path, digest in trace.files if path in index.sources and index.sources[path].sha256 != digest
    }
    map_of = cache(lambda path: _line_map(index, path, stale[path]))

    def line_of(path: str, line: int) -> int:
        lines = map_of(path) if path in stale else None
        if lines is None:
            return line
        return lines[line] if 0 < line < len(lines) else 0

    return LoadedCode(index.catalog, lambda: workspace.view().graph, line_of, tuple(stale))


def _line_map(index: Index, path: str, digest: str) -> list[int] | None:
    """Return the lines of a file that ran, given with its digest, as lines of the loaded text; None if it is gone."""
    import hashlib

    from codeexplore.source.safe_io import LARGEST, read_regular
    from codeexplore.text.line_map import aligned

    if not index.has_texts:
        return None
    try:
        data = read_regular(index.root / path, LARGEST, within=index.root)
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest() != digest:
        return None
    found: list[int] = aligned(data, index.sources[path].text.encode("utf-8", "replace")).tolist()
    return found
