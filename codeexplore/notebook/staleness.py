"""Check if a displayed answer is older than the files, the workspace or the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codeexplore.text.enumeration import shortened
from codeexplore.types.errors import CodeExploreError

if TYPE_CHECKING:
    from codeexplore.source.changes import Changes
    from codeexplore.workspace.snapshot import GraphState
    from codeexplore.workspace.workspace import Workspace

_NAMED = 3
RENEW = "Bring up to date"


class Snapshot(NamedTuple):
    """State of the workspace when an answer was found.

    A refresh makes a new catalog. If the graph becomes ready later, there is a new search engine.
    """

    workspace: Workspace
    catalog: object
    engine: object
    graph: GraphState

    @classmethod
    def of(cls, workspace: Workspace) -> Snapshot:
        graph = workspace.graph_state  # read first, so that a graph that is ready in the meantime counts as newer
        return cls(workspace, workspace.catalog, workspace.engine, graph)

    def is_current(self) -> bool:
        return self.catalog is self.workspace.catalog and self.engine is self.workspace.engine

    def overtaken_by_graph(self) -> bool:
        """Return True if only the graph has changed since then: it was being built and is now ready."""
        return self.graph == "building" and self.catalog is self.workspace.catalog and not self.is_current()


def staleness(snapshot: Snapshot) -> dict[str, object]:
    """Return what is newer than an answer: `text` for the user, and `again` if the page repeats the question itself.

    `step` is the title of the button beside the text; "" if there is nothing to press.
    """
    workspace = snapshot.workspace
    if snapshot.overtaken_by_graph():
        return {"text": "", "again": True, "step": ""}
    if not snapshot.is_current():
        return {"text": "The workspace has been refreshed since this answer.", "again": False, "step": RENEW}
    if snapshot.graph == "building":
        return {"text": "The answer and the callers are updated when the graph is ready.", "again": False, "step": ""}
    try:
        changes = workspace.stale()
    except CodeExploreError as error:  # the files are not on this machine (any more): the answer is still valid
        said = f"It is not known whether this answer is up to date: {error}"
        return {"text": said, "again": False, "step": RENEW}
    missing = workspace.summary.graph if snapshot.graph == "failed" else ""
    said = " ".join(filter(None, (missing and f"{missing[0].upper()}{missing[1:]}.", changes_text(changes))))
    return {"text": said, "again": False, "step": ("Try again" if missing else RENEW) if said else ""}


def changes_text(changes: Changes) -> str:
    """Return a line that reports changed, added and removed files; "" if there are none."""
    if not changes:
        return ""
    counts = (("changed", changes.changed), ("added", changes.added), ("removed", changes.removed))
    numbers = ", ".join(f"{len(paths):,} {word}" for word, paths in counts if paths)
    paths = [path for _, group in counts for path in group]
    return f"This answer is older than the files: {numbers} ({shortened(paths, _NAMED)})."
