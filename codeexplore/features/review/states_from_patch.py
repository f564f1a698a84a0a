"""The two states that a patch means: the loaded files and the files before or after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codeexplore.features.review.patch import FilePatch, applied, parse_patch
from codeexplore.features.review.records import FileChange
from codeexplore.features.review.states import WORKING_TREE, States
from codeexplore.types.errors import PatchError
from codeexplore.workspace.refresh import Overlay, is_code_file

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index


def states_from_patch(index: Index, data: bytes, label: str) -> States:
    """Return the states for a patch.

    The patch is applied if it fits. Otherwise the files already contain it, and it is undone.
    """
    patches = _placed(index, parse_patch(data))
    try:
        after = _patched(index, patches, backwards=False)
    except PatchError as error:
        try:
            before = _patched(index, patches, backwards=True)
        except PatchError:
            raise PatchError(
                f"the patch does not apply: {error}. It must fit the files as they are, or as they were before it"
            ) from error
        states = States(before, Overlay(str(index.root)))
        states.old = Overlay(f"before {label}", before.written, before.removed)
    else:
        states = States(Overlay(WORKING_TREE), Overlay(f"after {label}", after.written, after.removed))
    for patch in patches:
        if patch.binary or not is_code_file(patch.new or patch.old):
            note = "binary" if patch.binary else ""
            if not patch.old:
                states.files.append(FileChange(patch.new, "added", note))
            else:
                states.files.append(FileChange(patch.new or patch.old, "changed" if patch.new else "removed", note))
    return states


def _placed(index: Index, patches: list[FilePatch]) -> list[FilePatch]:
    """Return the patches with paths relative to the loaded folder. As many leading folders as necessary are removed."""
    for strip in range(4):
        stripped = [FilePatch(_stripped(p.old, strip), _stripped(p.new, strip), p.hunks, p.binary) for p in patches]
        known = [p for p in stripped if p.old in index.sources or p.new in index.sources]
        if known:
            pairs = zip(stripped, patches, strict=True)
            return [patch for patch, whole in pairs if (patch.old or patch.new) and _depth(whole) > strip]
    return patches


def _depth(patch: FilePatch) -> int:
    return min(each.count("/") + 1 for each in (patch.old, patch.new) if each)


def _stripped(path: str, parts: int) -> str:
    return "/".join(path.split("/")[parts:])


def _patched(index: Index, patches: Iterable[FilePatch], *, backwards: bool) -> Overlay:
    """Return the overlay of the index after the patches were applied or, with `backwards`, undone.

    Raises PatchError if a file is missing or exists already, or if a hunk does not fit.
    """
    written: dict[str, bytes] = {}
    removed: set[str] = set()
    for patch in patches:
        before, after = (patch.new, patch.old) if backwards else (patch.old, patch.new)
        if patch.binary:
            continue
        if before and before not in index.sources and before not in written:
            if os.path.lexists(index.root / before):
                continue  # a file without symbols
            raise PatchError(f"there is no file {before!r}, which the patch changes")
        if not before and after in index.sources:
            raise PatchError(f"the patch adds {after!r}, which exists")
        data = (
            written.get(before, bytes(index.sources.data(before)) if before in index.sources else b"")
            if before
            else b""
        )
        made = applied(patch, data, backwards=backwards)
        if before and before != after:
            written.pop(before, None)
            removed.add(before)
        if after:
            written[after] = made
            removed.discard(after)
    return Overlay("", written, frozenset(removed))
