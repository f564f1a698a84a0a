"""The sample repositories that are part of codeexplore, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from codeexplore.types.errors import RootNotFound

_PACKAGE = Path(__file__).resolve().parents[1]


def samples_folder() -> Path:
    """Return the folder of the sample repositories.

    In a checkout of the source it is beside the package; in an installed wheel it is inside the package. If both exist,
    the first is returned, because the copy in the package may be older. Raises RootNotFound if there is none.
    """
    for folder in (_PACKAGE.parent / "sample_repos", _PACKAGE / "sample_repos"):
        # site-packages may contain another project's sample_repos: ours is beside our pyproject
        if folder.is_dir() and (folder.parent == _PACKAGE or (_PACKAGE.parent / "pyproject.toml").is_file()):
            return folder
    raise RootNotFound(f"no sample repositories beside or in {_PACKAGE}: reinstall codeexplore")


def sample_names() -> tuple[str, ...]:
    folders = (entry.name for entry in samples_folder().iterdir() if entry.is_dir())
    return tuple(sorted(name for name in folders if not name.startswith((".", "_"))))


def sample_repo(name: str = "webshop") -> Path:
    """Return the folder of one sample repository. Raises RootNotFound, whose message lists the names."""
    names = sample_names()
    if name not in names:
        raise RootNotFound(f"no sample repository is called {name!r}; there are: {', '.join(names) or 'none'}")
    return samples_folder() / name
