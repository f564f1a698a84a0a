"""Search for the sources of an importable package, without importing it."""

from __future__ import annotations

import difflib
import importlib.machinery
import importlib.metadata
import os
import pkgutil
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from codeexplore.trusted_imports import find_anywhere
from codeexplore.types.errors import PackageNotFound

_SOURCE = (".py", ".pyi")


@dataclass(frozen=True, slots=True)
class PackageSource:
    """Sources of a package, for ``discover(root, only=only)``.

    The root is the folder that contains the package, so that paths start with the package's name as imports do.
    """

    name: str  # dotted, as the caller gave it
    root: Path
    only: tuple[str, ...]  # files and folders below the root, POSIX


@dataclass(frozen=True, slots=True)
class _Place:
    """A module on disk: its file, or the folders of a package."""

    file: Path | None = None
    folders: tuple[Path, ...] = ()
    compiled: str = ""  # if there is no Python source: the reason, for the message


def find_package(package: str | ModuleType) -> PackageSource:
    """Find the installed sources of a package or module.

    A package is explored as a whole, a subpackage (``xml.etree``) as its own folder. A module (``six``,
    ``http.client``) is explored as a single file: to see who uses it, name the package that contains it (``http``). If
    a namespace package has portions in several folders, the first portion with sources is explored, in the order of
    import.

    Parameters
    ----------
    package
        An import name, dotted or not, or a module object.

    Raises
    ------
    PackageNotFound
        Nothing of that name is installed, or it has no Python sources. The message suggests similar names, or names the
        next step.
    """
    name = package.__name__ if isinstance(package, ModuleType) else package.strip()
    if name == "__main__":
        raise PackageNotFound("the running script or notebook is not a package; load the folder that contains it")
    loaded = package if isinstance(package, ModuleType) else sys.modules.get(name)  # also aliases: os.path is posixpath
    place = (None if loaded is None else _of_module(loaded)) or _find(name)
    if place.compiled:
        raise PackageNotFound(f"{name!r} {place.compiled}: there is no Python source to explore{_inside(name)}")
    if place.file is not None:
        return _source(name, place.file)
    portions = [folder for folder in place.folders if _has_source(folder)]
    if not portions:
        where = ", ".join(str(folder) for folder in place.folders) or "nowhere"
        raise PackageNotFound(f"{name!r} contains no Python source (searched in {where}); it may be compiled")
    return _source(name, portions[0])


def _source(name: str, place: Path) -> PackageSource:
    """Return `place` as source. The root is the top package's folder if the path ends in the dotted name."""
    place = place.resolve()
    root = place.parent
    around = tuple(name.split(".")[:-1])
    if around and root.parts[-len(around) :] == around:
        root = root.parents[len(around) - 1]
    return PackageSource(name, root, (place.relative_to(root).as_posix(),))


# --------------------------------------------------------------------------- by name


