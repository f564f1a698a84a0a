"""List of the workspaces of a session, as ``%workspace list`` shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from codeexplore.answers.blocks import Block, Heading, Piece, Row, Table
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import counts, plural
from codeexplore.types import WorkspaceSummary


class BoundWorkspace(NamedTuple):
    """One workspace with the name of its variable. `current` is True for the workspace that magics use."""

    name: str
    summary: WorkspaceSummary
    current: bool


@dataclass(frozen=True, slots=True, repr=False)
class WorkspaceList(Shown, Sequence[BoundWorkspace]):
    """Workspaces in the order in which they were assigned to variables."""

    workspaces: tuple[BoundWorkspace, ...]

    @overload
    def __getitem__(self, index: int) -> BoundWorkspace: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[BoundWorkspace, ...]: ...
    def __getitem__(self, index: int | slice) -> BoundWorkspace | tuple[BoundWorkspace, ...]:
        return self.workspaces[index]

    def __len__(self) -> int:
        return len(self.workspaces)

    def blocks(self) -> list[Block]:
        """Return a row for each workspace. The workspace that magics use is marked."""
        rows = [
            Row((
                "▸" if each.current else "",
                Piece(each.name, "strong"),
                each.summary.name,
                f"{plural(sum(each.summary.files.values()), 'file')} · {counts(each.summary.files)}",
                plural(sum(each.summary.symbols.values()), "symbol"),
            ))
            for each in self
        ]  # fmt: skip
        current = any(each.current for each in self)
        title = "No workspaces" if not rows else "Workspaces; magics use the one marked ▸" if current else "Workspaces"
        return [Heading(title), Table("", ("", "variable", "name", "files", "symbols"), rows)]
