"""The workspaces of a session side by side, as ``%workspace list`` shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from codeexplore.types import WorkspaceSummary


class BoundWorkspace(NamedTuple):
    """One workspace under the name of its variable; `current` is the one that magics ask."""

    name: str
    summary: WorkspaceSummary
    current: bool


@dataclass(frozen=True, slots=True, repr=False)
class WorkspaceList(Sequence[BoundWorkspace]):
    """Workspaces in the order in which they were bound."""

    workspaces: tuple[BoundWorkspace, ...]

    @overload
    def __getitem__(self, index: int) -> BoundWorkspace: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[BoundWorkspace, ...]: ...
    def __getitem__(self, index: int | slice) -> BoundWorkspace | tuple[BoundWorkspace, ...]:
        return self.workspaces[index]

    def __len__(self) -> int:
        return len(self.workspaces)

    def __repr__(self) -> str:
        from codeexplore.results.text.source import workspaces_text

        return workspaces_text(self)
