"""Record of a workspace's summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from codeexplore.types.brief import brief_repr
from codeexplore.types.files import Skipped
from codeexplore.types.kinds import SCHEMA_VERSION
from codeexplore.types.search import StageTime


@dataclass(frozen=True, slots=True)
class WorkspaceSummary:
    """Summary of a workspace: indexed files, symbols and edges, skipped files with reasons, and durations.

    Displays show the mappings in their order.
    """

    __repr__ = brief_repr

    name: str
    root: str  # folder of the sources, as the user gave it or with links resolved
    files: Mapping[str, int]  # language title → files
    symbols: Mapping[str, int]  # symbol kind → symbols
    chunks: int
    edges: Mapping[str, int]  # edge kind → resolved edges
    possible: int = 0  # edges that are only "possible by name"
    unresolved: int = 0  # references that resolve to nothing in the repository
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → files or folders
    stages: tuple[StageTime, ...] = ()
    warnings: tuple[str, ...] = ()
    bytes: int = 0  # of the indexed texts as UTF-8
    lines: int = 0
    with_errors: int = 0  # files with syntax errors; the symbols around them are kept
    encodings: Mapping[str, int] = field(default_factory=dict)  # encoding → files that are not UTF-8
    skipped_files: tuple[Skipped, ...] = ()  # every file and folder that `skipped` counts
    model: str = ""  # the embedding model
    graph: str = ""  # the reason why no edges are known; "" if references were resolved

    def to_dict(self) -> dict[str, object]:
        """Return the summary as plain data, with the schema's version."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["skipped_files"] = [item._asdict() for item in self.skipped_files]
        plain["stages"] = [item._asdict() for item in self.stages]
        return {"schema": SCHEMA_VERSION, "kind": "summary", **plain}
