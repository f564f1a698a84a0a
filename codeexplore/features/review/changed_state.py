"""Another state of a loaded repository: the index with some files replaced, added or removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeexplore.features.review.records import Side
from codeexplore.types import Skipped
from codeexplore.workspace.refresh import Overlay, with_files

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.snapshot import Index


@dataclass(frozen=True)
class OtherState:
    """A state, and the files of this state that were not analysed."""

    side: Side
    skipped: tuple[Skipped, ...] = ()


def state_of(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> OtherState:
    """Return the state that an overlay describes. Raises LoadCancelled."""
    found = with_files(index, overlay, options, progress)
    side = Side(overlay.label, found.sources, found.files, found.catalog, found.contents, found.graph)
    return OtherState(side, found.skipped)
