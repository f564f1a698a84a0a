"""Entry points by which other packages register features and languages, read from trusted folders only."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.trusted_imports import search_path

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_METADATA: Final = ("dist-info", "egg-info")


@cache
def entry_points_of(group: str) -> tuple[tuple[str, EntryPoint], ...]:
    """Return the entry points of a group, each with the name and the version of its package.

    Packages in the working folder and in explored repositories are not read: they would choose what is imported. Of the
    other packages, only those that name the group are parsed: 4 ms for 213 packages, of which `importlib.metadata`
    parses all in 40 ms.
    """
    found: dict[tuple[str, str], tuple[str, EntryPoint]] = {}
    for folder in chain(*search_path()):
        for file in chain.from_iterable(Path(folder).glob(f"*.{end}/entry_points.txt") for end in _METADATA):
            if _names_group(file, group):
                from importlib.metadata import PathDistribution

                package = PathDistribution(file.parent)
                for point in package.entry_points:
                    if point.group == group:  # of two versions of a package, Python imports the first
                        found.setdefault((package.name, point.name), (f"{package.name} {package.version}", point))
    return tuple(found.values())


def _names_group(file: Path, group: str) -> bool:
    try:
        return group.encode() in file.read_bytes()
    except OSError:  # a package that cannot be read has no entry points to importlib.metadata either
        return False
