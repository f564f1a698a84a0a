"""The two states that a reference or a range of git means.

Files of a commit that are equal to indexed ones are not read again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codeexplore.features.review.git_objects import GitObjects, Tree, TreeFile, object_id
from codeexplore.features.review.records import FileChange
from codeexplore.features.review.states import WORKING_TREE, States, is_manifest, is_same, would_be_indexed
from codeexplore.source.git_index import IndexFormatError, worktree_around
from codeexplore.source.safe_io import read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.types.errors import GitError
from codeexplore.workspace.refresh import Overlay, is_code_file, manifest_texts

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.snapshot import Index

_RANGE = re.compile(r"^(?P<old>.*?)(?P<dots>\.\.\.?)(?P<new>.*)$", re.DOTALL)
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MOST_DATA_BYTES = 8 << 20  # of a file without symbols whose content is compared


def states_from_git(index: Index, base: str, options: LoadOptions, progress: Progress, untracked: bool) -> States:
    """Return the states of a reference or range.

    Raises GitError if the folder is in no repository, or if the repository has no such commit.
    """
    objects = GitObjects(index.root, progress.cancel)
    between = _RANGE.match(base)
    if between is None:
        commit = objects.commit(base)
        tree = objects.tree(commit)
        hidden = {path for path in objects.left_out() & tree.files.keys() if not os.path.lexists(index.root / path)}
        tree = tree._replace(files={path: file for path, file in tree.files.items() if path not in hidden})
        states = States(_of_tree(index, tree, objects, _shown(base), options), Overlay(WORKING_TREE))
        states.files += _data_changes_on_disk(index, tree, objects)
        if not untracked:
            states.old = _with_untracked(index, states.old)
        states.notes += _notes_of(tree)
        if hidden:
            states.notes.append(
                f"{len(hidden):,} files that the sparse checkout leaves out were not compared. A range, {base}..HEAD, "
                "compares all files."
            )
        return states
    names = between["old"] or "HEAD", between["new"] or "HEAD"
    first, second = (objects.commit(name) for name in names)
    label, target = map(_shown, names)
    if between["dots"] == "...":
        first = objects.merge_base(first, second)
        label = f"the merge base {first[:10]} of {label} and {target}"
    trees = objects.tree(first), objects.tree(second)
    states = States(
        _of_tree(index, trees[0], objects, label, options), _of_tree(index, trees[1], objects, target, options)
    )
    written = states.old.written.keys() | states.new.written.keys()
    states.files += _data_changes(index, *trees, written)
    states.notes += _notes_of(*trees)
    return states


def _shown(reference: str) -> str:
    """Return a reference for displays. A whole id of a commit is cut to ten digits."""
    return reference[:10] if _ID.fullmatch(reference) else reference


def _of_tree(index: Index, tree: Tree, objects: GitObjects, label: str, options: LoadOptions) -> Overlay:
    """Return the overlay of a commit.

    It has the source files that differ from the index, and the indexed files that the commit lacks.
    """
    manifests = manifest_texts(index)
    wanted: dict[str, TreeFile] = {}
    for path, file in tree.files.items():
        if path in index.sources:
            if object_id(index.sources.data(path), file.id) != file.id:
                wanted[path] = file
        elif is_manifest(path):
            if path not in manifests or object_id(manifests[path].encode(), file.id) != file.id:
                wanted[path] = file
        elif would_be_indexed(index, path, options):
            wanted[path] = file
    wanted = {path: file for path, file in wanted.items() if file.size <= options.max_file_bytes}
    contents = objects.contents(wanted.values())
    written = {path: contents[file.id] for path, file in wanted.items() if not is_same(index, path, contents[file.id])}
    below = tuple(f"{path}/" for path in tree.submodules)
    lacking = {path for path in (*index.sources, *manifests) if path not in tree.files and not path.startswith(below)}
    return Overlay(label, written, frozenset(lacking))


def _with_untracked(index: Index, overlay: Overlay) -> Overlay:
    """Return the overlay with untracked files in both states, so that they are no difference."""
    worktree = worktree_around(index.root)
    if worktree is None:
        return overlay
    below = index.root.relative_to(worktree.top).as_posix()
    prefix = "" if below == "." else f"{below}/"
    try:
        tracked = worktree.tracked
    except IndexFormatError as error:
        raise GitError(f"git's index can't be read: {error}; leave out untracked=False") from error
    return Overlay(
        overlay.label, overlay.written, frozenset(p for p in overlay.removed if tracked.has(os.fsencode(prefix + p)))
    )


def _data_changes_on_disk(index: Index, tree: Tree, objects: GitObjects) -> list[FileChange]:
    """Return the files without symbols that differ between a commit and the work tree."""
    found = []
    unsure: dict[str, tuple[TreeFile, bytes]] = {}
    for path, file in tree.files.items():
        if path in index.sources or is_manifest(path):
            continue
        try:
            data = read_regular(f"{index.root}/{path}", _MOST_DATA_BYTES + 1)
        except FileNotFoundError:
            if not is_code_file(path):
                found.append(FileChange(path, "removed"))
            continue
        except OSError:
            continue
        if len(data) > _MOST_DATA_BYTES:
            if file.size <= _MOST_DATA_BYTES:
                found.append(FileChange(path, "changed"))
        elif object_id(data, file.id) != file.id:
            unsure[path] = (file, data)
    contents = objects.contents(file for file, _ in unsure.values() if file.size <= _MOST_DATA_BYTES)
    for path, (file, data) in unsure.items():
        content = contents.get(file.id)
        filtered = content is not None and (
            content.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")
            or content.startswith(b"version https://git-lfs")
        )
        if not filtered:
            found.append(FileChange(path, "changed"))
    return found


def _data_changes(index: Index, old: Tree, new: Tree, written: Iterable[str]) -> list[FileChange]:
    """Return the files without symbols, and the submodules, that differ between two commits."""
    known = {*index.sources, *written}
    found = []
    for path in old.files.keys() | new.files.keys():
        if path in known or is_code_file(path):
            continue
        before, after = old.files.get(path), new.files.get(path)
        if before is None or after is None:
            found.append(FileChange(path, "added" if before is None else "removed"))
        elif before.id != after.id:
            found.append(FileChange(path, "changed"))
    for path in old.submodules.keys() & new.submodules.keys():
        if old.submodules[path] != new.submodules[path]:
            span = f"from {old.submodules[path][:10]} to {new.submodules[path][:10]}"
            note = f"submodule, {span}; its files are not compared"
            found.append(FileChange(path, "changed", note))
    return found


def _notes_of(*trees: Tree) -> list[str]:
    notes = []
    unnamed = max(tree.unnamed for tree in trees)
    if unnamed:
        files = "1 file" if unnamed == 1 else f"{unnamed} files"
        notes.append(f"{files} of the commit with a name that is not UTF-8 were not compared.")
    modules = sorted({path for tree in trees for path in tree.submodules})
    if modules:
        notes.append(f"Files of submodules are not compared: {shortened(modules, 3)}.")
    return notes
