"""The two states that another version of the files means: a folder, an archive or another loaded workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.review.archive import Alignment, aligned, read_archive
from codeexplore.features.review.states import States, is_manifest, is_same, would_be_indexed
from codeexplore.source.discovery import discover
from codeexplore.source.manifests import manifests_of
from codeexplore.source.safe_io import read_regular
from codeexplore.types.errors import SourceError
from codeexplore.workspace.refresh import Overlay, is_code_file, manifest_texts

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.snapshot import Index


def states_from_folder(index: Index, folder: Path, options: LoadOptions) -> States:
    """Return the states for a folder with an earlier version of the same files."""
    found = discover(
        folder, only=options.only, max_bytes=options.max_file_bytes, include_ignored=options.include_ignored
    )
    moved = aligned(index.sources, [each.path for each in found.candidates]) != Alignment("", "")
    written: dict[str, bytes] = {}
    notes = []
    for candidate in found.candidates:
        try:
            data = read_regular(
                f"{found.root}{os.sep}{candidate.path}", max(options.max_file_bytes, candidate.size) + 1
            )
        except OSError as error:
            notes.append(f"{candidate.path} of {folder.name} can't be read: {error.strerror or error}")
            continue
        if moved or not is_same(index, candidate.path, data):
            written[candidate.path] = data
    manifests = manifests_of(found.root, [(each.path, each.language) for each in found.candidates])
    now = manifest_texts(index)
    if moved:
        files = written | {path: text.encode() for path, text in manifests.items()}
        states = _of_files(index, files, folder.name, options)
        states.notes += notes
        return states
    written |= {path: text.encode() for path, text in manifests.items() if now.get(path) != text}
    there = {each.path for each in found.candidates} | manifests.keys()
    lacking = frozenset(path for path in (*index.sources, *now) if path not in there)
    return States(Overlay(str(folder), written, lacking), Overlay(str(index.root)), notes=notes)


def states_from_archive(index: Index, path: Path, options: LoadOptions) -> States:
    """Return the states for a wheel, an sdist or another archive with a version of the same files."""
    read = read_archive(path, lambda name: is_code_file(name) or is_manifest(name), options.max_file_bytes)
    states = _of_files(index, read.files, path.name, options)
    states.notes += [f"Left out of {path.name}: {count:,} {reason}." for reason, count in read.left_out.items()]
    return states


def states_from_index(index: Index, other: Index) -> States:
    """Return the states for another workspace with a version of the same files."""
    files = {path: bytes(other.sources.data(path)) for path in other.sources}
    files |= {path: text.encode() for path, text in manifest_texts(other).items()}
    return _of_files(index, files, other.name, None)


def _of_files(index: Index, files: Mapping[str, bytes], label: str, options: LoadOptions | None) -> States:
    """Return the states for a version of the files whose folders may have other names.

    Only the top folders that both versions have are compared: a wheel has no tests. Of an archive, only code is.

    Raises SourceError if no file of the version has the name of a loaded one.

    Parameters
    ----------
    options
        Files that these options leave out are not compared; None compares all.
    """
    now = manifest_texts(index)
    alignment = aligned(index.sources, files)
    placed = {at: data for path, data in files.items() if (at := alignment.of(path)) is not None}
    if not any(path in index.sources for path in placed):
        raise SourceError(f"{label} has no file that is also in {index.name}; is it another project?")
    tops = {_top(path, alignment.add) for path in placed}
    written = {
        path: data
        for path, data in placed.items()
        if not is_same(index, path, data)
        and now.get(path) != data.decode("utf-8", "replace")
        and (path in index.sources or options is None or is_manifest(path) or would_be_indexed(index, path, options))
    }
    lacking = frozenset(
        path
        for path in (*index.sources, *now)
        if path not in placed
        and _top(path, alignment.add) in tops
        and (options is None or is_code_file(path) or is_manifest(path))
    )
    notes = [f"Compared below {alignment.add} only."] if alignment.add else []
    return States(Overlay(label, written, lacking), Overlay(index.name), notes=notes)


def _top(path: str, inside: str) -> str | None:
    """Return the first folder of a path below the folder `inside`, "" without one; None for a path outside of it."""
    if not path.startswith(inside):
        return None
    return path[len(inside) :].rpartition("/")[0].partition("/")[0]
