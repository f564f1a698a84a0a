"""The present symbols to which the lines of an old commit belong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.features.review.history.line_versions import Lines, Versions, compared
from codeexplore.languages import registry
from codeexplore.types import Symbol

if TYPE_CHECKING:
    from codeexplore.workspace.view import SnapshotView


def text_of(view: SnapshotView, path: str) -> bytes:
    """Return the loaded text of a file as UTF-8."""
    return bytes(view.sources[path].text.encode("utf-8", "replace"))


class LineOwners:
    """The innermost present symbol of each line that an old commit changed."""

    def __init__(self, view: SnapshotView) -> None:
        self._view = view
        self._present: dict[str, bytes] = {}
        self._rows: dict[str, list[Symbol | None]] = {}

    def changed(self, path: str, old: bytes, new: bytes) -> list[Symbol]:
        """Return the symbols of today at the places that a commit changed in a file. Modules are left out.

        Parameters
        ----------
        path
            The present path of the file.
        old, new
            The file before and after the commit, as UTF-8.
        """
        view = self._view
        if path not in view.sources or registry.is_text(view.sources[path].language):
            return []
        if path not in self._present:
            self._present[path] = text_of(view, path)
            self._rows[path] = _innermost(view.catalog.in_file(path))
        versions, step = compared(old, new), compared(new, self._present[path])
        if versions is None or step is None:
            return []
        rows = self._rows[path]
        found: dict[str, Symbol] = {}
        for hunk in versions.hunks:
            if hunk.new:
                owners = _at(rows, hunk.new, step)
            else:  # a deletion is in a symbol that has the lines before and after it
                around = [_at(rows, Lines(line, line), step) for line in (hunk.new.first - 1, hunk.new.first)]
                owners = [each for each in around[0] if each in around[1]]
            found.update({owner.id: owner for owner in owners})
        return list(found.values())


def _at(rows: Sequence[Symbol | None], lines: Lines, step: Versions) -> list[Symbol]:
    """Return the symbols that have these lines of an old version today.

    Parameters
    ----------
    rows
        The symbol of each line of today.
    step
        From the old version to that of today. Where lines were replaced by as many others since, each means the line
        in its place. Where their number changed, the symbol is only known if the lines around belong to the same one.
    """
    found: list[Symbol | None] = []
    for kept in step.kept(lines):
        found += rows[kept.first : kept.last + 1]
    for hunk in step.hunks:
        first, last = max(hunk.old.first, lines.first), min(hunk.old.last, lines.last)
        if first > last:
            continue
        if hunk.old.last - hunk.old.first == hunk.new.last - hunk.new.first:  # one line for one line
            shift = hunk.new.first - hunk.old.first
            found += rows[first + shift : last + shift + 1]
        else:
            around = [_row(rows, line) for line in (hunk.new.first - 1, hunk.new.last + 1)]
            found += around[:1] if around[0] is around[1] else []
    return [each for each in dict.fromkeys(found) if each is not None]


def _row(rows: Sequence[Symbol | None], line: int) -> Symbol | None:
    """Return the symbol of a line; None for a line without one."""
    return rows[line] if 0 < line < len(rows) else None


def _innermost(symbols: Sequence[Symbol]) -> list[Symbol | None]:
    """Return the innermost symbol of each line, by the number of the line. Modules and lambdas are left out."""
    rows: list[Symbol | None] = []
    for symbol in symbols:
        if symbol.kind in ("module", "lambda"):
            continue
        first, last = symbol.span.start_line, symbol.span.end_line
        rows += [None] * (last + 1 - len(rows))
        rows[first : last + 1] = [symbol] * (last + 1 - first)  # a member comes after its type
    return rows
