"""Discovery of the files of a folder to index, and of the reasons for skipping the other files.

`discover` only lists files. It opens ignore files, and it reads the first line of scripts without an extension.

It chooses the files that git regards as part of the repository: tracked files, and untracked files that are not
ignored. It leaves out build directories (`filters`), files of unknown languages and files that are too large. A
``.codeexploreignore`` (same syntax as ``.gitignore``, in any folder) has precedence: its lines hide more files, its
``!lines`` include files again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeexplore import settings
from codeexplore.errors import NothingToIndex, RootNotAFolder, RootNotFound, SourceError
from codeexplore.source import skip_reasons
from codeexplore.source.candidates import Candidate, Languages
from codeexplore.source.walk import Walk
from codeexplore.source.walk_cache import ScanCache
from codeexplore.types import NextStep, Skipped

__all__ = ["Candidate", "Discovery", "Languages", "discover", "nothing_to_index", "resolve_root"]


@dataclass(frozen=True, slots=True)
class Discovery:
    """Result of a walk over a folder. Both tuples are sorted by path, in the order of code points."""

    root: Path  # absolute, links resolved
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]  # a folder that was not entered is one entry, its path ends in "/"
    memory: ScanCache | None = field(default=None, compare=False, repr=False)  # for the next walk


def discover(
    root: str | os.PathLike[str],
    *,
    only: Sequence[str] = (),
    max_bytes: int = settings.MAX_FILE_BYTES,
    include_ignored: bool = False,
    resources: bool = True,
    languages: Languages | None = None,
    before: ScanCache | None = None,
) -> Discovery:
    """List the files of a folder that are worth indexing.

    Parameters
    ----------
    root
        The folder. If it is inside an ignored folder or among installed packages, only the ignore rules inside it
        count.
    only
        Files and folders below the root, relative to it. The walk is limited to these entries. An entry named here is
        included even if a rule would hide it; the rules still apply to files inside a named folder.
    max_bytes
        Size limit per file. Notebooks have their own limit, because their pictures are not indexed.
    include_ignored
        Also include files that git ignores, and folders that look like build results. Build directories known by name
        and entries in ``.codeexploreignore`` are still excluded.
    resources
        Also list files that are not code: configuration, schemas, templates, styles and other text.
    languages
        Functions that find the language of a file. None means `codeexplore.languages.registry`.
    before
        `Discovery.memory` of an earlier walk, which saves time: folders that did not change since then are not
        listed again.

    Raises
    ------
    RootNotFound, RootNotAFolder
        The root, or an entry of `only`, does not exist.
    SourceError
        The root can't be listed, or an entry of `only` is outside it.
    """
    if languages is None:
        from codeexplore.languages import registry

        languages = registry
    folder = resolve_root(root)
    walk = Walk(folder, languages, max_bytes, include_ignored, before, resources)
    if only:
        named = {_inside(folder, entry) for entry in only}
        for entry in sorted(named):
            if not any(entry.startswith(f"{other}/") for other in named):  # its entries are included with it
                walk.named(entry)
    else:
        walk.everything()
    return Discovery(folder, tuple(sorted(walk.candidates)), tuple(sorted(walk.skipped)), walk.memory)


def resolve_root(root: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a folder to explore, with links resolved.

    Raises
    ------
    RootNotFound, RootNotAFolder, SourceError
        See `discover`.
    """
    given = os.fspath(root)
    if not given.strip():
        raise RootNotFound("the path is empty; give a folder, '.' for the current folder")
    try:
        folder = Path(given).expanduser().resolve(strict=True)
        is_folder = folder.is_dir()
    except FileNotFoundError as error:
        text, steps = _other_way(given)
        raise RootNotFound(f"there is no folder {given!r}. {text}", next_steps=steps) from error
    except PermissionError as error:
        raise SourceError(f"{given!r} may not be read by this user: {error.strerror}") from error
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL
        raise RootNotFound(f"{given[:200]!r} can't be a folder: {error}") from error
    if not is_folder:
        raise RootNotAFolder(f"{given!r} is a file; give its folder, {str(folder.parent)!r}")
    return folder


def nothing_to_index(root: Path, skipped: Sequence[Skipped]) -> NothingToIndex:
    """Return the error for a folder without any file to index.

    The message counts the reasons for skipping its files.
    """
    if not skipped:
        return NothingToIndex(f"{str(root)!r} is empty; give a folder that contains source files")
    counts = skip_reasons.counts(skipped)
    found = ", ".join(f"{reason}: {count:,}" for reason, count in counts.items())
    steps = ["Give another folder"]
    if skip_reasons.IGNORED in counts or skip_reasons.ARTEFACTS in counts:
        steps.append("include ignored files (include_ignored=True)")
    if skip_reasons.MINIFIED in counts or skip_reasons.GENERATED in counts:
        steps.append("include a file again by a line !path in .codeexploreignore")
    if skip_reasons.TOO_LARGE in counts:
        steps.append("raise the limit (max_file_bytes)")
    return NothingToIndex(
        f"{str(root)!r} contains no file that could be indexed. Skipped: {found}. {', or '.join(steps)}"
    )


def _other_way(given: str) -> tuple[str, tuple[NextStep, ...]]:
    """Return a sentence on what was given, and the calls that may have been meant."""
    where = f"The current folder is {str(Path.cwd())!r}."
    if "://" in given or given.startswith("git@"):
        return where, (NextStep("Workspace.from_git", "clones a repository", (given,)),)
    if given.replace(".", "_").isidentifier():
        does = "explores an installed package of that name"
        return where, (NextStep("Workspace.from_package", does, (given,)),)
    return where, ()


def _inside(root: Path, entry: str) -> str:
    """Return `entry`, an entry of `only`, as a POSIX path relative to the root.

    Raises SourceError if it is outside the root.
    """
    parts = Path(entry).parts
    if not parts or Path(entry).is_absolute() or ".." in parts:
        raise SourceError(f"only={entry!r} is outside of {str(root)!r}; give paths relative to that folder")
    return "/".join(parts)
