"""What is told of a state: its summary when nothing that is indexed has changed, and what its graph lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from codeexplore.source.discover import Discovery
from codeexplore.workspace.index import Index
from codeexplore.workspace.origin import Origin
from codeexplore.workspace.summing import counted

_NAMED = 3


def pending_note(paths: Sequence[str]) -> str:
    """What answers about a graph say while edges of some files are provisional; "" when there are none."""
    if not paths:
        return ""
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    told = f"edges of {', '.join(paths[:_NAMED])}{more} are being renewed"
    return f"{told}; until then they are those of before, and what files near the edit tell"


def retold(old: Index, found: Discovery, origin: Origin) -> Index:
    """The same index, its summary telling what is skipped now."""
    skipped = (*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped))
    if old.origin is origin and Counter(skipped) == Counter(old.summary.skipped_files):
        return old
    summary = replace(old.summary, skipped=counted(item.reason for item in skipped), skipped_files=skipped)
    return replace(old, summary=summary, origin=origin)
