"""What a graph lacks, and what is told of it."""

from __future__ import annotations

from typing import NamedTuple

UNKNOWN = "who calls, uses or extends what is not known"
_NAMED = 3


class Pending(NamedTuple):
    """What a graph lacks: families to be resolved, and the files whose edges are from before, or not known at all."""

    families: frozenset[str]
    paths: tuple[str, ...]
    unmade: bool = False  # nothing was resolved yet, so that the graph has no edges
    reason: str = ""  # why nobody is resolving it; "" while somebody is

    @property
    def note(self) -> str:
        """What answers say."""
        if self.unmade and self.reason:
            return f"references were not resolved, so {UNKNOWN}: {self.reason}"
        if self.unmade:
            return f"the graph is still being made: {UNKNOWN} yet"
        more = f" and {len(self.paths) - _NAMED} more" if len(self.paths) > _NAMED else ""
        edges = f"edges of {', '.join(self.paths[:_NAMED])}{more}"
        held = "those of before, and what files near the edit tell"
        if self.reason:
            return f"{edges} are {held}: {self.reason}"
        return f"{edges} are being renewed; until then they are {held}"

    @property
    def next_step(self) -> str:
        """What a person can do about it."""
        if not self.reason:
            return "ws.wait_for_graph() waits for it"
        return "ws.wait_for_graph() tries again; Workspace(path, only=…) loads a part of a repository that is too large"