def _find(name: str) -> _Place:
    """Return the place of the module with the dotted name `name`.

    The search begins at the top package. Only the top name is given to the import system, which would import the
    parents of a deeper name.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        raise PackageNotFound(f"{name[:100]!r} is not an import name.{_suggestion(name)}")
    place = _top(parts[0])
    if place is None:
        raise PackageNotFound(f"no package or module {parts[0]!r} is installed here.{_suggestion(name)}")
    for depth, part in enumerate(parts[1:], 1):
        inner = _below(place.folders, part)
        if inner is None:
            inside = _names_in(place.folders)
            alike = difflib.get_close_matches(part, inside, n=5, cutoff=0.4) or sorted(inside)[:5]
            hint = f" It has: {', '.join(alike)}" if alike else " It is not a package with Python sources"
            raise PackageNotFound(f"{'.'.join(parts[:depth])!r} has no module {part!r}.{hint}")
        place = inner
    return place


def _top(name: str) -> _Place | None:
    loaded = sys.modules.get(name)
    if loaded is not None and (place := _of_module(loaded)) is not None:
        return place
    try:
        spec = find_anywhere(name)
    except (ImportError, ValueError, AttributeError):  # ValueError: a module object without a spec
        return None
    return None if spec is None else _of_spec(spec)


def _of_module(module: ModuleType) -> _Place | None:
    spec = getattr(module, "__spec__", None)
    if isinstance(spec, importlib.machinery.ModuleSpec):
        return _of_spec(spec)
    if isinstance(file := getattr(module, "__file__", None), str) and file.endswith(_SOURCE):
        return _Place(file=Path(file))
    return None


def _of_spec(spec: importlib.machinery.ModuleSpec) -> _Place:
    if spec.submodule_search_locations is not None:
        folders = tuple(Path(folder) for folder in spec.submodule_search_locations)
        zipped = next((folder for folder in folders if _archive(folder)), None)
        return (
            _Place(compiled=f"is inside the archive {_archive(zipped)}, which must be unpacked")
            if zipped
            else _Place(folders=tuple(folder for folder in folders if folder.is_dir()))
        )
    origin = spec.origin or ""
    if origin in ("frozen", "built-in"):
        file = Path(sysconfig.get_path("stdlib"), *spec.name.split(".")).with_suffix(".py")
        return _Place(file=file) if file.is_file() else _Place(compiled="is built into the interpreter")
    if origin.endswith(_SOURCE) and Path(origin).is_file():
        return _Place(file=Path(origin))
    if origin.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
        stub = Path(origin).parent / f"{spec.name.rpartition('.')[2]}.pyi"
        return _Place(file=stub) if stub.is_file() else _Place(compiled=f"is compiled ({Path(origin).name})")
    return _Place(compiled=f"is loaded from {origin or 'nowhere'}")


def _below(folders: Sequence[Path], name: str) -> _Place | None:
    """Return the place of a submodule in the folders of its package; None if it is not there.

    The order is that of an import. In each folder: first a package, then a compiled module, then a source file.
    """
    namespaces = []
    for folder in folders:
        inner = folder / name
        if (inner / "__init__.py").is_file():
            return _Place(folders=(inner,))
        compiled = [folder / f"{name}{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES]
        for file in (folder / f"{name}.py", folder / f"{name}.pyi"):
            if file.is_file():
                return _Place(file=file)
        if any(file.is_file() for file in compiled):
            return _Place(compiled="is compiled")
        if inner.is_dir():
            namespaces.append(inner)
    return _Place(folders=tuple(namespaces)) if namespaces else None


# --------------------------------------------------------------------------- contents of a folder


def _has_source(folder: Path) -> bool:
    return any(name.endswith(_SOURCE) for _, _, names in os.walk(folder) for name in names)


def _archive(folder: Path) -> Path | None:
    """Return the zip file that contains `folder`, for packages that are imported from a zip; None if there is none."""
    return next((part for part in (folder, *folder.parents) if part.is_file()), None)


def _names_in(folders: Iterable[Path]) -> set[str]:
    return {found.name for found in pkgutil.iter_modules([str(folder) for folder in folders])}


def _inside(name: str) -> str:
    parent = name.rpartition(".")[0]
    return f"; {parent!r} may have some" if parent else ""


def _suggestion(name: str) -> str:
    """Return the packages of a distribution called `name`, otherwise similar names."""
    for distribution in (name, name.partition(".")[0]):
        try:
            provided = _provided_by(distribution)
        except importlib.metadata.PackageNotFoundError:
            continue
        if provided:
            return f" The distribution {distribution!r} is imported as {', '.join(provided)}; give that name"
    known = {found.name for found in pkgutil.iter_modules()} | set(sys.stdlib_module_names)
    folded = {name.lower(): name for name in sorted(known) if not name.startswith("_")}
    alike = [
        folded[close] for close in difflib.get_close_matches(name.partition(".")[0].lower(), folded, n=5, cutoff=0.6)
    ]
    nearest = f" Similar names: {', '.join(alike)}." if alike else ""
    return (
        f"{nearest} Is it installed in this environment ({sys.prefix})? If its sources are elsewhere, give their folder"
    )


def _provided_by(distribution: str) -> list[str]:
    """Return the import names of an installed distribution. Raises PackageNotFoundError or ValueError."""
    if not distribution:
        raise importlib.metadata.PackageNotFoundError(distribution)
    files = importlib.metadata.files(distribution) or []
    tops = {file.parts[0].removesuffix(".py") for file in files if file.suffix in _SOURCE and file.parts}
    return sorted(top for top in tops if top.isidentifier() and not top.startswith("_"))
