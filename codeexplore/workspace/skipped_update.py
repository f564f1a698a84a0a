"""Update of an index when nothing that is indexed has changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from codeexplore.source.discovery import Discovery
from codeexplore.workspace.fingerprints import Fingerprint
from codeexplore.workspace.snapshot import Index
from codeexplore.workspace.summary import counted


def with_skipped(old: Index, found: Discovery, origin: Fingerprint) -> Index:
    """Return the same index with a new summary, which lists the files that are skipped now."""
    skipped = (*found.skipped, *(seen.skipped for seen in origin.seen.values() if seen.skipped))
    if old.origin is origin and Counter(skipped) == Counter(old.summary.skipped_files):
        return old
    summary = replace(old.summary, skipped=counted(item.reason for item in skipped), skipped_files=skipped)
    return replace(old, summary=summary, origin=origin)
