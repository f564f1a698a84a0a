"""State of a graph that is not complete: its missing parts, and the texts that report them."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from codeexplore.text.enumeration import shortened
from codeexplore.types import NextStep

GraphState: TypeAlias = Literal["ready", "outdated", "building", "failed"]

UNKNOWN = "calls, uses and supertypes are not known"
_NAMED = 3


class Pending(NamedTuple):
    """Missing parts of a graph.

    `families` are the language families that must be resolved. `paths` are the files whose edges are outdated or
    unknown.
    """

    families: frozenset[str]
    paths: tuple[str, ...]
    not_built: bool = False  # nothing was resolved yet, so that the graph has no edges
    reason: str = ""  # the reason that it is not being resolved; "" while it is

    @property
    def note(self) -> str:
        """The text about the missing parts that answers show."""
        if self.not_built and self.reason:
            return f"references were not resolved, so {UNKNOWN}: {self.reason}"
        if self.not_built:
            return f"the graph is still being built: {UNKNOWN} yet"
        older = f"the call graph is older than {shortened(self.paths, _NAMED)}"
        return f"{older}: it could not be updated, {self.reason}" if self.reason else f"{older}: it is being updated"

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        """What the user can do."""
        if not self.reason:
            return (NextStep("wait_for_graph", "waits for it"),)
        part = NextStep(
            "Workspace", "loads a part of a repository that is too large", ("path",), (("only", ["folder"]),)
        )
        return NextStep("wait_for_graph", "tries again"), part


def state_of(pending: Pending | None) -> GraphState:
    """Return the state of a graph with the missing parts `pending`; see `Workspace.graph_state`."""
    if pending is None:
        return "ready"
    if not pending.not_built:
        return "outdated"
    return "failed" if pending.reason else "building"
