"""Two states of a repository, each an overlay on the loaded index, and the rules by which files belong to them."""

from __future__ import annotations

import hashlib
import os
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.features.review.records import FileChange
from codeexplore.languages import registry
from codeexplore.source import filters
from codeexplore.workspace.refresh import Overlay, is_code_file

if TYPE_CHECKING:
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.snapshot import Index


WORKING_TREE = "the working tree"


@dataclass
class States:
    """The overlays of both states, changed files without symbols, and notices."""

    old: Overlay
    new: Overlay
    files: list[FileChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def is_same(index: Index, path: str, content: bytes) -> bool:
    """Return True if an indexed file has this content. Line ends and encodings are ignored."""
    if path not in index.sources:
        return False
    if hashlib.sha256(content, usedforsecurity=False).hexdigest() == index.origin.seen[path].sha256:
        return True
    return bytes(index.sources.data(path)).replace(b"\r\n", b"\n") == content.replace(b"\r\n", b"\n")


def is_manifest(path: str) -> bool:
    """Return True if by its name a file decides the names of modules, such as ``go.mod``."""
    name = posixpath.basename(path)
    return any(name in language.manifests for language in registry.languages())


def would_be_indexed(index: Index, path: str, options: LoadOptions) -> bool:
    """Return True if a file that is missing on disk would be indexed by its path.

    A file on disk that is not in the index was left out on purpose, so the result is False.
    """
    if not is_code_file(path) or path in index.origin.seen:
        return False
    if any(filters.by_name(part) for part in path.split("/")[:-1]):
        return False
    if options.only and not any(path == each or path.startswith(f"{each.rstrip('/')}/") for each in options.only):
        return False
    if any(each.path.endswith("/") and path.startswith(each.path) for each in index.summary.skipped_files):
        return False
    return not os.path.lexists(index.root / path)
