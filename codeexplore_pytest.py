"""Pytest plugin: ``pytest --codeexplore-trace out.cetrace`` records the calls of a test suite.

pytest imports this module at every start, wherever codeexplore is installed. So it is outside of the package, and it
imports the package only if the option is given. A trace needs no index: the repository may never have been loaded.
``ws.runs.open("out.cetrace")`` reads the file. Workers of pytest-xdist write files of their own, which are merged.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from codeexplore.features.runs.recorder import Recorder

_NAME = "codeexplore-trace-recorder"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("codeexplore", "traces of calls (codeexplore)")
    group.addoption("--codeexplore-trace", metavar="FILE", help="record the calls of the tests in this file")
    group.addoption(
        "--codeexplore-root", metavar="FOLDER", help="the folder whose functions are recorded (default: the rootdir)"
    )
    group.addoption(
        "--codeexplore-edges", action="store_true", help="record which calls happen and not how often; takes less time"
    )
    group.addoption("--codeexplore-tree", action="store_true", help="record the call tree, too; it takes more time")
    group.addoption("--codeexplore-times", action="store_true", help="measure times, too; includes the call tree")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before the first conftest imports the tested package."""
    options = early_config.known_args_namespace
    if not options.codeexplore_trace:
        return
    from codeexplore.features.runs.collector import Options
    from codeexplore.features.runs.recorder import Recorder
    from codeexplore.types.errors import TraceError

    root = Path(options.codeexplore_root or early_config.rootpath)
    if not root.is_dir():
        raise pytest.UsageError(f"--codeexplore-root: there is no folder {root}")
    try:
        counts = not options.codeexplore_edges
        chosen = Options(tree=options.codeexplore_tree, times=options.codeexplore_times, counts=counts)
        recorder = Recorder(root, chosen)
    except TraceError as error:
        raise pytest.UsageError(f"--codeexplore-trace: {error}") from None
    early_config.pluginmanager.register(
        _Session(recorder, Path(options.codeexplore_trace).absolute(), root.name), _NAME
    )


class _Session:
    """The trace of one test session."""

    def __init__(self, recorder: Recorder, file: Path, name: str) -> None:
        self._recorder: Recorder | None = recorder
        self._file, self._name = file, name
        self._said = ""
        self._workers: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        """Expect a file of this worker of pytest-xdist. One of an earlier session that crashed is removed."""
        self._workers.append(node.gateway.id)
        self._of_worker(node.gateway.id).unlink(missing_ok=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Set the hook of Python 3.11 again if a test removed it."""
        if self._recorder is not None:
            self._recorder.resume()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file."""
        if self._recorder is None:
            return
        from dataclasses import replace

        from codeexplore.features.runs.records import merge_traces, read_trace, write_trace
        from codeexplore.types.errors import TraceError

        trace = self._recorder.stop()
        self._recorder = None
        worker: Any = getattr(session.config, "workerinput", None)
        try:
            if worker is not None:
                write_trace(trace, self._of_worker(worker["workerid"]), self._name)
                return
            found = {each: self._of_worker(each) for each in self._workers if self._of_worker(each).is_file()}
            parts = list(found.values())
            missing = [each for each in self._workers if each not in found]
            note = f"these workers of pytest-xdist left no calls, because they crashed: {', '.join(missing)}"
            trace = merge_traces([trace, *map(read_trace, parts)])
            trace = replace(trace, notes=(*trace.notes, note)) if missing else trace
            write_trace(trace, self._file, self._name)
            for part in parts:
                part.unlink()
        except TraceError as error:
            self._said = str(error)
        else:
            self._said = f"{trace.n_calls:,} calls recorded in {self._file}"

    def _of_worker(self, worker: str) -> Path:
        return self._file.with_name(f"{self._file.name}.{worker}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Report the file, or the reason why there is none."""
        if self._said:
            terminalreporter.write_line(f"codeexplore: {self._said}")

    def pytest_unconfigure(self) -> None:
        """End a trace whose session did not begin."""
        if self._recorder is not None:
            self._recorder.stop()
            self._recorder = None
