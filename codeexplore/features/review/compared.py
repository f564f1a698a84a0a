"""The comparison of two states of a repository, for `Review.changes` and `Review.compare`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.match import match
from codeexplore.features.review.public_interface import with_breaking
from codeexplore.features.review.records import Comparison, Side
from codeexplore.features.review.states import States, states_of
from codeexplore.features.review.tests.commands import BUILD_FILES, PYTEST_FILES
from codeexplore.source.manifests import MAX_MANIFEST_BYTES
from codeexplore.source.safe_io import read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.types import Skipped
from codeexplore.types.errors import GitError
from codeexplore.workspace.refresh import with_files
from codeexplore.workspace.snapshot import Index

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress

_CONFLICT = re.compile(rb"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)


def references(root: Path) -> tuple[str, ...]:
    """Return the names of branches and tags of the repository around a folder; none outside of a repository."""
    try:
        return tuple(GitObjects(root).references())
    except GitError:  # the comparison itself reports the problem
        return ()


def compared(
    index: Index,
    base: str | os.PathLike[str] | Index,
    options: LoadOptions,
    progress: Progress,
    *,
    untracked: bool = True,
    newer: bool = False,
) -> Comparison:
    """Compare two states; see `Review.changes` and `Review.compare`. With `newer`, `base` is the later state.

    Raises GitError, PatchError, RootNotFound, SourceError, and QuestionError if `base` is neither a text nor a path.
    """
    states = states_of(index, base, options, progress, untracked)
    if newer:
        states.old, states.new = states.new, states.old
    found = [with_files(index, overlay, options, progress) for overlay in (states.old, states.new)]
    old, new = (
        Side(overlay.label, each.sources, each.files, each.catalog, each.contents, each.graph)
        for overlay, each in zip((states.old, states.new), found, strict=True)
    )
    progress.check()
    matched = match(old, new)
    notes = [*states.notes, *matched.notes, *_conflicts(index, states)]
    notes += _skipped([skipped for each in found for skipped in each.skipped])
    changes = with_breaking(matched.changes, matched.counterpart, old, new)
    known = {symbol.path for change in changes for symbol in (change.old, change.new) if symbol is not None}
    files = {each.path: each for each in (*states.files, *matched.texts) if each.path not in known}
    reference = base if isinstance(base, str) and "\n" not in base else ""
    said = tuple(dict.fromkeys(notes))
    sorted_files, build_files = tuple(sorted(files.values())), _build_files(index.root)
    return Comparison(old, new, changes, matched.counterpart, sorted_files, said, build_files, reference)


def _build_files(root: Path) -> dict[str, str]:
    found = {}
    for name in (*BUILD_FILES, *PYTEST_FILES):
        try:
            found[name] = read_regular(root / name, MAX_MANIFEST_BYTES).decode("utf-8", "replace")
        except OSError:  # most repositories have none
            continue
    return found


def _conflicts(index: Index, states: States) -> list[str]:
    """Return a note about changed files with conflict markers, which hide definitions."""
    paths = [path for path in (*states.old.written, *states.old.removed) if path in index.sources]
    marked = [path for path in paths if _CONFLICT.search(bytes(index.sources.data(path)))]
    marked += [path for path, data in states.new.written.items() if _CONFLICT.search(data)]
    if not marked:
        return []
    shown = shortened(sorted(marked), 3)
    return [f"Merge conflicts are not resolved in {shown}: symbols around their markers may be wrong or missing."]


def _skipped(skipped: list[Skipped]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for each in skipped:
        by_reason.setdefault(each.reason, []).append(each.path)
    said = {reason: ", ".join(paths[:3]) + (" …" if len(paths) > 3 else "") for reason, paths in by_reason.items()}
    return [f"Not compared, {reason}: {paths}" for reason, paths in said.items()]
