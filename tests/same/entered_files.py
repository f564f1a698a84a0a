"""Count the files of codeexplore that three tasks enter: ``python tests/same/entered_files.py [--list] [--folder F]``.

A newcomer who follows a call in a debugger walks through these files. The three tasks are ``ws.callers``, ``ws.search``
(both asked once before, so that imports and first uses do not count) and the way of one file's bytes to edges. Only
calls of functions count, in every thread; a module that is only imported is not entered.

- callers: at most 20 files. search: at most 30. Bytes to edges: at most 45.

It runs beside every version: ``PYTHONPATH=other_checkout python tests/same/entered_files.py``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

BETWEEN = ("syntax", "languages", "resolution", "public_names", "names", "index", "graph", "text", "file_roles.py")
"""What lies between text and edges. A load enters more: reading the files, the lanes of the search, the workspace."""
SMALL = """\
class Stack:
    def push(self, item):
        self.check(item)

    def check(self, item):
        return len(item)
"""


class Recorder:
    """Calls of functions of a package, by file in the order in which the files are entered first."""

    def __init__(self, package: Path) -> None:
        self.prefix = f"{package}/"
        self.calls: Counter[str] = Counter()
        self.entries: list[str] = []  # a file each time that control passes to it from another one
        self._on = False
        threading.setprofile(self._event)  # before the lanes start their threads
        sys.setprofile(self._event)

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename
        if self._on and event == "call" and name.startswith(self.prefix) and frame.f_code.co_name != "<module>":
            path = name.removeprefix(self.prefix)
            self.calls[path] += 1
            if not self.entries or self.entries[-1] != path:
                self.entries.append(path)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record the block from its beginning."""
        self.calls, self.entries, self._on = Counter(), [], True
        try:
            yield
        finally:
            self._on = False


def between(recorder: Recorder) -> Counter[str]:
    """Return the calls in the packages between a file's text and the edges."""
    return Counter({path: n for path, n in recorder.calls.items() if path.startswith(BETWEEN)})


def main() -> None:
    """Print the numbers, and with --list the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the files in order, with their numbers of calls")
    parser.add_argument("--folder", help="the repository that is asked (default: the sample webshop)")
    options = parser.parse_args()
    import codeexplore
    from codeexplore import Workspace, sample_repo

    recorder = Recorder(Path(codeexplore.__file__ or "").parent)
    ws = Workspace(options.folder or sample_repo("webshop"), cache=False, workers=0, progress=lambda *_: None)

    symbol = ws.graph.edges[0].target if options.folder else "validate_session"

    def load() -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "stack.py").write_text(SMALL, "utf-8")
            Workspace(folder, cache=False, workers=0, progress=lambda *_: None)

    tasks: tuple[tuple[str, Callable[[], Any], int, Callable[[Recorder], Counter[str]]], ...] = (
        ("ws.callers", lambda: ws.callers(symbol), 20, lambda found: found.calls),
        (
            "ws.search",
            lambda: ws.search("how are expired sessions handled?", timeout=60),
            30,
            lambda found: found.calls,
        ),
        ("bytes to edges", load, 45, between),
    )
    for title, task, most, counted in tasks:
        task()
        with recorder.recording():
            task()
        found = counted(recorder)
        passed = sum(path in found for path in recorder.entries)
        print(f"{title:<15} {len(found):>3} files (asked: {most}), {found.total():>6,} calls, {passed:>5,} passages")
        for path, n in found.items() if options.list else ():
            print(f"    {n:>6,}  {path}")


if __name__ == "__main__":
    main()
