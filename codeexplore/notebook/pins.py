"""Results saved below an explorer ("pins"). They are HTML in the notebook's output, which outlives widgets and kernels.

A pin contains the displayed answer and walk as HTML without widgets.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.getipython import get_ipython
from IPython.display import HTML, display, update_display

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import LINE, Html, join, tag
from codeexplore.answers.html.writer import drawn_html, shown_html
from codeexplore.source.safe_io import cache_folder, check_private, make_private, read_regular, write_whole

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, GrepAnswer, PathsAnswer, SearchAnswer
    from codeexplore.answers.source import SourceView


def pinned_html(answer: SearchAnswer | GrepAnswer | SourceView | None, walk: GraphAnswer | PathsAnswer | None) -> str:
    """Return the answer, and the walk with a still picture, as HTML. It is small and complete without scripts."""
    from codeexplore.answers import PathsAnswer
    from codeexplore.answers.drawing.vis_network import still_html

    parts = [] if answer is None else [shown_html(answer)]
    if isinstance(walk, PathsAnswer):
        parts.append(shown_html(walk))
    elif walk is not None:
        parts.append(drawn_html(walk, still_html(walk)))
    return join(parts)


_MOST_FILES, _MOST_BYTES = 200, 5_000_000
_last: tuple[str, int, int] = ("", 0, 0)  # the cell that displayed pins last, its run, and how many before


class Pins:
    """A named output in a cell. It is empty at first, and results are added later.

    A widget's callback cannot write to a cell, but any code can change a named output whose name it knows. The notebook
    saves this output. A further run of the cell removes it, in a new kernel too, so a file in the cache has the results
    for that run.
    """

    def __init__(self) -> None:
        self._name, self.newest = f"codeexplore-{secrets.token_hex(6)}", ""
        self._placed = False
        self._file: Path | None = None
        self._problem = ""  # why the file can't be used; then it stays as it is
        self.pinned: list[Html] = []

    def place(self) -> None:
        try:
            self._file = _file()
            self.pinned = self.pinned or _read(self._file)
        except (OSError, ValueError, RecursionError) as error:
            self._file, self._problem = None, f"the pins of this cell can't be read: {error}"
        display(self._html(), display_id=self._name)
        self._placed = True

    def pin(self, result: str) -> str:
        """Add a result below the earlier ones. Return why the next run of the cell will not have it, or "".

        If `place` was not called, the output is created now.
        """
        style = f"border-top:1px solid {LINE};margin-top:10px;padding-top:6px"
        self.newest = f"{self._name}-{len(self.pinned)}"
        self.pinned.append(tag("div", Html(result), class_=self.newest, style=style))
        if self._placed:
            update_display(self._html(), display_id=self._name)
        else:
            self.place()
        return self._write()

    def clear(self) -> None:
        """Remove all pins, and their file. Raises OSError, and then they stay."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
        self.pinned.clear()
        update_display(self._html(), display_id=self._name)

    def _html(self) -> HTML:
        problem = (tag("div", self._problem),) if self._problem else ()
        return HTML(components.page(join((*problem, *self.pinned))) if problem or self.pinned else "")

    def _write(self) -> str:
        if self._file is None:
            return self._problem or "this notebook does not tell its cells"
        text, folder = json.dumps(self.pinned), self._file.parent
        if len(text) > _MOST_BYTES:
            return f"the pins have more than {_MOST_BYTES:,} characters"
        try:
            check_private(folder)
            write_whole(make_private(folder) / self._file.name, (text,))
            with contextlib.suppress(FileNotFoundError):  # another kernel removes old ones too
                for old in sorted(folder.glob("*.json"), key=lambda each: -each.stat().st_mtime)[_MOST_FILES:]:
                    old.unlink()
        except OSError as error:
            return f"it can't be written: {error}"
        return ""


def _file() -> Path | None:
    """Return the file for the next explorer of the running cell; None if the notebook does not tell the cell's id."""
    global _last  # noqa: PLW0603 - there is one running cell
    shell: Any = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = str(parent.get("metadata", {}).get("cellId", "")), getattr(shell, "execution_count", 0)
    _last = cell, run, _last[2] + 1 if _last[:2] == (cell, run) else 0
    named = json.dumps([os.environ.get("JPY_SESSION_NAME") or str(Path.cwd()), cell, _last[2]])
    try:
        return (
            cache_folder() / "pins" / f"{hashlib.blake2b(named.encode(), digest_size=12).hexdigest()}.json"
            if cell
            else None
        )
    except OSError:  # there is no cache folder
        return None


def _read(file: Path | None) -> list[Html]:
    """Return the pins in a file. Raises OSError for a file that another user may have written, and ValueError."""
    if file is None or not file.is_file():
        return []
    check_private(file.parent)  # it is shown as HTML
    found = json.loads(read_regular(file, _MOST_BYTES + 1))
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError("it is no list of texts")
    return [Html(each) for each in found]
